"""What is said at a table of Haricots."""

from __future__ import annotations

from games.notation import Action, Numbers, SeatLetter


class Start(Action):
    """The dealer: this seat begins the first round."""

    says = "start {seat}"
    seat: SeatLetter


class Shuffle(Action):
    """The dealer: all cards in their new order, the top one first; once in each round."""

    says = "shuffle {cards}"
    cards: Numbers


class Play(Action):
    """One card, or several of one value. The 1 and the 2 are written so, whatever they count."""

    says = "play {cards}"
    cards: Numbers


class Pass(Action):
    """Draw from the personal deck and pass; by the basic rules, with an empty deck, drop out."""

    says = "pass"


class Fold(Action):
    """Show the hand, set a longest run aside, and pay one for each card left; not by the basic rules."""

    says = "fold"


VOCABULARY = (Start, Shuffle, Play, Pass, Fold)
