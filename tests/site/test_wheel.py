"""The wheel: two packages with everything inside them, which serve the demo from an empty environment."""

import os
import signal
import subprocess
import sys
import sysconfig
import time
import venv
import zipfile
from pathlib import Path
from urllib.error import URLError
from urllib.request import urlopen

import pytest

from beanpost import __version__
from tools.proof.programs import free_port

pytestmark = pytest.mark.own_process
ROOT = Path(__file__).parents[2]
TIMEOUT = 180  # seconds: generous, for a busy machine


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    folder = tmp_path_factory.mktemp("wheel")
    build = [
        sys.executable,
        "-m",
        "pip",
        "wheel",
        "--quiet",
        "--no-deps",
        "--no-build-isolation",
        f"--wheel-dir={folder}",
    ]
    subprocess.run([*build, str(ROOT)], check=True)
    [made] = folder.glob("*.whl")
    return made


@pytest.fixture(scope="module")
def installed(wheel, tmp_path_factory):
    """An environment with the wheel alone; its dependencies are those of the tests, so that nothing is downloaded."""
    folder = tmp_path_factory.mktemp("empty")
    venv.create(folder, with_pip=False)
    [packages] = folder.glob("lib/python*/site-packages")
    pip = [sys.executable, "-m", "pip", f"--python={folder}/bin/python", "install", "--quiet", "--no-deps"]
    subprocess.run([*pip, str(wheel)], check=True)
    (packages / "dependencies.pth").write_text(sysconfig.get_path("purelib"))
    return folder


def test_the_wheel_holds_two_packages_and_everything_they_need(wheel):
    names = zipfile.ZipFile(wheel).namelist()
    assert {name.partition("/")[0] for name in names} == {"beanpost", "games", f"beanpost-{__version__}.dist-info"}
    for folder, inside in (("templates", "beanpost"), ("seeds", "games")):
        packed = {name.partition(f"{inside}/packed/{folder}/")[2] for name in names} - {""}
        there = {path.relative_to(ROOT / folder).as_posix() for path in (ROOT / folder).rglob("*") if path.is_file()}
        assert packed == there
    assert "beanpost/pages/static/beanpost/site.css" in names
    assert {"beanpost/locale/fr/LC_MESSAGES/django.mo", "beanpost/deploy/gunicorn.conf.py"} <= {*names}
    assert f"beanpost-{__version__}.dist-info/licenses/LICENSE" in names


def test_the_wheel_names_its_licence(wheel):
    metadata = zipfile.ZipFile(wheel).read(f"beanpost-{__version__}.dist-info/METADATA").decode()
    assert "\nLicense-Expression: AGPL-3.0-or-later\n" in metadata
    assert (ROOT / "LICENSE").read_text().lstrip().startswith("GNU AFFERO GENERAL PUBLIC LICENSE")


def run(installed, *words, **more):
    env = {"PATH": os.environ["PATH"], "HOME": str(installed / "home"), **more}
    (installed / "home").mkdir(exist_ok=True)
    return subprocess.run(
        [installed / "bin/beanpost", *words], env=env, cwd=installed, capture_output=True, text=True, check=False
    )


def test_the_command_says_its_version_and_refuses_what_it_does_not_know(installed):
    assert run(installed, "version").stdout == f"Beanpost {__version__}\n"
    unknown = run(installed, "plant")
    assert unknown.returncode == 2
    assert "invalid choice" in unknown.stderr
    result = run(installed, "manage", "diffsettings", "--output", "unified", SECRET_KEY="k" * 50)
    assert f"PACKED = PosixPath('{installed}/lib/" in result.stdout  # not the checkout's


def test_a_checkout_has_the_command_as_a_module():
    result = subprocess.run([sys.executable, "-m", "beanpost", "version"], cwd=ROOT, capture_output=True, text=True)
    assert result.stdout == f"Beanpost {__version__}\n"


def test_an_installed_demo_serves_pages_letters_rules_and_styles(installed):
    port = free_port()
    env = {"PATH": os.environ["PATH"], "HOME": str(installed / "home"), "PORT": str(port)}
    (installed / "home").mkdir(exist_ok=True)
    demo = subprocess.Popen(
        [installed / "bin/beanpost", "demo"],
        env=env,
        cwd=installed,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    try:
        front = fetch(f"http://127.0.0.1:{port}/", demo)
        assert "/static/beanpost/site" in front
        for path in ("letters/ann/", "rules/bohnanza/", "leagues/", "static/beanpost/site.css", "rules/?lang=fr"):
            assert fetch(f"http://127.0.0.1:{port}/{path}", demo)
        assert "AGPL" in front
        assert (installed / "home/.local/share/beanpost/beanpost.sqlite3").exists()
    finally:
        demo.send_signal(signal.SIGTERM)
        output, _ = demo.communicate(timeout=60)
    assert "Beanpost is closed." in output, output
    assert "Traceback" not in output, output


def fetch(address, process):
    for _ in range(600):
        assert process.poll() is None, process.communicate()[0]
        try:
            return urlopen(address, timeout=TIMEOUT).read().decode()
        except URLError as fault:
            if not isinstance(fault.reason, OSError):
                raise
            time.sleep(0.1)
    raise AssertionError(f"{address} does not answer.")
