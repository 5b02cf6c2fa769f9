"""A round of Le Haricot Magique by post: sealed cards, then each player's turn on one page."""

from datetime import timedelta

import pytest
import time_machine
from django.http import HttpResponse

from beanpost.play.display import scene
from beanpost.play.models import Match
from tests.friends import NOON, seat_friends
from tests.post.gallery import printed_moves
from tests.site.mailbag import form_on, is_good_mail, press, read, turns

pytestmark = pytest.mark.django_db


@pytest.fixture
def variant():
    return "base"


@pytest.fixture
def match(variant):
    with time_machine.travel(NOON, tick=False):
        yield seat_friends("haricot_magique", variant, seats=3)


def name_of_the_next(match: Match) -> str:
    return match.places.get(seat=match.waits.get().seat).name


def steered(match: Match, seat: int) -> dict[str, object]:
    """Return the form values for the dice in the order rolled, the first a little to the left."""
    dice = scene.build_scene(match, seat).view.dice
    values = {f"die_{n}": face for n, face in enumerate(dice, 1)} | {f"aim_{n}": 0 for n in range(1, len(dice) + 1)}
    return values | {"aim_1": -2, "compose": "stack"}


@pytest.mark.parametrize("variant", ["base", "expert"])
def test_a_whole_round_is_played_from_letters_and_their_pages(client, match):
    for name in ("Cleo", "Ann", "Bob"):
        letter = read(match, name, NOON)
        assert is_good_mail(letter)
        assert f"You chose card {printed_moves(letter)[-1]['line'].split()[1]}." in (
            press(client, letter, printed_moves(letter)[-1]["line"]).content.decode()
        )
        assert len(turns(match, name)) == 1
    for _ in range(3):
        sitting(client, match, name_of_the_next(match))
    match.refresh_from_db()
    assert scene.build_scene(match, None).view.round == 2
    assert all("Choose your card for round 2." in read(match, name, NOON).text for name in ("Ann", "Bob"))


def sitting(client, match: Match, name: str) -> None:
    """Take a turn from one letter: the dice, the extra dice and the stack, all on one page."""
    letter = read(match, name, NOON)
    seat = match.places.get(player=letter.recipient).seat
    page = press(client, letter, letter.options[0]["line"])
    while match.waits.filter(seat=seat, about__contains=" turn ").exists():
        match.refresh_from_db()
        shown = scene.build_scene(match, seat)
        typed = steered(match, seat) if shown.view.phase == "stacking" else {"line": shown.question.options[-1].line}
        table = page.content.decode().split('<div class="table">')[1].split("</svg>")[0]
        assert table.count("data-level") == len(shown.view.stalk)
        page = client.post(form_on(page), typed)
        assert page.status_code == 200
    stacked = [line for line in match.events.values_list("line", flat=True) if line.startswith("stack")]
    assert "@-2" in stacked[-1]
    assert len(turns(match, name)) == 2  # the card, and the turn


def test_unrolled_dice_are_refused_and_the_form_keeps_its_values(client, match):
    for name in ("Cleo", "Ann", "Bob"):
        letter = read(match, name, NOON)
        press(client, letter, printed_moves(letter)[-1]["line"])
    seat = match.waits.get().seat
    page = play_until_stacking(client, match, read(match, name_of_the_next(match), NOON), seat)
    dice = scene.build_scene(match, seat).view.dice
    before = match.events.count()
    wrong = steered(match, seat) | {"aim_1": 7}
    assert client.post(form_on(page), wrong).status_code == 400
    assert len(set(dice)) > 1
    refused = client.post(form_on(page), steered(match, seat) | {f"die_{n}": dice[0] for n in range(1, len(dice) + 1)})
    assert refused.status_code == 422
    assert "Stack all the dice, each one once" in refused.content.decode()
    assert match.events.count() == before


def test_a_stack_can_be_chosen_from_a_letter_that_shows_its_risk(client, match):
    for name in ("Cleo", "Ann", "Bob"):
        letter = read(match, name, NOON)
        press(client, letter, printed_moves(letter)[-1]["line"])
    seat, name = match.waits.get().seat, name_of_the_next(match)
    play_until_stacking(client, match, read(match, name, NOON), seat)
    letter = read(match, name, NOON + timedelta(hours=1))  # the letter goes when nobody has stacked for a while
    assert is_good_mail(letter)
    assert all("chance of falling: " in option["label"] for option in letter.options)
    assert all(unwrapped(option["label"]) in unwrapped(letter.text) for option in letter.options)
    assert letter.html.count("chance of falling: ") >= len(letter.options)
    line = letter.options[-1]["line"]
    assert press(client, letter, line).status_code == 200
    assert match.events.filter(seat=seat, line=line).exists()


def play_until_stacking(client, match: Match, letter, seat: int) -> HttpResponse:
    page = press(
        client, letter, next(o["line"] for o in reversed(printed_moves(letter)) if o["line"].startswith("roll"))
    )
    while scene.build_scene(Match.objects.get(pk=match.pk), seat).view.phase != "stacking":
        page = client.post(form_on(page), {"line": "enough"})
    match.refresh_from_db()
    return page


def unwrapped(text: str) -> str:
    return " ".join(text.split())
