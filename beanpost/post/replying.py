"""What becomes of a reply: a move, a kind answer, or nothing at all.

    waiting ──▶ played      exactly one legal move was meant
       │  ├───▶ answered    with the options, or with what has happened meanwhile; it never costs the turn. A standing
       │  │                order that was written is followed from then on
       │  └───▶ left        a machine wrote it, or too much was written
       └─ again later       the house stumbled: it is tried a few times, then set aside

Reading has three steps. The attempt is counted and committed; the mail is parsed, outside any transaction; one
transaction makes the move and notes that the reply was read. A worker that dies in between leaves the reply waiting,
and one mail can neither hold the database nor be tried for ever.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from datetime import datetime, timedelta

from django.db import transaction

from beanpost.play import stumbling
from beanpost.play.models import Match
from beanpost.post import outbox, unconfirmed
from beanpost.post.answers import ANSWERS
from beanpost.post.findings import Finding, Found, look_into, read
from beanpost.post.models import Letter, Reply
from beanpost.post.reading import safety
from beanpost.post.reading.mail import Mail

BATCH = 100
MOST_ATTEMPTS = 3
PAUSE = timedelta(minutes=2)
MOST_ANSWERS = {timedelta(hours=1): 5, timedelta(days=1): 15}  # to one player: two machines must not talk for ever

BY_MACHINES = (Finding.AWAY, Finding.AUTOMATIC, Finding.FAULT)  # a fault says nothing about who wrote
UNANSWERED = (Finding.MOVE, Finding.AWAY, Finding.AUTOMATIC)

log = logging.getLogger(__name__)


def read_waiting(time: Callable[[], datetime]) -> int:
    """Read every reply that is due; how many were. Safe to repeat, and on several machines at once."""
    due = Reply.objects.filter(state=Reply.State.WAITING, due_at__lte=time()).order_by("due_at", "pk")
    return sum(stumbling.done(f"Reply {pk}", read_one, pk, time()) for pk in due.values_list("pk", flat=True)[:BATCH])


def read_one(pk: int, now: datetime) -> bool:
    """Read one reply, unless somebody else does. The attempt is counted and committed before anything is parsed."""
    reply = begin(pk, now)
    if reply is None:
        return False
    if reply.attempts > MOST_ATTEMPTS:  # each time the reader died over it
        set_aside(pk, now)
        return False
    try:
        with safety.limited_time():
            source = bytes(reply.source)
            mail, words = look_into(source, reply.sender, reply.letter)
            return act_on(pk, source, mail, words, now)
    except Exception as trouble:
        note_trouble(pk, type(trouble).__name__)
        if reply.attempts >= MOST_ATTEMPTS or isinstance(trouble, safety.TooSlow):  # which it would be again
            set_aside(pk, now)
    return False


def begin(pk: int, now: datetime) -> Reply | None:
    """Count an attempt and put the next one off, so that a reply which kills its reader is not read for ever.

    None: it was read, or another reader has begun with it.
    """
    due = Reply.objects.filter(pk=pk, state=Reply.State.WAITING, due_at__lte=now)
    reply = due.select_related("letter").first()
    if reply is None:
        return None
    begun, pause = reply.attempts, PAUSE * 2**reply.attempts
    reply.attempts += 1
    # Of two readers at once, one finds the attempts as it has read them.
    return reply if due.filter(attempts=begun).update(attempts=reply.attempts, due_at=now + pause) else None


def act_on(pk: int, source: bytes, mail: Mail, words: list[str], now: datetime) -> bool:
    """Make the move and note that the reply was read, in one transaction: it is never made twice, and never lost."""
    with transaction.atomic():
        reply = waiting(pk)
        if reply is None or bytes(reply.source) != source:  # read by another, or erased
            return False
        found = read(reply, mail, words, now)
        conclude(reply, found, now, answers=mail.message_id)
    if not reply.letter.recipient.confirmed_at and any(one.finding not in BY_MACHINES for one in found):
        unconfirmed.confirm(reply.letter.recipient, now=now)  # after the move: players are locked before matches
    return True


def waiting(pk: int) -> Reply | None:
    """The reply, ours until the transaction ends; nothing if it was read, or if somebody else is about to."""
    unread = Reply.objects.select_for_update(skip_locked=True, of=("self",)).filter(state=Reply.State.WAITING)
    return unread.select_related("letter__recipient", "letter__match").filter(pk=pk).first()


def note_trouble(pk: int, trouble: str) -> None:
    """Note the name of an error and no more: its words may hold somebody's cards."""
    log.warning("Reply %d was not read: %s", pk, trouble)
    Reply.objects.filter(pk=pk, state=Reply.State.WAITING).update(error=trouble[:80])


def set_aside(pk: int, now: datetime) -> None:
    """Give up a reply that could not be read. Its writer is asked for another way; watching.py tells the host."""
    with transaction.atomic():
        reply = waiting(pk)
        if reply is not None:
            log.warning("Reply %d could not be read and was set aside.", pk)
            conclude(reply, [Found(Finding.FAULT, asked=reply.letter.asked)], now)


# ── what follows ──


def conclude(reply: Reply, found: Sequence[Found], now: datetime, *, answers: str = "") -> None:
    """Note what it was, and answer where that is due: a move that was made speaks for itself.

    `answers` is the Message-ID of the mail.
    """
    unplayed = [one for one in found if one.finding != Finding.MOVE]
    answered = [one for one in found if one.finding not in UNANSWERED]
    if has_had_enough(reply, now):
        answered = []
    for nth, one in enumerate(answered):
        answer(reply, one, f"reply/{reply.pk}" + f"/{nth}" * (nth > 0), now, answers)
    reply.finding, reply.read_at = max(found, key=lambda one: one.finding == Finding.MOVE).finding, now
    if len(unplayed) < len(found):
        reply.state = Reply.State.PLAYED
    else:
        reply.state = Reply.State.ANSWERED if answered else Reply.State.LEFT
    reply.save(update_fields=["state", "finding", "read_at"])


def has_had_enough(reply: Reply, now: datetime) -> bool:
    """Whether this player was answered often enough for now."""
    answers = Letter.objects.filter(recipient=reply.letter.recipient_id, kind__in=ANSWERS)
    return any(answers.filter(created_at__gt=now - span).count() >= most for span, most in MOST_ANSWERS.items())


def answer(reply: Reply, found: Found, key: str, now: datetime, answers: str) -> None:
    """A letter to the address on file, whoever wrote: the From of a mail is a hint only."""
    letter, asked = reply.letter, found.asked
    values = {"why": found.finding, "asked": asked, **found.values}
    if answers:
        values["answers"] = answers
    match = Match.objects.filter(pk=asked["match"]).first() if asked else letter.match
    if "tables" in found.values:  # about them, perhaps several, and not about a question of one
        match = None
    kind = kind_of_answer(found, match)
    if kind == "answer":
        values["opened"] = asked.get("question")
    outbox.queue(letter.recipient, kind, key, values, now=now, match=match)


def kind_of_answer(found: Found, match: Match | None) -> str:
    is_open = found.finding in (Finding.UNREAD, Finding.UNCLEAR, Finding.REFUSED, Finding.FAULT)
    if match is None:
        return "which"
    return "answer" if is_open and found.values.get("why") != "done" else "unheard"
