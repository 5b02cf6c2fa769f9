"""Labels of moves as they were worded before.

A letter keeps the labels it printed. Pages and older letters showed other labels; replies that use them are still read.
A game lists its former texts with the words of its replies.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from django.utils.translation import gettext, ngettext, pgettext

from beanpost.play.display.scene import Scene
from beanpost.play.display.wording import format_value
from games.contract.phrases import Phrase, Plural, Term


def find_former_labels(shown: Scene) -> dict[str, str]:
    """Return the lines of those ready answers whose labels have changed, by their former labels.

    A former label that fits two moves is left out, because a reply with it would be ambiguous.
    """
    former = shown.rules.replies.former_labels
    if not former:
        return {}
    assert shown.wait is not None
    found: dict[str, set[str]] = {}
    for option in shown.options:
        action = shown.table.read(shown.wait.seat, option.line)
        label = format_former(shown.rules.words.label(shown.view, action), shown.names, former)
        if label != option.label:
            found.setdefault(label, set()).add(option.line)
    return {label: line for label, [line, *others] in found.items() if not others}


def format_former(phrase: Phrase, names: Sequence[str], former: Mapping[str, str]) -> str:
    """Return a phrase in its former words, if it was reworded."""
    if isinstance(phrase, Term):
        return pgettext(phrase.context, phrase.text)
    text = phrase.source(ngettext) if isinstance(phrase, Plural) else gettext(phrase.text)
    values = {
        gap: format_former(value, names, former) if isinstance(value, Phrase) else format_value(value, names)
        for gap, value in phrase.values.items()
    }
    return former.get(text, text).format(**values)
