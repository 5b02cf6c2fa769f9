"""Moves composed on a page: one canonical line, whatever was ticked."""

import random
import re
from dataclasses import replace

import pytest
from django.http import QueryDict

from beanpost.pages.forms.move import build_compose_form
from beanpost.play import moves
from beanpost.play.display import scene
from beanpost.play.tickets import MoveTicket, redeem
from tests.friends import NOON, let_have_played_before, seat_friends
from tests.pages.table import link

pytestmark = pytest.mark.django_db

ANN, BOB, CLEO, DORA = range(4)


def say(match, seat, line):
    ticket = redeem(MoveTicket, scene.build_scene(match, seat).question.ticket)
    moves.play_ticket(ticket, line, now=NOON)
    match.refresh_from_db()


@pytest.fixture
def market():
    """Dora's market: eye and green lie face up, and she holds cocoa, green, soy and chili."""
    match = seat_friends("bohnanza", "standard", seats=4)
    say(match, DORA, "plant garden in 1")
    say(match, DORA, "reveal")
    return match


def composed(match, seat, typed):
    form = build_compose_form(scene.build_scene(match, seat), QueryDict(typed))
    assert form.is_valid(), form.errors
    return " / ".join(form.lines)


@pytest.mark.parametrize(
    ("seat", "typed", "line"),
    [
        (DORA, "gives=*eye&gives=green@2&want_chili=2&want_red=1&to=A", "offer *eye green@2 for chili chili red to A"),
        (DORA, "gives=*eye&to=all", "offer *eye for nothing to all"),
        (DORA, "want_wax=1&to=B", "offer nothing for wax to B"),
        (DORA, "gives=*eye&want_wax=1&to=B&to=C", "offer *eye for wax to B / offer *eye for wax to C"),
        (ANN, "gives=chili@1&up=*eye&to=D", "offer chili@1 for *eye to D"),
        (ANN, "gives=chili@1&up=*eye&want_soy=1&want_wax=&to=D", "offer chili@1 for *eye soy to D"),
    ],
)
def test_an_offer_is_one_line(market, seat, typed, line):
    assert composed(market, seat, typed) == line


def test_the_position_of_a_card_does_not_read_like_a_number_of_cards(client, market):
    page = client.get(link("move", scene.build_scene(market, ANN).question.ticket)).content.decode()
    assert "Chili, card 1</span>" in page


def test_an_inactive_player_can_trade_with_the_active_player_only(market):
    form = build_compose_form(scene.build_scene(market, BOB))
    assert [label for _, label in form.fields["to"].choices] == ["Dora"]


@pytest.mark.parametrize("typed", ["gives=red@9&to=A", "gives=*garden&to=A", "want_red=10&to=A", "want_red=x&to=A",
                                   "want_red=-1&to=A", "to=G", "gives=" + "x" * 10_000])  # fmt: skip
def test_impossible_form_values_are_refused_and_change_nothing(client, market, typed, everything):
    before = everything()
    page = client.post(
        link("move", scene.build_scene(market, DORA).question.ticket), QueryDict(typed + "&compose=offer").dict()
    )
    assert page.status_code == 400
    assert "Make an offer" in page.content.decode()
    assert everything() == before


def test_an_offer_of_nothing_for_nothing_is_refused_by_the_rules(client, market):
    page = client.post(link("move", scene.build_scene(market, DORA).question.ticket), {"to": "all", "compose": "offer"})
    assert page.status_code == 422
    assert "An offer needs at least one card." in page.content.decode()


def test_a_refused_form_keeps_its_ticks(client, market):
    wrong = {"gives": "green@2", "want_chili": "99", "to": "B", "compose": "offer"}
    page = client.post(link("move", scene.build_scene(market, DORA).question.ticket), wrong).content.decode()
    assert re.search(r'value="green@2"[^>]* checked', page)
    assert not re.search(r'value="soy@3"[^>]* checked', page)


def test_a_counter_offer_starts_from_the_offer_it_answers(client, market):
    say(market, DORA, "offer *eye green@2 for stink to A")
    page = client.get(link("move", scene.build_scene(market, ANN).question.ticket) + "?draft=1").content.decode()
    assert re.search(r'value="stink@4"[^>]* checked', page)
    assert re.search(r'value="\*eye"[^>]* checked', page)
    assert re.search(r'name="want_green" value="1"', page)
    assert "Make a counter-offer to Dora’s offer 1" in page
    say(market, ANN, "offer stink@4 for *eye to D")
    back = client.get(link("move", scene.build_scene(market, DORA).question.ticket) + "?draft=2").content.decode()
    assert re.search(r'value="\*eye"[^>]* checked', back)
    assert re.search(r'name="to" value="A"[^>]* checked', back)
    assert re.search(r'name="want_stink" value="1"', back)


@pytest.mark.parametrize("draft", ["0", "1", "9", "x", "²", "-1"])
def test_an_empty_draft_is_an_empty_form(client, market, draft):
    page = client.get(link("move", scene.build_scene(market, ANN).question.ticket), {"draft": draft})
    assert page.status_code == 200
    assert not re.search(r'name="(gives|up)"[^>]* checked', page.content.decode())


def test_typing_is_offered_only_if_no_form_can_make_the_move(client, market):
    page = client.get(link("move", scene.build_scene(market, DORA).question.ticket)).content.decode()
    assert '<textarea id="line"' not in page  # the form makes every offer
    say(market, ANN, "offer chili for green to D")
    address = link("move", scene.build_scene(market, DORA).question.ticket)
    assert '<textarea id="line"' in client.get(address).content.decode()
    client.post(address, {"line": "accept 1 giving green@2"})
    assert market.events.filter(line="accept 1 giving green@2").exists()


def test_several_moves_are_made_together_or_not_at_all(client, market):
    address = link("move", scene.build_scene(market, DORA).question.ticket)
    refused = client.post(address, {"line": "offer *eye for red to A\noffer *garden for red to A"})
    assert refused.status_code == 422
    assert "That card isn’t face up." in refused.content.decode()
    assert not market.events.filter(line__startswith="offer").exists()
    client.post(address, {"line": "offer *eye for red to A\r\n\r\noffer *green for wax to B", "note": "Well?"})
    offers = market.events.filter(line__startswith="offer").values_list("line", flat=True)
    assert list(offers) == ["offer *eye for red to A", "offer *green for wax to B"]
    assert list(market.notes.values_list("text", flat=True)) == ["Well?"] * 2


def test_the_page_of_an_acceptance_asks_where_to_plant(client, market):
    let_have_played_before(market)
    say(market, DORA, "offer *eye for nothing to A")
    say(market, ANN, "offer red for *green to D")
    say(market, DORA, "accept 2")
    say(market, DORA, "offer soy for nothing to A")  # with green and eye there is no room for soy
    link_to = {option.line: link("move", option.ticket) for option in scene.build_scene(market, ANN).question.options}
    assert "This turn, plant what you get: " not in client.get(link_to["accept 1"]).content.decode()
    client.post(link_to["accept 1"])
    assert "This turn, plant what you get: " not in client.get(link_to["no deal"]).content.decode()
    assert "This turn, plant what you get: " in client.get(link_to["accept 3"]).content.decode()


def test_a_composed_form_for_a_game_without_one_is_no_move(client):
    match = seat_friends()
    seat = match.waits.get().seat
    page = client.post(link("move", scene.build_scene(match, seat).question.ticket), {"compose": "offer", "to": "all"})
    assert page.status_code == 422
    assert match.events.count() == 2


def test_a_stack_is_one_line_with_its_aims():
    match = seat_friends("haricot_magique", "base", seats=2)
    chance = random.Random(1)
    while (form := build_compose_form(shown := scene.build_scene(match, match.waits.first().seat))) is None:
        say(
            match,
            shown.reader,
            chance.choice([option.line for option in shown.question.options if "axe" not in option.line]),
        )
    dice = shown.view.dice[::-1]
    typed = "&".join(f"die_{n}={face}&aim_{n}={n - 3}" for n, face in enumerate(dice, 1))
    assert len(form.find_field_rows("die_", "aim_")) == len(dice)
    aims = ["@-2", "@-1", "", "@1", "@2", "@3"]
    assert composed(match, shown.reader, typed) == "stack " + " ".join(
        face + aim for face, aim in zip(dice, aims, strict=False)
    )


def test_a_link_to_a_trade_that_is_no_longer_suggested_still_offers_it(client, market):
    question = scene.build_scene(market, ANN).question
    line = "offer chili for nothing to D"
    assert line not in {option.line for option in question.options}
    ticket = replace(redeem(MoveTicket, question.ticket), line=line)
    assert "Give Dora a chili bean</button>" in client.get(link("move", ticket)).content.decode()
    assert "Already played" not in client.post(link("move", ticket), follow=True).content.decode()
    market.refresh_from_db()
    assert scene.build_scene(market, ANN).view.offers[-1].gives == ("chili",)
