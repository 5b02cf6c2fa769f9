"""One seat's view of a race, and the words for people."""

from __future__ import annotations

from dataclasses import dataclass

from games.contract.asks import Ask, Step
from games.contract.notation import Action
from games.contract.phrases import Phrase, Who
from games.contract.seats import Seat
from race_to_ten.rules import Card, Deal, Dealing, Finished, Roll, Rolled, Rolling, State, Take, Turn


@dataclass(frozen=True)
class View:
    me: Seat | None
    turn: Seat | None = None
    card: int = 0  # this seat's own; 0: none
    dice: tuple[int, ...] = ()
    places: tuple[int, ...] = ()  # by seat


def view(state: State, me: Seat | None) -> View:
    if isinstance(state, Dealing | Finished):
        return View(me, places=getattr(state, "places", ()))
    race, dice = (state.race, state.dice) if isinstance(state, Rolling) else (state, ())
    return View(me, race.seat, 0 if me is None else race.cards[me], dice, race.places)


def tell(step: Step[State], now: State, reader: Seat | None) -> tuple[Phrase, ...]:
    who = Who(step.seat)
    match step.before, step.action:
        case _, Deal():
            return (Phrase("Everybody is dealt a hidden card."),)
        case _, Roll():
            return (Phrase("{who} rolls.", who=who),)
        case _, Rolled(dice):
            return (Phrase("The dice show {dice}.", dice=dice),)
        case _, Take(die):
            return (Phrase("{who} goes {steps} further.", who=who, steps=die),)
        case Turn() as before, Card():
            return (Phrase("{who} plays a {card} from the hand.", who=who, card=before.cards[step.seat]),)
    return ()


def question(view: View, ask: Ask) -> Phrase:
    return Phrase("Which die do you take?") if view.dice else Phrase("Roll, or play your card?")


def label(view: View, action: Action) -> Phrase:
    if isinstance(action, Take):
        return Phrase("Take the {die}", die=action.die)
    return Phrase("Play your {card}", card=view.card) if isinstance(action, Card) else Phrase("Roll the dice")


def otherwise(view: View, ask: Ask) -> Phrase:
    return Phrase("you take the higher die") if view.dice else Phrase("you roll")
