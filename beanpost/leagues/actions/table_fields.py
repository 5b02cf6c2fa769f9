"""Form fields of an organiser's actions at a table, and the chairs and substitutes they offer."""

from __future__ import annotations

from typing import Any

from django import forms
from django.db.models import QuerySet
from django.utils.translation import gettext as _

from beanpost.leagues.actions.action import Fields
from beanpost.leagues.models import Chair, Entry, Fixture
from beanpost.leagues.seasons import substitutes
from beanpost.play.display import story
from beanpost.play.models import Match, Wait

MAX_EXTRA_DAYS = 30


def is_running(fixture: Fixture) -> bool:
    return fixture.match is not None and fixture.match.phase == Match.Phase.RUNNING


class ChairField(forms.ModelChoiceField):  # type: ignore[type-arg]
    """A chair of a table, labelled with its sitter's name."""

    def label_from_instance(self, chair: Any) -> str:
        return chair.sitter_name  # type: ignore[no-any-return]


def load_chairs(fixture: Fixture) -> QuerySet[Chair]:
    return fixture.chairs.select_related("sitter", "entry__player")


def seat_field(fixture: Fixture) -> Fields:
    """Return a field for a seat. Its default is the one the table waits for."""
    return {"chair": ChairField(load_chairs(fixture), label=_("Player"), initial=find_awaited_chair(fixture))}


def find_awaited_chair(fixture: Fixture) -> Chair | None:
    waits = list_blocking_waits(fixture.match) if fixture.match else []
    return fixture.chairs.filter(seat__in=[wait.seat for wait in waits]).first()


def list_blocking_waits(match: Match) -> list[Wait]:
    """Return the waits that block a table; during a pause, those that will when it goes on."""
    return [wait for wait in match.waits.order_by("seat") if wait.is_blocking]


def find_empty_chair(fixture: Fixture) -> Chair | None:
    """Return a chair that nobody has come to, or whose owner has left the season."""
    left = fixture.chairs.filter(substitutes.has_left()).first()
    if fixture.match and fixture.match.phase == Match.Phase.GATHERING:
        return fixture.chairs.exclude(seat__in=fixture.match.places.values("seat")).first() or left
    return left


def extend_fields(fixture: Fixture) -> Fields:
    days = forms.IntegerField(label=_("Extra days"), min_value=1, max_value=MAX_EXTRA_DAYS, initial=2)
    return seat_field(fixture) | {"days": days}


def find_substitutes(fixture: Fixture) -> QuerySet[Entry]:
    return substitutes.find_substitutes(fixture.round.division.season)


def substitute_fields(fixture: Fixture) -> Fields:
    chair = ChairField(
        load_chairs(fixture), label=_("Player"), initial=find_empty_chair(fixture) or find_awaited_chair(fixture)
    )
    return {"chair": chair, "incoming": forms.ModelChoiceField(find_substitutes(fixture), label=_("The substitute"))}


def line_field(fixture: Fixture) -> Fields:
    moves = story.find_undoable_lines(fixture.match) if fixture.match and is_running(fixture) else []
    lines = [(str(line.seq), f"{line.seq}. {line.text}") for line in reversed(moves)]
    return {"line": forms.ChoiceField(label=_("Undo from this move on"), choices=lines)}
