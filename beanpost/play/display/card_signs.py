"""Cards in sentences: games write them in notation, and readers see their signs: "QS" is Q♠, in French D♠."""

from __future__ import annotations

import re
from collections.abc import Iterable

from beanpost.play.display.wording import format_value, quote_if_card
from games.contract.look import Glyph, Look


def format_card(card: str, look: Look) -> str:
    """Return a card with its sign, in the active language; a word that is no card stays as it is."""
    glyph = look.glyphs.get(card)
    return f"{format_value(glyph.text, ())}{glyph.sign}" if glyph else card


def format_cards_in(sentence: str, look: Look, names: Iterable[str]) -> str:
    """Return a sentence with signs for its cards.

    A player's name that looks like a card is in quotation marks, and stays as it is.
    """
    if not look.glyphs:
        return sentence
    quoted = [re.escape(quote_if_card(name)) for name in names if quote_if_card(name) != name]
    cards = rf"\b(?P<card>{'|'.join(look.glyphs)})\b"

    def replace_card(found: re.Match[str]) -> str:
        return format_card(found["card"], look) if found["card"] else found[0]

    return re.sub("|".join([*quoted, cards]), replace_card, sentence)


def index_glyphs_by_sign(look: Look) -> dict[str, Glyph]:
    """Return the glyphs by the text that readers see, in the active language."""
    return {format_card(card, look): glyph for card, glyph in look.glyphs.items()}
