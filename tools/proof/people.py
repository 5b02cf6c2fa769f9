"""Simulated players: they open their letters, follow a link, and press its button."""

import email
import email.policy
import http.client
import json
import random
import re
import socket
import threading
import time
import zlib
from base64 import urlsafe_b64decode
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import urlencode, urlsplit

LINK = re.compile(r"/move/([\w.:~-]+)/")
TOKEN = re.compile(r'name="csrfmiddlewaretoken" value="(\w+)"')
TITLE = re.compile(r"<title>(.*?)</title>", re.DOTALL)
SEE_OTHER = 303  # the answer to an accepted move, which redirects to the result
ALREADY_PLAYED = "Already played"
YOUR_TURN_AGAIN = "It’s your turn again."
SECONDS_BEFORE_GIVING_UP = 60  # seconds after which a visitor gives up, and may try again


class Ticket(NamedTuple):
    """The contents of a move's link, decoded without the key."""

    match: int
    seat: int
    occupant: int
    question: int
    line: str
    since: int


def read_ticket(text: str) -> Ticket:
    told = text.split(":")[0]
    packed = told.startswith(".")
    raw = urlsafe_b64decode(told.lstrip(".") + "=" * (-len(told.lstrip(".")) % 4))
    values: list[Any] = json.loads(zlib.decompress(raw) if packed else raw)
    return Ticket(*values)


class Mailbag:
    """The letters that the mail server has accepted, as they arrive."""

    def __init__(self, file: Path) -> None:
        self.file = file
        self.read_to = 0
        self.count = 0

    def fresh(self) -> Iterator[bytes]:
        if not self.file.exists():
            return
        with self.file.open("rb") as letters:
            letters.seek(self.read_to)
            while head := letters.readline():
                letter = letters.read(int(head))
                if len(letter) < int(head):
                    return  # the rest is still being written
                self.read_to = letters.tell()
                self.count += 1
                yield letter


def read_message_id(letter: bytes) -> str:
    return str(email.message_from_bytes(letter)["Message-ID"]).strip("<> \n")


def find_links(letter: bytes) -> list[str]:
    """Return the move tickets in a letter, in the order they are printed."""
    message = email.message_from_bytes(letter, policy=email.policy.default)
    body = message.get_body(preferencelist=("plain",))
    return LINK.findall(body.get_content()) if body else []


class Trouble(Exception):
    """The site did not answer, or answered with an error."""


class Answer(NamedTuple):
    status: int
    page: str
    cookie: str  # the new one, or the old one if none was set
    leads_to: str


class UnixConnection(http.client.HTTPConnection):
    """HTTP over a Unix socket."""

    def __init__(self, path: str) -> None:
        super().__init__("127.0.0.1", timeout=SECONDS_BEFORE_GIVING_UP)
        self.path = path

    def connect(self) -> None:
        self.sock = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self.sock.settimeout(SECONDS_BEFORE_GIVING_UP)
        self.sock.connect(self.path)


class Browser:
    """A connection to the site, kept open while it works."""

    def __init__(self, site: str) -> None:
        self.site = site
        self.host = urlsplit(site).netloc or "127.0.0.1"
        self.line: http.client.HTTPConnection | None = None

    def connection(self) -> http.client.HTTPConnection:
        if self.line is None:
            unix = self.site.startswith("/")
            self.line = (
                UnixConnection(self.site)
                if unix
                else http.client.HTTPConnection(self.host, timeout=SECONDS_BEFORE_GIVING_UP)
            )
        return self.line

    def ask(self, method: str, path: str, body: str | None = None, cookie: str = "") -> Answer:
        headers = {"Host": self.host, "Cookie": cookie, "Content-Type": "application/x-www-form-urlencoded"}
        try:
            line = self.connection()
            line.request(method, path, body, headers)
            answer = line.getresponse()
            text = answer.read().decode()
        except (OSError, http.client.HTTPException) as trouble:
            if self.line:
                self.line.close()
            self.line = None
            raise Trouble(type(trouble).__name__) from trouble
        if answer.status >= 500:
            raise Trouble(f"{answer.status}")
        cookie = (answer.headers.get("Set-Cookie") or cookie).split(";")[0]
        return Answer(answer.status, text, cookie, answer.headers.get("Location") or "")

    def get(self, path: str) -> Answer:
        """Request a page. If a kept connection turns out to be closed, retry on a new one, as browsers do."""
        kept = self.line is not None
        try:
            return self.ask("GET", path)
        except Trouble:
            if not kept:
                raise
            return self.ask("GET", path)

    def press(self, path: str, shown: Answer) -> Answer:
        token = TOKEN.search(shown.page)
        if not token:
            raise Trouble("There is no button on the page.")
        return self.ask("POST", path, urlencode({"csrfmiddlewaretoken": token[1]}), shown.cookie)


@dataclass
class Diary:
    """The results of all people, who write to it concurrently."""

    accepted: list[Ticket] = field(default_factory=list)
    moved_at: list[float] = field(default_factory=list)  # by time.monotonic()
    shown: list[float] = field(default_factory=list)  # seconds of each GET
    pressed: list[float] = field(default_factory=list)  # seconds of each POST
    visits: list[float] = field(default_factory=list)  # seconds of each POST with the page it redirects to
    troubles: list[str] = field(default_factory=list)
    pressed_before: list[Ticket] = field(default_factory=list)  # an earlier press counted, but its answer was lost
    overtaken: int = 0  # another player was faster


class Person:
    """A player who answers questions one after the other, each with one press."""

    def __init__(self, site: str, diary: Diary, chance: random.Random, *, patient: bool = False) -> None:
        self.browser = Browser(site)
        self.diary = diary
        self.chance = chance
        self.patient = patient  # retries until the site answers
        self.is_at_rest = True

    def answer(self, tickets: list[str]) -> list[str]:
        """Press one of the links. If the same seat is asked again at once, return the links of its next question."""
        self.is_at_rest = False
        try:
            while True:
                try:
                    return self.try_to_answer(tickets)
                except Trouble as trouble:
                    self.diary.troubles.append(str(trouble))
                    if not self.patient:
                        return []
                    time.sleep(0.3)
        finally:
            self.is_at_rest = True

    def try_to_answer(self, tickets: list[str]) -> list[str]:
        ready = [ticket for ticket in tickets if read_ticket(ticket).line]
        if not ready:
            ready = self.look_for_answers(tickets)
        if not ready:
            self.diary.overtaken += 1
            return []
        # Chosen by the ticket, so that a retry presses the same link.
        ticket = random.Random(zlib.crc32(tickets[0].encode())).choice(ready)
        came = time.perf_counter()
        shown = self.browser.get(f"/move/{ticket}/")
        self.diary.shown.append(time.perf_counter() - came)
        if shown.status != 200 or not TOKEN.search(shown.page):
            return self.note_refusal(ticket, shown)
        came = time.perf_counter()
        answer = self.browser.press(f"/move/{ticket}/", shown)
        self.diary.pressed.append(time.perf_counter() - came)
        if answer.status != SEE_OTHER:
            return self.note_refusal(ticket, answer)
        self.diary.accepted.append(read_ticket(ticket))
        self.diary.moved_at.append(time.monotonic())
        what_came = self.browser.get(answer.leads_to)
        self.diary.visits.append(time.perf_counter() - came)
        return find_answers(what_came.page) if YOUR_TURN_AGAIN in what_came.page else []

    def look_for_answers(self, tickets: list[str]) -> list[str]:
        """Return the links of the page with all moves, for a letter that prints none."""
        return find_answers(self.browser.get(f"/move/{tickets[0]}/").page)

    def note_refusal(self, ticket: str, answer: Answer) -> list[str]:
        title = TITLE.search(answer.page)
        if title and title[1].startswith(ALREADY_PLAYED):
            self.diary.pressed_before.append(read_ticket(ticket))
        elif answer.status in (200, 409, 410, 422):
            self.diary.overtaken += 1
        else:
            raise Trouble(f"{answer.status}: {title[1].strip() if title else 'no title'}")
        return []


def find_answers(page: str) -> list[str]:
    return [link for link in LINK.findall(page) if read_ticket(link).line]


class Crowd:
    """All players with letters to answer, a limited number of them at a time."""

    def __init__(self, site: str, letters: Path, *, hands: int = 12, patient: bool = False, seed: int = 1) -> None:
        self.bag = Mailbag(letters)
        self.diary = Diary()
        self.ready: list[list[str]] = []
        self.known: set[tuple[int, int, int]] = set()
        self.lock = threading.Lock()
        self.enough = threading.Event()
        self.allowed = threading.Semaphore(0)
        self.rate: float | None = None  # presses per second; None: no limit
        self.starved = 0
        self.people = [Person(site, self.diary, random.Random(seed + n), patient=patient) for n in range(hands)]
        tasks = [self.fetch, self.beat_time, *(lambda person=person: self.live(person) for person in self.people)]
        self.threads = [threading.Thread(target=task, daemon=True) for task in tasks]

    def __enter__(self) -> "Crowd":
        for thread in self.threads:
            thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.enough.set()
        for thread in self.threads:
            thread.join(2 * SECONDS_BEFORE_GIVING_UP)

    def fetch(self) -> None:
        """Open the letters that have arrived."""
        while not self.enough.is_set():
            for letter in self.bag.fresh():
                if tickets := find_links(letter):
                    self.offer(tickets)
            time.sleep(0.02)

    def offer(self, tickets: list[str], *, again: bool = False) -> None:
        """Queue a question once: a duplicate letter or a reminder asks nothing new."""
        first = read_ticket(tickets[0])
        question = (first.match, first.seat, first.question)
        with self.lock:
            if again or question not in self.known:  # on a page, the same question may continue
                self.known.add(question)
                self.ready.append(tickets)

    def beat_time(self) -> None:
        """Allow presses at the wanted rate."""
        due = time.perf_counter()
        while not self.enough.is_set():
            rate = self.rate
            if rate is None or rate <= 0:
                time.sleep(0.02)
                due = time.perf_counter()
                continue
            due += 1 / rate
            time.sleep(max(0.0, due - time.perf_counter()))
            self.allowed.release()

    def live(self, person: Person) -> None:
        while not self.enough.is_set():
            if self.rate is not None and not self.allowed.acquire(timeout=0.2):
                continue
            tickets = self.take()
            if tickets is None:
                self.starved += 1
                time.sleep(0.005)
            elif again := person.answer(tickets):
                self.offer(again, again=True)

    def take(self) -> list[str] | None:
        with self.lock:
            return self.ready.pop(0) if self.ready else None

    def slow_down(self, rate: float | None) -> None:
        self.rate = rate
        while self.allowed.acquire(blocking=False):
            pass
