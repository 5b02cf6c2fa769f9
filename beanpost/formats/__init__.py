"""Make Django write dates as our pages do, mostly in the admin."""

from typing import Any

from django.utils.dateformat import DateFormat
from django.utils.translation import get_language


def install() -> None:
    """Write the first of a month as “1er mai” in French: Django has no format character for it."""
    DateFormat.j = day_of_month  # type: ignore[method-assign]


def day_of_month(self: Any) -> Any:
    return "1er" if self.data.day == 1 and get_language() == "fr" else self.data.day
