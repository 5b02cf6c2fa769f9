"""Print every sentence of every game, from the classes of the moves."""

from __future__ import annotations

from collections.abc import Iterator
from inspect import cleandoc
from typing import Any

from games.contract import house_lines
from games.contract.game import Game
from games.contract.notation import Action, Vocabulary, describe_form
from games.engine.catalogue import GAMES

INTRODUCTION = """\
# Notation: one move, one line

A move is one line of text: in the log, in letters, in replies and in tests. Case and spacing don't matter when a line
is read; the canonical line is stored. `<cards>` stands for a value; a list has single spaces between its values. A part
in square brackets may be left out. Seats are the letters `A`, `B`, `C` …, clockwise.
Numbers are written in the digits 0 to 9, without leading zeros.

A standing order is written and read in the same way. Each game's page in `docs/games/` explains its orders and how its
cards are written.
"""

HOUSE_LINES = """\
These lines are about a match of any game, and are in the log like moves. `rewind to 41` returns the table to its state
after line 41; the other lines don't change the game. Times are written in UTC: `2026-12-01T18:00Z`.
"""


ORDERS = """\
Standing orders, which are not in the log:
"""


def render_notation_guide() -> str:
    """Return what `python -m games notation` prints, as Markdown."""
    return "\n".join([INTRODUCTION, *(render_chapter(rules) for rules in GAMES.values()), render_house_chapter()])


def render_house_chapter() -> str:
    return "\n".join(["## The house\n", HOUSE_LINES, *list_sentences(house_lines.VOCABULARY), ""])


def render_chapter(rules: Game[Any, Any]) -> str:
    orders = [ORDERS, *list_sentences(rules.orders.kinds), ""] if rules.orders.kinds else []
    return "\n".join([f"## {rules.title}\n", *list_sentences(rules.vocabulary), "", *orders])


def list_sentences(vocabulary: Vocabulary) -> Iterator[str]:
    for kind in vocabulary:
        explained = get_own_docstring(kind)
        yield f"- `{describe_form(kind)}`{': ' if explained else ''}{explained}"


def get_own_docstring(kind: type[Action]) -> str:
    """Return a class's own docstring, or "": a dataclass without one gets its signature as `__doc__`."""
    text = cleandoc(kind.__doc__ or "")
    return "" if text.startswith(f"{kind.__name__}(") else " ".join(text.split())
