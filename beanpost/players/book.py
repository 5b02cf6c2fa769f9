"""Writing in the guest book: addresses and names as people type them, made fit to keep."""

from __future__ import annotations

import unicodedata
from datetime import datetime

from django.core.exceptions import ValidationError
from django.core.validators import validate_email
from django.utils.translation import gettext as _

from beanpost.players.models import Player

LONGEST = 40  # of a name and of a word


def tidy_address(typed: str) -> str:
    """The address as we keep it, so that Ann@Example.org and ann@example.org are one person."""
    address = typed.strip().lower()
    validate_email(address)
    return address


def tidy_text(typed: str) -> str:
    """A name or a word: one line, composed characters, at most forty."""
    text = " ".join(unicodedata.normalize("NFC", typed).split())
    if len(text) > LONGEST:
        raise ValidationError(_("Please use at most %(most)d characters.") % {"most": LONGEST})
    if any(unicodedata.category(character) in {"Cc", "Cf", "Co", "Cs"} for character in text):
        raise ValidationError(_("Please use letters, digits and ordinary signs only."))
    return text


def tidy_name(typed: str) -> str:
    name = tidy_text(typed)
    if not name:
        raise ValidationError(_("Please give a name for the others to call you by."))
    return name


def look_up(typed: str) -> Player | None:
    """Who has this address, if we know it."""
    try:
        return Player.objects.filter(address=tidy_address(typed)).first()
    except ValidationError:
        return None


def welcome(address: str, *, name: str = "", language: str = "en", zone: str = "UTC", now: datetime) -> Player:
    """The player with this address, entered now if we do not know it yet."""
    address = tidy_address(address)
    fresh = {"name": name or address.partition("@")[0][:LONGEST], "language": language, "zone": zone, "joined_at": now}
    player, _made = Player.objects.get_or_create(address=address, defaults=fresh)
    return player


def never_write_again(player: Player, *, now: datetime) -> None:
    Player.objects.filter(pk=player.pk, unwanted_at=None).update(unwanted_at=now)


def change(player: Player, *, name: str, language: str, zone: str) -> None:
    player.name, player.language, player.zone = name, language, zone
    player.save(update_fields=["name", "language", "zone"])


def move_to(player: Player, address: str) -> None:
    """Give a player a new address, unless it is somebody else's."""
    if Player.objects.filter(address=address).exclude(pk=player.pk).exists():
        raise ValidationError(_("This address already belongs to a player."))
    player.address, player.unwanted_at = address, None
    player.save(update_fields=["address", "unwanted_at"])
