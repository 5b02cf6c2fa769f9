"""Normalise text and words for comparison: without case, accents and ornament."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection, Mapping, Sequence
from types import MappingProxyType
from typing import TypeAlias

KEYCAP = re.compile("([0-9])\ufe0f?\u20e3")  # a number as phones offer it: 7️⃣
SIGNS = str.maketrans({"’": "'", "‘": "'", "ʼ": "'", "×": "x", "−": "-", "–": "-"})
FULL_WIDTH = {ord("０") + digit: str(digit) for digit in range(10)}
ORNAMENT = re.compile(r"[,;:.!“”«»\"]")
WORD = re.compile(r"\*?[a-z]+@[+-]?[0-9]+|\*[a-z]+|[a-z0-9]+(?:'[a-z]+)?|[^\s.,;:!()\[\]{}\"“”«»…_/|·*~<>=+'&-]")
Letters: TypeAlias = Mapping[int, str]  # letters that people also write as others, for str.translate
NO_LETTERS: Letters = MappingProxyType({})


def convert_digits(text: str) -> str:
    """Convert keycap and full-width digits to plain digits.

    >>> convert_digits("7️⃣, 1️⃣2️⃣, 🔟, ７")
    '7, 12, 10, 7'
    """
    return KEYCAP.sub(r"\1", text).replace("🔟", "10").translate(FULL_WIDTH)


def normalise(text: str, letters: Letters = NO_LETTERS) -> str:
    """Lower the case, strip accents, and join white space.

    >>> normalise("  Récolte le  CHAMP 2 ! Cœur’s", {ord("œ"): "oe"})
    "recolte le champ 2 ! coeur's"
    """
    plain = unicodedata.normalize("NFKD", text.lower().translate(letters).translate(SIGNS))
    return " ".join("".join(letter for letter in plain if not unicodedata.combining(letter)).split())


def drop_punctuation(text: str, letters: Letters = NO_LETTERS) -> str:
    """Normalise a text, and drop its punctuation.

    >>> drop_punctuation("Donner 1 Harry Cogné, jusqu’à demain.")
    "donner 1 harry cogne jusqu'a demain"
    """
    return " ".join(ORNAMENT.sub(" ", normalise(text, letters)).split())


def split_words(text: str, elided: Collection[str] = (), contracted: Collection[str] = ()) -> list[str]:
    """Split a normalised text into words. An elided article is a word of its own; a contracted verb is dropped.

    >>> split_words("j'offre *soy@2 pour l'oeil d'ann, bob's 6's. i'll", {"j", "l", "d"}, {"i'll"})
    ['j', 'offre', '*soy@2', 'pour', 'l', 'oeil', 'd', 'ann', 'bob', '6s', 'i']
    """
    found: list[str] = []
    for word in WORD.findall(text):
        before, apostrophe, after = word.partition("'")
        if not apostrophe:
            found.append(word)
        elif after == "s":
            found.append(before + "s" * before.isdigit())
        elif before in elided:
            found += [before, after]
        elif word in contracted:
            found.append(before)
        else:
            found.append(word)
    return found


def is_subsequence(some: Sequence[str], row: Sequence[str]) -> bool:
    """Return whether some words occur in a sequence, in their order.

    >>> is_subsequence(("plant", "2"), ("plant", "coffee", "in", "2")), is_subsequence(("2", "plant"), ("plant", "2"))
    (True, False)
    """
    rest = iter(row)
    return all(word in rest for word in some)
