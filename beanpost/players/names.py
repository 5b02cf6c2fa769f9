"""What people may call themselves, and which two names a reader could take for one."""

from __future__ import annotations

import re
import unicodedata
from itertools import groupby

from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _

UNSEEN = {"Cc", "Cf", "Co", "Cs"}  # control, format (bidirectional and zero-width among them), private, half characters
# Characters that show as nothing or as a gap, though Unicode counts them as letters, marks or symbols.
FILLERS = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u180b\u180c\u180d\u180f\u2800\u3164\uffa0\U0001d159")
MOST_MARKS = 3  # on one letter: Thai, Hindi and vocalised Arabic need two; Vietnamese is composed by NFC
SCRIPTS = ("LATIN", "CYRILLIC", "GREEK")  # whose letters look alike
SEAT_LETTER = re.compile(r" \([A-Z]\d?\)$")  # how two people of one name are told apart (play/naming.py)

# Letters of Cyrillic and Greek that look like one of Latin in common fonts, capitals and small ones apart: Н looks like
# H, but н does not look like h. Not Unicode's whole list of confusables (UTS 39), of which nine tenths are signs that
# nobody types: a pair that is missed here is told apart by the seat only when the names are the same otherwise.
LOOK_ALIKE = str.maketrans(
    "АВЕЗКМНОРСТУХІЈЅҺԌԚԜаеорсухіјѕԁһԛԝкӏ" + "ΑΒΕΖΗΙΚΜΝΟΡΤΥΧοανρικυχτ" + "I1|0ı",
    "ABE3KMHOPCTYXlJShGQWaeopcyxijsdhqwkl" + "ABEZHlKMNOPTYXoavpikuxt" + "lllOi",
)


def check_text(text: str) -> None:
    """Refuse characters that a reader cannot see, and marks piled up on one letter."""
    if any(unicodedata.category(sign) in UNSEEN or sign in FILLERS for sign in text):
        raise ValidationError(_("Please use letters, digits and ordinary signs only."))
    for is_mark, signs in groupby(text, key=is_piled):
        if is_mark and len(list(signs)) > MOST_MARKS:
            raise ValidationError(_("Please put fewer marks on one letter."))
    if text and is_piled(text[0]):
        raise ValidationError(_("Please begin with a letter, a digit or an ordinary sign."))


def is_piled(sign: str) -> bool:
    """Whether it stands above, below or around the letter before it."""
    return unicodedata.category(sign) in {"Mn", "Me"}


def check_name(name: str) -> None:
    """Refuse words that mix look-alike scripts, and names that end like one that the table gave.

    A name may have words of several scripts: “Анна Smith”. Within a word nobody needs both; “Аnn” with a Cyrillic А
    imitates Ann.
    """
    for word in re.findall(r"[^\W\d_]+", name):
        if len({script for script in map(script_of, word) if script}) > 1:
            raise ValidationError(_("Please write each word of your name in one alphabet."))
    if SEAT_LETTER.search(name):
        raise ValidationError(_("Please do not end your name with a letter in brackets: so we name seats."))


def script_of(letter: str) -> str:
    first = unicodedata.name(letter, "").partition(" ")[0]
    return first if first in SCRIPTS else ""


def without_unseen(text: str) -> str:
    """A note as others may read it, on one line: without what could hide or turn round a part of it."""
    seen = (" " if sign.isspace() else sign for sign in text if sign.isspace() or not is_unseen(sign))
    return " ".join("".join(seen).split())


def is_unseen(sign: str) -> bool:
    return unicodedata.category(sign) in UNSEEN or sign in FILLERS


def are_alike(one: str, other: str) -> bool:
    """Whether a reader could take two names for one.

    >>> are_alike("Ann", "ANN"), are_alike("Cop", "Сор"), are_alike("Ann", "Anna"), are_alike("Zoe", "Zoé")
    (True, True, False, False)
    """
    return folded(one) == folded(other) or shape(one) == shape(other)


def folded(name: str) -> str:
    return unicodedata.normalize("NFKC", name).casefold()


def shape(name: str) -> str:
    """How a name looks: the same for names that look the same."""
    seen = "".join(sign for sign in unicodedata.normalize("NFKC", name) if not "\ufe00" <= sign <= "\ufe0f")
    return seen.translate(LOOK_ALIKE).casefold().replace("rn", "m").replace("vv", "w")
