"""The moves as a letter prints them, each with a number that a reply may name; the rest is on the page."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from beanpost.play.pieces import Option
from beanpost.play.scene import Scene

DOZEN = 12


def on_paper(options: Sequence[Option]) -> list[Option]:
    """The first dozen, as they stand in the menu; what ends the question with one word, as passing does, always.

    They have the letter's own numbers: who counts to ten and goes on with twelve would look for the eleventh.
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


def numbered(shown: Scene, before: int = 0, **more: Any) -> list[dict[str, Any]]:
    """What is kept of them with the letter. So many moves were numbered before these."""
    return [
        {"number": option.number + before, "line": option.line, "label": option.label, **more}
        for option in on_paper(shown.options)
    ]
