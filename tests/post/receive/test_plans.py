"""A move and a plan in one press: in the letter, by its link and by its mark in a reply."""

from collections.abc import Callable

import pytest
from django.urls import reverse

from beanpost.play.display import scene
from beanpost.play.display.orders import offers
from beanpost.play.display.orders.offers import find_planned_moves
from beanpost.play.models import Event, Match, Order
from beanpost.play.tickets import PlanTicket, redeem, sign
from beanpost.play.turns import standing_orders
from beanpost.players.models import Player
from beanpost.post.models import Letter
from beanpost.post.outbox import queue
from tests.browser import fold_space
from tests.friends import NOON, let_have_played_before, seat_friends
from tests.post.answering import (
    answer,
    choosing,
    fagioli,
    haricots,
    leading,
    market,
    newest,
    outcome,
    planting,
    with_replies,
)
from tests.post.gallery import deliver

pytestmark = pytest.mark.django_db

HARMLESS = "Your orders are secret. But an instant answer isn’t"


@pytest.fixture(autouse=True)
def accept_replies():
    with with_replies():
        yield


def experienced(table: Callable[[], tuple[Match, int]]) -> tuple[Match, int]:
    """A table whose players have played the game before: their letters offer plans from the first turn on."""
    match, seat = table()
    return let_have_played_before(match), seat


def planned(letter: Letter) -> list[dict[str, object]]:
    return [option for option in letter.options if option.get("order")]


def list_moves(match: Match, seat: int) -> list[str]:
    return [event.line for event in Event.objects.filter(match=match, seat=seat, origin=Event.Origin.PLAYER)]


def orders(match: Match, seat: int) -> list[str]:
    return [order.line for order in Order.objects.filter(match=match, seat=seat)]


def in_one_line(text: str) -> str:
    return " ".join(text.split())


@pytest.mark.parametrize("table", [haricots, fagioli, leading, planting, market, choosing])
def test_a_letter_offers_at_most_two_moves_with_a_plan_marked_after_the_others(table):
    match, seat = experienced(table)
    letter = newest(match, seat)
    options = letter.options
    assert [option["mark"] for option in options] == [f"m{n}" for n in range(1, len(options) + 1)]
    assert 1 <= len(planned(letter)) <= 2
    assert options[-len(planned(letter)) :] == planned(letter)
    for option in planned(letter):
        assert option["line"] in [one.line for one in scene.build_scene(match, seat).question.options]
        assert f"{option['mark']}. {option['label']}" in in_one_line(letter.text)
    assert letter.html.count("/plan/") == len(planned(letter))


def test_a_table_without_standing_orders_offers_no_plans():
    match = seat_friends("bohnanza", "standard", seats=2)
    letter = newest(match, match.waits.first().seat)
    assert not planned(letter)
    assert "/plan/" not in letter.text + letter.html


@pytest.mark.parametrize("table", [haricots, fagioli, leading])
@pytest.mark.parametrize("wording", ["{mark}", "{mark}. {label}", "{label}", "Move {mark}, please."])
def test_a_reply_that_names_it_makes_the_move_and_gives_the_order(table, wording):
    match, seat = experienced(table)
    [option, *_] = planned(newest(match, seat))
    reply = answer(newest(match, seat), wording.format(**option))
    assert reply.state == reply.State.PLAYED
    assert list_moves(match, seat)[0] == option["line"]
    assert orders(match, seat) == [option["order"]]
    assert not Letter.objects.filter(kind__in=("answer", "which")).exists()


@pytest.mark.parametrize("table", [haricots, fagioli, leading, planting, choosing])
def test_the_mark_of_a_move_alone_gives_no_order(table):
    match, seat = experienced(table)
    letter = newest(match, seat)
    harmless = {option.line for option in scene.build_scene(match, seat).question.options if not option.warning}
    # The last mark before the plans that costs nothing.
    plain = next(one for one in reversed(letter.options) if "order" not in one and one["line"] in harmless)
    assert outcome(answer(letter, plain["mark"])) == f"say {plain['line']}"
    assert orders(match, seat) == []


@pytest.mark.parametrize("table", [haricots, fagioli, leading, planting, market, choosing])
def test_a_plan_in_a_letter_is_outlined_below_the_moves_and_says_what_it_does(table):
    match, seat = experienced(table)
    letter = newest(match, seat)
    page = fold_space(letter.html)
    plans = page.partition("A move and a plan, in one press")[2].partition("You can cancel a plan")[0]
    assert len(planned(letter)) == plans.count("/plan/")
    assert "/move/" not in plans
    for option in find_planned_moves(scene.build_scene(match, seat)):
        assert f"{option.brief}<br>" in plans
        assert f">{option.then} · <span" in plans
        assert "background-color: #fbf7ef" in " ".join(plans.split())
        assert not option.then.startswith(("then", "through turn"))


@pytest.mark.parametrize("table", [haricots, fagioli, leading, planting, market, choosing])
def test_the_first_letter_of_a_players_first_match_offers_no_plan(table):
    match, seat = table()
    letter = newest(match, seat)
    assert not planned(letter)
    assert "/plan/" not in letter.html + letter.text
    assert "Let a standing order play for you" in letter.text


def test_the_words_of_an_order_that_count_the_readers_turns_are_read_in_a_reply():
    match, seat = fagioli()
    words = next(
        words
        for words in offers.describe_offered_orders(scene.build_scene(match, seat))
        if "your next 3 turns" in words
    )
    reply = answer(newest(match, seat), f"{words}, please")
    assert outcome(reply) == "answer unread"
    [order] = orders(match, seat)
    assert order.startswith("play steadily until turn ")
    [notice] = Letter.objects.filter(kind__in=("answer", "unheard"))
    newest(match, seat)
    notice.refresh_from_db()
    assert "turns: play it safe" in in_one_line(notice.text)


def test_a_reply_that_names_a_move_with_and_without_its_plan_does_neither():
    match, seat = experienced(haricots)
    letter = newest(match, seat)
    [option, *_] = planned(letter)
    plain = next(one for one in letter.options if one["line"] == option["line"])
    assert outcome(answer(letter, f"{plain['mark']}\n{option['mark']}")) == "answer unclear"
    assert (list_moves(match, seat), orders(match, seat)) == ([], [])
    notice = Letter.objects.get(kind="answer")
    newest(match, seat)  # sends it
    notice.refresh_from_db()
    assert option["label"] in in_one_line(notice.text)


def test_a_daily_letter_takes_the_mark_too():
    match, seat = experienced(haricots)
    Player.objects.update(how_often=Player.HowOften.DAILY)
    player = match.places.get(seat=seat).player
    Letter.objects.all().delete()
    queue.queue(player, "digest", "day/1", now=NOON)
    deliver()
    letter = Letter.objects.get(kind="digest")
    [option, *_] = planned(letter)
    answer(letter, option["mark"])
    assert list_moves(match, seat)[0] == option["line"]
    assert orders(match, seat) == [option["order"]]


def test_a_plan_beyond_the_limit_makes_no_move_and_says_why():
    match, seat = experienced(haricots)
    letter = newest(match, seat)
    [option, *_] = planned(letter)
    for value in range(standing_orders.MAX_ORDERS):
        Order.objects.create(match=match, seat=seat, line=f"always pass in round {value + 5}", given_at=NOON)
    assert outcome(answer(letter, option["mark"])) == "answer refused"
    assert list_moves(match, seat) == []
    notice = newest(match, seat)
    assert "You can have up to 12 orders at a time." in in_one_line(notice.text)
    assert not planned(notice)


# ── the confirming page ──


def test_the_page_says_what_the_plan_does_and_one_press_does_both(client):
    match, seat = experienced(haricots)
    option = find_planned_moves(scene.build_scene(match, seat))[0]
    page = client.get(reverse("plan", args=[option.ticket]))
    text = page.content.decode()
    assert page.status_code == 200
    assert option.brief in text
    assert f'<button class="big planned"><strong>{option.brief}</strong> {option.then}</button>' in text
    assert "beats the table with your lowest play" in text
    assert HARMLESS in text
    assert (list_moves(match, seat), orders(match, seat)) == ([], [])  # GET only shows
    played = client.post(reverse("plan", args=[option.ticket]), {"note": "Hello!"}, follow=True)
    assert (list_moves(match, seat)[0], orders(match, seat)) == (option.line, [option.order])
    assert match.notes.get().text == "Hello!"
    assert scene.build_scene(match, seat).describe_order(option.order) in played.content.decode()
    assert 'name="take_back"' in played.content.decode()


def test_an_active_order_is_withdrawn_with_one_press(client):
    match, seat = experienced(haricots)
    option = find_planned_moves(scene.build_scene(match, seat))[0]
    client.post(reverse("plan", args=[option.ticket]))
    match.refresh_from_db()
    given = Order.objects.get()
    client.post(reverse("orders", args=[scene.build_scene(match, seat).order_ticket]), {"take_back": given.pk})
    given.refresh_from_db()
    assert given.lapsed_at is not None


def test_a_second_press_changes_nothing(client):
    match, seat = experienced(haricots)
    option = find_planned_moves(scene.build_scene(match, seat))[0]
    for _ in range(2):
        page = client.post(reverse("plan", args=[option.ticket]), follow=True)
        assert page.status_code == 200
    assert len(list_moves(match, seat)) == 1
    assert len(orders(match, seat)) == 1


def test_a_plan_for_a_move_that_is_not_possible_gives_no_order(client):
    match, seat = experienced(haricots)
    option = find_planned_moves(scene.build_scene(match, seat))[0]
    good = redeem(PlanTicket, option.ticket)
    ticket = PlanTicket(good.match, good.seat, good.occupant, good.question, "play 13", good.order)
    assert client.post(reverse("plan", args=[sign(ticket)])).status_code == 422
    assert (list_moves(match, seat), orders(match, seat)) == ([], [])


def test_a_ticket_for_a_move_does_not_open_a_plan(client):
    match, seat = experienced(haricots)
    option = scene.build_scene(match, seat).question.options[0]
    assert client.get(reverse("plan", args=[option.ticket])).status_code == 404


def test_a_plan_of_an_old_letter_shows_no_cards(client):
    match, seat = experienced(haricots)
    letter = newest(match, seat)
    option = find_planned_moves(scene.build_scene(match, seat))[0]
    answer(letter, letter.options[0]["mark"])
    page = client.get(reverse("plan", args=[option.ticket]))
    assert "Send my latest letter" in page.content.decode()
    assert option.then[1:] not in page.content.decode()
    before = Letter.objects.count()
    assert client.post(reverse("current-for-plan", args=[option.ticket])).status_code == 200
    assert Letter.objects.count() == before + 1
