"""Lines of the house: remind, extend, substitute, forfeit, pause, resume. They act on a match rather than in its game.

A line's origin says who caused it: the clock, a player, an organiser, or the house for its own faults.
"""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, tzinfo

from django.db import transaction

from beanpost.database import batches
from beanpost.play import clock, signals
from beanpost.play.deadlines import waits
from beanpost.play.log import append, load
from beanpost.play.models import Event, Match, Order, Place, Proposal, Vault, Wait
from beanpost.play.turns import follow_up
from games.contract.house_lines import Extend, Forfeit, Pause, Remind, Resume, Sit
from games.contract.notation import Action
from games.contract.seats import HOUSE, Seat
from games.engine import catalogue

LONGEST_PAUSE = timedelta(days=30)


def add_house_line(match: Match, action: Action, origin: str, now: datetime) -> Event:
    """Append a line of the house to the log. The game's state does not change. The caller holds the match's lock."""
    vault = Vault.objects.get(match=match)
    line = append.NewLine(HOUSE, str(action), origin)
    (event,) = append.append(match, vault, [line], None, now)
    signals.moved.send(Match, match=match, events=[event], now=now)
    return event


def remind(match: Match, wait: Wait, place: Place, origin: str, now: datetime) -> Event:
    """Remind a seat that the table waits for it."""
    event = add_house_line(match, Remind(wait.seat), origin, now)
    signals.reminded.send(Match, match=match, wait=wait, place=place, now=now)
    return event


def extend(
    match: Match, wait: Wait, until: datetime, origin: str, now: datetime, *, credit: timedelta = timedelta()
) -> Event:
    """Give a seat more time."""
    until = round_up_to_minute(until)
    waits.extend_wait(wait, until, credit=credit)
    return add_house_line(match, build_extension(wait.seat, until), origin, now)


def build_extension(seat: Seat, until: datetime) -> Extend:
    return Extend(seat, f"{until.astimezone(UTC):%Y-%m-%dT%H:%MZ}")


def round_up_to_minute(at: datetime) -> datetime:
    """Round up to the minute, as the log has it: rounding down would cost the player time."""
    return at if at.second == at.microsecond == 0 else at.replace(second=0, microsecond=0) + timedelta(minutes=1)


# ── seats ────────────────────────────────────────────────────────────────────────────────────────


def substitute_bot(match: Match, place: Place, origin: str, now: datetime) -> None:
    """Let a bot play for an absent player, beginning at once."""
    place.stand_in, place.nudge_at = True, None
    place.save(update_fields=["stand_in", "nudge_at"])
    match.waits.filter(seat=place.seat, due_at__isnull=False).update(due_at=now, remind_at=None)
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
    match.waits.filter(seat=place.seat, due_at__isnull=False).update(due_at=now, remind_at=None)
    add_house_line(match, Forfeit(place.seat), origin, now)
    let_bots_play(match, now)


def let_bots_play(match: Match, now: datetime) -> follow_up.Played:
    """Let the bots play, and announce their lines to the players concerned.

    If the match's game is not installed, they play when it is back: the question of a bot is due at once.
    """
    if not catalogue.is_installed(match.game, match.edition):
        return follow_up.Played(match, ())
    vault = Vault.objects.get(match=match)
    table = load.load_table(match, vault)
    return follow_up.follow_up(match, vault, table, [], mover=None, now=now, before=table)


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
        wait.save(update_fields=["left", "due_at", "remind_at"])
    close_pause_proposals(match, now)
    add_house_line(match, Pause(), origin, now)
    return True


def resume(match: Match, origin: str, now: datetime) -> bool:
    """Restart the clock: everybody has as much time left as before the pause."""
    if match.paused_at is None or match.phase != Match.Phase.RUNNING:
        return False
    paused, match.paused_at = match.paused_at, None
    match.save(update_fields=["paused_at"])
    places = {place.seat: place for place in match.places.select_related("player")}
    for wait in match.waits.filter(left__isnull=False):
        restart_clock(wait, places[wait.seat], match, paused, now)
    close_pause_proposals(match, now)
    add_house_line(match, Resume(), origin, now)
    return True


def close_pause_proposals(match: Match, now: datetime) -> None:
    """Close the open proposals to pause or to resume: one of the two has just been done."""
    asked = match.proposals.filter(about__in=(Proposal.About.PAUSE, Proposal.About.RESUME), closed_at=None)
    asked.update(closed_at=now)


def restart_clock(wait: Wait, place: Place, match: Match, paused: datetime, now: datetime) -> None:
    assert wait.left is not None
    pace, zone = match.parsed_pace, waits.find_time_zone(place)
    wait.credit += clock.measure_time(max(paused, wait.since), now, pace, zone)
    if place.is_bot:
        wait.due_at, wait.remind_at = now, None
    else:
        wait.due_at = clock.find_allowed_time(clock.add_time(now, wait.left, pace, zone), pace, zone)
        wait.remind_at = find_next_reminder(wait, match, zone, now)
    wait.left = None
    wait.save(update_fields=["left", "due_at", "remind_at", "credit"])


def find_next_reminder(wait: Wait, match: Match, zone: tzinfo, now: datetime) -> datetime | None:
    """Return when to remind after a pause. None if the moment has passed: the reminder went out before the pause."""
    assert wait.due_at is not None
    since = clock.add_time(wait.since, wait.credit, match.parsed_pace, zone)
    at = clock.compute_reminder(since, wait.due_at, match.parsed_pace, zone, window=wait.window)
    return at if at and at > now else None


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
