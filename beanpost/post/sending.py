"""Sending: few long runs over one kept connection. One bad letter never stops the others."""

from __future__ import annotations

import logging
import traceback
from collections.abc import Callable
from datetime import datetime
from smtplib import SMTPDataError, SMTPRecipientsRefused, SMTPResponseException

from anymail.exceptions import AnymailRecipientsRefused
from django.core.mail import get_connection
from django.core.mail.backends.base import BaseEmailBackend

from beanpost.post import absences, letters, outbox
from beanpost.post.envelopes import Stored
from beanpost.post.models import Letter

BATCH = 20
REFUSED_FOR_GOOD = 500  # SMTP's codes from here on: trying again would not help

log = logging.getLogger(__name__)


def deliver(time: Callable[[], datetime]) -> int:
    """Send every letter that is due; how many went. `time` tells the time, since sending takes some."""
    line, sent = Line(), 0
    try:
        while not line.is_dead and (batch := outbox.claim(time(), BATCH)):
            sent += sum(deliver_one(letter, line, time) for letter in batch)
    finally:
        line.close()
    return sent


def deliver_one(letter: Letter, line: Line, time: Callable[[], datetime]) -> bool:
    try:
        if not prepare(letter, time()):
            return False
        line.send(letter)
    except Exception as trouble:
        put_off(letter, trouble, time())
        return False
    outbox.mark_sent(letter, time())
    absences.letter_went(letter, time())
    return True


def prepare(letter: Letter, now: datetime) -> bool:
    """Whether the letter is to be sent: written, stored as it will be sent, and still ours."""
    if letter.source:
        if letters.is_needed(letter):
            return outbox.hold(letter, now)
    elif written := letters.compose(letter, now):
        return outbox.store(letter, written, now)
    outbox.mark_dropped(letter)
    return False


def put_off(letter: Letter, trouble: Exception, now: datetime) -> None:
    """Try again later, or never. What an error says may hold somebody's cards: only its name is kept."""
    name = called(trouble)
    where = "".join(traceback.format_tb(trouble.__traceback__)[-3:])  # lines of our code, no values
    log.warning("Letter %d was not sent: %s\n%s", letter.pk, name, where)
    if is_final(trouble):
        outbox.mark_failed(letter, name)
        absences.letter_bounced(letter, now)
    else:
        outbox.mark_retry(letter, name, now)


def called(trouble: Exception) -> str:
    code = codes(trouble)[:1]
    return " ".join([type(trouble).__name__, *map(str, code)])


def codes(trouble: Exception) -> list[int]:
    match trouble:
        case SMTPRecipientsRefused():
            return [code for code, _ in trouble.recipients.values()]
        case SMTPResponseException():
            return [trouble.smtp_code]
    return []


def is_final(trouble: Exception) -> bool:
    """Whether the letter itself or its address was refused for good; other troubles are the house's, and pass."""
    if isinstance(trouble, SMTPRecipientsRefused | SMTPDataError):
        return all(code >= REFUSED_FOR_GOOD for code in codes(trouble))
    return isinstance(trouble, AnymailRecipientsRefused)


class NoConnection(Exception):
    """The mail server cannot be reached, as the letter before has found out."""


class Line:
    """The connection to the mail server: opened with the first letter, kept for the next, reopened after trouble."""

    def __init__(self) -> None:
        self.backend: BaseEmailBackend | None = None
        self.is_dead = False

    def send(self, letter: Letter) -> None:
        message = Stored(letter)
        backend = self.opened()
        try:
            backend.send_messages([message])
        except Exception:
            self.close()
            raise

    def opened(self) -> BaseEmailBackend:
        if self.is_dead:
            raise NoConnection
        if self.backend is None:
            backend = get_connection()
            try:
                backend.open()
            except Exception:
                self.is_dead = True  # the rest of this run would only wait for it, one letter after the other
                raise
            self.backend = backend
        return self.backend

    def close(self) -> None:
        backend, self.backend = self.backend, None
        if backend:
            try:
                backend.close()
            except Exception as trouble:
                log.info("The mail server did not say goodbye: %s", type(trouble).__name__)
