"""The page of standing orders: secret, one press each, and closed to old letters."""

import re
from functools import partial

import pytest
from django.conf import settings
from django.utils import translation
from django.utils.html import escape

import games
from beanpost.play import moves
from beanpost.play.display import scene
from beanpost.play.display.orders import offers
from beanpost.play.display.orders.offers import describe_plan, find_planned_moves, list_plans
from beanpost.play.display.story import find_line
from beanpost.play.models import Match, Order, Place
from beanpost.play.seats import own_seat
from beanpost.play.turns import standing_orders
from beanpost.post.models import Letter
from tests.friends import NOON, let_have_played_before, seat_friends
from tests.pages.table import asked, link, meanwhile, move_link, play_to_the_end, press, table_link

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


TELLS = "If it answers at once, the others can tell something about your hand."


def test_an_order_that_depends_on_the_hand_says_where_it_is_given_that_its_answer_tells_of_it(client, match):
    shown = scene.build_scene(match, waiting(match).seat)
    said = {
        kind.says: about.endswith(TELLS)
        for kind, (about, _) in zip(shown.order_types, offers.list_order_examples(shown), strict=True)
    }
    assert said["fold in round {round} when nothing can be played"]
    assert not said["always pass in round {round}"]
    page = text(client.get(orders_link(waiting(match))))
    assert page.count(TELLS) == sum(said.values())
    assert "If the order depends on your hand, its answer tells something about that, too." in page
    assert offers.describe_effect("fold in round 1 when nothing can be played", shown).endswith(TELLS)


def test_no_game_without_hidden_hands_warns_of_its_orders():
    telling = {slug for slug, rules in games.GAMES.items() if any(kind.tells_hand for kind in rules.orders.kinds)}
    assert telling == {"haricots", "fagioli", "pas_de_haricots", "bohnanza"}


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
    lines = {str(order) for order in offers.list_order_choices(shown)}
    sentences = offers.build_order_sentences(shown)
    assert sentences
    page = text(client.get(orders_link(place)))
    for sentence in sentences:
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
    assert re.search(
        r">In every turn of round 1 take <select .*<option selected>the card worth most to you</option>", form
    )
    assert re.search(r"; if in doubt, <select .*<option selected>we ask you</option><option>the next", form)


def test_a_built_order_can_be_previewed_without_a_script(client, match):
    place = waiting(match)
    sentence = next(one for one in offers.build_order_sentences(scene.build_scene(match, place.seat)) if one.pieces[1:])
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
    owner, idle = match.places.get(seat=match.waits.get().seat), waiting(match)  # nothing lies on the table
    below = "pass until someone plays below 9"
    assert f'value="{below}"' not in text(client.get(orders_link(owner)))
    assert f'value="{below}"' in text(client.get(orders_link(idle)))
    let_have_played_before(match)
    [move, *_] = asked(match).question.options
    assert below in [plan.order for plan in list_plans(move, asked(match))]  # beside a move, it is for the next turn


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
    for value in range(standing_orders.MAX_ORDERS):
        Order.objects.create(
            match=match, seat=place.seat, line=f"pass until someone plays below {value}", given_at=NOON
        )
    page = text(client.get(orders_link(place)))
    assert "You can have up to 12 orders at a time. Cancel one first." in page
    assert 'name="line"' not in page
    let_have_played_before(match)
    for address in (table_link(match), move_link(match, "pass")):
        assert 'class="plans"' not in text(client.get(address))


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


def plans_on(page) -> dict[str, str]:
    """The plans that a page offers: what each button says, with the address that it is sent to."""
    buttons = re.findall(r'<button[^>]*formaction="([^"]*)"><strong>(.*?)</strong> (.*?)</button>', text(page))
    return {f"{move} / {order}": address for address, move, order in buttons}


def test_an_order_may_go_with_a_move_by_a_button_that_names_both(client, match):
    let_have_played_before(match)
    page = client.get(move_link(match, "pass"))
    label = describe_plan(asked(match), "pass", "")
    assert f'<button class="big">{label}</button>' in text(page)
    address = plans_on(page)[f"{label} / {IN_WORDS}"]
    page = client.post(address, follow=True)
    assert page.status_code == 200
    assert Order.objects.get().line == PASS
    assert f'<li>{IN_WORDS} <button class="quiet small" name="take_back"' in text(page)


def test_an_order_given_with_a_sealed_card_acts_when_the_cards_are_revealed(client):
    match = let_have_played_before(seat_friends("pas_de_haricots", "one", seats=4))
    holder = match.waits.get().seat
    press(match)
    others = [place for place in match.places.all() if place.seat != holder]
    for place in others:
        shown = scene.build_scene(Match.objects.get(pk=match.pk), place.seat)
        [wish, *_] = list_plans(shown.question.options[0], shown)
        assert wish.order == "take best else wanted else first in round 1 turn 1"
        client.post(link("plan", wish.ticket))
    page = client.post(move_link(match, "take"))
    answered = [order for order in Order.objects.all() if order.answered]
    assert {order.seat for order in answered} <= {place.seat for place in others}
    line = find_line(Match.objects.get(pk=match.pk), answered[0].seat, answered[0].answered[0]).text
    assert re.match(
        r"You took \S+ from \w+\. Played by your order “In turn 1 of round 1: take the card worth most to you", line
    )
    assert "by your order" not in text(page)


@pytest.mark.parametrize("field", ["order", "plan"])
def test_the_button_of_a_plain_move_gives_no_order_whatever_else_is_sent(client, match, field):
    client.post(move_link(match, "pass"), {field: PASS})
    assert match.events.count() == 3
    assert not Order.objects.exists()


def test_nothing_but_its_own_button_gives_an_order_with_a_sealed_card(client):
    match = let_have_played_before(seat_friends("pas_de_haricots", "one"))
    press(match)
    for address in (table_link(match), move_link(match)):
        page = client.get(address)
        assert "<select" not in text(page)
        assert " selected" not in text(page)
        assert any("/ This turn: take the card worth most to you" in says for says in plans_on(page))
    card = asked(match).question.options[0]
    page = client.get(link("move", card.ticket))
    button = text(page).partition('<button class="big">')[2].partition("</button>")[0]
    assert button.startswith("Play 1<")
    assert "take" not in button
    client.post(link("move", card.ticket))
    assert not Order.objects.exists()


# ── the first match of a game ──


def test_plans_are_offered_from_the_third_turn_of_a_players_first_match(client, match):
    for turn in range(3 * match.seats):
        pages = [text(client.get(address)) for address in (table_link(match), move_link(match))]
        is_third = turn >= 2 * match.seats
        assert [('class="plans"' in page, "Ready to use:" in pages[0]) for page in pages] == [(is_third, is_third)] * 2
        assert "Pass until the value to beat is below" in text(client.get(orders_link(asked(match).place)))
        press(match, "pass")


@pytest.mark.parametrize("slug", [slug for slug, rules in games.GAMES.items() if rules.orders.kinds])
def test_a_player_of_another_match_of_the_same_game_is_offered_plans_at_once(slug):
    match = seat_friends(slug, games.get(slug).variants[0], seats=3)
    assert not find_planned_moves(asked(match))
    let_have_played_before(match)
    assert find_planned_moves(asked(match))
    Match.objects.exclude(pk=match.pk).update(game="another")
    match.refresh_from_db()
    assert not find_planned_moves(asked(match))


@pytest.mark.parametrize(
    ("slug", "two_turns"), [("pas_de_haricots", "turn 3"), ("bohnanza", "turn 7"), ("haricot_magique", "round 3")]
)
def test_turns_are_counted_as_the_game_does(slug, two_turns):
    match = seat_friends(slug, games.get(slug).variants[0], seats=3)
    while not find_planned_moves(asked(match)):
        press(match)
        assert match.length < 300
    number = int(two_turns.split()[-1])
    view = asked(match).view
    assert (view.round if two_turns.startswith("round") else view.turn) == number


# ── whose turns an order counts ──


def test_an_order_counts_its_owners_turns_and_is_read_in_these_words(client):
    match = seat_friends("fagioli", "standard")
    place = waiting(match)
    page = text(client.get(orders_link(place)))
    assert "Through your next 3 turns: play it safe" in page
    assert not re.search(r">[^<]*until turn", page)
    client.post(orders_link(place), {"line": "Through your next 3 turns: play it safe."})
    shown = scene.build_scene(Match.objects.get(pk=match.pk), place.seat)
    [order] = shown.orders
    seats, number = match.seats, asked(match).view.number
    own = [turn for turn in range(number + 1, number + 5 * seats) if (turn - number) % seats == after(match, place)]
    assert order.line == f"play steadily until turn {own[3]}"
    assert shown.describe_order(order.line) == "Through your next 3 turns: play it safe"
    press(match)
    press(match)
    assert shown.describe_order(order.line) != ""
    now = scene.build_scene(Match.objects.get(pk=match.pk), place.seat)
    left = 3 - sum(event.seat == place.seat for event in match.events.all())
    assert now.describe_order(order.line) == f"Through your next {left} turns: play it safe"


def after(match: Match, place: Place) -> int:
    """How many seats after the asked one a player sits."""
    return (place.seat - asked(match).place.seat) % match.seats


@pytest.mark.parametrize("language", dict(settings.LANGUAGES))
@pytest.mark.parametrize("slug", ["fagioli", "bohnanza", "pas_de_haricots"])
def test_no_plan_on_offer_names_a_turn_by_the_tables_count(slug, language):
    match = let_have_played_before(seat_friends(slug, games.get(slug).variants[-1], seats=4))
    with translation.override(language):
        for _ in range(12):
            shown = asked(match)
            offered = [*find_planned_moves(shown), *list_plans(shown.question.options[0], shown)]
            assert offered
            texts = [*(option.then for option in offered), *offers.describe_offered_orders(shown)]
            assert [text for text in texts if re.search(r"(?:turns?|tours?) [0-9]", text)] == []
            press(match)
