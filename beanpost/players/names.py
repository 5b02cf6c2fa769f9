"""Check players' names, and find names that a reader could confuse."""

from __future__ import annotations

import json
import re
import unicodedata
from functools import cache
from importlib import resources
from itertools import groupby

from confusable_homoglyphs import categories
from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _

INVISIBLE = {"Cc", "Cf", "Co", "Cs"}  # control, format (bidirectional and zero-width included), private use, surrogates
# Characters that look like nothing or like a space, though Unicode classes them as letters, marks or symbols.
FILLERS = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u180b\u180c\u180d\u180f\u2800\u3164\uffa0\U0001d159")
# Unicode's Default_Ignorable_Code_Point: fonts draw nothing for them. Python's unicodedata doesn't have this property.
IGNORABLE = re.compile(
    "[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164"
    "\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufff8\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff]"
)
MAX_MARKS = 3  # on one letter: Thai, Hindi and vocalised Arabic need two; Vietnamese is composed by NFC
# The scripts that one word may hold: one, or those of Japanese, of Chinese with Bopomofo, or of Korean, each with Latin
# letters. UTS 39 calls this “highly restrictive”.
WRITTEN_TOGETHER = (
    {"LATIN", "HAN", "HIRAGANA", "KATAKANA"},
    {"LATIN", "HAN", "BOPOMOFO"},
    {"LATIN", "HAN", "HANGUL"},
)
IN_ANY_SCRIPT = {"COMMON", "INHERITED"}
# The suffix that tells two players of the same name apart at a table (play/seats/names.py).
SEAT_LETTER = re.compile(r" ?\([A-Z]\d?\)$")
ADDRESS = re.compile(r"\S@\S+\.\S")
# Chats make links of “evil.example” too, and browsers take “。” for a dot.
LINK = re.compile(r"://|\bwww\.|]\s*\(|\w[.\u3002][^\W\d_]{2}", re.IGNORECASE)
PART_OF_WORD = re.compile(r"[^\s'’\u2010-\u2015-]+")  # “Jean-Анна” has two parts; not “А_nn”, which looks like one
# What looks like it, or like the number in a league's lists (leagues/records/namesakes.py): “Ann [b]”, “Ann (2).”
LIKE_A_SUFFIX = re.compile(r"[(\[{]\s*([A-Z]\d?|\d+)\s*[)\]}]\W*$", re.IGNORECASE)
BOTS = ("Bean Bot", "Broad Bot", "Black-eyed Bot", "Butter Bot", "Borlotti Bot", "Bamboo Bot", "Bush Bot")
OUR_NAMES = (
    *("Beanpost", "Bot", "Robot", "Dealer", "Donneur", "House", "Keeper", "Organiser", "Organizer", "Organisateur"),
    *("Host", "Admin", "Administrator", "Administrateur", "Moderator", "Modérateur", "Postmaster", "Support"),
)
AROUND = re.compile(r"^(the |le |la |l['’])|[\W\d_]+$", re.IGNORECASE)  # what changes nothing of whom a name means


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
        if is_mark and len(list(marks)) > MAX_MARKS:
            raise ValidationError(_("Please put fewer marks on one letter."))
    if text and is_combining_mark(text[0]):
        raise ValidationError(_("Start with a letter, a digit or an ordinary sign."))


def is_combining_mark(sign: str) -> bool:
    """Return whether the character is a combining mark, drawn above, below or around the letter before it."""
    return unicodedata.category(sign) in {"Mn", "Me"}


def check_name(name: str) -> None:
    """Refuse addresses, links, words that mix scripts, our own names, and those that end like namesakes': “Ann (B)”.

    A name may have words in several scripts: “Анна Smith”. Within one word nobody needs two; “Аnn” and “А1nn” with a
    Cyrillic А imitate others.
    """
    name = unicodedata.normalize("NFKC", name)  # “Ann （B）” in wide brackets ends like a namesake's, too
    if ADDRESS.search(name):
        raise ValidationError(_("An email address is no name: everyone would see it."))
    if LINK.search(name):
        raise ValidationError(_("A name can’t be a link. Put a space after a full stop."))
    for part in PART_OF_WORD.findall(name):
        scripts = set(map(find_script, filter(str.isalpha, part))) - IN_ANY_SCRIPT
        if len(scripts) > 1 and not any(scripts <= together for together in WRITTEN_TOGETHER):
            raise ValidationError(_("Please write each word of your name in one alphabet."))
    if LIKE_A_SUFFIX.search(name):
        raise ValidationError(
            _("Don’t end your name with a letter or number in brackets: that’s how we tell namesakes apart.")
        )
    if is_ours(name):
        raise ValidationError(_("This name could be taken for this site’s own. Please choose another."))


def find_script(letter: str) -> str:
    return str(categories.alias(letter))  # type: ignore[no-untyped-call]


def is_ours(name: str) -> bool:
    """Return whether a name looks like one of ours; an article before it, a number after it and signs don't count.

    >>> is_ours("Bean-Bot 2"), is_ours("BEANP0ST"), is_ours("Beanpost Team"), is_ours("The Dealer")
    (True, True, True, True)
    >>> is_ours("Dealer Bot"), is_ours("Abbot"), is_ours("Ann 2")
    (True, False, False)
    """
    core = build_bare_shape(AROUND.sub("", name))
    return build_bare_shape("Beanpost") in core or core in list_our_shapes()


@cache
def list_our_shapes() -> frozenset[str]:
    pairs = (f"{one} {other}" for one in OUR_NAMES for other in OUR_NAMES)  # “Dealer Bot”
    return frozenset(map(build_bare_shape, (*BOTS, *OUR_NAMES, *pairs)))


def build_bare_shape(name: str) -> str:
    return "".join(sign for sign in build_shape(name) if sign.isalnum())


def drop_ignorable(text: str) -> str:
    """Return a text without the characters that fonts don't draw: with one of them, “Ann” still looks like “Ann”."""
    return IGNORABLE.sub("", text)


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
    """Return a key that is the same for names that look the same: UTS 39's skeleton, in small letters."""
    shape = name
    for _each in range(2):  # “M” and “m” have different skeletons
        shape = build_skeleton(shape).casefold()
    return shape.replace("vv", "w")


def build_skeleton(text: str) -> str:
    """Return UTS 39's skeleton of a text: each character is replaced by the one that all its look-alikes share."""
    decomposed = unicodedata.normalize("NFD", drop_ignorable(unicodedata.normalize("NFKC", text)))
    return unicodedata.normalize("NFD", decomposed.translate(load_look_alikes()))


@cache
def load_look_alikes() -> dict[int, str]:
    """Return Unicode's list of look-alikes: what replaces a character in a skeleton.

    The package lists pairs in both directions. A character that several others look like is what replaces them; of two
    that look like each other alone, the first in Unicode's order stands for both. The file is read here, because the
    package's own module would keep fifteen megabytes.
    """
    source = resources.files("confusable_homoglyphs").joinpath("confusables.json").read_text("utf-8")
    found = {sign: [drop_ignorable(like["c"]) for like in likes] for sign, likes in json.loads(source).items()}
    pairs = ((sign, likes[0]) for sign, likes in found.items() if len(sign) == 1 and len(likes) == 1)
    return {ord(sign): like for sign, like in pairs if len(found.get(like, ())) > 1 or len(like) > 1 or like < sign}
