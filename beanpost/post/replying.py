"""What becomes of a reply: a move, a kind answer, or nothing at all.

    waiting ──▶ played      exactly one legal move was meant
       │  ├───▶ answered    with the options, or with what has happened meanwhile; it never costs the turn. A standing
       │  │                order that was written is followed from then on
       │  └───▶ left        a machine wrote it, or too much was written
       └─ again later       the house stumbled: it is tried a few times

Each is read in one transaction with the move it makes, so a worker that dies has read nothing.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from typing import Any

from django.db import transaction
from django.utils import translation
from django.views.decorators.debug import sensitive_variables

import games
from beanpost.play import absence, moves, orders, scene, telling
from beanpost.play.errors import AlreadyPlayed, NotRunning, NotYours, Unplayed
from beanpost.play.models import Match, Place
from beanpost.play.scene import Scene
from beanpost.play.tickets import MoveTicket
from beanpost.players.models import Player
from beanpost.post import outbox
from beanpost.post.answers import ANSWERS
from beanpost.post.models import Letter, Reply
from beanpost.post.reading.choosing import chosen, ordered
from beanpost.post.reading.hearing import Heard, hear
from beanpost.post.reading.mail import Mail, opened
from beanpost.post.reading.meaning import Question
from beanpost.post.reading.ordering import understood
from beanpost.post.reading.quotes import own_words
from games.errors import RulesError

BATCH = 100
MOST_ATTEMPTS = 3
PAUSE = timedelta(minutes=2)
MOST_ANSWERS = {timedelta(hours=1): 5, timedelta(days=1): 15}  # to one player: two machines must not talk for ever
LONGEST_ECHO = 120  # letters of what somebody wrote that we repeat to them

Finding = Reply.Finding
MOVES = (Finding.MOVE, Finding.UNCLEAR, Finding.REFUSED)  # a move was meant, made or not
log = logging.getLogger(__name__)


@dataclass(frozen=True)
class Found:
    """What a reply turned out to be, about which question, and what an answer must know about it."""

    finding: Reply.Finding
    values: dict[str, Any] = field(default_factory=dict, repr=False)
    asked: dict[str, Any] = field(default_factory=dict)


def read_waiting(time: Callable[[], datetime]) -> int:
    """Read every reply that is due; how many were. Safe to repeat, and on several machines at once."""
    due = Reply.objects.filter(state=Reply.State.WAITING, due_at__lte=time()).order_by("due_at", "pk")
    return sum(read_one(pk, time()) for pk in due.values_list("pk", flat=True)[:BATCH])


def read_one(pk: int, now: datetime) -> bool:
    try:
        with transaction.atomic():
            reply = waiting(pk)
            if reply is None:
                return False
            conclude(reply, read(reply, now), now)
            return True
    except Exception as trouble:
        put_off(pk, type(trouble).__name__, now)
        return False


def waiting(pk: int) -> Reply | None:
    """The reply, ours until the transaction ends; nothing if it was read, or if somebody else is about to."""
    unread = Reply.objects.select_for_update(skip_locked=True, of=("self",)).filter(state=Reply.State.WAITING)
    return unread.select_related("letter__recipient", "letter__match").filter(pk=pk).first()


def put_off(pk: int, trouble: str, now: datetime) -> None:
    """Try again later; in the end, ask for another way. What an error says may hold somebody's cards: only its name."""
    log.warning("Reply %d was not read: %s", pk, trouble)
    with transaction.atomic():
        reply = waiting(pk)
        if reply is None:  # somebody else has read it meanwhile
            return
        reply.attempts, reply.error, reply.due_at = reply.attempts + 1, trouble[:80], now + PAUSE * 2**reply.attempts
        reply.save(update_fields=["attempts", "error", "due_at"])
        if reply.attempts >= MOST_ATTEMPTS:
            conclude(reply, [Found(Finding.FAULT, asked=reply.letter.asked)], now)


# ── reading ──


def read(reply: Reply, now: datetime) -> list[Found]:
    """What was found: one thing, or one for each table of a letter about several."""
    letter, mail = reply.letter, opened(bytes(reply.source), sender=reply.sender)
    if mail.automatic:
        return [Found(notice_absence(letter, mail, now))]
    words = own_words(mail.text)
    if letter.asked:
        return with_order([read_one_of(letter, letter.asked, words, now)], letter, words)
    if not letter.options:
        return [Found(Finding.OVER)]
    return with_order(read_several(letter, words, now), letter, words)


@sensitive_variables("text")
def with_order(found: list[Found], letter: Letter, words: Sequence[str]) -> list[Found]:
    """What was found, and that an order beside it was not given: which of the two comes first is not ours to guess."""
    if not any(one.finding in MOVES for one in found):
        return found
    meant = [letter.asked["match"]] if letter.asked else None
    with translation.override(letter.recipient.language):
        text, tables = ordered(words, orders_of(letter.recipient, meant))
    beside = {"why": "beside", "tables": tables, "heard": echo(text)}
    return [*found, Found(Finding.UNREAD, beside)] if text else found


def read_several(letter: Letter, words: Sequence[str], now: datetime) -> list[Found]:
    """Each number at its own table; all tables in the same order, so that no two readers wait for each other."""
    options = {option["number"]: option for option in letter.options}
    named = chosen(words, options)
    if not named:
        return [read_order(letter, words, now)]
    tables: dict[int, list[int]] = {}
    for number in named:
        tables.setdefault(options[number]["asked"]["match"], []).append(number)
    return [
        read_numbers(letter, [options[number] for number in numbers], [named[number] for number in numbers], now)
        for _, numbers in sorted(tables.items())
    ]


@sensitive_variables("text")
def read_order(letter: Letter, words: Sequence[str], now: datetime) -> Found:
    """An order without a number is followed if it says something at one of its reader's tables alone."""
    asked = {option["asked"]["match"]: option["asked"] for option in letter.options}
    with translation.override(letter.recipient.language):
        text, tables = ordered(words, orders_of(letter.recipient))
    if not tables:
        return Found(Finding.UNREAD, {"heard": echo(next(filter(None, words), ""))})
    if len(tables) > 1:
        return Found(Finding.UNREAD, {"why": "order", "tables": tables, "heard": echo(text)})
    [table] = tables
    if table not in asked:
        return Found(Finding.UNREAD, {"why": "elsewhere", "tables": tables, "heard": echo(text)})
    return read_one_of(letter, asked[table], [text], now)


def orders_of(player: Player, at: Collection[int] | None = None) -> dict[int, Callable[[str], str]]:
    """What reads an order at each table somebody plays at, or at some of them, whether it asks them now or not."""
    seats = Place.objects.filter(player=player, resigned_at=None, match__phase=Match.Phase.RUNNING)
    seats = seats if at is None else seats.filter(match__in=at)
    matches = [place.match for place in seats.select_related("match").prefetch_related("match__places__player")]
    return {match.pk: order_at(match, [place.name for place in match.places.all()]) for match in matches}


def order_at(match: Match, names: Sequence[str]) -> Callable[[str], str]:
    kinds = games.get(match.game, match.edition).orders_at(match.seats)
    return lambda text: understood(text, match.game, kinds, names)


def read_numbers(letter: Letter, options: list[dict[str, Any]], words: list[str], now: datetime) -> Found:
    asked = options[0]["asked"]
    if len(options) == 1:
        return read_one_of(letter, asked, words, now)
    lines = [option["line"] for option in options]
    return Found(Finding.UNCLEAR, {"opened": asked["question"], "heard": echo(", ".join(words)), "lines": lines}, asked)


def read_one_of(letter: Letter, asked: dict[str, Any], words: Sequence[str], now: datetime) -> Found:
    return replace(read_words(letter, MoveTicket(**asked), words, now), asked=asked)


def read_words(letter: Letter, ticket: MoveTicket, words: Sequence[str], now: datetime) -> Found:
    match = moves.lock(ticket.match)
    if not match.places.filter(seat=ticket.seat, occupant=ticket.occupant, player=letter.recipient).exists():
        return Found(Finding.VOID)
    try:
        moves.check_still_asked(match, ticket.seat, ticket.question)
        return play(letter, match, ticket, words, now)
    except Unplayed as why:
        return unplayed(why)


def notice_absence(letter: Letter, mail: Mail, now: datetime) -> Reply.Finding:
    """An automatic mail is never answered. If somebody seems to be away, they and the keeper are told."""
    if not mail.away:
        return Finding.AUTOMATIC
    if match := letter.match or match_in(letter):
        absence.seems_away(match, letter.recipient, now=now)
    return Finding.AWAY


def match_in(letter: Letter) -> Match | None:
    """The first of the tables that a letter about all of them tells of."""
    asked = [letter.asked, *(option.get("asked") for option in letter.options)]
    return Match.objects.filter(pk__in=[one["match"] for one in asked if one][:1]).first()


def unplayed(why: Unplayed) -> Found:
    if isinstance(why, NotRunning):
        return Found(Finding.OVER)
    event = getattr(why, "event", None)
    finding = Finding.REPEATED if isinstance(why, AlreadyPlayed) else Finding.LATE
    return Found(finding, {"seq": event.seq} if event else {})


@sensitive_variables("shown", "heard")
def play(letter: Letter, match: Match, ticket: MoveTicket, words: Sequence[str], now: datetime) -> Found:
    """Say what is meant, if it is exactly one thing."""
    shown = scene.of(match, ticket.seat)
    with translation.override(letter.recipient.language):
        heard = hear(words, question(letter, shown))
    if heard.order:
        return follow(letter, match, ticket, heard, now)
    if not heard.line:
        return misheard(heard, ticket)
    if any(option.line == heard.line for option in shown.options):
        ticket = replace(ticket, since=0)  # like a link of the letter: once in a question
    try:
        made = moves.by_ticket(ticket, heard.line, now=now)
    except RulesError:
        return misheard(replace(heard, meaning=replace(heard.meaning, legal=(), refused=(heard.line,))), ticket)
    outbox.hurry(made.match, letter.recipient, now=now)
    return Found(Finding.MOVE)


@sensitive_variables("heard")
def follow(letter: Letter, match: Match, ticket: MoveTicket, heard: Heard, now: datetime) -> Found:
    """Give the order that was written. It is secret: all that the office reads is that no move was made."""
    told = {"why": "order", "opened": ticket.question, "heard": echo(heard.text)}
    place = match.places.get(seat=ticket.seat)
    if not moves.sits(ticket, place):
        raise NotYours
    try:
        orders.give(place, heard.order, now=now)
    except RulesError as refusal:
        with translation.override(letter.recipient.language):
            return Found(Finding.UNREAD, told | {"why": "refused", "refusal": telling.told(refusal.phrase, ())})
    outbox.hurry(match, letter.recipient, now=now)
    return Found(Finding.UNREAD, told)


def question(letter: Letter, shown: Scene) -> Question:
    """What the letter asked, as it printed it, and what can be answered now."""
    assert shown.ask is not None
    kinds = [type(action) for action in shown.ask.menu] + list(shown.ask.free)
    options = [
        option for option in letter.options if option.get("asked", {}).get("match", shown.match.pk) == shown.match.pk
    ]
    return Question(
        game=shown.rules.slug,
        names=shown.names,
        printed={option["number"]: option["line"] for option in options},
        menu={option.line: option.label for option in shown.options},
        labels={option["label"]: option["line"] for option in options},
        vocabulary=tuple(dict.fromkeys(kinds)),
        is_legal=lambda line: shown.why_not(line) is None,
        order=order_at(shown.match, shown.names),
    )


def misheard(heard: Heard, ticket: MoveTicket) -> Found:
    meant = heard.meaning
    finding = Finding.UNCLEAR if meant.legal else Finding.REFUSED if meant.refused else Finding.UNREAD
    lines = [*meant.legal, *meant.refused][:6]
    return Found(finding, {"opened": ticket.question, "heard": echo(heard.text), "lines": lines})


def echo(words: str) -> str:
    plain = " ".join(words.split())
    return plain if len(plain) <= LONGEST_ECHO else plain[: LONGEST_ECHO - 1] + "…"


# ── what follows ──


def conclude(reply: Reply, found: Sequence[Found], now: datetime) -> None:
    """Note what it was, and answer where that is due."""
    unplayed = [one for one in found if one.finding != Finding.MOVE]
    answered = [one for one in unplayed if one.finding not in (Finding.AWAY, Finding.AUTOMATIC)]
    if has_had_enough(reply, now):
        answered = []
    for nth, one in enumerate(answered):
        answer(reply, one, f"reply/{reply.pk}" + f"/{nth}" * (nth > 0), now)
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


def answer(reply: Reply, found: Found, key: str, now: datetime) -> None:
    """A letter to the address on file, whoever wrote: the From of a mail is a hint only."""
    letter, asked = reply.letter, found.asked
    values = {"why": found.finding, "asked": asked, "opened": asked.get("question"), **found.values}
    if found.finding != Finding.FAULT:
        values["answers"] = opened(bytes(reply.source)).message_id
    match = Match.objects.filter(pk=asked["match"]).first() if asked else letter.match
    if "tables" in found.values:  # about them, perhaps several, and not about a question of one
        match = None
    outbox.queue(letter.recipient, kind_of_answer(found, match), key, values, now=now, match=match)


def kind_of_answer(found: Found, match: Match | None) -> str:
    is_open = found.finding in (Finding.UNREAD, Finding.UNCLEAR, Finding.REFUSED, Finding.FAULT)
    if match is None:
        return "which"
    return "answer" if is_open else "unheard"
