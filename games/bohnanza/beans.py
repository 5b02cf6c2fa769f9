"""The box of Bohnanza: the beans, their meters, and the settings for each number of players."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from games.contract.boxes import load_box
from games.contract.cards import expand_counts

BOX = load_box("bohnanza")
BEANS: tuple[str, ...] = tuple(BOX["beans"])
METERS: dict[str, tuple[tuple[int, int], ...]] = {
    bean: tuple((cards, coins) for cards, coins in printed["meter"]) for bean, printed in BOX["beans"].items()
}
# The coins for each number of cards. A bean's row ends where more cards pay no more.
COINS_BY_COUNT = {
    bean: tuple(
        max((coins for cards, coins in meter if cards <= count), default=0) for count in range(meter[-1][0] + 1)
    )
    for bean, meter in METERS.items()
}


def coins_for(bean: str, count: int) -> int:
    """Return the coins for a number of beans.

    >>> [coins_for("stink", count) for count in range(1, 10)]
    [0, 0, 1, 1, 2, 2, 3, 4, 4]
    >>> [coins_for("garden", count) for count in range(1, 5)]
    [0, 2, 3, 3]
    """
    row = COINS_BY_COUNT[bean]
    return row[count] if count < len(row) else row[-1]


def next_payment(bean: str, count: int) -> tuple[int, int] | None:
    """Return the next (cards, coins) of the meter that pays more, or None if there is none.

    >>> next_payment("stink", 3), next_payment("garden", 3)
    ((5, 2), None)
    """
    return next((step for step in METERS[bean] if step[0] > count), None)


def sort_as_in_box(cards: Iterable[str]) -> tuple[str, ...]:
    """Sort cards into the order of the box, as before every shuffle."""
    return tuple(sorted(cards, key=BEANS.index))


@dataclass(frozen=True, slots=True)
class Setting:
    """The game for one number of players."""

    beans: tuple[str, ...]
    deck: tuple[str, ...]  # in the order of the box
    hands: tuple[int, ...]  # counted from the first player
    fields: int
    price: int | None  # of a third field; None: there is none to buy
    turned_up: int
    drawn: int
    exhaustions: int  # the number of exhaustions that ends the game


def read_setting(printed: dict[str, Any]) -> Setting:
    beans = tuple(bean for bean in BEANS if bean not in printed["removed"])
    return Setting(
        beans=beans,
        deck=expand_counts({bean: BOX["beans"][bean]["cards"] for bean in beans}),
        hands=tuple(printed["hands"]),
        fields=printed["fields"],
        price=printed.get("third_field"),
        turned_up=printed["turned_up"],
        drawn=printed["drawn"],
        exhaustions=printed["exhaustions"],
    )


SETTINGS = {int(players): read_setting(printed) for players, printed in BOX["players"].items()}
