"""What reading a reply needs to know of a language: its numbers, its small words, and how its words are joined.

Each language is one data file, `replies.toml`; the code is the same for all.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, TypeAlias

from games.contract.replies.spelling import Letters, normalise, split_words
from games.contract.replies.words import AND, TIMES, OrderPattern, ReplyWords, compile_orders

Section: TypeAlias = Mapping[str, Any]
NOTHING = "(?!)"
GAP = re.compile(r"\\{(\w+)\\}")  # of an order's sentence, escaped


@dataclass(frozen=True)
class GameWords:
    """The words of a language for one game, and the sentences of its standing orders."""

    words: Mapping[str, tuple[str, ...]]
    orders: tuple[OrderPattern, ...]


@dataclass(frozen=True)
class Language:
    """The words of one language, and of those read beside it, normalised."""

    letters: Letters
    elided: frozenset[str]
    contracted: frozenset[str]
    phrases: Mapping[str, str]  # phrases that are read as one word
    phrase: re.Pattern[str]
    cardinals: Mapping[str, str]  # a number word's value
    numbers: Mapping[str, str]  # the same with ordinals, multiples ("pair") and plurals ("sixes": 6+)
    common: Mapping[str, tuple[str, ...]]  # words of all games; "" for a word that may be left out
    counting: Mapping[str, tuple[str, ...]]  # words that count or join numbers, for games whose cards are numbers
    verbs: Mapping[str, str]  # "play" or "pass" by each word for it
    polite: frozenset[str]
    option_words: frozenset[str]
    beside_option: frozenset[str]
    number_word: re.Pattern[str]
    counts: re.Pattern[str]  # a number that counts things or people, or heads a list
    negates: re.Pattern[str]
    listed_number: re.Pattern[str]  # a number before a comma
    between_numbers: re.Pattern[str]
    before_number: frozenset[str]  # words that a bare number may follow: "le 7", "I'll take 7"
    never_before_number: frozenset[str]
    after_number: frozenset[str]
    mark_verbs: frozenset[str]  # words that show that "m4" is a move's mark …
    mark_takes: frozenset[str]  # … unless an article follows: "take the M4"
    mark_articles: frozenset[str]
    mark_roads: frozenset[str]
    consent: frozenset[str]  # words that say yes …
    doubts: frozenset[str]  # … and words that take it back
    conditions: frozenset[str]  # words that put a move off
    introduces: frozenset[str]  # words before the colon of "Here's my move:"
    undecided: re.Pattern[str]  # notes that the writer has not decided
    thanks: str  # patterns of what people add to a move
    wishes: str
    greeted: str
    order_courtesy: re.Pattern[str]  # before or after an order
    joins: str  # the word for "and"
    verb_last: bool
    games: Mapping[str, GameWords]  # by their folder

    def add_words(self, replies: ReplyWords, slug: str) -> ReplyWords:
        """Return a game's words and sentences of orders, with those that this language adds."""
        if slug not in self.games:
            return replies
        own = self.games[slug]
        return replace(replies, words={**replies.words, **own.words}, orders=(*own.orders, *replies.orders))

    def normalise(self, text: str) -> str:
        plain = normalise(text, self.letters)
        if any(phrase in plain for phrase in self.phrases):  # the pattern alone would take longer
            plain = self.phrase.sub(lambda found: self.phrases[found[0]], plain)
        return plain

    def strip_accents(self, text: str) -> str:
        """Return a text without accents; its signs stay as they are: "²" is no 2."""
        plain = unicodedata.normalize("NFD", text.translate(self.letters))
        return "".join(letter for letter in plain if not unicodedata.combining(letter))

    def split_words(self, text: str) -> list[str]:
        return split_words(text, self.elided, self.contracted)

    def read_number(self, word: str) -> str:
        """Return a number in digits, `6+` for several sixes, or ""."""
        if word.isascii() and word.isdigit():  # int() cannot read every Unicode digit
            return str(int(word)) if len(word) < 5 else ""
        if several := re.fullmatch(r"([0-9]{1,2})s", word):
            return f"{several[1]}+"
        return self.numbers.get(word, "")

    def read_cardinal(self, word: str) -> int | None:
        """Return a plain number of up to three digits, or a number word, as an int."""
        found = self.cardinals.get(word, word)
        return int(found) if found.isdigit() and found.isascii() and len(found) <= 3 else None

    def may_be_chosen(self, words: Sequence[str], n: int) -> bool:
        """Return whether the words beside a number leave it a choice: "7 thanks", but not "7 am", "on 7" or "7 s"."""
        before, behind = words[n - 1] if n else "", " ".join(words[n + 1 : n + 3])
        return before not in self.never_before_number and (
            not behind or (behind.split()[0] in self.after_number and behind != "s")
        )

    def counts_something(self, text: str) -> bool:
        """Return whether a number in the text counts things or people, heads a list, or is an age."""
        return self.counts.search(" ".join(self.strip_accents(text.lower().replace("’", "'")).split())) is not None

    def agrees(self, text: str) -> bool:
        """Return whether a text says yes, and nothing else."""
        words = set(self.split_words(self.normalise(text)))
        return not words.isdisjoint(self.consent) and words <= self.consent | self.polite and not self.has_doubts(text)

    def has_doubts(self, text: str) -> bool:
        plain = self.normalise(text)
        return self.negates.search(plain) is not None or not self.doubts.isdisjoint(self.split_words(plain))

    def puts_off(self, text: str) -> bool:
        """Return whether a text that goes on with a move puts it off: "After Ann:", "Don't"."""
        return self.has_doubts(text) or not self.conditions.isdisjoint(self.split_words(self.normalise(text)))

    def introduces_move(self, text: str, names: Sequence[str] = ()) -> bool:
        """Return whether a text with a colon may stand above a move: "Here's my move:", but not "Ann said:"."""
        words = set(self.split_words(self.normalise(self.strip_courtesies(text, names))))
        return words <= self.introduces | self.polite | self.mark_verbs | self.mark_takes | self.beside_option

    def is_undecided(self, text: str) -> bool:
        return self.undecided.search(self.normalise(text)) is not None

    def strip_courtesies(self, text: str, names: Sequence[str] = ()) -> str:
        """Cut thanks, wishes, compliments and smileys before or behind a move: they name none."""
        words, courtesies = text.split(), compile_courtesies(self, tuple(filter(None, names)))
        for _ in range(MAX_COURTESIES):
            words = strip_one_courtesy(words, *courtesies)
        return " ".join(words).rstrip(" ,;")

    def find_readings(self, replies: ReplyWords, word: str) -> tuple[str, ...]:
        """Return the readings of a word: the game's own or else those of all games. Return () for an unknown word."""
        if replies.cards.fullmatch(word):
            return (word,)
        if marked := replies.marked.fullmatch(word):
            before, name, after = marked.groups()
            return tuple(f"{before}{thing}{after}" for thing in replies.words.get(name, ()))
        if replies.cards_are_numbers and (found := self.counting.get(word)):
            return found
        if found := replies.words.get(word):
            return found
        if verb := replies.verbs.get(self.verbs.get(word, "")):
            return (verb,)
        number = self.read_number(word)
        return self.common.get(word) or (number,) * bool(number)


# ── what people add to a move ──

# Smileys, and every other picture but the suits of cards.
SMILEY = r"(?:[:;=]-?[)(dp]+|\^\^|[\U0001F000-\U0001FAFF\u2600-\u265F\u2668-\u27BF\uFE0F\u200D]+)"
MAX_WORDS = 8  # of a wish
LONGEST_COURTESY = 120  # characters
MAX_COURTESIES = 6  # in a line; each costs time


def compile_courtesies(language: Language, names: tuple[str, ...]) -> tuple[re.Pattern[str], re.Pattern[str]]:
    """Return patterns of thanks, which need no comma before them, and of wishes, which do: "two kisses"."""
    called = "|".join([language.greeted, *(re.escape(language.normalise(name)) for name in names)])
    to_whom, end = rf"(?:[\s,]+(?:{called}))?", r"[\s.,;!]*"
    return (
        re.compile(rf"(?:(?:{language.thanks}){to_whom}|{SMILEY}){end}"),
        re.compile(rf"(?:{language.wishes}){to_whom}{end}"),
    )


def strip_one_courtesy(words: list[str], thanks: re.Pattern[str], wishes: re.Pattern[str]) -> list[str]:
    """Return the words without a courtesy at the beginning or the end; the same words if there is none."""
    for count in range(min(MAX_WORDS, len(words)), 0, -1):
        texts = " ".join(words[:count]), " ".join(words[-count:])
        first, last = (normalise(text) if len(text) <= LONGEST_COURTESY else "" for text in texts)
        is_set_off = count == len(words) or words[-count - 1][-1] in ".,;!–—-"
        if thanks.fullmatch(last) or (is_set_off and wishes.fullmatch(last)):
            return words[:-count]
        if words[count - 1][-1] in ".,;!" and (thanks.fullmatch(first) or wishes.fullmatch(first)):
            return words[count:]
    return words


# ── from the data ──


def build_language(own: Section, *beside: Section) -> Language:
    """Return a language from its data. A word of its own never has the meaning it has in a language beside it."""
    letters = str.maketrans({letter: also for one in (*beside, own) for letter, also in one["letters"].items()})
    words = WordLists(own, beside, lambda text: normalise(text, letters))
    cardinals = words.read_values("numbers")
    multiples, plurals = words.read_values("multiples"), words.read_values("plurals")
    articles, thanks = words.read("joining", "article"), words.read("polite", "thanks")
    polite, joining = words.read("polite", "anywhere"), words.read("joining", "and") + words.read("joining", "also")
    ones = [word for word, value in cardinals.items() if value == "1"]
    verbs = {word: verb for verb in own["verbs"] for word in words.read("verbs", verb)}
    number = rf"\b(?:{alternatives(cardinals)})\b"
    phrases = words.read_as()
    after, together = words.read("polite", "after_number"), words.read("polite", "together")
    return Language(
        letters=letters,
        elided=words.read_all("elided"),
        contracted=words.read_all("contracted"),
        phrases=phrases,
        phrase=re.compile(rf"\b(?:{alternatives(sorted(phrases, key=len, reverse=True))})\b"),
        cardinals=cardinals,
        numbers={word: f"{value}+" for word, value in plurals.items()}
        | multiples
        | words.read_values("ordinals")
        | cardinals,
        common=dict.fromkeys([*polite, *words.read("polite", "small"), *joining], ("",))
        | dict.fromkeys(articles, ("", "1")),
        counting=dict.fromkeys(joining, (AND,))
        | dict.fromkeys(ones, (f"{TIMES}1",))
        | dict.fromkeys(articles, ("", f"{TIMES}1"))
        | {word: (f"{TIMES}{value}",) for word, value in multiples.items()},
        verbs=verbs,
        polite=frozenset(polite),
        option_words=frozenset(words.read("options", "names")),
        beside_option=frozenset(words.read("options", "beside")),
        number_word=re.compile(number),
        counts=re.compile(
            rf"{number} (?!(?:{alternatives(after)})\b)[^\W\d]"
            rf"|{number} ?:"
            rf"|[0-9] (?:{alternatives(words.read('polite', 'counted'))})\b"
            rf"|\b(?:{alternatives(ones)}) (?:{alternatives(thanks)})\b"
            rf"|\b(?:{alternatives(together)}) (?:[0-9]|{number})"
            rf"|\b(?:{alternatives(words.read_phrases('polite', 'ages'))})\b"
        ),
        negates=re.compile(rf"\b(?:{alternatives(words.read_phrases('joining', 'not'))})\b"),
        listed_number=re.compile(rf"\b([0-9]+|{alternatives(cardinals)}) ?,"),
        between_numbers=re.compile(rf"\s*(?:[,;&]|\b(?:{alternatives(words.read('joining', 'and'))})\b)\s*", re.I),
        before_number=frozenset(words.read("options", "before_number")),
        never_before_number=frozenset(words.read("options", "never_before_number")),
        after_number=frozenset(after),
        mark_verbs=frozenset([*words.read("marks", "verbs"), *words.read("options", "names"), *verbs]),
        mark_takes=frozenset(words.read("marks", "takes")),
        mark_articles=frozenset(words.read("marks", "articles")),
        mark_roads=frozenset(words.read("marks", "roads")),
        consent=frozenset(words.read("consent", "yes")),
        doubts=frozenset(words.read("consent", "doubts")),
        conditions=frozenset(words.read("consent", "conditions")),
        introduces=frozenset(words.read("consent", "introduces")),
        undecided=re.compile(rf"\b(?:{alternatives(words.read_phrases('consent', 'undecided'))})\b"),
        thanks=alternatives(words.read_phrases("courtesy", "thanks")),
        wishes=alternatives(words.read_phrases("courtesy", "wishes")),
        greeted=alternatives(words.read_phrases("courtesy", "to_all")),
        order_courtesy=re.compile(
            rf"^(?:{alternatives(words.read_phrases('polite', 'before_order'))}) "
            rf"| (?:{alternatives(words.read_phrases('polite', 'after_order'))})$"
        ),
        joins=words.read("joining", "and")[0],
        verb_last=own["verb_last"],
        games={slug: read_game(table, words) for slug, table in own.get("games", {}).items()},
    )


def read_game(table: Section, language: WordLists) -> GameWords:
    """Return what a language adds for one game. The sentences of orders have gaps in braces."""
    words = {means: text.split() for means, text in table.items() if means != "orders"}
    sentences = ((line, re.escape(language.normalise(text))) for line, text in table.get("orders", {}).items())
    return GameWords(
        {language.normalise(word): (means,) for means, synonyms in words.items() for word in synonyms},
        compile_orders(*((GAP.sub(r"{\1}", sentence), line) for line, sentence in sentences)),
    )


def alternatives(words: Iterable[str]) -> str:
    """Return a pattern of these words; it matches nothing if there are none."""
    return "|".join(map(re.escape, words)) or NOTHING


@dataclass(frozen=True)
class WordLists:
    """The word lists of a language, followed by those of the languages beside it."""

    own: Section
    beside: Sequence[Section]
    normalise: Callable[[str], str]

    def read(self, section: str, name: str) -> list[str]:
        """Return the words of a list: first the language's own."""
        return self.merge([one[section].get(name, "").split() for one in (self.own, *self.beside)])

    def read_all(self, name: str) -> frozenset[str]:
        """Return the words of a list about apostrophes, which is the same in all languages that are read."""
        return frozenset(word for one in (self.own, *self.beside) for word in one["joining"][name].split())

    def read_phrases(self, section: str, name: str) -> list[str]:
        return self.merge([one[section].get(name, "").split(",") for one in (self.own, *self.beside)])

    def read_as(self) -> dict[str, str]:
        """Return the word that each phrase is read as."""
        tables = [one.get("read_as", {}) for one in (*self.beside, self.own)]
        pairs = ((phrase, word) for table in tables for word, text in table.items() for phrase in text.split(","))
        return {self.normalise(phrase): word for phrase, word in pairs}

    def read_values(self, section: str) -> dict[str, str]:
        """Return the numbers of a table, by their words."""
        values = dict.fromkeys(value for one in (self.own, *self.beside) for value in one[section])
        return {word: value for value in values for word in self.read(section, value)}

    def merge(self, lists: Sequence[Sequence[str]]) -> list[str]:
        own, *others = [[self.normalise(word) for word in words if word.strip()] for words in lists]
        return list(dict.fromkeys([*own, *(word for words in others for word in words if word not in self.own_words)]))

    @cached_property
    def own_words(self) -> frozenset[str]:
        """All words of the language's own lists; not those of phrases, such as the "à" of "à demain"."""
        lists = ((name, table) for name, table in self.own.items() if name not in ("games", "courtesy", "read_as"))
        tables = [table for _, table in lists if isinstance(table, dict)]
        texts = [text for table in tables for text in table.values()]
        return frozenset(self.normalise(word) for text in texts for word in text.split())
