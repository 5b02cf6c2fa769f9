"""Change a player's address: at once if the old address has confirmed it, after two days if letters there bounce.

by a fresh letter to the old address    the link sent to the new address changes it at once
if letters there bounce                 that link starts an AddressChange; the old address gets two notices, each
                                        with a link that stops it, and a periodic task applies it after 48 hours
"""

from __future__ import annotations

from datetime import datetime

from django.core.exceptions import ValidationError
from django.db import transaction

from beanpost.database import batches
from beanpost.play.timekeeping import mail_credits
from beanpost.players import accounts, address_changes, confirming
from beanpost.players.models import AddressChange, Player
from beanpost.post.outbox import claims, queue, unconfirmed


@transaction.atomic
def apply_confirmed_change(player: Player, old: str, new: str, *, now: datetime) -> None:
    """Change to an address that was confirmed there, and tell the old one."""
    release_letters_being_composed(player, now=now)
    change_address(player, old, new, now=now)


def release_letters_being_composed(player: Player, *, now: datetime) -> None:
    """Send letters that are being composed right now to the new address.

    Call it before locking the player's row: letters are always locked before players, as when a bounce is processed.
    """
    claims.release_unwritten(now, to=player)


def change_address(player: Player, old: str, new: str, *, now: datetime) -> None:
    accounts.change_address(player, new)
    confirming.reset_count(new)
    unconfirmed.confirm_player(player, now=now)
    queue.renew_all_links(player, now=now)  # readers of the old address hold links to every seat
    queue.queue(player, "moved_address", f"moved/{now:%Y-%m-%dT%H:%M:%S}", {"to": old, "new": new}, now=now)


# ── if letters to the old address bounce ──


@transaction.atomic
def request_change(player: Player, new: str, *, now: datetime) -> AddressChange:
    """Start a change that takes effect in two days, and notify the old address today and tomorrow."""
    accounts.lock_player(player.pk)
    player.refresh_from_db()
    confirming.reset_count(new)
    change, is_new = address_changes.request_change(player, new, now=now)
    if is_new:
        values = {"to": change.old, "change": change.pk}
        for nth, after in enumerate((now, now + address_changes.DELAY / 2)):
            queue.queue(player, "moving_address", f"moving/{change.pk}/{nth}", values, now=now, after=after)
        mail_credits.stop_clocks_for_change(change.pk, now)
    return change


@transaction.atomic
def stop_change(change: AddressChange, *, now: datetime) -> bool:
    """Stop a change on behalf of a person who reads the old address: our letters arrive there after all.

    The person who asked for the change held one of the player's letters, so void every older link too. Return False if
    it is too late.
    """
    accounts.lock_player(change.player_id)
    if not address_changes.stop_change(change, now=now):
        return False
    player = Player.objects.get(pk=change.player_id)
    if player.address == change.old:
        accounts.change(player, unreached_at=None)
    queue.renew_all_links(player, now=now)
    return True


def apply_due_changes(now: datetime) -> int:
    """Apply every change that is due, and return how many. Safe to repeat, and to run on several machines."""
    due = AddressChange.objects.filter(AddressChange.OPEN, effective_at__lte=now).order_by("pk").values_list("pk")
    return batches.run_each(due, apply_change, now)


@transaction.atomic
def apply_change(change_id: int, now: datetime) -> bool:
    """Change a player's address. If the change was stopped or is no longer possible, close it."""
    found = AddressChange.objects.select_related("player").get(pk=change_id)
    release_letters_being_composed(found.player, now=now)
    accounts.lock_player(found.player_id)
    change = address_changes.find_pending().select_related("player").filter(pk=change_id).first()
    if change is None or not try_change_address(change, now):
        address_changes.stop_change(found, now=now)
        return False
    AddressChange.objects.filter(pk=change_id).update(done_at=now)
    return True


def try_change_address(change: AddressChange, now: datetime) -> bool:
    """Return whether the change succeeded: it fails if another player has the new address by now."""
    try:
        change_address(change.player, change.old, change.new, now=now)
    except ValidationError:
        return False
    return True
