"""The moves that a letter prints, each with a number that a reply can name. The page has all of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from beanpost.play.display.parts import Option
from beanpost.play.display.scene import Scene

DOZEN = 12


def on_paper(options: Sequence[Option]) -> list[Option]:
    """Return the first dozen moves in the menu's order, always including one-word moves such as passing.

    They are numbered anew: a gap in the numbers would make readers look for the missing move.
    """
    if are_all_on_paper(options):
        return list(options)
    endings = [option for option in options if " " not in option.line]
    others = [option for option in options if " " in option.line]
    chosen = [*others[: max(0, DOZEN - len(endings))], *endings[:DOZEN]]
    in_order = sorted(chosen, key=lambda option: option.number)
    return [replace(option, number=number) for number, option in enumerate(in_order, 1)]


def are_all_on_paper(options: Sequence[Option]) -> bool:
    return len(options) <= DOZEN


def plans_on_paper(shown: Scene) -> list[Option]:
    """Return the moves that are offered with a plan, numbered after the others."""
    moves = len(on_paper(shown.options))
    return [replace(option, number=number) for number, option in enumerate(shown.planned, moves + 1)]


def count_on_paper(shown: Scene) -> int:
    return len(on_paper(shown.options)) + len(shown.planned)


def numbered(shown: Scene, before: int = 0, **more: Any) -> list[dict[str, Any]]:
    """Return the printed moves as stored with the letter; `before` moves were numbered before these."""
    return [
        {"number": option.number + before, "line": option.line, "label": option.label, **given_with(option), **more}
        for option in (*on_paper(shown.options), *plans_on_paper(shown))
    ]


def given_with(option: Option) -> dict[str, str]:
    return {"order": option.order} if option.order else {}
