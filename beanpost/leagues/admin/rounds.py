"""Rounds and their tables: looked at, and moved on by verbs."""

from __future__ import annotations

from typing import Any

from django.contrib import admin
from django.db.models import Count, Q, QuerySet
from django.http import HttpRequest
from django.urls import reverse
from django.utils.safestring import SafeString
from django.utils.translation import gettext_lazy as _
from unfold.admin import TabularInline

from beanpost.leagues.admin.scoped import Office, OwnFilter, Remembered, Scoped, link
from beanpost.leagues.models import Chair, Fixture, Rating, Round


class Shown(TabularInline):
    """Rows below a row, to be looked at."""

    extra = 0
    can_delete = False

    def has_add_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_view_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return True  # of what one may see


class FixtureInline(Shown):
    model = Fixture
    fields = readonly_fields = ("table", "who", "match_state", "ending", "reason")
    show_change_link = True

    def get_queryset(self, request: HttpRequest) -> QuerySet[Fixture]:
        rows: QuerySet[Fixture] = super().get_queryset(request)
        return rows.select_related("match").prefetch_related("chairs__sitter")

    @admin.display(description=_("Who"))
    def who(self, fixture: Fixture) -> str:
        return ", ".join(chair.sitter.name for chair in fixture.chairs.all())

    @admin.display(description=_("Match"))
    def match_state(self, fixture: Fixture) -> str:
        return fixture.match.get_phase_display() if fixture.match else "—"


class Looked(Office):
    """Changed by verbs alone."""

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False


@admin.register(Round)
class RoundAdmin(Looked):
    list_display = ("number", "division", "game", "phase", "decided", "published_at", "what_now")
    list_filter = (("division__season", OwnFilter), "phase", "game")
    search_fields = ("division__name", "division__season__name")
    list_select_related = ("division__season__league",)
    fields = ("division", "number", "game", "variant", "phase", "published_at", "closed_at")
    inlines = (FixtureInline,)

    def get_queryset(self, request: HttpRequest) -> QuerySet[Round]:
        done = Count("fixtures", filter=~Q(fixtures__ending=Fixture.Ending.OPEN))
        return super().get_queryset(request).annotate(all_tables=Count("fixtures"), done_tables=done)

    @admin.display(description=_("Decided"))
    def decided(self, round_: Any) -> str:
        return f"{round_.done_tables} / {round_.all_tables}"


class ChairInline(Shown):
    model = Chair
    fields = readonly_fields = ("seat", "entry", "sitter", "rank", "score", "forfeited", "by_bot")

    def get_queryset(self, request: HttpRequest) -> QuerySet[Chair]:
        rows: QuerySet[Chair] = super().get_queryset(request)
        return rows.select_related("entry__player", "sitter")


@admin.register(Fixture)
class FixtureAdmin(Remembered, Looked):
    list_display = ("__str__", "who", "match_link", "ending", "decided_at", "what_now")
    list_filter = (("round__division__season", OwnFilter), "round__phase", "ending")
    search_fields = ("chairs__sitter__name", "match__code")
    list_select_related = ("round__division__season__league", "match")
    fields = readonly_fields = ("round", "table", "match_link", "ending", "reason", "decided_at")
    inlines = (ChairInline,)

    def get_queryset(self, request: HttpRequest) -> QuerySet[Fixture]:
        return super().get_queryset(request).prefetch_related("chairs__sitter")

    @admin.display(description=_("Who"))
    def who(self, fixture: Fixture) -> str:
        return ", ".join(chair.sitter.name for chair in fixture.chairs.all())

    @admin.display(description=_("Match"))
    def match_link(self, fixture: Fixture) -> SafeString | str:
        if fixture.match is None:
            return "—"
        return link(reverse("admin:play_match_change", args=[fixture.match.pk]), fixture.match.get_phase_display())


@admin.register(Rating)
class RatingAdmin(Scoped):
    list_display = ("player", "shown_game", "strength", "matches")
    list_filter = ("game",)
    search_fields = ("player__name",)
    list_select_related = ("player",)
    ordering = ("-mu",)

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    @admin.display(description=_("Game"), ordering="game")
    def shown_game(self, rating: Rating) -> str:
        return rating.game or "—"

    @admin.display(description=_("Strength"), ordering="mu")
    def strength(self, rating: Rating) -> str:
        return f"{rating.mu:.1f} ± {2 * rating.sigma:.1f}"
