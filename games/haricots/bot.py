"""A steady player of Haricots. It sees a view and a question, nothing else."""

from __future__ import annotations

from games.haricots.actions import Fold, Pass, Play
from games.haricots.rules import cost_of_folding
from games.haricots.view import View
from games.notation import Action
from games.rules import Ask

DANGER = 2  # a neighbour with so few cards may end the round at any moment


def choose(view: View, ask: Ask) -> Action:
    plays = [action for action in ask.menu if isinstance(action, Play)]
    if plays and (last := [play for play in plays if len(play.cards) == len(view.hand)]):
        return last[0]
    if Fold() in ask.menu and better_out(view):
        return Fold()
    if plays:
        return shed_most(plays) if view.to_beat == 0 else cheapest(plays)
    return Pass() if Pass() in ask.menu else Fold()


def shed_most(plays: list[Play]) -> Play:
    """With an empty table, get rid of many low cards at once."""
    return max(plays, key=lambda play: (len(play.cards), -play.cards[0]))


def cheapest(plays: list[Play]) -> Play:
    """More cards first, then the lowest: strength is kept for later."""
    return min(plays, key=lambda play: (-len(play.cards), play.cards[0]))


def better_out(view: View) -> bool:
    """Whether somebody else is about to end the round while folding costs clearly less."""
    others = [n for n in view.seats if n.inside and n.seat != view.me]
    in_danger = min(n.cards for n in others) <= DANGER
    return in_danger and cost_of_folding(view.hand) + 2 <= len(view.hand)
