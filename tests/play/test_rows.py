"""A move's rows, read and written beside the ORM: the same as with it, in few statements."""

from contextlib import suppress

import pytest
from django.db import connection, transaction
from django.db.models import Model

from beanpost.play import history, house, moves, orders
from beanpost.play.models import Event, Match, Place, Vault, Wait
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
    again = Letter(**{name: value for name, value in values(old).items() if name != "id"})
    again.values = {"changed": True}
    history.insert_new(again)
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


def test_a_move_takes_few_statements(django_assert_max_num_queries):
    match = seat_friends()
    wait = match.waits.get()
    # Its savepoint, two looks, and what has changed: the event, match, memory, place, two questions, the letter.
    # PostgreSQL is asked in one go and told in one go.
    with django_assert_max_num_queries(4 if connection.vendor == "postgresql" else 11):
        moves.make(match.pk, wait.seat, "pass", origin="player", question=wait.opened, now=NOON)


def test_what_is_written_in_one_go_comes_at_the_end_and_in_order(match):
    wait = match.waits.first()
    assert wait is not None
    anew = Wait(**{name: value for name, value in values(wait).items() if name != "id"} | {"about": "the same seat"})
    with history.in_one_go():
        history.close([wait])
        history.insert([anew])
        assert match.waits.get(seat=wait.seat) == wait
    assert match.waits.get(seat=wait.seat).about == "the same seat"


def test_of_what_breaks_off_nothing_is_written(match):
    with suppress(ZeroDivisionError), history.in_one_go():
        history.close(match.waits.all())
        raise ZeroDivisionError
    assert match.waits.exists()
    history.close(match.waits.all())
    assert not match.waits.exists()
