"""The page of standing orders: secret, one press each, and closed to old letters."""

import re
from functools import partial

import pytest
from django.utils.html import escape

import games
from beanpost.play import moves
from beanpost.play.display import scene
from beanpost.play.models import Match, Order, Place
from beanpost.play.seats import own_seat
from beanpost.play.turns import standing_orders
from beanpost.post.models import Letter
from tests.friends import NOON, seat_friends
from tests.pages.table import link, meanwhile, move_link, play_to_the_end, press, table_link

pytestmark = pytest.mark.django_db

PASS = "always pass in round 1"
IN_WORDS = "Pass on every turn of round 1"


@pytest.fixture
def match():
    return seat_friends(variant="basic")


def waiting(match: Match) -> Place:
    """A player who is not asked."""
    return match.places.exclude(seat=match.waits.get().seat).first()


def orders_link(place: Place) -> str:
    return link("orders", scene.build_scene(Match.objects.get(pk=place.match_id), place.seat).order_ticket)


def text(page) -> str:
    return page.content.decode()


def test_the_page_says_what_is_secret_and_what_is_not(client, match):
    page = client.get(orders_link(waiting(match)))
    assert page.status_code == 200
    assert "Your orders are secret. But an instant answer isn’t" in text(page)
    assert "You have no active orders." in text(page)
    assert "Your hand" in text(page)


def test_a_suggested_order_is_given_with_one_press(client, match):
    place = waiting(match)
    page = client.get(orders_link(place))
    assert f'<button class="plain" name="line" value="{PASS}">{IN_WORDS}</button>' in text(page)
    page = client.post(orders_link(place), {"line": PASS})
    assert page.status_code == 200
    assert Order.objects.get().line == PASS
    assert "Cancel" in text(page)
    assert f'value="{PASS}"' not in text(page)


@pytest.mark.parametrize("slug", [slug for slug, rules in games.GAMES.items() if rules.orders.kinds])
def test_an_order_of_every_kind_on_offer_is_chosen_as_a_sentence_and_given_with_one_press(client, slug):
    match = seat_friends(slug, games.get(slug).variants[0], seats=3)
    for _ in range(6):
        press(match)
    place = match.places.exclude(seat__in=match.waits.values("seat")).first() or match.places.first()
    shown = scene.build_scene(match, place.seat)
    lines = {str(order) for order in shown.order_choices}
    assert shown.order_sentences
    page = text(client.get(orders_link(place)))
    for sentence in shown.order_sentences:
        assert escape(sentence.about) in page
        assert f"<output>{escape(''.join(sentence.choose_texts()))}</output>" in page
        for pieces in (sentence.choose_texts(), [piece[-1] for piece in sentence.pieces]):
            assert client.post(orders_link(place), {"piece": pieces}).status_code == 200
            order = Order.objects.get()
            assert order.line in lines
            assert order.lapsed_at is None  # the game takes it, and it does not end at once
            order.delete()


def test_a_sentence_has_its_choices_in_its_gaps(client):
    match = seat_friends("pas_de_haricots", "three", seats=3)
    place = waiting(match)
    page = text(client.get(orders_link(place)))
    form = next(
        form for form in page.split("<form")[1:] if "In every turn of round 1 take " in form and "piece" in form
    )
    assert re.search(r">In every turn of round 1 take <select .*<option selected>the best card for you</option>", form)
    assert re.search(r"; if in doubt, <select .*<option selected>we ask you</option><option>the next", form)


def test_a_built_order_can_be_previewed_without_a_script(client, match):
    place = waiting(match)
    sentence = next(one for one in scene.build_scene(match, place.seat).order_sentences if one.pieces[1:])
    pieces = [piece[-1] for piece in sentence.pieces]
    page = text(client.post(orders_link(place), {"piece": pieces, "preview": "1"}))
    assert f"<output>{''.join(pieces)}</output>" in page
    assert f"<option selected>{pieces[1]}</option>" in page
    assert not Order.objects.exists()


@pytest.mark.parametrize(
    ("typed", "nearest"),
    [
        ("pass in every turn of the round", IN_WORDS),
        ("pass until someone plays under 9", "Pass until the value to beat is below 9"),
    ],
)
def test_an_order_that_is_not_understood_is_answered_with_the_three_nearest(client, match, typed, nearest):
    place = waiting(match)
    page = client.post(orders_link(place), {"line": typed})
    assert page.status_code == 422
    offered = text(page).partition("Do you mean one of these?")[2].partition("</form>")[0]
    nearby = re.findall(r'name="line" value="([^"]*)">([^<]*)</button>', offered)
    assert len(nearby) == 3
    assert nearby[0][1] == nearest
    client.post(orders_link(place), {"line": nearby[0][0]})
    assert Order.objects.get().line == nearby[0][0]


def test_orders_are_shown_in_words_alone(client, match):
    place = waiting(match)
    order = standing_orders.give_order(place, PASS, now=NOON)
    for page in (client.get(orders_link(place)), client.post(orders_link(place), {"take_back": order.pk})):
        listed = text(page).partition("<details")[0] + text(page).rpartition("</details>")[2]
        assert f"<li><p>{IN_WORDS}</p>" in listed
        assert "<code" not in text(page)


@pytest.mark.parametrize("game", sorted(slug for slug, rules in games.GAMES.items() if rules.orders.kinds))
def test_the_kinds_of_orders_are_explained_by_examples_in_words(client, game):
    place = seat_friends(game, games.get(game).variants[0], seats=3).places.get(seat=1)
    explained = text(client.get(orders_link(place))).partition("Orders in this game</h2>")[2].partition("</ul>")[0]
    assert "For example: “" in explained
    assert "&lt;" not in explained


def test_the_typed_form_is_folded_up_until_it_is_needed(client, match):
    address = orders_link(waiting(match))
    assert '<details class="fold"><summary>Write it instead' in text(client.get(address))
    assert '<details class="fold" open><summary>Write it instead' in text(client.post(address, {"line": "nonsense"}))


def test_no_order_is_suggested_that_would_end_at_once(client, match):
    asked, idle = match.places.get(seat=match.waits.get().seat), waiting(match)  # nothing lies on the table
    below = "pass until someone plays below 9"
    assert f'value="{below}"' not in text(client.get(orders_link(asked)))
    assert f'value="{below}"' in text(client.get(orders_link(idle)))
    assert f'<option value="{below}"' in text(client.get(table_link(match)))  # beside a move, it is for the next turn


def test_a_typed_order_is_read_leniently(client, match):
    client.post(orders_link(waiting(match)), {"line": "Pass until SOMEONE plays  below 12"})
    assert Order.objects.get().line == "pass until someone plays below 12"


def test_a_typed_order_may_be_in_words(client, match):
    client.post(orders_link(waiting(match)), {"line": f"{IN_WORDS}."})
    assert Order.objects.get().line == PASS


def test_an_unreadable_order_is_refused_and_can_be_corrected(client, match):
    page = client.post(orders_link(waiting(match)), {"line": "pass until <b>noon</b>"})
    assert page.status_code == 422
    assert "isn’t an order in this game." in text(page)
    assert "Nothing has changed." in text(page)
    assert 'value="pass until &lt;b&gt;noon&lt;/b&gt;"' in text(page)
    assert not Order.objects.exists()


@pytest.mark.parametrize("junk", [{"line": "x" * 10_000}, {"take_back": "x"}, {"take_back": "9" * 40}, {}])
def test_junk_changes_nothing(client, match, junk):
    page = client.post(orders_link(waiting(match)), junk)
    assert page.status_code in (200, 400)
    assert not Order.objects.exists()


def test_an_order_can_be_cancelled(client, match):
    place = waiting(match)
    order = standing_orders.give_order(place, PASS, now=NOON)
    page = client.post(orders_link(place), {"take_back": order.pk})
    assert "Ended: you cancelled it." in text(page)
    assert "Cancel" not in text(page)


def test_another_players_order_cannot_be_cancelled(client, match):
    order = standing_orders.give_order(waiting(match), PASS, now=NOON)
    client.post(orders_link(match.places.get(seat=match.waits.get().seat)), {"take_back": order.pk})
    assert not Order.objects.get().lapsed_at


def test_the_page_shows_the_moves_an_order_has_made(client, match):
    place = match.places.get(seat=match.waits.get().seat)
    page = client.post(orders_link(place), {"line": PASS})
    assert Order.objects.get().answered == [3]
    assert '<p class="small">You passed and drew' in text(page)


def test_an_order_that_moves_at_once_says_so_at_the_top(client, match):
    page = text(client.post(orders_link(match.places.get(seat=match.waits.get().seat)), {"line": PASS}))
    status = page.partition('role="status">')[2].partition("</section>")[0]
    assert IN_WORDS in status
    assert "You passed and drew" in status


def test_a_player_with_the_maximum_number_of_orders_is_told_so_and_offered_no_more(client, match):
    place = match.places.get(seat=match.waits.get().seat)
    for value in range(standing_orders.MOST_ORDERS):
        Order.objects.create(
            match=match, seat=place.seat, line=f"pass until someone plays below {value}", given_at=NOON
        )
    page = text(client.get(orders_link(place)))
    assert "You can have up to 12 orders at a time. Cancel one first." in page
    assert 'name="line"' not in page
    for address in (table_link(match), move_link(match, "pass")):
        assert 'name="order"' not in text(client.get(address))
        assert PASS not in text(client.get(address))


def test_a_get_request_gives_no_order(client, match):
    client.get(orders_link(waiting(match)), {"line": PASS})
    assert not Order.objects.exists()


# ── old letters ──


def test_an_old_link_shows_no_orders_and_gives_none(client, match):
    place = match.places.get(seat=match.waits.get().seat)
    old = orders_link(place)
    press(match, "pass")
    standing_orders.give_order(place, PASS, now=NOON)
    for page in (client.get(old), client.post(old, {"line": "pass until someone plays below 3"})):
        assert page.status_code == 409
        assert "This link is from an older letter" in text(page)
        assert "Your hand" not in text(page)
        assert "round 1" not in text(page)
    assert Order.objects.count() == 1


def test_an_old_link_offers_a_fresh_letter(client, match):
    place = match.places.get(seat=match.waits.get().seat)
    old = orders_link(place)
    press(match, "pass")
    page = client.post(old, {"letter": "1"})
    assert "Your letter is on its way" in text(page)
    assert Letter.objects.filter(recipient=place.player, key__contains="/again/").exists()


def test_renewed_links_no_longer_work(client, match):
    place = waiting(match)
    old = orders_link(place)
    own_seat.renew_links(place)
    assert client.get(old).status_code == 410


@pytest.mark.parametrize("nth", [0, 1, 8])
def test_a_seat_that_changes_hands_during_the_request_is_not_shown(client, match, nth, monkeypatch):
    place = waiting(match)
    old = orders_link(place)
    meanwhile(monkeypatch, nth, lambda: Place.objects.filter(pk=place.pk).update(occupant=place.occupant + 1))
    page = client.get(old)
    assert page.status_code == 410
    assert "Your hand" not in text(page)


@pytest.mark.parametrize("nth", [0, 1, 8])
def test_a_move_at_the_seat_during_the_request_makes_the_link_an_old_one(client, match, nth, monkeypatch):
    wait = match.waits.get()
    old = orders_link(match.places.get(seat=wait.seat))
    answer = partial(moves.play, match.pk, wait.seat, "pass", origin="player", question=wait.opened, now=NOON)
    meanwhile(monkeypatch, nth, answer)
    page = client.get(old)
    assert page.status_code == 409
    assert "Your hand" not in text(page)


def test_an_ended_match_takes_no_orders(client):
    match = seat_friends()
    place = waiting(match)
    address = orders_link(place)
    play_to_the_end(match)
    page = client.get(orders_link(place))
    assert "over" in text(page)
    assert client.post(address, {"line": PASS}).status_code == 409
    assert not Order.objects.exists()


def test_the_duel_suggests_and_takes_no_orders(client):
    place = waiting(seat_friends("bohnanza", "standard", seats=2))
    page = client.get(orders_link(place))
    assert "This game has no standing orders." in text(page)
    assert "accept any gift" not in text(page)
    refused = client.post(orders_link(place), {"line": "accept any gift of red"})
    assert refused.status_code == 422
    assert not Order.objects.exists()
    assert "standing order" not in text(client.get(table_link(place.match)))


def test_a_torn_link_says_so(client, match):
    assert client.get(orders_link(waiting(match))[:-9] + "/").status_code == 404


# ── with a move ──


def test_an_order_may_go_with_a_move(client, match):
    address = move_link(match, "pass")
    assert f'<option value="{PASS}">{IN_WORDS}</option>' in text(client.get(address))
    page = client.post(address, {"order": PASS})
    assert page.status_code == 200
    assert Order.objects.get().line == PASS
    assert f'<li>{IN_WORDS} <button class="quiet small" name="take_back"' in text(page)


def test_an_order_given_with_a_sealed_card_acts_when_the_cards_are_revealed(client):
    match = seat_friends("pas_de_haricots", "one", seats=4)
    holder = match.waits.get().seat
    press(match)
    others = [place for place in match.places.all() if place.seat != holder]
    for place in others:
        shown = scene.build_scene(Match.objects.get(pk=match.pk), place.seat)
        wish = "take best else highest simple else S else H else D in round 1 turn 1"
        client.post(link("move", shown.options[0].ticket), {"order": wish})
    page = client.post(move_link(match, "take"))
    [answered] = [order for order in Order.objects.all() if order.answered]
    assert answered.seat != holder
    line = scene.build_scene(Match.objects.get(pk=match.pk), answered.seat).find_line(answered.answered[0]).text
    assert re.match(
        r"You take \S+ from \w+\. "
        r"Played by your order “In turn 1 of round 1 take the best card for you",
        line,
    )
    assert "by your order" not in text(page)


def test_a_move_with_an_unreadable_order_is_not_made(client, match):
    page = client.post(table_link(match), {"line": "pass", "order": "juggle"})
    assert page.status_code == 422
    assert match.events.count() == 2


def test_the_page_for_a_sealed_card_has_the_best_take_ready_and_can_be_told_to_ask(client):
    match = seat_friends("pas_de_haricots", "one")
    press(match)
    for page in (text(client.get(table_link(match))), text(client.get(move_link(match)))):
        ready = re.findall(r'<option value="([^"]*)"( selected)?>', page)
        assert ready[:3] == [
            ("", ""),
            ("take best else wanted else first in round 1 turn 1", " selected"),
            ("take best in round 1 turn 1", ""),
        ]
        assert [line for line, is_selected in ready if is_selected] == [ready[1][0]]
        assert "We’ve preselected “In turn 1 of round 1 take the best card for you (ties: " in page
    assert not Order.objects.exists()
