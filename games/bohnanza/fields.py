"""Planting, harvesting and buying a field. Fields are numbered from 1."""

from __future__ import annotations

from dataclasses import replace
from functools import cache, lru_cache

from games.bohnanza.actions import Buy, Harvest, Plant
from games.bohnanza.beans import SETTINGS, coins_for
from games.bohnanza.state import Beans, Farmer, Field, Layout
from games.contract.cards import put
from games.contract.notation import Action
from games.contract.seats import Seat

EMPTY = Field()
DUEL = 2  # the number of players in the duel


# ── what is allowed ──────────────────────────────────────────────────────────────────────────────


def find_matching_field(fields: tuple[Field, ...], bean: str) -> int | None:
    """Return the number of the field where a bean already grows."""
    for number, field in enumerate(fields, start=1):
        if field.bean == bean:
            return number
    return None


def empty_fields(fields: tuple[Field, ...]) -> list[int]:
    return [number for number, field in enumerate(fields, start=1) if not field.count]


def harvestable_fields(fields: tuple[Field, ...]) -> tuple[int, ...]:
    """Return the fields that may be harvested: a single bean is protected unless every field holds exactly one."""
    return unprotected_fields(tuple([field.count for field in fields]))


@cache
def unprotected_fields(counts: tuple[int, ...]) -> tuple[int, ...]:
    """Return the fields that may be harvested, given the number of beans in each.

    >>> unprotected_fields((1, 3)), unprotected_fields((1, 1)), unprotected_fields((1, 0))
    ((2,), (1, 2), ())
    """
    single_beans_only = set(counts) == {1}
    return tuple(number for number, count in enumerate(counts, start=1) if count > 1 or single_beans_only)


def fields_for(fields: tuple[Field, ...], bean: str) -> list[int]:
    """Return where a bean may be planted: its matching field, or else any that is empty or may be harvested."""
    if number := find_matching_field(fields, bean):
        return [number]
    return [*plantable_fields(tuple([field.count for field in fields]))]


@cache
def plantable_fields(counts: tuple[int, ...]) -> tuple[int, ...]:
    """Return the fields that are empty or may be harvested.

    >>> plantable_fields((1, 3, 0)), plantable_fields((1, 1)), plantable_fields((1, 0))
    ((2, 3), (1, 2), (2,))
    """
    sellable = unprotected_fields(counts)
    return tuple(number for number, count in enumerate(counts, start=1) if not count or number in sellable)


def fit_without_harvest(fields: tuple[Field, ...], beans: Beans) -> bool:
    """Return whether all these beans can be planted without a harvest."""
    kinds = set(beans).difference([field.bean for field in fields])
    return not kinds or len(kinds) <= len(empty_fields(fields))


def default_field(fields: tuple[Field, ...], bean: str) -> int:
    """Return where a bean goes by default: matching, else first empty, else where the harvest pays most."""
    if number := field_without_harvest(fields, bean):
        return number
    return max(harvestable_fields(fields), key=lambda number: (field_worth(fields[number - 1]), -number))


def field_without_harvest(fields: tuple[Field, ...], bean: str) -> int | None:
    """Return where a bean goes without a harvest, if anywhere."""
    return find_matching_field(fields, bean) or next(iter(empty_fields(fields)), None)


def has_room(fields: tuple[Field, ...], beans: Beans) -> bool:
    """Return whether one of these beans can be planted without a harvest."""
    return any(field_without_harvest(fields, bean) for bean in beans)


def field_worth(field: Field) -> int:
    """Return what a field would pay now."""
    return coins_for(field.bean, field.count) if field.bean else 0


def third_field_price(layout: Layout, seat: Seat) -> int | None:
    """Return what a third field costs this seat, or None if there is none for it to buy."""
    setting = SETTINGS[len(layout.farmers)]
    return setting.price if len(layout.farmers[seat].fields) == setting.fields else None


# ── what can be said ─────────────────────────────────────────────────────────────────────────────


def list_sales_and_purchase(layout: Layout, seat: Seat) -> tuple[Action, ...]:
    """Return the harvests and the purchase a seat could make now."""
    farmer = layout.farmers[seat]
    cost = third_field_price(layout, seat)
    return list_sales(tuple([field.count for field in farmer.fields]), cost is not None and len(farmer.coins) >= cost)


@lru_cache(maxsize=4_096)
def list_sales(counts: tuple[int, ...], can_buy: bool) -> tuple[Action, ...]:
    return (*map(Harvest, unprotected_fields(counts)), *([Buy()] if can_buy else []))


def list_plantings(fields: tuple[Field, ...], beans: Beans) -> list[Action]:
    """Return every way to plant one of these beans."""
    return [make_planting(bean, number) for bean in dict.fromkeys(beans) for number in fields_for(fields, bean)]


@cache
def make_planting(bean: str, number: int) -> Plant:
    return Plant(bean, number)


# ── what happens ─────────────────────────────────────────────────────────────────────────────────


def plant(layout: Layout, seat: Seat, bean: str, number: int, *, hand: Beans | None = None) -> Layout:
    """Plant one bean in a field. Harvest another bean there first. `hand` is the rest of the hand, if it changed."""
    farmer = layout.farmers[seat]
    field = farmer.fields[number - 1]
    coins, rest = ((), ()) if field.bean in (None, bean) else split_harvest(field)
    count = field.count + 1 if field.bean == bean else 1
    plots = put(farmer.fields, number - 1, Field(bean, count))
    return replace_farmer(
        layout, seat, Farmer(farmer.hand if hand is None else hand, plots, farmer.coins + coins), rest
    )


def harvest(layout: Layout, seat: Seat, number: int) -> Layout:
    """Harvest a field."""
    farmer = layout.farmers[seat]
    coins, rest = split_harvest(farmer.fields[number - 1])
    plots = put(farmer.fields, number - 1, EMPTY)
    return replace_farmer(layout, seat, Farmer(farmer.hand, plots, farmer.coins + coins), rest)


def split_harvest(field: Field) -> tuple[Beans, Beans]:
    """Return the cards that become coins, as many as the meter says, and those that go to the discard pile."""
    if field.bean is None:
        return (), ()
    coins = field_worth(field)
    return (field.bean,) * coins, (field.bean,) * (field.count - coins)


def harvest_all(layout: Layout) -> Layout:
    """Harvest all fields at the end. No bean is protected."""
    for seat, farmer in enumerate(layout.farmers):
        for number in range(1, len(farmer.fields) + 1):
            layout = harvest(layout, seat, number)
    return layout


def buy(layout: Layout, seat: Seat) -> Layout:
    """Buy a third field. The coins earned last are paid first, onto the discard pile; in the duel, out of the game."""
    farmer = layout.farmers[seat]
    cost = third_field_price(layout, seat) or 0
    kept, paid = farmer.coins[:-cost], farmer.coins[-cost:][::-1]
    farmer = Farmer(farmer.hand, (*farmer.fields, EMPTY), kept)
    if len(layout.farmers) == DUEL:
        return replace(replace_farmer(layout, seat, farmer), out=layout.out + paid)
    return replace_farmer(layout, seat, farmer, paid)


def replace_hand(layout: Layout, hand: Beans) -> Layout:
    """Replace the hand of the active seat."""
    farmer = layout.farmers[layout.seat]
    return replace_farmer(layout, layout.seat, Farmer(hand, farmer.fields, farmer.coins))


def replace_farmer(layout: Layout, seat: Seat, farmer: Farmer, discarded: Beans = ()) -> Layout:
    # Built field by field, as are the farmers above: almost every line runs this, and `replace` takes three times as
    # long.
    farmers, discard = put(layout.farmers, seat, farmer), layout.discard + discarded
    return Layout(layout.turn, layout.seat, farmers, layout.pile, discard, layout.exhaustions, layout.out)
