"""Check players' names, and find names that a reader could confuse."""

from __future__ import annotations

import re
import unicodedata
from itertools import groupby

from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _

INVISIBLE = {"Cc", "Cf", "Co", "Cs"}  # control, format (bidirectional and zero-width included), private use, surrogates
# Characters that look like nothing or like a space, though Unicode classes them as letters, marks or symbols.
FILLERS = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u180b\u180c\u180d\u180f\u2800\u3164\uffa0\U0001d159")
MOST_MARKS = 3  # on one letter: Thai, Hindi and vocalised Arabic need two; Vietnamese is composed by NFC
SCRIPTS = ("LATIN", "CYRILLIC", "GREEK")  # scripts with letters that look alike
# The suffix that tells two players of the same name apart at a table (play/seats/names.py).
SEAT_LETTER = re.compile(r" \([A-Z]\d?\)$")
ADDRESS = re.compile(r"\S@\S+\.\S")
NUMBER = re.compile(r" \(\d+\)$")  # the same in a league's lists (leagues/records/namesakes.py)

# Cyrillic and Greek letters that look like a Latin one in common fonts. Capitals and small letters differ: Н looks like
# H, but н does not look like h. This is a part of Unicode's list of confusables (UTS 39): nobody types nine tenths of
# the signs there. Two names that differ only by a pair missing here get no seat letter.
LOOK_ALIKE = str.maketrans(
    "АВЕЗКМНОРСТУХІЈЅҺԌԚԜаеорсухіјѕԁһԛԝкӏ" + "ΑΒΕΖΗΙΚΜΝΟΡΤΥΧοανρικυχτ" + "I1|0ı",
    "ABE3KMHOPCTYXlJShGQWaeopcyxijsdhqwkl" + "ABEZHlKMNOPTYXoavpikuxt" + "lllOi",
)


def shorten_name(name: str) -> str:
    """Return the first word of a name and the initial of the last word that has letters.

    >>> shorten_name("Ann Lee"), shorten_name("Jean-Luc van der Berg"), shorten_name("Ann")
    ('Ann L.', 'Jean-Luc B.', 'Ann')
    >>> shorten_name("Player 7"), shorten_name("Ann L."), shorten_name("Ann (Lee) 2")
    ('Player 7', 'Ann L.', 'Ann L.')
    """
    first, *others = name.split() or [name]
    initials = [sign for word in others for sign in [next(filter(str.isalpha, word), "")] if sign]
    return f"{first} {initials[-1].upper()}." if initials else name


def check_text(text: str) -> None:
    """Refuse invisible characters, and too many combining marks on one letter."""
    if any(unicodedata.category(sign) in INVISIBLE or sign in FILLERS for sign in text):
        raise ValidationError(_("Use letters, digits and ordinary punctuation only."))
    for is_mark, marks in groupby(text, key=is_combining_mark):
        if is_mark and len(list(marks)) > MOST_MARKS:
            raise ValidationError(_("Please put fewer marks on one letter."))
    if text and is_combining_mark(text[0]):
        raise ValidationError(_("Start with a letter, a digit or an ordinary sign."))


def is_combining_mark(sign: str) -> bool:
    """Return whether the character is a combining mark, drawn above, below or around the letter before it."""
    return unicodedata.category(sign) in {"Mn", "Me"}


def check_name(name: str) -> None:
    """Refuse addresses, words that mix look-alike scripts, and names that end like namesakes': “Ann (B)”, “Ann (2)”.

    A name may have words in several scripts: “Анна Smith”. Within one word nobody needs two; “Аnn” with a Cyrillic А
    imitates Ann.
    """
    if ADDRESS.search(name):
        raise ValidationError(_("An email address is no name: everyone would see it."))
    for word in re.findall(r"[^\W\d_]+", name):
        if len({script for script in map(find_script, word) if script}) > 1:
            raise ValidationError(_("Please write each word of your name in one alphabet."))
    if SEAT_LETTER.search(name) or NUMBER.search(name):
        raise ValidationError(
            _("Don’t end your name with a letter or number in brackets: that’s how we tell namesakes apart.")
        )


def find_script(letter: str) -> str:
    """Return the script of a letter if others look like it, or ""."""
    first = unicodedata.name(letter, "").partition(" ")[0]
    return first if first in SCRIPTS else ""


def strip_invisible(text: str) -> str:
    """Return a text on one line, without the invisible characters that could hide or reverse parts of it."""
    visible = (" " if sign.isspace() else sign for sign in text if sign.isspace() or not is_invisible(sign))
    return " ".join("".join(visible).split())


def is_invisible(sign: str) -> bool:
    """Return whether a character shows nothing."""
    return unicodedata.category(sign) in INVISIBLE or sign in FILLERS


def are_alike(one: str, other: str) -> bool:
    """Return whether a reader could confuse two names.

    >>> are_alike("Ann", "ANN"), are_alike("Cop", "Сор"), are_alike("Ann", "Anna"), are_alike("Zoe", "Zoé")
    (True, True, False, False)
    """
    return fold_name(one) == fold_name(other) or build_shape(one) == build_shape(other)


def fold_name(name: str) -> str:
    """Return a key that is the same for names that differ in case only."""
    return unicodedata.normalize("NFKC", name).casefold()


def build_shape(name: str) -> str:
    """Return a key that is the same for names that look the same."""
    visible = "".join(sign for sign in unicodedata.normalize("NFKC", name) if not "\ufe00" <= sign <= "\ufe0f")
    return visible.translate(LOOK_ALIKE).casefold().replace("rn", "m").replace("vv", "w")
