"""A steady player of Haricots. It sees only a view and a question.

It keeps sets together, saves strong cards for later, and stays in as long as it can: folding for fear of a neighbour's
short hand gives the chip away.
"""

from __future__ import annotations

from games.contract.asks import Ask
from games.contract.notation import Action
from games.haricots.actions import Fold, Pass, Play
from games.haricots.rules import MIGHTY, worth
from games.haricots.view import View


def choose(view: View, ask: Ask) -> Action:
    plays = [action for action in ask.menu if isinstance(action, Play)]
    if not plays:
        return Pass() if Pass() in ask.menu else Fold()
    if last := [play for play in plays if len(play.cards) == len(view.hand)]:
        return last[0]
    return lead(plays, view) if view.to_beat == 0 else follow(plays, view)


def lead(plays: list[Play], view: View) -> Play:
    """Return the cheapest whole set, keeping small beans for when they are mighty."""
    return min(plays, key=lambda play: (breaks_a_set(play, view), play.cards[0] in MIGHTY, sum(play.cards)))


def follow(plays: list[Play], view: View) -> Play:
    """Return a play just high enough, with a whole set if possible."""
    return min(plays, key=lambda play: (breaks_a_set(play, view), worth(play.cards, view.to_beat)))


def breaks_a_set(play: Play, view: View) -> bool:
    return view.hand.count(play.cards[0]) > len(play.cards)
