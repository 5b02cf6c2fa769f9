"""A house to measure in: a database of its own, matches of any length, clicks ready to be made."""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from functools import partial

import django

django.setup()

from django.db import connection  # noqa: E402
from django.test import Client  # noqa: E402
from django.test.utils import override_settings  # noqa: E402
from django.urls import reverse  # noqa: E402

from beanpost.play import clock, history, moves, scene, sweeping  # noqa: E402
from beanpost.play.models import Match, Note, Vault, Wait  # noqa: E402
from beanpost.play.tickets import MoveTicket, redeem, sign  # noqa: E402
from beanpost.post import outbox  # noqa: E402
from beanpost.post.letters import compose  # noqa: E402
from beanpost.post.models import Body, Letter  # noqa: E402
from games.chairs import HOUSE  # noqa: E402
from tests.copies import multiply  # noqa: E402
from tests.friends import seat_friends  # noqa: E402

NOW = datetime(2026, 11, 16, 12, tzinfo=UTC)


def keep_in(folder: str, *, name: str = "house") -> None:
    """A database of its own. SQLite's is a file, as a host has it; in memory it would not do for senders, which are
    threads.
    """
    own = f"{folder}/{name}.sqlite3" if connection.vendor == "sqlite" else f"bench_{name}"
    connection.settings_dict["TEST"]["NAME"] = own


@contextmanager
def opened() -> Iterator[None]:
    """Without the whole environment of tests, in which each template tells what it was filled with: that costs time."""
    with override_settings(ALLOWED_HOSTS=["testserver"], EMAIL_BACKEND="django.core.mail.backends.locmem.EmailBackend"):
        name = connection.creation.create_test_db(verbosity=0, serialize=False)
        try:
            yield
        finally:
            connection.creation.destroy_test_db(name, verbosity=0)


def sweep(n: int) -> None:
    """The clock is looked at, as it is twice a minute."""
    sweeping.sweep(NOW + timedelta(seconds=30 * n))


def match_of_length(length: int) -> Match:
    """A match whose log has so many lines, most of them pauses that never lasted."""
    match = seat_friends(variant="basic", seats=5, secret=length.to_bytes(32, "big"), now=NOW)
    vault = Vault.objects.get(match=match)
    padding = [history.Said(HOUSE, line, "house") for line in ("pause", "resume")] * (length // 2)
    history.append(match, vault, padding[: length - match.length], history.table(match, vault), NOW)
    return match


def cold_moves(match: Match) -> Iterator[float]:
    """What each move takes, in seconds, as in a process that has never seen the match; until it ends."""
    while wait := Wait.objects.filter(match=match).first():
        began = time.perf_counter()
        moves.make(match.pk, wait.seat, "pass", origin="player", question=wait.opened, now=NOW)
        yield time.perf_counter() - began


def bare_inserts(count: int) -> list[Callable[[], object]]:
    """The least that could be done for a click: one row, in a transaction of its own."""
    match = Match.objects.order_by("pk").first() or seat_friends(now=NOW)
    last = Note.objects.count()
    insert = partial(Note.objects.create, match=match, seat=0, text="bare", said_at=NOW)
    return [partial(insert, seq=10_000 + last + n) for n in range(count)]


def bare_checks(count: int) -> list[Callable[[], object]]:
    """What could not be left out of any move: a signature checked, a row inserted."""
    match = Match.objects.order_by("pk").first() or seat_friends(now=NOW)
    text, last = sign(MoveTicket(match.pk, 0, 1, 2, "pass")), Note.objects.count()
    return [partial(check_and_insert, text, 20_000 + last + n) for n in range(count)]


def check_and_insert(text: str, seq: int) -> None:
    ticket = redeem(MoveTicket, text)
    Note.objects.create(match_id=ticket.match, seat=0, seq=seq, text="bare", said_at=NOW)


def whole_moves(count: int) -> list[Callable[[], object]]:
    """Moves at as many tables: from the ticket to the rows of move and letters, without a page around it."""
    return [partial(redeem_and_move, link) for link in unseen(first_links(count))]


def moves_just_shown(count: int) -> list[Callable[[], object]]:
    """The same at tables that the process has just shown, as it mostly has to whoever presses."""
    return [partial(redeem_and_move, link) for link in first_links(count)]


def redeem_and_move(text: str) -> None:
    ticket = redeem(MoveTicket, text)
    moves.by_ticket(ticket, ticket.line, now=NOW)


def posts(count: int) -> list[Callable[[], object]]:
    """Clicks at as many tables: the whole way, from the address to the rows of move and letters."""
    client = Client()
    return [partial(press, client, reverse("move", args=[link])) for link in unseen(first_links(count))]


def letters(count: int) -> list[Callable[[], object]]:
    """Turn letters of as many tables, ready to be written."""
    tables = fresh_tables(count)
    queued = Letter.objects.filter(kind="turn", match__in=tables).select_related("recipient", "match")
    return [partial(compose, letter, NOW) for letter in queued]


def fresh_tables(count: int) -> list[Match]:
    """Matches that have just begun, each on a day of its own: nobody may invite without end."""
    before = Match.objects.count()
    days = (NOW + timedelta(days=before + n) for n in range(1, count + 1))
    tables = [seat_friends(secret=day.toordinal().to_bytes(32, "big"), now=day) for day in days]
    look_around()
    return tables


def look_around() -> None:
    """PostgreSQL, as a part of its own housekeeping, has done so once a house has stood for a minute: as long as it
    does not know how large its tables are, it reads them all. SQLite never does.
    """
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute("ANALYZE")


def first_links(count: int) -> list[str]:
    """A link to press at each of as many tables, which this process has looked at."""
    waits = [Wait.objects.get(match=match) for match in fresh_tables(count)]
    return [scene.of(wait.match, wait.seat).options[0].ticket for wait in waits]


def unseen(links: list[str]) -> list[str]:
    """The same, in a process that remembers none of their tables."""
    history.recalled.cache_clear()
    return links


def press(client: Client, address: str) -> None:
    answer = client.post(address)
    assert answer.status_code == 303, answer.status_code


# ── letters on their way ──


def many_letters(tables: int, each: int) -> int:
    """So many turn letters at each of some tables, all about the question that is open there; how many in all.

    Copied table by table and then from the beginning, so that those on their way together are of different tables.
    """
    fresh_tables(tables)
    first = list(Letter.objects.filter(kind="turn"))
    for copy in range(1, each):
        for letter in first:
            multiply(letter, 1, key=f"\"key\" || '/{copy}'")
    return tables * each


def to_be_written() -> None:
    """Every turn letter is due, and not written yet."""
    Body.objects.all().delete()
    put_back(state=Letter.State.QUEUED)


def to_be_sent_again() -> None:
    """Every turn letter is due, as it was written."""
    put_back(state=Letter.State.RETRY)


def put_back(**again: object) -> None:
    Letter.objects.exclude(kind="turn").update(state=Letter.State.DROPPED)
    Letter.objects.filter(kind="turn").update(due_at=clock.now(), attempts=0, sent_at=None, **again)


def send_all() -> None:
    """All that is due, from the call for the worker until the last letter is marked as sent."""
    outbox.SENDERS.call()
    while outbox.due(clock.now() + outbox.LEASE).exists():  # what is being sent counts, too
        time.sleep(0.05)  # to look takes from the one process of SQLite what it would do meanwhile


def all_went() -> bool:
    """Whether no turn letter was dropped or given up on the way."""
    return not Letter.objects.filter(kind="turn").exclude(state=Letter.State.SENT).exists()


def sources() -> list[bytes]:
    return [body.source.replace(b"\n", b"\r\n") for body in Body.objects.all()]
