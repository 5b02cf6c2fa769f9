"""Fixtures for benchmarks: a database of their own, matches of any length, moves ready to be made."""

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

from beanpost.play import clock, moves  # noqa: E402
from beanpost.play.display import scene  # noqa: E402
from beanpost.play.log import storage  # noqa: E402  # noqa: E402
from beanpost.play.models import Match, Note, Vault, Wait  # noqa: E402
from beanpost.play.tickets import MoveTicket, redeem, sign  # noqa: E402
from beanpost.play.timekeeping import sweep as sweeping  # noqa: E402
from beanpost.players.models import Player  # noqa: E402
from beanpost.post.compose.album import Album  # noqa: E402
from beanpost.post.compose.letter import compose  # noqa: E402
from beanpost.post.models import Body, Letter  # noqa: E402
from beanpost.post.outbox import claims, wake_up  # noqa: E402
from games.contract.seats import HOUSE  # noqa: E402
from games.haricot_magique.picture import Sketch  # noqa: E402
from games.haricot_magique.stalk import BASE, Element  # noqa: E402
from tests.copies import multiply  # noqa: E402
from tests.friends import seat_friends  # noqa: E402

NOW = datetime(2026, 11, 16, 12, tzinfo=UTC)


def name_database(folder: str, *, name: str = "bench") -> None:
    """Name a test database. For SQLite it is a file, as in production: senders are threads, which cannot share one
    in memory.
    """
    own = f"{folder}/{name}.sqlite3" if connection.vendor == "sqlite" else f"bench_{name}"
    connection.settings_dict["TEST"]["NAME"] = own


@contextmanager
def open_database() -> Iterator[None]:
    """Create the database without Django's test environment, which records every rendered template and costs time."""
    with override_settings(ALLOWED_HOSTS=["testserver"], EMAIL_BACKEND="django.core.mail.backends.locmem.EmailBackend"):
        name = connection.creation.create_test_db(verbosity=0, serialize=False)
        try:
            yield
        finally:
            connection.creation.destroy_test_db(name, verbosity=0)


def sweep(n: int) -> None:
    """Sweep the deadlines, as a periodic task does twice a minute."""
    sweeping.sweep(NOW + timedelta(seconds=30 * n))


def create_match_of_length(length: int) -> Match:
    """Return a match whose log has `length` lines, most of them pairs of pause and resume."""
    match = seat_friends(variant="basic", seats=5, secret=length.to_bytes(32, "big"), now=NOW)
    vault = Vault.objects.get(match=match)
    padding = [storage.NewLine(HOUSE, line, "house") for line in ("pause", "resume")] * (length // 2)
    storage.append(match, vault, padding[: length - match.length], storage.restore_table(match, vault), NOW)
    return match


def measure_cold_moves(match: Match) -> Iterator[float]:
    """Yield the seconds that each move takes in a process that has never loaded the match, until it ends."""
    while wait := Wait.objects.filter(match=match).first():
        began = time.perf_counter()
        moves.play(match.pk, wait.seat, "pass", origin="player", question=wait.opened, now=NOW)
        yield time.perf_counter() - began


def prepare_bare_inserts(count: int) -> list[Callable[[], object]]:
    """Return inserts of one row, each in a transaction of its own: the least a click could cost."""
    match = Match.objects.order_by("pk").first() or seat_friends(now=NOW)
    last = Note.objects.count()
    insert = partial(Note.objects.create, match=match, seat=0, text="bare", said_at=NOW)
    return [partial(insert, seq=10_000 + last + n) for n in range(count)]


def prepare_bare_checks(count: int) -> list[Callable[[], object]]:
    """Return checks of a signature with an insert: the least a move could cost."""
    match = Match.objects.order_by("pk").first() or seat_friends(now=NOW)
    text, last = sign(MoveTicket(match.pk, 0, 1, 2, "pass")), Note.objects.count()
    return [partial(check_and_insert, text, 20_000 + last + n) for n in range(count)]


def check_and_insert(text: str, seq: int) -> None:
    ticket = redeem(MoveTicket, text)
    Note.objects.create(match_id=ticket.match, seat=0, seq=seq, text="bare", said_at=NOW)


def prepare_whole_moves(count: int) -> list[Callable[[], object]]:
    """Return moves at `count` tables, from the ticket to the rows of move and letters, without rendering a page."""
    return [partial(redeem_and_move, link) for link in clear_table_cache(list_first_links(count))]


def prepare_shown_moves(count: int) -> list[Callable[[], object]]:
    """Return the same at tables that this process has just shown, which is the usual case before a click."""
    return [partial(redeem_and_move, link) for link in list_first_links(count)]


def redeem_and_move(text: str) -> None:
    ticket = redeem(MoveTicket, text)
    moves.play_ticket(ticket, ticket.line, now=NOW)


def prepare_posts(count: int) -> list[Callable[[], object]]:
    """Return clicks at `count` tables: the whole request, from the URL to the rows of move and letters."""
    client = Client()
    return [partial(press, client, reverse("move", args=[link])) for link in clear_table_cache(list_first_links(count))]


def prepare_letters(count: int, *kind: str, without_pictures: bool = False) -> list[Callable[[], object]]:
    """Return the composition of turn letters at `count` tables of a game and variant."""
    tables = open_tables(count, *kind)
    Player.objects.update(without_pictures=without_pictures)
    queued = Letter.objects.filter(kind="turn", match__in=tables).select_related("recipient", "match")
    return [partial(compose, letter, NOW) for letter in queued]


def prepare_stalks(count: int) -> list[Callable[[], object]]:
    """Return the drawing of stalks with a dozen levels, each another one: equal ones are drawn once."""
    towers = ([BASE, *(Element("die", 5 * (n % 3), face="trunk") for n in range(11))] for _ in range(count))
    leaning = ((*tower[:-1], Element("token", nth - count // 2, owner=0)) for nth, tower in enumerate(towers))
    return [partial(Album().add_drawing, "haricot_magique", "stalk", Sketch(stalk), "") for stalk in leaning]


def open_tables(count: int, *kind: str) -> list[Match]:
    """Open matches, each dated on a day of its own: invitations have a daily limit."""
    before = Match.objects.count()
    days = (NOW + timedelta(days=before + n) for n in range(1, count + 1))
    tables = [seat_friends(*kind, secret=day.toordinal().to_bytes(32, "big"), now=day) for day in days]
    analyze_tables()
    return tables


def analyze_tables() -> None:
    """Analyze the tables, as PostgreSQL's autovacuum does within a minute in production: without statistics it scans
    whole tables. SQLite never analyzes by itself.
    """
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute("ANALYZE")


def list_first_links(count: int) -> list[str]:
    """Return a move link at each of `count` tables, which this process has loaded."""
    waits = [Wait.objects.get(match=match) for match in open_tables(count)]
    return [
        question.options[0].ticket for wait in waits if (question := scene.build_scene(wait.match, wait.seat).question)
    ]


def clear_table_cache(links: list[str]) -> list[str]:
    """Return the links after clearing the cache of tables."""
    storage.recall_table.cache_clear()
    return links


def press(client: Client, address: str) -> None:
    answer = client.post(address)
    assert answer.status_code == 303, answer.status_code


# ── sending letters ──


def create_letters(tables: int, each: int) -> int:
    """Create `each` turn letters at each of `tables` tables, all about the open question there, and return the total.

    The tables alternate, so that letters sent together belong to different tables.
    """
    open_tables(tables)
    first = list(Letter.objects.filter(kind="turn"))
    for copy in range(1, each):
        for letter in first:
            multiply(letter, 1, key=f"\"key\" || '/{copy}'")
    return tables * each


def mark_unwritten() -> None:
    """Make every turn letter due, and not composed yet."""
    Body.objects.all().delete()
    reset_letters(state=Letter.State.QUEUED)


def mark_unsent() -> None:
    """Make every turn letter due, already composed."""
    reset_letters(state=Letter.State.RETRY)


def reset_letters(**again: object) -> None:
    Letter.objects.exclude(kind="turn").update(state=Letter.State.DROPPED)
    Letter.objects.filter(kind="turn").update(due_at=clock.now(), attempts=0, sent_at=None, **again)


def send_all() -> None:
    """Send all due letters, from waking up the worker until the last one is marked as sent."""
    wake_up.SENDERS.call()
    while claims.find_due(clock.now() + claims.LEASE).exists():  # letters in flight count, too
        time.sleep(0.05)  # with SQLite, polling takes time from the process that sends


def are_all_sent() -> bool:
    """Return whether every turn letter was sent, and none dropped or given up."""
    return not Letter.objects.filter(kind="turn").exclude(state=Letter.State.SENT).exists()


def list_sources() -> list[bytes]:
    return [body.source.replace(b"\n", b"\r\n") for body in Body.objects.all()]
