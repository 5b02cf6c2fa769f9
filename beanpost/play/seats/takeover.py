"""Let another person take over a seat where a bot plays."""

from __future__ import annotations

from datetime import datetime, timedelta

from django.core.exceptions import ValidationError
from django.db import transaction
from django.utils.translation import gettext as _

from beanpost.database import batches
from beanpost.play import load, signals
from beanpost.play.models import Departure, Match, Order, Place, Proposal, Voice
from beanpost.play.seats import names
from beanpost.play.turns import house_lines
from beanpost.players import accounts, confirming
from beanpost.players.models import Player
from games.contract.seats import Seat


def find_candidate(match: Match, seat: Seat, address: str, now: datetime) -> Player:
    """Return the player with this address, if they may take over the seat: they must be new to this table."""
    place = match.places.filter(seat=seat, player__isnull=False, stand_in=True).first()
    if place is None:
        raise ValidationError(_("You can only give away a seat that a bot is playing."))
    player = accounts.get_or_create_player(address, language=match.keeper.language, now=now)
    check_stranger(match, player)
    return player


def check_stranger(match: Match, player: Player) -> None:
    has_sat_here = match.places.filter(player=player).exists() or match.departures.filter(player=player).exists()
    if has_sat_here or match.keeper_id == player.pk:
        raise ValidationError(_("The new player must not have sat at this table before."))


def is_still_offered(match: Match, proposal: Proposal, place: Place) -> bool:
    """Return whether the player to whom a seat was offered may still take it."""
    is_running = match.phase == Match.Phase.RUNNING
    return is_running and proposal.closed_at is None and place.stand_in and place.player is not None


@transaction.atomic
def take_over(proposal: Proposal, player: Player, *, now: datetime) -> Place:
    """Seat the newcomer: void all older links of the seat and announce the change.

    If the absent player can still keep the seat, note that the newcomer wants it: the sweep seats them.
    """
    confirming.confirm(player, now=now)
    match = load.lock_match(proposal.match_id)
    proposal.refresh_from_db()
    place = match.places.select_related("player").get(seat=proposal.seat)
    if place.player_id == player.pk:
        return place
    if not is_still_offered(match, proposal, place) or place.player is None:
        raise ValidationError(_("This seat is no longer free."))
    check_stranger(match, player)
    if proposal.free_at and now < proposal.free_at:
        match.proposals.filter(pk=proposal.pk, accepted_at=None).update(accepted_at=now)
        return place
    left = Departure(match=match, seat=place.seat, player=place.player, name=place.name, left_at=now)
    left.seq = match.length + 1
    left.save()
    seat_newcomer(match, place, player, asked_at=proposal.opened_at, now=now)
    house_lines.seat_person(match, place, proposal.origin, now)
    match.proposals.filter(player=player, closed_at=None).update(closed_at=now)  # offers of other seats
    signals.handed.send(Match, match=match, place=place, departure=left, now=now)
    return place


def seat_waiting_newcomers(now: datetime) -> int:
    """Seat newcomers who accepted while the absent player could still keep the seat, and who now may sit down."""
    waiting = Proposal.objects.filter(free_at__lte=now, accepted_at__isnull=False, closed_at=None).order_by("free_at")
    return batches.run_each(waiting.values_list("match_id", "pk"), seat_waiting_newcomer, now)


@transaction.atomic
def seat_waiting_newcomer(match_id: int, proposal_id: int, now: datetime) -> bool:
    load.lock_match(match_id)
    proposal = Proposal.objects.select_related("player").get(pk=proposal_id)
    if proposal.closed_at or proposal.player is None:
        return False
    try:
        if proposal.player.unwanted_at:
            raise ValidationError(_("This seat is no longer free."))
        take_over(proposal, proposal.player, now=now)
    except ValidationError:
        decline(proposal, now=now)
    return True


@transaction.atomic
def decline(proposal: Proposal, *, now: datetime) -> None:
    """Decline an offered seat, so that it can be offered to somebody else at once."""
    match = load.lock_match(proposal.match_id)
    match.proposals.filter(pk=proposal.pk, closed_at=None).update(closed_at=now)


def seat_newcomer(match: Match, place: Place, player: Player, *, asked_at: datetime, now: datetime) -> None:
    """Put a newcomer into the seat. The name and word on the match's card stay, and so does the seat's time bank."""
    Order.objects.filter(match=match, seat=place.seat).delete()
    Voice.objects.filter(proposal__match=match, proposal__closed_at=None, seat=place.seat).delete()
    place.card_name = place.card_name or place.name
    place.name = names.name_newcomer(match, place.seat, names.choose_name(match, player))
    place.player, place.occupant = player, place.occupant + 1
    place.seated, place.resigned_at, place.excuses = match.length + 1, None, match.parsed_pace.excuses
    place.invited_at, place.confirmed_at, place.unreached, place.waited_from = asked_at, now, timedelta(), None
    place.hears_notes, place.wants_reminders, place.here_at = True, True, None
    place.may_be_watched = False  # the newcomer has not been asked
    place.save()
