"""Standing orders of Haricots: their answers, their silence, and the reasons they lapse."""

import pytest

import games
from games.contract.notation import read
from games.contract.orders import Lapse, consult, drop_redundant
from games.contract.phrases import Phrase
from games.engine.table import Table
from games.haricots.actions import Fold, Pass, Play
from games.haricots.orders import BeatInRound, FoldInRound, PassInRound, PassUntil, suggest, suggest_beside
from games.haricots.state import EMPTY_TABLE, Farmer, Lying, Playing, Tally

ORDERS = games.get("haricots").orders.kinds


def asked(order, *, hand=(5, 6, 7), deck=(3, 3), to_beat=12, round=2, variant="advanced"):
    """Return the order's opinion when B is asked at the given table."""
    farmers = (Farmer((4, 4), (1,)), Farmer(hand, deck), Farmer((8, 9), ()))
    lying = Lying((to_beat,), to_beat, leader=0) if to_beat else EMPTY_TABLE
    state = Playing(variant, round, 0, (Tally(),) * 3, farmers, 5, 1, lying)
    table = Table(games.get("haricots"), 3, variant, state)
    return order.respond(table.view(1), table.ask(1))


@pytest.mark.parametrize(
    ("line", "order"),
    [
        ("pass until someone plays below 9", PassUntil(9)),
        ("always pass in round 2", PassInRound(2)),
        ("fold in round 2 when nothing can be played", FoldInRound(2)),
        ("beat it cheaply else pass in round 2", BeatInRound(0, 2)),
        ("beat it cheaply up to 12 else pass in round 2", BeatInRound(12, 2)),
    ],
)
def test_an_order_and_its_line_mirror_each_other(line, order):
    assert str(order) == line
    assert read(line.upper(), ORDERS) == order


def test_pass_until_passes_while_the_value_to_beat_is_high():
    assert asked(PassUntil(9), to_beat=12) == Pass()
    assert asked(PassUntil(9), to_beat=9) == Pass()


def test_pass_until_lapses_when_a_player_has_played_below():
    assert asked(PassUntil(9), to_beat=8) == Lapse(Phrase("the value to beat is below {value}", value=9))


def test_pass_until_lapses_at_an_empty_table():
    assert isinstance(asked(PassUntil(1), to_beat=0), Lapse)


def test_no_order_passes_with_an_empty_personal_deck():
    empty = Lapse(Phrase("your deck is empty"))
    assert asked(PassUntil(9), deck=()) == empty
    assert asked(PassInRound(2), deck=()) == empty


@pytest.mark.parametrize("order", [PassInRound(2), FoldInRound(2), BeatInRound(0, 2)])
def test_an_order_for_a_round_waits_for_it_and_lapses_after_it(order):
    assert asked(order, round=1) is None
    assert asked(order, round=3) == Lapse(Phrase("round {round} is over", round=2))


def test_fold_in_round_folds_only_when_nothing_can_be_played():
    assert asked(FoldInRound(2), hand=(5, 6), to_beat=20) == Fold()
    assert asked(FoldInRound(2), hand=(5, 5, 5), to_beat=14) is None


def test_fold_in_round_is_used_once():
    table = Table(games.get("haricots"), 3, "advanced", Playing(
        "advanced", 1, 0, (Tally(),) * 3,
        (Farmer((4,), ()), Farmer((5, 6), (1,)), Farmer((8,), ())), 5, 1, Lying((20,), 20, leader=0),
    ))  # fmt: skip
    [counsel] = consult([FoldInRound(1)], table.view(1), table.ask(1))
    assert counsel.answer == Fold()
    assert counsel.lapse == Lapse(Phrase("it did its job"))


@pytest.mark.parametrize(
    ("hand", "to_beat", "answer"),
    [
        ((5, 6, 7), 4, Play((5,))),
        ((5, 5, 7), 4, Play((7,))),  # a pair stays together
        ((5, 5, 6, 6), 4, Play((5, 5))),
        ((5, 6, 7), 12, Pass()),
        ((1, 7, 15), 15, Play((1,))),  # mighty
        ((9, 9), 12, Play((9, 9))),  # goes out
        ((5, 6, 7), 0, None),  # the player leads
    ],
)
def test_a_plan_beats_the_table_as_cheaply_as_it_can_or_passes(hand, to_beat, answer):
    assert asked(BeatInRound(0, 2), hand=hand, to_beat=to_beat) == answer


def test_a_plan_with_a_limit_passes_rather_than_play_above_it():
    assert asked(BeatInRound(12, 2), hand=(5, 11, 12), to_beat=10) == Play((11,))
    assert asked(BeatInRound(12, 2), hand=(5, 15), to_beat=12) == Pass()


def test_with_an_empty_deck_a_plan_asks_before_it_gives_up_a_play():
    assert asked(BeatInRound(12, 2), hand=(5, 15), to_beat=12, deck=(), variant="basic") is None
    assert asked(BeatInRound(12, 2), hand=(5, 15), to_beat=12, deck=()) is None
    assert asked(BeatInRound(12, 2), hand=(5, 6), to_beat=12, deck=(), variant="basic") == Pass()


def of(variant, round=1):
    """Return a table where B, without a deck, is asked to lead, and C has left the round."""
    farmers = (Farmer((4, 6), (1,)), Farmer((5, 6), ()), Farmer((), (), inside=False))
    return Table(games.get("haricots"), 3, variant, Playing(variant, round, 0, (Tally(),) * 3, farmers, 5, 1))


def test_suggestions_leave_out_folding_in_the_basic_rules_and_passing_without_a_deck():
    table, beating = of("basic"), (BeatInRound(0, 1), BeatInRound(12, 1))
    assert suggest(table.view(0)) == (*beating, PassUntil(9), PassInRound(1))
    assert suggest(table.view(1)) == beating
    assert suggest(of("advanced").view(1)) == (*beating, FoldInRound(1))
    assert suggest(table.view(2)) == ()
    assert suggest(table.view(None)) == ()


def test_a_plan_for_the_round_goes_along_with_every_move_that_leaves_the_player_in():
    first, second = of("advanced").view(0), of("advanced").view(1)
    assert suggest_beside(first, Play((4,))) == suggest_beside(first, Play((6,))) == (BeatInRound(0, 1), PassUntil(9))
    assert suggest_beside(first, Pass()) == (BeatInRound(0, 1),)  # it draws the last card
    assert suggest_beside(second, Play((5,))) == (BeatInRound(0, 1),)
    assert suggest_beside(first, Fold()) == suggest_beside(of("basic").view(1), Pass()) == ()
    assert suggest_beside(first, Play((4, 6))) == ()  # it goes out


def test_no_other_order_is_offered_while_a_plan_for_the_round_is_active():
    view = of("advanced").view(0)
    assert drop_redundant(suggest(view), [BeatInRound(12, 1)], view) == []
    later = of("advanced", round=2).view(0)
    assert drop_redundant(suggest(later), [BeatInRound(12, 1)], later) == list(suggest(later))
