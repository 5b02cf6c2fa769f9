"""Moves that nobody was asked for are told as ours: forced answers, time-outs, and bots that sit in."""

from datetime import timedelta

import pytest
from django.urls import reverse
from django.utils import translation

from beanpost.play.display.story import find_line
from beanpost.play.models import Event, Match, Place
from beanpost.play.timekeeping import timeouts
from beanpost.play.turns import house_lines
from beanpost.post.compose.letter import compose
from beanpost.post.mime import split_parts
from beanpost.post.models import Letter
from tests.browser import Browser
from tests.friends import NOON, seat_friends
from tests.pages.table import asked, move_link, play_to_the_end, press
from tests.site.doors import signed_in

pytestmark = pytest.mark.django_db


def play_until_forced(match: Match, *wishes: str) -> Event:
    """Play until the house has answered for a seat. Return that line."""
    while not (found := match.events.filter(origin=Event.Origin.HOUSE, seat__gte=0)).exists():
        options = {option.line.split()[0] for option in asked(match).question.options}
        press(match, next(wish for wish in wishes if wish in options))
    return found.first()


def told(match: Match, line: Event, reader: int | None) -> str:
    return find_line(match, reader, line.seq).text


@pytest.fixture
def folded():
    """A match of Haricots, and the line with which we folded for a player."""
    match = seat_friends("haricots", "sprint")
    return match, play_until_forced(match, "pass", "play", "fold")


MINE = "We folded for you: your deck was empty and nothing beat 17. You showed 4 5 5 6 7 7 8 9 10 11 12 and paid 2."
THEIRS = "We folded for Ann: the deck was empty and nothing beat 17. Ann showed 4 5 5 6 7 7 8 9 10 11 12 and paid 2."


def test_a_forced_fold_is_told_as_ours_with_its_reason(folded):
    match, line = folded
    assert told(match, line, line.seat) == MINE
    assert told(match, line, None) == told(match, line, 1) == THEIRS


def test_a_forced_fold_is_told_as_ours_on_pages_in_letters_and_in_the_replay(folded):
    match, line = folded
    browser = signed_in(match.places.get(seat=line.seat).player)
    assert MINE in browser.get(reverse("match", args=[match.code])).content.decode()
    assert MINE in browser.get(reverse("moment", args=[match.code, line.seq])).content.decode()
    assert THEIRS in Browser().get(reverse("moment", args=[match.code, line.seq])).content.decode()
    reader = asked(match).place.player
    letter = compose(Letter.objects.filter(match=match, recipient=reader, kind="turn").latest("pk"), NOON)
    assert THEIRS in " ".join(split_parts(letter.source).text.split())
    play_to_the_end(match)
    assert MINE in browser.get(reverse("moment", args=[match.code, line.seq])).content.decode()
    assert THEIRS in Browser().get(reverse("match", args=[match.code])).content.decode()


def test_a_forced_fold_is_told_as_ours_in_french(folded):
    match, line = folded
    with translation.override("fr"):
        assert told(match, line, line.seat).startswith("Nous nous couchons pour vous\N{NO-BREAK SPACE}: votre")
        assert told(match, line, None).startswith("Nous nous couchons pour Ann\N{NO-BREAK SPACE}: sa")


@pytest.mark.parametrize(
    ("game", "variant", "wishes", "mine", "theirs"),
    [
        (
            "pas_de_haricots", "one", ("play", "take"),
            "There was only one move, so we made it for you. You took 2♠ from Cleo.",
            "There was only one move, so we made it for Ann. Ann took 2♠ from Cleo.",
        ),
        (
            "bohnanza", "standard", ("plant", "done", "accept", "harvest"),
            "We planted a coffee bean in field 2 for you, where there was room.",
            "We planted a coffee bean in field 2 for Ann, where there was room.",
        ),
        (
            "haricot_magique", "expert", ("choose", "roll", "skip", "stack", "enough"),
            "Your card allows one die only, so we chose that for you.",
            "There was only one move, so we made it for Bob. Bob decided to roll one die.",
        ),
    ],
)  # fmt: skip
def test_a_forced_answer_of_another_game_is_told_as_ours(game, variant, wishes, mine, theirs):
    match = seat_friends(game, variant)
    line = play_until_forced(match, *wishes)
    assert told(match, line, line.seat) == mine
    assert told(match, line, None) == theirs


def test_the_bean_card_that_is_left_needs_no_such_words():
    match = seat_friends("pas_de_haricots", "one")
    play_until_forced(match, "play", "take")
    bean = match.events.filter(origin=Event.Origin.HOUSE, seat__gte=0).last()
    assert told(match, bean, bean.seat).startswith("You got the bean card")


def test_a_move_after_a_time_out_is_told_as_ours():
    match = seat_friends("haricots", "basic")
    late = asked(match).place
    Place.objects.update(excuses=0)
    timeouts.time_out_all(NOON + timedelta(days=1))
    line = match.events.get(origin=Event.Origin.CLOCK)
    assert told(match, line, late.seat).startswith("Your time ran out, so we played for you. You passed and drew ")
    assert told(match, line, None).startswith(f"{late} ran out of time, so we played. {late} passed")


def test_a_bots_move_is_not_told_as_the_players_own():
    match = seat_friends("haricots", "basic")
    away = asked(match).place
    house_lines.substitute_bot(match, away, Event.Origin.PLAYER, NOON)
    line = match.events.filter(origin=Event.Origin.BOT, seat=away.seat).first()
    assert told(match, line, away.seat).startswith("A bot played for you. You ")
    assert told(match, line, None).startswith(f"{away} ")


def test_the_page_after_a_press_tells_what_we_did_for_the_player_then():
    match, browser = seat_friends("pas_de_haricots", "one"), Browser()
    while True:
        page, before = browser.post(move_link(match)).content.decode(), match.length
        match.refresh_from_db()
        mover = match.events.get(seq=before + 1).seat
        if match.events.filter(seq__gt=before, origin=Event.Origin.HOUSE, seat=mover).exists():
            break
    assert "You got the bean card" in page or "so we made it for you" in page
