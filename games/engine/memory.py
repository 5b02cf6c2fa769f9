"""Serialise a table, so that a match can go on without replaying its log.

Every object of a state is written as `{"ClassName": [its fields]}`. Tuples become JSON lists; since no state holds a
list or a dict of its own, reading back is unambiguous.
"""

from __future__ import annotations

import json
from dataclasses import is_dataclass
from functools import cache
from typing import Any

from games.contract.errors import RulesError
from games.contract.game import Game
from games.contract.notation import Action
from games.contract.phrases import Phrase
from games.engine import catalogue
from games.engine.table import Table

CONTAINERS = {list, dict}  # the JSON types that contain other values


def remember(table: Table[Any, Any]) -> str:
    """Return the table as text, without the lines said so far: those are in the log."""
    card = [table.rules.slug, table.rules.edition, table.seats, table.variant]
    return _ENCODER.encode([*card, table.state])


def recall(text: str, game: Game[Any, Any] | None = None) -> Table[Any, Any]:
    """Return the remembered table, or raise a RulesError: then the log has to be replayed.

    Pass the game if it may be missing from the catalogue.
    """
    try:
        slug, edition, seats, variant, state = json.loads(text)
        game = game or catalogue.get(slug, int(edition))
        return Table(game, seats, variant, _decode(state, _classes_by_name(game)))
    except (ValueError, TypeError, LookupError, AttributeError) as error:
        raise RulesError("We can’t read this saved table.") from error


def plain(value: Any) -> Any:
    """Return a view as plain JSON values.

    >>> plain((1, None))
    [1, None]
    """
    if isinstance(value, (Action, Phrase)):
        return str(value)
    if is_dataclass(value):
        return {name: plain(getattr(value, name)) for name in value.__match_args__}  # type: ignore[union-attr]
    if isinstance(value, (tuple, list)):
        return [plain(item) for item in value]
    return value


@cache
def _classes_by_name(rules: Game[Any, Any]) -> dict[str, type]:
    """The classes of this game's own edition: later editions may have changed them."""
    return {kind.__name__: kind for kind in rules.remembers}


def _encode(value: Any) -> dict[str, Any]:
    return {type(value).__name__: [getattr(value, name) for name in value.__match_args__]}


_ENCODER = json.JSONEncoder(default=_encode, separators=(",", ":"))


def _decode(node: Any, classes: dict[str, type]) -> Any:
    """Reverse `_encode`, recursively."""
    if type(node) is dict:
        [(name, values)] = node.items()
        return classes[name](*_decode_all(values, classes))
    if CONTAINERS.isdisjoint(map(type, node)):  # most rows hold plain cards, which need no restoring
        return tuple(node)
    return tuple(_decode_all(node, classes))


def _decode_all(values: list[Any], classes: dict[str, type]) -> list[Any]:
    return [_decode(value, classes) if type(value) in CONTAINERS else value for value in values]
