"""Read a reply: find the move it makes, the order it gives, or the reason why it is neither.

The match stays locked from reading the reply to carrying out its move or order, so that no other move comes between.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any

from django.utils import translation
from django.views.decorators.debug import sensitive_variables

from beanpost.i18n.reply_language import get_reply_language, load_reply_language
from beanpost.play import load, moves
from beanpost.play.display import scene, wording
from beanpost.play.display.orders.offers import describe_offered_orders
from beanpost.play.display.orders.similar import find_likeliest_line
from beanpost.play.display.question import split_plan
from beanpost.play.errors import AlreadyPlayed, NotRunning, NotYours, Unplayed
from beanpost.play.models import Match
from beanpost.play.tickets import MoveTicket
from beanpost.play.timekeeping import absence
from beanpost.play.turns import standing_orders
from beanpost.post.models import Letter, Reply
from beanpost.post.outbox import queue
from beanpost.post.receive.child_process import Parsed
from beanpost.post.receive.open_questions import (
    build_order_readers,
    build_printed_question,
    build_question,
    find_price,
    find_proposed,
    join_option,
)
from beanpost.post.reply_parser.lines import Interpretation, find_move, interpret_lines, remove_text
from beanpost.post.reply_parser.which_table import find_chosen_marks, find_order, find_unknown_marks
from games.contract.errors import RulesError

MAX_SHOWN = 6  # possible moves that an answer lists
LONGEST_QUOTE = 120  # characters of the player's words that an answer quotes

Finding = Reply.Finding
ABOUT_A_MOVE = (Finding.MOVE, Finding.UNCLEAR, Finding.COSTLY, Finding.REFUSED)
TOO_LATE = (Finding.LATE, Finding.REPEATED)


@dataclass(frozen=True)
class ReplyResult:
    """The result of reading a reply: the finding, the question it answers, and the values for our answer."""

    finding: Reply.Finding
    values: dict[str, Any] = field(default_factory=dict, repr=False)
    asked: dict[str, Any] = field(default_factory=dict)
    has_plan: bool = False  # the move came with an order, as the letter offers them together


def read(reply: Reply, mail: Parsed, now: datetime) -> list[ReplyResult]:
    """Return what was found: one result, or one for each table if the letter is about several."""
    letter, words = reply.letter, mail.words
    if mail.automatic:
        return [ReplyResult(note_absence(letter, mail, now))]
    if reply.finding == Finding.UNSIGNED:  # it has no reply address, which alone proves who may move
        return [ReplyResult(Finding.UNSIGNED)]
    if letter.asked:
        return add_ignored_order([read_question(letter, letter.asked, words, now)], letter, words)
    if not letter.options:
        return [ReplyResult(Finding.LINKS_ONLY)]
    return add_ignored_order(read_several(letter, words, now), letter, words)


@sensitive_variables("text")
def add_ignored_order(found: list[ReplyResult], letter: Letter, words: Sequence[str]) -> list[ReplyResult]:
    """Add that an order was ignored, if the reply holds one that came too late or beside a move.

    An order beside a move is ambiguous: we do not guess which of the two should come first.
    """
    if any(one.has_plan for one in found) or not any(one.finding in (*ABOUT_A_MOVE, *TOO_LATE) for one in found):
        return found
    asked_at = [letter.asked["match"]] if letter.asked else None
    with translation.override(letter.recipient.language):
        text, tables = find_order(words, build_order_readers(letter.recipient, asked_at))
        if not text:
            return found
        if any(means_move(one, letter, words) for one in found):
            return [
                *found,
                ReplyResult(Finding.UNREAD, {"why": "beside", "tables": tables, "heard": quote_words(text)}),
            ]
    return [replace(one, values=one.values | {"heard": quote_words(text)}) for one in found]


def means_move(one: ReplyResult, letter: Letter, words: Sequence[str]) -> bool:
    """Return whether the words mean a move, made or not. A late reply was not parsed: it may hold only an order."""
    if one.finding not in TOO_LATE:
        return one.finding in ABOUT_A_MOVE
    if not letter.asked:
        return bool(find_chosen_marks(words, [option["mark"] for option in letter.options], get_reply_language()))
    match = Match.objects.prefetch_related("places__player").get(pk=letter.asked["match"])
    return bool(find_move(words, build_printed_question(letter, match, [place.name for place in match.places.all()])))


def read_several(letter: Letter, words: Sequence[str], now: datetime) -> list[ReplyResult]:
    """Read each mark at its own table. Lock tables in the order of their ids, so that two workers cannot deadlock."""
    options = {option["mark"]: option for option in letter.options}
    language = load_reply_language(letter.recipient.language)
    named = find_chosen_marks(words, options, language)
    if not named:
        return [read_order(letter, words, now)]
    undecided = [line for line in words if language.is_undecided(line)]
    tables: dict[int, list[str]] = {}
    for mark in named:
        tables.setdefault(options[mark]["asked"]["match"], []).append(mark)
    found = [
        read_marks(letter, [options[mark] for mark in marks], [[*named[mark], *undecided] for mark in marks], now)
        for _, marks in sorted(tables.items())
    ]
    others = ", ".join(find_unknown_marks(words, options, language))
    return [*found, ReplyResult(Finding.UNREAD, {"why": "mark", "heard": quote_words(others)})] if others else found


@sensitive_variables("text")
def read_order(letter: Letter, words: Sequence[str], now: datetime) -> ReplyResult:
    """Follow an order without a mark, if it makes sense at exactly one of the reader's tables."""
    asked = {option["asked"]["match"]: option["asked"] for option in letter.options}
    with translation.override(letter.recipient.language):
        text, tables = find_order(words, build_order_readers(letter.recipient))
    if not tables:
        return ReplyResult(Finding.UNREAD, {"heard": quote_words(next(filter(None, words), ""))})
    if len(tables) > 1:
        return ReplyResult(Finding.UNREAD, {"why": "order", "tables": tables, "heard": quote_words(text)})
    [table] = tables
    another, others = find_order_elsewhere(letter, remove_text(words, text), table)
    if another:
        both_orders = f"{quote_words(text)} / {quote_words(another)}"
        return ReplyResult(Finding.UNREAD, {"why": "orders", "tables": [table, *others], "heard": both_orders})
    if table not in asked:
        return ReplyResult(Finding.UNREAD, {"why": "elsewhere", "tables": tables, "heard": quote_words(text)})
    return read_question(letter, asked[table], [text, *remove_text(words, text)], now)


def find_order_elsewhere(letter: Letter, words: Sequence[str], table: int) -> tuple[str, list[int]]:
    """Return an order for other tables than this one, and these tables; "" if there is none."""
    with translation.override(letter.recipient.language):
        others = {match: order for match, order in build_order_readers(letter.recipient).items() if match != table}
        return find_order(words, others)


def read_marks(letter: Letter, options: list[dict[str, Any]], words: list[list[str]], now: datetime) -> ReplyResult:
    """Read the marks that belong to one table; `words` holds the texts around each."""
    asked = options[0]["asked"]
    if len(options) == 1:
        return read_question(letter, asked, words[0], now)
    chosen = [[quote_words(pieces[0]), join_option(option)] for pieces, option in zip(words, options, strict=True)]
    two = ReplyResult(Finding.UNCLEAR, {"why": "two", "said": chosen[:MAX_SHOWN]})
    ticket = MoveTicket(**asked)
    return replace(explain_closed(letter, load.lock_match(ticket.match), ticket) or two, asked=asked)


def read_question(letter: Letter, asked: dict[str, Any], words: Sequence[str], now: datetime) -> ReplyResult:
    return replace(read_words(letter, MoveTicket(**asked), words, now), asked=asked)


def read_words(letter: Letter, ticket: MoveTicket, words: Sequence[str], now: datetime) -> ReplyResult:
    match = load.lock_match(ticket.match)
    if why_not := explain_closed(letter, match, ticket):
        return why_not
    try:
        return carry_out(letter, match, ticket, words, now)
    except Unplayed as why:
        return explain_unplayed(why)


def explain_closed(letter: Letter, match: Match, ticket: MoveTicket) -> ReplyResult | None:
    """Return the reason why the letter's question can no longer be answered, or None if it can."""
    if not match.places.filter(seat=ticket.seat, occupant=ticket.occupant, player=letter.recipient).exists():
        return ReplyResult(Finding.VOID)
    try:
        moves.check_still_asked(match, ticket.seat, ticket.question)
    except Unplayed as why:
        return explain_unplayed(why)
    return None


def note_absence(letter: Letter, mail: Parsed, now: datetime) -> Reply.Finding:
    """Return the finding for an automatic email. If the player seems to be away, tell them and the keeper."""
    if not mail.away:
        return Finding.AUTOMATIC
    if match := letter.match or find_first_match(letter):
        absence.offer_days_away(match, letter.recipient, now=now)
    return Finding.AWAY


def find_first_match(letter: Letter) -> Match | None:
    """Return the first match in a letter about several tables."""
    asked = [letter.asked, *(option.get("asked") for option in letter.options)]
    return Match.objects.filter(pk__in=[one["match"] for one in asked if one][:1]).first()


def explain_unplayed(why: Unplayed) -> ReplyResult:
    """Return the result for a move that was not played, with the line that answered the question instead, if any."""
    if isinstance(why, NotRunning):
        return ReplyResult(Finding.OVER)
    event = getattr(why, "event", None)
    finding = Finding.REPEATED if isinstance(why, AlreadyPlayed) else Finding.LATE
    return ReplyResult(finding, {"seqs": [event.seq]} if event else {})


@sensitive_variables("shown", "reading", "order")
def carry_out(letter: Letter, match: Match, ticket: MoveTicket, words: Sequence[str], now: datetime) -> ReplyResult:
    """Make the move or give the order, if the words mean exactly one."""
    with translation.override(letter.recipient.language):
        shown = scene.build_scene(match, ticket.seat)
        reading = interpret_lines(words, build_question(letter, shown))
        if not reading.has_meaning:  # our answer lists orders similar to one line: quote that line
            reading = replace(reading, text=find_likeliest_line(words, describe_offered_orders(shown)) or reading.text)
    if reading.order:
        return give_order(letter, match, ticket, reading, now)
    if not reading.line:
        return explain_misread(reading)
    line, order = split_plan(reading.line)
    # A costly move counts once its price was quoted: by this letter, if it is our question about this very move.
    with translation.override(letter.recipient.language):
        price = find_price(shown, line)
    has_doubts = load_reply_language(letter.recipient.language).has_doubts
    is_quoted = (letter.values.get("price"), find_proposed(letter)) == (price, reading.line)
    if price and (not is_quoted or any(map(has_doubts, words))):
        values = {"heard": quote_words(reading.text), "lines": [reading.line], "price": price}
        return ReplyResult(Finding.COSTLY, values)
    if shown.question and any(option.line == line for option in shown.question.options):
        ticket = replace(ticket, since=0)  # valid once per question, like a link of the letter
    try:
        if order:
            result = standing_orders.play_with_order(ticket, line, order=order, now=now)
        else:
            result = moves.play_ticket(ticket, line, now=now)
    except RulesError as refusal:
        why_not = explain_misread(replace(reading, meaning=replace(reading.meaning, legal=(), refused=(line,))))
        with translation.override(letter.recipient.language):
            return replace(why_not, values=why_not.values | {"refusal": wording.say(refusal.phrase, ())})
    queue.send_held_letter_now(result.loaded.match, letter.recipient, now=now)
    return ReplyResult(Finding.MOVE, {"seq": result.events[0].seq, "order": order}, has_plan=bool(order))


@sensitive_variables("reading", "values")
def give_order(letter: Letter, match: Match, ticket: MoveTicket, reading: Interpretation, now: datetime) -> ReplyResult:
    """Give the standing order. Orders are secret: the admin shows only that no move was made."""
    values = {"why": "order", "heard": quote_words(reading.text), "beside": quote_words(reading.move_beside_order)}
    place = match.places.get(seat=ticket.seat)
    if not moves.is_holder_seated_at(ticket, place):
        raise NotYours
    try:
        result = standing_orders.give_order(place, reading.order, now=now)
    except RulesError as refusal:
        with translation.override(letter.recipient.language):
            return ReplyResult(Finding.UNREAD, values | {"why": "refused", "refusal": wording.say(refusal.phrase, ())})
    queue.send_held_letter_now(match, letter.recipient, now=now)
    if not match.waits.filter(seat=ticket.seat, opened=ticket.question).exists():
        values |= {"why": "done", "seqs": result.answered}
    return ReplyResult(Finding.UNREAD, values)


def explain_misread(reading: Interpretation) -> ReplyResult:
    """Return the result for words that mean no legal move, or several."""
    meaning = reading.meaning
    finding = (
        Finding.UNCLEAR
        if meaning.legal or meaning.suspected
        else Finding.REFUSED
        if meaning.refused
        else Finding.UNREAD
    )
    if reading.contradiction:
        why = "two" if meaning.legal else "orders"
        return ReplyResult(
            finding, {"why": why, "said": [[quote_words(words), line] for words, line in reading.contradiction]}
        )
    lines = [*meaning.suspected, *meaning.legal, *meaning.refused][:MAX_SHOWN]
    return ReplyResult(finding, {"heard": quote_words(reading.text), "lines": lines})


def quote_words(words: str) -> str:
    """Return the player's words on one line, shortened, as our answer quotes them."""
    plain = " ".join(words.split())
    return plain if len(plain) <= LONGEST_QUOTE else plain[: LONGEST_QUOTE - 1] + "…"
