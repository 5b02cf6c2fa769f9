"""Draw any game's view as plain text: named facts, then tables with a row per seat.

Empty values are left out; fields typed as seats print their letters.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from typing import Any

from games.contract.seats import called

GAP = "  "


def drawn(view: Any) -> str:
    """Return the whole view: the facts about the table, then its tables, each under its name."""
    facts = [(name, value) for name, value in shown(view) if not is_rows(value)]
    tables = [[f"{name}:", *rows(value)] for name, value in shown(view) if is_rows(value)]
    width = max(len(name) for name, _ in facts)
    about = [f"{name:<{width}}{GAP}{written(value)}" for name, value in facts]
    return "\n\n".join("\n".join(lines) for lines in [about, *tables])


def shown(view: Any) -> Iterator[tuple[str, Any]]:
    """Yield the non-empty fields of a view or a part of it, by name."""
    for field in fields(view):
        value = getattr(view, field.name)
        if "Seat" in str(field.type):
            value = lettered(value)
        if value not in (None, (), ""):
            yield field.name.replace("_", " "), value


def lettered(value: Any) -> Any:
    if isinstance(value, tuple):
        return tuple(map(lettered, value))
    return called(value) if type(value) is int else value


def is_rows(value: Any) -> bool:
    return isinstance(value, tuple) and all(map(is_dataclass, value))


def rows(pieces: tuple[Any, ...]) -> list[str]:
    """Return a text table."""
    cells = grid(pieces)
    widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
    return [GAP.join(f"{cell:<{width}}" for cell, width in zip(row, widths, strict=True)).rstrip() for row in cells]


def grid(pieces: tuple[Any, ...]) -> list[list[str]]:
    """Return a heading and a row for each piece, with a column for every field that at least one row fills."""
    told = [dict(shown(piece)) for piece in pieces]
    columns = list(dict.fromkeys(name for piece in told for name in piece))
    return [columns, *([written(piece.get(name, "·"), brief=True) for name in columns] for piece in told)]


def written(value: Any, *, brief: bool = False) -> str:
    """Return one value on one line. `brief` leaves out the names of nested fields, because the column has one.

    >>> written((4, 6, 6)), written(True), written((("A", 1), ("B", 2)))
    ('4 6 6', 'yes', 'A 1 · B 2')
    """
    if isinstance(value, bool):
        return "yes" if value else "no"
    if is_dataclass(value):
        return ", ".join(written(item) if brief else f"{name} {written(item)}" for name, item in shown(value))
    if isinstance(value, tuple):
        nested = any(isinstance(item, tuple) or is_dataclass(item) for item in value)
        return (" · " if nested else " ").join(written(item, brief=brief) for item in value)
    return str(value)
