"""What is written waits on a sheet, and nobody notices: all of it is there when somebody looks, or none of it."""

from contextlib import suppress
from itertools import count

import pytest
from django.db import IntegrityError, connection, transaction
from django.db.transaction import TransactionManagementError
from psycopg.pq import TransactionStatus

from beanpost.play import history, pipeline, speech
from beanpost.play.models import Match, Note, Wait
from tests.friends import NOON, seat_friends

pytestmark = pytest.mark.django_db
for_good = pytest.mark.django_db(transaction=True)  # a transaction around the test would never end
on_postgresql = pytest.mark.skipif(connection.vendor != "postgresql", reason="SQLite hears one after the other")


NUMBERS = count(1)


@pytest.fixture
def match() -> Match:
    return seat_friends()


def write(match: int, text: str) -> None:
    history.insert([Note(match_id=match, seat=0, seq=next(NUMBERS), text=text, said_at=NOON)])


def written() -> list[str]:
    return list(Note.objects.values_list("text", flat=True))


@pytest.fixture
def goes(monkeypatch: pytest.MonkeyPatch) -> list[list[str]]:
    """The first words of all that PostgreSQL is told, go by go."""
    told: list[list[str]] = []
    exchanged = pipeline.exchanged

    def overheard(database, sentences, *names):
        told.append([words.split()[0] for words, _ in sentences])
        return exchanged(database, sentences, *names)

    monkeypatch.setattr(pipeline, "exchanged", overheard)
    return told


def test_what_is_written_in_one_go_comes_in_order(match):
    wait = match.waits.get()
    anew = Wait(match=match, seat=wait.seat, about="the same seat", opened=9, asked_at=NOON, since=NOON)
    with speech.in_one_go():
        history.turn_page([wait], [])
        history.insert([anew])
    assert match.waits.get(seat=wait.seat).about == "the same seat"


def test_whoever_looks_sees_what_was_written_before(match):
    with speech.in_one_go():
        write(match.pk, "one")
        assert written() == ["one"]
        write(match.pk, "two")
        assert speech.fetched(("SELECT text FROM play_note ORDER BY id", [])) == [[("one",), ("two",)]]
        write(match.pk, "three")
        assert speech.changed(("UPDATE play_note SET text = %s WHERE text = %s", ["four", "three"])) == [1]
    assert written() == ["one", "two", "four"]


def test_what_is_undone_within_is_undone_alone(match):
    with speech.transaction():
        write(match.pk, "kept")
        with suppress(ZeroDivisionError), transaction.atomic():
            write(match.pk, "undone")
            raise ZeroDivisionError
        write(match.pk, "kept, too")
    assert written() == ["kept", "kept, too"]


def test_of_what_breaks_off_nothing_is_written(match):
    with suppress(ZeroDivisionError), speech.in_one_go():
        write(match.pk, "lost")
        raise ZeroDivisionError
    write(match.pk, "at once")
    assert written() == ["at once"]


@for_good
def test_of_a_transaction_that_breaks_off_nothing_stays(match):
    with suppress(ZeroDivisionError), speech.transaction():
        write(match.pk, "lost")
        assert written() == ["lost"]
        write(match.pk, "lost as well")
        raise ZeroDivisionError
    assert written() == []


@for_good
@on_postgresql
def test_a_transaction_ends_with_what_was_written_last(match, goes):
    with speech.transaction():
        write(match.pk, "one")
        written()
        write(match.pk, "two")
        write(match.pk, "three")
    assert goes == [["INSERT"], ["INSERT", "INSERT", "COMMIT"]]
    assert connection.connection.pgconn.transaction_status == TransactionStatus.IDLE
    connection.close()
    assert written() == ["one", "two", "three"]


@for_good
def test_what_a_transaction_has_kept_does_not_wait_for_a_longer_go(match):
    with suppress(ZeroDivisionError), speech.in_one_go():
        with speech.transaction():
            write(match.pk, "kept")
        raise ZeroDivisionError
    assert written() == ["kept"]


@for_good
@on_postgresql
def test_one_within_another_does_not_end_it(match, goes):
    with suppress(ZeroDivisionError), transaction.atomic():
        with speech.transaction():
            write(match.pk, "lost")
        raise ZeroDivisionError
    assert goes == [["INSERT"]]
    assert written() == []


@for_good
def test_what_is_refused_at_the_very_end_is_an_error_and_undoes_all(match):
    """Whether there is such a match is looked at when all is written."""
    rung: list[int] = []

    @speech.transaction()
    def write_and_ring(*tables: int) -> None:
        transaction.on_commit(lambda: rung.extend(tables))
        for table in tables:
            write(table, "a note")

    with pytest.raises(IntegrityError):
        write_and_ring(match.pk, 99_999)
    assert (written(), rung) == ([], [])
    write_and_ring(match.pk)
    assert (written(), rung) == (["a note"], [match.pk])


@for_good
def test_what_is_refused_undoes_all_even_where_somebody_else_makes_nothing_of_it(match):
    """Who asks next hears of it, and may take it for an answer to their own question."""
    rung: list[str] = []

    def write_ring_and_look() -> None:
        transaction.on_commit(lambda: rung.append("a bell"))
        write(match.pk, "before")
        history.insert([Note(match_id=match.pk, seat=0, seq=0, text=text, said_at=NOON) for text in ("one", "two")])
        write(match.pk, "after")
        with suppress(IntegrityError), transaction.atomic():
            written()

    with pytest.raises(TransactionManagementError), speech.transaction():
        write_ring_and_look()
    with suppress(TransactionManagementError), transaction.atomic(), speech.in_one_go():
        write_ring_and_look()
    assert (written(), rung) == ([], [])
