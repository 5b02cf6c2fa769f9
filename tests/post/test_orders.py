"""Standing orders in letters: listed to their owner, with their moves and the reason they ended; and long menus."""

import re

import pytest

from beanpost.play import moves
from beanpost.play.display import scene
from beanpost.play.display.wording import format_card
from beanpost.play.models import Place
from beanpost.play.tickets import MoveTicket, OrderTicket, redeem
from beanpost.play.turns import standing_orders
from beanpost.post.compose import menus
from beanpost.post.models import Letter
from tests.browser import fold_space
from tests.friends import NOON, seat_friends
from tests.post.gallery import asked, deliver, move, printed_moves

pytestmark = pytest.mark.django_db

BELOW, IN_WORDS = "pass until someone plays below 9", "Pass until the value to beat is below 9"


def newest(place: Place) -> Letter:
    deliver()
    return Letter.objects.filter(recipient=place.player, state=Letter.State.SENT).latest("pk")


def read_lines(html: str) -> set[str]:
    """Return the lines of the move links in a part of a letter."""
    return {redeem(MoveTicket, ticket).line for ticket in re.findall(r'/move/([^/"]+)/"', html)}


def test_a_letter_lists_the_active_orders_and_links_to_the_orders_page():
    match = seat_friends(variant="basic")
    place = asked(match)
    letter = newest(place)
    assert "Let a standing order play for you:" in letter.text
    [address] = re.findall(r"/orders/(\S+)/\n", letter.text)
    assert redeem(OrderTicket, address) == OrderTicket(match.pk, place.seat, 1, 0)
    assert f"/orders/{address}/" in letter.html


def test_a_letter_tells_the_moves_made_by_an_order_and_why_it_ended():
    match = seat_friends(variant="basic")
    following = match.places.select_related("player").get(seat=(asked(match).seat + 1) % 3)
    standing_orders.give_order(following, "fold in round 1 when nothing can be played", now=NOON)
    standing_orders.give_order(following, BELOW, now=NOON)
    move(match, "pass")
    letter = newest(following)
    for body in (letter.text, letter.html):
        assert IN_WORDS in body
        assert "Ended: the value to beat is below 9." in " ".join(body.split())
        assert "In round 1, fold as soon as you can’t play" in body
    others = Letter.objects.exclude(recipient=following.player)
    assert not any(IN_WORDS in letter.text + letter.html for letter in others)


def test_news_name_the_order_that_moved():
    match = seat_friends("pas_de_haricots", "one", seats=4)
    place = match.places.select_related("player").exclude(seat=match.waits.get().seat).first()
    card = scene.build_scene(match, place.seat).view.hand[0]
    standing_orders.give_order(place, f"play {card} in round 1 turn 1", now=NOON)
    move(match)
    while match.waits.filter(seat=place.seat).count() == 0:
        wait = match.waits.first()
        ticket = redeem(MoveTicket, scene.build_scene(match, wait.seat).question.options[0].ticket)
        moves.play_ticket(ticket, ticket.line, now=NOON)
        match.refresh_from_db()
    letter = newest(place)
    shown = format_card(card, scene.build_scene(match, place.seat).rules.look)
    assert f"Played by your order “This turn: play {shown}”." in " ".join(letter.text.split())
    assert "Ended: it did its job." in " ".join(letter.text.split())
    everybody = Letter.objects.filter(match=match).exclude(recipient=place.player)
    assert not any("by your order" in letter.text for letter in everybody)


# ── long menus ──


@pytest.fixture
def long_letter():
    match = seat_friends("fagioli", "standard")
    while len(scene.build_scene(match, asked(match).seat).question.options) <= menus.MAX_PRINTED:
        move(match)
    return match, newest(asked(match))


def test_a_very_long_menu_prints_twenty_moves_and_links_every_heading_that_has_more(long_letter):
    match, letter = long_letter
    shown = scene.build_scene(match, asked(match).seat)
    assert re.findall(r"^(m\d+)\. ", letter.text, re.M) == [option["mark"] for option in letter.options]
    printed = {move["line"] for move in printed_moves(letter)}
    assert len(printed) == menus.MAX_PRINTED
    for group in shown.question.groups:
        linked = f"#{group.anchor}\n" in letter.text
        assert linked == any(option.line not in printed for option in group.options)
        assert linked == (f'#{group.anchor}"' in letter.html)
    assert f"See all {len(shown.question.options)} moves on the page" in letter.text


def test_a_button_under_a_heading_is_short_and_has_a_full_label(long_letter):
    match, letter = long_letter
    option = scene.build_scene(match, asked(match).seat).question.options[0]
    assert f'aria-label="{option.brief}, {option.heading}"' in letter.html
    move, outcome = option.brief.split(": ")
    assert re.search(rf'>{move}<br><span class="price"[^>]*>{outcome}</span></a>', fold_space(letter.html))
    assert f">{option.heading}</p>" in letter.html


def test_ruinous_moves_are_links_below_the_buttons_of_a_letter():
    match = seat_friends("fagioli", "standard")
    letter, shown = newest(asked(match)), scene.build_scene(match, asked(match).seat)
    before, links = re.split(r'<p class="small soft ruins"[^>]*>Moves that burst \(−2 token\)', fold_space(letter.html))
    links = links.partition("</p>")[0]
    assert read_lines(links) == {option.line for option in shown.question.options if option.ruin}
    assert read_lines(before) == {option.line for option in shown.question.options if not option.ruin}
    assert 'class="button"' not in links
    assert "Moves that burst (−2 token):\n" in letter.text


def test_twenty_cards_are_compact_buttons_in_rows_of_four():
    letter = newest(asked(seat_friends("pas_de_haricots", "one")))
    rows = re.findall(r'<table[^>]*class="moves answers compact".*?</table>', fold_space(letter.html), re.DOTALL)
    assert [row.count('class="button"') for row in rows] == [4] * 5
    moves = [move["line"].removeprefix("play ") for move in printed_moves(letter)]
    assert len(moves) == 20
    assert ">Q♠<br>" in "".join(rows)
    assert ">flips</span>" in "".join(rows)
