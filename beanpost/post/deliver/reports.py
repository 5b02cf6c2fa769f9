"""Process reports of providers and mail servers: letters delivered, bounced or complained about.

A webhook stores its report and returns, since providers repeat reports and send them in any order. The worker processes
them before it reads replies. A report names its letter by the `metadata` that was sent along, or by the return
address it came to (returned_mail.py).

    report                       consequence
    bounced, rejected, failed    the letter is marked as returned
        … if it is proven        the seat's clock stops for a while
        … and hard               the player counts as unreachable; after a soft one, when a second letter bounces
                                 twelve hours later or more
    complained                   noted on the letter
        … if it is proven        the address is never written to again, and bots play for its player at once
        … but came by mail       players and confirmed addresses are asked by letter: anybody can have written it
    delivered, if it is proven   a player who could not be reached is reached again
    deferred                     noted on the letter
    autoresponded                the player is asked whether they are away
"""

from __future__ import annotations

import logging
import re
from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any

from anymail.signals import AnymailTrackingEvent, RejectReason, tracking
from django.db import transaction
from django.db.models import F
from django.dispatch import receiver

from beanpost.play import clock
from beanpost.play.timekeeping import absence, mail_credits
from beanpost.players import accounts
from beanpost.post import preferences, unsubscribe
from beanpost.post.models import Fate, Letter, Report
from beanpost.post.outbox import retention, wake_up
from beanpost.post.reply_parser import bounces

BATCH = 200
HALF_A_DAY = timedelta(hours=12)
A_DAY = timedelta(days=1)
A_WEEK = timedelta(days=7)
GIVE_UP_AFTER = A_DAY  # a report that raises errors is retried for this long
AUTORESPONDED = "autoresponded"
RETURNS = [fate for fate in Fate if fate.is_return]
HANDLED_EVENTS = {*Fate.values, AUTORESPONDED}
NUMBER = re.compile(r"[0-9]{1,18}")
# Where a provider's own event says that a bounce is soft: anymail does not pass that on. A full mailbox is soft too.
SOFT_EVENTS = (
    ("Amazon SES", "bounce.bounceType", ("Transient",)),
    ("Brevo", "event", ("soft_bounce",)),
    ("MailerSend", "data.type", ("soft_bounced",)),
    ("Mailgun", "event-data.reason", ("old",)),  # retried for hours
    ("Mailjet", "hard_bounce", (False,)),
    ("Mailjet", "error", ("quota exceeded",)),
    ("Mandrill", "event", ("soft_bounce",)),
    ("Postmark", "Type", ("SoftBounce",)),
    ("Resend", "data.bounce.type", ("Transient",)),
    ("SendGrid", "type", ("blocked",)),
    # soft bounce, name server, mailbox full, letter too large, time-out, transient failure
    ("SparkPost", "msys.message_event.bounce_class", ("20", "21", "22", "23", "24", "70")),
)

log = logging.getLogger(__name__)


@receiver(tracking)
def receive_report(event: AnymailTrackingEvent, esp_name: str, **_: Any) -> None:
    """Store a provider's report, if it concerns one of our letters and has any consequence."""
    number = str(event.metadata.get("letter", "")) if isinstance(event.metadata, dict) else ""
    if event.event_type in HANDLED_EVENTS and NUMBER.fullmatch(number) and Letter.objects.filter(pk=number).exists():
        number_of_event = str(event.event_id or "")
        store_report(int(number), event.event_type, number_of_event, clock.now(), soft=is_soft(event, esp_name))


def is_soft(event: AnymailTrackingEvent, provider: str) -> bool:
    """Return whether a bounce has a temporary reason: by the provider's own event, or by the mail server's answer."""
    if event.reject_reason == RejectReason.TIMED_OUT or bounces.is_mailbox_full(
        f"{event.description} {event.mta_response}"
    ):
        return True
    return any(read_field(event.esp_event, path) in soft for name, path, soft in SOFT_EVENTS if name == provider)


def read_field(value: Any, path: str) -> Any:
    """Return a field of a provider's event; None if there is none."""
    for name in path.split("."):
        value = value.get(name) if isinstance(value, dict) else None
    return value


def store_report(
    letter_id: int,
    kind: str,
    number: str,
    now: datetime,
    *,
    proven: bool = True,
    by_mail: bool = False,
    soft: bool = False,
) -> None:
    """Store a report about a letter; `number` tells one report from another."""
    number = "".join(sign for sign in number if sign.isprintable())[:120]
    about = {"letter_id": letter_id, "kind": kind, "number": number, "told_at": now}
    report = Report(**about, proven=proven, by_mail=by_mail, soft=soft)
    Report.objects.bulk_create([report], ignore_conflicts=True)
    wake_up.wake_reader_after_commit()


def process_reports(time: Callable[[], datetime]) -> int:
    """Process every new report, and return how many."""
    unread = Report.objects.filter(read_at=None).order_by("pk").values_list("pk", flat=True)
    return sum(process_report(pk, time()) for pk in unread[:BATCH])


def process_report(pk: int, now: datetime) -> bool:
    """Process one report in its own transaction. Return False if another worker has it, or after an error."""
    try:
        with transaction.atomic():
            # None if another worker has it. SQLite allows only one writer anyway.
            report = Report.objects.select_for_update(skip_locked=True).filter(pk=pk, read_at=None).first()
            if report is None:
                return False
            apply_report(report, now)
            Report.objects.filter(pk=pk).update(read_at=now)
    except Exception as error:
        log.warning("Report %d was not processed: %s. It is retried for a day.", pk, type(error).__name__)
        Report.objects.filter(pk=pk, read_at=None, told_at__lt=now - GIVE_UP_AFTER).update(read_at=now)
        return False
    return True


def delete_old_reports(now: datetime) -> int:
    """Delete processed reports after a while: their result is on the letter, and providers no longer repeat them."""
    return Report.objects.filter(read_at__lt=now - retention.KEPT).delete()[0]


def apply_report(report: Report, now: datetime) -> None:
    """Carry out the consequences of a report, as listed at the top of this module."""
    letter = Letter.objects.select_for_update().get(pk=report.letter_id)
    if report.kind == AUTORESPONDED:
        if letter.match:
            absence.offer_days_away(letter.match, letter.recipient, now=now)
        return
    fate = Fate(report.kind)
    note_fate(letter, fate)
    if fate.is_return:
        handle_return(letter, now, proven=report.proven, soft=report.soft)
    elif report.proven and fate is Fate.COMPLAINED:
        handle_complaint(letter, now, by_mail=report.by_mail)
    elif report.proven and fate is Fate.DELIVERED and went_to_current_address(letter) and letter.sent_at:
        accounts.mark_reached(letter.recipient, sent_at=letter.sent_at)


def handle_complaint(letter: Letter, now: datetime, *, by_mail: bool) -> None:
    """Never write again to an address that complained. It need not be the recipient's: it may be one they want to use.

    Anybody who has the letter's source can forge a complaint by mail, so players and confirmed addresses are asked by
    letter instead.
    """
    if not letter.address:
        return
    owner = (
        letter.recipient if went_to_current_address(letter) else accounts.get_or_create_player(letter.address, now=now)
    )
    if by_mail and (owner.confirmed_at or unsubscribe.is_committed(owner)):
        unsubscribe.ask_by_letter(owner, now=now)
    else:
        absence.stop_letters_and_seats(owner, now=now)


def note_fate(letter: Letter, fate: Fate) -> None:
    """Store the worst state reported so far, whatever the order of the reports."""
    if not letter.fate or fate.weight > Fate(letter.fate).weight:
        letter.fate = fate
        letter.save(update_fields=["fate"])


def went_to_current_address(letter: Letter) -> bool:
    """Return whether the letter went to the recipient's current address."""
    return letter.address == letter.recipient.address


def handle_refusal(letter: Letter, now: datetime, *, soft: bool = False) -> None:
    """Note that the recipient's mailbox refused a letter while it was being sent; `soft`: because it is full."""
    note_fate(letter, Fate.REJECTED)
    handle_return(letter, now, soft=soft)


@transaction.atomic
def handle_return(letter: Letter, now: datetime, *, proven: bool = True, soft: bool = False) -> None:
    """Mark a letter as returned. A proven return also affects the player, once for each time the letter was sent."""
    first = bool(Letter.objects.filter(pk=letter.pk, returned_at=None).update(returned_at=now))
    if not proven or not went_to_current_address(letter):
        return
    if (first or not has_counted(letter, soft=False)) and (not soft or has_bounced_lately(letter, now)):
        accounts.mark_unreached(letter.recipient, now=now)
    if first or not has_counted(letter):
        credit_bounce(letter, now)


def has_counted(letter: Letter, **only: bool) -> bool:
    """Return whether a proven return was processed since the letter was marked; resending clears the mark."""
    proven = letter.reports.filter(proven=True, kind__in=RETURNS, read_at__gte=F("letter__returned_at"))
    return proven.filter(**only).exists()


def has_bounced_lately(letter: Letter, now: datetime) -> bool:
    """Return whether another letter to this address has bounced lately, but not just now.

    A full mailbox may be emptied in between, and letters that are sent together bounce together.
    """
    span = (now - A_WEEK, now - HALF_A_DAY)
    lately = Letter.objects.filter(recipient=letter.recipient, address=letter.address, fate__in=RETURNS)
    lately = lately.filter(returned_at__range=span)
    return lately.exclude(pk=letter.pk).exists()


# ── time given back ──


def credit_bounce(letter: Letter, now: datetime) -> None:
    """Stop the seat's clock for a while when a letter was permanently refused or bounced."""
    if letter.match:
        mail_credits.credit_bounce(letter.match, letter.recipient, opened=letter.values.get("opened"), now=now)
    for match, opened in preferences.find_first_told_questions(letter) if letter.kind == "digest" else ():
        mail_credits.credit_bounce(match, letter.recipient, opened=opened, now=now)
