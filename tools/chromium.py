"""The browser of the browser tests: Debian's own Chromium, never a download of Playwright's."""

import os
import shutil
import subprocess
from pathlib import Path

DEBIAN = Path("/usr/bin/chromium")


def find() -> str | None:
    return str(DEBIAN) if DEBIAN.exists() else shutil.which("chromium")


def find_or_install() -> str | None:
    """Where Chromium is. Root on Debian gets it installed; nobody else's machine is changed."""
    if not find() and os.geteuid() == 0 and shutil.which("apt-get"):
        print("Installing Chromium for the browser tests.", flush=True)
        environment = os.environ | {"DEBIAN_FRONTEND": "noninteractive"}
        for words in ("update", "install -y chromium"):
            subprocess.run(["apt-get", "-qq", *words.split()], env=environment, check=False)
    return find()
