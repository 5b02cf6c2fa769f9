"""Normalise text, words and numbers for comparison: without case, accents and ornament."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence

KEYCAP = re.compile("([0-9])\ufe0f?\u20e3")  # a number as phones offer it: 7️⃣
LIGATURES = str.maketrans({"œ": "oe", "æ": "ae", "’": "'", "‘": "'", "ʼ": "'", "×": "x", "−": "-", "–": "-"})
FULL_WIDTH = {ord("０") + digit: str(digit) for digit in range(10)}
ORNAMENT = re.compile(r"[,;:.!“”«»\"]")
WORD = re.compile(r"\*?[a-z]+@[+-]?[0-9]+|\*[a-z]+|[a-z0-9]+(?:'[a-z]+)?|[^\s.,;:!()\[\]{}\"“”«»…_/|·*~<>=+'&-]")
ELIDED = {"j", "l", "d", "m", "t", "s", "c", "qu"}  # without "n", which negates
ENGLISH = (
    "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten",
    "eleven", "twelve", "thirteen", "fourteen", "fifteen", "sixteen",
)  # fmt: skip
FRENCH = (
    "un", "deux", "trois", "quatre", "cinq", "six", "sept", "huit", "neuf", "dix",
    "onze", "douze", "treize", "quatorze", "quinze", "seize",
)  # fmt: skip
CARDINAL = {word: str(n) for words in (ENGLISH, FRENCH) for n, word in enumerate(words, 1)} | {"une": "1", "zero": "0"}
NUMBERS = CARDINAL | {
    "pair": "2", "paire": "2", "both": "2", "double": "2", "first": "1", "1st": "1", "premier": "1",
    "premiere": "1", "1er": "1", "1re": "1", "second": "2", "2nd": "2", "seconde": "2", "deuxieme": "2", "2e": "2",
    "third": "3", "3rd": "3", "troisieme": "3", "3e": "3",
}  # fmt: skip
PLURALS = {f"{word}{'es' if word == 'six' else 's'}": f"{n}+" for n, word in enumerate(ENGLISH, 1)}  # "sixes": 6+


def convert_digits(text: str) -> str:
    """Convert keycap and full-width digits to plain digits.

    >>> convert_digits("7️⃣, 1️⃣2️⃣, 🔟, ７")
    '7, 12, 10, 7'
    """
    return KEYCAP.sub(r"\1", text).replace("🔟", "10").translate(FULL_WIDTH)


def normalise(text: str) -> str:
    """Lower the case, strip accents, and join white space.

    >>> normalise("  Récolte le  CHAMP 2 ! Cœur’s")
    "recolte le champ 2 ! coeur's"
    """
    plain = unicodedata.normalize("NFKD", text.lower().translate(LIGATURES))
    return " ".join("".join(letter for letter in plain if not unicodedata.combining(letter)).split())


def drop_punctuation(text: str) -> str:
    """Normalise a text, and drop its punctuation.

    >>> drop_punctuation("Donner 1 Harry Cogné, jusqu’à demain.")
    "donner 1 harry cogne jusqu'a demain"
    """
    return " ".join(ORNAMENT.sub(" ", normalise(text)).split())


def split_words(text: str) -> list[str]:
    """Split a normalised text into words. An elided article is a word of its own.

    >>> split_words("j'offre *soy@2 pour l'oeil d'ann, bob's 6's")
    ['j', 'offre', '*soy@2', 'pour', 'l', 'oeil', 'd', 'ann', 'bob', '6s']
    """
    found: list[str] = []
    for word in WORD.findall(text):
        before, apostrophe, after = word.partition("'")
        if not apostrophe:
            found.append(word)
        elif after == "s":
            found.append(before + "s" * before.isdigit())
        elif before in ELIDED:
            found += [before, after]
        elif before == "i":  # I'll, I'd, I'm, I've
            found.append("i")
        else:
            found.append(word)
    return found


def read_number(word: str) -> str:
    """Return a number in digits, `6+` for several sixes, or "".

    >>> [read_number(word) for word in ("sixes", "deux", "12", "6s", "bob", "፩")]
    ['6+', '2', '12', '6+', '', '']
    """
    if word.isascii() and word.isdigit():  # int() cannot read every Unicode digit
        return str(int(word)) if len(word) < 5 else ""
    if several := re.fullmatch(r"([0-9]{1,2})s", word):
        return f"{several[1]}+"
    return NUMBERS.get(word) or PLURALS.get(word, "")


def read_cardinal(word: str) -> int | None:
    """Return a plain number of up to three digits, or a number word, as an int."""
    found = CARDINAL.get(word, word)
    return int(found) if found.isdigit() and found.isascii() and len(found) <= 3 else None


def is_subsequence(some: Sequence[str], row: Sequence[str]) -> bool:
    """Return whether some words occur in a sequence, in their order.

    >>> is_subsequence(("plant", "2"), ("plant", "coffee", "in", "2")), is_subsequence(("2", "plant"), ("plant", "2"))
    (True, False)
    """
    rest = iter(row)
    return all(word in rest for word in some)
