"""What somebody's own words mean: one move, or a standing order."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice

from beanpost.post.reading.meaning import MOST_LETTERS, Meaning, Question, effort, meaning, number_in
from beanpost.post.reading.safety import check_time

WRAPPED = 45  # a line at least so long may have been broken by a mail program
MOST_PIECES = 4
MOST_TRIED = 60  # lines
MOST_JOINED = 120  # lines and what they make with those that follow
MOST_EFFORT = 1_000  # ways to take them: people write a handful


@dataclass(frozen=True)
class Heard:
    """What was heard, in whose words."""

    text: str = ""
    meaning: Meaning = field(default_factory=Meaning)
    order: str = ""  # that was given instead of a move
    beside: str = ""  # the words of a move that was written beside an order
    said: tuple[tuple[str, str], ...] = ()  # where two moves were written: the words and the line of each

    @property
    def line(self) -> str:
        """The one move that is meant, if it is one."""
        return self.meaning.legal[0] if len(self.meaning.legal) == 1 else ""


@dataclass(frozen=True)
class Reading:
    """Lines that say something, one of them or several that a mail program has broken."""

    text: str
    start: int
    end: int  # the line behind them
    order: str = ""
    meaning: Meaning = field(default_factory=Meaning)


def hear(lines: Sequence[str], question: Question) -> Heard:
    """The order or the one move that the lines say. Two different moves are none; if nothing is said, the first words.

    A move that cannot be made, or an unclear one, is heard where it comes first. Behind a move that can be made it
    does not count: there it may be anything.
    """
    found = readings(lines, question)
    first = next(found, None)
    if first is None:
        return Heard(next((line for line in lines if line), ""))
    if first.order:
        return Heard(first.text, order=first.order, beside=next((one.text for one in found if not one.order), ""))
    heard = Heard(first.text, first.meaning)
    if not heard.line:
        return heard
    another = next((one for one in found if contradicts(one, first, lines)), None)
    if another is None:
        return heard
    other = next(line for line in another.meaning.legal if line != heard.line)
    both = ((first.text, heard.line), (another.text, other))
    return replace(heard, meaning=Meaning((heard.line, other)), said=both)


def contradicts(one: Reading, first: Reading, lines: Sequence[str]) -> bool:
    """Whether a reading is, or may be, another move than the first, and one that can be made.

    Where that was said in words, a mere number further down is none if other words stand between: it may be a
    telephone's or a street's, below a name.
    """
    if not set(one.meaning.legal) - set(first.meaning.legal):
        return False
    is_behind_words = any(lines[first.end : one.start])
    return not (is_behind_words and number_in(first.text) is None and number_in(one.text) is not None)


def readings(lines: Sequence[str], question: Question) -> Iterator[Reading]:
    """Each order and each move, in the order they are written."""
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
    """Return the meaning of a line, alone or with those it was broken into: an order, or else the moves it can mean.

    A line that means exactly one move in one of these ways means that; if it means another in the next, both.
    """
    for text, end in ways:
        if order := question.order(text):
            return Reading(text, n, end, order=order)
    meant = [Reading(text, n, end, meaning=means) for text, end in ways if (means := meaning(text, question))]
    exact = [one for one in meant if len(one.meaning.legal) == 1]
    if not exact:
        return meant[0] if meant else None
    legal = tuple(dict.fromkeys(one.meaning.legal[0] for one in exact))
    return replace(exact[-1], meaning=Meaning(legal))


def move_in(lines: Sequence[str], question: Question) -> str:
    """The first words that mean a move, legal or not, whatever order stands before them."""
    return next((one.text for one in readings(lines, question) if not one.order), "")


def apart(lines: Sequence[str], text: str) -> list[str]:
    """The lines without those that were tried as this text.

    >>> apart(["Hello,", "pass until someone plays", "below 9", "play 6"], "pass until someone plays below 9")
    ['Hello,', '', 'play 6']
    """
    spans = ((n, end) for n in range(len(lines)) for end in range(n + 1, n + MOST_PIECES + 1))
    first, end = next(((n, end) for n, end in spans if " ".join(lines[n:end]) == text), (0, 0))
    return [*lines[:first], "", *lines[end:]]


def tried(lines: Sequence[str]) -> Iterator[str]:
    """Yield each line; a long one also with those that follow it in its paragraph."""
    for text in islice((text for n in written(lines) for text, _ in joined(lines, n)), MOST_JOINED):
        check_time()
        yield text


def written(lines: Sequence[str]) -> list[int]:
    """The numbers of the lines that are looked at."""
    return [n for n, line in enumerate(lines) if line][:MOST_TRIED]


def joined(lines: Sequence[str], n: int) -> Iterator[tuple[str, int]]:
    """A line, and if it is long with those that follow it in its paragraph; each with the number of the line behind."""
    text = lines[n]
    yield text, n + 1
    for end, follower in enumerate(lines[n + 1 : n + MOST_PIECES], n + 2):
        if not follower or len(text) < WRAPPED:
            return
        text = f"{text} {follower}"
        if len(text) > MOST_LETTERS:
            return
        yield text, end
