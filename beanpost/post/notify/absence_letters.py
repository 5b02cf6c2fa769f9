"""Signal receivers that queue the letters about time and absence. `compose.absence_contents` says what they contain."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from django.dispatch import receiver

from beanpost.play import signals
from beanpost.play.models import Departure, Event, Match, Place, Proposal, Wait
from beanpost.play.seats import own_seat, votes
from beanpost.post import preferences
from beanpost.post.compose.contents import find_title
from beanpost.post.outbox.queue import queue

# ── when they are queued ─────────────────────────────────────────────────────────────────────────


@receiver(signals.excused)
def write_excused(match: Match, wait: Wait, place: Place, event: Event, now: datetime, **_: Any) -> None:
    assert place.player is not None
    values = {"opened": wait.opened, "seq": event.seq}
    queue(place.player, "excused", f"m/{match.pk}/{event.seq}", values, now=now, match=match)


@receiver(signals.stood_in)
def write_bot_took_over(match: Match, place: Place, now: datetime, **_: Any) -> None:
    if place.player:
        queue(place.player, "stand_in", f"m/{match.pk}/{match.length}", now=now, match=match)


@receiver(signals.wondered)
def ask_silent_player(match: Match, place: Place, now: datetime, **_: Any) -> None:
    assert place.player is not None
    queue(place.player, "still", f"m/{match.pk}/{now:%y%m%d}", now=now, match=match)


@receiver(signals.seemed_away)
def offer_days_away(match: Match, place: Place, now: datetime, **_: Any) -> None:
    """Offer days away, at most once a week: an absent player's mailbox replies to every letter."""
    assert place.player is not None
    queue(place.player, "away_offer", f"away/{now:%G%V}", now=now, match=match)


@receiver(signals.seemed_away)
def tell_caretaker_of_absence(match: Match, place: Place, now: datetime, **_: Any) -> None:
    """Say that a mailbox replied automatically, but never the text of the reply."""
    if caretaker := own_seat.find_caretaker(match, place.seat, now=now):
        key = f"m/{match.pk}/{place.seat}/{now:%G%V}"
        queue(caretaker, "away_seen", key, {"seat": place.seat}, now=now, match=match)


@receiver(signals.proposed)
def ask_for_votes(match: Match, proposal: Proposal, voters: list[Place], now: datetime, **_: Any) -> None:
    for voter in voters:
        assert voter.player is not None
        queue(voter.player, "decide", f"p/{proposal.pk}", {"proposal": proposal.pk}, now=now, match=match)


@receiver(signals.decided)
def write_decision(match: Match, line: int, last: Place | None, now: datetime, **_: Any) -> None:
    """Tell the players, except those who are asked anew: their turn letter tells of the decision."""
    asked_anew = map(preferences.build_question_key, match.waits.filter(opened__gte=line))
    informed = set(match.letters.filter(kind="turn", key__in=list(asked_anew)).values_list("recipient", flat=True))
    for place in match.places.filter(player__isnull=False, resigned_at=None).select_related("player"):
        if place.player and place.player_id not in informed and place != last:
            queue(place.player, "decided", f"m/{match.pk}/{line}", {"line": line}, now=now, match=match)


@receiver(signals.offered)
def ask_newcomer(match: Match, proposal: Proposal, now: datetime, **_: Any) -> None:
    assert proposal.player is not None
    # Queued without the match: the newcomer does not sit at its table yet.
    # The key holds the time because an organiser may ask the same person again.
    values = {"proposal": proposal.pk, "thread": match.pk}
    queue(proposal.player, "takeover", f"p/{proposal.pk}/{now:%y%m%d%H%M%S}", values, now=now)


@receiver(signals.offered)
def offer_veto(match: Match, proposal: Proposal, now: datetime, **_: Any) -> None:
    place = match.places.select_related("player").get(seat=proposal.seat)
    if proposal.free_at and place.player:
        values = {"proposal": proposal.pk, "thread": match.pk}
        queue(place.player, "veto", f"p/{proposal.pk}", values, now=now)


@receiver(signals.handed)
def tell_of_newcomer(match: Match, place: Place, departure: Departure, now: datetime, **_: Any) -> None:
    values = {"title": find_title(match), "departure": departure.pk, "thread": match.pk}
    queue(departure.player, "replaced", f"m/{match.pk}", values, now=now)
    for other in votes.find_present_players(match):
        if other.player and other.seat != place.seat:
            queue(other.player, "handed", f"d/{departure.pk}", {"departure": departure.pk}, now=now, match=match)
    if place.player and not match.waits.filter(seat=place.seat).exists():  # otherwise their turn letter says so
        queue(place.player, "started", f"d/{departure.pk}", now=now, match=match)


@receiver(signals.expired)
def write_expired(match: Match, now: datetime, **_: Any) -> None:
    for place in match.places.filter(player__isnull=False, confirmed_at__isnull=False).select_related("player"):
        assert place.player is not None
        queue(place.player, "expired", f"m/{match.pk}", {"title": find_title(match), "thread": match.pk}, now=now)
