"""Play by replying to letters, end to end: a letter arrives over SMTP, a reply goes in over LMTP, the next letter
comes."""

import os
import subprocess
import sys
import time
from email.message import EmailMessage
from pathlib import Path
from smtplib import LMTP

import pytest

from tests.post.postbox import Postbox, free_port, open_postbox

pytestmark = pytest.mark.own_process
ROOT = Path(__file__).parents[2]
TIMEOUT = 120  # seconds: generous, for a busy machine

PREPARE = """
import django
django.setup()
from beanpost.play import clock
from beanpost.post.deliver import sending
from tests.friends import seat_friends
seat_friends(now=clock.now())
sending.deliver(clock.now)
"""


@pytest.fixture
def mailbox():
    with open_postbox() as box:
        yield box


@pytest.fixture(params=["127.0.0.1", "0.0.0.0"], ids=["in the same process", "in a process of its own"])
def port(request, mailbox, tmp_path, migrated):
    """A server with a running match, and the port its LMTP server listens on."""
    number = free_port()
    environment = {
        **{name: os.environ[name] for name in ("PATH", "HOME", "LANG") if name in os.environ},
        "BEANPOST_VAR": str(tmp_path),
        "DJANGO_SETTINGS_MODULE": "beanpost.settings",
        "SECRET_KEY": "a-key-of-more-than-fifty-characters-that-opens-no-door-anywhere",
        "EMAIL_URL": mailbox.url,
        "PORT": str(free_port()),
        "INBOUND_DOMAIN": "in.beans.example",
        "POSTBOX": f"lmtp://{request.param}:{number}",
        "LOG_LEVEL": "WARNING",
    }
    subprocess.run([sys.executable, "-c", PREPARE], env=environment, cwd=ROOT, check=True, timeout=60)
    words = [sys.executable, str(ROOT / "manage.py"), "serve"]
    server = subprocess.Popen(
        words, env=environment, cwd=ROOT, text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    assert server.stdout
    assert any("Ctrl-C" in line for line in server.stdout)
    yield number
    server.terminate()
    _, complaints = server.communicate(timeout=TIMEOUT)
    assert complaints == ""


def letter_to(mailbox: Postbox, name: str, text: str) -> EmailMessage:
    """Wait for a player's newest letter that contains this text."""
    until = time.monotonic() + TIMEOUT
    while time.monotonic() < until:
        for letter in reversed(mailbox.letters):
            if letter["To"] == f"{name}@example.org" and text in " ".join(body(letter).split()):
                return letter
        time.sleep(0.05)
    raise AssertionError(f"{name} got no letter that says: {text}")


def body(letter: EmailMessage) -> str:
    part = letter.get_body(("plain",))
    assert part
    return str(part.get_content())


def reply(port: int, letter: EmailMessage, text: str) -> None:
    """Write a reply as a mail program does, with the letter quoted below."""
    message = EmailMessage()
    message["From"], message["To"] = letter["To"], letter["Reply-To"]
    message["Subject"], message["Message-ID"] = f"Re: {letter['Subject']}", f"<{time.monotonic_ns()}@mail.example>"
    quoted = "\n".join(f"> {line}" for line in body(letter).splitlines())
    message.set_content(f"{text}\n\nOn Mon, 16 Nov 2026 at 13:05, Beanpost <post@127.0.0.1> wrote:\n\n{quoted}\n")
    with LMTP("127.0.0.1", port) as line:
        line.send_message(message, letter["To"], [letter["Reply-To"]])


def test_a_match_is_played_by_answering_letters(mailbox, port):
    reply(port, letter_to(mailbox, "bob", "Your turn, Bob"), "Hi, play two sixes please")
    cleo = letter_to(mailbox, "cleo", "Bob played 6 6, worth 12.")
    reply(port, cleo, "Good luck everybody")
    again = letter_to(mailbox, "cleo", "You wrote: “Good luck everybody”")
    assert again["Auto-Submitted"] == "auto-replied"
    reply(port, again, "je passe")
    letter_to(mailbox, "ann", "Cleo passed and drew a card.")
