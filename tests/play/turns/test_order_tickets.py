"""Standing orders by link: given with a move or beside it, shown to their owner alone, and never from an old
letter."""

import pytest

import games
from beanpost.play.display import scene
from beanpost.play.display.story import find_line
from beanpost.play.errors import NotYours, TooLate
from beanpost.play.models import Match, Order, Place
from beanpost.play.seats import own_seat
from beanpost.play.tickets import MoveTicket, OrderTicket, redeem
from beanpost.play.timekeeping import timeouts
from beanpost.play.turns import standing_orders
from tests.friends import NOON, seat_friends
from tests.play.test_moves import press

pytestmark = pytest.mark.django_db

PASS = "always pass in round 1"


@pytest.fixture
def match():
    return seat_friends(variant="basic")


def asked(match: Match) -> Place:
    return match.places.get(seat=match.waits.get().seat)


def after(match: Match, steps: int) -> Place:
    return match.places.get(seat=(match.waits.get().seat + steps) % match.seats)


def seen_by(place: Place) -> scene.Scene:
    return scene.build_scene(Match.objects.get(pk=place.match_id), place.seat)


def order_ticket(place: Place) -> OrderTicket:
    return redeem(OrderTicket, seen_by(place).order_ticket)


def move_ticket(place: Place, line: str) -> MoveTicket:
    return redeem(MoveTicket, next(option.ticket for option in seen_by(place).question.options if option.line == line))


def test_the_newest_order_has_priority():
    match = seat_friends("pas_de_haricots", "one", seats=4)
    waiting = after(match, 1)
    one, *_, another = seen_by(waiting).view.hand
    standing_orders.give_order(waiting, f"play {one} in round 1", now=NOON)
    standing_orders.give_order(waiting, f"play {another} in round 1 turn 1", now=NOON)
    press(match)
    assert match.events.get(seat=waiting.seat).line == f"play {another}"


def test_only_the_owner_sees_that_a_move_was_made_by_an_order(match):
    place = after(match, 1)
    standing_orders.give_order(place, PASS, now=NOON)
    press(match, line="pass")
    texts = {seat: find_line(Match.objects.get(pk=match.pk), seat, 4).text for seat in (None, 0, 1, 2)}
    mine = texts.pop(place.seat)
    assert mine.endswith("Played by your order “Pass on every turn of round 1”.")
    assert not any("order" in text for text in texts.values())


def test_news_goes_back_to_the_players_last_own_move(match):
    place = asked(match)
    press(match, line="pass")
    standing_orders.give_order(place, PASS, now=NOON)
    for _ in range(4):
        press(Match.objects.get(pk=match.pk), line="pass")
    shown = seen_by(place)
    assert [line.seq for line in shown.story.news] == [3, 4, 5, 6, 7, 8, 9]
    assert [line.by_hand for line in shown.story.news if line.seat == place.seat] == [True, False, False]


def test_a_ticket_gives_and_cancels_orders(match):
    place = after(match, 2)
    order = standing_orders.give_by_ticket(order_ticket(place), PASS, now=NOON)
    assert (order.seat, order.line) == (place.seat, PASS)
    assert standing_orders.withdraw_by_ticket(order_ticket(place), order.pk, now=NOON)
    assert not Order.objects.filter(lapsed_at=None).exists()


def test_a_ticket_works_until_the_next_move_of_its_seat(match):
    place = asked(match)
    ticket = order_ticket(place)
    press(match, line="pass")
    with pytest.raises(TooLate):
        standing_orders.give_by_ticket(ticket, PASS, now=NOON)
    with pytest.raises(TooLate):
        standing_orders.withdraw_by_ticket(ticket, 1, now=NOON)
    assert standing_orders.give_by_ticket(order_ticket(place), PASS, now=NOON)


def test_a_ticket_stops_working_after_a_timeout(match):
    ticket = order_ticket(asked(match))
    timeouts.time_out_all(match.waits.get().due_at)
    with pytest.raises(TooLate):
        standing_orders.check_ticket(ticket)


def test_a_ticket_still_works_after_an_order_has_moved(match):
    place = asked(match)
    ticket = order_ticket(place)
    order = standing_orders.give_by_ticket(ticket, PASS, now=NOON)
    assert order.answered == [3]
    standing_orders.check_ticket(ticket)
    assert standing_orders.withdraw_by_ticket(ticket, order.pk, now=NOON)


def test_a_ticket_stops_working_when_the_links_are_renewed(match):
    place = after(match, 2)
    ticket = order_ticket(place)
    own_seat.renew_links(place)
    with pytest.raises(NotYours):
        standing_orders.give_by_ticket(ticket, PASS, now=NOON)


def test_an_order_may_go_with_a_move(match):
    place = asked(match)
    made = standing_orders.play_with_order(move_ticket(place, "pass"), "pass", order=PASS, now=NOON)
    assert [event.line for event in made.events] == ["pass"]
    assert Order.objects.get().line == PASS
    assert made.loaded.match.length == match.events.count() == 3


def test_a_move_with_an_unreadable_order_is_not_made(match):
    place = asked(match)
    with pytest.raises(games.Unreadable):
        standing_orders.play_with_order(move_ticket(place, "pass"), "pass", order="win", now=NOON)
    assert match.events.count() == 2


def test_a_move_that_ends_the_match_gives_no_order():
    match = seat_friends(variant="sprint")
    press(match, line="fold")
    ending = move_ticket(asked(match), "fold")
    made = standing_orders.play_with_order(ending, "fold", order=PASS, now=NOON)
    assert made.loaded.match.phase == Match.Phase.ENDED
    assert not Order.objects.exists()


def test_long_menus_have_headings():
    match = seat_friends("fagioli", "standard")
    shown = seen_by(asked(match))
    assert [option for group in shown.question.groups for option in group.options] == shown.question.options
    *piles, bursts = shown.question.groups
    assert all(group.heading.startswith("On the ") for group in piles)
    assert bursts.heading == "Moves that burst (−2 token)"
    assert (
        len({group.heading for group in shown.question.groups})
        == len(shown.question.groups)
        < len(shown.question.options)
    )


def test_short_menus_group_the_moves_of_a_card(match):
    shown = seen_by(asked(match))
    assert {group.heading for group in shown.question.groups} == {""}
    assert all(len({option.line.split()[-1] for option in group.options}) == 1 for group in shown.question.groups)
