"""How Django writes days and hours by itself, in the office above all: as our pages write them."""

from typing import Any

from django.utils.dateformat import DateFormat
from django.utils.translation import get_language


def put_up() -> None:
    """Django has no sign for “1er mai”: so the one for the day of a month says it, wherever a day is written."""
    DateFormat.j = day_of_month  # type: ignore[method-assign]


def day_of_month(self: Any) -> Any:
    return "1er" if self.data.day == 1 and get_language() == "fr" else self.data.day
