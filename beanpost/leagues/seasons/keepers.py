"""The keeper of a league, who decides in its matches: named by address, asked by letter, keeper once they accept.

Until then the organiser who starts a round is the keeper of its matches. A match keeps the keeper it started with.
"""

from __future__ import annotations

from datetime import datetime
from typing import Any

from django.db import transaction
from django.utils.translation import gettext as _

from beanpost.leagues import organiser_accounts
from beanpost.leagues.models import League
from beanpost.players import accounts
from beanpost.players.models import Player
from beanpost.post.models import Letter
from beanpost.post.outbox import queue

KIND = "keeper"
MAX_LETTERS = 3  # letters that ask one person about one league, so that nobody is nagged


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
        # Typing an address again sends nothing: `ask_again` does, a few times at most.
        values = {"league": league.pk, "asks_contact": bool(contact) and accounts.tidy_address(contact) == address}
        queue.queue(player, KIND, f"league/{league.pk}/keeper", values, now=now)


@transaction.atomic
def ask_again(league: League, *, now: datetime) -> str:
    """Send the letter that asks a person to be the keeper again. Say what was done."""
    lock_league(league)
    player = league.asked_keeper
    sent = Letter.objects.filter(recipient=player, kind=KIND, values__league=league.pk)
    if player is None or sent.count() >= MAX_LETTERS:
        return _("We don’t ask this person again.")
    values = {"league": league.pk, "asks_contact": league.asked_contact == league.typed_keeper}
    queue.queue(player, KIND, f"league/{league.pk}/keeper/{now:%y%m%d}", values, now=now)
    return _("We’re asking %(address)s again, once a day at most.") % {"address": league.typed_keeper}


@transaction.atomic
def ask_organiser(league: League, user: Any, *, back: str = "", now: datetime) -> str:
    """Make an organiser the keeper once their own address is confirmed. Say what was done.

    With `back`, the letter that asks them to confirm it leads back to that page of the office, and does nothing else.
    """
    address = min(organiser_accounts.collect_addresses(user), default="")
    if player := organiser_accounts.find_confirmed_player(user):
        lock_league(league)
        league.asked_keeper = player
        league.save(update_fields=["asked_keeper"])
        accept(league, player)
        return _("You decide in this league’s matches now.")
    if not address:
        return _("Your account has no email address. Tell us first which player you are.")
    if back:
        player = accounts.get_or_create_player(address, language=league.language, now=now)
        queue.queue(player, KIND, f"keeper/{user.pk}/{now:%y%m%d%H}", {"league": league.pk, "back": back}, now=now)
    elif league.typed_keeper == address:
        return ask_again(league, now=now)
    else:
        ask_to_keep(league, address, now=now)
    return _("We’ve written to %(address)s. Press the link in that letter to go on.") % {"address": address}


def find_keeper(league: League, organiser: Any) -> Player | None:
    """Return the keeper of the matches that an organiser starts now; None until they have confirmed their address."""
    return league.keeper or (organiser and organiser_accounts.find_confirmed_player(organiser))


def describe_keeper(league: League) -> list[tuple[str, str]]:
    """Say who decides in the league's matches and who has yet to answer, each with what organisers can do about it."""
    sentences = []
    if league.keeper:
        sentences.append((_("%(name)s decides in this league’s matches.") % {"name": league.keeper.name}, ""))
    if league.typed_keeper:
        asked = _("We’ve asked %(address)s to decide in this league’s matches, and have no answer yet.")
        sentences.append((asked % {"address": league.typed_keeper}, _("Send again")))
    if not league.keeper:
        meanwhile = _("Until the league has a keeper, the organiser who starts a round decides in its matches.")
        sentences.append((meanwhile, _("Be the keeper yourself")))
    return sentences


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
