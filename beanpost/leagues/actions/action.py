"""An action of the admin: its fields, its preview, the people it concerns and the function it calls."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy

from beanpost.leagues.mail.letters import LazySentence
from beanpost.leagues.models import Division, Entry, Fixture, Round, Season
from beanpost.players.models import Player

Fields = dict[str, forms.Field]
Answers = Mapping[str, Any]
LETTER_WITH_REASON = gettext_lazy("Everyone at the table gets a letter with your reason.")


@dataclass(frozen=True)
class ActionCall:
    """One use of an action: by whom, why, when, and with which answers."""

    by: Any
    reason: str
    now: datetime
    answers: Answers = field(default_factory=dict)


@dataclass(frozen=True, kw_only=True)
class Action:
    name: str
    label: Any  # translated when shown
    act: Callable[
        [Any, ActionCall], LazySentence
    ]  # returns a sentence that says what was done, for everybody it concerns
    preview: Callable[[Any, Answers], list[str]]  # sentences that say what it would do
    is_open: Callable[[Any], bool]  # whether it makes sense now, judged by the row alone
    concerns: Callable[[Any], Iterable[Player]] = lambda row: ()
    fields: Callable[[Any], Fields] = lambda row: {}
    needs_reason: bool = False
    asks_reason: bool = True
    sends_own_letters: bool = False  # the action sends its own letters, which say why; otherwise the admin announces it
    # Replaces act's sentence in letters to the people it is done to.
    sentence_for_person: Callable[[Any], str] | None = None
    make_label: Callable[[Any], str] | None = None  # a label that depends on the row, such as "Start round 2"
    group: str = ""  # where a season's cockpit lists it: under a heading, or "final"
    is_final: bool = False  # shown in red, because it can't be undone easily
    needs_keeper: bool = False  # it opens matches, in which somebody must decide
    is_quiet: bool = False  # no letter unless the organiser ticks it
    # Fields that depend on answers; see `ActionAdmin.run_action`.
    dependent_fields: Callable[[Answers], Fields] | None = None

    def label_for(self, row: Any) -> str:
        return self.make_label(row) if self.make_label else str(self.label)


class Heading(str):
    """A heading inside a preview."""

    is_heading = True


def in_phase(*allowed: str) -> Callable[[Any], bool]:
    return lambda row: row.phase in allowed


def find_season(row: Any) -> Season:
    match row:
        case Season():
            return row
        case Division() | Entry():
            return row.season
        case Round():
            return row.division.season
        case Fixture():
            return row.round.division.season
    raise TypeError(row)
