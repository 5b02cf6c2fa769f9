"""The ready answers that a reader is shown: those that hurt are marked, and equal ones are shown once."""

import re

import pytest

import games
from beanpost.play import moves
from beanpost.play.display import scene
from beanpost.play.tickets import MoveTicket, redeem
from beanpost.post.models import Letter
from tests.friends import NOON, seat_friends
from tests.post.gallery import asked, deliver, press_any

pytestmark = pytest.mark.django_db


def options(match):
    return scene.build_scene(match, asked(match).seat).question.options


def test_one_of_several_empty_fields_is_offered_and_the_others_can_still_be_named():
    match = seat_friends("bohnanza", "standard")
    seat = asked(match).seat
    [planting] = options(match)
    assert planting.line.endswith(" in 1")
    assert len(scene.build_scene(match, seat).question.ask.menu) == 3  # the rules keep them all
    ticket = redeem(MoveTicket, scene.build_scene(match, seat).question.ticket)
    moves.play_ticket(ticket, planting.line.replace(" in 1", " in 3"), now=NOON)
    match.refresh_from_db()
    assert scene.build_scene(match, seat).view.seats[seat].fields[2].count == 1


def test_folding_hurts_and_playing_does_not():
    match = seat_friends()
    hurting = {option.line: option.warning for option in options(match)}
    assert hurting["fold"] == "You’re out of this round and pay 5 for the cards outside your run."
    assert not hurting["pass"]
    assert not any(hurts for line, hurts in hurting.items() if line.startswith("play"))


def test_a_burst_hurts_and_names_its_token():
    match = seat_friends("fagioli", "standard")
    bursting = [option for option in options(match) if option.ruin]
    assert bursting
    assert all(re.search(r"you burst, take the −\d token$", option.label) for option in bursting)
    assert not any("burst" in option.label for option in options(match) if not option.warning)


def test_a_letter_outlines_the_moves_that_hurt():
    seat_friends()
    deliver()
    html = Letter.objects.get(kind="turn").html
    assert len(re.findall(r'<td class="move hurts"', html)) == 1
    assert re.search(r'<td class="move hurts".*?Fold and pay', html, re.S)


def test_a_game_that_says_nothing_has_neither():
    plain = games.get("pas_de_haricots").menus
    match = seat_friends("pas_de_haricots", "one")
    press_any(match, NOON)
    assert plain.group_key is None
