"""A letter pressed into the bytes of a mail message, as Django's own messages would have it (RFC 5322, RFC 2046).

Written by hand, since the email package looks at every line and every header twice to find that nothing need be done.
What does need encoding is left to it.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from email import message_from_bytes
from email.message import Message
from email.policy import compat32
from functools import lru_cache
from typing import NamedTuple

from django.core.mail import SafeMIMEText
from django.core.mail.message import forbid_multi_line_headers

from beanpost.play.tickets import mark

LONGEST_HEADER = 78  # characters; what is longer is folded
LONGEST_LINE = 998  # bytes; with longer ones a text is quoted-printable


class Part(NamedTuple):
    head: str
    body: bytes


def pressed(head: Mapping[str, str], text: bytes, html: bytes, calendar: str) -> bytes:
    """A message with its headers: a text; with HTML, both to choose from; with a calendar, that too. In UTF-8."""
    number = head["Message-ID"]
    part = written(text, "plain")
    if html:
        part = together("alternative;\n ", [part, written(html, "html")], number)
    if calendar:
        part = together("mixed; ", [part, enclosed(calendar)], number)
    lines = "".join(header(name, value) for name, value in head.items())
    return f"{part.head}{lines}\n".encode() + part.body


def header(name: str, value: str) -> str:
    """One header, none with its first line empty: not everybody looks for a link on the second."""
    if is_plain(name, value):
        return f"{name}: {value}\n"
    return encoded(name, value) if value.isascii() else encoded_once(name, value)


@lru_cache(maxsize=512)
def encoded_once(name: str, value: str) -> str:
    """What has to be put into ASCII is what all letters of a match have in common: their subject."""
    return encoded(name, value)


def encoded(name: str, value: str) -> str:
    name, value = forbid_multi_line_headers(name, value, "utf-8")
    if is_plain(name, value):
        return f"{name}: {value}\n"
    return re.sub(r": *\n +", ": ", compat32.fold(name, value))


def is_plain(name: str, value: str) -> bool:
    """Whether it can stand there as it is, on one line: it is short, or there is nowhere to fold it."""
    is_whole = len(f"{name}: {value}") <= LONGEST_HEADER or " " not in value
    return is_whole and value.isascii() and value.isprintable()


def written(text: bytes, kind: str) -> Part:
    if max(map(len, text.split(b"\n"))) > LONGEST_LINE:
        head, _, body = SafeMIMEText(text.decode(), kind, "utf-8").as_string().partition("\n\n")
        return Part(f"{head}\n", body.encode())
    return Part(f'Content-Type: text/{kind}; charset="utf-8"\nMIME-Version: 1.0\n{encoding(text)}', text)


def enclosed(calendar: str) -> Part:
    """A calendar's entry, as a file."""
    kind = 'MIME-Version: 1.0\nContent-Type: text/calendar; method="PUBLISH"; charset="utf-8"\n'
    name = 'Content-Disposition: attachment; filename="beanpost.ics"\n'
    body = calendar.replace("\r\n", "\n").encode()
    return Part(kind + encoding(body) + name, body)


def encoding(text: bytes) -> str:
    return f"Content-Transfer-Encoding: {'7bit' if text.isascii() else '8bit'}\n"


def together(kind: str, parts: Sequence[Part], number: str) -> Part:
    """Several as one. What stands between them follows from our key: nobody can have put it into a letter."""
    between = f"==============={int(mark('boundary', kind, number), 16) % 10**19:019}=="
    rows = [f"--{between}\n{part.head}\n".encode() + part.body + b"\n" for part in parts]
    head = f'Content-Type: multipart/{kind}boundary="{between}"\nMIME-Version: 1.0\n'
    return Part(head, b"".join(rows) + f"--{between}--\n".encode())


# ── and back ──


class Unpressed(NamedTuple):
    text: str
    html: str  # "": it has none


def unpressed(source: bytes) -> Unpressed:
    """What was pressed into a message; of none, nothing."""
    parts = {part.get_content_type(): part for part in message_from_bytes(source).walk()}
    return Unpressed(*(read_back(parts.get(f"text/{kind}")) for kind in ("plain", "html")))


def read_back(part: Message | None) -> str:
    body = part.get_payload(decode=True) if part else b""
    assert isinstance(body, bytes)  # one with parts has another type
    return body.decode()
