"""Begin a match once all seats are confirmed; call off matches that do not get that far."""

from __future__ import annotations

from datetime import datetime

from django.db import transaction

from beanpost.database import batches
from beanpost.play import load, moves, signals
from beanpost.play.deadlines import waits
from beanpost.play.log import storage
from beanpost.play.models import Event, Match, build_card
from beanpost.play.random_codes import make_word
from games.contract.house_lines import Forfeit
from games.contract.seats import HOUSE


def begin_if_ready(match: Match, now: datetime) -> None:
    if match.places.filter(confirmed_at__isnull=False).count() == match.seats:
        begin(match, now)


def begin(match: Match, now: datetime) -> None:
    """Begin a match: fill in missing words, fix the card, and let the dealer deal."""
    places = list(match.places.all())
    for place in places:
        if not place.word:
            place.word, place.word_of_house = make_word(), True
            place.save(update_fields=["word", "word_of_house"])
    match.phase, match.started_at, match.head = Match.Phase.RUNNING, now, build_card(match, places).digest
    match.expires_at = None
    match.save(update_fields=["phase", "started_at", "head", "expires_at"])
    match.places.update(excuses=match.parsed_pace.excuses)
    match.places.filter(player__isnull=False, stand_in=False).update(nudge_at=now + waits.SILENCE)
    gave_up = [place.seat for place in places if place.resigned_at]
    lines = [storage.NewLine(HOUSE, str(Forfeit(seat)), Event.Origin.ORGANISER) for seat in gave_up]
    loaded = load.load_locked(match)
    moves.follow_up(loaded, loaded.table, lines, now=now)
    signals.started.send(Match, match=match, now=now)


def call_off(match: Match, *, now: datetime) -> None:
    """Call off a match that has not begun. If it is a rematch, clear the link, so that another one can be opened."""
    match.phase, match.ended_at, match.expires_at, match.follows = Match.Phase.CALLED_OFF, now, None, None
    match.save(update_fields=["phase", "ended_at", "expires_at", "follows"])


def expire(now: datetime) -> int:
    """Call off the tables that never filled, and tell the players who waited."""
    old = Match.objects.filter(expires_at__lte=now).order_by("expires_at").values_list("pk")
    return batches.run_each(old, expire_one, now)


@transaction.atomic
def expire_one(match_id: int, now: datetime) -> bool:
    match = load.lock_match(match_id)
    if match.expires_at is None or match.expires_at > now or match.phase != Match.Phase.GATHERING:
        return False
    match.ending = "expired"
    match.save(update_fields=["ending"])
    call_off(match, now=now)
    signals.expired.send(Match, match=match, now=now)
    return True
