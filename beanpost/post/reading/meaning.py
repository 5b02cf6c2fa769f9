"""The moves a line can mean: by its number, by its words, or forgivingly.

Nothing is guessed. Every word of a line must be known, and what is meant must be the only one of its kind.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice, product
from math import prod

from beanpost.post.reading.folding import cardinal, folded, in_digits, is_within, words
from beanpost.post.reading.tongues import BESIDE_OPTION, OPTION, PLAIN, POLITE, TONGUES, Tongue
from games.chairs import LETTERS
from games.errors import Unreadable
from games.notation import Vocabulary, read

MOST_LETTERS = 300  # of a line that is worth reading forgivingly
MOST_WAYS = 64
NEED_AN_OBJECT = {"play", "plant", "take", "choose", "roll", "stack", "offer", "more", "axe"}
MAY_GO_UNSAID = {"play", "plant", "take", "choose"}  # "coffee in 2", "7S"
AIM = re.compile(r"\b([a-z]+) ?\(?([0-9]{1,2}) ?mm (?:a )?(left|right|gauche|droite)\)?")
TIMES = re.compile(r"\b([0-9]{1,2}) ?x ?([0-9]{1,2})\b")
SEAT_LETTER = re.compile(rf"(?<=[\s(])([{LETTERS}])(?=['’]s\b|[\s.,;:!)]|$)")
# An option with its number, as copied from the letter or written so: "7. Play 6 6", "7 - play 6 6"; not "12:30".
NUMBERED = re.compile(r"\(?([0-9]{1,3})(?:[.):](?![0-9])|\s?[-–—](?=\s))\s*([^\s.)].*)")
NUMBER_SIGN = re.compile(r"#|n°|nº|№|\bn(?:o\.|r\b\.?)", re.I)
BARE = re.compile(r"(?:no )?\(?[0-9]{1,3}[.)]{0,2}")
# A number that is none of a move: "+1", "-1", "<3", ":3", "12:30".
SIGNED = re.compile(r"(?:^|\s)[-+−–—<>:;=~^/\\|&%$€£]+[0-9]|[0-9][:./][0-9]")


@dataclass(frozen=True)
class Question:
    """What is asked, as the letter printed it and as things stand."""

    game: str
    names: Sequence[str]  # by seat
    printed: Mapping[int, str]  # the numbered lines of the letter
    menu: Mapping[str, str]  # every ready answer, and what it is called in the reader's language
    labels: Mapping[str, str]  # what was printed beside a number, and its line
    vocabulary: Vocabulary  # what may be said now
    is_legal: Callable[[str], bool]
    order: Callable[[str], str] = lambda text: ""  # the standing order that a text says

    @property
    def tongue(self) -> Tongue:
        return TONGUES.get(self.game, PLAIN)


@dataclass(frozen=True)
class Meaning:
    """What a line can mean: the moves that are legal, and those that would not be."""

    legal: tuple[str, ...] = ()
    refused: tuple[str, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.legal or self.refused)


def meaning(text: str, question: Question) -> Meaning:
    """What one line of somebody's own words can mean. Nothing: it is no move at all."""
    text = in_digits(text).strip().strip('“”«»"* ').strip()
    if not text or text.endswith("?"):
        return Meaning()
    if found := NUMBERED.fullmatch(text):  # copied from the letter with its number: both must say the same
        return both(meaning(found[1], question), meaning(found[2], question))
    for way in (in_full, by_number, by_label, forgivingly):
        if found_lines := way(text, question):
            return sorted_out(found_lines, question)
    return Meaning()


def both(numbered: Meaning, said: Meaning) -> Meaning:
    """What a number and the words beside it mean: the move of the number, if that is one the words can mean."""
    if not numbered or not said:
        return Meaning()
    if agreed := tuple(line for line in numbered.legal if line in said.legal):
        return Meaning(agreed)
    if not numbered.legal or not said.legal:
        return Meaning((), (*said.refused, *numbered.refused))
    return Meaning(tuple(dict.fromkeys((*numbered.legal, *said.legal))))


def sorted_out(lines: Sequence[str], question: Question) -> Meaning:
    legal = tuple(line for line in dict.fromkeys(lines) if question.is_legal(line))
    return Meaning(legal, () if legal else tuple(dict.fromkeys(lines)))


# ── as the letter has it ──


def in_full(text: str, question: Question) -> list[str]:
    """The line itself, as the notation has it."""
    line = as_line(text.rstrip(".! ").split(), question)
    return [line] if line else []


def by_number(text: str, question: Question) -> list[str]:
    """“2”, “option 2”, “le numéro deux”: the line that the letter printed beside it; a number it lacks is no line."""
    chosen = number_in(text, question.tongue)
    return [] if chosen is None else [question.printed.get(chosen, str(chosen))]


def number_in(text: str, tongue: Tongue = PLAIN) -> int | None:
    """The number that is all somebody says, politely or not. Without other words it is digits, and little besides.

    >>> [number_in(text) for text in ("7", "7.", "#7", "n° 7", "No. 7", "Nr. 7", "7)", "seven", "7, please", "7️⃣")]
    [7, 7, 7, 7, 7, 7, 7, 7, 7, 7]
    >>> {number_in(text) for text in ("+1", "-1", "- 1", "<3", ":3", "=1", "1/", "7?", "7%", "please <3", "€ 7")}
    {None}
    """
    text = NUMBER_SIGN.sub(" no ", in_digits(text)).strip()
    said = words(folded(text))
    if SIGNED.search(text) or (is_mere(said) and not BARE.fullmatch(" ".join(text.lower().split()))):
        return None
    named = [word for word in said if word in OPTION.split() and word not in tongue.words]
    beside = {*POLITE.split(), *named, *(BESIDE_OPTION.split() if named else ())}
    left = [word for word in said if word not in beside or cardinal(word) is not None]
    return cardinal(left[0]) if len(left) == 1 else None


def is_mere(said: Sequence[str]) -> bool:
    """Whether there is nothing but digits, with or without a sign that calls them a number."""
    return all(word == "no" or not word.isalpha() for word in said)


def by_label(text: str, question: Question) -> list[str]:
    """What stands on a button."""
    wanted = folded(text).rstrip(".! ")
    labels = [*question.labels.items(), *((label, line) for line, label in question.menu.items())]
    return [line for label, line in labels if folded(label) == wanted]


# ── forgivingly ──


def forgivingly(text: str, question: Question) -> list[str]:
    """Any way to take the words that the notation knows; or else the ready answers they belong to."""
    if len(text) > MOST_LETTERS or SIGNED.search(text):
        return []
    ways = list(islice(in_notation(text, question), MOST_WAYS))
    lines = [line for way in ways if (line := as_line(way, question))]
    exact = [line for line in lines if question.is_legal(line)]
    return exact or [line for way in ways for line in belonging(way, question)] or lines


def effort(text: str, question: Question) -> int:
    """In how many ways a text has to be taken to read it forgivingly."""
    return min(prod(map(len, known_words(text, question))), MOST_WAYS) if len(text) <= MOST_LETTERS else 0


def in_notation(text: str, question: Question) -> Iterator[Sequence[str]]:
    """The text in words of the notation, in each way it can be taken; none if there is a word nobody knows."""
    for chosen in islice(product(*known_words(text, question)), MOST_WAYS):
        if said := [word for words in chosen for word in words.split()]:
            yield from filter(None, question.tongue.arrange(said))  # "face up" alone says nothing of anything


def known_words(text: str, question: Question) -> list[tuple[str, ...]]:
    """The ways to take each word; none at all where there is one that nobody knows."""
    taken = []
    for alternatives in ways_to_take(text, question):
        if not alternatives:
            return []
        taken.append(alternatives)
    return taken


def ways_to_take(text: str, question: Question) -> Iterator[tuple[str, ...]]:
    seated = folded(with_seats(text))
    plain = AIM.sub(lambda found: f"{found[1]}@{'-' * (found[3] in ('left', 'gauche'))}{found[2]}", seated)
    plain = TIMES.sub(r"\1 \2s", plain)
    for pattern, means in question.tongue.phrases:
        plain = pattern.sub(means, plain)
    row, at = words(plain), 0
    names = [(words(folded(with_seats(name))), LETTERS[seat].lower()) for seat, name in enumerate(question.names)]
    while at < len(row):
        called = [(len(name), letter) for name, letter in names if name and row[at : at + len(name)] == name]
        longest = max((length for length, _ in called), default=1)
        letters = tuple(letter for length, letter in called if length == longest)
        yield letters + (meanings(row[at], question) if longest == 1 else ())
        at += longest


def with_seats(text: str) -> str:
    """A text, or a name such as “Ann (B)”, with its seats' letters marked as such."""
    return SEAT_LETTER.sub(lambda found: f"seat@{LETTERS.index(found[1])}", " " + text)


def meanings(word: str, question: Question) -> tuple[str, ...]:
    if seat := re.fullmatch(rf"seat@([0-{len(LETTERS) - 1}])", word):
        return (LETTERS[int(seat[1])].lower(),)
    return question.tongue.known(word)


def as_line(said: Sequence[str], question: Question) -> str:
    try:
        return str(read(" ".join(said), question.vocabulary))
    except Unreadable:
        return ""


def belonging(said: Sequence[str], question: Question) -> list[str]:
    """The ready answers in which these words stand: "coffee in 2" belongs to "plant coffee in 2"."""
    return [line for line, label in question.menu.items() if belongs(said, line, label, question)]


def belongs(said: Sequence[str], line: str, label: str, question: Question) -> bool:
    verb, *objects = line.lower().split()
    if said[0] == verb:
        if len(said) == 1:
            return verb not in NEED_AN_OBJECT and bool(objects) and verb != "no"
        return is_within(said[1:], objects) or (verb == "take" and set(said[1:]) <= named_in(label, question))
    is_card = len(said) > 1 or re.fullmatch(r"(?=.*[a-z])[0-9]+[a-z]", said[0]) is not None
    return verb in MAY_GO_UNSAID and is_card and is_within(said, objects)


def named_in(label: str, question: Question) -> set[str]:
    """What a ready answer names in its own words: the card one would take, and who has played it."""
    known = (way for word in ways_to_take(label.partition("(")[0], question) for way in word)
    return {word for arranged in question.tongue.arrange([*known]) for word in arranged}
