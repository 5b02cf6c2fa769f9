"""Labels of moves as they were worded until November 2026.

A letter keeps the labels it printed. Pages and older letters showed other labels; replies that use them are still read.
"""

from __future__ import annotations

from collections.abc import Sequence

from django.utils.translation import gettext, ngettext, pgettext

from beanpost.play.display.scene import Scene
from beanpost.play.display.wording import in_words
from games.contract.phrases import Phrase, Plural, Term
from games.engine import catalogue

OURS = {game.slug for game in catalogue.OURS}
BEANS = ("coffee", "wax", "blue", "chili", "stink", "green", "soy", "black-eyed", "red", "garden", "cocoa")
# Today's text and the former one.
FORMER = {f"a {bean} bean": f"{{count}} {bean} bean" for bean in BEANS} | {
    # Bohnanza
    "Accept {who}’s offer {number}: get {gives} for {wants}": "Accept offer {number} of {who}: get {gives} for {wants}",
    "Decline {who}’s offer {number}: {gives} for {wants}": "Decline offer {number} of {who}: {gives} for {wants}",
    "Discard {beans} (card {place} of your hand)": "Discard {beans} from place {place}",
    "Stop planting and turn up cards": "Plant no more and turn up cards",
    "Leave {cards} to your opponent": "Leave {cards}",
    "Continue": "Go on",
    # Fagioli
    "Play {card} on {pile}: you burst, take the −{penalty} token": "Play {card} on {pile} and burst",
    "Play {card} on {pile} and plant {plant}: you burst, take the −{penalty} token": (
        "Play {card} on {pile}, plant {plant} and burst"
    ),
    "Play {card} on {pile} (same value: nothing happens)": "Play {card} on {pile}, nothing more",
    # Le Haricot Magique
    "Put one die back: {face}": "Put back one die: {face}",
    "Reroll all eyes": "Roll all eyes again",
    "Don’t use the power": "Do without the power",
    # Pas de Haricots
    "Play {card} (flips its suit between plus and minus)": "Play {card} (turns the sign of its suit)",
    "Play {card} (its suit scores nothing)": "Play {card} (makes its suit count nothing)",
    "Take {who}’s {card} (your score: {change})": "Take {card} from {who} (your score: {change})",
}


def labels(shown: Scene) -> dict[str, str]:
    """Return the lines of the ready answers by their former labels, where these have changed.

    A former label that fits two moves is left out: a reply with it names neither. Only our own games were reworded; a
    game from another package may use the same texts, and never had other labels.
    """
    if shown.rules.slug not in OURS:
        return {}
    assert shown.wait is not None
    found: dict[str, set[str]] = {}
    for option in shown.options:
        action = shown.table.read(shown.wait.seat, option.line)
        label = formerly(shown.rules.words.label(shown.view, action), shown.names)
        if label != option.label:
            found.setdefault(label, set()).add(option.line)
    return {label: line for label, [line, *others] in found.items() if not others}


def formerly(phrase: Phrase, names: Sequence[str]) -> str:
    if isinstance(phrase, Term):
        return pgettext(phrase.context, phrase.text)
    text = phrase.source(ngettext) if isinstance(phrase, Plural) else gettext(phrase.text)
    values = {
        gap: formerly(value, names) if isinstance(value, Phrase) else in_words(value, names)
        for gap, value in phrase.values.items()
    }
    return FORMER.get(text, text).format(**values)
