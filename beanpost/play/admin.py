"""Matches in the admin, read-only and as a bystander sees them. No line, origin or secret is shown or searchable."""

from __future__ import annotations

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest
from django.urls import reverse
from django.utils.html import format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from beanpost.admin.base import GameColumns, GameFilter, ReadOnlyAdmin
from beanpost.play.display.story import tell_story
from beanpost.play.display.wording import format_span, say
from beanpost.play.models import Match
from games.contract.errors import NotInstalled


@admin.register(Match)
class MatchAdmin(GameColumns, ReadOnlyAdmin):  # type: ignore[misc]  # unfold’s bases and Django’s disagree
    list_display = ("code", "title", "kind_of_game", "keeper", "phase", "length", "opened_at", "started_at", "ended_at")
    list_filter = (("game", GameFilter), "phase")
    search_fields = ("code", "keeper__name")
    list_select_related = ("keeper",)
    ordering = ("-pk",)  # newest first, by the primary key's index; a date_hierarchy would scan all rows
    fields = (*list_display, "time", "ending", "commitment", "head", "player_names", "story")
    readonly_fields = ("title", "kind_of_game", "time", "player_names", "story")

    def get_queryset(self, request: HttpRequest) -> QuerySet[Match]:
        matches: QuerySet[Match] = super().get_queryset(request)
        return matches.select_related("keeper")

    def view_on_site(self, match: Match) -> str:
        return reverse("match", args=[match.code])

    @admin.display(description=_("time per move"))
    def time(self, match: Match) -> str:
        return format_span(match.allowance)

    @admin.display(description=_("Seats"))
    def player_names(self, match: Match) -> str:
        return ", ".join(place.name for place in match.places.all())

    @admin.display(description=_("The story, as a spectator sees it"))
    def story(self, match: Match) -> SafeString | str:
        if match.started_at is None:
            return gettext("It hasn’t started yet.")
        try:
            lines = tell_story(match, None)
        except NotInstalled as missing:
            return say(missing.phrase, ())
        return format_html_join("", "<p>{}. {}</p>", ((line.seq, line.text) for line in lines))
