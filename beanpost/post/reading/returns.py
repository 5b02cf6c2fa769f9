"""What a mail server reports about a letter it could not hand over (RFC 3464)."""

from __future__ import annotations

from collections.abc import Iterator
from email.message import Message

from beanpost.post.reading.mail import header, parsed

MEANS = {"failed": "bounced", "delayed": "deferred", "delivered": "delivered"}  # in a provider's words
WORST = ("failed", "delayed", "delivered")
FAILED_RECIPIENTS = "X-Failed-Recipients"  # of Exim and others, where the report is for people only


def told(source: bytes) -> str:
    """What became of the letter, as a provider would call it; nothing if the mail is no report.

    >>> told(b"Content-Type: message/delivery-status\\n\\nReporting-MTA: dns; x\\n\\nAction: Failed\\nStatus: 5.1.1\\n")
    'bounced'
    >>> told(b"Subject: Re: Haricots\\n\\nAction: failed\\n")
    ''
    """
    mail = parsed(source)
    said = set(actions(mail))
    if FAILED_RECIPIENTS in mail and not said:
        return MEANS["failed"]
    return next((MEANS[action] for action in WORST if action in said), "")


def actions(mail: Message) -> Iterator[str]:
    for part in mail.walk():
        if part.get_content_type() == "message/delivery-status" and part.is_multipart():
            blocks = [block for block in part.get_payload() if isinstance(block, Message)]
            yield from (header(block, "Action").partition(" ")[0].lower() for block in blocks)
