"""Forms in which players compose a sentence by ticking and choosing on a page.

A game says which fields there are and which lines follow from them; the service makes the form. A composer knows only
what can be ticked: the rules judge whether a line is legal.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, TypeAlias

from games.contract.notation import Action
from games.contract.phrases import Phrase

Label: TypeAlias = Phrase | str  # a player's name is shown as it is


class Ticks(NamedTuple):
    """Any of several choices, each with its value and label."""

    name: str
    label: Label
    choices: Sequence[tuple[str, Label]]
    ticked: Sequence[str] = ()
    required: bool = False


class Pick(NamedTuple):
    """One of several choices."""

    name: str
    label: Label
    choices: Sequence[tuple[str, Label]]
    picked: str


class Count(NamedTuple):
    """A number from zero to `most`, or nothing."""

    name: str
    label: Label
    most: int
    initial: int | None = None


Field: TypeAlias = Ticks | Pick | Count
Values: TypeAlias = Mapping[str, Any]  # by field: a list of choices, a choice, a number or None


def no_preview(view: Any, values: Values) -> Any:
    return None


@dataclass(frozen=True)
class Composer:
    """A form for one kind of line. `line` is from the link that the player followed, `draft` the offer they answer."""

    says: type[Action]
    template: str
    fields: Callable[[Any, Sequence[str], str, str], tuple[Field, ...]]  # of a view, players' names, a line, a draft
    lines: Callable[[Any, Values], tuple[str, ...]]  # what is said; several if the form can compose several at once
    preview: Callable[[Any, Values], Any] = no_preview  # a picture of the line before it is said, …
    preview_template: str = ""  # … drawn by this template, also beside a ready answer
    label: Phrase | None = None  # of the button in letters that leads to it; None: a general one
    takes_note: bool = False  # whether a few words may go with it
