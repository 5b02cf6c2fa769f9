"""Admin pages of divisions and of the people in them."""

from __future__ import annotations

from typing import Any

from django.contrib import admin, messages
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from beanpost.leagues.actions.action import Action
from beanpost.leagues.actions.entry_actions import LIST_ACTIONS
from beanpost.leagues.admin.base import ActionAdmin, HistoryAdmin, OwnFilter, ReadOnlyInline
from beanpost.leagues.admin.rounds import RoundInline
from beanpost.leagues.admin.season_tabs import SeasonTabs
from beanpost.leagues.mail import invitations
from beanpost.leagues.models import Division, Draw, Entry, Season
from beanpost.leagues.people import entries as season_entries
from beanpost.leagues.people import introductions
from beanpost.leagues.records import exports, season_records
from beanpost.leagues.seasons import rounds


class DrawInline(ReadOnlyInline):
    """Every draw of a division, replaced ones included."""

    model = Draw
    fields = readonly_fields = ("nth", "drawn_at", "drawn_by", "first", "reason", "seed")


@admin.register(Division)
class DivisionAdmin(HistoryAdmin, ActionAdmin):
    list_display = ("name", "season", "level", "what_now")
    list_filter = (("season", OwnFilter),)
    search_fields = ("name", "season__name")
    list_select_related = ("season__league",)
    inlines = (RoundInline, DrawInline)

    def get_readonly_fields(self, request: HttpRequest, obj: Division | None = None) -> tuple[str, ...]:
        return ("season",) if obj else ()


class InvitationColumns:
    """Columns about a person and their invitation."""

    @admin.display(description=_("player"))
    def who(self, entry: Entry) -> str:
        return entry.called

    @admin.display(description=_("address"))
    def where(self, entry: Entry) -> str:
        return entry.shown_address

    @admin.display(description=_("state"), ordering="state")
    def state_label(self, entry: Entry) -> str:
        return season_entries.name_state(entry)

    @admin.display(description=_("invitation"))
    def letter(self, entry: Entry) -> str:
        return invitations.describe_delivery(entry)


def make_list_action(action: Action) -> Any:
    """Return an item of the list's menu, which does to everybody chosen what a button does to one person."""

    @admin.action(description=action.label)
    def run(model_admin: Any, request: HttpRequest, entries: QuerySet[Entry]) -> HttpResponse | None:
        if action.name == "move" and len(set(entries.order_by().values_list("season", flat=True))) != 1:
            messages.error(request, gettext("Choose people of one season: filter the list by season first."))
            return None
        chosen = list(entries.select_related("player", "season__league", "division"))
        return model_admin.run_on_chosen(request, chosen, action) if chosen else None

    run.__name__ = f"{action.name}_all"
    return run


@admin.action(description=_("Export as CSV"))
def export_all(model_admin: Any, request: HttpRequest, entries: QuerySet[Entry]) -> HttpResponse:
    rows = [exports.build_entry_row(entry) for entry in entries.select_related("player", "division")]
    sheet = exports.format_csv(exports.COLUMNS["entries"], rows)
    answer = HttpResponse(sheet, content_type="text/csv; charset=utf-8")
    answer.headers["Content-Disposition"] = 'attachment; filename="people.csv"'
    return answer


@admin.register(Entry)
class EntryAdmin(SeasonTabs, InvitationColumns, HistoryAdmin, ActionAdmin):
    tab, season_lookup = "people", "season__id__exact"
    actions = (*map(make_list_action, LIST_ACTIONS), export_all)
    list_display = (
        "who",
        "season",
        "division",
        "state_label",
        "rung",
        "invited_at",
        "letter",
        "answered_at",
        "what_now",
    )
    list_filter = (("season", OwnFilter), "state", ("division", OwnFilter))
    search_fields = ("name_read", "address_read")  # a search must not reveal more than the page
    list_select_related = ("player", "season__league", "division")
    readonly_fields = ("season", "who", "where", "state_label", "invited_at", "letter", "reminded_at", "answered_at")
    fields = (
        *("season", "who", "where", "state_label", "division", "rung"),
        *("invited_at", "letter", "reminded_at", "answered_at"),
    )

    def get_queryset(self, request: HttpRequest) -> QuerySet[Entry]:
        return introductions.annotate_shown_names(invitations.annotate_delivery(super().get_queryset(request)))

    def get_readonly_fields(self, request: HttpRequest, obj: Entry | None = None) -> tuple[str, ...]:
        """Keep an entry in its division once it has been in a round: the others there have played against it.

        Organisers who play there can't move it once it is drawn, nor change rungs once entries are closed.
        """
        fixed = self.readonly_fields
        if obj and (season_records.was_in_a_round(obj) or not rounds.may_take_out(obj, request.user)):
            fixed = (*fixed, "division")
        if obj and not rounds.may_rank(obj, request.user):
            fixed = (*fixed, "rung")
        return fixed

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
