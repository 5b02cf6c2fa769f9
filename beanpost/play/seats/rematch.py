"""Rematches: the same game again, with the same people."""

from __future__ import annotations

from datetime import datetime

from django.db import transaction

from beanpost.play import load
from beanpost.play.models import Match
from beanpost.play.seats import joining, opening
from beanpost.play.tickets import OpenTicket
from beanpost.players import accounts
from beanpost.players.models import Player


@transaction.atomic
def open_rematch(match_id: int, player: Player, *, now: datetime) -> Match:
    """Open a rematch. If another player has opened it already, confirm this player's seat there."""
    accounts.lock_player(player.pk)  # lock order: the player before the match, as when a bounce is recorded
    match = load.lock_match(match_id)
    following = Match.objects.filter(follows=match).first()
    if following is None:
        following = opening.open_match(plan_rematch(match, player), player, now=now)
        following.follows = match
        following.save(update_fields=["follows"])
    elif following.places.filter(player=player).exists():
        following = load.lock_match(following.pk)  # others may confirm at the same time
        joining.confirm(following, following.places.get(player=player), word="", now=now)
    return following


def plan_rematch(match: Match, keeper: Player) -> OpenTicket:
    """Plan the rematch. Seats of people we can't invite are open to anybody who is invited or gets the link."""
    others = [place.player for place in match.places.select_related("player") if place.player_id != keeper.pk]
    people = [player for player in others if player]
    guests = [player.address for player in people if not player.unwanted_at]  # nor erased
    return opening.plan(
        keeper,
        game=match.game,
        variant=match.variant,
        seats=match.seats,
        pace=match.pace,
        open_to_all=len(guests) < len(people),
        bots=len(others) - len(people),
        addresses=guests,
        listed=False,
    )
