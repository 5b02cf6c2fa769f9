"""The chain of takers, checked along every possible path."""

import pytest

from games.contract.game import only_answer
from games.pas_de_haricots import rules
from games.pas_de_haricots.actions import Take
from games.pas_de_haricots.deck import DECK
from games.pas_de_haricots.state import Farmer, Leading, Taking


def turned_over(seats, holder):
    """Return a turn with all cards open: the card of seat n is the nth of the deck."""
    farmers = (Farmer(hand=("KC",)),) * seats
    return Taking("three", 1, 1, holder, (), farmers, lying=DECK[:seats], taker=holder)


def walks(state, taken=()):
    """Yield every way to take the cards: takers, owners, and the number of choices each had."""
    if not isinstance(state, Taking):
        yield state, taken
        return
    [ask] = rules.asks(state)
    for take in ask.menu:
        assert isinstance(take, Take)
        step = (ask.seat, take.seat, len(ask.menu))
        yield from walks(rules.apply(state, ask.seat, take), (*taken, step))


def factorial(n):
    return n * factorial(n - 1) if n else 1


chains = pytest.mark.parametrize(("seats", "holder"), [(n, h) for n in (3, 4, 5, 6) for h in range(n)])


@chains
def test_every_chain_serves_each_seat_once_and_ends_with_the_bean_card(seats, holder):
    ends = list(walks(turned_over(seats, holder)))
    assert len(ends) == factorial(seats - 1)
    for end, taken in ends:
        takers, owners, _ = zip(*taken, strict=True)
        assert sorted(takers) == sorted(owners) == list(range(seats))
        assert takers == (holder, *owners[:-1])  # the owner of the taken card takes next
        assert owners[-1] == holder
        assert isinstance(end, Leading)
        assert (end.holder, end.turn) == (takers[-1], 2)


@chains
def test_nobody_takes_their_own_card(seats, holder):
    for end, taken in walks(turned_over(seats, holder)):
        assert all(taker != owner for taker, owner, _ in taken)
        assert all(end.farmers[taker].collected == (DECK[owner],) for taker, owner, _ in taken)


@chains
def test_only_the_last_two_takes_are_forced(seats, holder):
    for _, taken in walks(turned_over(seats, holder)):
        assert [choices for *_, choices in taken] == [*range(seats - 1, 0, -1), 1]


@chains
def test_the_house_takes_if_there_is_only_one_card_to_take(seats, holder):
    state = turned_over(seats, holder)
    answers = []
    while isinstance(state, Taking):
        [ask] = rules.asks(state)
        answers.append(only_answer(state, ask))
        state = rules.apply(state, ask.seat, ask.menu[0])
    assert answers[:-2] == [None] * (seats - 2)
    assert all(isinstance(answer, Take) for answer in answers[-2:])


def test_the_default_takes_from_the_first_seat_clockwise_among_equals():
    state = Taking("three", 1, 1, 0, (), (Farmer(("KC",)),) * 5, lying=("1S", "4S", "4H", "4D", "4C"), taker=0)
    defaults = [rules.asks(rules.apply(state, 0, Take(owner)))[0].default for owner in (1, 2, 3, 4)]
    assert [str(default) for default in defaults] == ["take C", "take D", "take E", "take B"]
