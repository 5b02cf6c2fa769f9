"""Email to a letter's return address: reports of bounces, delays and complaints.

The return address alone proves little: it is the Return-Path in every delivered copy of a letter, so anybody to whom
the letter was forwarded as a file can write there. A report is *proven* if it contains the letter itself, recognised by
its Message-ID or its reply address. Other reports are stored with the letter and affect no player.
After a proven complaint we do not stop writing to a player, but ask them by letter (deliver/reports.py).
docs/decisions/0016-bounces-must-contain-the-letter.md explains what this prevents and what it does not.
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
    report = read_report(source, sender)
    if report is None:
        return False
    notice, returned = report
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
    """Return whether a returned text contains this letter's Message-ID or reply address."""
    if threads.make_message_id(letter) in returned:
        return True
    return any(names_letter(found, letter) for found in set(REPLY_ADDRESS.findall(returned)))


def names_letter(address: str, letter: Letter) -> bool:
    """Return whether this is the letter's reply address."""
    try:
        return parse_letter_id(TURN, address.rstrip(".-")) == letter.pk
    except NoSuchAddress:
        return False
