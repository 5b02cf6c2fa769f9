"""Every query of a move, a sweep, a letter and the busiest pages can use an index.

With sequential scans disabled, PostgreSQL still scans a whole table where no index helps. Such a plan fails here, so
one row in each table is enough to tell what would happen with millions. An index that is read from end to end is no
help either: the last tests count the rows that a list or a sweep looks at.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import timedelta
from typing import Any

import pytest
from django.contrib.auth import get_user_model
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from beanpost.leagues import organiser_accounts
from beanpost.leagues.models import Fixture, League
from beanpost.play.display import scene
from beanpost.play.models import Match
from beanpost.play.timekeeping import sweep as sweeping
from beanpost.play.timekeeping import timeouts
from beanpost.post.outbox import claims, retention
from tests.copies import multiply
from tests.friends import NOON, seat_friends
from tests.leagues.office import season_after_one_round
from tests.post.gallery import deliver
from tests.site.doors import office, page, signed_in

pytestmark = [
    pytest.mark.django_db,
    pytest.mark.skipif(connection.vendor != "postgresql", reason="SQLite explains its plans in another way"),
]

LARGE = {
    *("play_match", "play_vault", "play_place", "play_wait", "play_event", "play_order", "play_note"),
    *("post_letter", "post_body", "post_reply", "post_report", "players_player"),
}
SCAN = re.compile(r"Seq Scan on (\w+)")
WHOLE_TABLE = ("enable_seqscan", "enable_hashjoin", "enable_mergejoin")  # ways to run a query
MATCHES, FEW = 2_000, 100
READS = ("SELECT", "UPDATE", "DELETE")


@pytest.fixture
def match():
    return seat_friends()


def scanned(queries: CaptureQueriesContext) -> dict[str, set[str]]:
    """Return the queries that scan a large table, each with its tables."""
    statements = {query["sql"] for query in queries if query["sql"].startswith(READS)}
    found = {}
    with connection.cursor() as cursor:
        cursor.execute("SET LOCAL enable_seqscan = off")
        for sql in statements:
            cursor.execute("EXPLAIN " + sql.replace("%", "%%"), [])
            plan = "\n".join(row[0] for row in cursor.fetchall())
            if tables := set(SCAN.findall(plan)) & LARGE:
                found[sql] = tables
        cursor.execute("SET LOCAL enable_seqscan = on")
    return found


def a_move(match):
    shown = scene.build_scene(match, match.waits.get().seat)
    client = Client()
    assert client.post(reverse("move", args=[shown.question.options[0].ticket])).status_code == 303


def a_time_out(match):
    assert timeouts.time_out_all(NOON + timedelta(days=2)) == 1


def a_sweep(match):
    sweeping.sweep(NOON + timedelta(minutes=1))


def letters(match):
    deliver()


def claiming(match):
    claims.claim(NOON, 20)


def erasing_bytes(match):
    deliver()
    retention.erase_bytes(NOON + timedelta(days=30))


def pages_for_anybody(match):
    for name in ("match", "replay", "verify", "pulse", "export"):
        page(Client(), name, match.code)
    page(Client(), "home")


def my_games(match):
    page(signed_in(match.keeper), "my-games")


def lists_of_the_office(match):
    office(match)


@pytest.mark.parametrize(
    "work",
    [a_move, a_time_out, a_sweep, letters, claiming, erasing_bytes, pages_for_anybody, my_games, lists_of_the_office],
)
def test_no_query_scans_a_large_table(match, work):
    with CaptureQueriesContext(connection) as queries:
        work(match)
    assert len(queries) > 0
    assert scanned(queries) == {}


@pytest.mark.parametrize("is_known", [True, False])
def test_the_list_of_letters_reads_few_rows_among_many(match, client, is_known):
    host = get_user_model().objects.create_superuser("host")
    if is_known:
        organiser_accounts.record_no(host, now=NOON)  # they don't play here
    multiply(match.letters.first(), MATCHES, key="'copy-' || n")
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE")
    client.force_login(host, backend="django.contrib.auth.backends.ModelBackend")
    with CaptureQueriesContext(connection) as queries:
        page(client, "admin:post_letter_changelist")
    [listed] = [query["sql"] for query in queries if 'FROM "post_letter"' in query["sql"]]
    # PostgreSQL may look up the recipient of each letter by comparing the match's three players.
    assert rows_read(listed) <= 3 * FEW


def test_erasing_and_pruning_read_few_rows_among_many_that_are_erased(match):
    """A year of letters lies before the next one that is due."""
    deliver()
    month, year = NOON + timedelta(days=40), NOON + timedelta(days=400)
    Match.objects.filter(pk=match.pk).update(ended_at=NOON, phase=Match.Phase.ENDED)
    match.refresh_from_db()
    letter = match.letters.first()
    for kept in (Match.ENVELOPES, Match.NOTHING):
        multiply(
            match, MATCHES, code=f"'{kept}-copy-' || n", letters_kept=str(kept), ended_at="ended_at - interval '9 days'"
        )
    multiply(letter, MATCHES, match=f"{match.pk} + n", key="'copy-' || n", is_erased="true")
    multiply(letter, MATCHES, match="NULL", key="'alone-' || n", is_erased="true")
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE")
    for work, now in ((retention.erase_contents, month), (retention.find_oldest_text, month), (retention.prune, month)):
        with CaptureQueriesContext(connection) as queries:
            work(now)
        asked = [query["sql"] for query in queries if query["sql"].startswith("SELECT")]
        assert asked
        assert {sql: rows for sql in asked if (rows := rows_read(sql)) > FEW} == {}
    assert match.letters.filter(is_erased=False).count() == 0
    Match.objects.filter(code__startswith="1-copy-").update(letters_kept=Match.NOTHING)
    assert retention.prune(year) > 1
    assert not match.letters.exists()


def test_a_sweep_with_nothing_due_reads_few_rows_among_many_matches(match):
    wait = match.waits.get()
    multiply(match, MATCHES, code="'copy-' || n")
    multiply(wait, MATCHES, match=f"{match.pk} + n", due_at="due_at + interval '9 days'")
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE")
    sweeping.sweep(NOON + timedelta(minutes=1))  # the first one writes its heartbeat
    with CaptureQueriesContext(connection) as queries:
        sweeping.sweep(NOON + timedelta(minutes=2))
    read = {query["sql"]: rows_read(query["sql"]) for query in queries if query["sql"].startswith(READS)}
    assert len(read) > 5
    assert {sql: rows for sql, rows in read.items() if rows > FEW} == {}


def test_the_api_finds_a_matchs_table_among_many_of_private_leagues():
    season_after_one_round()
    League.objects.update(visibility=League.Visibility.MEMBERS)
    match = seat_friends()
    multiply(match, MATCHES, code="'copy-' || n", watchable="false")
    multiply(Fixture.objects.first(), MATCHES, table="100 + n", match=f"{match.pk} + n")
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE")
    with CaptureQueriesContext(connection) as queries:
        page(Client(), "api-match", match.code)
    [asked] = [query["sql"] for query in queries if "leagues_fixture" in query["sql"]]
    assert rows_read(asked) <= FEW


def rows_read(sql: str) -> int:
    """Run a query again, and return how many rows its largest step has looked at.

    With few rows PostgreSQL may prefer to scan or hash whole tables, depending on what earlier tests have left in their
    pages. Here it does so only where no index helps, as it would with millions.
    """
    with connection.cursor() as cursor:
        for way in WHOLE_TABLE:
            cursor.execute(f"SET LOCAL {way} = off")
        cursor.execute("EXPLAIN (ANALYZE, FORMAT JSON) " + sql.replace("%", "%%"), [])
        [[[explained]]] = cursor.fetchall()
        for way in WHOLE_TABLE:
            cursor.execute(f"SET LOCAL {way} = on")
    return max(map(looked_at, steps(explained["Plan"])))


def steps(plan: dict[str, Any]) -> Iterator[dict[str, Any]]:
    yield plan
    for part in plan.get("Plans", ()):
        yield from steps(part)


def looked_at(step: dict[str, Any]) -> int:
    rows = step["Actual Rows"] + step.get("Rows Removed by Filter", 0) + step.get("Rows Removed by Join Filter", 0)
    return int(rows * step["Actual Loops"])
