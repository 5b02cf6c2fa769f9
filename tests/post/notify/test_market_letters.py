"""Letters about a market: none while a plan takes care of it, none for players whom it does not concern, and no second
one while the first is unread.
"""

from datetime import timedelta

import pytest

from beanpost.play import moves
from beanpost.play.display import scene
from beanpost.play.models import Match, Place
from beanpost.play.seats import own_seat
from beanpost.play.tickets import MoveTicket, redeem
from beanpost.play.turns import standing_orders
from beanpost.post.compose import digests
from beanpost.post.compose.contents import concerns_reader
from beanpost.post.models import Letter
from tests.friends import NOON, seat_friends
from tests.post.answering import ANN, BOB, CLEO, DORA, say
from tests.post.gallery import deliver

pytestmark = pytest.mark.django_db

HOUR = timedelta(hours=1)


@pytest.fixture
def market():
    """Dora has turned up two cards by plan, a letter has told her so, and the others may trade with her."""
    match = seat_friends("bohnanza", "standard", seats=4)
    say(match, DORA, "plant garden in 1")
    say(match, DORA, "reveal")
    Letter.objects.filter(match=match).update(state=Letter.State.SENT, created_at=NOON + HOUR, sent_at=NOON + HOUR)
    return match


def say_later(match: Match, seat: int, line: str) -> None:
    ticket = redeem(MoveTicket, scene.build_scene(match, seat).question.ticket)
    moves.play_ticket(ticket, line, now=NOON + 3 * HOUR)
    match.refresh_from_db()


def of(match: Match, seat: int) -> Place:
    return match.places.select_related("player").get(seat=seat)


def states(match: Match, seat: int) -> list[str]:
    letters = match.letters.filter(recipient=of(match, seat).player, kind="turn").order_by("pk")
    return [letter.state for letter in letters]


def test_offers_do_not_bring_a_second_letter_while_the_table_waits_for_an_answer_to_the_first(market):
    before = states(market, DORA)
    say_later(market, BOB, "offer nothing for *eye to D")
    assert states(market, DORA) == before


def test_offers_bring_a_letter_to_a_player_who_has_looked_in_since_the_first(market):
    before = states(market, DORA)
    own_seat.note_presence(of(market, DORA), now=NOON + 2 * HOUR)
    say_later(market, BOB, "offer nothing for *eye to D")
    assert len(states(market, DORA)) == len(before) + 1


def test_a_player_at_a_live_page_gets_the_letter_that_everyone_is_through_two_minutes_later(market):
    say_later(market, CLEO, "no deal")
    say_later(market, ANN, "no deal")
    own_seat.note_presence(of(market, DORA), now=NOON + 3 * HOUR)
    say_later(market, BOB, "no deal")
    newest = Letter.objects.filter(match=market, recipient=of(market, DORA).player, kind="turn").latest("pk")
    assert newest.due_at == NOON + 3 * HOUR + own_seat.PRESENCE_LASTS


def test_a_player_who_plays_on_by_plan_gets_no_letter_about_offers_in_other_markets(market):
    before = states(market, BOB)
    standing_orders.give_order(of(market, BOB), "play on through turn 9", now=NOON + 2 * HOUR)
    market.refresh_from_db()
    say_later(market, DORA, "offer *green for red red red to B")
    deliver(NOON + 5 * HOUR)
    assert Letter.State.SENT not in states(market, BOB)[len(before) :]


# ── whom it concerns ──


def fields_are_full(match: Match) -> bool:
    """Return whether a market is open that concerns some of the players but not all."""
    shown = scene.build_scene(match, None)
    return shown.view.phase == "market" and len(set(map(concerned(match).__contains__, others(match)))) == 2


def others(match: Match) -> list[int]:
    return [seat for seat in range(4) if seat != scene.build_scene(match, None).view.active]


def concerned(match: Match) -> set[int]:
    return {seat for seat in others(match) if concerns_reader(scene.build_scene(match, seat))}


@pytest.fixture
def later_market():
    """A market that concerns some players but not all: everybody has planted and closed markets until now."""
    match = seat_friends("bohnanza", "standard", seats=4)
    while not fields_are_full(match):
        waited = scene.build_scene(match, None).waiting_for[0].seat
        say(match, waited, scene.build_scene(match, waited).question.options[0].line)
        match.refresh_from_db()
    return match


def asked_by_letter(match: Match) -> set[int]:
    """Return the seats that are not waited for and have a letter about the market, sent or queued."""
    about = {wait.seat: wait.opened for wait in match.waits.all()}
    letters = match.letters.filter(kind="turn").exclude(state=Letter.State.DROPPED)
    asked = {(letter.recipient_id, letter.values["opened"]) for letter in letters}
    return {seat for seat in others(match) if (of(match, seat).player_id, about[seat]) in asked}


def test_a_market_is_told_to_the_players_whom_a_face_up_card_concerns(later_market):
    deliver(NOON + HOUR)
    assert asked_by_letter(later_market) == concerned(later_market)


def test_an_offer_brings_a_letter_to_a_player_whom_the_market_did_not_concern(later_market):
    deliver(NOON + HOUR)
    active = scene.build_scene(later_market, None).view.active
    left_out = next(seat for seat in others(later_market) if seat not in concerned(later_market))
    card = scene.build_scene(later_market, None).view.up[0]
    say_later(later_market, active, f"offer *{card} for nothing to {'ABCD'[left_out]}")
    deliver(NOON + 5 * HOUR)
    assert left_out in asked_by_letter(later_market)


def test_a_player_whom_the_market_does_not_concern_finds_it_on_their_page(later_market):
    left_out = next(seat for seat in others(later_market) if seat not in concerned(later_market))
    assert scene.build_scene(later_market, left_out).question.compose_label == "Make an offer"


def test_the_daily_letter_leaves_out_a_market_that_does_not_concern_its_reader(later_market):
    for seat in others(later_market):
        letter = Letter(recipient=of(later_market, seat).player, kind="digest", key="day")
        assert bool(digests.build_digest(letter)) is (seat in concerned(later_market))
