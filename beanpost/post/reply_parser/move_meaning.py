"""The moves a line can mean: by its number, by its exact words, or by a lenient reading.

Nothing is guessed: every word of a line must be known, and only one move may fit.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice, product
from math import prod

from beanpost.post.reply_parser.common_words import BESIDE_OPTION, OPTION, POLITE, known
from games.contract.errors import Unreadable
from games.contract.notation import Vocabulary, read
from games.contract.replies.spelling import convert_digits, is_subsequence, normalise, read_cardinal, split_words
from games.contract.replies.words import PLAIN_REPLIES, ReplyWords
from games.contract.seats import LETTERS

MOST_LETTERS = 300  # longer lines are not read leniently
MOST_WAYS = 64
TIMES = re.compile(r"\b([0-9]{1,2}) ?x ?([0-9]{1,2})\b")
SEAT_LETTER = re.compile(rf"(?<=[\s(])([{LETTERS}])(?=['’]s\b|[\s.,;:!)]|$)")
# A numbered option, copied from the letter or typed: "7. Play 6 6", "7 - play 6 6"; not "12:30".
NUMBERED = re.compile(r"\(?([0-9]{1,3})(?:[.):](?![0-9])|\s?[-–—](?=\s))\s*([^\s.)].*)")
NUMBER_SIGN = re.compile(r"#|n°|nº|№|\bn(?:o\.|r\b\.?)", re.I)
BARE = re.compile(r"(?:no )?\(?[0-9]{1,3}[.)]{0,2}")
# A number that names no move: "+1", "-1", "<3", ":3", "12:30".
SIGNED = re.compile(r"(?:^|\s)[-+−–—<>:;=~^/\\|&%$€£]+[0-9]|[0-9][:./][0-9]")


@dataclass(frozen=True)
class Question:
    """A question as the letter printed it, and as it stands now."""

    replies: ReplyWords  # the words that players of this game use
    names: Sequence[str]  # by seat
    printed: Mapping[int, str]  # by number, the lines that the letter printed
    menu: Mapping[str, str]  # by line, every ready answer's label in the reader's language
    labels: Mapping[str, str]  # by printed label, its line
    vocabulary: Vocabulary  # the actions that are possible now
    is_legal: Callable[[str], bool]
    order: Callable[[str], str] = lambda text: ""  # the standing order that a text means


@dataclass(frozen=True)
class Meaning:
    """The legal moves that a line can mean; if there are none, the illegal ones."""

    legal: tuple[str, ...] = ()
    refused: tuple[str, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.legal or self.refused)


def meaning(text: str, question: Question) -> Meaning:
    """Return the moves that one line can mean; an empty meaning if it is no move at all."""
    text = convert_digits(text).strip().strip('“”«»"* ').strip()
    if not text or text.endswith("?"):
        return Meaning()
    if found := NUMBERED.fullmatch(text):  # copied from the letter with its number: both must mean the same move
        return both(meaning(found[1], question), meaning(found[2], question))
    for way in (in_full, by_number, by_label, forgivingly):
        if found_lines := way(text, question):
            return sorted_out(found_lines, question)
    return Meaning()


def both(numbered: Meaning, said: Meaning) -> Meaning:
    """Combine a number and the words beside it: the number's move, if the words can mean it too."""
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


# ── exact readings ──


def in_full(text: str, question: Question) -> list[str]:
    """Read the line as notation."""
    line = as_line(text.rstrip(".! ").split(), question)
    return [line] if line else []


def by_number(text: str, question: Question) -> list[str]:
    """Read “2”, “option 2”, “le numéro deux” as the line printed there. An unknown number is an illegal line."""
    chosen = number_in(text, question.replies)
    return [] if chosen is None else [question.printed.get(chosen, str(chosen))]


def number_in(text: str, replies: ReplyWords = PLAIN_REPLIES) -> int | None:
    """Return the number if the text says nothing else, polite words aside. A bare number is digits and little besides.

    >>> [number_in(text) for text in ("7", "7.", "#7", "n° 7", "No. 7", "Nr. 7", "7)", "seven", "7, please", "7️⃣")]
    [7, 7, 7, 7, 7, 7, 7, 7, 7, 7]
    >>> {number_in(text) for text in ("+1", "-1", "- 1", "<3", ":3", "=1", "1/", "7?", "7%", "please <3", "€ 7")}
    {None}
    """
    text = NUMBER_SIGN.sub(" no ", convert_digits(text)).strip()
    said = split_words(normalise(text))
    if SIGNED.search(text) or (is_mere(said) and not BARE.fullmatch(" ".join(text.lower().split()))):
        return None
    named = [word for word in said if word in OPTION.split() and word not in replies.words]
    beside = {*POLITE.split(), *named, *(BESIDE_OPTION.split() if named else ())}
    left = [word for word in said if word not in beside or read_cardinal(word) is not None]
    return read_cardinal(left[0]) if len(left) == 1 else None


def is_mere(said: Sequence[str]) -> bool:
    """Return whether there is nothing but digits, perhaps with a number sign."""
    return all(word == "no" or not word.isalpha() for word in said)


def by_label(text: str, question: Question) -> list[str]:
    """Read the text of a button."""
    wanted = normalise(text).rstrip(".! ")
    labels = [*question.labels.items(), *((label, line) for line, label in question.menu.items())]
    return [line for label, line in labels if normalise(label) == wanted]


# ── lenient readings ──


def forgivingly(text: str, question: Question) -> list[str]:
    """Return all lines that the words can mean; if none is legal, the ready answers that fit.

    A reading that is a whole line is not completed: "one 6" is not "play 6 6".
    """
    if len(text) > MOST_LETTERS or SIGNED.search(text):
        return []
    ways = list(islice(in_notation(text, question), MOST_WAYS))
    read = [(way, as_line(way, question)) for way in ways]
    lines = [line for _, line in read if line]
    exact = [line for line in lines if question.is_legal(line)]
    return exact or [line for way, whole in read if not whole for line in belonging(way, question)] or lines


def effort(text: str, question: Question) -> int:
    """Return the number of ways to read a text leniently."""
    return min(prod(map(len, known_words(text, question))), MOST_WAYS) if len(text) <= MOST_LETTERS else 0


def in_notation(text: str, question: Question) -> Iterator[Sequence[str]]:
    """Yield each reading of the text in words of the notation; nothing if a word is unknown."""
    for chosen in islice(product(*known_words(text, question)), MOST_WAYS):
        if said := [word for words in chosen for word in words.split()]:
            yield from filter(None, question.replies.arrange(said))  # "face up" alone means nothing


def known_words(text: str, question: Question) -> list[tuple[str, ...]]:
    """Return the readings of each word, or an empty list if a word is unknown."""
    taken = []
    for alternatives in ways_to_take(text, question):
        if not alternatives:
            return []
        taken.append(alternatives)
    return taken


def ways_to_take(text: str, question: Question) -> Iterator[tuple[str, ...]]:
    plain = normalise(with_seats(text))
    for pattern, replace in question.replies.patterns:
        plain = pattern.sub(replace, plain)
    plain = TIMES.sub(r"\1 \2s", plain)
    for pattern, means in question.replies.phrases:
        plain = pattern.sub(means, plain)
    row, at = split_words(plain), 0
    names = [
        (split_words(normalise(with_seats(name))), LETTERS[seat].lower()) for seat, name in enumerate(question.names)
    ]
    while at < len(row):
        called = [(len(name), letter) for name, letter in names if name and row[at : at + len(name)] == name]
        longest = max((length for length, _ in called), default=1)
        letters = tuple(letter for length, letter in called if length == longest)
        yield letters + (meanings(row[at], question) if longest == 1 else ())
        at += longest


def with_seats(text: str) -> str:
    """Mark the seat letters in a text, or in a name such as “Ann (B)”."""
    return SEAT_LETTER.sub(lambda found: f"seat@{LETTERS.index(found[1])}", " " + text)


def meanings(word: str, question: Question) -> tuple[str, ...]:
    if seat := re.fullmatch(rf"seat@([0-{len(LETTERS) - 1}])", word):
        return (LETTERS[int(seat[1])].lower(),)
    return known(question.replies, word)


def as_line(said: Sequence[str], question: Question) -> str:
    try:
        return str(read(" ".join(said), question.vocabulary))
    except Unreadable:
        return ""


def belonging(said: Sequence[str], question: Question) -> list[str]:
    """Return the ready answers that contain these words: "coffee in 2" fits "plant coffee in 2"."""
    return [line for line, label in question.menu.items() if belongs(said, line, label, question)]


def belongs(said: Sequence[str], line: str, label: str, question: Question) -> bool:
    replies, (verb, *objects) = question.replies, line.lower().split()
    if said[0] == verb:
        if len(said) == 1:
            return verb not in replies.needs_object and bool(objects)
        return is_subsequence(said[1:], objects) or (
            verb in replies.by_label and set(said[1:]) <= named_in(label, question)
        )
    is_card = len(said) > 1 or re.fullmatch(r"(?=.*[a-z])[0-9]+[a-z]", said[0]) is not None
    return verb in replies.may_go_unsaid and is_card and is_subsequence(said, objects)


def named_in(label: str, question: Question) -> set[str]:
    """Return what an answer's label names: the card to take, and the player who played it."""
    named = (way for word in ways_to_take(label.partition("(")[0], question) for way in word)
    return {word for arranged in question.replies.arrange([*named]) for word in arranged}
