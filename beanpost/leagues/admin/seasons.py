"""Admin pages of seasons: the list, the tabs of one season, and its files."""

from __future__ import annotations

from functools import partial
from typing import Any

from django.contrib import admin
from django.db.models import Count, Q, QuerySet
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect, JsonResponse
from django.template.response import TemplateResponse
from django.urls import URLPattern, path, reverse
from django.utils.safestring import SafeString
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from unfold.admin import TabularInline
from unfold.views import ChangeList

from beanpost.leagues.admin import cockpit
from beanpost.leagues.admin.base import ActionAdmin, HistoryAdmin, OwnFilter, format_link
from beanpost.leagues.admin.forms import SeasonForm
from beanpost.leagues.admin.history import build_context
from beanpost.leagues.mail import announcements, organiser_letters
from beanpost.leagues.models import Division, Entry, Season
from beanpost.leagues.people import entries as season_entries
from beanpost.leagues.records import exports, history
from beanpost.leagues.standings import labels
from beanpost.play import clock

FILES = [*((what, form) for what in exports.COLUMNS for form in ("csv", "json")), ("season", "zip"), ("season", "json")]


class DivisionInline(TabularInline):
    model = Division
    fields = ("level", "name", "page_link")
    readonly_fields = ("page_link",)
    extra = 0
    can_delete = False

    @admin.display(description=_("draws"))
    def page_link(self, division: Division) -> SafeString | str:
        if division._state.adding:
            return "—"
        return format_link(reverse("admin:leagues_division_change", args=[division.pk]), gettext("View"))


class CockpitChangeList(ChangeList):
    """The list of seasons, each with a link to its cockpit."""

    def url_for_result(self, result: Any) -> str:
        return cockpit.cockpit_url(result)


@admin.register(Season)
class SeasonAdmin(HistoryAdmin, ActionAdmin):
    """A season's page is its cockpit; the form is the tab with its settings."""

    form = SeasonForm
    change_form_outer_before_template = "admin/leagues/tabs.html"
    list_display = ("name", "league", "format", "phase", "entered", "what_now")
    list_filter = (("league", OwnFilter), "phase", "format")
    search_fields = ("name", "league__name")
    list_select_related = ("league",)
    inlines = (DivisionInline,)
    readonly_fields = ("phase", "seed", "files", "scheme", "ties")
    fieldsets = (
        (
            None,
            {"fields": ("league", "name", ("starts_on", "ends_on"), "round_days", "most_entries")},
        ),
        (_("Invitation"), {"fields": ("invitation_words",)}),
        (_("Games and pace"), {"fields": ("format", ("size", "rounds"), "points", "tie_breaks")}),
        (_("Promotion and substitutes"), {"fields": ("moving", "substitutes_score", "annulled")}),
        (_("Current state"), {"fields": ("phase", "seed", "files")}),
    )

    def get_queryset(self, request: HttpRequest) -> QuerySet[Season]:
        playing = Count("entries", filter=Q(entries__state=Entry.State.ENTERED))
        seasons = super().get_queryset(request).annotate(entered_count=playing)
        return organiser_letters.annotate_public_news(announcements.annotate_lost_letters(seasons, clock.now()))

    def get_readonly_fields(self, request: HttpRequest, obj: Season | None = None) -> tuple[str, ...]:
        """Once the seed is drawn, freeze every field that a draw or the standings depend on."""
        settled = (
            "league",
            "format",
            "size",
            "rounds",
            "points",
            "tie_breaks",
            "moving",
            "substitutes_score",
            "annulled",
        )
        drawn = settled if obj and obj.seed else ()
        return (*self.readonly_fields, *drawn)

    def get_changelist(self, request: HttpRequest, **options: Any) -> Any:
        return CockpitChangeList

    def change_view(
        self, request: HttpRequest, object_id: str, form_url: str = "", extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        season = self.get_object(request, object_id)
        more = {"tabs": cockpit.build_tabs(season, "settings")} if season else {}
        return super().change_view(request, object_id, form_url, {**(extra_context or {}), **more})

    def response_post_save_change(self, request: HttpRequest, obj: Any) -> HttpResponseRedirect:
        return HttpResponseRedirect(cockpit.cockpit_url(obj))

    def response_post_save_add(self, request: HttpRequest, obj: Any) -> HttpResponseRedirect:
        return HttpResponseRedirect(cockpit.cockpit_url(obj))

    def show_cockpit(self, request: HttpRequest, pk: int) -> HttpResponse:
        return self.render_tab(
            request, pk, "cockpit", "admin/leagues/cockpit.html", partial(cockpit.build_context, user=request.user)
        )

    def show_follow_up(self, request: HttpRequest, pk: int) -> HttpResponse:
        more = partial(cockpit.build_follow_up, user=request.user, asked=request.GET, now=clock.now())
        return self.render_tab(request, pk, "follow-up", "admin/leagues/follow_up.html", more)

    def show_history(self, request: HttpRequest, pk: int) -> HttpResponse:
        more = partial(build_context, asked=request.GET)
        return self.render_tab(request, pk, "history", "admin/leagues/history.html", more)

    def render_tab(self, request: HttpRequest, pk: int, name: str, template: str, more: Any) -> HttpResponse:
        """Show one of the pages about a season; `more` returns what its template needs."""
        season = self.get_queryset(request).select_related("league").filter(pk=pk).first()
        if season is None or not self.has_view_permission(request):  # the queryset holds only the organiser's own
            raise Http404
        context = {
            **self.admin_site.each_context(request),
            **more(season),
            "season": season,
            "opts": self.opts,
            "title": str(season),
            "public": self.view_on_site(season),
            "tabs": cockpit.build_tabs(season, name),
        }
        return TemplateResponse(request, template, context)

    def get_fieldsets(self, request: HttpRequest, obj: Any = None) -> Any:
        """Show frozen fields in words."""
        shown: dict[Any, str] = {"points": "scheme", "tie_breaks": "ties"} if obj and obj.seed else {}
        return [
            (name, options | {"fields": [shown.get(field, field) for field in options["fields"]]})
            for name, options in self.fieldsets
        ]

    def save_formset(self, request: HttpRequest, form: Any, formset: Any, change: bool) -> None:
        """Record which divisions were added or renamed."""
        changed = [each.instance for each in formset.forms if each.has_changed()]
        before = {division.pk: history.take_snapshot(division) for division in changed if division.pk}
        super().save_formset(request, form, formset, change)
        for division in changed:
            self.record_form(request, division, before.get(division.pk))

    def save_model(self, request: HttpRequest, obj: Any, form: Any, change: bool) -> None:
        super().save_model(request, obj, form, change)
        season_entries.fill_free_places(obj, now=clock.now())  # new places go to the waiting list first

    @admin.display(description=_("points"))
    def scheme(self, season: Season) -> str:
        return labels.describe_points(season.points)

    @admin.display(description=_("tie-breaks"))
    def ties(self, season: Season) -> str:
        return labels.describe_tie_breaks(season.tie_breaks)

    def view_on_site(self, season: Season) -> str:
        return reverse("season", args=[season.league.slug, season.pk])

    @admin.display(description=_("Playing"))
    def entered(self, season: Any) -> SafeString:
        url = reverse("admin:leagues_entry_changelist") + f"?season__id__exact={season.pk}"
        return format_link(url, str(season.entered_count))

    # ── exports ──

    def get_urls(self) -> list[URLPattern]:
        export = self.admin_site.admin_view(self.export)
        cockpit_page = self.admin_site.admin_view(self.show_cockpit)
        follow_up = self.admin_site.admin_view(self.show_follow_up)
        history_page = self.admin_site.admin_view(self.show_history)
        return [
            path("<int:pk>/", cockpit_page, name="leagues_season_cockpit"),
            path("<int:pk>/follow-up/", follow_up, name="leagues_season_follow_up"),
            path("<int:pk>/story/", history_page, name="leagues_season_story"),
            path("<int:pk>/export/<slug:what>.<slug:form>", export, name="leagues_season_export"),
            *super().get_urls(),
        ]

    def export(self, request: HttpRequest, pk: int, what: str, form: str) -> HttpResponse:
        season = self.get_queryset(request).select_related("league").filter(pk=pk).first()
        if season is None or (what, form) not in FILES:
            raise Http404
        if form == "json":
            rows = exports.KINDS[what](season)
            return JsonResponse(rows, safe=False, json_dumps_params={"ensure_ascii": False, "indent": 1})
        if form == "zip":
            answer = HttpResponse(exports.build_zip(season), content_type="application/zip")
        else:
            sheet = exports.format_csv(exports.COLUMNS[what], exports.KINDS[what](season))
            answer = HttpResponse(sheet, content_type="text/csv; charset=utf-8")
        answer.headers["Content-Disposition"] = f'attachment; filename="{season.league.slug}-{what}.{form}"'
        return answer

    @admin.display(description=_("Downloads"))
    def files(self, season: Season) -> SafeString:
        if season._state.adding:
            return SafeString("—")
        links = [
            format_link(reverse("admin:leagues_season_export", args=[season.pk, what, form]), f"{what}.{form}")
            for what, form in FILES
        ]
        return SafeString(" · ".join(links))
