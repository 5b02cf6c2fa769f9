"""The page with the history of a whole season, filtered as an organiser asks."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlencode

from django import forms
from django.core.paginator import Paginator
from django.http import QueryDict
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from unfold.widgets import UnfoldAdminSelectWidget, UnfoldAdminTextInputWidget

from beanpost.leagues.models import Season
from beanpost.leagues.records import history

PER_PAGE = 100


class HistoryFilter(forms.Form):
    kind = forms.ChoiceField(label=gettext_lazy("Kind"), required=False, widget=UnfoldAdminSelectWidget)
    division = forms.ChoiceField(label=gettext_lazy("Division"), required=False, widget=UnfoldAdminSelectWidget)
    q = forms.CharField(label=gettext_lazy("Words"), required=False, max_length=100, widget=UnfoldAdminTextInputWidget)

    def __init__(self, season: Season, data: Any) -> None:
        super().__init__(data)
        homes = [(str(division.pk), str(division)) for division in season.divisions.all()]
        self.fields["kind"].choices = [("", _("everything")), *history.Kind.choices]  # type: ignore[attr-defined]
        self.fields["division"].choices = [("", _("all divisions")), *homes]  # type: ignore[attr-defined]


def build_context(season: Season, asked: QueryDict) -> dict[str, Any]:
    """Return one page of a season's history, filtered as asked."""
    form = HistoryFilter(season, asked)
    wanted = form.cleaned_data if form.is_valid() else {}
    words = {"kind": wanted.get("kind", ""), "division": wanted.get("division", ""), "words": wanted.get("q", "")}
    found = history.filter_moments(history.list_season_history(season), **words)
    query = urlencode({name: value for name, value in wanted.items() if value})
    page = Paginator(found, PER_PAGE).get_page(asked.get("page"))
    return {"form": form, "page": page, "items": history.describe(page.object_list), "query": query}
