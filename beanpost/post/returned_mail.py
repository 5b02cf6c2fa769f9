"""Mail to the return address of a letter: reports that it came back, is late, or was called unwanted.

The return address alone proves little: it stands as Return-Path in every copy of a letter that was delivered, so
anybody to whom the letter was forwarded as a file can write there. A report is *proven* if the letter itself is in it,
known by its Message-ID or by its reply address. What is not proven is noted on the letter, and touches no player.
docs/decisions says what that does and does not keep out, under "A return is proven by the letter in it".
"""

from __future__ import annotations

import logging
import re
from datetime import datetime

from beanpost.post import threads, tracking
from beanpost.post.addresses import TURN, NoSuchAddress, letter_named
from beanpost.post.models import Letter, Report
from beanpost.post.reading import returns, safety
from beanpost.post.reading.mail import parsed

MOST = 20  # reports on one letter that are stored, of those with proof and of those without
REPLY_ADDRESS = re.compile(rf"{TURN}\+[a-z2-7]{{39}}@[a-z0-9.-]{{1,253}}", re.I)

log = logging.getLogger(__name__)


def take_in(letter: Letter, source: bytes, *, sender: str, number: str, now: datetime) -> bool:
    """Store the report on a letter that a mail brings. False: it is no report. `number` tells one mail from another."""
    read = read_report(source, sender)
    if read is None:
        return False
    notice, returned = read
    proven = notice.by_person and holds_letter(returned, letter)
    if Report.objects.filter(letter=letter, proven=proven).count() < MOST:
        tracking.keep(letter.pk, notice.kind, number, now, proven=proven, soft=notice.soft)
    else:
        log.warning("Letter %d was reported on too often: a report was dropped.", letter.pk)
    return True


def read_report(source: bytes, sender: str) -> tuple[returns.Notice, str] | None:
    """Return the notice and the text of the letter that came back with it; nothing if the mail cannot be read."""
    try:
        with safety.limited_time():
            mail = parsed(source)
            returned = returns.returned_part(mail)  # before the mail is shortened for its readers
            notice = returns.read(mail, sender)
    except Exception as trouble:  # whatever a library raises over a stranger's bytes: refused, it would come again
        log.warning("A mail to a return address was not read: %s.", type(trouble).__name__)
        return None
    return (notice, returned) if notice else None


def holds_letter(returned: str, letter: Letter) -> bool:
    """Whether a text names this letter by a token of its own, other than the address that the report was sent to."""
    if threads.message_id(letter) in returned:
        return True
    return any(names(found, letter) for found in set(REPLY_ADDRESS.findall(returned)))


def names(address: str, letter: Letter) -> bool:
    try:
        return letter_named(TURN, address.rstrip(".-")) == letter.pk
    except NoSuchAddress:
        return False
