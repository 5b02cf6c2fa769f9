"""Questions that nobody waits for: Bohnanza's market, with people and with bots."""

from datetime import timedelta
from threading import Barrier, Thread

import pytest
from django.db import connection

import games
from beanpost.play import load, moves, signals
from beanpost.play.display import scene
from beanpost.play.display.story import tell_story
from beanpost.play.errors import AlreadyPlayed
from beanpost.play.models import Match, Order, Vault
from beanpost.play.seats import joining
from beanpost.play.tickets import MoveTicket, redeem
from beanpost.play.timekeeping import timeouts
from beanpost.play.turns import standing_orders
from beanpost.post.compose.contents import is_handled_by_order
from tests.friends import NOON, gather, seat_friends

pytestmark = pytest.mark.django_db

ANN, BOB, CLEO, DORA = range(4)
HOUR = timedelta(hours=1)


def say(match: Match, seat: int, line: str) -> moves.Played:
    """Play a line on the page as it is now."""
    match.refresh_from_db()
    return moves.play_ticket(redeem(MoveTicket, scene.build_scene(match, seat).question.ticket), line, now=NOON)


def market() -> Match:
    match = seat_friends("bohnanza", "standard", seats=4)
    say(match, DORA, "plant garden in 1")
    say(match, DORA, "reveal")
    return match


def find_seats(signal, act) -> list[int]:
    """Return the seats that a signal names during an action."""
    seats: list[int] = []

    def note(place, **_):
        seats.append(place.seat)

    signal.connect(note)
    try:
        act()
    finally:
        signal.disconnect(note)
    return seats


def test_everyone_is_asked_but_only_the_active_seat_is_waited_for():
    match = market()
    assert dict(match.waits.values_list("seat", "due_at")) == {
        ANN: None, BOB: None, CLEO: None, DORA: NOON + timedelta(hours=8)
    }  # fmt: skip
    assert [place.seat for place in scene.build_scene(match, None).waiting_for] == [DORA]


def test_an_offer_asks_no_new_question_but_addresses_its_receivers():
    match = market()
    assert find_seats(signals.asked, lambda: say(match, DORA, "offer *green for nothing to B")) == []
    assert find_seats(signals.addressed, lambda: say(match, DORA, "offer *eye for nothing to all")) == [ANN, BOB, CLEO]
    assert find_seats(signals.addressed, lambda: say(match, ANN, "offer chili for *eye to D")) == [DORA]
    assert find_seats(signals.addressed, lambda: say(match, BOB, "no deal")) == []


def test_a_link_plays_its_line_once_and_a_page_may_repeat_it():
    match = market()
    link = redeem(
        MoveTicket, next(o.ticket for o in scene.build_scene(match, BOB).question.options if o.line == "no deal")
    )
    moves.play_ticket(link, link.line, now=NOON)
    say(match, BOB, "offer soy for *eye to D")
    with pytest.raises(AlreadyPlayed):
        moves.play_ticket(link, link.line, now=NOON)
    assert say(match, BOB, "no deal").events[0].line == "no deal"


def test_the_sweep_ignores_bots_that_nobody_waits_for():
    match = gather("bohnanza", "standard", seats=4, bots=2)
    for place in match.places.filter(confirmed_at=None):
        joining.accept_invitation(place, name=place.player.name, word="", now=NOON)
    for day in range(1, 40):
        timeouts.time_out_all(NOON + timedelta(days=day))
    match.refresh_from_db()
    assert scene.build_scene(match, None).view.turn > 4
    bots = [place.seat for place in match.places.all() if place.is_bot]
    waited_for = [ask.seat for ask in load.load_match(match.pk).table.asks if ask.default]
    assert not match.waits.filter(seat__in=bots).exclude(seat__in=waited_for).exclude(due_at=None).exists()


# ── its end ──


def test_the_active_player_is_told_when_everyone_is_through():
    match = market()
    assert find_seats(signals.addressed, lambda: say(match, ANN, "no deal")) == []
    assert find_seats(signals.addressed, lambda: say(match, BOB, "no deal")) == []
    assert find_seats(signals.addressed, lambda: say(match, CLEO, "no deal")) == [DORA]
    assert "No one else has to answer." in scene.build_scene(match, DORA).question.text


def test_a_market_that_times_out_is_closed_without_a_missed_deadline():
    match = market()
    match.places.update(excuses=2)
    assert timeouts.time_out_all(NOON + 8 * HOUR - timedelta(seconds=1)) == 0
    assert timeouts.time_out_all(NOON + 8 * HOUR) == 1
    event = match.events.get(line="done")
    assert (event.seat, event.origin) == (DORA, "clock")
    dora = match.places.get(seat=DORA)
    assert (dora.excuses, dora.misses) == (2, 0)


def with_a_bot() -> tuple[Match, int]:
    """Three people and a bot, in the bot's market: it has started, and nobody has moved yet."""
    match = gather("bohnanza", "standard", seats=4, bots=1)
    bot = match.places.get(player=None).seat
    match.places.update(word="bean")
    shuffles = (b"%032d" % n for n in range(99))
    begins = f"start {'ABCD'[bot]}"
    table = games.open("bohnanza", seats=4)
    secret = next(s for s in shuffles if games.Seeded(s, ["bean"] * 4).answer(table, 0) == begins)
    Vault.objects.filter(match=match).update(secret=secret)
    for place in match.places.filter(confirmed_at=None):
        joining.accept_invitation(place, name=place.player.name, word="bean", now=NOON)
    match.refresh_from_db()
    assert scene.build_scene(match, None).view.phase == "market"
    return match, bot


def test_a_bot_leaves_its_market_open_until_everyone_is_through():
    match, bot = with_a_bot()
    people = [place.seat for place in match.places.all() if place.seat != bot]
    timeouts.time_out_all(NOON + HOUR / 60)
    assert scene.build_scene(match, None).view.phase == "market"
    assert match.waits.get(seat=bot).due_at == NOON + 8 * HOUR
    for seat in people:
        for option in scene.build_scene(match, seat).question.options:
            if option.line.startswith("decline"):
                say(match, seat, option.line)
        say(match, seat, "no deal")
    match.refresh_from_db()
    assert match.events.filter(seat=bot, line="done", origin="bot").exists()


def test_a_bot_closes_its_market_at_the_deadline():
    match, bot = with_a_bot()
    timeouts.time_out_all(NOON)
    timeouts.time_out_all(NOON + 8 * HOUR)
    assert match.events.get(seat=bot, line="done").origin == "bot"


def test_interrupted_bots_continue_and_close_their_market_at_once():
    """Nobody waits for the other bots, so they would stay silent until the market's time is over."""
    match, bot = with_a_bot()
    match.places.update(stand_in=True)
    timeouts.time_out_all(NOON + HOUR / 60)
    timeouts.time_out_all(NOON + HOUR / 30)
    assert match.events.filter(seat=bot, line="done").exists()


# ── standing orders ──


def order(match: Match, seat: int, line: str) -> Order:
    match.refresh_from_db()
    return standing_orders.give_order(match.places.get(seat=seat), line, now=NOON)


def test_an_order_closes_the_market_when_everyone_is_through():
    match = market()
    order(match, DORA, "close in turn 1 when everybody is through")
    for seat in (ANN, BOB, CLEO):
        say(match, seat, "no deal")
    event = match.events.get(line="done")
    assert (event.seat, event.origin) == (DORA, "player")


def test_an_order_trades_for_an_absent_owner_without_being_revealed():
    match = market()
    given = order(match, ANN, "give stink for eye until I plant it")
    assert match.events.get(line="offer stink for *eye to D").seat == ANN
    say(match, DORA, "accept 1")
    given.refresh_from_db()
    assert given.reason == "you made the trade"
    assert scene.build_scene(match, DORA).orders == []
    assert "order" not in repr(tell_story(match, DORA))


def test_an_order_ends_with_its_deal_even_if_that_closes_the_market():
    match = market()
    for line in ("done", "plant green in 2", "plant eye in 2"):
        say(match, DORA, line)
    for line in ("plant chili in 1", "reveal"):
        say(match, ANN, line)
    given = order(match, BOB, "give chili for stink until I plant it")
    order(match, ANN, "close in turn 2 when everybody is through")
    say(match, CLEO, "no deal")
    say(match, DORA, "no deal")
    say(match, ANN, "accept 1")
    assert scene.build_scene(match, None).view.turn == 3
    given.refresh_from_db()
    assert given.reason == "you made the trade"


def test_an_order_with_an_illegal_move_ends_and_blocks_nobody():
    match = market()
    given = order(match, ANN, "give stink for coffee until I plant it")  # there is no coffee with four seats
    given.refresh_from_db()
    assert given.reason == "that move is no longer possible"
    assert say(match, ANN, "no deal").events


def test_hidden_offers_are_not_shown_and_address_nobody():
    match = market()
    given = order(match, ANN, "hide offers that ask for red from me")
    assert find_seats(signals.addressed, lambda: say(match, DORA, "offer *eye for red to A")) == []
    assert "accept 1" not in [option.line for option in scene.build_scene(match, ANN).question.options]
    assert find_seats(signals.addressed, lambda: say(match, DORA, "offer *eye for stink to A")) == [ANN]
    assert [option.line for option in scene.build_scene(match, ANN).question.options][:2] == ["accept 2", "decline 2"]
    assert match.events.filter(seat=ANN).count() == 0
    standing_orders.withdraw_order(match.places.get(seat=ANN), given.pk, now=NOON)
    assert [option.line for option in scene.build_scene(match, ANN).question.options][:2] == ["accept 1", "decline 1"]


def test_a_hidden_offer_does_not_keep_a_market_open():
    match = market()
    order(match, DORA, "hide offers that ask for garden from me")
    order(match, DORA, "close in turn 1 when everybody is through")
    say(match, ANN, "offer chili for garden to D")
    assert is_handled_by_order(scene.build_scene(match, DORA), knows=True)
    say(match, BOB, "no deal")
    say(match, CLEO, "no deal")
    assert match.events.filter(seat=DORA, line="done").exists()


def stories(match: Match, seat: int) -> str:
    """Return the whole log and news that letters and pages show to a seat."""
    shown = scene.build_scene(match, seat)
    return " ".join(line.text for line in (*tell_story(shown.match, shown.reader), *shown.story.news))


def test_hidden_offers_are_hidden_from_their_owner_and_shown_to_the_others():
    match = market()
    given = order(match, ANN, "hide offers that ask for red from me")
    say(match, DORA, "offer *eye for red to all")
    say(match, DORA, "offer *eye for red to B")
    say(match, BOB, "decline 1")
    say(match, DORA, "withdraw 1")
    of_the_first = ("Offer 1:", "declined offer 1.", "offer 1.")
    assert not any(text in stories(match, ANN) for text in of_the_first)
    assert "Offer 2: Dora offered Bob" in stories(match, ANN)
    for seat in (CLEO, DORA):
        assert all(text in stories(match, seat) for text in of_the_first)
    standing_orders.withdraw_order(match.places.get(seat=ANN), given.pk, now=NOON)
    assert all(text in stories(match, ANN) for text in of_the_first)


def test_an_order_given_in_a_market_plays_the_next_turn():
    match = market()
    given = order(match, ANN, "in turn 2 plant chili in 1")
    say(match, DORA, "done")
    while scene.build_scene(match, None).view.turn == 1:
        say(
            match,
            DORA,
            next(o.line for o in scene.build_scene(match, DORA).question.options if o.line.startswith("plant")),
        )
    assert scene.build_scene(match, None).view.phase == "market"
    given.refresh_from_db()
    assert (len(given.answered), given.reason) == (2, "it did its job")


@pytest.mark.postgres
@pytest.mark.django_db(transaction=True)
def test_the_first_of_two_simultaneous_acceptances_gets_the_offer():
    match = market()
    say(match, DORA, "offer *green for nothing to all")
    together, outcomes = Barrier(2), []

    def accept(ticket: MoveTicket) -> None:
        together.wait()
        try:
            outcomes.append(moves.play_ticket(ticket, ticket.line, now=NOON))
        except games.RulesError as refusal:
            outcomes.append(refusal)
        finally:
            connection.close()

    match.refresh_from_db()
    options = [
        next(o for o in scene.build_scene(match, seat).question.options if o.line == "accept 1") for seat in (ANN, BOB)
    ]
    threads = [Thread(target=accept, args=(redeem(MoveTicket, option.ticket),)) for option in options]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(type(outcome).__name__ for outcome in outcomes) == ["Illegal", "Played"]
    assert "Offer 1 has already been accepted." in map(str, outcomes)
    assert match.events.filter(line="accept 1").count() == 1
