"""Changes of address that the old address could not confirm: they wait two days, and the old address can stop them."""

from __future__ import annotations

from datetime import datetime, timedelta

from django.core.exceptions import ValidationError
from django.db.models import F, QuerySet
from django.utils.translation import gettext as _

from beanpost.players import accounts
from beanpost.players.models import AddressChange, Player

DELAY = timedelta(hours=48)


def find_pending() -> QuerySet[AddressChange]:
    """Return the changes that will take effect.

    A change is cancelled once its player signs out everywhere, changes address in another way, or is erased. Players
    who want no letters would not read our notices, so their address does not change either.
    """
    same = {"session": F("player__sessions"), "old": F("player__address"), "player__unwanted_at": None}
    return AddressChange.objects.filter(AddressChange.OPEN, **same)


def find_pending_of(player: Player) -> AddressChange | None:
    """Return the player's pending change, if there is one."""
    return find_pending().filter(player=player).first()


def request_change(player: Player, new: str, *, now: datetime) -> tuple[AddressChange, bool]:
    """Return the pending change to a new address, and whether it is new. The caller holds the player's lock."""
    if change := find_pending_of(player):
        if change.new != new:
            raise ValidationError(_("Another change of this address is waiting already."))
        return change, False
    if player.unwanted_at or not player.unreached_at:
        raise ValidationError(_("Our letters reach the old address. Please change it by the link in a fresh letter."))
    if accounts.look_up(new):
        raise ValidationError(_("Another player already uses this address."))
    player.address_changes.filter(AddressChange.OPEN).update(stopped_at=now)  # cancelled changes must not revive
    return player.address_changes.create(
        old=player.address, new=new, session=player.sessions, asked_at=now, effective_at=now + DELAY
    ), True


def stop_change(change: AddressChange, *, now: datetime) -> bool:
    """Stop a change. Return False if it has taken effect or was stopped before."""
    return bool(AddressChange.objects.filter(AddressChange.OPEN, pk=change.pk).update(stopped_at=now))
