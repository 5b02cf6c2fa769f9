"""Match ready answers with pieces on the table, so that tapping a piece leaves only the answers about it.

A piece is identified by a group and a value from the action: ("hand", 5), ("pile", "left"), ("seat", 2).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from beanpost.play.display.question import drop_equal_answers
from beanpost.play.display.scene import Scene
from games.contract.notation import Action

MAX_PIECES = 40  # pieces; tables.css has a rule for each


class Piece(NamedTuple):
    group: str
    value: object


def find_pieces(action: Action, groups: Mapping[str, str]) -> list[Piece]:
    """Return the pieces that an action is about, given the group of each field; several equal cards are one piece."""
    fields = ((groups[name], value) for name, value in vars(action).items() if name in groups and value != ())
    return [Piece(group, value[0] if isinstance(value, tuple) else value) for group, value in fields]


class Board:
    """The pieces of a table, numbered in the order in which the ready answers name them."""

    def __init__(self, scene: Scene) -> None:
        menu = scene.question.ask.menu if scene.question else ()
        answers = drop_equal_answers(scene.rules, scene.view, menu).values()
        self.answers = {str(action): find_pieces(action, scene.rules.look.pieces) for action in answers}
        pieces = dict.fromkeys(piece for touching in self.answers.values() for piece in touching)
        self.numbers = {piece: number for number, piece in enumerate(list(pieces)[:MAX_PIECES], 1)}

    def find_number(self, group: str, value: object) -> int | None:
        """Return the number of a piece; None if it cannot be tapped."""
        return self.numbers.get(Piece(group, value))

    def find_numbers(self, line: str) -> Sequence[int]:
        """Return the numbers of the pieces that an answer is about."""
        return [self.numbers[piece] for piece in self.answers.get(line, ()) if piece in self.numbers]
