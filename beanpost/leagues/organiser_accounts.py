"""Link an organiser's account to a player, so that nobody decides a match they play in, whatever address they use.

An account is linked by key: automatically if exactly one player has its address, otherwise by the organiser, who proves
it by being signed in as that player. An organiser may also state that they don't play here; `says_no_at` keeps
that statement. Addresses, former ones included, are compared as well: they catch an organiser who has told us nothing,
or a lie.
"""

from __future__ import annotations

from datetime import datetime
from typing import Any

from django.contrib.auth import get_user_model
from django.core.exceptions import ValidationError
from django.db import transaction
from django.db.models import Q, QuerySet
from django.utils.translation import gettext as _

from beanpost.leagues.models import OrganiserAccount
from beanpost.players.models import Player


def collect_addresses(user: Any) -> set[str]:
    """Return an account's mail addresses. Many people sign in with an address as their username."""
    return {name.strip().lower() for name in (user.email or "", user.get_username()) if "@" in name}


def find_account(user: Any) -> OrganiserAccount | None:
    return OrganiserAccount.objects.filter(user=user).first()


def has_answered(user: Any) -> bool:
    account = find_account(user)
    return account is not None and account.has_answered


def is_known(user: Any) -> bool:
    """Whether we know in which matches an organiser plays.

    We don't for an account with neither an address nor a player, nor for one whose owner was asked and hasn't answered.
    """
    account = find_account(user)
    if account and (account.has_answered or account.asked_at):
        return account.has_answered
    return bool(collect_addresses(user))


def find_players(user: Any) -> QuerySet[Player]:
    """Return every player the organiser may be: the linked one, and any who has or had an address of the account."""
    known = collect_addresses(user)
    by_address = Q(address__in=known) | Q(former_addresses__address__in=known)
    return Player.objects.filter(by_address | Q(organiser_accounts__user=user))


def find_confirmed_player(user: Any) -> Player | None:
    """Return an organiser as a player whose address is confirmed: linked, or at the account's address."""
    for own in (Q(organiser_accounts__user=user), Q(address__in=collect_addresses(user))):
        if player := Player.objects.filter(own, guest=False, confirmed_at__isnull=False).first():
            return player
    return None


def find_accounts(player: Player) -> QuerySet[Any]:
    """Return the accounts that are a player's: linked ones, and those with an address that the player has or had."""
    return find_accounts_of(player, player.address, *player.former_addresses.values_list("address", flat=True))


def find_accounts_of(player: Any, *addresses: Any) -> QuerySet[Any]:
    """Return the accounts of a player with these addresses; each may be a reference to a column of an outer query."""
    theirs = Q(organiser_account__player=player)
    for address in addresses:
        theirs |= Q(email__iexact=address) | Q(username__iexact=address)
    return get_user_model().objects.filter(theirs).distinct()


def is_organiser(player: Player, users: QuerySet[Any]) -> bool:
    """Whether a player is one of these users."""
    return any(find_players(user).filter(pk=player.pk).exists() for user in users)


@transaction.atomic
def link_or_ask(user: Any, *, now: datetime) -> OrganiserAccount:
    """Link an account by its address, or record that we asked its owner. Once asked, they have to answer."""
    account, _is_new = OrganiserAccount.objects.get_or_create(user=user)
    if account.has_answered:
        return account
    found = list(Player.objects.filter(address__in=collect_addresses(user), guest=False)[:2])
    if len(found) == 1:
        link(user, found[0])
    elif account.asked_at is None:
        account.asked_at = now
        account.save(update_fields=["asked_at"])
    return account


@transaction.atomic
def link(user: Any, player: Player) -> None:
    """Link an account to a player for good. The caller knows that the link is true, or that somebody has proved it."""
    account, _is_new = OrganiserAccount.objects.select_for_update().get_or_create(user=user)
    if account.player_id not in (None, player.pk):
        raise ValidationError(_("This account is linked to a player already."))
    if account.player_id is None:
        account.player = player
        account.save(update_fields=["player"])


@transaction.atomic
def record_no(user: Any, *, now: datetime) -> None:
    """Record an organiser's statement that they don't play here."""
    account, _is_new = OrganiserAccount.objects.select_for_update().get_or_create(user=user)
    if not account.has_answered:
        account.says_no_at = now
        account.save(update_fields=["says_no_at"])
