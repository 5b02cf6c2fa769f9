"""PostgreSQL spoken to directly: it hears what the ORM would tell it, and says what the ORM would hear."""

from datetime import UTC, datetime, timedelta

import psycopg
import pytest
from django.db import DataError, IntegrityError, OperationalError, close_old_connections, connection, transaction
from psycopg.pq import ConnStatus, ExecStatus, PipelineStatus, TransactionStatus

from beanpost.play import pipeline, speech
from beanpost.play.models import Event, Match, Note
from tests.friends import NOON, seat_friends

pytestmark = [
    pytest.mark.django_db,
    pytest.mark.skipif(connection.vendor != "postgresql", reason="SQLite is told each sentence by its own cursor"),
]


@pytest.mark.parametrize(
    ("kind", "value"),
    [
        ("bigint", -(2**40)),
        ("boolean", True),
        ("boolean", False),
        ("text", "“100 %” \\ 'haricots' \t\n🫘"),
        ("text", ""),
        ("text", None),
        ("text", Event.Origin.PLAYER),
        ("bytea", b"\x00\xff\\x"),
        ("bytea", b""),
        ("interval", timedelta(days=-3, seconds=5, microseconds=7)),
        ("timestamptz", datetime(2026, 11, 16, 12, 0, 0, 123456, tzinfo=UTC)),
        ("date", NOON.date()),
        ("bigint[]", [1, 2, 3]),
    ],
)
def test_every_kind_of_value_comes_back_as_it_went(kind, value):
    question = (f"SELECT %s::{kind}", [value])
    assert speech.fetched(question) == [[(value,)]]
    with connection.cursor() as cursor:
        cursor.execute(*question)
        assert cursor.fetchone() == (value,)


def test_a_text_with_an_end_in_its_middle_is_refused():
    with pytest.raises(DataError):
        speech.fetched(("SELECT %s::text", ["play 7\0S"]))
    assert speech.fetched(("SELECT 1", [])) == [[(1,)]]


def test_a_percent_sign_is_one():
    assert speech.fetched(("SELECT 'a%%' || %s", ["b"])) == [[("a%b",)]]


def test_each_answer_belongs_to_its_sentence():
    match = seat_friends()
    number = "SELECT %s::int"
    assert speech.fetched((number, [1]), ("SELECT 2", []), (number, [3])) == [[(1,)], [(2,)], [(3,)]]
    change = "UPDATE play_place SET misses = %s WHERE match_id = %s AND seat = %s"
    assert speech.changed((change, [1, match.pk, 0]), (change, [1, match.pk, 9])) == [1, 0]


def test_what_goes_wrong_is_said_as_django_says_it_and_the_rest_is_not_done():
    match = seat_friends()
    note = "INSERT INTO play_note (match_id, seat, seq, text, said_at) VALUES (%s, 0, 1, %s, %s)"
    with pytest.raises(IntegrityError, match="one_note_per_move"), transaction.atomic():
        speech.changed(*[(note, [match.pk, text, NOON]) for text in ("once", "twice", "thrice")])
    assert not Note.objects.exists()
    assert connection.connection.pgconn.pipeline_status == PipelineStatus.OFF
    assert Match.objects.get() == match


def test_more_than_fits_into_the_line_at_once_goes_through():
    words = "haricots " * 100_000
    answers = speech.fetched(*[("SELECT %s::text", [words + str(n)]) for n in range(10)])
    assert answers == [[(words + str(n),)] for n in range(10)]


@pytest.mark.django_db(transaction=True)
def test_a_transaction_begins_with_the_first_sentence_and_ends_with_it():
    connection.ensure_connection()
    wire = connection.connection.pgconn
    with transaction.atomic():
        assert wire.transaction_status == TransactionStatus.IDLE
        speech.fetched(("SELECT 1", []))
        assert wire.transaction_status == TransactionStatus.INTRANS
    assert wire.transaction_status == TransactionStatus.IDLE
    speech.fetched(("SELECT 1", []))
    assert wire.transaction_status == TransactionStatus.IDLE


def end_server():
    """As it ends when PostgreSQL is started anew."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_backend_pid()")
        (server,) = cursor.fetchone()
    other = connection.copy()
    with other.cursor() as cursor:
        cursor.execute("SELECT pg_terminate_backend(%s, 5000)", [server])
    other.close()


@pytest.mark.django_db(transaction=True)
def test_a_connection_that_broke_is_not_used_again():
    end_server()
    with pytest.raises(OperationalError):
        speech.fetched(("SELECT 1", []))
    assert speech.fetched(("SELECT 1", [])) == [[(1,)]]


@pytest.mark.django_db(transaction=True)
def test_one_that_broke_since_the_last_request_is_not_even_noticed():
    end_server()
    close_old_connections()  # as when a request begins: whether they are well is asked with the first sentence
    assert speech.fetched(("SELECT 1", [])) == [[(1,)]]


@pytest.mark.django_db(transaction=True)
def test_who_is_interrupted_leaves_no_answers_behind(monkeypatch):
    """They would be taken for the answers to what is asked next."""

    def interrupted(wire):
        raise KeyboardInterrupt
        yield

    with monkeypatch.context() as patched:
        patched.setattr(pipeline, "hearing", interrupted)
        with pytest.raises(KeyboardInterrupt):
            speech.fetched(("SELECT 1", []))
    assert speech.fetched(("SELECT 2", [])) == [[(2,)]]


class HungUp:
    """A wire on which something came that made no sense: libpq says so once, and nothing more."""

    status = ConnStatus.BAD

    def __init__(self):
        self.answers = iter([connection.connection.pgconn.make_empty_result(ExecStatus.FATAL_ERROR), None])

    def flush(self):
        return 0

    def is_busy(self):
        return False

    def get_result(self):
        return next(self.answers)

    def get_error_message(self):
        return "lost synchronization with server"


def test_who_has_hung_up_is_not_listened_to_for_ever():
    connection.ensure_connection()
    with pytest.raises(psycopg.OperationalError, match="lost synchronization"):
        list(pipeline.hearing(HungUp()))
