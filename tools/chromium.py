"""The browser for the browser tests: Debian's own Chromium, never one that Playwright downloads."""

import os
import shutil
import subprocess
import sys

NAMES = ("chromium-headless-shell", "chromium")  # the first draws no windows: half the work; not all systems have it
DRIVER = "libatomic1"  # needed by Playwright's driver, and missing on a bare Debian
HINT = f"apt-get install {NAMES[-1]} {DRIVER}"


def find() -> str | None:
    return next(filter(None, map(shutil.which, NAMES)), None)


def find_or_install() -> str | None:
    """Return the path of a usable browser. Install it as root on Debian; change no other machine."""
    if not can_be_driven() and os.geteuid() == 0 and shutil.which("apt-get"):
        print("Installing Chromium for the browser tests.", flush=True)
        install_with_apt("update")
        for name in NAMES:
            if install_with_apt("install", "-y", name, DRIVER):
                break
    return find() if can_be_driven() else None


def install_with_apt(*words: str) -> bool:
    quietly = ["env", "DEBIAN_FRONTEND=noninteractive", "apt-get", "-qq", *words]
    return subprocess.run(quietly, stdout=subprocess.DEVNULL, check=False).returncode == 0


def can_be_driven() -> bool:
    driver = [sys.executable, "-m", "playwright", "--version"]
    return bool(find()) and subprocess.run(driver, capture_output=True, check=False).returncode == 0


if __name__ == "__main__":
    find_or_install() or sys.exit(f"A browser is needed: {HINT}")
