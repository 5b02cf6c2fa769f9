"""Frozen values, made quickly.

Every line makes a state anew out of many small pieces. The `__init__` of a frozen dataclass looks up each field by its
name, to get past its own refusal; this one fills the slots directly, in half the time. The values stay as frozen as
they were, and all else about them is the dataclass's.
"""

from __future__ import annotations

from dataclasses import fields
from typing import Any


def made_quickly(*kinds: Any) -> tuple[type, ...]:
    """The same frozen dataclasses with slots, whose fields have plain defaults or none."""
    for kind in kinds:
        kind.__init__ = _init(kind)
    return kinds


def _init(kind: Any) -> Any:
    names = [field.name for field in fields(kind)]
    known = {f"set_{name}": getattr(kind, name).__set__ for name in names}
    setting = "; ".join(f"set_{name}(self, {name})" for name in names)
    exec(f"def __init__(self, {', '.join(names)}): {setting}", known)  # noqa: S102 (as dataclasses do)
    init: Any = known["__init__"]
    init.__defaults__ = kind.__init__.__defaults__
    return init
