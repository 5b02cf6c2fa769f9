"""The sender is killed in the middle of its work, for real: every letter arrives all the same."""

import os
import subprocess
import sys
import time
from collections import Counter

LETTERS = 60
KILLS_AT = (12, 30)  # letters arrived

PREPARE = f"""
from django.core.management import call_command
call_command("migrate", verbosity=0)
from beanpost.players import book
ann = book.welcome("ann@example.org", name="Ann", now=clock.now())
for n in range({LETTERS}):
    outbox.queue(ann, "settings", f"settings/{{n}}", now=clock.now())
"""
SENDER = """
import django
django.setup()
from datetime import timedelta
from beanpost.play import clock
from beanpost.post import outbox, sending
{prepare}
# Later each time: what the one before had in hand has to be free again.
sending.deliver(lambda: clock.now() + {runs} * outbox.LEASE)
"""


def start(environment, runs: int) -> subprocess.Popen[bytes]:
    script = SENDER.format(runs=runs, prepare="" if runs else PREPARE)
    return subprocess.Popen([sys.executable, "-c", script], env=environment)


def test_a_sender_that_is_killed_loses_no_letter(postbox, tmp_path):
    postbox.pause = 0.02  # so that the kill falls into the sending of a letter
    environment = os.environ | {
        "DATABASE_URL": f"sqlite:///{tmp_path}/letters.sqlite3",
        "DJANGO_SETTINGS_MODULE": "beanpost.settings",
        "EMAIL_URL": postbox.url,
        "LOG_LEVEL": "WARNING",
    }
    for runs, arrived in enumerate(KILLS_AT):
        sender = start(environment, runs)
        while len(postbox.raw) < arrived and sender.poll() is None:
            time.sleep(0.005)
        sender.kill()
        assert sender.wait() == -9
        assert len(postbox.raw) < LETTERS
    assert start(environment, len(KILLS_AT)).wait(timeout=60) == 0

    copies = Counter(letter["Message-ID"] for letter in postbox.letters)
    assert len(copies) == LETTERS
    assert copies.total() - LETTERS <= len(KILLS_AT)
    assert len(set(postbox.raw)) == LETTERS  # what came twice came with the same bytes
