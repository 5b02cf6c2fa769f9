"""Draw any game's view as plain text: named facts, then tables with a row per seat.

Empty values are left out; fields typed as seats print their letters.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from typing import Any

from games.contract.seats import seat_label

GAP = "  "


def draw_view(view: Any) -> str:
    """Return the whole view: the facts about the table, then its tables, each under its name."""
    facts = [(name, value) for name, value in iter_fields(view) if not is_rows(value)]
    tables = [[f"{name}:", *format_table(value)] for name, value in iter_fields(view) if is_rows(value)]
    width = max(len(name) for name, _ in facts)
    about = [f"{name:<{width}}{GAP}{format_value(value)}" for name, value in facts]
    return "\n\n".join("\n".join(lines) for lines in [about, *tables])


def iter_fields(view: Any) -> Iterator[tuple[str, Any]]:
    """Yield the non-empty fields of a view or a part of it, by name."""
    for field in fields(view):
        value = getattr(view, field.name)
        if "Seat" in str(field.type):
            value = to_letters(value)
        if value not in (None, (), ""):
            yield field.name.replace("_", " "), value


def to_letters(value: Any) -> Any:
    if isinstance(value, tuple):
        return tuple(map(to_letters, value))
    return seat_label(value) if type(value) is int else value


def is_rows(value: Any) -> bool:
    return isinstance(value, tuple) and all(map(is_dataclass, value))


def format_table(pieces: tuple[Any, ...]) -> list[str]:
    """Return a text table."""
    cells = build_grid(pieces)
    widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
    return [GAP.join(f"{cell:<{width}}" for cell, width in zip(row, widths, strict=True)).rstrip() for row in cells]


def build_grid(pieces: tuple[Any, ...]) -> list[list[str]]:
    """Return a heading and a row for each piece, with a column for every field that at least one row fills."""
    filled = [dict(iter_fields(piece)) for piece in pieces]
    columns = list(dict.fromkeys(name for piece in filled for name in piece))
    return [columns, *([format_value(piece.get(name, "·"), brief=True) for name in columns] for piece in filled)]


def format_value(value: Any, *, brief: bool = False) -> str:
    """Return one value on one line. `brief` leaves out the names of nested fields, because the column has one.

    >>> format_value((4, 6, 6)), format_value(True), format_value((("A", 1), ("B", 2)))
    ('4 6 6', 'yes', 'A 1 · B 2')
    """
    if isinstance(value, bool):
        return "yes" if value else "no"
    if is_dataclass(value):
        return ", ".join(
            format_value(item) if brief else f"{name} {format_value(item)}" for name, item in iter_fields(value)
        )
    if isinstance(value, tuple):
        nested = any(isinstance(item, tuple) or is_dataclass(item) for item in value)
        return (" · " if nested else " ").join(format_value(item, brief=brief) for item in value)
    return str(value)
