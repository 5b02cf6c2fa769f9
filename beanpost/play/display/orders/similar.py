"""Find the standing orders on offer that are most like a text that is none of them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from difflib import SequenceMatcher
from heapq import nlargest

from beanpost.i18n.reply_language import get_reply_language
from games.contract.replies.spelling import drop_punctuation

MAX_CHARACTERS = 300
MAX_LINES = 20
MAX_ALIKE = 3
ALIKE = 0.35  # the rating of a text that may be meant as an order; greetings are below 0.3


def find_most_alike(text: str, sentences: Iterable[str], *, at_least: float = 0) -> list[str]:
    """Return the three sentences that are most like a text, the best first; none if even the best is not alike enough.

    >>> find_most_alike("pass till round 2", ["Pass on every turn of round 2", "In round 2, fold if you can’t play"])
    ['Pass on every turn of round 2', 'In round 2, fold if you can’t play']
    >>> from django.utils import translation
    >>> with translation.override("fr"):
    ...     find_most_alike("le coeur", ["Le cœur"], at_least=1)
    ['Le cœur']
    """
    letters = get_reply_language().letters
    wanted = drop_punctuation(text[:MAX_CHARACTERS], letters)
    rated = [(rate_likeness(wanted, drop_punctuation(sentence, letters)), sentence) for sentence in sentences]
    best = nlargest(MAX_ALIKE, rated, key=lambda one: one[0])
    return [sentence for _, sentence in best] if best and best[0][0] >= at_least else []


def find_likeliest_line(lines: Sequence[str], sentences: Iterable[str]) -> str:
    """Return the line that shares most words with one of the sentences. Comparing the letters of all would be slow.

    >>> find_likeliest_line(["Hi!", "pass till round 2", "Ann"], ["Pass on every turn of round 2"])
    'pass till round 2'
    """
    letters = get_reply_language().letters
    offered = [drop_punctuation(sentence, letters) for sentence in sentences]
    short = [line for line in lines if line and len(line) <= MAX_CHARACTERS][:MAX_LINES]
    rated = {
        line: max((rate_shared_words(drop_punctuation(line, letters), sentence) for sentence in offered), default=0)
        for line in short
    }
    best = max(rated, key=rated.__getitem__, default="")
    return best if rated.get(best) else ""


def rate_likeness(one: str, other: str) -> float:
    """Rate how many words two texts share, and how alike their letters are."""
    return (rate_shared_words(one, other) + SequenceMatcher(None, one, other, autojunk=False).ratio()) / 2


def rate_shared_words(one: str, other: str) -> float:
    words, others = set(one.split()), set(other.split())
    return 2 * len(words & others) / (len(words) + len(others) or 1)
