"""Marks: m1, m2, … Letters print one beside each move, and a reply names the move by it.

A mark can't be taken for a card, an amount, a level or a seat. A number alone is never a mark.
"""

from __future__ import annotations

import re

from games.contract.replies.language import Language
from games.contract.replies.spelling import convert_digits

MARK = re.compile(r"(?<![\w'’])m[ .-]?([0-9]{1,3})(?![\w'’])", re.I)
# A mark beside its move: "m7. Play 6 6", "m7 - play 6 6", "Play 6 6, worth 12 m7".
BEFORE_MOVE = re.compile(rf"\W?{MARK.pattern}\s*[.):,–—-]*\s*(\S.*)", re.I)
BEHIND_MOVE = re.compile(rf"(.*\S)\s*\W?{MARK.pattern}[\s.)]*", re.I)


def format_mark(number: int) -> str:
    return f"m{number}"


def read_mark(text: str, language: Language) -> str:
    """Return the mark that a text consists of, polite words aside, or "".

    A verb shows that it is a move's: "I'm on the M4 again" and "take the M4" are about a road or a metro line.

    >>> from beanpost.i18n.reply_language import get_reply_language
    >>> def read(*texts): return {read_mark(text, get_reply_language()) for text in texts}
    >>> read("m4", "M4.", "(m4)", "m 4", "Move m4, please", "Je joue le m4", "I'll take m4", "le m4", "I play the M4")
    {'m4'}
    >>> read("I drove the M4", "on the M4", "take the M4", "The M4 again", "Le M4", "4", "m4 3", "4 m2", "no m4")
    {''}
    """
    plain = convert_digits(text)
    found = list(MARK.finditer(plain))
    if len({one[1] for one in found}) != 1 or language.has_doubts(plain):
        return ""
    words = set(language.split_words(language.normalise(MARK.sub(" ", plain))))
    plays = not words.isdisjoint(language.mark_verbs)
    if words - language.mark_verbs - language.mark_takes - language.polite - language.beside_option:
        return ""
    has_article = not words.isdisjoint(language.mark_articles)
    may_be_road = not words.isdisjoint(language.mark_roads) or (
        has_article and (not words.isdisjoint(language.mark_takes) or found[0][0][0] == "M")
    )
    return "" if may_be_road and not plays else format_mark(int(found[0][1]))


def split_mark(text: str) -> tuple[str, str]:
    """Return the mark before or behind the words of a move, and these words; two empty texts if there is none.

    >>> split_mark("m7. Play 6 6"), split_mark("Play 6 6, worth 12 m7"), split_mark("m7"), split_mark("7. Play 6 6")
    (('m7', 'Play 6 6'), ('m7', 'Play 6 6, worth 12'), ('', ''), ('', ''))
    """
    plain = convert_digits(text).strip()
    if found := BEFORE_MOVE.fullmatch(plain):
        return format_mark(int(found[1])), found[2]
    if found := BEHIND_MOVE.fullmatch(plain):
        return format_mark(int(found[2])), found[1]
    return "", ""
