"""Spots: where to plant a bean, decided in advance. A spot holds only while the field is as its owner knew it.

>>> SPOTS.read("stink in 2 over 3 wax then red in 1")
(Spot(bean='stink', field=2, many=3, crop='wax'), Spot(bean='red', field=1, many=0, crop=''))
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import reduce
from typing import Annotated, NamedTuple, TypeAlias

from games.bohnanza.actions import BEAN, Plant
from games.bohnanza.fields import field_worth, fields_for
from games.bohnanza.names import name_beans
from games.bohnanza.state import Beans, Field
from games.contract.cards import put
from games.contract.notation import Kind, several
from games.contract.phrases import Phrase


class Spot(NamedTuple):
    """A bean in a field that is empty or grows the same bean, unless it names the crop to sell there."""

    bean: str
    field: int
    many: int = 0
    crop: str = ""

    def __str__(self) -> str:
        sale = f" over {self.many} {self.crop}" if self.crop else ""
        return f"{self.bean} in {self.field}{sale}"

    def describe(self) -> Phrase:
        planted = Phrase("{beans} in field {number}", beans=name_beans(self.bean, 1), number=self.field)
        return (
            Phrase("{beans} over {crop}", beans=planted, crop=name_beans(self.crop, self.many))
            if self.crop
            else planted
        )

    def is_unchanged(self, fields: tuple[Field, ...]) -> bool:
        """Return whether planting there would do what its owner expects."""
        if self.field > len(fields):
            return False
        bean, count = fields[self.field - 1].bean, fields[self.field - 1].count
        if bean == self.bean:
            return True
        return (bean, count) == (self.crop, self.many) if self.crop else bean is None

    @property
    def planting(self) -> Plant:
        return Plant(self.bean, self.field)


def read_spot(text: str) -> Spot:
    bean, _, field, *sale = text.lower().split()
    return Spot(bean, int(field), int(sale[1]), sale[2]) if sale else Spot(bean, int(field))


NAME = f"(?:{BEAN.pattern})"
SPOT = Kind(rf"{NAME} in [1-9](?: over [1-9][0-9]? {NAME})?", read_spot)
SPOTS = several(SPOT, " then ")
Spots: TypeAlias = Annotated[tuple[Spot, ...], SPOTS]


def describe_spots(spots: Spots) -> Phrase:
    """Describe spots in the order of planting.

    >>> str(describe_spots(SPOTS.read("stink in 2 over 3 wax then red in 1")))
    'a stink bean in field 2 over 3 wax beans, then a red bean in field 1'
    """
    described = (spot.describe() for spot in spots)
    return reduce(lambda some, more: Phrase("{some}, then {more}", some=some, more=more), described)


def ways_to_plant(fields: tuple[Field, ...], cards: Beans) -> Iterator[tuple[Spot, ...]]:
    """Return every way to plant these beans one after the other: first those that sell nothing or sell best."""
    if not cards:
        yield ()
        return
    bean, rest = cards[0], cards[1:]
    for number in sorted(fields_for(fields, bean), key=lambda number: sale_cost(fields[number - 1], bean)):
        field = fields[number - 1]
        spot = Spot(bean, number, field.count, field.bean or "") if sale_cost(field, bean) else Spot(bean, number)
        grown = field.count + 1 if field.bean == bean else 1
        yield from ((spot, *more) for more in ways_to_plant(put(fields, number - 1, Field(bean, grown)), rest))


def sale_cost(field: Field, bean: str) -> int:
    """Return 0 if planting a bean sells nothing; otherwise a number that is lower the better the sale pays."""
    return 0 if field.bean in (None, bean) else 10 - field_worth(field)


def sells_crop(spots: tuple[Spot, ...]) -> bool:
    return any(spot.crop for spot in spots)


def count_wasted(spots: tuple[Spot, ...]) -> int:
    """Return how many of these beans would be sold again at once to plant another of them."""
    return sum(spot.crop in [other.bean for other in spots] for spot in spots)
