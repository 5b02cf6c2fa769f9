"""Standing orders in words: read the sentences with which pages and letters describe orders.

Notation is tried first. Nothing is guessed: a text must match one of the game's sentences completely.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from types import MappingProxyType

from beanpost.i18n.reply_language import get_reply_language
from beanpost.play.display.wording import say
from games.contract.errors import Unreadable
from games.contract.notation import Vocabulary, read
from games.contract.replies.language import Language
from games.contract.replies.spelling import drop_punctuation
from games.contract.replies.words import ReplyWords, Wording

MAX_CHARACTERS = 300


def parse_order(
    text: str,
    replies: ReplyWords,
    vocabulary: Vocabulary,
    names: Sequence[str],
    sensible: Mapping[str, str] = MappingProxyType({}),
) -> str:
    """Return the order that a text means, in notation, or "". `replies` holds the words of the match's edition,
    `sensible` the orders whose words mean them only now: "your next turn".
    """
    if len(text) > MAX_CHARACTERS:
        return ""
    language = get_reply_language()
    order = language.order_courtesy.sub("", drop_punctuation(text, language.letters))
    known = {drop_punctuation(words, language.letters): line for words, line in sensible.items()}
    if order in known:
        return known[order]
    for line in (order, *iter_notations(order, replies, names, language)):
        try:
            return str(read(line, vocabulary))
        except Unreadable:
            continue
    return ""


def iter_notations(text: str, replies: ReplyWords, names: Sequence[str], language: Language) -> Iterator[str]:
    """Yield the notation of each sentence of the game that the text matches."""
    wording = Wording(
        seats=len(names),
        say=lambda phrase: drop_punctuation(say(phrase, names), language.letters),
        known=lambda word: language.find_readings(replies, word),
        split_words=language.split_words,
    )
    for sentence in replies.orders:
        if found := sentence.pattern.fullmatch(text):
            gaps = {gap: read_gap(replies, gap, words or "", wording) for gap, words in found.groupdict().items()}
            yield " ".join(sentence.says.format(**gaps).split())


def read_gap(replies: ReplyWords, gap: str, words: str, wording: Wording) -> str:
    """Return the notation for the words in a gap of a sentence."""
    return replies.gaps[gap](words, wording) if gap in replies.gaps else words
