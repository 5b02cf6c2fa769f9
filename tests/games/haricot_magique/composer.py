"""Compose random stacks: any order, aimed anywhere."""

from __future__ import annotations

import random

from games.contract.asks import Ask
from games.contract.notation import Action
from games.haricot_magique.actions import Aimed, Stack
from games.haricot_magique.stalk import FURTHEST_AIM
from games.haricot_magique.view import View


def compose(view: View, ask: Ask, chance: random.Random) -> Action | None:
    if Stack not in ask.free:
        return None
    order = chance.sample(view.dice, len(view.dice))
    return Stack(tuple(Aimed(face, chance.randint(-FURTHEST_AIM, FURTHEST_AIM)) for face in order))
