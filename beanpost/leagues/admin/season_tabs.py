"""The tabs of a season above the lists of its people and of its tables."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest, HttpResponse

from beanpost.leagues.admin import cockpit
from beanpost.leagues.models import Season
from beanpost.leagues.scope import limit_to_own


class SeasonTabs:
    """Show the season's tabs above a list that is filtered by one season."""

    list_before_template = "admin/leagues/tabs.html"
    tab: str
    season_lookup: str

    def changelist_view(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> HttpResponse:
        number = request.GET.get(self.season_lookup, "")
        own = limit_to_own(Season.objects.all(), request.user)
        season = own.filter(pk=number).first() if number.isdecimal() and len(number) < 10 else None
        more = {"tabs": cockpit.build_tabs(season, self.tab)} if season else {}
        return super().changelist_view(request, {**(extra_context or {}), **more})
