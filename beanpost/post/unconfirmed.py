"""Letters to addresses that nobody has confirmed, whoever asked for them: one a day, three in all.

The second letter of a day waits for the next day; a letter that somebody asked for on a page does not, since asking
again and again would store up letters. After the third the letters are withheld until the address answers.

The house as a whole writes to UNCONFIRMED_LETTERS_A_DAY such addresses; what is above that waits for a place.
"""

from __future__ import annotations

from datetime import datetime

from django.conf import settings

from beanpost.players import confirming
from beanpost.players.models import Player
from beanpost.post import outbox
from beanpost.post.models import Letter

ASKED = "asked/"  # how the keys of letters begin that anybody can ask for by typing an address
TO_THE_OLD_ADDRESS = {"moved_address", "moving_address"}  # of their recipient: that was confirmed when it was theirs


def is_unconfirmed(letter: Letter) -> bool:
    """Whether the letter goes to an address that nobody has confirmed."""
    if letter.kind in TO_THE_OLD_ADDRESS:
        return False
    # A player may name any address as their new one. That another player has confirmed it for themselves says nothing.
    return "to" in letter.values or letter.recipient.confirmed_at is None


def may_go(letter: Letter, now: datetime) -> bool:
    """Count a letter that is about to go to an unconfirmed address; one that may not go is put back or withheld."""
    if not is_unconfirmed(letter):
        return True
    is_retry = letter.sent_at is None or letter.attempts > 1  # an organiser may send a letter again
    is_counted = is_retry and confirming.is_counted(letter.goes_to, letter.pk)
    if not is_counted and (until := house_is_full_until(now)):
        outbox.hold_back(letter, until, why=outbox.HOUSE_IS_FULL)
        return False
    when = confirming.count_letter(letter.goes_to, letter.pk, now=now, is_retry=is_retry)
    if when is not None and when <= now:
        return True
    if when is None or letter.key.startswith(ASKED):
        outbox.mark_withheld(letter)
    else:
        outbox.hold_back(letter, when)
    return False


def house_is_full_until(now: datetime) -> datetime | None:
    """When the house may write to another unconfirmed address, if it has written to as many as it may in a day."""
    return confirming.full_until(settings.UNCONFIRMED_LETTERS_A_DAY, now)


def confirm(player: Player, *, now: datetime) -> None:
    """Note that a player has answered, and send what waited for that."""
    confirming.confirm(player, now=now)
    outbox.bring_back(player, now=now)
