"""Find, create and change players; normalise the addresses and names that people type."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Mapping
from contextlib import suppress
from datetime import datetime
from typing import Any

from django.core.exceptions import ValidationError
from django.core.validators import validate_email
from django.db import IntegrityError, transaction
from django.db.models import F
from django.utils.translation import gettext as _

from beanpost.players import names
from beanpost.players.confirming import compute_fingerprint, compute_fingerprints
from beanpost.players.models import AddressChange, FormerAddress, FormerName, Player, RefusedAddress

ERASED = Player.ERASED
GUESTS = "@guest.invalid"
LONGEST = 40  # characters of a name, and of a word for the shuffle
MAX_FORMER_NAMES = 100  # of one player; later ones are not stored


def tidy_address(typed: str) -> str:
    """Return the address as we store it, so that Ann@Example.org and ann@example.org are one person."""
    address = typed.strip().lower()
    validate_email(address)
    return address


def tidy_text(typed: str) -> str:
    """Normalise a name or a word: one line, composed characters (NFC), at most forty of them."""
    text = " ".join(unicodedata.normalize("NFC", typed).split())
    if len(text) > LONGEST:
        raise ValidationError(_("Use %(most)d characters or fewer.") % {"most": LONGEST})
    names.check_text(text)
    return text


def tidy_name(typed: str) -> str:
    """Normalise a player's name, and check it."""
    name = tidy_text(names.drop_ignorable(typed))
    if not name:
        raise ValidationError(_("Enter a name for other players to see."))
    names.check_name(name)
    return name


def suggest_name(address: str) -> str:
    """Return a name for a player who has not typed one: the part before the @, if it may be a name."""
    local = address.partition("@")[0][:LONGEST]
    for suggested in (local, local.replace(".", " ")):
        with suppress(ValidationError):
            return tidy_name(suggested)
    return local[:1]


def look_up(typed: str) -> Player | None:
    """Return the player with this address, if there is one."""
    try:
        return Player.objects.filter(address=tidy_address(typed)).first()
    except ValidationError:
        return None


def get_or_create_player(
    address: str, *, name: str = "", language: str = "en", zone: str = "UTC", now: datetime
) -> Player:
    """Return the player with this address, created now if it is new. An address that refused letters gets none."""
    address = tidy_address(address)
    fresh = {"name": name or suggest_name(address), "language": language, "zone": zone, "joined_at": now}
    fresh["zone_asked"] = zone != "UTC"
    refusal = {"unwanted_at": lambda: find_refusal(address)}  # called for new rows only
    player, _made = Player.objects.get_or_create(address=address, defaults=fresh | refusal)
    return player


def get_or_create_players(names_by_address: Mapping[str, str], *, language: str, now: datetime) -> dict[str, Player]:
    """Return the players with these tidy addresses, by address, in a few queries however many they are."""
    known = Player.objects.in_bulk(names_by_address, field_name="address")
    fresh = [address for address in names_by_address if address not in known]
    refusals = find_refusals(fresh)
    rows = [
        Player(
            address=address,
            name=names_by_address[address] or suggest_name(address),
            language=language,
            joined_at=now,
            unwanted_at=refusals.get(address),
        )
        for address in fresh
    ]
    Player.objects.bulk_create(rows, ignore_conflicts=True)  # somebody may have signed up in the same moment
    return known | Player.objects.in_bulk(fresh, field_name="address")


def create_guest(name: str, *, mark: str, number: str, language: str, now: datetime) -> Player:
    """Create a guest for a practice match. The address is a placeholder; `mark` tells visitors apart."""
    address = f"{mark}.{number}{GUESTS}"
    return Player.objects.create(address=address, name=name, language=language, joined_at=now, guest=True)


def count_guests(mark: str, moment: datetime) -> int:
    """Count the guests that were created for the same visitor since a moment."""
    return Player.objects.filter(guest=True, address__startswith=f"{mark}.", joined_at__gt=moment).count()


def lock_player(player_id: int) -> None:
    """Lock a player's row until the transaction ends. With `no_key`, letters and other rows can still refer to it."""
    Player.objects.select_for_update(no_key=True).get(pk=player_id)


def refuse_letters(player: Player, *, now: datetime) -> None:
    """Note that a player wants no letters, and stop a pending change of address, whose notices they would not read."""
    Player.objects.filter(pk=player.pk, unwanted_at=None).update(unwanted_at=now)
    player.address_changes.filter(AddressChange.OPEN).update(stopped_at=now)


def is_refused(address: str) -> bool:
    """Return whether the owner of this address wants no letters."""
    refusing = Player.objects.filter(address=address, unwanted_at__isnull=False)
    return refusing.exists() or find_refusal(address) is not None


def find_refusal(address: str) -> datetime | None:
    """For an address that no longer belongs to a player: return when it refused letters, or None."""
    return find_refusals([address]).get(address)


def find_refusals(addresses: Iterable[str]) -> dict[str, datetime]:
    """Return when addresses that belong to no player refused letters, by address."""
    owners = {mark: address for address in addresses for mark in compute_fingerprints(address)}
    refused = RefusedAddress.objects.filter(fingerprint__in=owners)
    return {owners[mark]: since for mark, since in refused.values_list("fingerprint", "since")}


def keep_refusal(player: Player) -> None:
    """Store the refusal of an address before it leaves the player's row: the refusal belongs to the address."""
    if player.unwanted_at and not player.is_forgotten and find_refusal(player.address) is None:
        since = {"since": player.unwanted_at}
        RefusedAddress.objects.get_or_create(fingerprint=compute_fingerprint(player.address), defaults=since)


def write_again(address: str) -> bool:
    """Write to an address again. Return False if it had not refused letters."""
    address = address.strip().lower()
    kept, _each = RefusedAddress.objects.filter(fingerprint__in=compute_fingerprints(address)).delete()
    refusing = Player.objects.filter(address=address).exclude(unwanted_at=None)
    return bool(refusing.update(unwanted_at=None) + kept)


def mark_unreached(player: Player, *, now: datetime) -> None:
    """Note that letters to this player bounce; keep an earlier date."""
    Player.objects.filter(pk=player.pk, unreached_at=None).update(unreached_at=now)


def mark_reached(player: Player, *, sent_at: datetime) -> None:
    """Note that a letter arrived, unless it was sent before the last bounce."""
    Player.objects.filter(pk=player.pk, unreached_at__lt=sent_at).update(unreached_at=None)


def erase_player(player: Player, pseudonym: str, *, now: datetime) -> None:
    """Erase a player's data and end all sessions. Keep a row for their seats, and the refusal of their address."""
    keep_refusal(player)
    player.absences.all().delete()
    player.address_changes.all().delete()
    player.former_addresses.all().delete()
    player.former_names.all().delete()
    player.name, player.address, player.nickname = pseudonym, f"{player.pk}{ERASED}", ""
    player.name_shown = Player.NameShown.WHOLE  # the pseudonym, as in the logs
    player.language, player.zone, player.unwanted_at, player.unreached_at = "en", "UTC", now, None
    player.confirmed_at = None
    player.save()
    sign_out_everywhere(player)


def change(player: Player, **changes: Any) -> None:
    """Save a player's name, language, time zone or letter preferences."""
    before = {name: getattr(player, name) for name in ("name", "nickname") if name in changes}
    for name, value in changes.items():
        setattr(player, name, value)
    player.save(update_fields=list(changes))
    for name in before.values():
        keep_former_name(player, name)


def keep_former_name(player: Player, name: str) -> None:
    """Store a name that the player no longer has, unless it is only the beginning of their address."""
    if name in ("", player.name, player.nickname, player.address.partition("@")[0][:LONGEST]):
        return
    if player.former_names.count() < MAX_FORMER_NAMES:
        FormerName.objects.get_or_create(player=player, name=name)


def renew_feed(player: Player) -> None:
    """Void the URL of a player's calendar feed, so that they get another."""
    Player.objects.filter(pk=player.pk).update(feed=F("feed") + 1)
    player.refresh_from_db(fields=["feed"])


@transaction.atomic
def change_address(player: Player, address: str) -> None:
    """Give a player a new address, unless another player has it. The database's constraint decides, even in a race.

    Refuse if the player has changed address, signed out everywhere or refused letters since the caller read the row.
    """
    locked = Player.objects.select_for_update().get(pk=player.pk)
    if any(getattr(locked, name) != getattr(player, name) for name in ("address", "sessions", "unwanted_at")):
        raise ValidationError(_("Your details have changed in the meantime. Please open the link once more."))
    if find_refusal(address):
        raise ValidationError(_("This address wants no letters from us."))
    keep_refusal(player)
    before, player.address, player.unwanted_at, player.unreached_at = player.address, address, None, None
    try:
        with transaction.atomic():
            player.save(update_fields=["address", "unwanted_at", "unreached_at"])
            if before != address:
                FormerAddress.objects.get_or_create(player=player, address=before)
    except IntegrityError as taken:
        raise ValidationError(_("Another player already uses this address.")) from taken


# ── signing in ──


def sign_in(player: Player, visit: int) -> bool:
    """Use up a sign-in link, and void all others sent before. Return False if it was used or voided already."""
    used = Player.objects.filter(pk=player.pk, visits=visit).update(visits=F("visits") + 1)
    player.refresh_from_db(fields=["visits", "sessions"])
    return bool(used)


def sign_out_everywhere(player: Player, session: int | None = None) -> bool:
    """End all sessions, and void every link but those of seats: somebody else may have used or received one.

    With `session`, only if that is still the current number, so that pressing twice does it once.
    """
    rows = Player.objects.filter(pk=player.pk, **({} if session is None else {"sessions": session}))
    ended = rows.update(visits=F("visits") + 1, sessions=F("sessions") + 1, feed=F("feed") + 1)
    player.refresh_from_db(fields=["visits", "sessions", "feed"])
    return bool(ended)
