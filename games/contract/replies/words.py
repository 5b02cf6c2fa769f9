"""Players' words for things in replies by mail, and the words of the notation they stand for.

A reply is read by a move's mark, its line or its label without any of this. A game adds the words that its players
use, in English and French; words of all games are data (`games.contract.replies.language`). Nothing is guessed: a word
that is in no list makes a line unreadable.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice, product
from typing import TypeAlias

from games.contract.phrases import Phrase

Words: TypeAlias = Sequence[str]
Readings: TypeAlias = dict[str, tuple[str, ...]]  # a word's readings; "" for a word that may be left out
Arrange: TypeAlias = Callable[[Words], Iterable[Words]]

MAX_COPIES = 9
MAX_READINGS = 16
MATCHES_NOTHING = re.compile(r"(?!)")


def map_words(text: str, means: str = "") -> Readings:
    """Map several words to one; without a meaning they may be left out."""
    return dict.fromkeys(text.split(), (means,))


def map_synonyms(**things: str) -> Readings:
    """Map each word of the notation, and its synonyms, to that word.

    >>> map_synonyms(left="gauche")
    {'left': ('left',), 'gauche': ('left',)}
    """
    return {word: (means,) for means, text in things.items() for word in (means, *text.split())}


def map_phrases(**patterns: str) -> tuple[tuple[re.Pattern[str], str], ...]:
    """Return replacements of whole phrases, each by the words of the notation that it means."""
    return tuple((re.compile(rf"\b(?:{text})(?!\w)"), means.replace("_", " ")) for means, text in patterns.items())


# ── the order of words ──


def keep_order(words: Words) -> Iterable[Words]:
    return [words]


AND, TIMES = "&", "×"  # readings of words that join numbers, or count the next one: "one 5" is a five


def arrange_numbers(words: Words) -> Iterator[Words]:
    """Read "two sixes" as 6 6. "Deux six" may mean the same, or a two and a six; "un six" is one card.

    >>> sorted(map(" ".join, arrange_numbers(["play", "2", "6+"]))), list(arrange_numbers(["pass"]))
    (['play 6 6'], [['pass']])
    >>> [*arrange_numbers(["plant", "×1", "5"]), *arrange_numbers(["plant", "×1", "&", "5"])]
    [['plant', '5'], ['plant', '1', '5']]
    """
    choices: list[list[tuple[str, ...]]] = []
    index = 0
    while index < len(words):
        word, follower = words[index], words[index + 1] if index + 1 < len(words) else ""
        value = follower.rstrip("+")
        if word == AND:
            if index and value.isdigit() and not is_number(words[index - 1]):
                return  # "plant a … and 5"
        elif word.startswith(TIMES):
            if value.isdigit():
                choices.append([(value,) * int(word[1:])])
                index += 1
            elif word == f"{TIMES}1":
                choices.append([() if follower.startswith(TIMES) else ("1",)])  # "une paire", or the card
            else:
                return  # "both", without a card
        elif word.isdigit() and value.isdigit():
            copies = (value,) * min(int(word), MAX_COPIES)
            apart = [(word, follower)] if follower.isdigit() else []
            choices.append([*apart, copies])
            index += 1
        else:
            choices.append(read_single_word(word))
        index += 1
    for way in islice(product(*choices), MAX_READINGS):
        yield [word for some in way for word in some]


def is_number(word: str) -> bool:
    return word.startswith(TIMES) or word.rstrip("+").isdigit()


def read_single_word(word: str) -> list[tuple[str, ...]]:
    """Return the ways to read one word: "sixes" without a number are two, three or four of them."""
    if word.endswith("+"):
        return [(word[:-1],) * copies for copies in (2, 3, 4)]
    return [(word,)]


# ── standing orders ──


@dataclass(frozen=True)
class OrderPattern:
    """A pattern that matches the wording of an order, and the order in notation, with gaps in braces."""

    pattern: re.Pattern[str]
    says: str


NUMBER_GAPS = ("turn", "last", "round", "value", "card", "cards", "levels")  # gaps that hold a number


def compile_orders(*pairs: tuple[str, str]) -> tuple[OrderPattern, ...]:
    """Compile patterns from pairs: a normalised text with gaps in braces, and the order that it means.

    >>> [sentence] = compile_orders(("passer? jusqu'a {value}", "pass until {value}"))
    >>> sentence.pattern.fullmatch("passe jusqu'a 9")["value"]
    '9'
    """
    return tuple(OrderPattern(re.compile(re.sub(r"{(\w+)}", compile_gap, text)), says) for text, says in pairs)


def compile_gap(found: re.Match[str]) -> str:
    return f"(?P<{found[1]}>{'[0-9]{1,4}' if found[1] in NUMBER_GAPS else '.+'})"


@dataclass(frozen=True)
class Wording:
    """How things are called at one table: given to the functions that read the gaps of an order."""

    seats: int
    say: Callable[[Phrase], str]  # a phrase in the reader's language, normalised like the reply
    known: Callable[[str], tuple[str, ...]]  # the readings of a word
    split_words: Callable[[str], list[str]]


ReadGap: TypeAlias = Callable[[str, Wording], str]  # from the text in a gap to words of the notation


# ── all of a game's words ──


@dataclass(frozen=True)
class ReplyWords:
    """The words that players use for one game."""

    words: Readings = field(default_factory=dict)
    phrases: tuple[tuple[re.Pattern[str], str], ...] = ()  # replacements in the normalised text
    verbs: Mapping[str, str] = field(default_factory=dict)  # this game's verb for "play" and "pass"
    cards_are_numbers: bool = False  # "one 5" is a five, and "1 and 5" are two cards
    arrange: Arrange = keep_order  # into the order of the notation; if there are several ways, the rules decide
    cards: re.Pattern[str] = MATCHES_NOTHING  # words that stand for themselves
    # A word with marks of the notation, in three groups: before, the word, after.
    marked: re.Pattern[str] = MATCHES_NOTHING
    patterns: tuple[tuple[re.Pattern[str], Callable[[re.Match[str]], str]], ...] = ()  # before `map_phrases`
    needs_object: frozenset[str] = frozenset()  # verbs that mean nothing alone, even if one answer has them
    may_go_unsaid: frozenset[str] = frozenset()  # verbs that may be left out: "coffee in 2", "7S"
    by_label: frozenset[str] = frozenset()  # verbs whose object may be named as the button's label names it
    # Moves that have a number as their card or amount, which a bare number names: group 1 is the number. By the nouns
    # that may stand beside it: "field 2". A bare number has none.
    numbers: Mapping[str, re.Pattern[str]] = field(default_factory=dict)
    orders: tuple[OrderPattern, ...] = ()
    gaps: Mapping[str, ReadGap] = field(default_factory=dict)  # by name; other gaps are taken as said


PLAIN_REPLIES = ReplyWords()  # for a game without words of its own: only notation and the shared words are read
