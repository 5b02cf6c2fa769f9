"""A move's rows, read and written beside the ORM: the same as with it, in few statements."""

from contextlib import suppress
from weakref import WeakKeyDictionary

import pytest
from django.db import DatabaseError, IntegrityError, connection, transaction
from django.db.models import Model, QuerySet
from django.db.transaction import TransactionManagementError

from beanpost.play import history, house, moves, orders, pipeline, speech
from beanpost.play.models import Event, Match, Place, Vault, Wait
from beanpost.play.rows import fresh
from beanpost.post.models import Letter
from tests.friends import NOON, seat_friends
from tests.pages.table import press

pytestmark = pytest.mark.django_db


def values(row: Model) -> dict[str, object]:
    return {field.attname: getattr(row, field.attname) for field in row._meta.concrete_fields}


@pytest.fixture
def match() -> Match:
    """One that is paused: every kind of column is filled."""
    match = seat_friends("haricots", "advanced")
    press(match, "play")
    with transaction.atomic():
        house.pause(moves.lock(match.pk), Event.Origin.ORGANISER, NOON)
    return match


def test_the_lock_gives_what_the_orm_gives(match):
    locked = history.lock(match.pk)
    assert values(locked) == values(Match.objects.get(pk=match.pk))
    assert values(locked.vault) == values(Vault.objects.get(pk=match.pk))


def test_the_seating_gives_what_the_orm_gives(match):
    seating = history.seating(match)
    places = Place.objects.filter(match=match).select_related("player")
    assert [values(place) for place in seating.places] == [values(place) for place in places]
    assert [values(place.player) for place in seating.places] == [values(place.player) for place in places]
    assert {seat: values(wait) for seat, wait in seating.waits.items()} == {
        wait.seat: values(wait) for wait in Wait.objects.filter(match=match)
    }


def test_a_place_is_found_for_its_occupant_alone(match):
    place = Place.objects.select_related("match", "player").get(match=match, seat=1)
    found = history.place(match.pk, 1, place.occupant)
    assert found is not None
    assert values(found) == values(place)
    assert (values(found.match), values(found.player)) == (values(place.match), values(place.player))
    assert history.place(match.pk, 1, place.occupant + 1) is None


def test_standing_orders_come_with_the_seating_the_last_one_first():
    match = seat_friends("haricots", "advanced")
    place = match.places.exclude(seat=match.waits.get().seat)[0]
    given = [orders.give(place, f"pass until someone plays below {limit}", now=NOON) for limit in (3, 4)]
    assert history.seating(match).orders == given[::-1]


def test_what_is_there_already_is_left_as_it_is():
    match = seat_friends()
    old = Letter.objects.filter(kind="turn").get()
    again = {name: value for name, value in values(old).items() if name != "id"}
    history.insert_new(Letter, **again | {"values": {"changed": True}})
    assert [values(letter) for letter in Letter.objects.filter(kind="turn", match=match)] == [values(old)]


def test_a_row_is_changed_only_where_it_is_as_we_know_it(match):
    wait = match.waits.first()
    wait.about = "changed"
    history.update(wait, "about", where=("opened", "seat"))
    assert Wait.objects.get(pk=wait.pk).about == "changed"
    wait.opened, wait.about = wait.opened + 1, "never"
    history.update(wait, "about", where=("opened", "seat"))
    assert Wait.objects.get(pk=wait.pk).about == "changed"


def test_there_is_no_match_to_lock_where_there_is_none():
    with pytest.raises(Match.DoesNotExist):
        history.lock(99)


@pytest.mark.django_db(transaction=True)
def test_nothing_is_locked_outside_a_transaction():
    match = seat_friends()
    with pytest.raises(AssertionError):
        history.lock(match.pk)


LOOKS, EVENT, OF_MATCH, PLACE, QUESTION, LETTER = 2, 1, 2, 1, 1, 1  # statements of a move


@pytest.mark.skipif(connection.vendor != "sqlite", reason="SQLite tells what it was asked")
def test_a_move_takes_few_statements():
    match = seat_friends()
    wait = match.waits.get()
    said: list[str] = []
    connection.connection.set_trace_callback(said.append)
    moves.make(match.pk, wait.seat, "pass", origin="player", question=wait.opened, now=NOON)
    connection.connection.set_trace_callback(None)
    savepoint = 2
    assert len(said) == savepoint + LOOKS + EVENT + OF_MATCH + PLACE + QUESTION + LETTER


@pytest.mark.skipif(connection.vendor != "postgresql", reason="SQLite hears one statement after the other")
@pytest.mark.django_db(transaction=True)
def test_postgresql_is_asked_in_one_go_and_told_in_one_go(monkeypatch, django_assert_num_queries):
    match = seat_friends()
    wait = match.waits.get()
    goes: list[int] = []
    exchanged = pipeline.exchanged
    monkeypatch.setattr(pipeline, "exchanged", lambda *said: goes.append(len(said[1])) or exchanged(*said))
    with django_assert_num_queries(2):  # where Django notes that it begins and ends, and nothing beside these goes
        moves.make(match.pk, wait.seat, "pass", origin="player", question=wait.opened, now=NOON)
    commit = 1
    assert goes == [LOOKS, EVENT + OF_MATCH + PLACE + QUESTION + LETTER + commit]


def test_of_a_match_only_what_a_move_needs_is_read(match, django_assert_num_queries):
    locked, seating = history.lock_table(match.pk)
    truth = Match.objects.get(pk=match.pk)
    assert {name for name in values(truth) if name not in vars(locked)} >= {"code", "keeper_id", "commitment"}
    with django_assert_num_queries(1):
        assert locked.code == truth.code
    assert values(locked) == values(truth)
    assert values(locked.vault) == values(Vault.objects.get(pk=match.pk))
    assert values(seating.places[1].player) == values(Place.objects.get(match=match, seat=1).player)


def test_a_fresh_row_is_what_the_model_makes(match):
    told = {"seat": 1, "about": "which card", "opened": 7, "asked_at": NOON, "since": NOON}
    row, truth = fresh(Wait, told, match=match), Wait(match=match, **told)
    assert values(row) == values(truth)
    assert row.match is match
    assert row._state.adding
    assert fresh(Letter, {}, match=None).values is not fresh(Letter, {}, match=None).values


def test_what_is_not_told_of_a_new_row_is_as_the_model_has_it():
    match = seat_friends()
    told = {"recipient_id": match.keeper_id, "match_id": match.pk, "kind": "turn", "created_at": NOON, "due_at": NOON}
    history.insert_new(Letter, key="beside the ORM", values={"opened": 1}, **told)
    Letter.objects.create(key="by the ORM", values={"opened": 1}, **told)
    rows = [values(Letter.objects.get(key=key)) for key in ("beside the ORM", "by the ORM")]
    assert {name for name in rows[0] if rows[0][name] != rows[1][name]} == {"id", "key"}


@pytest.mark.skipif(connection.vendor != "postgresql", reason="only PostgreSQL knows statements by name")
class TestNames:
    def known(self) -> set[bytes]:
        with connection.cursor() as cursor:
            cursor.execute("SELECT name FROM pg_prepared_statements")
            return {name.encode() for (name,) in cursor.fetchall()}

    def test_a_statement_is_learnt_once(self, match):
        history.lock_table(match.pk)
        names = self.known()
        assert names >= set(pipeline.NAMES[connection.connection].values())
        history.lock_table(match.pk)
        assert self.known() == names

    def test_what_was_not_learnt_in_a_failing_go_is_learnt_later(self, match, monkeypatch):
        monkeypatch.setattr(pipeline, "NAMES", WeakKeyDictionary())
        with pytest.raises(DatabaseError), transaction.atomic():
            speech.fetched((history.SEATING, [match.pk]), ("SELECT 1 / %s", [0]))
        assert history.seating(match).places == list(match.places.all())

    def test_what_the_database_has_forgotten_is_learnt_again(self, match):
        history.seating(match)
        with connection.cursor() as cursor:
            cursor.execute("DEALLOCATE ALL")
        with pytest.raises(DatabaseError), transaction.atomic():
            history.seating(match)
        assert history.seating(match).places == list(match.places.all())

    def test_behind_a_pooler_nothing_is_learnt(self, match, monkeypatch):
        monkeypatch.setattr(pipeline, "NAMES", WeakKeyDictionary())
        monkeypatch.setitem(connection.settings_dict, "DISABLE_SERVER_SIDE_CURSORS", True)
        names = self.known()
        locked, seating = history.lock_table(match.pk)
        assert (locked, seating.places) == (match, list(match.places.all()))
        assert self.known() == names


@pytest.mark.parametrize(
    ("closed", "opened"),
    [([0], [1]), ([0, 1], [1, 2]), ([0, 1, 2], [2]), ([0], [2, 0, 1]), ([], [0, 1]), ([1, 2], [])],
)
def test_the_next_questions_take_the_rows_of_the_last(match, closed, opened):
    """Whichever they are: no seat has two of them on the way."""
    match.waits.all().delete()
    told = {"about": "before", "opened": 7, "asked_at": NOON, "since": NOON, "stalled_at": NOON}
    before = [Wait.objects.create(match=match, seat=seat, **told) for seat in closed]
    after = [Wait(match=match, seat=seat, **told | {"about": "after", "stalled_at": None}) for seat in opened]
    history.turn_page(before, after)
    kept = Wait.objects.filter(match=match).order_by("seat")
    assert [(wait.seat, wait.about, wait.stalled_at) for wait in kept] == [(s, "after", None) for s in sorted(opened)]
    assert {wait.pk for wait in before} >= {wait.pk for wait in kept} or len(opened) > len(closed)


def test_what_could_not_be_kept_is_not_even_said(match):
    """Whatever is written after an error that somebody has caught is rolled back at the end, without a word."""
    waits = list(match.waits.all())
    with transaction.atomic():
        with suppress(IntegrityError):
            Place(match=match, seat=0, name="Eve").save()
        with pytest.raises(TransactionManagementError):
            history.turn_page(waits, [])


def test_a_query_that_was_put_together_once_answers_for_every_row(match):
    def seat(of: int, number: int) -> QuerySet[Place, tuple[int, str]]:
        return Place.objects.filter(match=of, seat=number, stand_in=False).values_list("seat", "name")

    for number in range(3):
        (rows,) = speech.fetched(speech.filled_in(seat, match.pk, number))
        assert [tuple(row) for row in rows] == list(seat(match.pk, number))
