"""The lock files and the passes of the suite."""

import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
from django.utils.crypto import get_random_string

from beanpost.play import random_codes
from tests.chance import seeded
from tools import test as make_test

ROOT = Path(__file__).parents[2]
HOSTING = "\n".join(page.read_text() for page in sorted((ROOT / "docs/hosting").glob("*.md")))
LOCKS = sorted(ROOT.glob("requirements/*.txt"))
PIN = re.compile(r"^([a-z0-9-]+)==(\S+)(.*(?:\n    .*)*)", re.MULTILINE)


def pins(lock: Path) -> dict[str, str]:
    return {name: version for name, version, _ in PIN.findall(lock.read_text())}


@pytest.mark.parametrize("lock", LOCKS, ids=lambda lock: lock.stem)
def test_everything_installed_is_pinned_and_hashed(lock):
    found = PIN.findall(lock.read_text())
    assert found
    assert [name for name, _, rest in found if "--hash=sha256:" not in rest] == []


def test_the_tests_use_the_versions_that_run_in_production():
    run, test = pins(ROOT / "requirements/run.txt"), pins(ROOT / "requirements/test.txt")
    assert {name: test.get(name) for name in run} == run


def test_every_dependency_in_pyproject_is_locked():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    extras = project["optional-dependencies"]
    asked = {"run": project["dependencies"], "test": extras["test"] + extras["lint"], "services": extras["services"]}
    for stem, wanted in asked.items():
        names = {re.sub(r"[._]", "-", re.split(r"[\[~>=]", want)[0].lower()) for want in wanted}
        assert names <= set(pins(ROOT / f"requirements/{stem}.txt"))


def test_a_host_installs_and_builds_only_hashed_packages():
    """By default pip builds source packages with whatever build tools are newest that day."""
    assert "pip install" not in HOSTING
    assert HOSTING.count("make install") == 3  # the first install, the upgrade and the rollback
    output = subprocess.run(
        ["make", "-n", "-B", "install"], cwd=ROOT, capture_output=True, text=True, check=True
    ).stdout
    installs = re.findall(r"pip install .* --no-build-isolation --require-hashes -r requirements/(.+)", output)
    assert installs == ["build.txt", "run.txt"]
    assert output.count("pip install") == 2


def test_a_test_pass_that_hangs_is_stopped(tmp_path):
    hanging = tmp_path / "test_hanging.py"
    hanging.write_text("import time\n\n\ndef test_waiting():\n    time.sleep(3600)\n")
    code = (
        f"from tools import test; test.MAX_SECONDS = 2; test.run_pass('Waiting.', '-p', 'no:django', {str(hanging)!r})"
    )
    ended = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, timeout=120)
    assert ended.returncode == 1
    assert "This pass has FAILED" in ended.stderr


def test_browser_tests_alone_run_again_when_they_fail_and_are_reported():
    passes = dict(make_test.plan_passes("chromium", "postgres://a/b"))
    again = {name for name, words in passes.items() if any("rerun" in word for word in words)}
    assert again == {make_test.CHROMIUM}
    assert "--rerun-show-tracebacks" in passes[make_test.CHROMIUM]


@pytest.mark.parametrize(
    ("ways", "status", "sentence"),
    [("named", 3, "postgres://a/b"), ("", 0, "LEFT OUT on PostgreSQL: "), ("", 1, "LEFT OUT on PostgreSQL: ")],
)
def test_a_command_runs_on_postgresql_if_there_is_one_and_fails_in_ci_if_not(ways, status, sentence):
    command = [sys.executable, "-c", "import os, sys; print(os.environ['DATABASE_URL'], flush=True); sys.exit(3)"]
    variables = os.environ | {"DATABASE_URL": "postgres://a/b", "POSTGRES_FROM": ways, "CI": str(status)}
    ended = subprocess.run(
        [sys.executable, "-m", "tools.postgres", *command],
        cwd=ROOT,
        env=variables,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert ended.returncode == status
    assert sentence in ended.stdout


def test_every_test_that_needs_postgresql_runs_there():
    chosen = make_test.ON_POSTGRES
    assert [place for place in chosen if not (ROOT / "tests" / place.partition("::")[0]).exists()] == []
    marked = re.compile(r"^(?:@|pytestmark).*mark\.postgres\b.*(?:\n@.*)*(?:\ndef (\w+))?", re.MULTILINE)
    for file in (ROOT / "tests").rglob("test_*.py"):
        place = file.relative_to(ROOT / "tests").as_posix()
        assert [test for test in marked.findall(file.read_text()) if not f"{place}::{test}".startswith(chosen)] == []


def test_make_test_all_runs_everything_on_both_databases():
    short, whole = (dict(make_test.plan_passes(None, "postgres://a/b", everything=all_)) for all_ in (False, True))
    assert short["SQLite"] == whole["SQLite"]
    assert "tests/site/test_at_once.py" in short["PostgreSQL"]
    assert [word for word in whole["PostgreSQL"] if word.startswith("tests")] == ["tests"]
    assert not [word for words in whole.values() for word in words if "ignore" in word]


def test_the_chance_of_a_test_is_the_same_in_every_run():
    drawn = [random_codes.make_code(), random_codes.draw(["Ann", "Bob", "Cleo", "Dora"], 2), get_random_string(8)]
    with seeded("another test"):
        assert random_codes.make_code() != drawn[0]
    with seeded(os.environ["PYTEST_CURRENT_TEST"].removesuffix(" (call)")):
        again = [random_codes.make_code(), random_codes.draw(["Ann", "Bob", "Cleo", "Dora"], 2), get_random_string(8)]
    assert again == drawn
