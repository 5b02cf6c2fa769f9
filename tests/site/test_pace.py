"""The models of people in tools/proof/pace: when they look in, and what they press."""

import random
from datetime import UTC, datetime, timedelta
from itertools import pairwise

import pytest

from beanpost.play.models import Order
from games.contract.asks import Ask
from games.contract.game import StandingOrders
from games.contract.orders import Lapse
from games.contract.phrases import Phrase
from games.haricots.orders import PassUntil
from tools.proof.pace import goals, matches
from tools.proof.pace.habits import ByMail, Evenings
from tools.proof.pace.planning import Plain, Planner, Press
from tools.proof.pace.strength import PairedGame, measure_difference

EVENING = datetime(2026, 11, 16, 20, tzinfo=UTC)
SPRINT = goals.Kind("haricots", "sprint", 3)


def gaps(looks):
    return [later - earlier for earlier, later in pairwise(looks)]


def looks_of(seed, count=200):
    habit = ByMail(random.Random(seed))
    looks = [habit.first_look(EVENING)]
    while len(looks) < count:
        looks.append(habit.next_look(looks[-1]))
    return looks


def test_people_look_into_their_mail_every_twelve_hours_give_or_take_forty_percent():
    between = gaps(looks_of(1))
    assert timedelta(hours=7.2) <= min(between) < timedelta(hours=8)
    assert timedelta(hours=16) < max(between) <= timedelta(hours=16.8)
    assert abs(sum(between, timedelta()) / len(between) - timedelta(hours=12)) < timedelta(hours=0.5)


def test_people_have_hours_of_their_own_and_the_same_ones_for_the_same_seed():
    assert looks_of(1) == looks_of(1)
    assert looks_of(1)[0] != looks_of(2)[0]


def test_a_long_sitting_does_not_delay_the_next_look():
    first, second = ByMail(random.Random(1)), ByMail(random.Random(1))
    looked = first.first_look(EVENING)
    assert looked == second.first_look(EVENING)
    assert first.next_look(looked) == second.next_look(looked + timedelta(hours=1))


@pytest.mark.parametrize("minutes", range(0, 119, 7))
def test_people_at_a_live_page_answer_within_a_minute(minutes):
    asked = EVENING + timedelta(minutes=minutes)
    answered = Evenings(random.Random(minutes)).next_press(asked)
    assert timedelta(seconds=20) <= answered - asked <= timedelta(seconds=60)


@pytest.mark.parametrize("asked", [EVENING - timedelta(hours=5), EVENING - timedelta(seconds=1)])
def test_people_answer_nothing_before_the_evening(asked):
    answered = Evenings(random.Random(3)).next_press(asked)
    assert EVENING < answered <= EVENING + timedelta(minutes=1)


@pytest.mark.parametrize("asked", [EVENING + timedelta(hours=2, seconds=-5), EVENING + timedelta(hours=3)])
def test_people_answer_the_next_evening_what_is_asked_too_late(asked):
    answered = Evenings(random.Random(3)).next_press(asked)
    assert EVENING < answered - timedelta(days=1) <= EVENING + timedelta(minutes=1)


class Page:
    """A page on which the bot would pass or say something else, with orders on offer."""

    def __init__(self, *, move, orders=(), alongside=(), asked=True):
        self.rules, self.view, self.move = self, "view", move
        self.visible_ask = Ask(0, "turn", menu=("pass", "play 6")) if asked else None
        self.ready_orders, self.alongside = orders, alongside
        self.orders = StandingOrders(kinds=(PassUntil,))

    def bot(self, view, ask):
        return self.move

    def find_orders_with(self, line):
        return self.alongside


@pytest.fixture
def responses(monkeypatch):
    """Let each order pass if its value is 9 or more, and wait otherwise."""
    monkeypatch.setattr(PassUntil, "respond", lambda order, view, ask: "pass" if order.value >= 9 else None)


PASSING, WAITING = "pass until someone plays below 9", "pass until someone plays below 5"


def test_a_plain_player_presses_moves_alone():
    page = Page(move="pass", orders=[PASSING, WAITING], alongside=[PASSING])
    assert Plain().press(page) == Press("pass")
    assert Plain().press(Page(move=None, orders=[WAITING])) is None


def test_a_planner_presses_the_first_order_that_goes_with_the_move():
    page = Page(move="play 6", alongside=[WAITING, PASSING])
    assert Planner().press(page) == Press("play 6", WAITING)


def test_a_planner_who_composes_a_move_finds_no_button_for_it_with_a_plan():
    assert Planner().press(Page(move="offer 6 for 7", alongside=[WAITING])) == Press("offer 6 for 7")


def test_a_planner_presses_an_order_that_says_the_chosen_move(responses):
    assert Planner().press(Page(move="pass", orders=[WAITING, PASSING])) == Press(order=PASSING)
    assert Planner().press(Page(move="play 6", orders=[WAITING, PASSING])) == Press("play 6")


def test_a_planner_gives_one_order_after_a_move_and_none_without(responses):
    planner, after = Planner(), Page(move=None, orders=[PASSING, WAITING])
    assert planner.press(after) is None
    assert planner.press(Page(move="play 6")) == Press("play 6")
    assert planner.press(after) == Press(order=WAITING)  # the other would answer at once
    assert planner.press(after) is None


def test_an_order_that_would_lapse_at_once_is_not_pressed(monkeypatch):
    monkeypatch.setattr(PassUntil, "respond", lambda order, view, ask: Lapse(Phrase("it is over")))
    assert Planner().press(Page(move="pass", orders=[PASSING])) == Press("pass")


def counted(monkeypatch):
    """How many orders are given from now on: the match itself is rolled back."""
    given, create = [], Order.objects.create
    monkeypatch.setattr(Order.objects, "create", lambda **row: given.append(row["line"]) or create(**row))
    return given


@pytest.mark.django_db
def test_in_a_whole_match_planners_give_orders_and_plain_players_none(monkeypatch):
    given = counted(monkeypatch)
    plain = matches.play(SPRINT, "plain", 0)
    assert given == []
    planned = matches.play(SPRINT, "planner", 0)
    assert given
    assert planned.stops < plain.stops
    assert planned.letters < plain.letters


@pytest.mark.django_db
def test_letters_that_acknowledge_replies_are_counted_and_most_moves_by_reply_get_one():
    plain, by_reply = matches.play(SPRINT, "plain", 0), matches.play(SPRINT, "by reply", 0)
    assert plain.told == 0
    assert 0 < by_reply.told <= by_reply.presses
    assert by_reply.told < by_reply.letters


@pytest.mark.django_db
def test_a_match_of_people_at_a_live_page_ends_in_one_evening():
    figures = matches.play(goals.Kind("fagioli", "standard", 2), "evening", 0)
    assert figures.days < 2 / 24
    assert figures.stops == 0


@pytest.mark.django_db
def test_a_match_that_does_not_end_is_a_fault(monkeypatch):
    monkeypatch.setattr(matches, "MAX_DAYS", 1)
    with pytest.raises(matches.Fault, match="does not end within 1 days"):
        matches.play(SPRINT, "plain", 0)


def test_the_same_deal_is_played_alike_where_nobody_plans():
    assert PairedGame(SPRINT, 5, 0, Plain()).play() == PairedGame(SPRINT, 5, 0, Plain()).play()
    assert -1 <= measure_difference(SPRINT, 5) <= 1


def test_the_first_plan_on_offer_in_bohnanza_plays_as_the_bot_does():
    bohnanza = goals.Kind("bohnanza", "standard", 4)
    planner = PairedGame(bohnanza, 1, 1, Planner())
    assert planner.play() == PairedGame(bohnanza, 1, 1, Plain()).play()
    assert "play on through turn" in str(planner.orders[0])
