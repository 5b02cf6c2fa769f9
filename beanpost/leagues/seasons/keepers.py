"""The keeper of a league: named by address, asked by letter, and keeper once they accept."""

from __future__ import annotations

from datetime import datetime

from django.core.exceptions import ValidationError
from django.db import transaction
from django.utils.translation import gettext as _

from beanpost.leagues.models import League
from beanpost.players import accounts
from beanpost.players.models import Player
from beanpost.post.outbox import queue

KIND = "keeper"


@transaction.atomic
def ask_to_keep(league: League, address: str, *, contact: str = "", now: datetime) -> None:
    """Ask the person with this address to be the keeper. The present one stays until they accept.

    If answers to the league's letters are to go to the same address, `contact`, the letter asks for both.
    """
    address = accounts.tidy_address(address)
    lock_league(league)
    if league.keeper and league.keeper.address == address:
        clear_offer(league)
    elif league.typed_keeper != address:
        player = accounts.get_or_create_player(address, language=league.language, now=now)
        league.asked_keeper, league.typed_keeper = player, address
        league.save(update_fields=["asked_keeper", "typed_keeper"])
        # At most one letter per person and league, so that nobody is nagged.
        values = {"league": league.pk, "asks_contact": bool(contact) and accounts.tidy_address(contact) == address}
        queue.queue(player, KIND, f"league/{league.pk}/keeper", values, now=now)


@transaction.atomic
def accept(league: League, player: Player) -> bool:
    """Make a player the keeper. Return False if they are no longer asked."""
    lock_league(league)
    if league.asked_keeper_id != player.pk:
        return league.keeper_id == player.pk
    league.keeper = player
    league.save(update_fields=["keeper"])
    clear_offer(league)
    return True


@transaction.atomic
def decline(league: League, player: Player) -> None:
    """Decline the offer, or step down."""
    lock_league(league)
    if league.asked_keeper_id == player.pk:
        clear_offer(league)
    if league.keeper_id == player.pk:
        league.keeper = None
        league.save(update_fields=["keeper"])


def lock_league(league: League) -> None:
    League.objects.select_for_update(no_key=True).get(pk=league.pk)
    league.refresh_from_db(fields=["keeper", "asked_keeper", "typed_keeper"])


def clear_offer(league: League) -> None:
    league.asked_keeper, league.typed_keeper = None, ""
    league.save(update_fields=["asked_keeper", "typed_keeper"])


def check_has_keeper(league: League) -> None:
    if league.keeper is None:
        raise ValidationError(say_no_keeper())


def say_no_keeper() -> str:
    return _("The league has no keeper yet. Name one on its page; they accept by letter.")
