"""Planting beans, and selling fields."""

from itertools import combinations_with_replacement, product

import pytest

from games.bohnanza import fields
from games.bohnanza.state import Field
from tests.games.bohnanza.tables import after, laid_out, with_farm


def farm(*counts):
    """Return fields with these numbers of beans, each of another kind."""
    beans = ("wax", "blue", "chili")
    return tuple(Field(bean, count) if count else Field() for bean, count in zip(beans, counts, strict=False))


@pytest.mark.parametrize("counts", [*product(range(4), repeat=2), *product(range(4), repeat=3)])
def test_harvest_protection_never_traps_anyone(counts):
    """Every bean can be planted somewhere, for all crops in the fields."""
    for bean in ("wax", "blue", "chili", "stink"):
        assert fields.fields_for(farm(*counts), bean)


@pytest.mark.parametrize(
    ("counts", "sellable"),
    [
        ((1, 1), (1, 2)),
        ((1, 0), ()),
        ((2, 1), (1,)),
        ((2, 0), (1,)),
        ((1, 1, 1), (1, 2, 3)),
        ((1, 1, 0), ()),
        ((1, 3, 2), (2, 3)),
        ((0, 0), ()),
    ],
)
def test_a_single_bean_is_protected_unless_every_field_holds_one(counts, sellable):
    assert fields.harvestable_fields(farm(*counts)) == sellable


@pytest.mark.parametrize(
    ("counts", "bean", "plots"),
    [
        ((2, 1), "blue", [2]),  # in the matching field
        ((2, 0), "stink", [1, 2]),  # over another bean, although a field is empty
        ((1, 0), "stink", [2]),  # a single bean is protected
        ((1, 1), "stink", [1, 2]),
        ((1, 2, 0), "stink", [2, 3]),
    ],
)
def test_a_bean_goes_to_its_matching_field_or_where_it_is_allowed(counts, bean, plots):
    assert fields.fields_for(farm(*counts), bean) == plots


@pytest.mark.parametrize(
    ("counts", "beans", "all_fit"),
    [
        ((1, 2), ("wax", "blue", "blue"), True),
        ((1, 2), ("stink",), False),
        ((1, 0), ("stink", "stink", "wax"), True),
        ((1, 0), ("stink", "soy"), False),
        ((0, 0, 0), ("stink", "soy", "red"), True),
        ((1, 0), (), True),
    ],
)
def test_beans_fit_if_they_need_no_harvest(counts, beans, all_fit):
    assert fields.fit_without_harvest(farm(*counts), beans) is all_fit


def test_no_bean_ever_grows_in_two_fields():
    for kinds in combinations_with_replacement(["wax", "blue", "stink"], 3):
        grown = (Field("wax", 2), Field(), Field())
        for bean in kinds:
            for number in fields.fields_for(grown, bean):
                beans = [*(plot.bean for n, plot in enumerate(grown, start=1) if n != number and plot.bean), bean]
                assert len(set(beans)) == len(beans)


def test_coins_are_paid_back_from_the_last_earned():
    table = with_farm(laid_out("wax", "red", "red", "red", pile="soy " * 9), 1, coins="red soy eye garden")
    table = after(table, "B: buy")
    layout = table.state.layout
    assert layout.farmers[1].coins == ("red",)
    assert layout.discard == ("garden", "eye", "soy")  # the earliest coin of those paid is on top
    assert len(layout.farmers[1].fields) == 3
    assert table.view(None).discard_top == "soy"


def test_coins_paid_in_the_duel_leave_the_game():
    table = with_farm(laid_out("wax", "red", pile="soy " * 9), 0, coins="red soy eye")
    layout = after(table, "A: buy").state.layout
    assert (layout.discard, layout.out) == ((), ("eye", "soy", "red"))


def test_a_harvest_turns_as_many_cards_into_coins_as_it_pays():
    table = with_farm(laid_out("wax", "red", "red", "red", pile="soy " * 9), 1, fields="stink 6, ", coins="red")
    layout = after(table, "B: harvest 1").state.layout
    assert layout.farmers[1].coins == ("red", "stink", "stink")
    assert layout.discard == ("stink",) * 4
