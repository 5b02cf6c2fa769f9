"""A pooler such as PgBouncer gives each transaction another connection, so nothing may stay behind on the server."""

import pytest
from django.db import connection

from beanpost.play import moves
from beanpost.play.models import Match
from tests.friends import NOON, seat_friends
from tests.pages.table import move_link

pytestmark = [
    pytest.mark.django_db,
    pytest.mark.skipif(connection.vendor != "postgresql", reason="there is no pooler in front of SQLite"),
]


def left_at_the_server() -> list[str]:
    with connection.cursor() as cursor:
        cursor.execute("SELECT name FROM pg_prepared_statements UNION SELECT name FROM pg_cursors WHERE name <> ''")
        return [name for (name,) in cursor.fetchall()]


def test_moves_and_pages_prepare_no_statements(client):
    match = seat_friends(variant="basic")
    for _ in range(8):  # by default psycopg prepares a statement after five executions
        wait = match.waits.get()
        assert client.get(move_link(match)).status_code == 200
        moves.make(match.pk, wait.seat, "pass", origin="player", question=wait.opened, now=NOON)
        match = Match.objects.get(pk=match.pk)
    assert left_at_the_server() == []


def test_reading_many_rows_leaves_no_cursor_open():
    seat_friends()
    rows = Match.objects.iterator(chunk_size=1)
    next(rows)
    assert left_at_the_server() == []
