"""The browser of the browser tests: Debian's own Chromium, never a download of Playwright's."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

DEBIAN = Path("/usr/bin/chromium")
PACKAGES = ("chromium", "libatomic1")  # Playwright's driver wants the second, which a bare Debian lacks


def find() -> str | None:
    return str(DEBIAN) if DEBIAN.exists() else shutil.which("chromium")


def find_or_install() -> str | None:
    """Where a browser is that can be driven. Root on Debian gets it installed; no other machine is changed."""
    if not can_be_driven() and os.geteuid() == 0 and shutil.which("apt-get"):
        print("Installing Chromium for the browser tests.", flush=True)
        for words in (["update"], ["install", "-y", *PACKAGES]):
            apt = ["env", "DEBIAN_FRONTEND=noninteractive", "apt-get", "-qq", *words]
            subprocess.run(apt, stdout=subprocess.DEVNULL, check=False)
    return find() if can_be_driven() else None


def can_be_driven() -> bool:
    driver = [sys.executable, "-m", "playwright", "--version"]
    return bool(find()) and subprocess.run(driver, capture_output=True, check=False).returncode == 0


if __name__ == "__main__":
    find_or_install() or sys.exit(f"A browser is needed: apt-get install {' '.join(PACKAGES)}")
