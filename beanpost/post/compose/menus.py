"""The moves that a letter prints, each with a mark that a reply can name. The page has all of them."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from beanpost.play.display.orders.offers import find_planned_moves, find_sensible_lines
from beanpost.play.display.question import Option
from beanpost.play.display.scene import Scene
from beanpost.post.reply_parser.marks import format_mark

MAX_PRINTED = 20


def choose_printed(shown: Scene) -> list[Option]:
    """Return the moves in the page's order, without those that do not fit: ruinous moves go first, then costly ones,
    then the last. The default, the bot's move, moves with a plan and one-word moves such as passing always stay.

    They are numbered anew: a gap in the numbers would make readers look for the missing move.
    """
    options = shown.question.options if shown.question else []
    if len(options) <= MAX_PRINTED:
        return options
    kept = {*find_sensible_lines(shown), *(option.line for option in find_planned_moves(shown))}
    by_need = sorted(
        options,
        key=lambda option: (
            option.line not in kept and " " in option.line,
            bool(option.ruin),
            bool(option.warning),
            option.number,
        ),
    )
    in_order = sorted(by_need[:MAX_PRINTED], key=lambda option: option.number)
    return [replace(option, number=number) for number, option in enumerate(in_order, 1)]


def are_all_printed(shown: Scene) -> bool:
    return shown.question is None or len(shown.question.options) <= MAX_PRINTED


def number_plans(shown: Scene) -> list[Option]:
    """Return the moves that are offered with a plan, numbered after the others."""
    moves = len(choose_printed(shown))
    return [replace(option, number=number) for number, option in enumerate(find_planned_moves(shown), moves + 1)]


def count_printed(shown: Scene) -> int:
    return len(choose_printed(shown)) + len(find_planned_moves(shown))


def list_marked_moves(shown: Scene, before: int = 0, **more: Any) -> list[dict[str, Any]]:
    """Return the printed moves as stored with the letter; `before` moves were numbered before these."""
    return [
        {
            "mark": format_mark(option.number + before),
            "line": option.line,
            "label": option.label,
            **find_order_value(option),
            **more,
        }
        for option in (*choose_printed(shown), *number_plans(shown))
    ]


def find_order_value(option: Option) -> dict[str, str]:
    return {"order": option.order} if option.order else {}
