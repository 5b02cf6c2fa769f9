"""Lines of the house: remind, extend, substitute, forfeit, pause, resume. They act on a match rather than in its game.

A line's origin says who caused it: the clock, a player, an organiser, or the house for its own faults.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta

from django.db import transaction

from beanpost.database import batches
from beanpost.play import load, moves, signals
from beanpost.play.deadlines import waits
from beanpost.play.log import storage
from beanpost.play.models import Event, Match, Order, Place, Proposal, Vault, Wait
from games.contract.house_lines import Extend, Forfeit, Pause, Remind, Resume, Sit
from games.contract.notation import Action
from games.contract.seats import HOUSE, Seat
from games.engine import catalogue

LONGEST_PAUSE = timedelta(days=30)


def add_house_line(match: Match, action: Action, origin: str, now: datetime) -> Event:
    """Append a line of the house to the log. The game's state does not change. The caller holds the match's lock."""
    vault = Vault.objects.get(match=match)
    line = storage.NewLine(HOUSE, str(action), origin)
    (event,) = storage.append(match, vault, [line], None, now)
    signals.moved.send(Match, match=match, events=[event], now=now)
    return event


def remind(match: Match, wait: Wait, place: Place, origin: str, now: datetime) -> Event:
    """Remind a seat that the table waits for it."""
    event = add_house_line(match, Remind(wait.seat), origin, now)
    signals.reminded.send(Match, match=match, wait=wait, place=place, now=now)
    return event


def extend(match: Match, wait: Wait, origin: str, now: datetime) -> Event:
    """Save a deadline that `waits` has moved, and tell the table."""
    assert wait.due_at is not None
    wait.save(update_fields=waits.TIMES)
    return add_house_line(match, build_extension(wait.seat, wait.due_at), origin, now)


def postpone(match: Match, wait: Wait, place: Place, until: datetime, now: datetime) -> None:
    """Move a deadline out of the quiet hours. This gives no time."""
    assert wait.due_at is not None
    waits.set_deadline(wait, match, place, wait.due_at - wait.rounding, not_before=until)
    extend(match, wait, Event.Origin.HOUSE, now)


def build_extension(seat: Seat, until: datetime) -> Extend:
    return Extend(seat, f"{until.astimezone(UTC):%Y-%m-%dT%H:%MZ}")


# ── seats ────────────────────────────────────────────────────────────────────────────────────────


def substitute_bot(match: Match, place: Place, origin: str, now: datetime) -> None:
    """Let a bot play for an absent player, beginning at once."""
    place.stand_in, place.nudge_at = True, None
    place.save(update_fields=["stand_in", "nudge_at"])
    waits.let_bot_answer(match, place, now)
    add_house_line(match, Sit(place.seat, "bot"), origin, now)
    signals.stood_in.send(Match, match=match, place=place, now=now)
    let_bots_play(match, now)


def seat_person(match: Match, place: Place, origin: str, now: datetime) -> None:
    """Let a person play from now on. They may vote on open proposals; if the seat is asked, its time begins now."""
    place.stand_in, place.misses, place.nudged, place.nudge_at = False, 0, False, now + waits.SILENCE
    place.save(update_fields=["stand_in", "misses", "nudged", "nudge_at"])
    match.proposals.filter(about=Proposal.About.GIVE, seat=place.seat, closed_at=None).update(closed_at=now)
    event = add_house_line(match, Sit(place.seat, "person"), origin, now)
    for proposal in match.proposals.filter(closed_at=None, passed_at=None).exclude(voices__seat=place.seat):
        signals.proposed.send(Match, match=match, proposal=proposal, voters=[place], now=now)
    wait = match.waits.filter(seat=place.seat).first()
    if wait is None:
        return
    if wait.is_blocking:
        waits.begin_sitting(wait, match, place, now)
    # Number it as a new question, so that it gets a letter and older links cannot answer it.
    wait.opened, wait.asked_at = event.seq, now
    wait.save()
    signals.asked.send(Match, match=match, wait=wait, place=place, again=False, now=now)


def forfeit(match: Match, place: Place, origin: str, now: datetime) -> None:
    """Give up a seat for good. Its cards stay in the game, and a bot plays them."""
    place.stand_in, place.resigned_at, place.nudge_at = True, now, None
    place.save(update_fields=["stand_in", "resigned_at", "nudge_at"])
    Order.objects.filter(match=match, seat=place.seat).delete()
    waits.let_bot_answer(match, place, now)
    add_house_line(match, Forfeit(place.seat), origin, now)
    let_bots_play(match, now)


def let_bots_play(match: Match, now: datetime) -> Sequence[Event]:
    """Let the bots play, and announce their lines to the players concerned.

    If the match's game is not installed, they play when it is back: the question of a bot is due at once.
    """
    if not catalogue.is_installed(match.game, match.edition):
        return ()
    loaded = load.load_locked(match)
    return moves.follow_up(loaded, loaded.table, [], now=now).events


# ── pauses ───────────────────────────────────────────────────────────────────────────────────────


def pause(match: Match, origin: str, now: datetime) -> bool:
    """Stop the clock of a match. Players can still move, but nobody's time runs."""
    if match.paused_at or match.phase != Match.Phase.RUNNING:
        return False
    match.paused_at = now
    match.save(update_fields=["paused_at"])
    places = {place.seat: place for place in match.places.select_related("player")}
    for wait in match.waits.filter(due_at__isnull=False):
        waits.stop_clock(wait, match, places[wait.seat], now)
        wait.save(update_fields=waits.TIMES)
    close_pause_proposals(match, now)
    add_house_line(match, Pause(), origin, now)
    return True


def resume(match: Match, origin: str, now: datetime) -> bool:
    """Restart the clock: everybody has as much time left as before the pause."""
    if match.paused_at is None or match.phase != Match.Phase.RUNNING:
        return False
    match.paused_at = None
    match.save(update_fields=["paused_at"])
    places = {place.seat: place for place in match.places.select_related("player")}
    for wait in match.waits.filter(left__isnull=False):
        waits.restart_clock(wait, match, places[wait.seat], now)
        wait.save(update_fields=waits.TIMES)
    close_pause_proposals(match, now)
    add_house_line(match, Resume(), origin, now)
    return True


def list_pauses(match: Match, now: datetime) -> list[tuple[datetime, datetime]]:
    """Return when each pause of a match began and ended. One that goes on ends now."""
    lines = match.events.filter(seat=HOUSE, line__in=(str(Pause()), str(Resume()))).order_by("seq")
    moments = [*lines.values_list("said_at", flat=True), now]  # a pause and its end take turns
    return list(zip(moments[::2], moments[1::2], strict=False))


def close_pause_proposals(match: Match, now: datetime) -> None:
    """Close the open proposals to pause or to resume: one of the two has just been done."""
    asked = match.proposals.filter(about__in=(Proposal.About.PAUSE, Proposal.About.RESUME), closed_at=None)
    asked.update(closed_at=now)


def end_long_pauses(now: datetime) -> int:
    """Resume matches that have been paused for too long: everybody may have forgotten them."""
    old = Match.objects.filter(paused_at__lte=now - LONGEST_PAUSE).order_by("paused_at").values_list("pk")
    return batches.run_each(old, resume_after_long_pause, now)


@transaction.atomic
def resume_after_long_pause(match_id: int, now: datetime) -> bool:
    match = load.lock_match(match_id)
    if match.paused_at is None or match.paused_at > now - LONGEST_PAUSE:
        return False
    resume(match, Event.Origin.CLOCK, now)
    signals.decided.send(Match, match=match, line=match.length, last=None, now=now)
    return True
