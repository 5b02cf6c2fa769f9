"""A real mail server on this machine that keeps what it receives, for tests that send."""

from __future__ import annotations

import socket
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from email import message_from_bytes, policy
from email.message import EmailMessage

from aiosmtpd.controller import Controller
from aiosmtpd.smtp import SMTP, Envelope, Session
from django.test import override_settings


class Postbox:
    """The received emails in order. `answer` is called before each letter and may return an SMTP refusal."""

    def __init__(self) -> None:
        self.raw: list[bytes] = []
        self.peers: list[object] = []
        self.senders: list[str] = []
        self.answer: Callable[[Envelope], str | None] = lambda envelope: None
        self.admits: Callable[[str], bool] = lambda sender: True
        self.pause = 0.0
        self.hangs_up = False  # closes the connection after each letter, without a reply
        self.port = free_port()

    async def handle_RCPT(  # noqa: N802
        self, server: SMTP, session: Session, envelope: Envelope, address: str, options: list[str]
    ) -> str:
        if not self.admits(envelope.mail_from or ""):
            return "553 5.7.1 Sender address rejected: not owned by user"
        envelope.rcpt_tos.append(address)
        return "250 OK"

    async def handle_DATA(self, server: SMTP, session: Session, envelope: Envelope) -> str:  # noqa: N802 (its name)
        if refusal := self.answer(envelope):
            return refusal
        time.sleep(self.pause)
        assert isinstance(envelope.original_content, bytes)
        self.raw.append(envelope.original_content)
        self.peers.append(session.peer)
        self.senders.append(envelope.mail_from or "")
        if self.hangs_up:
            server.transport.abort()
        return "250 Taken"

    @property
    def letters(self) -> list[EmailMessage]:
        return [message_from_bytes(raw, EmailMessage, policy=policy.default) for raw in self.raw]

    @property
    def url(self) -> str:
        return f"smtp://127.0.0.1:{self.port}"


def free_port() -> int:
    with socket.socket() as finder:
        finder.bind(("127.0.0.1", 0))
        port: int = finder.getsockname()[1]
        return port


@contextmanager
def open_postbox() -> Iterator[Postbox]:
    postbox = Postbox()
    controller = Controller(postbox, hostname="127.0.0.1", port=postbox.port)
    controller.start()
    try:
        yield postbox
    finally:
        controller.stop()


def sending_to(port: int) -> override_settings:
    return override_settings(
        EMAIL_BACKEND="django.core.mail.backends.smtp.EmailBackend", EMAIL_HOST="127.0.0.1", EMAIL_PORT=port
    )
