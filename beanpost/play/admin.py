"""The tables in the office: to be looked at, as a bystander may. No line, origin or secret is shown or searched."""

from __future__ import annotations

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils.html import format_html_join
from django.utils.safestring import SafeString

from beanpost.admin import LookOnly
from beanpost.play import scene
from beanpost.play.models import Match


@admin.register(Match)
class MatchAdmin(LookOnly):
    list_display = ("code", "game", "variant", "keeper", "phase", "length", "opened_at", "started_at", "ended_at")
    list_filter = ("game", "phase")
    search_fields = ("code", "keeper__name")
    list_select_related = ("keeper",)
    date_hierarchy = "opened_at"
    fields = (*list_display, "allowance", "ending", "commitment", "head", "who_sits_where", "story")
    readonly_fields = ("who_sits_where", "story")

    def get_queryset(self, request: HttpRequest) -> QuerySet[Match]:
        matches: QuerySet[Match] = super().get_queryset(request)
        return matches.select_related("keeper")

    @admin.display(description="Who sits where")
    def who_sits_where(self, match: Match) -> str:
        return ", ".join(place.name for place in match.places.all())

    @admin.display(description="The story, as a bystander hears it")
    def story(self, match: Match) -> SafeString | str:
        if match.started_at is None:
            return "It has not begun."
        return format_html_join("", "<p>{}. {}</p>", ((line.seq, line.text) for line in scene.of(match, None).story))
