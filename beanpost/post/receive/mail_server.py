"""The SMTP/LMTP listener for replies, for hosts who run their own mail server.

It accepts only mail to our reply addresses, for one recipient at a time, and rejects the rest before the data is sent:
550 for an address that we have not signed, 552 for too much data, 451 if it cannot be stored now. It answers 250 once
the row is in the database.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, contextmanager
from datetime import datetime
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from aiosmtpd.controller import Controller, UnixSocketController
from aiosmtpd.lmtp import LMTP
from aiosmtpd.smtp import SMTP, Envelope, Session
from asgiref.sync import sync_to_async
from django.conf import settings
from django.db import close_old_connections

from beanpost.post.outbox.addresses import NoSuchAddress, parse_purpose
from beanpost.post.receive import inbox
from beanpost.post.reply_parser.limits import LONGEST_LINE

TIMEOUT = 60  # seconds of silence before a client is disconnected

TAKEN = "250 2.0.0 Thank you, we have it."
NOBODY_HERE = "550 5.1.1 Nobody is reached at this address."
ONE_AT_A_TIME = "452 4.5.3 One address at a time, please."
LATER = "451 4.3.0 We cannot take it just now. Please try again later."

log = logging.getLogger(__name__)


class BadSocket(Exception):
    """The POSTBOX setting names no socket; the message is a sentence for the host."""


class Slot:
    """Handler for incoming email."""

    def __init__(self, time: Callable[[], datetime]) -> None:
        self.time = time

    async def handle_RCPT(  # noqa: N802 (aiosmtpd's name)
        self, server: SMTP, session: Session, envelope: Envelope, address: str, options: list[str]
    ) -> str:
        if envelope.rcpt_tos:  # LMTP requires one answer per recipient, and aiosmtpd gives one
            return ONE_AT_A_TIME
        try:
            parse_purpose(address)
        except NoSuchAddress:
            return NOBODY_HERE
        envelope.rcpt_tos.append(address)
        return "250 2.1.5 Go on."

    async def handle_DATA(self, server: SMTP, session: Session, envelope: Envelope) -> str:  # noqa: N802
        return await sync_to_async(self.put_in)(envelope)

    def put_in(self, envelope: Envelope) -> str:
        try:
            return self.store(envelope)
        except Exception as error:
            log.warning("A reply could not be stored: %s", type(error).__name__)
            return LATER

    def store(self, envelope: Envelope) -> str:
        source, sender = envelope.original_content or b"", envelope.mail_from or ""
        close_old_connections()
        try:
            inbox.receive(source, envelope.rcpt_tos[0], sender=sender, now=self.time())
        except NoSuchAddress:
            return NOBODY_HERE
        finally:
            close_old_connections()
        return TAKEN


class Smtp(SMTP):
    line_length_limit = LONGEST_LINE


class Lmtp(LMTP):
    line_length_limit = LONGEST_LINE


SPEAKS = {"smtp": Smtp, "lmtp": Lmtp}


class AtPort(Controller):
    speaks: type[SMTP] = Lmtp

    def factory(self) -> SMTP:
        return self.speaks(self.handler, **self.SMTP_kwargs)


class AtSocket(UnixSocketController):
    speaks: type[SMTP] = Lmtp

    def factory(self) -> SMTP:
        return self.speaks(self.handler, **self.SMTP_kwargs)


def listener(address: str, time: Callable[[], datetime]) -> AtPort | AtSocket:
    """Return the server for one socket: `lmtp://127.0.0.1:8024`, `smtp://0.0.0.0:25` or
    `lmtp:///run/beanpost-postbox/lmtp.sock`.
    """
    where = urlsplit(address)
    if where.scheme not in SPEAKS or not (has_port(address) if where.netloc else where.path):
        raise BadSocket(f"POSTBOX names no socket: {address}. Write lmtp://127.0.0.1:8024 or lmtp:///run/post.sock.")
    terms: dict[str, Any] = {
        "server_hostname": settings.SITE_HOST,
        "ident": "Beanpost",
        "data_size_limit": inbox.LARGEST,
        "enable_SMTPUTF8": True,
        "timeout": TIMEOUT,
    }
    made: AtPort | AtSocket
    if where.netloc:
        made = AtPort(Slot(time), hostname=where.hostname, port=where.port or 0, **terms)
    else:
        Path(where.path).unlink(missing_ok=True)  # left behind by a killed process
        made = AtSocket(Slot(time), unix_socket=where.path, **terms)
    made.speaks = SPEAKS[where.scheme]
    return made


def has_port(address: str) -> bool:
    try:
        return bool(urlsplit(address).port)
    except ValueError:
        return False


@contextmanager
def opened(addresses: Iterable[str], time: Callable[[], datetime]) -> Iterator[None]:
    """Listen on all sockets while the context is open."""
    with ExitStack() as until_the_end:
        for address in addresses:
            server = listener(address, time)
            server.start()
            if isinstance(server, AtSocket):
                Path(server.unix_socket).chmod(0o666)  # the mail server runs as another user, whatever our umask is
            until_the_end.callback(server.stop)
        yield
