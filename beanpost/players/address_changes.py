"""Changes of address that the old address could not confirm: they wait for two days, and can be stopped there."""

from __future__ import annotations

from datetime import datetime, timedelta

from django.core.exceptions import ValidationError
from django.db.models import F, QuerySet
from django.utils.translation import gettext as _

from beanpost.players import book
from beanpost.players.models import AddressChange, Player

DELAY = timedelta(hours=48)


def pending() -> QuerySet[AddressChange]:
    """Changes that will take effect.

    A change is off once its player has signed out everywhere, has moved in another way, or was erased. Players who want
    no letters would not read our notices, so nothing changes for them either.
    """
    same = {"session": F("player__sessions"), "old": F("player__address"), "player__unwanted_at": None}
    return AddressChange.objects.filter(AddressChange.OPEN, **same)


def pending_for(player: Player) -> AddressChange | None:
    return pending().filter(player=player).first()


def ask(player: Player, new: str, *, now: datetime) -> tuple[AddressChange, bool]:
    """The pending change to a new address, and whether it is a new one. The caller holds the player."""
    if change := pending_for(player):
        if change.new != new:
            raise ValidationError(_("Another change of this address is waiting already."))
        return change, False
    if player.unwanted_at or not player.unreached_at:
        raise ValidationError(_("Our letters reach the old address. Please change it by the link in a fresh letter."))
    if book.look_up(new):
        raise ValidationError(_("This address already belongs to a player."))
    player.address_changes.filter(AddressChange.OPEN).update(stopped_at=now)  # it is off, and must not come back
    return player.address_changes.create(
        old=player.address, new=new, session=player.sessions, asked_at=now, effective_at=now + DELAY
    ), True


def stop(change: AddressChange, *, now: datetime) -> bool:
    """False: it has taken effect, or was stopped before."""
    return bool(AddressChange.objects.filter(AddressChange.OPEN, pk=change.pk).update(stopped_at=now))
