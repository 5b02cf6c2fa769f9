"""Phrases of the games in the reader's language, with names for seats."""

from __future__ import annotations

from collections.abc import Sequence

from django.utils.translation import gettext, ngettext

from games.phrases import Phrase, Value, Who


def told(phrase: Phrase, names: Sequence[str]) -> str:
    """The phrase as a sentence, in the active language."""
    text = phrase.source(ngettext) if hasattr(phrase, "many") else gettext(phrase.text)
    return text.format(**{gap: in_words(value, names) for gap, value in phrase.values.items()})


def in_words(value: Value, names: Sequence[str]) -> str:
    match value:
        case Who(seat):
            return names[seat]
        case Phrase():
            return told(value, names)
        case int() | str():
            return str(value)
        case _:
            return " ".join(in_words(item, names) for item in value)
