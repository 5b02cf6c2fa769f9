"""A letter as a MIME message: written by Django, stored, completed with its pictures, and read back."""

from __future__ import annotations

import re
from base64 import encodebytes
from collections.abc import Mapping
from email import message_from_bytes
from email.message import Message
from email.mime.image import MIMEImage
from email.mime.multipart import MIMEMultipart
from email.mime.nonmultipart import MIMENonMultipart
from quopri import encodestring as encode_quoted
from typing import NamedTuple

from django.core.mail import EmailMultiAlternatives

from beanpost.post import pictures

CALENDAR = "text/calendar; method=PUBLISH"  # no charset: Django adds it, and would add it twice
PICTURES = "pictures.beanpost"  # the part of a picture's Content-ID after the @; it names no machine
# A stored message has this in place of a picture of the set.
PICTURE_PLACEHOLDER = re.compile(rb"^picture ([0-9a-f]{32}) ([a-z2-7]{39})$", re.MULTILINE)
MESSAGE_MARK = re.compile(rb"^Message-ID: <([a-z2-7]{39})@", re.MULTILINE)


class Parts(NamedTuple):
    text: str
    html: str  # "" if there is none
    calendar: str  # "" if there is none


def build_message(
    headers: Mapping[str, str], text: str, html: str, calendar: str, shown: Mapping[str, bytes] | None = None
) -> bytes:
    """Return the message to be stored: text first, then HTML with its pictures and a calendar file, if given.

    Pictures of the set are stored by name; `restore_pictures` adds them before the message is sent.
    """
    rest = {name: value for name, value in headers.items() if name not in ("Subject", "From", "To")}
    message = EmailMultiAlternatives(headers["Subject"], text, headers["From"], [headers["To"]], headers=rest)
    attach(message, html, calendar)
    mime_message = message.message()
    mark = headers["Message-ID"].strip("<>").partition("@")[0]
    if shown:
        add_pictures(mime_message, shown, mark)
    for number, part in enumerate(mime_message.walk()):
        if part.is_multipart():  # Python would search every line for a random boundary, to make sure it is unused
            part.set_boundary(f"=_{number}_{mark}")
        else:
            encode_as_7_bit(part)
    return write_part(mime_message).encode("ascii")


def write_part(part: Message) -> str:
    """Write a message or one of its parts, with its headers as they are.

    Django's as_bytes() folds a long link onto the line after its header's name, which some programs cannot read. And
    Python's generator encodes every header anew: with some pictures that took half of the time to build a message.
    """
    head = "".join(f"{name}: {value}\n" for name, value in part.items())
    inside, boundary = part.get_payload(), part.get_boundary()
    if isinstance(inside, list):
        parts = [write_part(one) for one in inside if isinstance(one, Message)]
        inside = "".join(f"--{boundary}\n{one}\n" for one in parts) + f"--{boundary}--\n"
    return f"{head}\n{inside}"


def encode_as_7_bit(part: Message) -> None:
    """Encode a text part that is not ASCII, so that the stored bytes suit servers without 8BITMIME too.

    Django leaves it as 8-bit. The charset class of `email` could encode it too, but takes seven times as long.
    """
    if part["Content-Transfer-Encoding"] == "8bit":
        content = part.get_payload(decode=True)
        assert isinstance(content, bytes)
        part.set_payload(encode_quoted(content).decode("ascii"))
        part.replace_header("Content-Transfer-Encoding", "quoted-printable")


def attach(message: EmailMultiAlternatives, html: str, calendar: str) -> None:
    if html:
        message.attach_alternative(html, "text/html")
    if calendar:
        message.attach("beanpost.ics", calendar.replace("\r\n", "\n"), CALENDAR)


# ── pictures ──


def add_pictures(message: Message, shown: Mapping[str, bytes], mark: str) -> None:
    """Put the HTML and its pictures into one part, so that together they are the alternative to the text."""
    for part in list(message.walk()):
        if part.get_content_type() != "multipart/alternative":
            continue
        alternatives = part.get_payload()
        assert isinstance(alternatives, list)
        together = MIMEMultipart("related")
        del together["MIME-Version"]  # the message has it
        together.attach(alternatives.pop())  # the HTML, which comes last
        for name, png in shown.items():
            together.attach(build_picture_part(name, png, mark))
        part.attach(together)


def build_picture_part(name: str, png: bytes, mark: str) -> MIMENonMultipart:
    part = MIMENonMultipart("image", "png")
    del part["MIME-Version"]
    part["Content-Transfer-Encoding"] = "base64"
    part["Content-ID"] = f"<{name}@{PICTURES}>"
    part.add_header("Content-Disposition", "inline", filename=f"{name}.png")
    is_in_set = pictures.read_picture(name) is not None
    part.set_payload(f"picture {name} {mark}" if is_in_set else encodebytes(png).decode().rstrip("\n"))
    return part


def restore_pictures(source: bytes) -> bytes:
    """Return the message as it is sent, with every picture: the same bytes each time.

    A placeholder holds the message's keyed mark. Nobody can know it in advance, so no player can have typed one.
    """
    own = MESSAGE_MARK.search(source)

    def restore(found: re.Match[bytes]) -> bytes:
        png = pictures.read_picture(found[1].decode()) if own and own[1] == found[2] else None
        return encodebytes(png).rstrip(b"\n") if png else found[0]

    return PICTURE_PLACEHOLDER.sub(restore, source)


def attach_pictures(message: EmailMultiAlternatives, completed: Message) -> None:
    """Attach the pictures of a completed message to a message for a provider, which takes parts."""
    for part in completed.walk():
        if part.get_content_maintype() == "image":
            content = part.get_payload(decode=True)
            assert isinstance(content, bytes)
            image = MIMEImage(content, "png")
            for name in ("Content-ID", "Content-Disposition"):
                image[name] = part[name]
            message.attach(image)


def render_for_browser(source: bytes) -> str:
    """Return the HTML of a completed message with its pictures inside, for a page that shows the letter."""
    message = message_from_bytes(source)
    html = read_parts(message).html
    for part in message.walk():
        if part.get_content_maintype() == "image":
            inline = "".join(str(part.get_payload()).split())
            html = html.replace(f"cid:{part['Content-ID'].strip('<>')}", f"data:image/png;base64,{inline}")
    return html


def split_parts(source: bytes) -> Parts:
    """Return the parts of a stored message; empty strings for missing ones."""
    # Without a policy: policy.default makes a new class for every header, which takes five times as long.
    return read_parts(message_from_bytes(source))


def read_parts(message: Message) -> Parts:
    found = {part.get_content_type(): part for part in message.walk() if not part.is_multipart()}
    kinds = ("text/plain", "text/html", "text/calendar")
    return Parts(*(decode_text(found[kind]) if kind in found else "" for kind in kinds))


def decode_text(part: Message) -> str:
    content = part.get_payload(decode=True)
    assert isinstance(content, bytes)
    return content.decode(part.get_content_charset("us-ascii"), "replace")
