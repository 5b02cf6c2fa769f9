"""The SMTP/LMTP listener for replies, for hosts who run their own mail server.

It accepts only mail to our reply addresses, for one recipient at a time, and rejects the rest before the data is sent:
550 for an address that we have not signed, 552 for too much data, 451 if it cannot be stored now, 452 while four others
are sent. After the data it rejects what is too much for one letter: 452 in an hour, 552 in all. It answers 250 once the
row is in the database. Each connection holds a file, so their number and length are limited: one too many gets 421.
An email is cut while it comes in (excerpt.py): what is not stored never fills the memory.
"""

from __future__ import annotations

import asyncio
import logging
import os
import socket
from collections import Counter
from collections.abc import Awaitable, Callable, Iterable, Iterator
from contextlib import ExitStack, contextmanager
from datetime import datetime
from ipaddress import ip_address
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from aiosmtpd.controller import BaseThreadedController, Controller, UnixSocketController
from aiosmtpd.lmtp import LMTP
from aiosmtpd.smtp import SMTP, Envelope, Session
from asgiref.sync import sync_to_async
from django.conf import settings
from django.db import close_old_connections

from beanpost.post.outbox.addresses import NoSuchAddress, parse_purpose
from beanpost.post.receive import inbox
from beanpost.post.receive.excerpt import Stream
from beanpost.post.reply_parser.limits import LONGEST_LINE
from beanpost.post.visitor_limits import find_network

TIMEOUT = 60  # seconds for each command of a client, and for each email
LONGEST_SESSION = 600  # seconds
MAX_OPEN = 200  # connections at each socket
MAX_OF_A_NETWORK = 25  # of them; Postfix opens 20 at most
FIRST_PASSED = 3  # the file number of the first socket that systemd passes: sd_listen_fds(3)
MAX_AT_ONCE = 4  # emails that are sent to us at each socket

TAKEN = "250 2.0.0 Thank you, we have it."
NOBODY_HERE = "550 5.1.1 Nobody is reached at this address."
ONE_AT_A_TIME = "452 4.5.3 One address at a time, please."
TOO_MANY_EMAILS_NOW = "452 4.2.2 This letter got too many emails within an hour. Please try again later."
TOO_MANY_EMAILS = "552 5.2.2 This letter got too many emails."
LATER = "451 4.3.0 We cannot take it just now. Please try again later."
BUSY = "452 4.3.1 Too many emails are coming in just now. Please try again later."
TOO_LARGE = "552 5.3.4 This email is too large."
TOO_MANY = b"421 4.7.0 Too many connections. Please try again later.\r\n"

log = logging.getLogger(__name__)


class BadSocket(Exception):
    """The POSTBOX setting names no socket; the message is a sentence for the host."""


class MailHandler:
    """The aiosmtpd handler that stores incoming email."""

    def __init__(self, time: Callable[[], datetime]) -> None:
        self.time = time
        self.connections: Counter[str] = Counter()  # open ones, by network
        self.coming_in = 0  # emails

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

    async def handle_DATA(self, server: Smtp, session: Session, envelope: Envelope) -> str:  # noqa: N802
        if server.incoming and server.incoming.size > inbox.MAX_EMAIL_BYTES:
            return TOO_LARGE
        return await sync_to_async(self.store_or_defer)(envelope)

    def store_or_defer(self, envelope: Envelope) -> str:
        """Store an email; after an error, ask the client to try again later."""
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
        except inbox.TooManyForNow:
            return TOO_MANY_EMAILS_NOW
        except inbox.TooMany:
            return TOO_MANY_EMAILS
        finally:
            close_old_connections()
        return TAKEN


class Smtp(SMTP):
    """One connection. It is closed at once if too many are open, and otherwise after ten minutes."""

    line_length_limit = LONGEST_LINE
    network: str | None = None
    end: asyncio.TimerHandle | None = None
    incoming: Stream | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        network = find_network((transport.get_extra_info("peername") or ("",))[0])
        connections = self.event_handler.connections
        if connections.total() >= MAX_OPEN or connections[network] >= MAX_OF_A_NETWORK:
            transport.write(TOO_MANY)
            transport.close()
            return
        connections[network] += 1
        self.network = network
        # Not close(), which waits until the client has read everything.
        self.end = self.loop.call_later(LONGEST_SESSION, transport.abort)
        super().connection_made(transport)

    def connection_lost(self, error: Exception | None) -> None:
        if self.network is None or self.end is None:  # it was refused
            return
        self.event_handler.connections[self.network] -= 1
        self.event_handler.connections += Counter()  # forgets networks without a connection
        self.end.cancel()
        super().connection_lost(error)

    async def smtp_DATA(self, arg: str) -> None:  # noqa: N802 (aiosmtpd's name)
        handler: MailHandler = self.event_handler
        if handler.coming_in >= MAX_AT_ONCE:
            await self.push(BUSY)
            return
        handler.coming_in += 1
        self.incoming = Stream()
        try:
            await super().smtp_DATA(arg)
        finally:
            handler.coming_in -= 1
            self.incoming = None

    def data_received(self, data: bytes) -> None:
        # Not in handle_DATA: before that, aiosmtpd keeps each line as an object, 1 GB for 25 MB of empty lines.
        super().data_received(self.incoming.cut(data) if self.incoming else data)


class Lmtp(Smtp, LMTP):
    pass


PROTOCOLS = {"smtp": Smtp, "lmtp": Lmtp}


class Listener(BaseThreadedController):
    """aiosmtpd's server, on a socket that systemd has opened for us if there is one."""

    protocol: type[SMTP] = Lmtp
    passed: socket.socket | None = None

    def factory(self) -> SMTP:
        return self.protocol(self.handler, **self.SMTP_kwargs)

    def _create_server(self) -> Awaitable[asyncio.AbstractServer]:
        # aiosmtpd has no documented way to use a socket that is already open.
        if self.passed:
            return self.loop.create_server(self._factory_invoker, sock=self.passed)
        # The method of the other base class:
        return super()._create_server()  # type: ignore[safe-super]


class AtPort(Listener, Controller):
    pass


class AtSocket(Listener, UnixSocketController):
    pass


def build_listener(address: str, time: Callable[[], datetime]) -> AtPort | AtSocket:
    """Return the server for one socket: `lmtp://127.0.0.1:8024`, `smtp://0.0.0.0:25` or
    `lmtp:///run/beanpost-postbox/lmtp.sock`.
    """
    url = urlsplit(address)
    if url.scheme not in PROTOCOLS or not (has_port(address) if url.netloc else url.path):
        raise BadSocket(f"POSTBOX names no socket: {address}. Write lmtp://127.0.0.1:8024 or lmtp:///run/post.sock.")
    options: dict[str, Any] = {
        "server_hostname": settings.SITE_HOST,
        "ident": "Beanpost",
        "data_size_limit": inbox.MAX_EMAIL_BYTES,
        "enable_SMTPUTF8": True,
        "timeout": TIMEOUT,
    }
    server: AtPort | AtSocket
    if url.netloc:
        server = AtPort(MailHandler(time), hostname=url.hostname, port=url.port or 0, **options)
    else:
        server = AtSocket(MailHandler(time), unix_socket=url.path, **options)
    server.protocol = PROTOCOLS[url.scheme]
    return server


def is_open_to_others(address: str) -> bool:
    """Return whether other machines may connect to this socket.

    >>> is_open_to_others("smtp://0.0.0.0:25"), is_open_to_others("smtp://mx.beans.example:25")
    (True, True)
    >>> is_open_to_others("lmtp://[::1]:24"), is_open_to_others("lmtp://localhost:24"), is_open_to_others("lmtp:///run/x")
    (False, False, False)
    """
    host = urlsplit(address).hostname or "localhost"
    try:
        return not ip_address(host).is_loopback
    except ValueError:  # it is a name
        return host != "localhost"


def has_port(address: str) -> bool:
    try:
        return bool(urlsplit(address).port)
    except ValueError:
        return False


def take_passed_sockets() -> dict[str, socket.socket]:
    """Return the sockets that systemd has opened for this process, by their addresses."""
    if os.environ.get("LISTEN_PID") != str(os.getpid()):
        return {}
    sockets = [socket.socket(fileno=FIRST_PASSED + n) for n in range(int(os.environ["LISTEN_FDS"]))]
    return {format_place(*name[:2]) if isinstance(name := one.getsockname(), tuple) else name: one for one in sockets}


def format_place(host: str, port: int) -> str:
    return f"[{host}]:{port}" if ":" in host else f"{host}:{port}"


@contextmanager
def open_listeners(addresses: Iterable[str], time: Callable[[], datetime]) -> Iterator[None]:
    """Listen on all sockets while the context is open."""
    passed = take_passed_sockets()
    places = {(url := urlsplit(address)).netloc or url.path: address for address in addresses}
    if unnamed := passed.keys() - places:  # mail servers would connect there, and nobody would answer
        raise BadSocket(f"systemd listens on {', '.join(unnamed)}, which POSTBOX does not name.")
    with ExitStack() as stack:
        for place, address in places.items():
            server = build_listener(address, time)
            server.passed = passed.get(place)
            is_ours = isinstance(server, AtSocket) and not server.passed
            if is_ours:
                Path(place).unlink(missing_ok=True)  # left behind by a killed process
            server.start()
            if is_ours:
                Path(place).chmod(0o666)  # the mail server runs as another user, whatever our umask is
            stack.callback(server.stop)
        yield
