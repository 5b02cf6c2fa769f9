"""Process replies: each becomes a move, an answer by letter, or nothing at all.

    waiting ──▶ played      it means exactly one legal move, which a letter acknowledges
       │  ├───▶ answered    with the options, or with what has happened meanwhile; it never costs the turn. A standing
       │  │                order is followed from then on
       │  └───▶ left        a machine wrote it, or the player got too many answers; a mail server's report is stored
       │                    with its letter (returned_mail.py)
       └─ retry             after an error, a few times; then it is set aside

Reading has three steps: count and commit the attempt; parse the email in the child process, outside any transaction;
make the move and mark the reply as read, in one transaction. A worker that dies in between leaves the reply waiting,
and no email can hold the database or be tried for ever.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from datetime import datetime, timedelta

from django.db import transaction

from beanpost.database import batches
from beanpost.play.models import Match
from beanpost.players import accounts
from beanpost.post import kinds
from beanpost.post.models import Letter, Reply
from beanpost.post.notify import match_letters
from beanpost.post.outbox import queue, unconfirmed, wake_up
from beanpost.post.receive import inbox, returned_mail
from beanpost.post.receive.child_process import Parsed, ParsedReport, parse
from beanpost.post.receive.interpret import Finding, ReplyResult, read
from beanpost.post.reply_parser import limits
from games.contract.errors import NotInstalled

BATCH = 100
LONGEST_RUN = timedelta(seconds=10)  # then sign-in letters and the sweep get the worker: an email may take seconds
MAX_ATTEMPTS = 3
PAUSE = timedelta(minutes=2)
MAX_ANSWERS = {timedelta(hours=1): 5, timedelta(days=1): 15}  # per player: two machines must not talk for ever

MAX_TO_UNCONFIRMED = {timedelta(days=1): 1}

# Findings that confirm no address. After a FAULT we do not know if a person wrote the email, and a reply to a letter
# that asks for none agrees to nothing.
WITHOUT_CONSENT = (
    Finding.AWAY, Finding.AUTOMATIC, Finding.REPORT, Finding.FAULT, Finding.LINKS_ONLY, Finding.UNSIGNED,
)  # fmt: skip
MISSING = "missing"  # the game of the match is not installed
UNANSWERED = (Finding.MOVE, Finding.AWAY, Finding.AUTOMATIC, Finding.REPORT)

log = logging.getLogger(__name__)


def read_waiting(time: Callable[[], datetime]) -> int:
    """Read every reply that is due, and return how many. Safe to repeat, and to run on several machines.

    A long run hands over to a new task, which answers requests for letters first.
    """
    start, done = time(), 0
    due = Reply.objects.filter(state=Reply.State.WAITING, due_at__lte=start).order_by("due_at", "pk")
    for pk in due.values_list("pk", flat=True)[:BATCH]:
        if (now := time()) - start > LONGEST_RUN:
            wake_up.READERS.call()
            break
        done += batches.run_safely(f"Reply {pk}", read_one, pk, now)
    return done


def read_one(pk: int, now: datetime) -> bool:
    """Read one reply, unless another worker does. Count and commit the attempt before parsing anything."""
    reply = begin_attempt(pk, now)
    if reply is None:
        return False
    if reply.attempts > MAX_ATTEMPTS or reply.error == inbox.TOO_LARGE:  # the worker died during each attempt
        set_aside(pk, now)
        return False
    try:
        return apply_reply(reply, parse(reply), now)
    except NotInstalled as error:  # no retry can read it: tell its writer, and ask again once the game is back
        note_error(pk, type(error).__name__)
        set_aside(pk, now, why=MISSING)
    except limits.TooSlow as error:  # a retry would be as slow
        note_error(pk, type(error).__name__)
        set_aside(pk, now)
    except limits.NotReadable:  # a broken email stays broken
        set_aside(pk, now)
    except Exception as error:
        note_error(pk, type(error).__name__)
        if reply.attempts >= MAX_ATTEMPTS:
            set_aside(pk, now)
    return False


def begin_attempt(pk: int, now: datetime) -> Reply | None:
    """Count an attempt and delay the next one, so that a reply that kills the worker is not read for ever.

    Return None if it was read already, or if another worker has begun reading it.
    """
    due = Reply.objects.filter(pk=pk, state=Reply.State.WAITING, due_at__lte=now)
    reply = due.select_related("letter").first()
    if reply is None:
        return None
    attempts, pause = reply.attempts, PAUSE * 2**reply.attempts
    reply.attempts += 1
    # Of two concurrent workers, only one finds the count unchanged.
    return reply if due.filter(attempts=attempts).update(attempts=reply.attempts, due_at=now + pause) else None


def apply_reply(parsed: Reply, mail: Parsed | ParsedReport, now: datetime) -> bool:
    """Make the move, confirm its player and mark the reply as read in one transaction, so that none of it is repeated
    or lost.
    """
    with transaction.atomic():
        accounts.lock_player(parsed.letter.recipient_id)  # lock order: the player before the match
        reply = lock_waiting(parsed.pk)
        if reply is None or bytes(reply.source) != bytes(parsed.source):  # read by another worker, or erased
            return False
        if isinstance(mail, ParsedReport):
            returned_mail.take_in(reply, mail, now)
            store_finding(reply, [ReplyResult(Finding.REPORT)], now)
            Reply.objects.filter(pk=reply.pk).update(source=b"")  # nothing else in it is needed
            return True
        found = read(reply, mail, now)
        store_finding(reply, found, now, answers=mail.message_id)
        if not reply.letter.recipient.confirmed_at and any(one.finding not in WITHOUT_CONSENT for one in found):
            unconfirmed.confirm_player(reply.letter.recipient, now=now)
    return True


def lock_waiting(pk: int) -> Reply | None:
    """Return the reply, locked, or None if it was read already.

    A worker that comes second in `begin_attempt` still holds the row for a moment: skipping it would delay the reply.
    """
    unread = Reply.objects.select_for_update(of=("self",)).filter(state=Reply.State.WAITING)
    return unread.select_related("letter__recipient", "letter__match").filter(pk=pk).first()


def note_error(pk: int, error: str) -> None:
    """Store the class of an error, not its message, which may hold a player's cards."""
    log.warning("Reply %d was not read: %s", pk, error)
    Reply.objects.filter(pk=pk, state=Reply.State.WAITING).update(error=error[:80])


def set_aside(pk: int, now: datetime, *, why: str = "") -> None:
    """Give up on a reply. Its writer gets an answer that names other ways to move; metrics.py tells the host."""
    with transaction.atomic():
        reply = lock_waiting(pk)
        if reply is not None:
            log.warning("Reply %d could not be read and was set aside.", pk)
            values = {"why": why} if why and reply.letter.match else {}
            store_finding(reply, [ReplyResult(Finding.FAULT, asked=reply.letter.asked, values=values)], now)


# ── what follows ──


def store_finding(reply: Reply, found: Sequence[ReplyResult], now: datetime, *, answers: str = "") -> None:
    """Store the finding, acknowledge moves, and answer the rest if needed.

    `answers` is the Message-ID of the reply.
    """
    made = [one for one in found if one.finding == Finding.MOVE]
    for one in made:
        match = Match.objects.get(pk=one.asked["match"])
        match_letters.acknowledge_reply(match, reply.letter.recipient, **one.values, answers=answers, now=now)
    answered = [one for one in found if one.finding not in UNANSWERED]
    if reply.is_returned or has_had_enough(reply, now):  # no person writes to a return address
        answered = []
    for nth, one in enumerate(answered):
        answer(reply, one, f"reply/{reply.pk}" + f"/{nth}" * (nth > 0), now, answers)
    reply.finding, reply.read_at = max(found, key=lambda one: one.finding == Finding.MOVE).finding, now
    if made:
        reply.state = Reply.State.PLAYED
    else:
        reply.state = Reply.State.ANSWERED if answered else Reply.State.LEFT
    reply.save(update_fields=["state", "finding", "read_at"])


def has_had_enough(reply: Reply, now: datetime) -> bool:
    """Return whether this player has got as many answers as the rate limit allows."""
    answering = [kind.name for kind in kinds.load().values() if kind.answers]
    answers = Letter.objects.filter(recipient=reply.letter.recipient_id, kind__in=answering)
    limits = MAX_TO_UNCONFIRMED if unconfirmed.is_unconfirmed(reply.letter) else MAX_ANSWERS
    return any(answers.filter(created_at__gt=now - span).count() >= most for span, most in limits.items())


def answer(reply: Reply, found: ReplyResult, key: str, now: datetime, answers: str) -> None:
    """Queue an answer to the address on file, not to the sender: the From header is only a hint.

    A letter that asks nothing is answered where it went, with its own link; so is an email to our From address.
    """
    letter, asked = reply.letter, found.asked
    thread = {"answers": answers} if answers else {}
    is_unsigned = found.finding == Finding.UNSIGNED
    if is_unsigned or not (letter.asked or letter.options):
        there = {"to": letter.values["to"]} if "to" in letter.values else {}  # its link is for that address alone
        about = {"about": letter.pk, "unsigned": is_unsigned}
        queue.queue(letter.recipient, "links_only", key, about | there | thread, now=now)
        return
    values = {"why": found.finding, "asked": asked, **found.values, **thread}
    match = Match.objects.filter(pk=asked["match"]).first() if asked else letter.match
    if "tables" in found.values:  # it may concern several tables, not one question
        match = None
    kind = choose_answer_kind(found, match)
    if kind == "answer":
        values["opened"] = asked.get("question")
    queue.queue(letter.recipient, kind, key, values, now=now, match=match)


def choose_answer_kind(found: ReplyResult, match: Match | None) -> str:
    is_open = found.finding in (Finding.UNREAD, Finding.UNCLEAR, Finding.COSTLY, Finding.REFUSED, Finding.FAULT)
    if match is None:
        return "which"
    return "answer" if is_open and found.values.get("why") not in ("done", MISSING) else "unheard"
