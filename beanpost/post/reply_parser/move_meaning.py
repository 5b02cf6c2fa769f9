"""The moves a line can mean: by a mark, by exact words, by a card's number, or by a lenient reading.

Nothing is guessed: every word of a line must be known, and only one move may fit.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice, product
from math import prod
from typing import NamedTuple

from beanpost.i18n.reply_language import get_reply_language
from beanpost.post.reply_parser.marks import format_mark, read_mark, split_mark
from games.contract.errors import Unreadable
from games.contract.notation import Vocabulary, read
from games.contract.replies.language import Language
from games.contract.replies.spelling import convert_digits, is_subsequence
from games.contract.replies.words import AND, MATCHES_NOTHING, PLAIN_REPLIES, ReplyWords
from games.contract.seats import LETTERS

MAX_CHARACTERS = 300  # longer lines are not read leniently
LONGEST = 2 * MAX_CHARACTERS  # of a line that is read at all; the longest label is shorter
LONGEST_NUMBER = 100  # of a number with its polite words
MAX_READINGS = 64  # of one line that are tried
TIMES = re.compile(r"\b([0-9]{1,2}) ?x ?([0-9]{1,2})\b")
SEAT_LETTER = re.compile(rf"(?<=[\s(])([{LETTERS}])(?=['’]s\b|[\s.,;:!)]|$)")
# A numbered option, copied from the letter or typed: "7. Play 6 6", "7 - play 6 6"; not "12:30".
NUMBERED = re.compile(r"\(?([0-9]{1,3})(?:[.):](?![0-9])|\s?[-–—](?=\s))\s*([^\s.)].*)")
NUMBER_SIGN = re.compile(r"#|n°|nº|№|\bn(?:o\.|r\b\.?)", re.I)
BARE = re.compile(r"(?:no )?\(?[0-9]{1,3}[.,!)]{0,3}")
# A number that names no move: "+1", "-1", "<3", ":3", "12:30", "6-6".
SIGNED = re.compile(r"(?:^|\s)[-+−–—<>:;=~^/\\|&%$€£]+[0-9]|[0-9] ?[:./−–-] ?[0-9]")


@dataclass(frozen=True)
class Question:
    """A question as the letter printed it, and as it stands now."""

    replies: ReplyWords  # the words that players of this game use
    names: Sequence[str]  # by seat
    printed: Mapping[str, str]  # by mark, the lines that the letter printed
    menu: Mapping[str, str]  # by line, every ready answer's label in the reader's language
    labels: Mapping[str, str]  # by printed label, its line
    vocabulary: Vocabulary  # the actions that are possible now
    is_legal: Callable[[str], bool]
    order: Callable[[str], str] = lambda text: ""  # the standing order that a text means
    proposed: str = ""  # the line that "yes" means, if the letter asks about one
    may_be_initials: bool = True  # "QS" may be a signature, except at the top
    language: Language = field(default_factory=get_reply_language)  # the reader's


@dataclass(frozen=True)
class Meaning:
    """The legal moves that a line can mean; if there are none, the illegal ones."""

    legal: tuple[str, ...] = ()
    refused: tuple[str, ...] = ()
    suspected: tuple[str, ...] = ()  # what a bare number may mean, although it must not be played

    def __bool__(self) -> bool:
        return bool(self.legal or self.refused or self.suspected)


def find_meaning(text: str, question: Question) -> Meaning:
    """Return the moves that one line can mean; an empty meaning if it is no move."""
    if len(text) > LONGEST:
        return Meaning()
    written = convert_digits(text)
    text = question.language.strip_courtesies(written, question.names).strip('“”«»"* ').strip()
    if not text or text.endswith("?"):
        return Meaning()
    for way in (read_notation, read_by_mark, read_by_label, read_yes):
        if found_lines := way(text, question):
            return sort_by_legality(found_lines, question)
    mark, words = split_mark(text)
    if mark:  # copied from the letter with its mark: both must mean the same move
        return combine_meanings(find_meaning(mark, question), find_meaning(words, question))
    if found := NUMBERED.fullmatch(text):
        return combine_meanings(find_meaning(found[1], question), find_meaning(found[2], question))
    number = find_number(text, question.language, question.replies)
    if number and not question.language.counts_something(written):
        return read_by_number(number, question)
    return sort_by_legality(read_leniently(text, question), question)


def combine_meanings(numbered: Meaning, worded: Meaning) -> Meaning:
    """Combine a mark or number and the words beside it: its move, if the words can mean it too."""
    if not numbered or not worded:
        return Meaning()
    if numbered.suspected:
        return Meaning(suspected=tuple(dict.fromkeys((*numbered.suspected, *worded.legal))))
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


def read_by_mark(text: str, question: Question) -> list[str]:
    """Read “m2”, “move m2”, “je joue le m2” as the line printed there. An unknown mark is an illegal line."""
    mark = read_mark(text, question.language)
    return [question.printed.get(mark, mark)] if mark else []


def read_yes(text: str, question: Question) -> list[str]:
    """Read “yes, please” as the line that the letter asks about. Notes of doubt are no consent."""
    agrees = question.proposed and question.language.agrees(text)
    return [question.proposed] if agrees else []


def read_by_number(number: BareNumber, question: Question) -> Meaning:
    """Return the one legal move that has the number as its card or amount; otherwise what we ask about.

    A bare number is never a mark, and never begins a plan. But its writer may have meant the mark.
    """
    pattern = question.replies.numbers.get(number.noun, MATCHES_NOTHING)
    having = ((line, pattern.fullmatch(line)) for line in question.menu)
    legal = [line for line, found in having if found and int(found[1]) == number.value and question.is_legal(line)]
    if len(legal) == 1:
        return Meaning((legal[0],))
    marked = question.printed.get(format_mark(number.value), "")
    if suspected := dict.fromkeys([*([marked] if marked and not number.noun else []), *legal]):
        return Meaning(suspected=tuple(suspected))
    return Meaning(refused=(str(number.value),))


class BareNumber(NamedTuple):
    """A number alone, or beside a noun of the game that is always numbered: "field 2"."""

    value: int
    noun: str = ""


def find_number(text: str, language: Language, replies: ReplyWords = PLAIN_REPLIES) -> BareNumber | None:
    """Return the number that a text consists of, polite words aside, or None.

    Signs beside a bare number make it None, and so does a noun beside a number word.

    >>> language = get_reply_language()
    >>> def find(*texts): return [found and found.value for text in texts for found in [find_number(text, language)]]
    >>> {*find("7", "7.", "#7", "n° 7", "No. 7", "Nr. 7", "7)", "seven", "7, please", "7️⃣", "7!", "le 7", "Seven!")}
    {7}
    >>> {*find("the seven", "I'll take 7", "je prends le 7", "option 7", "card 7", "7 svp")}
    {7}
    >>> {*find("+1", "-1", "- 1", "<3", ":3", "=1", "1/", "7?", "7%", "please <3", "€ 7")}
    {None}
    >>> {*find("Two:", "Deux :", "Un :", "Three cheers", "one move", "you two", "No one")}
    {None}
    >>> {*find("I'm 7", "7 am", "7 m", "on 7", "à 7", "7 all", "encore 7", "turn 7", "7 Ann", "J'ai 7 ans")}
    {None}
    """
    if len(text) > LONGEST_NUMBER:
        return None
    written = " ".join(language.strip_accents(convert_digits(text).lower()).split())
    if language.negates.search(written):  # "no one", but "No. one"
        return None
    written = " ".join(NUMBER_SIGN.sub(" no ", written).split())
    text = language.number_word.sub(lambda found: language.cardinals[found[0]], written)  # they follow digits' rules
    words = language.split_words(language.normalise(text))
    if language.counts.search(written) or SIGNED.search(text) or (is_only_digits(words) and not BARE.fullmatch(text)):
        return None
    nouns = {name: noun for noun in replies.numbers for name in noun.split()}
    option_words = {word for word in words if word in language.option_words and word not in replies.words}
    skipped = language.polite | option_words | (language.beside_option if option_words else set()) | nouns.keys()
    skipped |= {word for word in language.before_number if word not in replies.words}
    others = [n for n, word in enumerate(words) if word not in skipped or language.read_cardinal(word) is not None]
    if len(others) != 1 or not language.may_be_chosen(words, others[0]):
        return None
    value = language.read_cardinal(words[others[0]])
    return None if value is None else BareNumber(value, next((nouns[word] for word in words if word in nouns), ""))


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

    A reading that is a whole line is not completed: "one 6" is not "play 6 6", nor are "two sixes" three of them.
    """
    if len(text) > MAX_CHARACTERS or SIGNED.search(text):
        return []
    ways = list(islice(iter_notations(text, question), MAX_READINGS))
    readings = [(way, parse_whole_line(way, question)) for way in ways]
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


def parse_whole_line(words: Sequence[str], question: Question) -> str:
    """Return the line that the words are, with a verb that may go unsaid if need be; a legal one if there is one."""
    verbs = sorted(question.replies.may_go_unsaid) if may_lack_verb(words, question) else []
    lines = [line for verb in ("", *verbs) if (line := parse_line([verb, *words] if verb else words, question))]
    return next(filter(question.is_legal, lines), next(iter(lines), ""))


def may_lack_verb(words: Sequence[str], question: Question) -> bool:
    """Return whether the words name a card without a verb. One word may be a number, or a signature's initials."""
    initials = question.replies.cards.fullmatch(words[0]) and not question.may_be_initials
    return len(words) > 1 or bool(initials) or re.fullmatch(r"(?=.*[a-z])[0-9]+[a-z]", words[0]) is not None


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
    return verb in replies.may_go_unsaid and may_lack_verb(words, question) and is_subsequence(words, objects)


def find_named_words(label: str, question: Question) -> set[str]:
    """Return the words of an answer's label in notation, such as a card to take and the player who played it."""
    words = (way for word in iter_word_readings(label.partition("(")[0], question) for way in word)
    return {word for arranged in question.replies.arrange([*words]) for word in arranged}
