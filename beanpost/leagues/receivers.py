"""Receivers of `play`'s signals: proposals, newcomers and results at a league's tables."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from django.core.exceptions import ValidationError
from django.dispatch import receiver
from django.utils.translation import gettext

from beanpost.leagues.models import Chair, Fixture, League
from beanpost.leagues.seasons import results, substitutes
from beanpost.play import signals
from beanpost.play.models import Event, Match, Place, Proposal
from beanpost.play.turns import house_lines


@receiver(signals.proposed)
def refuse_votes_on_seats(match: Match, proposal: Proposal, **_: Any) -> None:
    """Refuse votes on an absent player's seat: friends may vote, but in a league the organiser decides."""
    by_vote = proposal.about == Proposal.About.GIVE and proposal.origin == Event.Origin.PLAYER
    if by_vote and Fixture.objects.filter(match=match).exists():
        raise ValidationError(gettext("In a league, the organiser decides who takes over a seat."))


@receiver(signals.handed)
def store_newcomer(match: Match, place: Place, **_: Any) -> None:
    chair = Chair.objects.filter(fixture__match=match, seat=place.seat).first()
    if chair and place.player:
        substitutes.check_no_organiser(chair, place.player)
        substitutes.set_sitter(chair, place.player)


@receiver(signals.started)
def pause_with_division(match: Match, now: datetime, **_: Any) -> None:
    """Pause a table that begins while its division is paused."""
    if Fixture.objects.filter(match=match, round__division__paused_at__isnull=False).exists():
        house_lines.pause(match, Event.Origin.ORGANISER, now)


@receiver(signals.keeper_sought)
def find_keeper(match: Match, **_: Any) -> int | None:
    """Return the league's keeper; before there is one, the organiser who started the round, if they never sat here."""
    league = League.objects.filter(seasons__divisions__rounds__fixtures__match=match).first()
    if league is None:
        return None
    seats = (match.places, match.departures)
    has_sat_here = any(rows.filter(player=match.keeper_id).exists() for rows in seats)
    return league.keeper_id or (None if has_sat_here else match.keeper_id)


@receiver(signals.finished)
def store_result(match: Match, now: datetime, **_: Any) -> None:
    results.store_result(match, now=now)
