"""The moves that a letter prints, each with a mark that a reply can name. The page has all of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from beanpost.play.display.orders.offers import find_planned_moves, find_sensible_lines
from beanpost.play.display.question import Group, Option
from beanpost.play.display.scene import Scene
from beanpost.post.reply_parser.marks import format_mark

MAX_PRINTED = 20


@dataclass(frozen=True, repr=False)  # its answers must not get into a log
class Menu:
    """The moves that a letter prints about one question, each with the number of its mark."""

    options: Sequence[Option] = ()
    plans: Sequence[Option] = ()  # moves that are offered with a plan, numbered after the others
    groups: Sequence[Group] = ()  # the options, in the page's groups
    cut_groups: Sequence[Group] = ()  # groups of the page that hold more moves than the letter prints
    is_whole: bool = True

    @property
    def example(self) -> Option:
        """A move that a reply can make as it stands: the first that costs nothing, if there is one."""
        return next((option for option in self.options if not option.warning), self.options[0])


def build_menu(shown: Scene) -> Menu:
    """Return the moves that a letter prints about the reader's question; none without one."""
    question = shown.question
    if question is None:
        return Menu()
    planned = find_planned_moves(shown)
    options = choose_printed(shown, planned)
    printed = {option.line: option for option in options}  # numbered otherwise than on the page
    kept = [[printed[option.line] for option in group.options if option.line in printed] for group in question.groups]
    pairs = list(zip(question.groups, kept, strict=True))
    return Menu(
        options=options,
        plans=[replace(option, number=number) for number, option in enumerate(planned, len(options) + 1)],
        groups=[Group(group.heading, left) for group, left in pairs if left],
        cut_groups=[group for group, left in pairs if group.heading and len(left) < len(group.options)],
        is_whole=len(options) == len(question.options),
    )


def choose_printed(shown: Scene, planned: Sequence[Option]) -> list[Option]:
    """Return the moves in the page's order, without those that do not fit: ruinous moves go first, then costly ones,
    then the last. The default, the bot's move, moves with a plan and one-word moves such as passing always stay.

    They are numbered anew: a gap in the numbers would make readers look for the missing move.
    """
    options = shown.question.options if shown.question else []
    if len(options) <= MAX_PRINTED:
        return options
    kept = {*find_sensible_lines(shown), *(option.line for option in planned)}
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


def list_marked_moves(menu: Menu, before: int = 0, **more: Any) -> list[dict[str, Any]]:
    """Return the printed moves as stored with the letter; `before` moves were numbered before these."""
    return [
        {"mark": format_mark(option.number + before), "line": option.line, "label": option.label}
        | ({"order": option.order} if option.order else {})
        | more
        for option in (*menu.options, *menu.plans)
    ]
