"""A random player, who now and then also speaks when nobody waits."""

from __future__ import annotations

import random
from typing import Any

from games.contract.asks import Ask
from games.contract.notation import Action
from games.engine.bots import Bot
from tests.games.bohnanza.composer import compose


def anybody(seed: int) -> Bot:
    chance = random.Random(seed)

    def say(view: Any, ask: Ask) -> Action | None:
        if ask.default is None and chance.random() < 0.9:
            return None
        composed = compose(view, ask, chance) if ask.free and chance.random() < 0.4 else None
        return composed or (chance.choice(ask.menu) if ask.menu else None)

    return say
