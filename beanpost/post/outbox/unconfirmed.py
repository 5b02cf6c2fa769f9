"""The limit for letters to an unconfirmed address: one a day, three in 90 days.

The second letter of a day waits for the next day. A letter that was requested on a page is withheld instead: otherwise
repeated requests would pile up letters. After the third letter, all others are withheld until the address answers, or
until 90 days have passed.

Answers to mail from there are not counted: replies.py limits them to one a day.

The service as a whole writes to at most UNCONFIRMED_LETTERS_A_DAY such addresses a day because people invite them, and
to as many because strangers typed them on a page; further letters wait. Strangers can't use up the first of these.
"""

from __future__ import annotations

from datetime import datetime

from django.conf import settings
from django.db.models import Exists, OuterRef, Q

from beanpost.players import confirming
from beanpost.players.models import Player
from beanpost.post.models import Letter
from beanpost.post.outbox import claims

ASKED = "asked/"  # prefix of keys of letters that anybody can request by typing an address
TO_THE_OLD_ADDRESS = {"moved_address", "moving_address"}  # which was confirmed while it was the recipient's


def is_unconfirmed(letter: Letter) -> bool:
    """Return whether the letter goes to an address that nobody has confirmed."""
    if letter.kind in TO_THE_OLD_ADDRESS:
        return False
    # A player may enter any address as their new one, even one that another player has confirmed.
    return "to" in letter.values or letter.recipient.confirmed_at is None


def admit_letter(letter: Letter, now: datetime) -> bool:
    """Count a letter to an unconfirmed address, and return whether it may be sent. If not, delay or withhold it."""
    if letter.kind == "links_only" or not is_unconfirmed(letter):
        return True
    is_retry = letter.sent_at is None or letter.attempts > 1  # otherwise an organiser has resent it
    is_counted = is_retry and confirming.is_counted(letter.target_address, letter.pk)
    if not is_counted and (until := find_free_time(now, requested=letter.key.startswith(ASKED))):
        claims.delay_letter(letter, until, why=claims.TOO_MANY_NEW)
        return False
    when = confirming.count_letter(letter.target_address, letter.pk, now=now, is_retry=is_retry)
    if when is not None and when <= now:
        return True
    if when is None or letter.key.startswith(ASKED):
        claims.mark_withheld(letter)
    else:
        claims.delay_letter(letter, when)
    return False


def find_free_time(now: datetime, *, requested: bool) -> datetime | None:
    """Return when the service may write to another unconfirmed address; None if it may now.

    `requested` is for letters that somebody requested by typing the address on a page, not for invitations.
    """
    asked = Q(Exists(Letter.objects.filter(pk=OuterRef("last_letter"), key__startswith=ASKED)))
    among = asked if requested else ~asked
    return confirming.find_free_time(settings.UNCONFIRMED_LETTERS_A_DAY, now, among=among)


def confirm_player(player: Player, *, now: datetime) -> None:
    """Mark a player as confirmed, and send the letters that waited for that."""
    confirming.confirm(player, now=now)
    claims.release_delayed(player, now=now)
