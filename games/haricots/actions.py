"""The moves of Haricots, as sentences."""

from __future__ import annotations

from games.contract.notation import Action, Numbers, SeatLetter


class Start(Action):
    """The dealer: this seat begins the first round."""

    says = "start {seat}"
    seat: SeatLetter


class Shuffle(Action):
    """The dealer: all cards in their new order, top card first; once in each round."""

    says = "shuffle {cards}"
    cards: Numbers


class Play(Action):
    """Play one card, or several of the same value. The 1 and the 2 are always written so, whatever they count."""

    says = "play {cards}"
    cards: Numbers


class Pass(Action):
    """Draw from the personal deck and pass. In the basic rules, with an empty deck: drop out."""

    says = "pass"


class Fold(Action):
    """Show the hand, set a longest run aside, and pay one for each card left. Not in the basic rules."""

    says = "fold"


VOCABULARY = (Start, Shuffle, Play, Pass, Fold)
