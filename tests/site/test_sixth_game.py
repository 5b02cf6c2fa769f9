"""A game of another package: installed by pip, it is found and played without a line changed elsewhere."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.own_process
ROOT = Path(__file__).parents[2]
PACKAGE = ROOT / "tests" / "sixth_game"
PIP = ("-m", "pip", "install", "-qq", "--disable-pip-version-check", "--no-index", "--no-deps", "--no-build-isolation")


@pytest.fixture(scope="module")
def installed(tmp_path_factory) -> Path:
    """A folder into which pip has installed the package, from a copy: building leaves files in the source."""
    here = tmp_path_factory.mktemp("sixth")
    shutil.copytree(PACKAGE, here / "source", ignore=shutil.ignore_patterns("test_*", "__pycache__"))
    run(*PIP, "--target", str(here / "target"), str(here / "source"))
    return here / "target"


def run(*words: str, path: str = "") -> str:
    env = {**os.environ, "PYTHONPATH": path}
    done = subprocess.run([sys.executable, *words], cwd=ROOT, env=env, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_a_game_installed_by_pip_is_found_offered_played_and_verified(installed):
    output = run("-m", "pytest", "-q", str(PACKAGE / "test_race.py"), path=str(installed))
    assert " passed" in output


def test_the_package_is_small():
    assert sum(len(file.read_text().splitlines()) for file in (PACKAGE / "race_to_ten").glob("*.py")) < 200
