"""The rows a move reads and writes: the same as through the ORM, in few statements."""

import pytest
from django.db import connection, transaction
from django.db.models import Model

from beanpost.play import load, moves
from beanpost.play.log import storage
from beanpost.play.models import Event, Match, Order, Place, Vault, Wait
from beanpost.play.turns import house_lines, standing_orders
from games.contract.seats import HOUSE
from tests.friends import NOON, seat_friends
from tests.pages.table import press

pytestmark = pytest.mark.django_db


def values(row: Model) -> dict[str, object]:
    return {field.attname: getattr(row, field.attname) for field in row._meta.concrete_fields}


@pytest.fixture
def match() -> Match:
    """A paused match, in which every kind of column is filled."""
    match = seat_friends("haricots", "advanced")
    press(match, "play")
    with transaction.atomic():
        house_lines.pause(load.lock_match(match.pk), Event.Origin.ORGANISER, NOON)
    return match


@pytest.mark.parametrize("model", [Event, Order, Place, Wait])
def test_rows_are_read_as_the_orm_reads_them(match, model):
    standing_orders.give_order(match.places.get(seat=0), "pass until someone plays below 3", now=NOON)
    rows = load.read_rows(model, "match_id", [match.pk], order_by="id")
    assert rows
    assert [*map(values, rows)] == [*map(values, model.objects.filter(match=match).order_by("pk"))]
    assert load.read_rows(model, "match_id", [], order_by="id") == []


def test_the_locked_rows_are_what_the_orm_finds(match):
    locked = load.load_match(match.pk, lock=True)
    assert values(locked.match) == values(Match.objects.get(pk=match.pk))
    assert values(locked.vault) == values(Vault.objects.get(match=match))
    places = match.places.select_related("player")
    assert [*map(values, locked.places)] == [*map(values, places)]
    assert [values(place.player) for place in locked.places] == [values(place.player) for place in places]
    assert {seat: values(wait) for seat, wait in locked.waits.items()} == {
        wait.seat: values(wait) for wait in match.waits.all()
    }


def test_standing_orders_are_loaded_newest_first():
    match = seat_friends("haricots", "advanced")
    place = match.places.exclude(seat=match.waits.get().seat)[0]
    *given, lapsed = [
        standing_orders.give_order(place, f"pass until someone plays below {limit}", now=NOON) for limit in (3, 4, 5)
    ]
    standing_orders.withdraw_order(place, lapsed.pk, now=NOON)
    assert load.load_locked(match).standing_orders == given[::-1]


def test_a_place_is_found_only_for_its_current_occupant(match):
    place = match.places.get(seat=1)
    assert load.find_place(match.pk, 1, place.occupant) == place
    assert load.find_place(match.pk, 1, place.occupant + 1) is None


def test_a_match_that_does_not_exist_cannot_be_locked():
    with pytest.raises(Match.DoesNotExist):
        load.load_match(99, lock=True)


@pytest.mark.django_db(transaction=True)
def test_a_match_cannot_be_locked_outside_a_transaction():
    match = seat_friends()
    with pytest.raises(AssertionError):
        load.load_match(match.pk, lock=True)


READS = ("match", "vault", "places", "players", "waits", "the same line since")
WRITES = ("event", "match", "vault", "place", "old wait", "new wait", "letter")


@pytest.mark.parametrize("length", [10, 200])
def test_a_move_takes_the_same_few_statements_in_a_long_match(length, django_assert_num_queries):
    match = seat_friends(variant="basic")
    vault = Vault.objects.get(match=match)
    padding = [storage.NewLine(HOUSE, line, "house") for line in ("pause", "resume")] * (length // 2)
    storage.append(match, vault, padding, storage.restore_table(match, vault), NOON)
    wait = match.waits.get()
    savepoint = 2
    with django_assert_num_queries(savepoint + len(READS) + len(WRITES)):
        moves.play(match.pk, wait.seat, "pass", origin="player", question=wait.opened, now=NOON)


@pytest.mark.django_db(transaction=True)
def test_a_failing_move_leaves_nothing_behind(monkeypatch):
    match = seat_friends()
    wait, before = match.waits.get(), match.letters.count()

    def fail(*_told: object, **_more: object) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr("beanpost.post.outbox.queue.wake_after_commit", fail)
    with pytest.raises(ZeroDivisionError):
        moves.play(match.pk, wait.seat, "pass", origin="player", question=wait.opened, now=NOON)
    assert not connection.in_atomic_block
    assert (match.events.count(), match.waits.get(), match.letters.count()) == (match.length, wait, before)
