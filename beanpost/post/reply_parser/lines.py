"""Find the one move or standing order that a writer's own words mean."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice

from beanpost.post.reply_parser.limits import TooSlow
from beanpost.post.reply_parser.marks import read_mark
from beanpost.post.reply_parser.move_meaning import (
    MAX_CHARACTERS,
    Meaning,
    Question,
    count_readings,
    find_meaning,
    find_number,
    read_by_label,
)
from games.contract.replies.language import Language

WRAPPED = 45  # mail programs may have wrapped a line of this length
MAX_PIECES = 4
MAX_TRIED = 60  # lines that are read
MAX_JOINED = 120  # texts that are read: lines, and lines joined with those after them
MAX_BESIDE_YES = 12  # lines beside a yes
MAX_SECONDS = 0.5  # of processor time; real replies take a few thousandths
MAX_EFFORT = 1_000  # readings of all texts together; real replies have a handful


@dataclass(frozen=True)
class Interpretation:
    """The result of reading a reply: its text and what it means."""

    text: str = ""
    meaning: Meaning = field(default_factory=Meaning)
    order: str = ""  # the standing order that was given instead of a move
    move_beside_order: str = ""  # the words of a move that was written beside an order
    contradiction: tuple[tuple[str, str], ...] = ()  # two different moves or orders: the words and the line of each

    @property
    def has_meaning(self) -> bool:
        return bool(self.meaning or self.order or self.contradiction)

    @property
    def line(self) -> str:
        """The one move that is meant, or ""; never one that only a doubtful number suggests."""
        return self.meaning.legal[0] if len(self.meaning.legal) == 1 else ""


@dataclass(frozen=True)
class Reading:
    """One or several wrapped lines that mean something."""

    text: str
    start: int
    end: int  # number of the next line
    order: str = ""
    meaning: Meaning = field(default_factory=Meaning)


def interpret_lines(lines: Sequence[str], question: Question) -> Interpretation:
    """Return the only order or the only move in the lines; if there is none, their first words.

    Two different moves contradict each other, and so do two different orders: neither counts.
    An illegal or unclear move counts only if it comes first. After a legal move it may be anything, and is ignored.
    """
    if question.proposed and any(question.language.has_doubts(line) for line in lines):
        question = replace(question, proposed="")
    found = iter_readings(lines, question)
    first = next(found, None)
    if first is None:
        return Interpretation(next((line for line in lines if line), ""))
    if first.order:
        return interpret_order(first, list(found))
    interpretation = Interpretation(first.text, first.meaning)
    if not interpretation.line:
        return interpretation
    another = next((one for one in found if is_contradiction(one, first, lines, question.language)), None)
    if another is None:
        is_vague = (
            is_conditional(first, lines, question)
            or is_undecided(first, lines, question)
            or (question.proposed == interpretation.line and not is_named_or_plain_yes(first, lines, question))
        )
        return (
            replace(interpretation, meaning=Meaning(suspected=(interpretation.line,))) if is_vague else interpretation
        )
    others = (*another.meaning.legal, *another.meaning.suspected)
    other = next(line for line in others if line != interpretation.line)
    both = ((first.text, interpretation.line), (another.text, other))
    return replace(interpretation, meaning=Meaning((interpretation.line, other)), contradiction=both)


def is_conditional(first: Reading, lines: Sequence[str], question: Question) -> bool:
    """Return whether the line above leads to the move with "if", "after" or as a quotation, or the line below does."""
    language = question.language
    directly_above = lines[first.start - 1] if first.start else ""
    above = next((line for line in reversed(lines[: first.start]) if line), "")
    below = lines[first.end] if first.end < len(lines) else ""
    if above.endswith(":") and not language.introduces_move(above, question.names):
        return True
    is_open = directly_above != "" and directly_above[-1] not in ".!?…)"
    return (is_open and language.puts_off(directly_above)) or (
        below[:1].islower() and language.has_doubts(below.split()[0])
    )


def is_undecided(first: Reading, lines: Sequence[str], question: Question) -> bool:
    """Return whether a mark or a number stands beside "I'll answer tonight", or below a signature."""
    language = question.language
    if not is_number(first.text, language):
        return False
    if any(language.is_undecided(line) for line in lines):
        return True
    above = [line for line in lines[: first.start] if line]
    bare = (language.strip_courtesies(line) for line in above[1:])  # the first line may call the reader by name
    return any(text in question.names for text in bare)


def is_named_or_plain_yes(first: Reading, lines: Sequence[str], question: Question) -> bool:
    """Return whether a reading names its move, or a yes stands alone: "OK. Let me think" is no consent."""
    language, beside = question.language, [*lines[: first.start], *lines[first.end :]]
    others = [line for line in beside if line]
    if not language.agrees(language.strip_courtesies(first.text, question.names)):
        return True
    return len(others) <= MAX_BESIDE_YES and all(may_stand_beside_yes(line, question) for line in others)


def may_stand_beside_yes(line: str, question: Question) -> bool:
    """Return whether a line adds nothing to a yes: thanks, a signature, or the move itself."""
    text = question.language.strip_courtesies(line, question.names)
    return (
        not text
        or question.language.agrees(text)
        or is_like_name(text)
        or find_meaning(text, question).legal == (question.proposed,)
    )


def is_like_name(text: str) -> bool:
    """Return whether a line may stand in a signature: "Robert Smith", "12 Bean Street", "+33 6 12 34 56 78"."""
    return text[-1] not in ".!" and all(word[0].isupper() or not word[0].isalpha() for word in text.split())


def interpret_order(first: Reading, others: Sequence[Reading]) -> Interpretation:
    """Return the order that comes first, unless another order contradicts it."""
    if another := next((one for one in others if one.order and one.order != first.order), None):
        return Interpretation(first.text, contradiction=((first.text, first.order), (another.text, another.order)))
    return Interpretation(
        first.text, order=first.order, move_beside_order=next((one.text for one in others if not one.order), "")
    )


def is_contradiction(reading: Reading, first: Reading, lines: Sequence[str], language: Language) -> bool:
    """Return whether a reading may mean another legal move than the first one.

    If the first was written in words, a bare number or a mark further down does not count when other words stand
    between: it may be a phone, house or road number below a name.
    """
    if not {*reading.meaning.legal, *reading.meaning.suspected} - set(first.meaning.legal):
        return False
    is_behind_words = any(lines[first.end : reading.start])
    return not (is_behind_words and not is_number(first.text, language) and is_number(reading.text, language))


def is_number(text: str, language: Language) -> bool:
    return bool(read_mark(text, language) or find_number(text, language))


def iter_readings(lines: Sequence[str], question: Question) -> Iterator[Reading]:
    """Yield each order and move, in the order they are written."""
    next_line = texts = spent = 0
    first = next(iter(find_written_lines(lines)), 0)
    for n in find_written_lines(lines):
        if n < next_line or texts > MAX_JOINED or spent > MAX_EFFORT:
            continue
        ways = list(iter_joined_lines(lines, n))
        texts += len(ways)
        spent += sum(count_readings(text, question) for text, _ in ways)
        if found := find_reading(n, ways, replace(question, may_be_initials=n > first)):
            yield found
            next_line = found.end


def find_reading(n: int, ways: Sequence[tuple[str, int]], question: Question) -> Reading | None:
    """Return the order or the moves that a line can mean, alone or joined with the lines it was wrapped into.

    `ways` holds these texts. If only some mean exactly one move, the line means their moves.
    """
    for text, end in ways:
        # A move that is offered with an order names that order in its label.
        if not read_by_label(text, question) and (order := question.order(text)):
            return Reading(text, n, end, order=order)
    possible = [Reading(text, n, end, meaning=means) for text, end in ways if (means := find_meaning(text, question))]
    exact = [one for one in possible if len(one.meaning.legal) == 1]
    if not exact:
        return possible[0] if possible else None
    legal = tuple(dict.fromkeys(one.meaning.legal[0] for one in exact))
    return replace(exact[-1], meaning=Meaning(legal))


def find_move(lines: Sequence[str], question: Question) -> str:
    """Return the first text that means a move, legal or not; skip orders."""
    return next((one.text for one in iter_readings(lines, question) if not one.order), "")


def remove_text(lines: Sequence[str], text: str) -> list[str]:
    """Return the lines with a blank line in place of those that this text was joined from.

    >>> remove_text(["Hello,", "pass until someone plays", "below 9", "play 6"], "pass until someone plays below 9")
    ['Hello,', '', 'play 6']
    """
    spans = ((n, end) for n in range(len(lines)) for end in range(n + 1, n + MAX_PIECES + 1))
    first, end = next(((n, end) for n, end in spans if " ".join(lines[n:end]) == text), (0, 0))
    return [*lines[:first], "", *lines[end:]]


def iter_candidates(lines: Sequence[str]) -> Iterator[str]:
    """Yield each line; a long line also joined with the lines that follow it in its paragraph.

    A match may be locked while its lines are read, so raise TooSlow if that takes long.
    """
    end = time.thread_time() + MAX_SECONDS
    for text in islice(
        (text for n in find_written_lines(lines) for text, _ in iter_joined_lines(lines, n)), MAX_JOINED
    ):
        if time.thread_time() > end:
            raise TooSlow
        yield text


def find_written_lines(lines: Sequence[str]) -> list[int]:
    """Return the numbers of the lines that are not blank, up to a limit."""
    return [n for n, line in enumerate(lines) if line][:MAX_TRIED]


def iter_joined_lines(lines: Sequence[str], n: int) -> Iterator[tuple[str, int]]:
    """Yield a line, and if it is long, the line joined with those after it; each with the number of the next line."""
    text = lines[n]
    yield text, n + 1
    for end, follower in enumerate(lines[n + 1 : n + MAX_PIECES], n + 2):
        if not follower or len(text) < WRAPPED:
            return
        text = f"{text} {follower}"
        if len(text) > MAX_CHARACTERS:
            return
        yield text, end
