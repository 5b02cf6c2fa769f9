"""Another person for a seat where a bot sits in: who may take it over, and how they sit down."""

from __future__ import annotations

from datetime import datetime, timedelta

from django.core.exceptions import ValidationError
from django.db import transaction
from django.utils.translation import gettext as _

from beanpost.play import house, moves, naming, signals
from beanpost.play.models import Departure, Match, Order, Place, Proposal, Voice
from beanpost.players import book, confirming
from beanpost.players.models import Player
from games.chairs import Seat


def candidate(match: Match, seat: Seat, address: str, now: datetime) -> Player:
    """Who could sit there: nobody who knows this table already."""
    place = match.places.filter(seat=seat, player__isnull=False, stand_in=True).first()
    if place is None:
        raise ValidationError(_("Only a seat where a bot sits in for somebody can be given away."))
    player = book.welcome(address, language=match.keeper.language, now=now)
    check_stranger(match, player)
    return player


def check_stranger(match: Match, player: Player) -> None:
    knows = match.places.filter(player=player).exists() or match.departures.filter(player=player).exists()
    if knows or match.keeper_id == player.pk:
        raise ValidationError(_("Whoever takes over must be new to this table."))


def is_free(match: Match, proposal: Proposal, place: Place) -> bool:
    """Whether whom a seat was offered to could still sit down there."""
    is_running = match.phase == Match.Phase.RUNNING
    return is_running and proposal.closed_at is None and place.stand_in and place.player is not None


@transaction.atomic
def take_over(proposal: Proposal, player: Player, *, now: datetime) -> Place:
    """The newcomer sits down: every older link of the seat is void, and everybody is told."""
    confirming.confirm(player, now=now)
    match = moves.lock(proposal.match_id)
    proposal.refresh_from_db()
    place = match.places.select_related("player").get(seat=proposal.seat)
    if place.player_id == player.pk:
        return place
    if not is_free(match, proposal, place) or place.player is None:
        raise ValidationError(_("The seat is no longer free."))
    check_stranger(match, player)
    left = Departure(match=match, seat=place.seat, player=place.player, name=place.name, left_at=now)
    left.seq = match.length + 1
    left.save()
    seat_newcomer(match, place, player, asked_at=proposal.opened_at, now=now)
    house.sit_person(match, place, proposal.origin, now)
    signals.handed.send(Match, match=match, place=place, departure=left, now=now)
    return place


def seat_newcomer(match: Match, place: Place, player: Player, *, asked_at: datetime, now: datetime) -> None:
    """Nothing of the former occupant's stays but the name and the word on the match's card. The bank is the seat's."""
    Order.objects.filter(match=match, seat=place.seat).delete()
    Voice.objects.filter(proposal__match=match, proposal__closed_at=None, seat=place.seat).delete()
    place.card_name = place.card_name or place.name
    place.name = naming.newcomers_name(match, place.seat, player.name)
    place.player, place.occupant = player, place.occupant + 1
    place.seated, place.resigned_at, place.excuses = match.length + 1, None, match.rhythm.excuses
    place.invited_at, place.confirmed_at, place.unreached = asked_at, now, timedelta()
    place.hears_notes = place.wants_reminders = True
    place.save()
