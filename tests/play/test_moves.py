"""`play.moves`, through which every move goes."""

from datetime import timedelta
from threading import Barrier, Thread

import pytest
from django.db import connection

import games
from beanpost.play import moves, signals
from beanpost.play.display import scene
from beanpost.play.errors import AlreadyPlayed, NotRunning, NotYours, TooLate
from beanpost.play.models import Event, Match, Note, Place, Vault, Wait
from beanpost.play.seats import joining
from beanpost.play.tickets import MoveTicket, redeem
from beanpost.play.timekeeping import timeouts
from tests.friends import NOON, gather, seat_friends

pytestmark = pytest.mark.django_db


def asked(match: Match) -> tuple[Wait, scene.Scene]:
    wait = match.waits.get()
    return wait, scene.build_scene(match, wait.seat)


def press(match: Match, *, line: str = "", note: str = "") -> moves.Played:
    """Press the link of a line as the asked player, by default the first line in the letter."""
    _, shown = asked(match)
    option = next(option for option in shown.question.options if not line or option.line == line)
    ticket = redeem(MoveTicket, option.ticket)
    return moves.play_ticket(ticket, ticket.line, note=note, now=NOON)


def play_to_the_end(match: Match) -> Match:
    while match.phase == Match.Phase.RUNNING:
        press(match, line="fold")
        match.refresh_from_db()
    return match


def test_a_press_is_logged_and_the_next_seat_is_asked():
    match = seat_friends()
    wait, shown = asked(match)
    made = press(match)
    [event] = made.events
    assert (event.seq, event.seat, event.line, event.origin) == (3, wait.seat, shown.question.options[0].line, "player")
    following, _ = asked(match)
    assert following.seat == (wait.seat + 1) % 3
    assert following.opened == 3
    assert following.due_at == NOON + timedelta(days=1)


def test_pressing_twice_plays_once_and_shows_the_played_move():
    match = seat_friends()
    _, shown = asked(match)
    ticket = redeem(MoveTicket, shown.question.options[0].ticket)
    moves.play_ticket(ticket, ticket.line, now=NOON)
    with pytest.raises(AlreadyPlayed) as refusal:
        moves.play_ticket(ticket, ticket.line, now=NOON)
    assert refusal.value.event.line == ticket.line
    assert match.events.count() == 3


def test_another_link_of_an_answered_letter_is_already_played_too():
    match = seat_friends()
    _, shown = asked(match)
    first, second = (redeem(MoveTicket, option.ticket) for option in shown.question.options[:2])
    moves.play_ticket(first, first.line, now=NOON)
    with pytest.raises(AlreadyPlayed) as refusal:
        moves.play_ticket(second, second.line, now=NOON)
    assert refusal.value.event.line == first.line


def test_a_move_after_a_timeout_is_too_late():
    match = seat_friends()
    _, shown = asked(match)
    assert timeouts.time_out_all(NOON + timedelta(days=1)) == 1
    ticket = redeem(MoveTicket, shown.question.options[0].ticket)
    with pytest.raises(TooLate) as refusal:
        moves.play_ticket(ticket, ticket.line, now=NOON)
    assert refusal.value.event is not None
    assert refusal.value.event.origin == "clock"


def test_links_of_a_renewed_seat_no_longer_work():
    match = seat_friends()
    wait, shown = asked(match)
    Place.objects.filter(match=match, seat=wait.seat).update(occupant=2)
    ticket = redeem(MoveTicket, shown.question.options[0].ticket)
    with pytest.raises(NotYours):
        moves.play_ticket(ticket, ticket.line, now=NOON)
    assert match.events.count() == 2


def test_an_illegal_move_changes_nothing():
    match = seat_friends()
    wait, _ = asked(match)
    before = list(Wait.objects.values_list()), list(Vault.objects.values_list())
    for line in ("play 13", "juggle", "start A", "x" * 10_000):
        with pytest.raises(games.RulesError):
            moves.play(match.pk, wait.seat, line, origin="player", question=wait.opened, now=NOON)
    match.refresh_from_db()
    assert match.length == match.events.count() == 2
    assert (list(Wait.objects.values_list()), list(Vault.objects.values_list())) == before


def test_a_move_before_the_start_is_refused():
    match = gather()
    with pytest.raises(NotRunning):
        moves.play(match.pk, 0, "pass", origin="player", question=0, now=NOON)


def test_a_finished_match_waits_for_nobody_and_refuses_moves():
    match = play_to_the_end(seat_friends())
    assert (match.phase, match.ending, match.ended_at) == ("ended", "finished", NOON)
    assert not match.waits.exists()
    with pytest.raises(NotRunning):
        moves.play(match.pk, 0, "pass", origin="player", question=match.length, now=NOON)


def test_a_note_goes_with_a_move_and_stays_out_of_the_log():
    match = seat_friends()
    made = press(match, note="Beans for everybody.")
    [note] = Note.objects.all()
    assert (note.seat, note.seq, note.text) == (made.events[0].seat, 3, "Beans for everybody.")
    assert not any("everybody" in line for line in match.events.values_list("line", flat=True))


def test_a_failing_signal_receiver_rolls_the_move_back():
    def refuse(**announcement):
        raise RuntimeError("the post room is on fire")

    match = seat_friends()
    signals.moved.connect(refuse)
    try:
        with pytest.raises(RuntimeError):
            press(match)
    finally:
        signals.moved.disconnect(refuse)
    match.refresh_from_db()
    assert match.length == Event.objects.filter(match=match).count() == 2


def test_bots_move_at_once_and_people_are_asked():
    match = gather(seats=3, bots=1)
    place = match.places.get(player__name="Bob")
    joining.accept_invitation(place, name="Bob", word="", now=NOON)
    match.refresh_from_db()
    for _ in range(200):
        if match.phase != Match.Phase.RUNNING:
            break
        wait, _shown = asked(match)
        assert not match.places.get(seat=wait.seat).is_bot
        press(match)
        match.refresh_from_db()
    assert match.phase == Match.Phase.ENDED
    assert match.events.filter(origin="bot").exists()


@pytest.mark.postgres
@pytest.mark.django_db(transaction=True)
def test_two_simultaneous_clicks_give_one_move_and_one_already_played():
    match = seat_friends()
    _, shown = asked(match)
    outcomes: list[object] = []
    together = Barrier(2)

    def click(ticket: MoveTicket) -> None:
        together.wait()
        try:
            outcomes.append(moves.play_ticket(ticket, ticket.line, now=NOON))
        except AlreadyPlayed as refusal:
            outcomes.append(refusal)
        finally:
            connection.close()

    clicks = [Thread(target=click, args=(redeem(MoveTicket, option.ticket),)) for option in shown.question.options[:2]]
    for thread in clicks:
        thread.start()
    for thread in clicks:
        thread.join()
    assert sorted(type(outcome).__name__ for outcome in outcomes) == ["AlreadyPlayed", "Played"]
    assert match.events.count() == 3
