"""A pooler such as PgBouncer gives each transaction another connection, so nothing may stay behind on the server."""

import os
import shutil
import subprocess
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress

import pytest
from django.db import connection, connections

from beanpost.play import moves
from beanpost.play.errors import Unplayed
from beanpost.play.log import audit
from beanpost.play.models import Event, Match
from tests.friends import NOON, seat_friends
from tests.pages.table import move_link
from tools.proof.programs import free_port, listens

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
        moves.play(match.pk, wait.seat, "pass", origin="player", question=wait.opened, now=NOON)
        match = Match.objects.get(pk=match.pk)
    assert left_at_the_server() == []


def test_reading_many_rows_leaves_no_cursor_open():
    seat_friends()
    rows = Match.objects.iterator(chunk_size=1)
    next(rows)
    assert left_at_the_server() == []


# ── a real one ──

TABLES, TURNS, AT_ONCE = 5, 12, 2  # each table is played by two at once, who press the same button
CONNECTIONS = 3  # at the server, for ten players: each transaction gets whichever is free


@pytest.fixture
def pooler(tmp_path) -> Iterator[dict[str, str]]:
    """PgBouncer in transaction mode before the tests' server: what a connection needs to go through it."""
    if not shutil.which("pgbouncer"):
        pytest.skip("there is no pgbouncer on this machine")
    server, port = connection.get_connection_params(), free_port()
    target = " ".join(f"{name}={server[name]}" for name in ("host", "port", "user", "password") if server.get(name))
    (tmp_path / "pgbouncer.ini").write_text(f"""\
[databases]
* = {target}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = {port}
unix_socket_dir =
auth_type = any
pool_mode = transaction
default_pool_size = {CONNECTIONS}
server_round_robin = 1
""")
    as_nobody = ["-u", "nobody"] if os.geteuid() == 0 else []  # it refuses to run as root
    command = ["pgbouncer", "-q", *as_nobody, str(tmp_path / "pgbouncer.ini")]
    with subprocess.Popen(command, stderr=subprocess.DEVNULL) as program:
        try:
            for _ in range(200):
                if listens(port) or program.poll() is not None:
                    break
                time.sleep(0.05)
            assert listens(port), "PgBouncer did not start."
            yield {"HOST": "127.0.0.1", "PORT": str(port)}
        finally:
            program.terminate()


def play_through(pooler: dict[str, str], match_id: int) -> tuple[list[int], set[int]]:
    """Play some turns through the pooler, in a thread: the lines of the moves made, the server's processes we met."""
    direct = connections["default"]
    pooled = direct.copy()
    left_out = ("host", "port", "options")  # a pooler takes no options: DATABASE_BEHIND_POOLER leaves them out
    options = {name: value for name, value in pooled.settings_dict["OPTIONS"].items() if name not in left_out}
    pooled.settings_dict |= {**pooler, "OPTIONS": options}
    connections["default"] = pooled
    made, met = [], set()
    try:
        while (match := Match.objects.get(pk=match_id)).length < TURNS:
            if wait := match.waits.first():  # none between two statements of ours, if the other has just moved
                with suppress(Unplayed):  # the other was faster
                    result = moves.play(match_id, wait.seat, "pass", origin="player", question=wait.opened, now=NOON)
                    made.append(result.events[0].seq)
            met.add(server_process())
    finally:
        pooled.close()
        connections["default"] = direct
        direct.close()
    return made, met


def server_process() -> int:
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_backend_pid()")
        return cursor.fetchone()[0]


@pytest.mark.django_db(transaction=True)
def test_no_move_is_lost_behind_a_pooler_that_hands_each_transaction_another_connection(pooler):
    matches = [seat_friends(variant="basic") for _ in range(TABLES)]
    with ThreadPoolExecutor(TABLES * AT_ONCE) as players:
        each = [match.pk for match in matches for _ in range(AT_ONCE)]
        made = list(zip(each, players.map(lambda pk: play_through(pooler, pk), each), strict=True))
    assert max(len(met) for _pk, (_lines, met) in made) > 1  # else the pooler has handed out no other connection
    for match in Match.objects.filter(pk__in=each):
        played = sorted(seq for pk, (lines, _met) in made if pk == match.pk for seq in lines)
        kept = Event.objects.filter(match=match, origin="player").order_by("seq").values_list("seq", flat=True)
        assert played == list(kept)
        assert match.length >= TURNS
        assert list(audit.find_differences(match)) == []
