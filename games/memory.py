"""A table as text and back, so that a match can go on without replaying its log.

Every class a state is made of is written as `{"Name": [its fields]}`; tuples become JSON lists, and no state
holds a list or a dict of its own, so reading back is unambiguous.
"""

from __future__ import annotations

import json
from dataclasses import fields, is_dataclass
from typing import Any

from games import shelf
from games.errors import RulesError
from games.notation import Action
from games.phrases import Phrase
from games.rules import Rules, Table


def remember(table: Table[Any, Any]) -> str:
    """The table as text. What was said so far is not kept: that is the log's business."""
    card = [table.rules.slug, table.rules.edition, table.seats, table.variant]
    return json.dumps([*card, table.state], default=_tagged, separators=(",", ":"))


def recall(text: str) -> Table[Any, Any]:
    """The table that was remembered, or a RulesError: then the log has to be replayed."""
    try:
        slug, edition, *_ = json.loads(text)
        rules = shelf.get(slug)
        if edition != rules.edition:  # its classes may have changed since
            raise RulesError("This is a memory of edition {edition} of {title}.", edition=edition, title=rules.title)
        return _recalled(text, rules)
    except (ValueError, TypeError, LookupError, AttributeError) as error:
        raise RulesError("This memory of a table cannot be read.") from error


def _recalled(text: str, rules: Rules[Any, Any]) -> Table[Any, Any]:
    classes = {kind.__name__: kind for kind in rules.remembers}

    def untagged(node: dict[str, Any]) -> Any:
        [(name, values)] = node.items()
        return classes[name](*map(_frozen, values))

    _, _, seats, variant, state = json.loads(text, object_hook=untagged)
    return Table(rules, seats, variant, _frozen(state))


def plain(value: Any) -> Any:
    """A view as plain JSON values.

    >>> plain((1, None))
    [1, None]
    """
    if isinstance(value, (Action, Phrase)):
        return str(value)
    if is_dataclass(value):
        return {name: plain(getattr(value, name)) for name in _names(type(value))}
    if isinstance(value, (tuple, list)):
        return [plain(item) for item in value]
    return value


def _tagged(value: Any) -> dict[str, Any]:
    kind = type(value)
    return {kind.__name__: [getattr(value, name) for name in _names(kind)]}


def _frozen(value: Any) -> Any:
    return tuple(map(_frozen, value)) if type(value) is list else value


_NAMES: dict[type, tuple[str, ...]] = {}


def _names(kind: type) -> tuple[str, ...]:
    if kind not in _NAMES:
        _NAMES[kind] = tuple(field.name for field in fields(kind))
    return _NAMES[kind]
