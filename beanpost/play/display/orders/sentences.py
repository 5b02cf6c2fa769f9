"""Standing orders that players build: a sentence with choices in its gaps.

Orders of one kind that differ only in the gaps of their sentence become one sentence. The words of a finished sentence
are read like a typed order, so a form sends its pieces and nothing else.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from string import Formatter
from typing import Any, TypeAlias

from django.utils.translation import gettext, ngettext

from beanpost.play.display.wording import format_value
from games.contract.orders import StandingOrder

Choices: TypeAlias = dict[str, None]  # texts to choose from, in order


@dataclass(frozen=True)
class OrderSentence:
    """A sentence in pieces: each is a list of texts to choose from, or one text."""

    about: str  # what orders of this kind do
    pieces: list[list[str]]

    def choose_texts(self, sent: Sequence[str] = ()) -> list[str]:
        """Return the chosen text of each piece: those that a form sent, or the first ones if it sent another sentence.

        >>> sentence = OrderSentence("", [["In round "], ["2", "3"], [", pass"]])
        >>> sentence.choose_texts(["In round ", "3", ", pass"]), sentence.choose_texts(["In turn ", "3"])
        (['In round ', '3', ', pass'], ['In round ', '2', ', pass'])
        """
        fits = len(sent) == len(self.pieces) and all(map(list.__contains__, self.pieces, sent))
        return list(sent) if fits else [piece[0] for piece in self.pieces]


def build_sentences(
    about: str, orders: Iterable[StandingOrder], view: Any, names: Sequence[str]
) -> list[OrderSentence]:
    """Return the sentences that say orders of one kind, in the active language."""
    shapes: dict[str, dict[str, Choices]] = {}
    for order in orders:
        phrase = order.describe(view)
        text = phrase.source(ngettext) if hasattr(phrase, "many") else gettext(phrase.text)
        gaps = shapes.setdefault(text, {gap: {} for gap in phrase.values})
        for gap, value in phrase.values.items():
            gaps[gap][format_value(value, names)] = None
    return [OrderSentence(about, cut_at_gaps(text, gaps)) for text, gaps in shapes.items()]


def cut_at_gaps(text: str, gaps: dict[str, Choices]) -> list[list[str]]:
    """Cut a text at its gaps. A gap that leaves no choice stays in the text.

    >>> cut_at_gaps("In turn {turn} of round {round}", {"turn": {"4": None, "5": None}, "round": {"1": None}})
    [['In turn '], ['4', '5'], [' of round 1']]
    """
    pieces: list[list[str]] = []
    for words, gap, *_ in Formatter().parse(text):
        for choices in ([words] if words else [], list(gaps[gap]) if gap else []):
            if len(choices) == 1 and pieces and len(pieces[-1]) == 1:
                pieces[-1] = [pieces[-1][0] + choices[0]]
            elif choices:
                pieces.append(choices)
    return pieces
