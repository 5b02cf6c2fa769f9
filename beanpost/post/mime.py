"""A letter as a MIME message: written by Django, stored, and read back."""

from __future__ import annotations

from collections.abc import Mapping
from email import message_from_bytes, policy
from email.generator import BytesGenerator
from email.message import EmailMessage, Message
from io import BytesIO
from typing import NamedTuple

from django.core.mail import EmailMultiAlternatives

CALENDAR = "text/calendar; method=PUBLISH"  # no charset: Django adds it, and would add it twice


class Parts(NamedTuple):
    text: str
    html: str  # "" if there is none
    calendar: str  # "" if there is none


def to_bytes(headers: Mapping[str, str], text: str, html: str, calendar: str) -> bytes:
    """Return the message that will be stored and sent: text first, then HTML and a calendar file, if given."""
    rest = {name: value for name, value in headers.items() if name not in ("Subject", "From", "To")}
    message = EmailMultiAlternatives(headers["Subject"], text, headers["From"], [headers["To"]], headers=rest)
    attach(message, html, calendar)
    source, made = BytesIO(), bounded(message.message(), headers["Message-ID"])
    # Django's as_bytes() folds a long link onto the line after its header's name, which some programs cannot read.
    BytesGenerator(source, mangle_from_=False, maxheaderlen=0).flatten(made)
    return source.getvalue()


def bounded(message: Message, message_id: str) -> Message:
    """Name the boundaries of the parts. A random one would be looked for in every line, by a pattern of its own."""
    for number, part in enumerate(message.walk()):
        if part.is_multipart():
            part.set_boundary(f"=_{number}_{message_id.strip('<>').partition('@')[0]}")
    return message


def attach(message: EmailMultiAlternatives, html: str, calendar: str) -> None:
    if html:
        message.attach_alternative(html, "text/html")
    if calendar:
        message.attach("beanpost.ics", calendar.replace("\r\n", "\n"), CALENDAR)


def parts(source: bytes) -> Parts:
    """Return the parts of a stored message; empty strings for missing ones."""
    message = message_from_bytes(source, policy=policy.default)
    assert isinstance(message, EmailMessage)
    found = {part.get_content_type(): part for part in message.walk() if not part.is_multipart()}
    kinds = ("text/plain", "text/html", "text/calendar")
    return Parts(*(str(found[kind].get_content()) if kind in found else "" for kind in kinds))
