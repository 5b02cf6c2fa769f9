"""A function in Python, written line by line: what `typesetting.py` makes of a template."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import count
from typing import Any

INDENT = "    "


class Galley:
    """Lines that are being put together, and the things they speak of: each has a name of its own."""

    def __init__(self, head: str) -> None:
        self.lines = [f"{head}:"]
        self.depth = 1
        self.things: dict[str, Any] = {}
        self.numbers = count(1)

    def line(self, words: str) -> None:
        self.lines.append(INDENT * self.depth + words)

    @contextmanager
    def under(self, head: str) -> Iterator[None]:
        """What is written in this block stands under that head."""
        self.line(f"{head}:")
        self.depth += 1
        self.line("pass")  # there may be nothing else
        yield
        self.depth -= 1

    def fresh(self, stem: str = "found") -> str:
        """A name that nothing else has."""
        return f"{stem}_{next(self.numbers)}"

    def put(self, words: str) -> str:
        """The name under which it is found from here on."""
        name = self.fresh()
        self.line(f"{name} = {words}")
        return name

    def thing(self, value: Any) -> str:
        """What a thing is called that is there before the function runs."""
        if isinstance(value, str | int | None) and type(value) in (str, int, bool, type(None)):
            return repr(value)
        name = self.fresh("thing")
        self.things[name] = value
        return name

    def function(self, name: str, title: str) -> Callable[..., Any]:
        """What was written, ready to be called. In a traceback it has that title."""
        made = dict(self.things)
        exec(compile("\n".join(self.lines), title, "exec"), made)  # noqa: S102 (our own templates, nobody's values)
        return made[name]  # type: ignore[no-any-return]
