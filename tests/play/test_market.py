"""Questions that nobody waits for: Bohnanza's market, with people and with bots."""

from datetime import timedelta
from threading import Barrier, Thread

import pytest
from django.db import connection

import games
from beanpost.play import late, moves, opening, scene, signals
from beanpost.play.errors import AlreadyPlayed
from beanpost.play.models import Match
from beanpost.play.tickets import MoveTicket, redeem
from tests.friends import NOON, gather, seat_friends

pytestmark = pytest.mark.django_db

ANN, BOB, CLEO, DORA = range(4)


def say(match: Match, seat: int, line: str) -> moves.Made:
    """Somebody says a line on the page as it is now."""
    match.refresh_from_db()
    return moves.by_ticket(redeem(MoveTicket, scene.of(match, seat).ticket()), line, now=NOON)


def market() -> Match:
    match = seat_friends("bohnanza", "standard", seats=4)
    say(match, DORA, "plant garden in 1")
    say(match, DORA, "reveal")
    return match


def heard(signal, act) -> list[int]:
    """The seats that a signal names while something is done."""
    seats: list[int] = []

    def note(place, **_):
        seats.append(place.seat)

    signal.connect(note)
    try:
        act()
    finally:
        signal.disconnect(note)
    return seats


def test_everybody_is_asked_and_only_the_active_seat_is_waited_for():
    match = market()
    assert dict(match.waits.values_list("seat", "due_at")) == {
        ANN: None, BOB: None, CLEO: None, DORA: NOON + timedelta(days=1)
    }  # fmt: skip
    assert [place.seat for place in scene.of(match, None).waiting_for] == [DORA]


def test_an_offer_asks_nobody_anew_but_tells_whom_it_is_made_to():
    match = market()
    assert heard(signals.asked, lambda: say(match, DORA, "offer *green for nothing to B")) == []
    assert heard(signals.addressed, lambda: say(match, DORA, "offer *eye for nothing to all")) == [ANN, BOB, CLEO]
    assert heard(signals.addressed, lambda: say(match, ANN, "offer chili for *eye to D")) == [DORA]
    assert heard(signals.addressed, lambda: say(match, BOB, "no deal")) == []


def test_a_link_says_its_line_once_and_a_page_says_it_again():
    match = market()
    link = redeem(MoveTicket, next(o.ticket for o in scene.of(match, BOB).options if o.line == "no deal"))
    moves.by_ticket(link, link.line, now=NOON)
    say(match, BOB, "offer soy for *eye to D")
    with pytest.raises(AlreadyPlayed):
        moves.by_ticket(link, link.line, now=NOON)
    assert say(match, BOB, "no deal").events[0].line == "no deal"


def test_the_sweep_leaves_bots_alone_that_nobody_waits_for():
    match = gather("bohnanza", "standard", seats=4, bots=2)
    for place in match.places.filter(confirmed_at=None):
        opening.get_ready(place, name=place.player.name, word="", now=NOON)
    for day in range(1, 40):
        late.time_out(NOON + timedelta(days=day))
    match.refresh_from_db()
    assert scene.of(match, None).view.turn > 4
    bots = [place.seat for place in match.places.all() if place.is_bot]
    waited_for = [ask.seat for ask in scene.of(match, None).table.asks if ask.default]
    assert not match.waits.filter(seat__in=bots).exclude(seat__in=waited_for).exclude(due_at=None).exists()


@pytest.mark.postgres
@pytest.mark.django_db(transaction=True)
def test_two_accept_the_same_offer_at_once_and_one_has_it():
    match = market()
    say(match, DORA, "offer *green for nothing to all")
    together, outcomes = Barrier(2), []

    def accept(ticket: MoveTicket) -> None:
        together.wait()
        try:
            outcomes.append(moves.by_ticket(ticket, ticket.line, now=NOON))
        except games.RulesError as refusal:
            outcomes.append(refusal)
        finally:
            connection.close()

    match.refresh_from_db()
    options = [next(o for o in scene.of(match, seat).options if o.line == "accept 1") for seat in (ANN, BOB)]
    threads = [Thread(target=accept, args=(redeem(MoveTicket, option.ticket),)) for option in options]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(type(outcome).__name__ for outcome in outcomes) == ["Illegal", "Made"]
    assert "Offer 1 has been accepted already." in map(str, outcomes)
    assert match.events.filter(line="accept 1").count() == 1
