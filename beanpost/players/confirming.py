"""Confirmed addresses. An address is confirmed once somebody there has pressed a link we sent, or has replied.

Anybody can type any address, so an address that nobody has confirmed gets one letter a day and three in 90 days.
"""

from __future__ import annotations

from datetime import datetime, timedelta

from django.conf import settings
from django.db.models import F, Q, QuerySet
from django.utils.crypto import salted_hmac

from beanpost.players.models import Player, Unanswered

A_DAY = timedelta(days=1)
MAX_LETTERS = 3
LAPSES = timedelta(days=90)  # so long after the last letter the count starts again, so that the owner can ask for one


def confirm(player: Player, *, now: datetime) -> None:
    """Note that the player has answered from their address."""
    if player.confirmed_at is not None or player.guest:
        return
    player.confirmed_at = now
    reset_count(player.address)
    # Filter by the address too: it may have changed, or the player been erased, since the caller read the row.
    Player.objects.filter(pk=player.pk, address=player.address, confirmed_at=None).update(confirmed_at=now)


def reset_count(address: str) -> bool:
    """Reset the count, since somebody at this address has answered. Return False if nothing was counted."""
    return bool(find_counts(address).delete()[0])


def count_letter(address: str, letter: int, *, now: datetime, is_retry: bool) -> datetime | None:
    """Count a letter to an unconfirmed address if it may go now. Return when it may go.

    None means that it must wait until the address answers. With `is_retry`, an earlier attempt may have counted it.
    """
    first = {"letters": 1, "last_at": now, "last_letter": letter}
    row, is_new = find_counts(address).first(), False
    if row is None:
        row, is_new = Unanswered.objects.get_or_create(fingerprint=compute_fingerprint(address), defaults=first)
    if is_new or (is_retry and row.last_letter == letter):
        return now
    # The condition is part of the update, so that of two concurrent senders only one counts its letter.
    lapsed = Unanswered.objects.filter(pk=row.pk, last_at__lte=now - LAPSES)
    free = Unanswered.objects.filter(pk=row.pk, letters__lt=MAX_LETTERS, last_at__lte=now - A_DAY)
    if lapsed.update(**first) or free.update(letters=F("letters") + 1, last_at=now, last_letter=letter):
        return now
    latest = Unanswered.objects.filter(pk=row.pk).first()  # as the other sender left it
    if latest is None:  # the address has just answered
        return now
    return latest.last_at + A_DAY if latest.letters < MAX_LETTERS else None


def is_counted(address: str, letter: int) -> bool:
    """Return whether an earlier attempt counted this letter."""
    return find_counts(address).filter(last_letter=letter).exists()


def find_free_time(most: int, now: datetime, *, among: Q) -> datetime | None:
    """Return when the next letter to an unconfirmed address may go, given at most `most` a day. None means now.

    `among` are the letters that share this limit. A `most` of 0 means no limit.
    """
    newest = Unanswered.objects.filter(among, last_at__gt=now - A_DAY).order_by("-last_at")
    oldest = newest.values_list("last_at", flat=True)[most - 1 : most] if most else ()
    return oldest[0] + A_DAY if oldest else None


def find_counts(address: str) -> QuerySet[Unanswered]:
    """Return the count of an address, if it has one. After a change of the key there may be two for a moment."""
    return Unanswered.objects.filter(fingerprint__in=compute_fingerprints(address)).order_by("-last_at")


def compute_fingerprint(address: str) -> str:
    """Return the fingerprint under which an address is stored from now on."""
    return compute_fingerprints(address)[0]


def compute_fingerprints(address: str) -> list[str]:
    """Return the fingerprints under which an address may be stored: by the present key and by older ones."""
    keys = (settings.SECRET_KEY, *settings.SECRET_KEY_FALLBACKS)
    return [salted_hmac("beanpost/address/1", address, secret=key, algorithm="sha256").hexdigest() for key in keys]
