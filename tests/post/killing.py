"""A mail worker that is killed with `kill -9` while it sends to a real mail server, and started again."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path

from tests.post.postbox import Postbox

PREPARE = """
import django
django.setup()
from django.core.management import call_command
call_command("migrate", verbosity=0)
from beanpost.play import clock
from beanpost.players import accounts, confirming
from beanpost.post.outbox import queue
ann = accounts.get_or_create_player("ann@example.org", name="Ann", now=clock.now())
confirming.confirm(ann, now=clock.now())  # an address that never answered gets three letters
for n in range({letters}):
    queue.queue(ann, "settings", f"settings/{{n}}", now=clock.now())
"""
# A worker as in `manage.py serve`: the same pool, the same start. Each minute it wakes the senders, as the beat does,
# for letters whose retry is due, for example after the mail server was too slow to greet.
WORKER = """
import time
import django
django.setup()
from beanpost.management.commands.serve import run_worker
from beanpost.play import clock
from beanpost.post.outbox import claims, wake_up
claims.reclaim_all(clock.now())
with run_worker():
    while True:
        time.sleep(60)
        wake_up.SENDERS.request()
"""
SENDERS = 2  # the one that is woken, and the one it wakes
TIMEOUT = 300  # seconds


def queue(folder: Path, postbox: Postbox, letters: int) -> None:
    script = PREPARE.format(letters=letters)
    subprocess.run([sys.executable, "-c", script], env=surroundings(folder, postbox), check=True)


def send_and_kill(folder: Path, postbox: Postbox, *, letters: int, kills: int) -> Counter[str]:
    """Send all letters with this many kills on the way; count how often each arrived, by its Message-ID."""
    for n in range(1, kills + 1):
        work(folder, postbox, until=letters * n // (kills + 1))
        assert len(set(postbox.raw)) < letters
    work(folder, postbox, until=letters)
    return Counter(letter["Message-ID"] for letter in postbox.letters)


def work(folder: Path, postbox: Postbox, *, until: int) -> None:
    """Run a worker until this many letters have arrived; then kill it."""
    worker = subprocess.Popen([sys.executable, "-c", WORKER], env=surroundings(folder, postbox))
    try:
        end = time.monotonic() + TIMEOUT
        while len(set(postbox.raw)) < until and worker.poll() is None and time.monotonic() < end:
            time.sleep(0.005)
        assert worker.poll() is None, "The worker died of itself."
    finally:
        worker.kill()
        assert worker.wait() == -9


def surroundings(folder: Path, postbox: Postbox) -> dict[str, str]:
    return os.environ | {
        "DATABASE_URL": f"sqlite:///{folder}/letters.sqlite3",
        "DJANGO_SETTINGS_MODULE": "beanpost.settings",
        "EMAIL_URL": postbox.url,
        "LOG_LEVEL": "WARNING",
    }
