"""Put words into the order of the notation. There may be several ways to do so; the rules decide between them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice, product
from typing import TypeAlias

Words: TypeAlias = Sequence[str]

SUITS = {"/s", "/h", "/d", "/c"}
FACE_UP = "^"
MOST_COPIES = 9
MOST_WAYS = 16
ADDRESSEES = (*"abcdefg", "all")


def as_said(words: Words) -> Iterable[Words]:
    return [words]


# ── quantities ──


def several_of_a_value(words: Words) -> Iterator[Words]:
    """Read "two sixes" as 6 6. "Deux six" may mean the same, or a two and a six.

    >>> sorted(map(" ".join, several_of_a_value(["play", "2", "6+"]))), list(several_of_a_value(["pass"]))
    (['play 6 6'], [['pass']])
    """
    choices: list[list[tuple[str, ...]]] = []
    at = 0
    while at < len(words):
        word, follower = words[at], words[at + 1] if at + 1 < len(words) else ""
        if word.isdigit() and follower.rstrip("+").isdigit():
            copies = (follower.rstrip("+"),) * min(int(word), MOST_COPIES)
            apart = [(word, follower)] if follower.isdigit() else []
            choices.append([*apart, copies])
            at += 2
        else:
            choices.append(alone(word))
            at += 1
    for way in islice(product(*choices), MOST_WAYS):
        yield [word for some in way for word in some]


def alone(word: str) -> list[tuple[str, ...]]:
    """Return the ways to read one word: "sixes" without a number are two, three or four of them."""
    if word.endswith("+"):
        return [(word[:-1],) * copies for copies in (2, 3, 4)]
    return [(word,)]


def counted(words: Words) -> list[str]:
    """Repeat a thing as often as the number before it says. `^` before or after a thing marks it as lying face up.

    >>> counted(["offer", "2", "soy", "^", "for", "red"]), counted(["plant", "coffee", "in", "2"])
    (['offer', '*soy', '*soy', 'for', 'red'], ['plant', 'coffee', 'in', '2'])
    """
    row: list[str] = []
    times, starred = 1, False
    last: list[int] = []  # positions of the things named last
    for word in words:
        if word == FACE_UP:
            starred = not last
            for place in last:
                row[place] = "*" + row[place].lstrip("*")
        elif is_thing(word):
            last = list(range(len(row), len(row) + times))
            row += ["*" + word.lstrip("*") if starred else word] * times
            times, starred = 1, False
            continue
        elif word.isdigit() and not (row and row[-1] in ("in", "accept", "decline", "withdraw", "harvest")):
            times = min(int(word), MOST_COPIES)
            row.append(word)
            last = []
            continue
        else:
            row.append(word)
        times, last = 1, []
    return without_counts(row)


def without_counts(row: list[str]) -> list[str]:
    """Drop the numbers that were counts of the next word."""
    return [
        word for word, follower in zip(row, [*row, ""][1:], strict=True) if not (word.isdigit() and is_thing(follower))
    ]


VERBS = {"accept", "all", "buy", "deal", "decline", "discard", "done", "for", "giving", "go", "harvest", "in", "no",
         "nothing", "offer", "plant", "reveal", "to", "withdraw", *"abcdefg"}  # fmt: skip


def is_thing(word: str) -> bool:
    return word not in VERBS and word.lstrip("*").partition("@")[0].isalpha()


# ── word order of each game ──


def deals(words: Words) -> Iterator[Words]:
    """Put the addressee of a Bohnanza offer last, or try all of them if none is named."""
    row = counted(words)
    if row[:1] != ["offer"]:
        yield row
        return
    at = next((n for n in range(len(row) - 1) if row[n] == "to" and row[n + 1] in ADDRESSEES), None)
    if at is not None:
        yield [*row[:at], *row[at + 2 :], "to", row[at + 1]]
    elif "to" not in row:
        yield from ([*row, "to", somebody] for somebody in ADDRESSEES)


def played_and_planted(words: Words) -> Iterator[Words]:
    """Arrange a Fagioli play in any word order: the card, the pile, the side that is up, the planted cards."""
    for row in several_of_a_value(words):
        numbers: dict[str, list[str]] = {"play": [], "plant": []}
        verb = "play"
        for word in row:
            if word in numbers:
                verb = word
            elif word.isdigit():
                numbers[verb].append(word)
        if len(numbers["play"]) == 1:
            sides = [side for side in ("left", "right", "down") if side in row]
            planted = ["plant", *numbers["plant"]] if numbers["plant"] else []
            yield ["play", *numbers["play"], *sides, *planted]


def cards_of_a_suit(words: Words) -> list[Words]:
    """Join a card's rank and suit. A card without a verb may be played or taken.

    >>> cards_of_a_suit(["play", "7", "/s"]), cards_of_a_suit(["play", "7+"])
    ([['play', '7s']], [['play', '7s']])
    """
    row: list[str] = []
    for word in words:
        if word in SUITS and row:
            row[-1] += word[1:]
        else:
            row.append(word.replace("+", "s"))  # "7s" is the seven of spades here, not a plural
    if len(row) == 1 < len(words):  # "the king of diamonds" is a move; a bare "KD" may be a signature
        return [["play", *row], ["take", *row]]
    return [row]


def several_faces(words: Words) -> Iterator[Words]:
    """Repeat a face as often as the number before it says, after `stack` only.

    >>> list(several_faces(["stack", "2", "eye", "trunk"])), list(several_faces(["axe", "2", "roll", "3"]))
    ([['stack', 'eye', 'eye', 'trunk']], [['axe', '2', 'roll', '3']])
    """
    row: list[str] = []
    for word in words:
        if row[:1] == ["stack"] and row[-1].isdigit():
            times = int(row.pop())
            row += [word] * min(times, MOST_COPIES)
        else:
            row.append(word)
    yield row
