"""A row's history in the words of its page instead of the stored values, and the history of a whole season."""

from __future__ import annotations

from datetime import datetime
from typing import Any
from urllib.parse import urlencode

from django import forms
from django.core.paginator import Paginator
from django.db.models import Field
from django.http import HttpRequest, QueryDict
from django.template.defaultfilters import yesno
from django.utils.formats import localize
from django.utils.text import capfirst
from django.utils.timezone import localtime
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from simple_history.models import DeletedObject
from simple_history.template_utils import HistoricalRecordContextHelper
from unfold.widgets import UnfoldAdminSelectWidget, UnfoldAdminTextInputWidget

from beanpost.leagues.admin.forms import list_game_choices
from beanpost.leagues.models import Season
from beanpost.leagues.records import history
from beanpost.leagues.standings.labels import describe_points, describe_tie_breaks
from beanpost.play import clock
from beanpost.play.display import wording
from beanpost.play.display.wording import add_colon


class ReadableChanges(HistoricalRecordContextHelper):
    def prepare_delta_change_value(self, change: Any, value: Any) -> Any:
        field = self.model._meta.get_field(change.field)
        return format_value(field, super().prepare_delta_change_value(change, value))


def format_value(field: Any, value: Any) -> Any:
    """Return a value as an organiser reads it."""
    if isinstance(field, Field) and field.choices:
        return dict(field.flatchoices).get(value, value)
    match field.name, value:
        case "points", str(scheme):
            return describe_points(scheme)
        case "tie_breaks", list(names):
            return describe_tie_breaks(names)
        case "pace", str(pace):
            return wording.name_pace(pace)
    match value:
        case None | "" | DeletedObject(pk=None):
            return "—"
        case bool():
            return yesno(value)
        case datetime():
            return localize(localtime(value))
        case dict():  # a league's games
            titles = dict(list_game_choices())
            return [titles.get(f"{game}/{variant}", game) for game, variant in value.items()]
    return value


# ── the whole season ──

PER_PAGE = 100


class HistoryFilter(forms.Form):
    kind = forms.ChoiceField(label=gettext_lazy("Kind"), required=False, widget=UnfoldAdminSelectWidget)
    division = forms.ChoiceField(label=gettext_lazy("Division"), required=False, widget=UnfoldAdminSelectWidget)
    q = forms.CharField(label=gettext_lazy("Words"), required=False, max_length=100, widget=UnfoldAdminTextInputWidget)

    def __init__(self, season: Season, data: Any) -> None:
        super().__init__(data)
        homes = [(str(division.pk), division.name) for division in season.divisions.all()]
        self.fields["kind"].choices = [("", _("everything")), *history.Kind.choices]  # type: ignore[attr-defined]
        self.fields["division"].choices = [("", _("all divisions")), *homes]  # type: ignore[attr-defined]


def build_context(season: Season, asked: QueryDict) -> dict[str, Any]:
    """Return one page of a season's history, filtered as asked."""
    form = HistoryFilter(season, asked)
    wanted = form.cleaned_data if form.is_valid() else {}
    words = {"kind": wanted.get("kind", ""), "division": wanted.get("division", ""), "words": wanted.get("q", "")}
    found = history.filter_items(history.list_season_history(season), **words)
    query = urlencode({name: value for name, value in wanted.items() if value})
    return {"form": form, "page": Paginator(found, PER_PAGE).get_page(asked.get("page")), "query": query}


# ── changes by a form ──


class RecordsChanges:
    """A page whose form changes are kept in the season's history."""

    def save_model(self, request: HttpRequest, obj: Any, form: Any, change: bool) -> None:
        record_changes(request, obj, change=change)
        super().save_model(request, obj, form, change)


def record_changes(request: HttpRequest, row: Any, *, change: bool) -> None:
    """Keep in the season's history what a form changes. Call this before the row is saved."""
    before = type(row)._default_manager.filter(pk=row.pk).first() if change else None
    if before is not None and (changes := describe_changes(before, row)):
        history.record(row, history.Kind.SETTINGS, changes, by=request.user, now=clock.now())


def describe_changes(before: Any, after: Any) -> str:
    """Say in words what a form has changed; "" if nothing."""
    sentences = []
    for field in after._meta.fields:
        old, new = getattr(before, field.attname), getattr(after, field.attname)
        if old != new and field.editable:
            shown = [format_value(field, getattr(row, field.name)) for row in (before, after)]
            sentences.append(f"{add_colon(capfirst(str(field.verbose_name)))} {shown[0]} → {shown[1]}")
    return "; ".join(sentences)
