"""The first line of somebody's own words that means a move, or a standing order."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from beanpost.post.reading.meaning import Meaning, Question, meaning, number_in
from beanpost.post.reading.safety import check_time

WRAPPED = 45  # a line at least so long may have been broken by a mail program
MOST_PIECES = 4
MOST_TRIED = 60
LONGEST_TRIED = 300  # letters; an offer of every card there is would be shorter
MOST_LETTERS_TRIED = 6_000


@dataclass(frozen=True)
class Heard:
    """What was heard, in whose words."""

    text: str = ""
    meaning: Meaning = field(default_factory=Meaning)
    order: str = ""  # that was given instead of a move
    beside: str = ""  # the words of a move that was written beside it

    @property
    def line(self) -> str:
        """The one move that is meant, if it is one."""
        return self.meaning.legal[0] if len(self.meaning.legal) == 1 else ""


def hear(lines: Sequence[str], question: Question) -> Heard:
    """The first line that reads as an order, or as a move, legal, unclear or not; if none does, the first words."""
    for text in tried(lines):
        if order := question.order(text):
            return Heard(text, order=order, beside=move_in(apart(lines, text), question))
        if means := meaning(text, question):
            return Heard(text, means, beside=another_in(lines, text, means, question))
    return Heard(next((line for line in lines if line), ""))


def move_in(lines: Sequence[str], question: Question) -> str:
    """The first words that mean a move, legal or not, whatever order stands before them."""
    return next((text for text in tried(lines) if not question.order(text) and meaning(text, question)), "")


def another_in(lines: Sequence[str], said: str, means: Meaning, question: Question) -> str:
    """The first words that mean another move, and exactly one that can be made.

    Where the move was said in words, a mere number is none: it may be a telephone's, below a signature.
    """
    others = (text for text in tried(apart(lines, said)) if not question.order(text))
    told = (text for text in others if number_in(said) is not None or number_in(text) is None)
    moves = ((text, meaning(text, question).legal) for text in told)
    return next((text for text, legal in moves if len(legal) == 1 and legal != means.legal), "")


def apart(lines: Sequence[str], text: str) -> list[str]:
    """The lines without those that were tried as this text.

    >>> apart(["Hello,", "pass until someone plays", "below 9", "play 6"], "pass until someone plays below 9")
    ['Hello,', '', 'play 6']
    """
    spans = ((n, end) for n in range(len(lines)) for end in range(n + 1, n + MOST_PIECES + 1))
    first, end = next(((n, end) for n, end in spans if " ".join(lines[n:end]) == text), (0, 0))
    return [*lines[:first], "", *lines[end:]]


def tried(lines: Sequence[str]) -> Iterator[str]:
    """Each text that may be a move, as long as they are few: to look for every meaning of a word takes its time."""
    left = MOST_LETTERS_TRIED
    for text in texts(lines):
        check_time()
        left -= len(text)
        if left < 0:
            return
        if len(text) <= LONGEST_TRIED:
            yield text


def texts(lines: Sequence[str]) -> Iterator[str]:
    """Each line; a long one also with those that follow it in its paragraph."""
    written = [(n, line) for n, line in enumerate(lines) if line]
    for n, line in written[:MOST_TRIED]:
        yield line
        joined = line
        for follower in lines[n + 1 : n + MOST_PIECES]:
            if not follower or len(joined) < WRAPPED:
                break
            joined = f"{joined} {follower}"
            yield joined
