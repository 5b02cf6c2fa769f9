"""Find the one move or standing order that a writer's own words mean."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice

from beanpost.post.reply_parser.limits import check_time
from beanpost.post.reply_parser.move_meaning import (
    MOST_LETTERS,
    Meaning,
    Question,
    by_label,
    effort,
    meaning,
    number_in,
)

WRAPPED = 45  # mail programs may have wrapped a line of this length
MOST_PIECES = 4
MOST_TRIED = 60  # lines
MOST_JOINED = 120  # lines, and lines joined with those that follow
MOST_EFFORT = 1_000  # ways to read them all: people write a handful


@dataclass(frozen=True)
class Heard:
    """The result of reading a reply: its text and what it means."""

    text: str = ""
    meaning: Meaning = field(default_factory=Meaning)
    order: str = ""  # that was given instead of a move
    beside: str = ""  # the words of a move that was written beside an order
    said: tuple[tuple[str, str], ...] = ()  # where two moves or orders were written: the words and the line of each

    @property
    def means_anything(self) -> bool:
        return bool(self.meaning or self.order or self.said)

    @property
    def line(self) -> str:
        """The one move that is meant, or ""."""
        return self.meaning.legal[0] if len(self.meaning.legal) == 1 else ""


@dataclass(frozen=True)
class Reading:
    """One or several wrapped lines that mean something."""

    text: str
    start: int
    end: int  # number of the next line
    order: str = ""
    meaning: Meaning = field(default_factory=Meaning)


def first_meaning(lines: Sequence[str], question: Question) -> Heard:
    """The one order or the one move that the lines say; if nothing is said, the first words.

    Two different moves are none, and so are two different orders.

    An illegal or unclear move counts only if it comes first. After a legal move it may be anything, and is ignored.
    """
    found = readings(lines, question)
    first = next(found, None)
    if first is None:
        return Heard(next((line for line in lines if line), ""))
    if first.order:
        return hear_order(first, list(found))
    heard = Heard(first.text, first.meaning)
    if not heard.line:
        return heard
    another = next((one for one in found if contradicts(one, first, lines)), None)
    if another is None:
        return heard
    other = next(line for line in another.meaning.legal if line != heard.line)
    both = ((first.text, heard.line), (another.text, other))
    return replace(heard, meaning=Meaning((heard.line, other)), said=both)


def hear_order(first: Reading, others: Sequence[Reading]) -> Heard:
    if another := next((one for one in others if one.order and one.order != first.order), None):
        return Heard(first.text, said=((first.text, first.order), (another.text, another.order)))
    return Heard(first.text, order=first.order, beside=next((one.text for one in others if not one.order), ""))


def contradicts(one: Reading, first: Reading, lines: Sequence[str]) -> bool:
    """Return whether a reading may mean another legal move than the first one.

    If the first was written in words, a bare number further down does not count when other words stand between: it may
    be a phone or house number below a name.
    """
    if not set(one.meaning.legal) - set(first.meaning.legal):
        return False
    is_behind_words = any(lines[first.end : one.start])
    return not (is_behind_words and number_in(first.text) is None and number_in(one.text) is not None)


def readings(lines: Sequence[str], question: Question) -> Iterator[Reading]:
    """Yield each order and move, in the order they are written."""
    behind = texts = spent = 0
    for n in written(lines):
        if n < behind or texts > MOST_JOINED or spent > MOST_EFFORT:
            continue
        ways = list(joined(lines, n))
        texts += len(ways)
        spent += sum(effort(text, question) for text, _ in ways)
        if found := reading_at(n, ways, question):
            yield found
            behind = found.end


def reading_at(n: int, ways: Sequence[tuple[str, int]], question: Question) -> Reading | None:
    """Return what a line means, alone or joined with those it was wrapped into: an order, or the moves it can mean.

    If one of these texts means exactly one move, the line means that move; if two mean different moves, it means both.
    """
    for text, end in ways:
        # A move that is offered with an order names that order in its label.
        if not by_label(text, question) and (order := question.order(text)):
            return Reading(text, n, end, order=order)
    meant = [Reading(text, n, end, meaning=means) for text, end in ways if (means := meaning(text, question))]
    exact = [one for one in meant if len(one.meaning.legal) == 1]
    if not exact:
        return meant[0] if meant else None
    legal = tuple(dict.fromkeys(one.meaning.legal[0] for one in exact))
    return replace(exact[-1], meaning=Meaning(legal))


def move_in(lines: Sequence[str], question: Question) -> str:
    """Return the first text that means a move, legal or not, ignoring orders before it."""
    return next((one.text for one in readings(lines, question) if not one.order), "")


def apart(lines: Sequence[str], text: str) -> list[str]:
    """Return the lines without those that were joined to this text.

    >>> apart(["Hello,", "pass until someone plays", "below 9", "play 6"], "pass until someone plays below 9")
    ['Hello,', '', 'play 6']
    """
    spans = ((n, end) for n in range(len(lines)) for end in range(n + 1, n + MOST_PIECES + 1))
    first, end = next(((n, end) for n, end in spans if " ".join(lines[n:end]) == text), (0, 0))
    return [*lines[:first], "", *lines[end:]]


def tried(lines: Sequence[str]) -> Iterator[str]:
    """Yield each line; a long one also joined with those that follow it in its paragraph."""
    for text in islice((text for n in written(lines) for text, _ in joined(lines, n)), MOST_JOINED):
        check_time()
        yield text


def written(lines: Sequence[str]) -> list[int]:
    """Return the numbers of the lines to read."""
    return [n for n, line in enumerate(lines) if line][:MOST_TRIED]


def joined(lines: Sequence[str], n: int) -> Iterator[tuple[str, int]]:
    """Yield a line, a long one also joined with those that follow it, each with the number of the next line."""
    text = lines[n]
    yield text, n + 1
    for end, follower in enumerate(lines[n + 1 : n + MOST_PIECES], n + 2):
        if not follower or len(text) < WRAPPED:
            return
        text = f"{text} {follower}"
        if len(text) > MOST_LETTERS:
            return
        yield text, end
