"""One move, one line of text.

An action class declares its grammar in `says`; printing, reading and documentation all derive from it.

>>> class Plant(Action):
...     says = "plant {beans}[ in {field}]"
...     beans: Numbers
...     field: Number = 0
>>> str(Plant((2, 3), field=1))
'plant 2 3 in 1'
>>> read("  PLANT 2  3", (Plant,))
Plant(beans=(2, 3), field=0)

Printing omits a part in square brackets when its gaps hold their defaults. A gap of type `Flag` is an
optional word: `[ {down}]` prints `down`.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import MISSING, dataclass, fields
from functools import cache, lru_cache
from typing import Annotated, Any, ClassVar, TypeAlias, dataclass_transform, get_type_hints

from games.contract.errors import Unreadable
from games.contract.seats import LETTERS

MAX_LINE_LENGTH = 2_000


@dataclass(frozen=True)
class Kind:
    """How one kind of value is written in a line: its pattern, and how to read and print it."""

    pattern: str
    read: Callable[[str], Any]
    write: Callable[[Any], str] = str


def several(kind: Kind, separator: str = " ") -> Kind:
    """One or more values of a kind, separated by spaces or by a word."""
    split = str.split if separator == " " else re.compile(separator, re.I).split
    return Kind(
        f"(?:{kind.pattern})(?:{separator}(?:{kind.pattern}))*",
        lambda text: tuple(map(kind.read, split(text))),
        lambda values: separator.join(map(kind.write, values)),
    )


def one_of(*words: str) -> Kind:
    """One of a few fixed words, in lower case."""
    return Kind("|".join(map(re.escape, words)), str.lower)


def flag(word: str) -> Kind:
    """A word that is present or absent."""
    return Kind(re.escape(word), lambda text: True, lambda value: word)


NUMBER = Kind("0|[1-9][0-9]{0,3}", int)
SEAT = Kind(f"[{LETTERS}]", lambda text: LETTERS.index(text.upper()), LETTERS.__getitem__)

Number: TypeAlias = Annotated[int, NUMBER]
Numbers: TypeAlias = Annotated[tuple[int, ...], several(NUMBER)]
SeatLetter: TypeAlias = Annotated[int, SEAT]
Flag: TypeAlias = bool


@dataclass_transform(frozen_default=True)
class Action:
    """A move, or anything else that can be said at a table. Subclasses are frozen dataclasses with a `says`."""

    says: ClassVar[str]

    def __init_subclass__(cls) -> None:
        dataclass(frozen=True)(cls)

    def __str__(self) -> str:
        return _write(self)


Vocabulary: TypeAlias = tuple[type[Action], ...]


def read(line: str, vocabulary: Vocabulary, *, suggested: Vocabulary = ()) -> Action:
    """Return the action that a line says, ignoring case and extra spaces. The error lists the forms of `suggested`."""
    text = line if len(line) <= MAX_LINE_LENGTH else collapse_spaces(line)
    action = _read(text, vocabulary) if len(text) <= MAX_LINE_LENGTH else None
    if action is None:
        collapsed = collapse_spaces(line)
        raise Unreadable(
            "We don’t understand “{line}”. Try: {forms}.",
            line=collapsed if len(collapsed) <= 60 else collapsed[:59] + "…",
            forms=" · ".join(map(describe_form, suggested or vocabulary)),
        )
    return action


@lru_cache(maxsize=8_192)
def _read(line: str, vocabulary: Vocabulary) -> Action | None:
    collapsed = collapse_spaces(line)
    first, _, _ = collapsed.lower().partition(" ")
    for grammar in _grammars_by_first_word(vocabulary).get(first, ()):
        if action := grammar.read(collapsed):
            return action
    return None


def collapse_spaces(line: str) -> str:
    return " ".join(line.split())


@lru_cache(maxsize=8_192)
def _write(action: Action) -> str:
    return _grammar_of(type(action)).write(action)


def describe_form(kind: type[Action]) -> str:
    """Return the shape of a sentence as people see it: `play <cards>`. A flag appears as its own word."""
    return _grammar_of(kind).form


class _Grammar:
    """The `says` of one action class, compiled for reading and printing."""

    def __init__(self, action: type[Action]) -> None:
        self.action = action
        hints = get_type_hints(action, include_extras=True)
        self.kinds = {f.name: _kind_of(f.name, hints[f.name]) for f in fields(action)}  # type: ignore[arg-type]
        self.defaults = {f.name: f.default for f in fields(action) if f.default is not MISSING}  # type: ignore[arg-type]
        self.form = re.sub(r"{(\w+)}", lambda gap: gap[1] if hints[gap[1]] is bool else f"<{gap[1]}>", action.says)
        # Split into mandatory and optional parts: "play {card}[ down]" → "play {card}", " down".
        parts = re.split(r"\[(.*?)\]", action.says)
        self.parts = [(part, re.findall(r"{(\w+)}", part), n % 2 == 1) for n, part in enumerate(parts) if part]
        self.pattern = re.compile("".join(map(self._pattern, parts, range(len(parts)))), re.I | re.A)

    def _pattern(self, part: str, n: int) -> str:
        pieces = re.split(r"{(\w+)}", part)
        text = "".join(
            f"(?P<{piece}>{self.kinds[piece].pattern})" if i % 2 else re.escape(piece) for i, piece in enumerate(pieces)
        )
        return f"(?:{text})?" if n % 2 else text

    def read(self, line: str) -> Action | None:
        if not (found := self.pattern.fullmatch(line)):
            return None
        values = {name: self.kinds[name].read(text) for name, text in found.groupdict().items() if text is not None}
        return self.action(**values)

    def write(self, action: Action) -> str:
        return "".join(
            part.format(**{name: self.kinds[name].write(getattr(action, name)) for name in names})
            for part, names, optional in self.parts
            if not optional or any(getattr(action, name) != self.defaults[name] for name in names)
        )


def _kind_of(name: str, hint: Any) -> Kind:
    if hint is bool:
        return flag(name)
    kind: Kind = hint.__metadata__[0]
    return kind


_GRAMMARS: dict[type[Action], _Grammar] = {}


def _grammar_of(action: type[Action]) -> _Grammar:
    if action not in _GRAMMARS:
        _GRAMMARS[action] = _Grammar(action)
    return _GRAMMARS[action]


@cache
def _grammars_by_first_word(vocabulary: Vocabulary) -> dict[str, list[_Grammar]]:
    """The grammars of a vocabulary by first word, which is never a gap."""
    beginning: dict[str, list[_Grammar]] = {}
    for kind in vocabulary:
        first, *_ = re.split(r"[ \[]", kind.says, maxsplit=1)
        beginning.setdefault(first.lower(), []).append(_grammar_of(kind))
    return beginning
