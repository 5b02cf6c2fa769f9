"""Matches opened by a league: its organisers decide who sits where and when a match begins."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from datetime import datetime

from django.core.exceptions import ValidationError
from django.db import transaction
from django.utils.translation import gettext as _

import games
from beanpost.play import load, random_codes, signals
from beanpost.play.models import Match, Place
from beanpost.play.seats import joining, lifecycle, names, opening
from beanpost.play.tickets import OpenTicket
from beanpost.players.models import Player
from beanpost.players.names import BOTS
from games.contract.seats import Seat


@transaction.atomic
def open_league_table(
    keeper: Player,
    players: Iterable[Player],
    *,
    game: str,
    variant: str,
    pace: str,
    now: datetime,
    empty: Collection[Seat] = (),
) -> Match:
    """Open a match and invite these players, in the order of their seats. The keeper need not be among them.

    The players of seats that stay empty are not invited; somebody else gets those seats later.
    """
    guests = list(players)
    games.open(game, seats=len(guests), variant=variant)
    number = random_codes.make_code()
    planned = OpenTicket(keeper.pk, keeper.sessions, game, variant, len(guests), pace, False, 0, (), number)
    match, _is_new = opening.create_match(planned, keeper, now)
    match.placed, match.expires_at = True, None  # never expires: the organisers decide how long it waits
    match.save(update_fields=["placed", "expires_at"])
    places = [joining.seat_player(match, player, now=now) for player in guests]
    if match.places.filter(seat__in=empty).delete()[0]:
        names.make_names_distinct(match)
    for place in places:
        if place.seat not in empty:
            signals.invited.send(Match, place=place, now=now)
    return match


@transaction.atomic
def begin_anyway(match_id: int, *, now: datetime) -> Match:
    """Begin without waiting for players who have not answered: they are confirmed, and the house gives them a word."""
    match = load.lock_match(match_id)
    for place in match.places.filter(confirmed_at=None, player__isnull=False):
        joining.confirm(match, place, word="", now=now)
    return match


@transaction.atomic
def give_up_seat(match_id: int, seat: int, *, now: datetime) -> Match:
    """Take a seat from a player before the match begins: a bot plays it from the first turn, and the player comes last.

    A seat that was declined is empty; a bot gets it. The log begins with a line about each seat given up.
    """
    match = load.lock_match(match_id)
    if match.phase != Match.Phase.GATHERING:
        raise ValidationError(_("The match has started."))
    place = match.places.filter(seat=seat).first()
    if place is None:
        bots = match.places.filter(player=None).count()
        match.places.create(seat=seat, name=BOTS[bots], invited_at=now, confirmed_at=now)
    else:
        place.stand_in, place.resigned_at, place.confirmed_at = True, now, now
        place.occupant = joining.make_occupant_number(match, now) + 1  # the links of their invitation no longer work
        place.save(update_fields=["stand_in", "resigned_at", "confirmed_at", "occupant"])
    lifecycle.begin_if_ready(match, now)
    return match


@transaction.atomic
def seat_instead(match_id: int, seat: int, player: Player, *, now: datetime) -> Place:
    """Give a seat of a match that has not begun to another player; the former player's invitation is void."""
    match = load.lock_match(match_id)
    if match.phase != Match.Phase.GATHERING:
        raise ValidationError(_("The match has started."))
    if match.places.filter(player=player).exists():
        raise ValidationError(_("That person already has a seat at this table."))
    match.places.filter(seat=seat).delete()
    place = match.places.create(
        seat=seat,
        player=player,
        name=names.choose_name(match, player),
        occupant=joining.make_occupant_number(match, now) + 1,
        invited_at=now,
    )
    names.make_names_distinct(match)
    place.refresh_from_db(fields=["name"])
    signals.invited.send(Match, place=place, now=now)
    return place
