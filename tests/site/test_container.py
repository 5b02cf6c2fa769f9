"""The container image and the compose file: they copy files that exist, and set settings that exist."""

import re
import subprocess
from pathlib import Path

ROOT = Path(__file__).parents[2]
HOSTING = "\n".join(page.read_text() for page in sorted((ROOT / "docs/hosting").glob("*.md")))
FOLDER = ROOT / "deploy/container"
DOCKERFILE = (FOLDER / "Dockerfile").read_text()
COMPOSE = (FOLDER / "compose.yaml").read_text()
PARTS = re.findall(r"^([a-z]+)\)", (FOLDER / "beanpost-part").read_text(), re.MULTILINE)


def copied():
    for words in re.findall(r"^COPY (?!--from)(?:--\S+ )?(.+)$", DOCKERFILE, re.MULTILINE):
        *sources, _target = words.split()
        yield from sources


def test_everything_the_image_copies_exists_and_is_not_ignored():
    kept = {line[1:] for line in (ROOT / ".dockerignore").read_text().splitlines() if line.startswith("!")}
    for source in copied():
        assert (ROOT / source).exists()
        assert any(Path(source).is_relative_to(one) for one in kept), source


def test_the_image_holds_everything_that_the_wheel_packs():
    wheel = (ROOT / "pyproject.toml").read_text().partition("[tool.hatch.build.targets.wheel.force-include]")[2]
    assert set(re.findall(r'^"(\w+)" = "', wheel.partition("\n[")[0], re.MULTILINE)) <= set(copied())


def test_the_image_runs_without_privileges_and_has_a_health_check():
    assert re.search(r"^USER beanpost$", DOCKERFILE, re.MULTILINE)
    assert "HEALTHCHECK" in DOCKERFILE
    assert "--require-hashes" in DOCKERFILE


def test_every_service_names_a_part_that_exists():
    commands = re.findall(r"command: \[(\w+)\]", COMPOSE)
    assert {"web", "worker", "clock", "postbox", "prepare"} <= set(commands) <= set(PARTS)
    assert COMPOSE.count("read_only: true") == 1  # in the part that all share


def test_every_setting_of_the_compose_file_is_documented():
    shared = COMPOSE.partition("environment: &settings")[2].partition("depends_on")[0]
    names = re.findall(r"^    ([A-Z_]+):", shared, re.MULTILINE)
    assert len(names) > 8
    assert [name for name in names if f"`{name}`" not in HOSTING] == []


def test_the_scripts_are_sound():
    for script in ("beanpost-part", "beanpost-health"):
        assert (FOLDER / script).stat().st_mode & 0o100
    subprocess.run(["sh", "-n", FOLDER / "beanpost-part"], check=True)
    compile((FOLDER / "beanpost-health").read_text(), "beanpost-health", "exec")


def test_the_cleanup_runs_the_commands_of_the_daily_timer():
    timer = (ROOT / "deploy/systemd/beanpost-prune.service").read_text()
    cleanup = (FOLDER / "beanpost-part").read_text().partition("cleanup)")[2]
    for words in re.findall(r"manage\.py (.+)$", timer, re.MULTILINE):
        assert f"beanpost manage {words}\n" in cleanup
