"""The moves that a letter prints, each with a number that a reply can name. The page has all of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from beanpost.play.display.parts import Option
from beanpost.play.display.scene import Scene

MOST_PRINTED = 12


def choose_printed(options: Sequence[Option]) -> list[Option]:
    """Return the first dozen moves in the menu's order, always including one-word moves such as passing.

    They are numbered anew: a gap in the numbers would make readers look for the missing move.
    """
    if are_all_printed(options):
        return list(options)
    endings = [option for option in options if " " not in option.line]
    others = [option for option in options if " " in option.line]
    chosen = [*others[: max(0, MOST_PRINTED - len(endings))], *endings[:MOST_PRINTED]]
    in_order = sorted(chosen, key=lambda option: option.number)
    return [replace(option, number=number) for number, option in enumerate(in_order, 1)]


def are_all_printed(options: Sequence[Option]) -> bool:
    return len(options) <= MOST_PRINTED


def number_plans(shown: Scene) -> list[Option]:
    """Return the moves that are offered with a plan, numbered after the others."""
    moves = len(choose_printed(shown.options))
    return [replace(option, number=number) for number, option in enumerate(shown.planned_moves, moves + 1)]


def count_printed(shown: Scene) -> int:
    return len(choose_printed(shown.options)) + len(shown.planned_moves)


def list_numbered_moves(shown: Scene, before: int = 0, **more: Any) -> list[dict[str, Any]]:
    """Return the printed moves as stored with the letter; `before` moves were numbered before these."""
    return [
        {
            "number": option.number + before,
            "line": option.line,
            "label": option.label,
            **find_order_value(option),
            **more,
        }
        for option in (*choose_printed(shown.options), *number_plans(shown))
    ]


def find_order_value(option: Option) -> dict[str, str]:
    return {"order": option.order} if option.order else {}
