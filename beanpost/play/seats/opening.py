"""Plan and open a match. Nothing is stored until the keeper presses the link in their letter."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime, timedelta

from django.core.exceptions import ValidationError
from django.db import transaction
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

import games
from beanpost.play.models import Match, Vault
from beanpost.play.pace import check_pace, parse_pace
from beanpost.play.random_codes import make_code, make_secret
from beanpost.play.seats import joining
from beanpost.play.tickets import OpenTicket
from beanpost.players import accounts, confirming
from beanpost.players.models import Player
from games.contract.dice import compute_commitment

FILLS_WITHIN = timedelta(days=21)  # a table that is not full by then is called off


def plan(
    keeper: Player,
    *,
    game: str,
    variant: str,
    seats: int,
    pace: str,
    open_to_all: bool,
    bots: int,
    addresses: Iterable[str],
    listed: bool = True,
) -> OpenTicket:
    """Check the plan of a new match and return its ticket. The match is opened when the link is pressed."""
    games.open(game, seats=seats, variant=variant)
    guests = tuple(dict.fromkeys(map(accounts.tidy_address, addresses)))
    if keeper.address in guests:
        raise ValidationError(_("You already have a seat. Just list the other players."))
    free = seats - 1 - bots - len(guests)
    if free < 0:
        raise ValidationError(
            ngettext("That’s one person too many.", "That’s %(count)d people too many.", -free) % {"count": -free}
        )
    if free and not open_to_all:
        raise ValidationError(
            ngettext(
                "One seat is still free. Invite a player, add a bot or open the table to anyone.",
                "%(count)d seats are still free. Invite players, add bots or open the table to anyone.",
                free,
            )
            % {"count": free}
        )
    check_pace(pace)
    number = make_code()
    return OpenTicket(keeper.pk, keeper.sessions, game, variant, seats, pace, open_to_all, bots, guests, number, listed)


@transaction.atomic
def open_match(planned: OpenTicket, keeper: Player, *, now: datetime) -> Match:
    """Open the planned match with its keeper in the first seat. Pressing twice returns the same match.

    The secret is drawn only now, and the keeper adds their word later: every word must be newer than the commitment.
    """
    accounts.lock_player(keeper.pk)  # so that two matches opened at once do not exceed the limit of invitations
    if match := Match.objects.filter(code=planned.number).first():
        return match
    joining.check_invitations(keeper, len(planned.addresses), now)
    confirming.confirm(keeper, now=now)
    match, is_new = create_match(planned, keeper, now)
    if not is_new:
        return match
    joining.seat_player(match, keeper, now=now)
    for n in range(planned.bots):
        joining.seat_bot(match, n, now=now)
    for address in planned.addresses:
        joining.invite(match, address, now=now)
    joining.confirm(match, match.places.get(player=keeper), word="", now=now)
    return match


def create_match(planned: OpenTicket, keeper: Player, now: datetime) -> tuple[Match, bool]:
    """Return the match and whether it is new: the second of two concurrent presses waits and gets the first's match."""
    secret = make_secret()
    defaults = {
        "game": planned.game,
        "edition": games.get(planned.game).edition,
        "variant": planned.variant,
        "seats": planned.seats,
        "pace": planned.pace,
        "allowance": parse_pace(planned.pace).allowance,
        "open_to_all": planned.open_to_all,
        "listed": planned.listed,
        "keeper": keeper,
        "commitment": compute_commitment(secret),
        "opened_at": now,
        "practice": keeper.guest,
        "watchable": not keeper.guest,
        "expires_at": now + FILLS_WITHIN,
    }
    match, is_new = Match.objects.get_or_create(code=planned.number, defaults=defaults)
    if is_new:
        Vault.objects.create(match=match, secret=secret)
    return match, is_new
