"""Email to a letter's return address: reports of bounces, delays and complaints.

The return address alone proves little: it is the Return-Path in every delivered copy of a letter, so anybody to whom
the letter was forwarded as a file can write there. A report is *proven* if it contains the letter itself, recognised by
its Message-ID or its reply address. Other reports are stored with the letter and affect no player.
After a proven complaint we do not stop writing to a player, but ask them by letter (deliver/reports.py).
The email is stored like a reply and parsed in the child process.
docs/decisions/0016-bounces-must-contain-the-letter.md explains what this prevents and what it does not.
"""

from __future__ import annotations

import re
from datetime import datetime

from beanpost.post.compose import headers
from beanpost.post.deliver import reports
from beanpost.post.models import Letter, Reply
from beanpost.post.outbox.addresses import TURN, NoSuchAddress, parse_letter_id
from beanpost.post.receive.child_process import ParsedReport

REPLY_ADDRESS = re.compile(rf"{TURN}\+[a-z2-7]{{39}}@[a-z0-9.-]{{1,253}}", re.I)


def take_in(reply: Reply, report: ParsedReport, now: datetime) -> None:
    """Store the report that came to a letter's return address."""
    notice, letter = report.notice, reply.letter
    proven = notice.by_person and holds_letter(report.returned, letter)
    reports.store_report(letter.pk, notice.kind, reply.fingerprint, now, proven=proven, by_mail=True, soft=notice.soft)


def holds_letter(returned: str, letter: Letter) -> bool:
    """Return whether a returned text contains this letter's Message-ID or reply address."""
    if headers.make_message_id(letter) in returned:
        return True
    return any(names_letter(found, letter) for found in set(REPLY_ADDRESS.findall(returned)))


def names_letter(address: str, letter: Letter) -> bool:
    """Return whether this is the letter's reply address."""
    try:
        return parse_letter_id(TURN, address.rstrip(".-")) == letter.pk
    except NoSuchAddress:
        return False
