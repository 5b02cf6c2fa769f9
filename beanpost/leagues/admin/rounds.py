"""Admin pages of rounds and their tables: read-only, changed by actions."""

from __future__ import annotations

from typing import Any

from django.contrib import admin
from django.db.models import Case, Count, F, Q, QuerySet, When
from django.http import HttpRequest
from django.template.defaultfilters import floatformat
from django.urls import reverse
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from beanpost.admin.base import GameColumns, GameFilter
from beanpost.leagues.actions.table_actions import describe_table
from beanpost.leagues.admin.base import ActionAdmin, HistoryAdmin, OwnFilter, ReadOnlyInline, ScopedAdmin, format_link
from beanpost.leagues.admin.season_tabs import SeasonTabs
from beanpost.leagues.models import Chair, Fixture, Rating, Round
from beanpost.leagues.models.ratings import RATED_AFTER
from beanpost.leagues.scope import limit_to_own
from beanpost.play.display.wording import format_time
from games.contract.seats import seat_label

TABLE = """
<table class="story">
<thead><tr><th>{}</th><th>{}</th><th>{}</th><th>{}</th><th>{}</th></tr></thead>
<tbody>{}</tbody>
</table>
"""
ROW = """
<tr><td><a class="underline" href="{}">{}</a></td><td>{}</td><td>{}</td><td>{}</td><td>{}</td></tr>
"""


def draw_tables(round_: Round) -> SafeString:
    """Return the tables of a round as one light table: an inline takes 5 kB for each."""
    rows = round_.fixtures.select_related("match").prefetch_related("chairs__sitter")
    cells = (
        (
            reverse("admin:leagues_fixture_change", args=[fixture.pk]),
            fixture.table,
            ", ".join(chair.sitter_name for chair in fixture.chairs.all()),
            fixture.match.get_phase_display() if fixture.match else "—",
            fixture.get_ending_display(),
            fixture.reason,
        )
        for fixture in rows
    )
    headings = (gettext("Table"), gettext("Players"), gettext("Match"), gettext("Result"), gettext("Reason"))
    return format_html(TABLE, *headings, format_html_join("", ROW, cells))


class ReadOnlyAdmin(ActionAdmin):
    """A read-only page whose rows only actions change."""

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False


@admin.register(Round)
class RoundAdmin(GameColumns, HistoryAdmin, ReadOnlyAdmin):
    list_display = ("number", "division", "season", "title", "phase", "decided", "published_at", "what_now")
    list_filter = (("division__season", OwnFilter), "phase", ("game", GameFilter))
    search_fields = ("division__name", "division__season__name")
    list_select_related = ("division__season__league",)
    ordering = ("-division__season__pk", "division__level", "number")
    fields = ("division", "number", "title", "kind_of_game", "phase", "published_at", "due_on", "closed_at", "tables")
    readonly_fields = ("title", "kind_of_game", "tables")

    def get_queryset(self, request: HttpRequest) -> QuerySet[Round]:
        done = Count("fixtures", filter=~Q(fixtures__ending=Fixture.Ending.OPEN))
        return super().get_queryset(request).annotate(all_tables=Count("fixtures"), done_tables=done)

    @admin.display(description=_("Tables"))
    def tables(self, round_: Round) -> SafeString:
        return draw_tables(round_)

    @admin.display(description=_("season"))
    def season(self, round_: Round) -> str:
        return str(round_.division.season)

    @admin.display(description=_("Result"))
    def decided(self, round_: Any) -> str:
        return f"{round_.done_tables} / {round_.all_tables}"


class RoundInline(ReadOnlyInline):
    model = Round
    fields = readonly_fields = ("page_link", "title", "phase", "published_at", "closed_at")

    @admin.display(description=_("Round"))
    def page_link(self, round_: Round) -> SafeString | str:
        return (
            format_link(reverse("admin:leagues_round_change", args=[round_.pk]), str(round_.number))
            if round_.pk
            else ""
        )

    @admin.display(description=_("Game"))
    def title(self, round_: Round) -> str:
        return round_.title if round_.pk else ""  # a forged form can ask for rows that don't exist


class ChairInline(ReadOnlyInline):
    model = Chair
    fields = readonly_fields = ("seat_letter", "entry", "sitter", "rank", "score", "forfeited", "by_bot")

    @admin.display(description=_("Seat"))
    def seat_letter(self, chair: Chair) -> str:
        return seat_label(chair.seat)

    def get_queryset(self, request: HttpRequest) -> QuerySet[Chair]:
        rows: QuerySet[Chair] = super().get_queryset(request)
        return rows.select_related("entry__player", "sitter")


@admin.register(Fixture)
class FixtureAdmin(SeasonTabs, HistoryAdmin, ReadOnlyAdmin):
    tab, season_lookup = "tables", "round__division__season__id__exact"
    list_display = ("__str__", "season", "who", "match_link", "waits_for", "ending", "what_now")
    list_filter = (("round__division__season", OwnFilter), "round__phase", "ending")
    search_fields = ("chairs__sitter__name", "match__code")
    list_select_related = ("round__division__season__league", "match")
    ordering = ("-round__division__season__pk", "round__division__level", "round__number", "table")
    fields = ("round", "table", "match_link", "as_it_stands", "ending", "reason", "decided_at")
    readonly_fields = (*fields, "earlier_match_links")
    inlines = (ChairInline,)

    def get_queryset(self, request: HttpRequest) -> QuerySet[Fixture]:
        return super().get_queryset(request).prefetch_related("chairs__sitter", "match__waits", "match__places")

    @admin.display(description=_("season"))
    def season(self, fixture: Fixture) -> str:
        return str(fixture.round.division.season)

    @admin.display(description=_("Players"))
    def who(self, fixture: Fixture) -> str:
        return ", ".join(chair.sitter_name for chair in fixture.chairs.all())

    @admin.display(description=_("Match"))
    def match_link(self, fixture: Fixture) -> SafeString | str:
        if fixture.match is None:
            return "—"
        sentence = f"{fixture.round.title}, {fixture.match.get_phase_display()}"
        return format_link(reverse("admin:play_match_change", args=[fixture.match.pk]), sentence)

    def get_fields(self, request: HttpRequest, obj: Any = None) -> Any:
        """Add the earlier matches of a table that was played again."""
        fields = list(super().get_fields(request, obj))
        if obj and obj.earlier_matches.exists():
            fields.insert(fields.index("match_link") + 1, "earlier_match_links")
        return fields

    @admin.display(description=_("Earlier match"))
    def earlier_match_links(self, fixture: Fixture) -> SafeString:
        rows = fixture.earlier_matches.select_related("match").order_by("pk")
        replaced = gettext("%(game)s, replaced %(at)s")
        links = (
            format_link(
                reverse("match", args=[row.match.code]),
                replaced % {"game": fixture.round.title, "at": format_time(row.replaced_at)},
            )
            for row in rows
        )
        return format_html_join("", "<p>{}</p>", ((link,) for link in links))

    @admin.display(description=_("Waiting for"))
    def waits_for(self, fixture: Fixture) -> str:
        match = fixture.match
        if match and match.phase == match.Phase.GATHERING:
            asked = {place.seat for place in match.places.all() if place.confirmed_at is None}
        else:
            asked = {wait.seat for wait in match.waits.all() if wait.is_blocking} if match else set()
        names = ", ".join(chair.sitter_name for chair in fixture.chairs.all() if chair.seat in asked) or "—"
        return gettext("%(names)s (paused)") % {"names": names} if match and match.paused_at else names

    @admin.display(description=_("Current state"))
    def as_it_stands(self, fixture: Fixture) -> SafeString:
        return format_html_join("", "<p>{}</p>", ((sentence,) for sentence in describe_table(fixture, {})))


@admin.register(Rating)
class RatingAdmin(GameColumns, ScopedAdmin):
    """Ratings, listed by a cautious value: the mean less three times its uncertainty. A few wins are not enough."""

    list_display = ("player", "title", "rating", "strength", "matches")
    list_filter = (("game", GameFilter),)
    search_fields = ("player__name",)
    list_select_related = ("player",)

    def get_queryset(self, request: HttpRequest) -> QuerySet[Rating]:
        careful = F("mu") - 3 * F("sigma")
        provisional = Case(When(matches__lt=RATED_AFTER, then=True), default=False)
        rows: QuerySet[Rating] = limit_to_own(
            Rating.objects.annotate(careful=careful, provisional=provisional), request.user
        )
        return rows

    def get_ordering(self, request: HttpRequest) -> tuple[str, ...]:
        return ("provisional", "-careful")

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    @admin.display(description=_("Rating (almost certainly at least)"), ordering="careful")
    def rating(self, rating: Rating) -> str:
        shown = floatformat(rating.shown, 1)
        return gettext("%(rating)s, after few matches") % {"rating": shown} if rating.is_provisional else shown

    @admin.display(description=_("Strength"), ordering="mu")
    def strength(self, rating: Rating) -> str:
        return f"{floatformat(rating.mu, 1)} ± {floatformat(rating.sigma, 1)}"
