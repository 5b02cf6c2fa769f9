"""How a game's table is shown, beside its templates and stylesheets."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple, TypeAlias

from games.contract.phrases import Phrase

DEFAULT_PIECES = {"card": "hand", "cards": "hand", "pile": "pile", "field": "field", "seat": "seat"}


Layers: TypeAlias = tuple[tuple[str, tuple[int, ...]], ...]  # symbols, the last on top, each with its box or ()


class Glyph(NamedTuple):
    """A card as readers see it within a sentence: a text and a sign, and for screen readers a word for the sign."""

    text: str | Phrase
    sign: str
    word: Phrase


def draw_by_name(names: Iterable[object], prefix: str = "") -> dict[str, Layers]:
    """Return the drawings of words that name their own symbols.

    >>> draw_by_name(["wax"]), draw_by_name(["eye"], "die-")
    ({'wax': (('wax', ()),)}, {'eye': (('die-eye', ()),)})
    """
    return {str(name): ((f"{prefix}{name}", ()),) for name in names}


def get_hand(view: Any) -> Sequence[object]:
    return getattr(view, "hand", ())


@dataclass(frozen=True)
class Look:
    """Everything the service needs to show a table."""

    functions: Mapping[str, Callable[..., Any]] = field(default_factory=dict)  # for its templates: `games.race.name(…)`
    glyphs: Mapping[str, Glyph] = field(default_factory=dict)  # by the word of the notation
    drawings: Mapping[str, Layers] = field(default_factory=dict)  # small pictures for the story, likewise
    card_names: str = ""  # a regular expression for players' names that could be taken for a card
    hand: Callable[[Any], Sequence[object]] = get_hand  # the cards of a seat, in its own view
    pieces: Mapping[str, str] = field(default_factory=DEFAULT_PIECES.copy)  # field of an action: group of pieces to tap


PLAIN_LOOK = Look()
