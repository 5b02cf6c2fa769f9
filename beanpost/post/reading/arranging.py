"""Words of the notation put into its order. What was said may be arranged in several ways; the rules sort them out."""

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


# ── how many of what ──


def several_of_a_value(words: Words) -> Iterator[Words]:
    """Two sixes are 6 6; so may "deux six" be, where a two and a six would be the other way to take it.

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
    """One word; "sixes" without a number are any number of them but one."""
    if word.endswith("+"):
        return [(word[:-1],) * copies for copies in (2, 3, 4)]
    return [(word,)]


def counted(words: Words) -> list[str]:
    """A number before the name of a thing repeats it, and `^` after or before it says that it lies face up.

    >>> counted(["offer", "2", "soy", "^", "for", "red"]), counted(["plant", "coffee", "in", "2"])
    (['offer', '*soy', '*soy', 'for', 'red'], ['plant', 'coffee', 'in', '2'])
    """
    row: list[str] = []
    times, starred = 1, False
    last: list[int] = []  # where the things named last stand
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
    """The numbers that have been used up by what follows them are left out."""
    return [
        word for word, follower in zip(row, [*row, ""][1:], strict=True) if not (word.isdigit() and is_thing(follower))
    ]


VERBS = {"accept", "all", "buy", "deal", "decline", "discard", "done", "for", "giving", "go", "harvest", "in", "no",
         "nothing", "offer", "plant", "reveal", "to", "withdraw", *"abcdefg"}  # fmt: skip


def is_thing(word: str) -> bool:
    return word not in VERBS and word.lstrip("*").partition("@")[0].isalpha()


# ── each game's order ──


def deals(words: Words) -> Iterator[Words]:
    """A deal of Bohnanza names last to whom it is made; whoever can be dealt with alone need not be named."""
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
    """A play of Fagioli: the card, the pile, which side is up, what is planted; in whatever order that was said."""
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
    """
    >>> cards_of_a_suit(["play", "7", "/s"]), cards_of_a_suit(["play", "7+"])
    ([['play', '7s']], [['play', '7s']])
    """
    row: list[str] = []
    for word in words:
        if word in SUITS and row:
            row[-1] += word[1:]
        else:
            row.append(word.replace("+", "s"))  # "7s" is no plural here
    if len(row) == 1 < len(words):  # "the king of diamonds" is more than the initials of a signature
        return [["play", *row], ["take", *row]]
    return [row]


def several_faces(words: Words) -> Iterator[Words]:
    """
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
