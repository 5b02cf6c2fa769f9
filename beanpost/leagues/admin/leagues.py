"""Admin pages of leagues, seasons, divisions and entries."""

from __future__ import annotations

from functools import partial
from typing import Any

from django.conf import settings
from django.contrib import admin
from django.db.models import Count, Q, QuerySet
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect, JsonResponse
from django.shortcuts import get_object_or_404
from django.template.response import TemplateResponse
from django.urls import URLPattern, path, reverse
from django.utils.safestring import SafeString
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from unfold.admin import TabularInline
from unfold.views import ChangeList

from beanpost.leagues.actions import season_actions
from beanpost.leagues.admin import cockpit, follow_up
from beanpost.leagues.admin.base import Office, OwnFilter, Remembered, Shown, link
from beanpost.leagues.admin.forms import LeagueForm, SeasonForm
from beanpost.leagues.admin.history import changes_told, season_history
from beanpost.leagues.admin.list_actions import ForMany
from beanpost.leagues.admin.rounds import RoundInline
from beanpost.leagues.mail import announcements, invitations
from beanpost.leagues.models import Division, Draw, Entry, League, Season, Webhook, WebhookCall
from beanpost.leagues.records import exports, history, season_records
from beanpost.leagues.seasons import entries as season_entries
from beanpost.leagues.seasons import introductions, jobs, keepers, rounds
from beanpost.leagues.standings import labels
from beanpost.play import clock, random_codes
from beanpost.play.display import wording

FILES = [*((what, form) for what in exports.COLUMNS for form in ("csv", "json")), ("season", "zip"), ("season", "json")]


class WebhookInline(TabularInline):
    """Chats that hear the league's news. Everybody who may change the league may change them."""

    model = Webhook
    fields = ("url", "format", "results", "rounds", "standings", "active", "how_it_goes", "signed_with")
    readonly_fields = ("how_it_goes", "signed_with")
    extra = 0
    max_num = 5

    def has_add_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return bool(settings.OUTGOING_WEBHOOKS)

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return bool(settings.OUTGOING_WEBHOOKS)

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return bool(settings.OUTGOING_WEBHOOKS)

    def has_view_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return bool(settings.OUTGOING_WEBHOOKS)

    def formfield_for_dbfield(self, db_field: Any, request: HttpRequest, **options: Any) -> Any:
        more = {"assume_scheme": "https"} if db_field.name == "url" else {}
        return super().formfield_for_dbfield(db_field, request, **options, **more)

    @admin.display(description=_("secret"))
    def signed_with(self, webhook: Webhook) -> str:
        """Show the secret of a saved webhook only: a new one gets another when it is saved."""
        return webhook.secret if webhook.pk else "—"

    @admin.display(description=_("state"))
    def how_it_goes(self, webhook: Webhook) -> str:
        """Say what became of the last call."""
        last = webhook.calls.order_by("-pk").first() if webhook.pk else None
        if last is None:
            return gettext("no news sent yet")
        if last.state == WebhookCall.State.SENT:
            return gettext("the last news was sent")
        return gettext("the last news could not be sent: %(error)s") % {"error": last.error or "—"}


@admin.register(League)
class LeagueAdmin(Remembered):
    inlines = (WebhookInline,)
    list_display = ("name", "kept_by", "at_pace", "absence", "sign_up", "weekly", "seasons_there")
    search_fields = ("name",)
    list_select_related = ("keeper",)
    autocomplete_fields = ("organisers",)
    form = LeagueForm
    fieldsets = (
        (
            None,
            {"fields": ("name", "slug", "about", "organisers", "keeper_address", ("run_by", "contact"), "language")},
        ),
        (_("Games and pace"), {"fields": ("games", "pace", "own_pace", "absence")}),
        (_("Members and news"), {"fields": (("visibility", "join_code"), "sign_up", "weekly")}),
    )

    def get_queryset(self, request: HttpRequest) -> QuerySet[League]:
        return super().get_queryset(request).annotate(season_count=Count("seasons"))

    def get_readonly_fields(self, request: HttpRequest, obj: League | None = None) -> tuple[str, ...]:
        """Let only the host appoint organisers and change the slug."""
        return () if request.user.is_superuser else ("organisers", "slug")

    def get_prepopulated_fields(self, request: HttpRequest, obj: League | None = None) -> Any:
        return {} if obj or not request.user.is_superuser else {"slug": ("name",)}

    def view_on_site(self, league: League) -> str:
        return reverse("league", args=[league.slug])

    def save_model(self, request: HttpRequest, obj: Any, form: Any, change: bool) -> None:
        if obj.visibility == League.Visibility.MEMBERS and not obj.join_code:
            obj.join_code = random_codes.new_code()
        super().save_model(request, obj, form, change)
        keepers.name(obj, form.cleaned_data["keeper_address"], now=clock.now())

    @admin.display(description=_("keeper"))
    def kept_by(self, league: League) -> str:
        if not league.typed_keeper:
            return str(league.keeper or "—")
        return gettext("%(address)s, not answered yet") % {"address": league.typed_keeper}

    @admin.display(description=_("pace"), ordering="pace")
    def at_pace(self, league: League) -> str:
        return wording.called(league.pace)

    @admin.display(description=_("Seasons"))
    def seasons_there(self, league: Any) -> SafeString:
        url = reverse("admin:leagues_season_changelist") + f"?league__id__exact={league.pk}"
        return link(url, str(league.season_count))


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
        return link(reverse("admin:leagues_division_change", args=[division.pk]), gettext("View"))


class Asked:
    """Show entries with the state of their invitation letter."""

    @admin.display(description=_("player"))
    def who(self, entry: Entry) -> str:
        return entry.called

    @admin.display(description=_("address"))
    def where(self, entry: Entry) -> str:
        return entry.shown_address

    @admin.display(description=_("state"), ordering="state")
    def stands(self, entry: Entry) -> str:
        """Tell entries that are only on the list from invited ones."""
        if entry.state == Entry.State.INVITED and not entry.invited_at:
            return gettext("not invited yet")
        if entry.state == Entry.State.INVITED and entry.on_acceptance:
            return gettext("%(state)s once they accept") % {"state": entry.get_on_acceptance_display()}
        return entry.get_state_display()

    @admin.display(description=_("invitation"))
    def letter(self, entry: Entry) -> str:
        return invitations.what_became_of(entry)


class ToCockpits(ChangeList):
    """The list of seasons, each with a link to its cockpit."""

    def url_for_result(self, result: Any) -> str:
        return cockpit.url_of(result)


@admin.register(Season)
class SeasonAdmin(Remembered, Office):
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
        return announcements.with_post(super().get_queryset(request).annotate(entered_count=playing), clock.now())

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
        return ToCockpits

    def change_view(
        self, request: HttpRequest, object_id: str, form_url: str = "", extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        season = self.get_object(request, object_id)
        more = {"tabs": cockpit.tabs(season, "settings")} if season else {}
        return super().change_view(request, object_id, form_url, {**(extra_context or {}), **more})

    def response_post_save_change(self, request: HttpRequest, obj: Any) -> HttpResponseRedirect:
        return HttpResponseRedirect(cockpit.url_of(obj))

    def response_post_save_add(self, request: HttpRequest, obj: Any) -> HttpResponseRedirect:
        return HttpResponseRedirect(cockpit.url_of(obj))

    def show_cockpit(self, request: HttpRequest, pk: int) -> HttpResponse:
        season = self.get_queryset(request).select_related("league").filter(pk=pk).first()
        if season is None or not self.has_view_permission(request, season):
            raise Http404
        context = {
            **self.admin_site.each_context(request),
            **cockpit.of(season, request.user),
            "opts": self.opts,
            "title": str(season),
            "public": self.view_on_site(season),
        }
        return TemplateResponse(request, "admin/leagues/cockpit.html", context)

    def show_follow_up(self, request: HttpRequest, pk: int) -> HttpResponse:
        more = partial(follow_up.page_of, user=request.user, asked=request.GET, now=clock.now())
        return self.tab(request, pk, "follow-up", "admin/leagues/follow_up.html", more)

    def show_history(self, request: HttpRequest, pk: int) -> HttpResponse:
        more = partial(season_history, asked=request.GET)
        return self.tab(request, pk, "history", "admin/leagues/history.html", more)

    def show_progress(self, request: HttpRequest, pk: int, job: int) -> HttpResponse:
        """Show how far long work is. The page reloads itself until the work is done."""

        def more(season: Season) -> dict[str, Any]:
            found = get_object_or_404(season.jobs, pk=job)
            label = next(one.label for one in season_actions.ACTIONS[Season] if one.name == found.action)
            if found.finished_at is None:
                jobs.wake()
            return {"job": found, "heading": label, "cockpit": cockpit.url_of(season)}

        return self.tab(request, pk, "cockpit", "admin/leagues/progress.html", more)

    def tab(self, request: HttpRequest, pk: int, name: str, template: str, more: Any) -> HttpResponse:
        """Show one of the pages about a season; `more` returns what its template needs."""
        season = self.get_queryset(request).select_related("league").filter(pk=pk).first()
        if season is None or not self.has_view_permission(request, season):
            raise Http404
        context = {
            **self.admin_site.each_context(request),
            **more(season),
            "season": season,
            "opts": self.opts,
            "title": str(season),
            "tabs": cockpit.tabs(season, name),
        }
        return TemplateResponse(request, template, context)

    def get_fieldsets(self, request: HttpRequest, obj: Any = None) -> Any:
        """Show frozen fields in words."""
        shown: dict[Any, str] = {"points": "scheme", "tie_breaks": "ties"} if obj and obj.seed else {}
        return [
            (name, options | {"fields": [shown.get(field, field) for field in options["fields"]]})
            for name, options in self.fieldsets
        ]

    def save_model(self, request: HttpRequest, obj: Any, form: Any, change: bool) -> None:
        keep_changes(request, obj, change=change)
        super().save_model(request, obj, form, change)
        season_entries.fill_up(obj, now=clock.now())  # new places go to the waiting list first

    @admin.display(description=_("points"))
    def scheme(self, season: Season) -> str:
        return labels.points_called(season.points)

    @admin.display(description=_("tie-breaks"))
    def ties(self, season: Season) -> str:
        return labels.breaks_called(season.tie_breaks)

    def view_on_site(self, season: Season) -> str:
        return reverse("season", args=[season.league.slug, season.pk])

    @admin.display(description=_("Playing"))
    def entered(self, season: Any) -> SafeString:
        url = reverse("admin:leagues_entry_changelist") + f"?season__id__exact={season.pk}"
        return link(url, str(season.entered_count))

    # ── exports ──

    def get_urls(self) -> list[URLPattern]:
        export = self.admin_site.admin_view(self.export)
        cockpit_page = self.admin_site.admin_view(self.show_cockpit)
        follow_up_page = self.admin_site.admin_view(self.show_follow_up)
        progress_page = self.admin_site.admin_view(self.show_progress)
        history_page = self.admin_site.admin_view(self.show_history)
        return [
            path("<int:pk>/", cockpit_page, name="leagues_season_cockpit"),
            path("<int:pk>/progress/<int:job>/", progress_page, name="leagues_season_progress"),
            path("<int:pk>/follow-up/", follow_up_page, name="leagues_season_follow_up"),
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
            answer = HttpResponse(exports.as_zip(season), content_type="application/zip")
        else:
            sheet = exports.as_csv(exports.COLUMNS[what], exports.KINDS[what](season))
            answer = HttpResponse(sheet, content_type="text/csv; charset=utf-8")
        answer.headers["Content-Disposition"] = f'attachment; filename="{season.league.slug}-{what}.{form}"'
        return answer

    @admin.display(description=_("Downloads"))
    def files(self, season: Season) -> SafeString:
        if season._state.adding:
            return SafeString("—")
        links = [
            link(reverse("admin:leagues_season_export", args=[season.pk, what, form]), f"{what}.{form}")
            for what, form in FILES
        ]
        return SafeString(" · ".join(links))


def keep_changes(request: HttpRequest, row: Any, *, change: bool) -> None:
    """Keep in the season's history what a form changes. Call this before the row is saved."""
    before = type(row)._default_manager.filter(pk=row.pk).first() if change else None
    if before is not None and (told := changes_told(before, row)):
        history.record(row, history.Kind.SETTINGS, told, by=request.user, now=clock.now())


class KeepsChanges:
    """A page whose form changes stand in the season's history."""

    def save_model(self, request: HttpRequest, obj: Any, form: Any, change: bool) -> None:
        keep_changes(request, obj, change=change)
        super().save_model(request, obj, form, change)


class DrawInline(Shown):
    """Every draw of a division, replaced ones included."""

    model = Draw
    fields = readonly_fields = ("nth", "drawn_at", "drawn_by", "first", "reason", "seed")


@admin.register(Division)
class DivisionAdmin(KeepsChanges, Remembered, Office):
    list_display = ("name", "season", "level", "what_now")
    list_filter = (("season", OwnFilter),)
    search_fields = ("name", "season__name")
    list_select_related = ("season__league",)
    inlines = (RoundInline, DrawInline)

    def get_readonly_fields(self, request: HttpRequest, obj: Division | None = None) -> tuple[str, ...]:
        return ("season",) if obj else ()


@admin.register(Entry)
class EntryAdmin(KeepsChanges, ForMany, Asked, Remembered, Office):
    list_display = ("who", "season", "division", "stands", "rung", "invited_at", "letter", "answered_at", "what_now")
    list_filter = (("season", OwnFilter), "state", ("division", OwnFilter))
    search_fields = ("name_read", "address_read")  # a search must not reveal more than the page
    list_select_related = ("player", "season__league", "division")
    readonly_fields = ("season", "who", "where", "stands", "invited_at", "letter", "reminded_at", "answered_at")
    fields = (
        *("season", "who", "where", "stands", "division", "rung"),
        *("invited_at", "letter", "reminded_at", "answered_at"),
    )

    def get_queryset(self, request: HttpRequest) -> QuerySet[Entry]:
        return introductions.as_read(invitations.with_post(super().get_queryset(request)))

    def get_readonly_fields(self, request: HttpRequest, obj: Entry | None = None) -> tuple[str, ...]:
        """Keep an entry in its division once it has been in a round: the others there have played against it.

        An organiser who plays there doesn't move it once it is drawn.
        """
        is_fixed = obj and (season_records.was_in_a_round(obj) or not rounds.may_take_out(obj, request.user))
        return (*self.readonly_fields, "division") if is_fixed else self.readonly_fields

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False  # people are added on the season's page, by address

    def get_form(self, request: HttpRequest, obj: Entry | None = None, change: bool = False, **options: Any) -> Any:
        form: Any = super().get_form(request, obj, change, **options)
        if obj and "division" in form.base_fields:
            form.base_fields["division"].queryset = obj.season.divisions.all()
        if obj and "rung" in form.base_fields and obj.season.format == Season.Format.KNOCK_OUT:
            form.base_fields["rung"].label = gettext("Seeding (0 is the strongest)")
        return form

    def get_fields(self, request: HttpRequest, obj: Entry | None = None) -> Any:
        """Show the rung in a ladder, and as the seeding in a knock-out; elsewhere it means little."""
        ranked = obj is not None and obj.season.format in {Season.Format.LADDER, Season.Format.KNOCK_OUT}
        return [name for name in self.fields if ranked or name != "rung"]

    def get_list_display(self, request: HttpRequest) -> Any:
        asked = request.GET.get("season__id__exact", "")
        ladder = asked.isdecimal() and Season.objects.filter(pk=asked, format=Season.Format.LADDER).exists()
        return [name for name in self.list_display if ladder or name != "rung"]
