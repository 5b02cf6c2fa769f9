"""The moves a line can mean: by its number, by its exact words, or by a lenient reading.

Nothing is guessed: every word of a line must be known, and only one move may fit.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice, product
from math import prod

from beanpost.i18n.reply_language import get_reply_language
from games.contract.errors import Unreadable
from games.contract.notation import Vocabulary, read
from games.contract.replies.language import Language
from games.contract.replies.spelling import convert_digits, is_subsequence
from games.contract.replies.words import AND, PLAIN_REPLIES, ReplyWords
from games.contract.seats import LETTERS

MAX_CHARACTERS = 300  # longer lines are not read leniently
MAX_READINGS = 64  # of one line that are tried
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
    language: Language = field(default_factory=get_reply_language)  # the reader's


@dataclass(frozen=True)
class Meaning:
    """The legal moves that a line can mean; if there are none, the illegal ones."""

    legal: tuple[str, ...] = ()
    refused: tuple[str, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.legal or self.refused)


def find_meaning(text: str, question: Question) -> Meaning:
    """Return the moves that one line can mean; an empty meaning if it is no move."""
    text = convert_digits(text).strip().strip('“”«»"* ').strip()
    if not text or text.endswith("?"):
        return Meaning()
    if found := NUMBERED.fullmatch(text):  # copied from the letter with its number: both must mean the same move
        return combine_meanings(find_meaning(found[1], question), find_meaning(found[2], question))
    for way in (read_notation, read_by_number, read_by_label, read_leniently):
        if found_lines := way(text, question):
            return sort_by_legality(found_lines, question)
    return Meaning()


def combine_meanings(numbered: Meaning, worded: Meaning) -> Meaning:
    """Combine a number and the words beside it: the number's move, if the words can mean it too."""
    if not numbered or not worded:
        return Meaning()
    if agreed := tuple(line for line in numbered.legal if line in worded.legal):
        return Meaning(agreed)
    if not numbered.legal or not worded.legal:
        return Meaning((), (*worded.refused, *numbered.refused))
    return Meaning(tuple(dict.fromkeys((*numbered.legal, *worded.legal))))


def sort_by_legality(lines: Sequence[str], question: Question) -> Meaning:
    """Return the legal lines; if none is legal, all of them as illegal ones."""
    legal = tuple(line for line in dict.fromkeys(lines) if question.is_legal(line))
    return Meaning(legal, () if legal else tuple(dict.fromkeys(lines)))


# ── exact readings ──


def read_notation(text: str, question: Question) -> list[str]:
    """Read the line as notation."""
    line = parse_line(text.rstrip(".! ").split(), question)
    return [line] if line else []


def read_by_number(text: str, question: Question) -> list[str]:
    """Read “2”, “option 2”, “le numéro deux” as the line printed there. An unknown number is an illegal line."""
    chosen = find_number(text, question.language, question.replies)
    return [] if chosen is None else [question.printed.get(chosen, str(chosen))]


def find_number(text: str, language: Language, replies: ReplyWords = PLAIN_REPLIES) -> int | None:
    """Return the number that a text consists of, polite words aside, or None.

    Signs beside a bare number make it None, and so does a noun beside a number word.

    >>> def find(*texts): return [find_number(text, get_reply_language()) for text in texts]
    >>> find("7", "7.", "#7", "n° 7", "No. 7", "Nr. 7", "7)", "seven", "7, please", "7️⃣")
    [7, 7, 7, 7, 7, 7, 7, 7, 7, 7]
    >>> {*find("+1", "-1", "- 1", "<3", ":3", "=1", "1/", "7?", "7%", "please <3", "€ 7")}
    {None}
    >>> {*find("Two:", "Deux :", "Un :", "Three cheers", "one move", "you two", "No one")}
    {None}
    """
    written = " ".join(language.strip_accents(convert_digits(text).lower()).split())
    if language.negates.search(written):  # "no one", but "No. one"
        return None
    written = " ".join(NUMBER_SIGN.sub(" no ", written).split())
    text = language.number_word.sub(lambda found: language.cardinals[found[0]], written)  # they follow digits' rules
    words = language.split_words(language.normalise(text))
    if language.counts.search(written) or SIGNED.search(text) or (is_only_digits(words) and not BARE.fullmatch(text)):
        return None
    option_words = {word for word in words if word in language.option_words and word not in replies.words}
    skipped = language.polite | option_words | (language.beside_option if option_words else set())
    others = [word for word in words if word not in skipped or language.read_cardinal(word) is not None]
    return language.read_cardinal(others[0]) if len(others) == 1 else None


def is_only_digits(words: Sequence[str]) -> bool:
    """Return whether there is nothing but digits, perhaps with a number sign."""
    return all(word == "no" or not word.isalpha() for word in words)


def read_by_label(text: str, question: Question) -> list[str]:
    """Read the line as the label of a button."""
    normalise = question.language.normalise
    wanted = normalise(text).rstrip(".! ")
    labels = [*question.labels.items(), *((label, line) for line, label in question.menu.items())]
    return [line for label, line in labels if normalise(label) == wanted]


# ── lenient readings ──


def read_leniently(text: str, question: Question) -> list[str]:
    """Return the legal lines that the words can mean; if there are none, the ready answers that fit.

    A reading that is a whole line is not completed: "one 6" is not "play 6 6".
    """
    if len(text) > MAX_CHARACTERS or SIGNED.search(text):
        return []
    ways = list(islice(iter_notations(text, question), MAX_READINGS))
    readings = [(way, parse_line(way, question)) for way in ways]
    lines = [line for _, line in readings if line]
    exact = [line for line in lines if question.is_legal(line)]
    return (
        exact or [line for way, whole in readings if not whole for line in find_fitting_answers(way, question)] or lines
    )


def count_readings(text: str, question: Question) -> int:
    """Return the number of ways to read a text leniently."""
    return min(prod(map(len, find_all_readings(text, question))), MAX_READINGS) if len(text) <= MAX_CHARACTERS else 0


def iter_notations(text: str, question: Question) -> Iterator[Sequence[str]]:
    """Yield each reading of the text in words of the notation; nothing if a word is unknown."""
    for chosen in islice(product(*find_all_readings(text, question)), MAX_READINGS):
        if words := [word for words in chosen for word in words.split()]:
            notation = put_verbs_first(words, question) if question.language.verb_last else words
            yield from filter(None, question.replies.arrange(notation))  # "face up" alone means nothing


def put_verbs_first(words: Sequence[str], question: Question) -> Sequence[str]:
    """Put each verb before the words that lead to it, if the last word is a verb and the first is none."""
    replies = question.replies
    verbs = {*replies.verbs.values(), *replies.needs_object, *replies.may_go_unsaid}
    verbs |= {line.split()[0] for line in question.menu}
    if words[-1] not in verbs or words[0] in verbs:
        return words
    row: list[str] = []
    start = 0
    for verb in (n for n, word in enumerate(words) if word in verbs):
        objects = words[start:verb]
        joint = [*objects[:1]] if objects[:1] == [AND] else []
        row += [*joint, words[verb], *objects[len(joint) :]]
        start = verb + 1
    return row


def find_all_readings(text: str, question: Question) -> list[tuple[str, ...]]:
    """Return the readings of each word, or an empty list if a word is unknown."""
    found = []
    for alternatives in iter_word_readings(text, question):
        if not alternatives:
            return []
        found.append(alternatives)
    return found


def iter_word_readings(text: str, question: Question) -> Iterator[tuple[str, ...]]:
    """Yield the readings of each word or player's name in the text; () for an unknown word."""
    normalise, split_words = question.language.normalise, question.language.split_words
    plain = normalise(mark_seats(text))
    if question.replies.cards_are_numbers:  # a comma behind a number joins it to the next, and does not count it
        plain = question.language.listed_number.sub(rf"\1 {question.language.joins} ", plain)
    for pattern, replace in question.replies.patterns:
        plain = pattern.sub(replace, plain)
    plain = TIMES.sub(r"\1 \2s", plain)
    for pattern, means in question.replies.phrases:
        plain = pattern.sub(means, plain)
    words, at = split_words(plain), 0
    names = [
        (split_words(normalise(mark_seats(name))), LETTERS[seat].lower()) for seat, name in enumerate(question.names)
    ]
    while at < len(words):
        called = [(len(name), letter) for name, letter in names if name and words[at : at + len(name)] == name]
        longest = max((length for length, _ in called), default=1)
        letters = tuple(letter for length, letter in called if length == longest)
        yield letters + (find_word_readings(words[at], question) if longest == 1 else ())
        at += longest


def mark_seats(text: str) -> str:
    """Mark the seat letters in a text, or in a name such as “Ann (B)”."""
    return SEAT_LETTER.sub(lambda found: f"seat@{LETTERS.index(found[1])}", " " + text)


def find_word_readings(word: str, question: Question) -> tuple[str, ...]:
    """Return the readings of a word that is not a player's name."""
    if seat := re.fullmatch(rf"seat@([0-{len(LETTERS) - 1}])", word):
        return (LETTERS[int(seat[1])].lower(),)
    return question.language.find_readings(question.replies, word)


def parse_line(words: Sequence[str], question: Question) -> str:
    """Return the line of notation that the words are, or ""."""
    try:
        return str(read(" ".join(words), question.vocabulary))
    except Unreadable:
        return ""


def find_fitting_answers(words: Sequence[str], question: Question) -> list[str]:
    """Return the ready answers that contain these words: "coffee in 2" fits "plant coffee in 2"."""
    return [line for line, label in question.menu.items() if fits_answer(words, line, label, question)]


def fits_answer(words: Sequence[str], line: str, label: str, question: Question) -> bool:
    """Return whether the words can be a shortened form of this line."""
    replies, (verb, *objects) = question.replies, line.lower().split()
    if words[0] == verb:
        if len(words) == 1:
            return verb not in replies.needs_object and bool(objects)
        return is_subsequence(words[1:], objects) or (
            verb in replies.by_label and set(words[1:]) <= find_named_words(label, question)
        )
    is_card = len(words) > 1 or re.fullmatch(r"(?=.*[a-z])[0-9]+[a-z]", words[0]) is not None
    return verb in replies.may_go_unsaid and is_card and is_subsequence(words, objects)


def find_named_words(label: str, question: Question) -> set[str]:
    """Return the words of an answer's label in notation, such as a card to take and the player who played it."""
    words = (way for word in iter_word_readings(label.partition("(")[0], question) for way in word)
    return {word for arranged in question.replies.arrange([*words]) for word in arranged}
