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
from games.haricot_magique.names import describe_dice_numbers
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
from games.haricot_magique.steps.dealing import AXE_SPREAD
from games.haricot_magique.steps.gold import richer_seats
from games.haricot_magique.steps.rolling import DICE_NUMBERS, can_throw
from games.haricot_magique.steps.rounds import active_card

MAX_STACKS = 60  # the most ready answers for a stack; any other order can be composed


# ── before the first round, and at the beginning of each ──


def ask_first_holder(state: Starting) -> tuple[Ask, ...]:
    return (Ask(DEALER, "first holder", menu=tuple(map(Start, range(state.seats)))),)


def ask_to_shuffle_bags(state: Filling) -> tuple[Ask, ...]:
    return (Ask(DEALER, "shuffle bags", free=(ShuffleBags,)),)


def ask_to_shuffle_cards(state: Dealing) -> tuple[Ask, ...]:
    return (Ask(DEALER, f"shuffle cards {len(state.garden.climbers) + 1}", free=(ShuffleCards,)),)


def ask_for_cards(state: Choosing) -> tuple[Ask, ...]:
    about = f"round {state.number} card"
    return tuple(
        Ask(seat, about, menu=tuple(map(make_choice, climber.hand)), default=make_choice(climber.hand[0]))
        for seat, climber in enumerate(state.garden.climbers)
        if state.sealed[seat] is None
    )


# ── in a turn ──


def make_topic(state: Turn, what: str) -> str:
    return f"round {state.round.number} turn {state.round.turn} {what}"


def ask_how_many_dice(state: Preparing) -> tuple[Ask, ...]:
    card = active_card(state.garden, state.round)
    menu: tuple[Action, ...] = list_rolls(card)
    if can_throw(state.garden, state.round):
        menu += list_axe_throws(card, len(state.garden.stalk))
    return (Ask(state.round.seat, make_topic(state, "dice"), menu=menu, default=menu[0]),)


def ask_how_many_extra(state: Extending) -> tuple[Ask, ...]:
    more = map(More, range(1, state.most + 1))
    return (Ask(state.round.seat, make_topic(state, f"extra {state.roll}"), menu=(*more, Enough()), default=Enough()),)


def ask_how_to_stack(state: Stacking) -> tuple[Ask, ...]:
    menu = list_stacks(state.dice)
    return (Ask(state.round.seat, make_topic(state, "stack"), menu=menu, free=(Stack,), default=menu[0]),)


# ── powers, none of which has to be used ──


def ask_whether(state: Power, what: str, *powers: Action) -> tuple[Ask, ...]:
    return (Ask(state.round.seat, make_topic(state, what), menu=(*powers, Skip()), default=Skip()),)


def ask_whether_to_hide(state: Hiding) -> tuple[Ask, ...]:
    return ask_whether(state, "hide", Hide())


def ask_whether_to_steal(state: Stealing) -> tuple[Ask, ...]:
    return ask_whether(state, "steal", *map(Steal, richer_seats(state.garden, state.round.seat)))


def ask_which_die_to_spare(state: Sparing) -> tuple[Ask, ...]:
    return ask_whether(state, f"spare {state.roll}", *map(Spare, dict.fromkeys(state.dice)))


def ask_whether_to_reroll(state: Squinting) -> tuple[Ask, ...]:
    return ask_whether(state, "eyes", Reroll())


def ask_who_gets_the_eye(state: Winking) -> tuple[Ask, ...]:
    return ask_whether(state, "eye", *map(Eye, sorted(state.round.to_play)))


# ── left to chance ──


def ask_which_bag(state: Grabbing) -> tuple[Ask, ...]:
    bags = range(1, len(state.garden.climbers[state.victim].bags) + 1)
    return (Ask(DEALER, make_topic(state, "bag"), menu=tuple(map(Bag, bags))),)


def ask_where_axe_strikes(state: Throwing) -> tuple[Ask, ...]:
    levels = range(state.aim - AXE_SPREAD, state.aim + AXE_SPREAD + 1)
    return (Ask(DEALER, make_topic(state, "strike"), menu=tuple(map(Strike, levels))),)


def ask_for_roll(state: Rolling) -> tuple[Ask, ...]:
    return (Ask(DEALER, make_topic(state, f"roll {state.roll}"), free=(Rolled,)),)


def ask_for_reroll(state: Rerolling) -> tuple[Ask, ...]:
    return (Ask(DEALER, make_topic(state, "reroll"), free=(Rolled,)),)


def ask_for_sway(state: Swaying) -> tuple[Ask, ...]:
    return (Ask(DEALER, make_topic(state, "sway"), free=(Sway,)),)


# ── menus ──


@cache
def make_choice(card: int) -> Choose:
    return Choose(card)


@cache
def list_rolls(card: int) -> tuple[Roll, ...]:
    """Return every number the card allows, the smallest first."""
    return tuple(map(Roll, sorted(DICE_NUMBERS[card])))


@cache
def list_axe_throws(card: int, levels: int) -> tuple[Axe, ...]:
    """Return throws at every level, with every number of dice the card allows."""
    return tuple(Axe(level, roll.dice) for level in range(1, levels + 1) for roll in list_rolls(card))


@lru_cache(maxsize=4_096)
def list_stacks(dice: Faces) -> tuple[Stack, ...]:
    """Return the distinct orders of the dice, aimed at the centre, up to MAX_STACKS: the rolled order first.

    >>> [str(stack) for stack in list_stacks(("eye", "trunk", "eye"))]
    ['stack eye trunk eye', 'stack eye eye trunk', 'stack trunk eye eye']
    """
    return tuple(Stack(tuple(map(Aimed, order))) for order in islice(distinct_orders(dice), MAX_STACKS))


def distinct_orders(dice: Faces) -> Iterator[Faces]:
    if not dice:
        yield ()
    for face in dict.fromkeys(dice):
        place = dice.index(face)
        for order in distinct_orders((*dice[:place], *dice[place + 1 :])):
            yield (face, *order)


def why_not(state: State, ask: Ask, action: Action) -> RulesError | None:
    """Return a reason the player can act on. Only the asked seat reads it, so it may name cards of the hand."""
    match state, action:
        case Choosing(), Choose(card):
            return Illegal("You don’t have card {card} in your hand.", card=card)
        case Preparing(), (Roll() | Axe()) if Roll(action.dice) not in ask.menu:
            allowed = describe_dice_numbers(roll.dice for roll in list_rolls(active_card(state.garden, state.round)))
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
