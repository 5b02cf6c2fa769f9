"""The question of each phase, with every ready answer, and the reasons for refusals."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache, lru_cache
from itertools import islice

from games.contract.asks import Ask
from games.contract.errors import Illegal, RulesError
from games.contract.notation import Action
from games.contract.seats import DEALER
from games.haricot_magique.actions import (
    Aimed,
    Axe,
    Bag,
    Choose,
    Enough,
    Eye,
    Faces,
    Hide,
    More,
    Reroll,
    Roll,
    Rolled,
    ShuffleBags,
    ShuffleCards,
    Skip,
    Spare,
    Stack,
    Start,
    Steal,
    Strike,
    Sway,
)
from games.haricot_magique.names import rolling
from games.haricot_magique.state import (
    Choosing,
    Dealing,
    Extending,
    Filling,
    Grabbing,
    Hiding,
    Power,
    Preparing,
    Rerolling,
    Rolling,
    Sparing,
    Squinting,
    Stacking,
    Starting,
    State,
    Stealing,
    Swaying,
    Throwing,
    Turn,
    Winking,
)
from games.haricot_magique.steps.dealing import SPREAD
from games.haricot_magique.steps.gold import richer
from games.haricot_magique.steps.rolling import NUMBERS, can_throw
from games.haricot_magique.steps.rounds import card_of

MOST_ORDERS = 60  # the most ready answers for a stack; any other order can be composed


# ── before the first round, and at the beginning of each ──


def first_holder(state: Starting) -> tuple[Ask, ...]:
    return (Ask(DEALER, "first holder", menu=tuple(map(Start, range(state.seats)))),)


def bags_to_shuffle(state: Filling) -> tuple[Ask, ...]:
    return (Ask(DEALER, "shuffle bags", free=(ShuffleBags,)),)


def cards_to_shuffle(state: Dealing) -> tuple[Ask, ...]:
    return (Ask(DEALER, f"shuffle cards {len(state.garden.climbers) + 1}", free=(ShuffleCards,)),)


def cards_to_seal(state: Choosing) -> tuple[Ask, ...]:
    about = f"round {state.number} card"
    return tuple(
        Ask(seat, about, menu=tuple(map(choice, climber.hand)), default=choice(climber.hand[0]))
        for seat, climber in enumerate(state.garden.climbers)
        if state.sealed[seat] is None
    )


# ── in a turn ──


def about(state: Turn, what: str) -> str:
    return f"round {state.round.number} turn {state.round.turn} {what}"


def how_many(state: Preparing) -> tuple[Ask, ...]:
    card = card_of(state.garden, state.round)
    menu: tuple[Action, ...] = rolls(card)
    if can_throw(state.garden, state.round):
        menu += axes(card, len(state.garden.stalk))
    return (Ask(state.round.seat, about(state, "dice"), menu=menu, default=menu[0]),)


def how_many_more(state: Extending) -> tuple[Ask, ...]:
    more = map(More, range(1, state.most + 1))
    return (Ask(state.round.seat, about(state, f"extra {state.roll}"), menu=(*more, Enough()), default=Enough()),)


def how_to_stack(state: Stacking) -> tuple[Ask, ...]:
    menu = orders(state.dice)
    return (Ask(state.round.seat, about(state, "stack"), menu=menu, free=(Stack,), default=menu[0]),)


# ── powers, none of which has to be used ──


def whether(state: Power, what: str, *powers: Action) -> tuple[Ask, ...]:
    return (Ask(state.round.seat, about(state, what), menu=(*powers, Skip()), default=Skip()),)


def whether_to_hide(state: Hiding) -> tuple[Ask, ...]:
    return whether(state, "hide", Hide())


def whether_to_steal(state: Stealing) -> tuple[Ask, ...]:
    return whether(state, "steal", *map(Steal, richer(state.garden, state.round.seat)))


def which_die_to_spare(state: Sparing) -> tuple[Ask, ...]:
    return whether(state, f"spare {state.roll}", *map(Spare, dict.fromkeys(state.dice)))


def whether_to_reroll(state: Squinting) -> tuple[Ask, ...]:
    return whether(state, "eyes", Reroll())


def who_gets_the_eye(state: Winking) -> tuple[Ask, ...]:
    return whether(state, "eye", *map(Eye, sorted(state.round.to_play)))


# ── left to chance ──


def which_bag(state: Grabbing) -> tuple[Ask, ...]:
    bags = range(1, len(state.garden.climbers[state.victim].bags) + 1)
    return (Ask(DEALER, about(state, "bag"), menu=tuple(map(Bag, bags))),)


def where_it_strikes(state: Throwing) -> tuple[Ask, ...]:
    levels = range(state.aim - SPREAD, state.aim + SPREAD + 1)
    return (Ask(DEALER, about(state, "strike"), menu=tuple(map(Strike, levels))),)


def what_is_rolled(state: Rolling) -> tuple[Ask, ...]:
    return (Ask(DEALER, about(state, f"roll {state.roll}"), free=(Rolled,)),)


def what_is_rerolled(state: Rerolling) -> tuple[Ask, ...]:
    return (Ask(DEALER, about(state, "reroll"), free=(Rolled,)),)


def how_it_sways(state: Swaying) -> tuple[Ask, ...]:
    return (Ask(DEALER, about(state, "sway"), free=(Sway,)),)


# ── menus ──


@cache
def choice(card: int) -> Choose:
    return Choose(card)


@cache
def rolls(card: int) -> tuple[Roll, ...]:
    """Return every number the card allows, the smallest first."""
    return tuple(map(Roll, sorted(NUMBERS[card])))


@cache
def axes(card: int, levels: int) -> tuple[Axe, ...]:
    """Return throws at every level, with every number of dice the card allows."""
    return tuple(Axe(level, roll.dice) for level in range(1, levels + 1) for roll in rolls(card))


@lru_cache(maxsize=4_096)
def orders(dice: Faces) -> tuple[Stack, ...]:
    """Return the distinct orders of the dice, aimed at the centre, up to MOST_ORDERS: the rolled order first.

    >>> [str(stack) for stack in orders(("eye", "trunk", "eye"))]
    ['stack eye trunk eye', 'stack eye eye trunk', 'stack trunk eye eye']
    """
    return tuple(Stack(tuple(map(Aimed, order))) for order in islice(arranged(dice), MOST_ORDERS))


def arranged(dice: Faces) -> Iterator[Faces]:
    if not dice:
        yield ()
    for face in dict.fromkeys(dice):
        place = dice.index(face)
        for order in arranged((*dice[:place], *dice[place + 1 :])):
            yield (face, *order)


def why_not(state: State, ask: Ask, action: Action) -> RulesError | None:
    """Return a reason the player can act on. Only the asked seat reads it, so it may name cards of the hand."""
    match state, action:
        case Choosing(), Choose(card):
            return Illegal("You don’t have card {card} in your hand.", card=card)
        case Preparing(), (Roll() | Axe()) if Roll(action.dice) not in ask.menu:
            allowed = rolling(roll.dice for roll in rolls(card_of(state.garden, state.round)))
            return Illegal("With this card you can {rolls}.", rolls=allowed)
        case Preparing(), Axe() if can_throw(state.garden, state.round):
            return Illegal("The stalk doesn’t have a level {level}.", level=action.level)
        case Preparing(), Axe() if state.garden.variant == "base":
            return Illegal("You’ve already thrown your axe. You only get one per game.")
        case Preparing(), Axe():
            return Illegal("You don’t have an axe to throw this turn.")
        case Stealing(), Steal():
            return Illegal("You can only steal from a player with more bags than you.")
        case Sparing(), Spare(face):
            return Illegal("None of your dice shows {face}.", face=face)
        case Extending(), More():
            return Illegal("You can roll up to {most} more dice.", most=state.most)
        case Winking(), Eye():
            return Illegal("You can only give the eye token to a player who hasn’t played yet this round.")
    return None
