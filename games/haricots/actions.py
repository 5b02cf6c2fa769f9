"""What is said at a table of Haricots."""

from __future__ import annotations

from games.notation import Action, Numbers, SeatLetter


class Start(Action):
    says = "start {seat}"
    seat: SeatLetter


class Shuffle(Action):
    says = "shuffle {cards}"
    cards: Numbers


class Play(Action):
    says = "play {cards}"
    cards: Numbers


class Pass(Action):
    says = "pass"


class Fold(Action):
    says = "fold"


VOCABULARY = (Start, Shuffle, Play, Pass, Fold)
