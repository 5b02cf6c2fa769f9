"""Standing orders move for their owner, at once and in secret."""

import pytest

import games
from beanpost.play.display import scene
from beanpost.play.display.orders import offers
from beanpost.play.models import Match, Order, Place
from beanpost.play.turns import standing_orders
from tests.friends import NOON, seat_friends
from tests.play.test_moves import press

pytestmark = pytest.mark.django_db


@pytest.fixture
def match():
    return seat_friends(variant="basic")


def asked(match: Match) -> Place:
    return match.places.get(seat=match.waits.get().seat)


def after(match: Match, steps: int) -> Place:
    return match.places.get(seat=(match.waits.get().seat + steps) % match.seats)


def test_an_order_given_when_asked_answers_at_once(match):
    place = asked(match)
    order = standing_orders.give_order(place, "ALWAYS pass in round  1", now=NOON)
    assert order.line == "always pass in round 1"
    assert order.answered == [3]
    event = match.events.get(seq=3)
    assert (event.seat, event.line, event.origin) == (place.seat, "pass", "player")
    assert asked(match) != place


def test_an_order_answers_as_soon_as_its_owner_is_asked(match):
    place = after(match, 1)
    standing_orders.give_order(place, "always pass in round 1", now=NOON)
    assert match.events.count() == 2
    press(match, line="pass")
    assert match.events.get(seq=4).seat == place.seat
    assert asked(match).seat == (place.seat + 1) % 3


def test_an_order_ends_with_a_reason_and_its_owner_is_asked(match):
    place = after(match, 1)
    order = standing_orders.give_order(place, "pass until someone plays below 9", now=NOON)
    press(match, line="pass")
    order.refresh_from_db()
    assert order.lapsed_at == NOON
    shown = scene.build_scene(Match.objects.get(pk=match.pk), place.seat)
    assert offers.explain_lapse(order, shown) == "the value to beat is below 9"
    assert asked(match) == place


def test_orders_that_always_pass_stop_when_the_decks_are_empty(match):
    for place in match.places.all():
        standing_orders.give_order(place, "always pass in round 1", now=NOON)
    match.refresh_from_db()
    assert match.phase == "running"
    assert match.events.count() == 2 + 4 * 3
    assert Order.objects.filter(lapsed_at__isnull=False).count() == 1


def test_other_players_do_not_learn_of_an_order(match):
    place = after(match, 2)
    others = [seat for seat in (None, 0, 1, 2) if seat != place.seat]
    before = [
        repr(scene.build_scene(match, seat).view) + repr(scene.build_scene(match, seat).orders) for seat in others
    ]
    standing_orders.give_order(place, "always pass in round 1", now=NOON)
    match.refresh_from_db()
    assert [
        repr(scene.build_scene(match, seat).view) + repr(scene.build_scene(match, seat).orders) for seat in others
    ] == before
    assert match.length == 2
    assert [order.line for order in scene.build_scene(match, place.seat).orders] == ["always pass in round 1"]


def test_only_its_owner_can_cancel_an_order(match):
    place, other = after(match, 2), after(match, 1)
    order = standing_orders.give_order(place, "always pass in round 1", now=NOON)
    assert not standing_orders.withdraw_order(other, order.pk, now=NOON)
    assert standing_orders.withdraw_order(place, order.pk, now=NOON)
    assert not standing_orders.withdraw_order(place, order.pk, now=NOON)
    order.refresh_from_db()
    assert order.reason == "you cancelled it"


def test_an_unreadable_order_is_refused_with_examples(match):
    with pytest.raises(games.Unreadable, match="pass until someone plays below"):
        standing_orders.give_order(asked(match), "win quickly", now=NOON)
    assert not Order.objects.exists()


def test_an_order_given_twice_is_stored_once(match):
    place = after(match, 2)
    first = standing_orders.give_order(place, "always pass in round 1", now=NOON)
    assert standing_orders.give_order(place, "always pass in round 1", now=NOON) == first


def test_the_number_of_orders_is_limited(match):
    place = after(match, 2)
    for value in range(standing_orders.MAX_ORDERS):
        standing_orders.give_order(place, f"pass until someone plays below {value}", now=NOON)
    with pytest.raises(games.Illegal, match="12 orders at a time"):
        standing_orders.give_order(place, "always pass in round 1", now=NOON)


def test_every_suggested_order_can_be_given(match):
    place = after(match, 2)
    for line in map(str, offers.find_suggestions(scene.build_scene(match, place.seat))):
        standing_orders.give_order(place, line, now=NOON)
    assert offers.find_suggestions(scene.build_scene(match, place.seat)) == []
