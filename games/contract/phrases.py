"""Translatable sentences for players, kept out of the rules.

A phrase is an English text with named gaps and the values that fill them. `str` returns it in English with
seats as letters; the service fills the same gaps in the reader's language, with players' names for seats.

>>> str(Phrase("{who} plays {cards}.", who=Who(1), cards=(6, 6)))
'B plays 6 6.'
>>> str(Plural("{who} has one card.", "{who} has {count} cards.", count=3, who=Who(0)))
'A has 3 cards.'
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple, TypeAlias, Union

from games.contract.seats import Seat, seat_label


class Who(NamedTuple):
    """A seat in a sentence, shown as the player's name."""

    seat: Seat


Value: TypeAlias = Union[int, str, Who, "Phrase", Sequence["Value"]]


class Phrase:
    """A text with gaps, and the values that fill them."""

    def __init__(self, text: str, **values: Value) -> None:
        self.text = text
        self.values = values

    def source(self, choose: Callable[[str, str, int], str]) -> str:
        """Return the text to translate. `choose` picks singular or plural for phrases that count."""
        return self.text

    def __str__(self) -> str:
        text = self.source(lambda one, many, count: one if count == 1 else many)
        return text.format(**{name: to_english(value) for name, value in self.values.items()})

    def __repr__(self) -> str:
        gaps = "".join(f", {name}={value!r}" for name, value in self.values.items())
        return f"{type(self).__name__}({self.text!r}{gaps})"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Phrase) and (self.text, self.values) == (other.text, other.values)

    def __hash__(self) -> int:
        return hash((self.text, tuple(self.values)))


class Term(Phrase):
    """A word that is translated by its context: "Red" the bean is not "red" the colour.

    >>> str(Term("bean", "Red"))
    'Red'
    """

    def __init__(self, context: str, text: str) -> None:
        super().__init__(text)
        self.context = context


class Plural(Phrase):
    """A phrase that counts: one text for exactly one, another for every other number."""

    def __init__(self, one: str, many: str, *, count: int, **values: Value) -> None:
        super().__init__(one, count=count, **values)
        self.many = many
        self.count = count

    def source(self, choose: Callable[[str, str, int], str]) -> str:
        return choose(self.text, self.many, self.count)

    def __repr__(self) -> str:
        gaps = "".join(f", {name}={value!r}" for name, value in self.values.items())
        return f"Plural({self.text!r}, {self.many!r}{gaps})"


def to_english(value: Value) -> str:
    match value:
        case Who(seat):
            return seat_label(seat)
        case int() | str() | Phrase():
            return str(value)
        case _:
            return " ".join(map(to_english, value))
