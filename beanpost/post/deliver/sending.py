"""Send letters in a few long runs, each over one connection. A bad letter never stops the others."""

from __future__ import annotations

import logging
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from datetime import datetime, timedelta
from email.utils import parseaddr
from smtplib import SMTP, SMTPRecipientsRefused, SMTPSenderRefused

from django.conf import settings
from django.core.mail import get_connection
from django.core.mail.backends.base import BaseEmailBackend
from django.core.mail.backends.smtp import EmailBackend
from django.core.mail.message import sanitize_address
from django.db import transaction

from beanpost.database import batches
from beanpost.play import clock
from beanpost.play.pace import PACES
from beanpost.play.timekeeping import mail_credits
from beanpost.players import accounts
from beanpost.post import preferences
from beanpost.post.compose import letter as compose
from beanpost.post.compose.contents import find_still_asked
from beanpost.post.compose.headers import ProviderMessage
from beanpost.post.deliver import reports, verdicts
from beanpost.post.models import Fate, Letter
from beanpost.post.outbox import addresses, claims, pause, rate_limit, unconfirmed, wake_up
from beanpost.post.outbox.claims import ComposedLetter
from games.contract.errors import NotInstalled

BATCH = 20
GROUP_SIZE = 5  # letters composed together; with more, the last would be stale when a slow server accepts it
LONGEST_RUN = timedelta(seconds=30)  # then other tasks get the worker; the last letter may take a minute more
FRESH_FOR = timedelta(seconds=2)  # a match read this recently is fresh enough to compose from
MAX_BREAKS = 2  # after this many in a row the run ends: the server may accept each letter and then hang up
DELAY_AFTER_BREAK = timedelta(seconds=30)  # extra delay for a letter that broke the connection: it may break it again
MISSING_GAME_DELAY = timedelta(minutes=15)  # between two checks whether a match's game is installed again
CAN_WAIT = ("reminder", "still", "announcement", "league_news", "weekly")  # kinds that don't leave in quiet hours
QUIET = "QuietHours"  # stored as the error of a letter that waits for the morning
PLAIN_SMTP = "django.core.mail.backends.smtp.EmailBackend"

log = logging.getLogger(__name__)


def deliver(time: Callable[[], datetime], others: int = 0) -> int:
    """Send every letter that is due, and return how many. `time` returns the current time, since sending takes a while.

    If there is more than one batch, start up to `others` more senders. A long run hands over to a new task:
    otherwise a slow mail server would occupy every worker, and the missing sweeps would count as an outage.
    """
    connection, sent, start = Connection(), 0, time()

    def is_too_long() -> bool:
        return not connection.is_dead and time() - start > LONGEST_RUN

    try:
        while not connection.is_dead and (batch := claims.claim(since := time(), BATCH)):
            if others and len(batch) == BATCH:
                wake_up.SENDERS.call(others=others - 1)
                others = 0
            for letter in iterate_ready(batch, time):
                sent += deliver_one(letter, connection, time)
                if settings.LETTERS_PER_MINUTE:
                    since = rate_limit.recount_batch(time(), len(batch), since)
                if connection.is_refused or is_too_long():
                    break
            if connection.is_refused:  # the outbox pauses: the other letters wait
                claims.release(batch)
                return sent
            if is_too_long():  # checked again, since the batch may have held nothing to send
                claims.release(batch)
                wake_up.SENDERS.call(others=others)
                return sent
            if len(batch) < BATCH:  # nothing else was due; whatever was queued since then has woken a sender of its own
                return sent
    finally:
        connection.close()
    return sent


def iterate_ready(batch: Sequence[Letter], time: Callable[[], datetime]) -> Iterator[Letter]:
    """Yield letters one by one, ready to send; compose a few at a time."""
    compose.load_matches(batch)
    written = [letter for letter in batch if letter.is_written]  # mostly none: few letters are sent twice
    asked = find_still_asked(written) if written else set()
    for some in split_batch(batch):
        yield from prepare_letters(some, asked, time)


def split_batch(batch: Iterable[Letter]) -> Iterator[list[Letter]]:
    """Split a batch. A letter never shares a group with an earlier one of its thread, which must be sent first."""
    some: list[Letter] = []
    for letter in batch:
        threads = {(other.match_id, other.recipient_id) for other in some if other.match_id}
        if len(some) == GROUP_SIZE or (letter.match_id, letter.recipient_id) in threads:
            yield some
            some = []
        some.append(letter)
    yield some


def deliver_one(letter: Letter, connection: Connection, time: Callable[[], datetime]) -> bool:
    """Send a stored letter and mark it. Return False if another sender has claimed it, or after an error."""
    try:
        if not claims.extend_lease(letter, time()):
            return False
        connection.send(letter)
    except Exception as error:
        connection.is_refused = schedule_retry(letter, error, time())
        return False
    claims.mark_sent(letter, time())
    note_delivery(letter, time())
    return True


def note_delivery(letter: Letter, now: datetime) -> None:
    """End a pause, credit the clock and mark the player as reached. An error here changes nothing: the letter went."""
    try:
        pause.note_accepted(now)
        credit_late_letter(letter, now)
        note_reached(letter, now)
    except Exception as error:
        log.warning("Letter %d was sent, but its player was not updated: %s", letter.pk, type(error).__name__)


def credit_late_letter(letter: Letter, now: datetime) -> None:
    """Give back time if the mail server accepted the first letter about a question late. Resent letters don't count."""
    if letter.sent_at is None and now - letter.created_at > mail_credits.TOLERATED_DELAY:
        for match, opened in preferences.find_first_told_questions(letter):
            mail_credits.credit_late_letter(match, letter.recipient, opened, promised=letter.created_at, now=now)


def note_reached(letter: Letter, now: datetime) -> None:
    """Mark the player as reached, since a mail server has accepted a letter.

    Providers accept every letter and report later, so with them this does nothing.
    """
    if not letter.recipient.unreached_at or settings.EMAIL_BACKEND.startswith("anymail."):
        return
    player = letter.recipient
    # Letters that were accepted and bounced later, as this one may.
    bounced = Letter.objects.filter(recipient=player, address=player.address, fate=Fate.BOUNCED)
    if not bounced.filter(returned_at__gt=now - timedelta(days=1)).exists():
        accounts.mark_reached(player, sent_at=now)


def prepare_letters(some: Sequence[Letter], asked: Collection[Letter], time: Callable[[], datetime]) -> list[Letter]:
    """Return the letters to send: composed, stored, and still ours."""
    ready, composed = [], {}
    for letter in some:
        try:
            if letter.kind in CAN_WAIT and (morning := find_morning(letter, time())) > time():
                claims.delay_letter(letter, morning, why=QUIET)
            elif letter.is_written and compose.is_needed(letter, asked):
                if unconfirmed.admit_letter(letter, time()):
                    ready.append(letter)
            elif not letter.is_written and (message := compose.compose(refresh_if_stale(letter, time()), time())):
                if unconfirmed.admit_letter(letter, time()):
                    composed[letter] = message
            else:
                claims.mark_dropped(letter)
        except Exception as error:
            schedule_retry(letter, error, time())
    return sorted(ready + store_composed(composed, time), key=some.index)


def find_morning(letter: Letter, now: datetime) -> datetime:
    """Return when a letter that can wait may leave: now, unless its reader's quiet hours have begun."""
    if settings.DEMO:
        return now
    pace = letter.match.parsed_pace if letter.match else PACES["daily"]
    return clock.skip_quiet_hours(now, pace, letter.recipient.tz, morning=0)


def store_composed(composed: Mapping[Letter, ComposedLetter], time: Callable[[], datetime]) -> list[Letter]:
    """Store composed letters and return those still ours. If one cannot be stored, store the others without it."""
    try:
        return claims.store(composed, time()) if composed else []
    except Exception as error:
        if len(composed) > 1:
            return [ours for letter, message in composed.items() for ours in store_composed({letter: message}, time)]
        [letter] = composed
        schedule_retry(letter, error, time())
        return []


def refresh_if_stale(letter: Letter, now: datetime) -> Letter:
    """Return the letter, with its match read again if a slow mail server has made it stale."""
    if letter.match and letter.claimed_at and now - letter.claimed_at > FRESH_FOR:
        letter.match.refresh_from_db()
    return letter


def schedule_retry(letter: Letter, error: Exception, now: datetime) -> bool:
    """Schedule a retry, or give up. Keep only the error's name: its message may hold a player's cards.

    Return whether the outbox pauses, because the relay refuses everything. Tries during a pause are not counted.
    """
    name = verdicts.name_error(error)
    if isinstance(error, NotInstalled):  # not counted as an attempt: the letter waits for the match's game
        claims.delay_letter(letter, now + MISSING_GAME_DELAY, why=name)
        return False
    log.warning("Letter %d was not sent: %s\n%s", letter.pk, name, batches.where(error))
    if verdicts.is_of_relay(error) and pause.note_refusal(letter, name, now):
        claims.delay_letter(letter, now + pause.BETWEEN_TRIES, why=name)
        return True
    if not (verdicts.is_of_recipient(error) and give_up(letter, error, now)):
        claims.mark_retry(letter, name, now + DELAY_AFTER_BREAK if verdicts.is_broken(error) else now)
    return False


def give_up(letter: Letter, refusal: Exception, now: datetime) -> bool:
    """Mark the letter as failed, with all consequences. Return False on an error: the letter is then tried again."""
    try:
        with transaction.atomic():
            claims.mark_failed(letter, verdicts.name_error(refusal))
            reports.handle_refusal(letter, now, soft=verdicts.is_mailbox_full(refusal))
    except Exception as error:
        log.warning("Letter %d was refused, but its player was not updated: %s", letter.pk, type(error).__name__)
        return False
    return True


def encode_address(address: str) -> str:
    """Return the address in a form that every mail server accepts."""
    return address if address.isascii() else sanitize_address(address, settings.DEFAULT_CHARSET)


def send(letter: Letter, sender: str, server: SMTP) -> None:
    """Send the stored bytes, without lone carriage returns, which some servers take for line ends."""
    source = letter.source.replace(b"\r", b"").replace(b"\n", b"\r\n")
    server.sendmail(sender, [encode_address(letter.address)], source)


class NoConnection(Exception):
    """The mail server cannot be reached or accepts no more letters in this run."""


class Connection:
    """The connection to the mail server: opened for the first letter, reused, and reopened after an error."""

    def __init__(self) -> None:
        self.backend: BaseEmailBackend | None = None
        self.is_dead = False
        self.is_refused = False  # by a relay that refuses every letter
        self.breaks = 0  # since the last letter was sent
        # Servers report bounces to us by email; providers report them by webhook.
        self.gets_bounces = bool(settings.INBOUND_DOMAIN) and settings.EMAIL_BACKEND == PLAIN_SMTP
        self.usual_sender = encode_address(parseaddr(settings.DEFAULT_FROM_EMAIL)[1])

    def send(self, letter: Letter) -> None:
        """Send a stored letter. After an error, close the connection and raise the error."""
        backend = self.open_backend()
        try:
            # Plain SMTP keeps the stored bytes. Not a subclass: one that signs letters, say, does so in send_messages.
            if type(backend) is EmailBackend:
                assert backend.connection is not None
                self.send_by_smtp(letter, backend.connection)
            else:
                backend.send_messages([ProviderMessage(letter)])
        except Exception as error:
            self.close()
            self.breaks += verdicts.is_broken(error)
            self.is_dead = verdicts.is_too_fast(error) or self.breaks == MAX_BREAKS
            raise
        self.breaks = 0

    def send_by_smtp(self, letter: Letter, server: SMTP) -> None:
        """Send with a return address that names the letter, if the server allows it as sender."""
        if not self.gets_bounces:
            send(letter, self.usual_sender, server)
            return
        try:
            send(letter, addresses.build_address(addresses.RETURN, letter.pk), server)
        except (SMTPSenderRefused, SMTPRecipientsRefused):
            send(letter, self.usual_sender, server)
            # Many servers accept only the account's own address as sender. Sending without bounces beats not sending.
            log.warning(
                "The mail server accepts no sender but %s, so we won't learn of bounced letters.", self.usual_sender
            )
            self.gets_bounces = False

    def open_backend(self) -> BaseEmailBackend:
        """Return the open connection, opened now if there is none. Raise NoConnection once the run has failed."""
        if self.is_dead:
            raise NoConnection
        if self.backend is None:
            backend = get_connection()
            try:
                backend.open()
            except Exception:
                self.is_dead = True  # the rest of this run would only time out, letter by letter
                raise
            self.backend = backend
        return self.backend

    def close(self) -> None:
        backend, self.backend = self.backend, None
        if backend:
            try:
                backend.close()
            except Exception as error:
                log.info("The connection to the mail server was not closed properly: %s", type(error).__name__)
