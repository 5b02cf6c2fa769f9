"""A server that is killed at any moment has lost no move and no letter when it starts again."""

from __future__ import annotations

import json
import os
import re
import signal
import sqlite3
import subprocess
import sys
import threading
import time
from base64 import urlsafe_b64decode
from collections.abc import Iterator
from contextlib import contextmanager
from http import HTTPStatus
from http.client import HTTPException
from http.cookiejar import CookieJar
from pathlib import Path
from typing import Any
from urllib.error import HTTPError
from urllib.parse import urlencode
from urllib.request import HTTPCookieProcessor, Request, build_opener

import pytest

from tests.site.test_serve import free_port

pytestmark = pytest.mark.own_process

FRIENDS = ("ann", "bob", "cleo")
KILLS = 2
TIMEOUT = 180  # seconds: generous, for a busy machine
LINK = re.compile(r"/move/[\w:-]+/")
TOKEN = re.compile(r'name="csrfmiddlewaretoken" value="(\w+)"')


class Visitor:
    """A player with a browser who presses any link in the newest letters."""

    def __init__(self, port: int) -> None:
        self.site = f"http://127.0.0.1:{port}"
        self.browser = build_opener(HTTPCookieProcessor(CookieJar()))
        self.accepted: list[str] = []  # links whose press was answered
        self.refused: list[str] = []  # links that had been pressed already: the server died before it could answer

    def get(self, path: str) -> str:
        return self.browser.open(self.site + path, timeout=TIMEOUT).read().decode()

    def press(self, link: str) -> None:
        token = TOKEN.search(self.get(link))
        if not token:
            self.refused.append(link)
            return
        pressed = Request(self.site + link, urlencode({"csrfmiddlewaretoken": token[1]}).encode())
        self.browser.open(pressed, timeout=TIMEOUT).read()
        self.accepted.append(link)

    def wait_for_an_answer(self) -> None:
        end = time.monotonic() + TIMEOUT
        while not self.accepted:
            assert time.monotonic() < end, "No press was answered."
            time.sleep(0.05)

    def play_on(self, until: threading.Event) -> None:
        """Press the first link of each newest letter, over and over; wait while the server is down."""
        while not until.is_set():
            try:
                for friend in FRIENDS:
                    self.answer_newest_letter(friend)
            except (OSError, HTTPException):
                time.sleep(0.2)

    def answer_newest_letter(self, friend: str) -> None:
        newest = re.search(rf"/letters/{friend}/\d+/", self.get(f"/letters/{friend}/"))
        link = newest and LINK.search(self.get(newest[0]))
        if not link or link[0] in self.accepted + self.refused:
            return
        try:
            self.press(link[0])
        except HTTPError as refusal:
            if refusal.code == HTTPStatus.CONFLICT:
                self.refused.append(link[0])


@contextmanager
def running_server(folder: Path, port: int) -> Iterator[subprocess.Popen[bytes]]:
    surroundings = os.environ | {"BEANPOST_DEMO": "1", "BEANPOST_VAR": str(folder), "PORT": str(port)}
    for name in ("DATABASE_URL", "SECRET_KEY", "SITE_URL"):
        surroundings.pop(name, None)
    process = subprocess.Popen([sys.executable, "manage.py", "serve"], env=surroundings, stdout=subprocess.DEVNULL)
    try:
        yield process
    finally:
        process.send_signal(signal.SIGKILL)
        process.wait()


def wait_until_open(port: int) -> None:
    end = time.monotonic() + TIMEOUT
    while time.monotonic() < end:
        try:
            Visitor(port).get("/healthz")
        except (OSError, HTTPException):
            time.sleep(0.2)
        else:
            return
    raise AssertionError("The server did not open.")


@pytest.mark.usefixtures("migrated")
def test_killing_the_server_repeatedly_loses_nothing(tmp_path):
    port = free_port()
    visitor, enough = Visitor(port), threading.Event()
    playing = threading.Thread(target=visitor.play_on, args=(enough,))
    playing.start()
    try:
        for n in range(KILLS):
            with running_server(tmp_path, port):
                wait_until_open(port)
                visitor.wait_for_an_answer()
                time.sleep(0.5 + 0.37 * n)  # in the middle of a move or of sending a letter
        enough.set()
        playing.join()
        with running_server(tmp_path, port):
            wait_until_open(port)
            wait_until_all_is_sent(tmp_path)
    finally:
        enough.set()
        playing.join()
    assert visitor.accepted
    check(tmp_path, visitor)


def wait_until_all_is_sent(folder: Path) -> None:
    """Wait until no letter is due. The letter for a question that the page has already shown may be held back."""
    due = (
        "SELECT count(*) FROM post_letter WHERE state = 'inflight' "
        "OR state IN ('queued', 'retry') AND due_at < datetime('now', '+60 seconds')"
    )
    end = time.monotonic() + TIMEOUT
    while time.monotonic() < end:
        if ask(folder, due) == [(0,)]:
            return
        time.sleep(0.5)
    raise AssertionError("Some letters were never sent.")


def check(folder: Path, visitor: Visitor) -> None:
    """Check that every accepted press is in the log once, every question the table waits for has its letter, and the
    log is intact."""
    for link in visitor.accepted:
        match, seat, _, question, line, *_ = contents(link)
        answers = "SELECT line, origin FROM play_event WHERE match_id = ? AND seat = ? AND seq > ? ORDER BY seq LIMIT 1"
        assert ask(folder, answers, match, seat, question) == [(line, "player")]
    # Nobody waits for some seats of Bohnanza's market, and those get no letter.
    waited_for = "SELECT match_id, seat, opened FROM play_wait WHERE due_at IS NOT NULL"
    for match, seat, opened in ask(folder, waited_for):
        letter = "SELECT count(*) FROM post_letter WHERE kind = 'turn' AND key = ? AND state IN ('sent', 'queued')"
        assert ask(folder, letter, f"m/{match}/{seat}/{opened}") == [(1,)]
    surroundings = os.environ | {"BEANPOST_DEMO": "1", "BEANPOST_VAR": str(folder)}
    audit = [sys.executable, "manage.py", "audit"]
    assert "0 differ" in subprocess.run(audit, env=surroundings, capture_output=True, text=True, check=True).stdout


def contents(link: str) -> list[Any]:
    """Return the contents of a move ticket: match, seat, occupant, question and line."""
    encoded = link.split("/")[2].split(":")[0]
    values: list[Any] = json.loads(urlsafe_b64decode(encoded + "=" * (-len(encoded) % 4)))
    return values


def ask(folder: Path, query: str, *values: object) -> list[tuple[object, ...]]:
    with sqlite3.connect(folder / "beanpost.sqlite3", timeout=20) as database:
        return database.execute(query, values).fetchall()
