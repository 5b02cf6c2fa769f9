"""Deadlines that move because of letters: a player must not lose time to late or bounced mail.

credit_late_letter        the mail server accepted a letter about a question late: the seat gets that time back
credit_bounce             it bounced: the seat gets another day, at most three days per match
stop_clocks_for_changes   a new address has not taken effect yet: the clocks stop until it does, within those three days
"""

from __future__ import annotations

from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import F, Q, QuerySet

from beanpost.database import batches
from beanpost.play import clock, load
from beanpost.play.deadlines import outages, waits
from beanpost.play.models import Event, Match, Place, Wait
from beanpost.play.turns import house_lines
from beanpost.players import accounts, address_changes
from beanpost.players.models import AddressChange, Player

TOLERATED_DELAY = timedelta(minutes=15)  # a shorter delay of a letter does not count
CREDIT_PER_BOUNCE = timedelta(days=1)
MAX_UNREACHED = timedelta(days=3)


@transaction.atomic
def credit_late_letter(match: Match, player: Player, opened: int, *, promised: datetime, now: datetime) -> bool:
    """Give back the time by which a letter about a question was late.

    Outages and pauses in that time are given back as such.
    """
    if now - promised <= TOLERATED_DELAY:
        return False
    locked = load.lock_match(match.pk)
    place = Place.objects.select_related("player").filter(match=locked, player=player).first()
    wait = Wait.objects.filter(match=locked, seat=place.seat, opened=opened).first() if place else None
    if place is None or wait is None:
        return False
    pace, zone = locked.parsed_pace, waits.find_time_zone(place)
    given = [*outages.list_outages(promised, now), *house_lines.list_pauses(locked, now)]
    lost = outages.measure_lost_time(outages.find_lost_spans(promised, now, given), pace, zone)
    return extend_deadline(locked, place, wait, clock.measure_time(promised, now, pace, zone) - lost, now)


@transaction.atomic
def credit_bounce(match: Match, player: Player, *, opened: int | None = None, now: datetime) -> bool:
    """Give a player whose letter bounced another day, since the cause may be fixed.

    `opened` is the question the letter was about: if it was answered meanwhile, the player has been reached.
    """
    locked = load.lock_match(match.pk)
    place = Place.objects.select_related("player").filter(match=locked, player=player).first()
    wait = Wait.objects.filter(match=locked, seat=place.seat).first() if place else None
    if place is None or wait is None or place.unreached >= MAX_UNREACHED:
        return False
    if opened not in (None, wait.opened):
        return False
    if not extend_deadline(locked, place, wait, CREDIT_PER_BOUNCE, now):
        return False
    place.unreached += CREDIT_PER_BOUNCE
    place.save(update_fields=["unreached"])
    return True


def stop_clocks_for_changes(now: datetime) -> int:
    """Stop the clocks of players with a pending change of address, including those of questions asked since."""
    waiting = address_changes.find_pending().filter(effective_at__gt=now).order_by("pk").values_list("pk")
    return batches.run_each(waiting, stop_clocks_for_change, now)


@transaction.atomic
def stop_clocks_for_change(change_id: int, now: datetime) -> bool:
    change = address_changes.find_pending().filter(pk=change_id, effective_at__gt=now).first()
    if change is None or all(is_credited(change, wait) for wait in find_running_waits(change.player_id)):
        return False
    accounts.lock_player(change.player_id)  # lock order: the player before their matches
    change = AddressChange.objects.select_for_update().get(pk=change.pk)
    for match_id in sorted({wait.match_id for wait in find_running_waits(change.player_id)}):
        match = load.lock_match(match_id)
        for wait in find_running_waits(change.player_id).filter(match=match_id):
            if not is_credited(change, wait):
                change.waited_for.append(make_sitting_key(wait))
                grant_time(match, wait, change.effective_at, now)
    change.save(update_fields=["waited_for"])
    return True


def find_running_waits(player_id: int) -> QuerySet[Wait]:
    """Return the questions for which a player's time is running."""
    own = Q(match__places__player=player_id, match__places__seat=F("seat"), match__places__stand_in=False)
    return Wait.objects.filter(own, due_at__isnull=False, match__phase=Match.Phase.RUNNING)


def is_credited(change: AddressChange, wait: Wait) -> bool:
    return make_sitting_key(wait) in change.waited_for


def make_sitting_key(wait: Wait) -> list[object]:
    """Return the key of a sitting. All its questions share a deadline, which is moved only once."""
    return [wait.match_id, wait.seat, wait.since.isoformat()]


def grant_time(match: Match, wait: Wait, until: datetime, now: datetime) -> None:
    """Give back the time until then, limited by what is left of the three days per match."""
    place = Place.objects.select_related("player").get(match=match, seat=wait.seat)
    span = clock.measure_time(now, until, match.parsed_pace, waits.find_time_zone(place))
    span = min(span, MAX_UNREACHED - place.unreached)
    if extend_deadline(match, place, wait, span, now):
        place.unreached += span
        place.save(update_fields=["unreached"])


def extend_deadline(match: Match, place: Place, wait: Wait, span: timedelta, now: datetime) -> bool:
    """Give a person time. While the clock stands still, it is added to the time left."""
    if not wait.is_blocking or place.is_bot or match.phase != Match.Phase.RUNNING or not span:
        return False
    if wait.left is not None:
        wait.left, wait.credit = wait.left + span, wait.credit + span
        wait.save(update_fields=waits.TIMES)
        return True
    waits.give_time(wait, match, place, span)
    house_lines.extend(match, wait, Event.Origin.HOUSE, now)
    return True
