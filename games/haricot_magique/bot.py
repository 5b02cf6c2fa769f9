"""A careful player of Le Haricot Magique. It sees a view and a question, nothing else."""

from __future__ import annotations

from games.haricot_magique.view import View
from games.notation import Action
from games.rules import Ask


def choose(view: View, ask: Ask) -> Action:
    assert ask.default
    return ask.default
