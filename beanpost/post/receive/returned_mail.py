"""Email to a letter's return address: reports of bounces, delays and complaints.

The return address alone proves little: it stands as Return-Path in every copy of a letter that was delivered, so
anybody to whom the letter was forwarded as a file can write there. A report is *proven* if the letter itself is in it,
known by its Message-ID or by its reply address. Other reports are noted on the letter, and touch no player.
A proven complaint silences nobody who plays: it has us ask them by letter (deliver/reports.py).
docs/decisions says what that does and does not keep out, under "A return is proven by the letter in it".
"""

from __future__ import annotations

import logging
import re
from datetime import datetime

from beanpost.post.compose import threads
from beanpost.post.deliver import reports
from beanpost.post.models import Letter, Report
from beanpost.post.outbox.addresses import TURN, NoSuchAddress, parse_letter_id
from beanpost.post.reply_parser import bounces, limits
from beanpost.post.reply_parser.mail import parse_message

MOST = 20  # stored reports per letter, counted separately for proven and unproven ones
REPLY_ADDRESS = re.compile(rf"{TURN}\+[a-z2-7]{{39}}@[a-z0-9.-]{{1,253}}", re.I)

log = logging.getLogger(__name__)


def take_in(letter: Letter, source: bytes, *, sender: str, number: str, now: datetime) -> bool:
    """Store an email's report on a letter. Return False if it is no report. `number` identifies the email."""
    read = read_report(source, sender)
    if read is None:
        return False
    notice, returned = read
    proven = notice.by_person and holds_letter(returned, letter)
    if Report.objects.filter(letter=letter, proven=proven).count() < MOST:
        reports.store_report(letter.pk, notice.kind, number, now, proven=proven, by_mail=True, soft=notice.soft)
    else:
        log.warning("Letter %d was reported on too often: a report was dropped.", letter.pk)
    return True


def read_report(source: bytes, sender: str) -> tuple[bounces.Notice, str] | None:
    """Return the notice and the text of the letter enclosed with it; None if the email is unreadable or no report."""
    try:
        with limits.limit_time():
            mail = parse_message(source)
            returned = bounces.extract_returned_text(mail)  # before bounces.read() shortens the email
            notice = bounces.read(mail, sender)
    except Exception as error:  # anything a parser may raise; a refused email would be sent again
        log.warning("A mail to a return address was not read: %s.", type(error).__name__)
        return None
    return (notice, returned) if notice else None


def holds_letter(returned: str, letter: Letter) -> bool:
    """Return whether a text names this letter by its own token, not just by the address that the report was sent to."""
    if threads.make_message_id(letter) in returned:
        return True
    return any(names(found, letter) for found in set(REPLY_ADDRESS.findall(returned)))


def names(address: str, letter: Letter) -> bool:
    try:
        return parse_letter_id(TURN, address.rstrip(".-")) == letter.pk
    except NoSuchAddress:
        return False
