"""The contents of the box, as the rules page lists them."""

import pytest

import games
from games.bohnanza.beans import BEANS, BOX, METERS, SETTINGS, coins_for
from games.bohnanza.names import NAMES
from games.bohnanza.page import bean_colours

CARDS = {
    "coffee": 24, "wax": 22, "blue": 20, "chili": 18, "stink": 16, "green": 14,
    "soy": 12, "eye": 10, "red": 8, "garden": 6, "cocoa": 4,
}  # fmt: skip


def test_there_are_154_cards():
    assert {bean: printed["cards"] for bean, printed in BOX["beans"].items()} == CARDS
    assert sum(CARDS.values()) == 154


@pytest.mark.parametrize(
    ("bean", "steps"),
    [
        ("coffee", (4, 7, 10, 12)),
        ("wax", (4, 7, 9, 11)),
        ("blue", (4, 6, 8, 10)),
        ("chili", (3, 6, 8, 9)),
        ("stink", (3, 5, 7, 8)),
        ("green", (3, 5, 6, 7)),
        ("soy", (2, 4, 6, 7)),
        ("eye", (2, 4, 5, 6)),
        ("red", (2, 3, 4, 5)),
        ("garden", (None, 2, 3, None)),
        ("cocoa", (None, 2, 3, 4)),
    ],
)
def test_the_meters_are_those_of_the_rules(bean, steps):
    assert METERS[bean] == tuple((cards, coins) for coins, cards in enumerate(steps, start=1) if cards)


def test_more_cards_than_the_meter_shows_pay_its_last_step():
    assert [coins_for(bean, 100) for bean in BEANS] == [4, 4, 4, 4, 4, 4, 4, 4, 4, 3, 4]
    assert [coins_for(bean, 1) for bean in BEANS] == [0] * 11


@pytest.mark.parametrize(
    ("seats", "removed", "pile", "hands", "fields", "price", "drawn", "exhaustions"),
    [
        (2, {"garden", "cocoa"}, 144, (5, 5), 2, 3, 2, 1),
        (3, {"cocoa"}, 150, (5, 5, 5), 3, None, 3, 2),
        (4, {"coffee"}, 130, (5,) * 4, 2, 3, 3, 3),
        (5, {"coffee"}, 130, (5,) * 5, 2, 3, 3, 3),
        (6, {"cocoa", "garden"}, 144, (3, 4, 5, 6, 6, 6), 2, 2, 4, 3),
        (7, {"cocoa", "garden"}, 144, (3, 4, 5, 6, 6, 6, 6), 2, 2, 4, 3),
    ],
)
def test_the_settings_depend_on_the_number_of_players(seats, removed, pile, hands, fields, price, drawn, exhaustions):
    setting = SETTINGS[seats]
    assert set(BEANS) - set(setting.beans) == removed
    assert (len(setting.deck), setting.hands, setting.fields) == (pile, hands, fields)
    assert (setting.price, setting.drawn, setting.exhaustions) == (price, drawn, exhaustions)


@pytest.mark.parametrize("seats", range(2, 8))
@pytest.mark.parametrize("first", range(2))
def test_hands_are_dealt_in_blocks_in_seat_order(seats, first):
    table = games.open("bohnanza", seats=seats).says(games.DEALER, f"start {'AB'[first]}")
    deck = SETTINGS[seats].deck
    table = table.says(games.DEALER, " ".join(["shuffle", *deck]))
    sizes = [SETTINGS[seats].hands[(seat - first) % seats] for seat in range(seats)]
    hands = [table.view(seat).hand for seat in range(seats)]
    assert [len(hand) for hand in hands] == sizes
    assert sum(hands, ()) == deck[: sum(sizes)]
    assert table.view(None).pile == len(deck) - sum(sizes)


def test_every_bean_has_a_name():
    assert set(NAMES) == set(BEANS)
    assert all(printed["name"].startswith("Harry ") for printed in BOX["beans"].values())


def test_every_bean_has_a_colour_for_pages_and_letters():
    assert [line.split()[0] for line in bean_colours().splitlines()] == [f".seed-{bean}" for bean in BEANS]
