"""What the post room tells the table about its letters. None of it may cost a player time.

letter_went       a letter about a question was accepted by the mail server, perhaps late
letter_bounced    it came back: the seat's clock stands still for a day, three days in a match at most
complained        somebody called our letters unwanted: they are not written to again, and a bot sits in at once
"""

from __future__ import annotations

from datetime import datetime, timedelta

from django.db import transaction

from beanpost.play import clock, house, moves, waits
from beanpost.play.models import Event, Match, Place, Wait
from beanpost.players import book
from beanpost.players.models import Player

PROMPT = timedelta(minutes=15)  # a letter that goes within this time goes at once
A_DAY = timedelta(days=1)
MOST_UNREACHED = timedelta(days=3)


@transaction.atomic
def letter_went(match: Match, player: Player, opened: int, *, promised: datetime, now: datetime) -> bool:
    """Give back what a letter about a question was late by."""
    delay = now - promised
    if delay <= PROMPT:
        return False
    locked = moves.lock(match.pk)
    place = Place.objects.select_related("player").filter(match=locked, player=player).first()
    wait = Wait.objects.filter(match=locked, seat=place.seat, opened=opened).first() if place else None
    return bool(place and wait and stop_clock(locked, place, wait, delay, now))


@transaction.atomic
def letter_bounced(match: Match, player: Player, *, now: datetime) -> bool:
    """A letter came back. Somebody may mend that, so their clock stands still for a while."""
    locked = moves.lock(match.pk)
    place = Place.objects.select_related("player").filter(match=locked, player=player).first()
    wait = Wait.objects.filter(match=locked, seat=place.seat).first() if place else None
    if place is None or wait is None or place.unreached >= MOST_UNREACHED:
        return False
    if not stop_clock(locked, place, wait, A_DAY, now):
        return False
    place.unreached += A_DAY
    place.save(update_fields=["unreached"])
    return True


def stop_clock(match: Match, place: Place, wait: Wait, span: timedelta, now: datetime) -> bool:
    if wait.due_at is None or place.is_bot or match.phase != Match.Phase.RUNNING:
        return False
    until = clock.settled(wait.due_at + span, match.rhythm, waits.zone_of(place))
    house.extend(match, wait, until, Event.Origin.HOUSE, now, credit=span)
    return True


@transaction.atomic
def complained(player: Player, *, now: datetime) -> int:
    """Never write again, and let a bot sit in at every table."""
    book.never_write_again(player, now=now)
    seats = list(player.places.filter(match__phase=Match.Phase.RUNNING, stand_in=False).order_by("match_id"))
    for place in seats:
        house.sit_bot_in(moves.lock(place.match_id), place, Event.Origin.HOUSE, now)
    return len(seats)
