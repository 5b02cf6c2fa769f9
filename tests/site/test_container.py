"""The container image and the compose file: they copy files that exist, and set settings that exist."""

import os
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
HOSTING = "\n".join(page.read_text() for page in sorted((ROOT / "docs/hosting").glob("*.md")))
FOLDER = ROOT / "beanpost/deploy/container"
DOCKERFILE = (FOLDER / "Dockerfile").read_text()
COMPOSE = (FOLDER / "compose.yaml").read_text()
EXAMPLE = (FOLDER / ".env.example").read_text()
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
    names = [*set_by_compose(), *re.findall(r"^#?([A-Z_]+)=", EXAMPLE, re.MULTILINE)]
    assert len(names) > 15
    assert [name for name in names if not re.search(rf"\b{name}\b", HOSTING)] == []


def set_by_compose() -> dict[str, str]:
    """Return the variables that the compose file sets for all parts, each with its value or default."""
    shared = COMPOSE.partition("  environment:")[2].partition("depends_on")[0]
    return dict(re.findall(r"^    ([A-Z_]+): (.+)$", shared, re.MULTILINE))


def test_every_part_reads_the_settings_of_the_env_file():
    shared = COMPOSE.partition("x-beanpost: &beanpost")[2].partition("services:")[0]
    assert "\n  env_file: [.env]" in shared
    for part in re.findall(r"command: \[\w+\]\n((?:    .+\n)*)", COMPOSE):
        assert "environment:" not in part  # it would replace the shared one
        assert "env_file:" not in part


def test_the_compose_file_overrides_only_the_addresses_of_its_own_services():
    # Compose prefers `environment:` to `env_file:`, so each other value must give way to the same name in .env.
    fixed = {"DATABASE_URL", "CELERY_BROKER_URL"}
    for name, value in set_by_compose().items():
        assert name in fixed or value.startswith(("${" + name + ":-", "${" + name + ":?")), name


def test_a_provider_in_the_example_sends_the_letters():
    lines = re.findall(r"^#?([A-Z_]+)=(.*)$", EXAMPLE, re.MULTILINE)
    settings = dict(lines) | {"SECRET_KEY": "x" * 50, "ANYMAIL_POSTMARK_SERVER_TOKEN": "token"}
    shown = "from django.conf import settings; print(settings.EMAIL_BACKEND, settings.ANYMAIL['POSTMARK_SERVER_TOKEN'])"
    command = [sys.executable, "manage.py", "shell", "--no-imports", "--command", shown]
    answer = subprocess.run(command, cwd=ROOT, env=os.environ | settings, capture_output=True, text=True, check=True)
    assert answer.stdout.split() == ["anymail.backends.postmark.EmailBackend", "token"]


def test_the_settings_of_a_host_stay_out_of_the_repository_and_the_image():
    assert ".env" in (ROOT / ".gitignore").read_text().splitlines()
    assert "**/.env" in (ROOT / ".dockerignore").read_text().splitlines()


def test_the_scripts_are_sound():
    for script in ("beanpost-part", "beanpost-health"):
        assert (FOLDER / script).stat().st_mode & 0o100
    subprocess.run(["sh", "-n", FOLDER / "beanpost-part"], check=True)
    compile((FOLDER / "beanpost-health").read_text(), "beanpost-health", "exec")


def test_the_cleanup_runs_the_commands_of_the_daily_timer():
    timer = (ROOT / "beanpost/deploy/systemd/beanpost-prune.service").read_text()
    cleanup = (FOLDER / "beanpost-part").read_text().partition("cleanup)")[2]
    for words in re.findall(r"manage\.py (.+)$", timer, re.MULTILINE):
        assert f"beanpost manage {words}\n" in cleanup
