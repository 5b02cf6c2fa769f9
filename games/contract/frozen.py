"""A faster `__init__` for frozen dataclasses.

Every line builds a new state from many small values. The generated `__init__` of a frozen dataclass sets each field
through `object.__setattr__` to get past its own guard; this one fills the slots, or else the `__dict__`, directly and
takes half the time. The values stay frozen, and everything else about them is the dataclass's.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import fields
from typing import Any, Generic, TypeVar

T = TypeVar("T")


def fast_init(*kinds: Any) -> tuple[type, ...]:
    """Give frozen dataclasses the faster `__init__`. Their fields must have plain defaults or none."""
    for kind in kinds:
        kind.__init__ = _make_init(kind)
    return kinds


def _make_init(kind: Any) -> Any:
    names = [field.name for field in fields(kind)]
    if "__slots__" in vars(kind):
        namespace = {f"set_{name}": getattr(kind, name).__set__ for name in names}
        assignments = [f"set_{name}(self, {name})" for name in names]
    else:
        namespace = {}
        assignments = ["own = self.__dict__", *(f"own[{name!r}] = {name}" for name in names)]
    exec(f"def __init__(self, {', '.join(names)}): {'; '.join(assignments)}", namespace)  # noqa: S102 (as dataclasses do)
    init: Any = namespace["__init__"]
    init.__defaults__ = kind.__init__.__defaults__
    return init


class lockless_cached_property(Generic[T]):  # noqa: N801 (it is used as a decorator)
    """A property cached in the value's `__dict__`: `functools.cached_property` without its lock, which every line would
    pay for and which Python 3.12 dropped.
    """

    def __init__(self, work: Callable[[Any], T]) -> None:
        self.work, self.name, self.__doc__ = work, work.__name__, work.__doc__

    def __get__(self, value: Any, kind: type) -> T:
        found: T = self.work(value)
        value.__dict__[self.name] = found
        return found
