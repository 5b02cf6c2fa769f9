"""The bot's estimates of what fields are worth, in coins, from the open cards and its own hand alone."""

from __future__ import annotations

from functools import cache, lru_cache
from typing import TypeAlias

from games.bohnanza.beans import coins_for, next_payment
from games.bohnanza.fields import fields_for, find_matching_field, harvestable_fields
from games.bohnanza.state import Beans, Field
from games.bohnanza.view import Neighbour
from games.contract.cards import put

Fields: TypeAlias = tuple[Field, ...]

# Tuned by letting bots play each other: those that sell early and start anew do best.
EMPTY_FIELD_VALUE = 0.2  # the value of an empty field
EXPECTED_CARDS = 0.1  # how many more cards a field is expected to get


def fields_of(neighbour: Neighbour) -> Fields:
    return tuple(Field(plot.bean, plot.count) for plot in neighbour.fields)


@cache
def estimate_field(field: Field) -> float:
    """Return what a field pays now, plus a part of its next step and of the cards it is hoped to get."""
    if field.bean is None:
        return EMPTY_FIELD_VALUE
    now, step = coins_for(field.bean, field.count), next_payment(field.bean, field.count)
    if step is None:
        return now
    reached = next(count for count in range(field.count + 1) if coins_for(field.bean, count) == now)
    slope = (step[1] - now) / (step[0] - reached)
    return now + slope * (field.count - reached) + slope * EXPECTED_CARDS


def estimate_gain(fields: Fields, bean: str, number: int) -> float:
    """Return how planting a bean in a field changes the estimate. Another crop there is sold."""
    old = fields[number - 1]
    if old.bean in (None, bean):
        return estimate_field(Field(bean, old.count + 1)) - estimate_field(old)
    return coins_for(old.bean, old.count) + estimate_field(Field(bean, 1)) - estimate_field(old)


def best_field(fields: Fields, bean: str) -> int:
    return max(fields_for(fields, bean), key=lambda number: estimate_gain(fields, bean, number))


@lru_cache(maxsize=65_536)
def estimate_total_gain(fields: Fields, beans: Beans) -> float:
    """Return how planting all these beans changes the estimate, each in its best field."""
    total = 0.0
    for bean in beans:
        number = best_field(fields, bean)
        total += estimate_gain(fields, bean, number)
        count = fields[number - 1].count + 1 if find_matching_field(fields, bean) else 1
        fields = put(fields, number - 1, Field(bean, count))
    return total


def find_ripe_field(fields: Fields) -> int | None:
    """Return a field that can pay no more and had better be sold."""
    sellable = harvestable_fields(fields)
    return next((number for number in sellable if is_full(fields[number - 1])), None)


def is_full(field: Field) -> bool:
    return field.bean is not None and next_payment(field.bean, field.count) is None
