"""Generate `docs/notation.md`: every sentence of every game, for people."""

from __future__ import annotations

from collections.abc import Iterator
from inspect import cleandoc
from typing import Any

from games.contract import house_lines
from games.contract.game import Game
from games.contract.notation import Action, Vocabulary, form
from games.engine.catalogue import GAMES

INTRODUCTION = """\
# Notation: one move, one line

`python -m games notation > docs/notation.md` writes this page from the sentences themselves.

A move is said, stored, mailed and tested as one line of text. Case and spacing don't matter when a line is read; the
canonical line is stored. `<cards>` is a gap to be filled, a list with its values separated by single spaces; a part in
square brackets may be left out. Seats are the letters `A`, `B`, `C` …, clockwise.
Numbers are written in the digits 0 to 9, without leading zeros.

A standing order is written and read in the same way. Each game's own page explains its orders and how its cards are
written: [games/](games/).
"""

HOUSE_LINES = """\
Said by the house to a match of any game. They stand in the log like moves; `rewind to 41` puts the table back as it
stood after line 41, and the others leave the game as it is. A moment is written in UTC: `2026-12-01T18:00Z`.
"""


ORDERS = """\
Standing orders, which are no lines of the log:
"""


def notation_page() -> str:
    """Return the text of `docs/notation.md`."""
    return "\n".join([INTRODUCTION, *(chapter(rules) for rules in GAMES.values()), house_chapter()])


def house_chapter() -> str:
    return "\n".join(["## The house\n", HOUSE_LINES, *listed(house_lines.VOCABULARY), ""])


def chapter(rules: Game[Any, Any]) -> str:
    orders = [ORDERS, *listed(rules.orders.kinds), ""] if rules.orders.kinds else []
    return "\n".join([f"## {rules.title}\n", *listed(rules.vocabulary), "", *orders])


def listed(vocabulary: Vocabulary) -> Iterator[str]:
    for kind in vocabulary:
        explained = meaning(kind)
        yield f"- `{form(kind)}`{': ' if explained else ''}{explained}"


def meaning(kind: type[Action]) -> str:
    """Return a class's own docstring, or "": a dataclass without one gets its signature as `__doc__`."""
    text = cleandoc(kind.__doc__ or "")
    return "" if text.startswith(f"{kind.__name__}(") else " ".join(text.split())
