"""What a verb of the office is: what it asks, what it would do, whom it concerns, and the deed."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from django import forms

from beanpost.players.models import Player

Fields = dict[str, forms.Field]
Told = Callable[[], str]  # a sentence, in the language and zone of whoever reads it


@dataclass(frozen=True)
class Deed:
    """One use of a verb: who, why, when, and what they answered."""

    by: Any
    reason: str
    now: datetime
    answers: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Verb:
    name: str
    label: Any  # translated when shown
    act: Callable[[Any, Deed], Told]  # returns what was done, for everybody it concerns
    preview: Callable[[Any, Mapping[str, Any]], list[str]]  # what it would do, in sentences
    is_open: Callable[[Any], bool]  # whether it makes sense now, from the row alone
    concerns: Callable[[Any], Iterable[Player]] = lambda row: ()
    fields: Callable[[Any], Fields] = lambda row: {}
    needs_reason: bool = False
    is_told: bool = False  # by letters of the deed's own, which say why; else the office writes what was done
    to_them: Callable[[Any], str] | None = None  # the same, where whom it concerns is whom it is done to
