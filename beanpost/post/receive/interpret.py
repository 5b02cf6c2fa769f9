"""Read a reply: find the move it makes, the order it gives, or the reason why it is neither.

The move or order is carried out while the match is locked for reading, so that no other move comes between.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any

from django.utils import translation
from django.views.decorators.debug import sensitive_variables

from beanpost.play import moves
from beanpost.play.display import scene, wording
from beanpost.play.display.orders.similar import find_likeliest_line
from beanpost.play.display.parts import split_plan
from beanpost.play.errors import AlreadyPlayed, NotRunning, NotYours, Unplayed
from beanpost.play.log import load
from beanpost.play.models import Match
from beanpost.play.tickets import MoveTicket
from beanpost.play.timekeeping import absence
from beanpost.play.turns import standing_orders
from beanpost.post.models import Letter, Reply
from beanpost.post.outbox import queue
from beanpost.post.receive.open_questions import as_printed, meaning_of, orders_of, question
from beanpost.post.reply_parser.html_to_text import convert_html
from beanpost.post.reply_parser.limits import check_time
from beanpost.post.reply_parser.lines import Interpretation, find_move, interpret_lines, remove_text
from beanpost.post.reply_parser.mail import Mail, parse_mail
from beanpost.post.reply_parser.quotes import find_own_words
from beanpost.post.reply_parser.sent_letter import SentLetter
from beanpost.post.reply_parser.which_table import find_chosen_numbers, find_order, find_unknown_numbers
from games.contract.errors import RulesError

MOST_SHOWN = 6  # possible moves that an answer lists
LONGEST_ECHO = 120  # characters of the player's words that an answer quotes

Finding = Reply.Finding
OF_A_MOVE = (Finding.MOVE, Finding.UNCLEAR, Finding.REFUSED)
TOO_LATE = (Finding.LATE, Finding.REPEATED)


@dataclass(frozen=True)
class ReplyResult:
    """The result of reading a reply: the finding, its question, and the values for an answer."""

    finding: Reply.Finding
    values: dict[str, Any] = field(default_factory=dict, repr=False)
    asked: dict[str, Any] = field(default_factory=dict)
    has_plan: bool = False  # an order was given with the move, as its letter offers


def look_into(source: bytes, sender: str, letter: Letter) -> tuple[Mail, list[str]]:
    """Parse a reply and return its writer's own words. This may take long, and needs no transaction."""
    mail = parse_mail(source, sender=sender)
    words = [] if mail.automatic else find_own_words(mail.text, as_sent(letter))
    check_time()
    return mail, words


def read(reply: Reply, mail: Mail, words: Sequence[str], now: datetime) -> list[ReplyResult]:
    """Return what was found: one result, or one for each table if the letter is about several."""
    letter = reply.letter
    if mail.automatic:
        return [ReplyResult(notice_absence(letter, mail, now))]
    if letter.asked:
        return with_order([read_one_of(letter, letter.asked, words, now)], letter, words)
    if not letter.options:
        return [ReplyResult(Finding.OVER)]
    return with_order(read_several(letter, words, now), letter, words)


def as_sent(letter: Letter) -> SentLetter:
    """Return the letter as sent, so that no piece of it passes for the reader's own words; empty if it was erased."""
    printed = [(str(option["number"]), str(option["label"])) for option in letter.options]
    answers = [answer for number, label in printed for answer in (label, f"{number}. {label}", f"{number} {label}")]
    sent = letter.parts
    return SentLetter([sent.text, convert_html(sent.html)], answers)


@sensitive_variables("text")
def with_order(found: list[ReplyResult], letter: Letter, words: Sequence[str]) -> list[ReplyResult]:
    """Add that an order was not followed: it came too late, or beside a move, and we do not guess which of the two
    should come first.
    """
    if any(one.has_plan for one in found) or not any(one.finding in (*OF_A_MOVE, *TOO_LATE) for one in found):
        return found
    meant = [letter.asked["match"]] if letter.asked else None
    with translation.override(letter.recipient.language):
        text, tables = find_order(words, orders_of(letter.recipient, meant))
        if not text:
            return found
        if any(means_move(one, letter, words) for one in found):
            return [*found, ReplyResult(Finding.UNREAD, {"why": "beside", "tables": tables, "heard": echo(text)})]
    return [replace(one, values=one.values | {"heard": echo(text)}) for one in found]


def means_move(one: ReplyResult, letter: Letter, words: Sequence[str]) -> bool:
    """Return whether the words mean a move, made or not. A late reply was not parsed: it may hold only an order."""
    if one.finding not in TOO_LATE:
        return one.finding in OF_A_MOVE
    if not letter.asked:
        return bool(find_chosen_numbers(words, [option["number"] for option in letter.options]))
    match = Match.objects.prefetch_related("places__player").get(pk=letter.asked["match"])
    return bool(find_move(words, as_printed(letter, match, [place.name for place in match.places.all()])))


def read_several(letter: Letter, words: Sequence[str], now: datetime) -> list[ReplyResult]:
    """Read each number at its own table. Tables are locked in one order, so that two readers cannot deadlock."""
    options = {option["number"]: option for option in letter.options}
    named = find_chosen_numbers(words, options)
    if not named:
        return [read_order(letter, words, now)]
    tables: dict[int, list[int]] = {}
    for number in named:
        tables.setdefault(options[number]["asked"]["match"], []).append(number)
    found = [
        read_numbers(letter, [options[number] for number in numbers], [named[number] for number in numbers], now)
        for _, numbers in sorted(tables.items())
    ]
    others = ", ".join(find_unknown_numbers(words, options))
    return [*found, ReplyResult(Finding.UNREAD, {"why": "number", "heard": echo(others)})] if others else found


@sensitive_variables("text")
def read_order(letter: Letter, words: Sequence[str], now: datetime) -> ReplyResult:
    """Follow an order without a number, if it makes sense at exactly one of the reader's tables."""
    asked = {option["asked"]["match"]: option["asked"] for option in letter.options}
    with translation.override(letter.recipient.language):
        text, tables = find_order(words, orders_of(letter.recipient))
    if not tables:
        return ReplyResult(Finding.UNREAD, {"heard": echo(next(filter(None, words), ""))})
    if len(tables) > 1:
        return ReplyResult(Finding.UNREAD, {"why": "order", "tables": tables, "heard": echo(text)})
    [table] = tables
    another, others = order_elsewhere(letter, remove_text(words, text), table)
    if another:
        heard = f"{echo(text)} / {echo(another)}"
        return ReplyResult(Finding.UNREAD, {"why": "orders", "tables": [table, *others], "heard": heard})
    if table not in asked:
        return ReplyResult(Finding.UNREAD, {"why": "elsewhere", "tables": tables, "heard": echo(text)})
    return read_one_of(letter, asked[table], [text, *remove_text(words, text)], now)


def order_elsewhere(letter: Letter, words: Sequence[str], table: int) -> tuple[str, list[int]]:
    """Another order of the same mail, for other tables than this one; no words, if there is none."""
    with translation.override(letter.recipient.language):
        elsewhere = {match: order for match, order in orders_of(letter.recipient).items() if match != table}
        return find_order(words, elsewhere)


def read_numbers(letter: Letter, options: list[dict[str, Any]], words: list[list[str]], now: datetime) -> ReplyResult:
    """Read the numbers that belong to one table; `words` holds the texts around each number."""
    asked = options[0]["asked"]
    if len(options) == 1:
        return read_one_of(letter, asked, words[0], now)
    said = [[echo(pieces[0]), meaning_of(option)] for pieces, option in zip(words, options, strict=True)]
    two = ReplyResult(Finding.UNCLEAR, {"why": "two", "said": said[:MOST_SHOWN]})
    ticket = MoveTicket(**asked)
    return replace(closed(letter, load.lock_match(ticket.match), ticket) or two, asked=asked)


def read_one_of(letter: Letter, asked: dict[str, Any], words: Sequence[str], now: datetime) -> ReplyResult:
    return replace(read_words(letter, MoveTicket(**asked), words, now), asked=asked)


def read_words(letter: Letter, ticket: MoveTicket, words: Sequence[str], now: datetime) -> ReplyResult:
    match = load.lock_match(ticket.match)
    if why_not := closed(letter, match, ticket):
        return why_not
    try:
        return play(letter, match, ticket, words, now)
    except Unplayed as why:
        return unplayed(why)


def closed(letter: Letter, match: Match, ticket: MoveTicket) -> ReplyResult | None:
    """Return the reason why the letter's question can no longer be answered, or None if it can."""
    if not match.places.filter(seat=ticket.seat, occupant=ticket.occupant, player=letter.recipient).exists():
        return ReplyResult(Finding.VOID)
    try:
        moves.check_still_asked(match, ticket.seat, ticket.question)
    except Unplayed as why:
        return unplayed(why)
    return None


def notice_absence(letter: Letter, mail: Mail, now: datetime) -> Reply.Finding:
    """Never answer an automatic email. If the player seems to be away, tell them and the keeper."""
    if not mail.away:
        return Finding.AUTOMATIC
    if match := letter.match or match_in(letter):
        absence.offer_days_away(match, letter.recipient, now=now)
    return Finding.AWAY


def match_in(letter: Letter) -> Match | None:
    """Return the first match in a letter about several tables."""
    asked = [letter.asked, *(option.get("asked") for option in letter.options)]
    return Match.objects.filter(pk__in=[one["match"] for one in asked if one][:1]).first()


def unplayed(why: Unplayed) -> ReplyResult:
    if isinstance(why, NotRunning):
        return ReplyResult(Finding.OVER)
    event = getattr(why, "event", None)
    finding = Finding.REPEATED if isinstance(why, AlreadyPlayed) else Finding.LATE
    return ReplyResult(finding, {"seqs": [event.seq]} if event else {})


@sensitive_variables("shown", "heard", "order")
def play(letter: Letter, match: Match, ticket: MoveTicket, words: Sequence[str], now: datetime) -> ReplyResult:
    """Carry out the words, if they mean exactly one move or order."""
    shown = scene.build_scene(match, ticket.seat)
    with translation.override(letter.recipient.language):
        heard = interpret_lines(words, question(letter, shown))
        if not heard.has_meaning:  # quote the line to whose words the answer lists similar orders
            heard = replace(heard, text=find_likeliest_line(words, shown.offered_orders) or heard.text)
    if heard.order:
        return follow(letter, match, ticket, heard, now)
    if not heard.line:
        return misheard(heard)
    line, order = split_plan(heard.line)
    if any(option.line == line for option in shown.options):
        ticket = replace(ticket, since=0)  # like a link of the letter: valid once in a question
    try:
        made = moves.play_ticket(ticket, line, order=order, now=now)
    except RulesError as refusal:
        why_not = misheard(replace(heard, meaning=replace(heard.meaning, legal=(), refused=(line,))))
        with translation.override(letter.recipient.language):
            return replace(why_not, values=why_not.values | {"refusal": wording.say(refusal.phrase, ())})
    queue.send_held_letter_now(made.match, letter.recipient, now=now)
    return ReplyResult(Finding.MOVE, has_plan=bool(order))


@sensitive_variables("heard")
def follow(letter: Letter, match: Match, ticket: MoveTicket, heard: Interpretation, now: datetime) -> ReplyResult:
    """Give the standing order. It is secret: the admin shows only that no move was made."""
    told = {"why": "order", "heard": echo(heard.text), "beside": echo(heard.move_beside_order)}
    place = match.places.get(seat=ticket.seat)
    if not moves.is_holder_seated_at(ticket, place):
        raise NotYours
    try:
        given = standing_orders.give_order(place, heard.order, now=now)
    except RulesError as refusal:
        with translation.override(letter.recipient.language):
            return ReplyResult(Finding.UNREAD, told | {"why": "refused", "refusal": wording.say(refusal.phrase, ())})
    queue.send_held_letter_now(match, letter.recipient, now=now)
    if not match.waits.filter(seat=ticket.seat, opened=ticket.question).exists():
        told |= {"why": "done", "seqs": given.answered}
    return ReplyResult(Finding.UNREAD, told)


def misheard(heard: Interpretation) -> ReplyResult:
    meant = heard.meaning
    finding = Finding.UNCLEAR if meant.legal else Finding.REFUSED if meant.refused else Finding.UNREAD
    if heard.contradiction:
        why = "two" if meant.legal else "orders"
        return ReplyResult(finding, {"why": why, "said": [[echo(words), line] for words, line in heard.contradiction]})
    lines = [*meant.legal, *meant.refused][:MOST_SHOWN]
    return ReplyResult(finding, {"heard": echo(heard.text), "lines": lines})


def echo(words: str) -> str:
    plain = " ".join(words.split())
    return plain if len(plain) <= LONGEST_ECHO else plain[: LONGEST_ECHO - 1] + "…"
