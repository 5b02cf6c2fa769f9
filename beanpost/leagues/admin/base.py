"""Base classes of the admin's pages: scope, and actions with a preview, a reason and a letter."""

from __future__ import annotations

from functools import partial
from typing import Any
from urllib.parse import urlencode

from django.contrib import admin, messages
from django.contrib.admin.helpers import ACTION_CHECKBOX_NAME
from django.core.exceptions import PermissionDenied, ValidationError
from django.core.paginator import Paginator
from django.db import transaction
from django.db.models import Model, QuerySet
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.template.response import TemplateResponse
from django.urls import URLPattern, path, reverse
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext
from unfold.admin import ModelAdmin, TabularInline

from beanpost.leagues import locks, organiser_accounts
from beanpost.leagues.actions import registry
from beanpost.leagues.actions.action import Action, ActionCall, find_season
from beanpost.leagues.admin.action_form import ActionForm, fill_in_proposals, read_answers
from beanpost.leagues.mail import letters
from beanpost.leagues.models import Division, Fixture
from beanpost.leagues.records import history
from beanpost.leagues.scope import limit_to_own, may_manage, plays_at
from beanpost.leagues.seasons import keepers
from beanpost.play import clock
from beanpost.play.display.wording import add_colon

LIST_FIELDS = ("action", ACTION_CHECKBOX_NAME)  # what the menu of a list posts
HISTORY_PER_PAGE = 100
MAX_PREVIEWED = 20  # rows previewed one by one
MAX_NAMED = 100  # further rows that are named
RECORDED_ELSEWHERE = {"draw", "write"}  # draws and letters have rows of their own in the history
FILTER_LOOKUPS = ("", "__exact", "__id__exact", "__isnull")  # the lookups that filters use


class OwnFilter(admin.RelatedFieldListFilter):
    """A filter that offers only rows the organiser may see; Django's offers every row."""

    def field_choices(self, field: Any, request: HttpRequest, model_admin: Any) -> Any:
        rows = limit_to_own(field.related_model._default_manager.select_related(), request.user)
        return [(str(row.pk), str(row)) for row in rows]


class OwnRows:
    """Mix-in that limits an admin page to rows of the organiser's own leagues."""

    def get_queryset(self, request: HttpRequest) -> QuerySet[Any]:
        rows: QuerySet[Any] = super().get_queryset(request)
        return limit_to_own(rows, request.user)

    def has_view_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Check the row's owner too: Django checks only the model, also when it shows a row's history."""
        return super().has_view_permission(request, obj) and (obj is None or may_manage(request.user, obj))


class ScopedAdmin(OwnRows, ModelAdmin):
    """A page of the organiser's own leagues' rows. Django's delete button is off: some actions delete."""

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return super().has_change_permission(request, obj) and (obj is None or may_manage(request.user, obj))

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def formfield_for_foreignkey(self, db_field: Any, request: HttpRequest, **options: Any) -> Any:
        """Offer only rows the organiser may see."""
        target = self.admin_site._registry.get(db_field.related_model)
        if target is not None:
            options.setdefault("queryset", target.get_queryset(request))
        return super().formfield_for_foreignkey(db_field, request, **options)

    def lookup_allowed(self, lookup: str, value: str, request: HttpRequest | None = None) -> bool:
        """Allow only the page's own filters: other lookups could follow relations from a season to players' cards."""
        allowed = [name[0] if isinstance(name, tuple) else name for name in self.list_filter]
        return any(lookup == f"{name}{asked}" for name in allowed for asked in FILTER_LOOKUPS)


class ReadOnlyInline(TabularInline):
    """A read-only inline."""

    extra = 0
    can_delete = False
    hide_title = True

    def has_add_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_view_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return True  # the parent row's permission decides


class HistoryAdmin(ScopedAdmin):
    """A page that records the changes its form makes, and shows the history of its row."""

    def save_model(self, request: HttpRequest, obj: Any, form: Any, change: bool) -> None:
        before = history.take_snapshot(obj)
        super().save_model(request, obj, form, change)
        self.record_form(request, obj, before if change else None)

    def record_form(self, request: HttpRequest, row: Any, before: dict[str, Any] | None) -> None:
        """Record the changes a form has made. `before` is None for a new row."""
        changes = history.compare(row, before) if before else {}
        sentence = "" if before else _("Added.")
        if changes or sentence:
            kind = history.Kind.SETTINGS
            history.record(row, kind, sentence, changes=changes, by=request.user, now=clock.now())

    def log_addition(self, request: HttpRequest, obj: Any, message: Any) -> Any:
        """Write nothing to Django's log: the change is in LeagueEvent."""

    def log_change(self, request: HttpRequest, obj: Any, message: Any) -> Any:
        """Write nothing to Django's log: the change is in LeagueEvent."""

    def history_view(self, request: HttpRequest, object_id: str, extra_context: Any = None) -> HttpResponse:
        row = self.get_object(request, object_id)
        if row is None or not self.has_view_permission(request, row):
            raise Http404
        page = Paginator(history.list_history(row), HISTORY_PER_PAGE).get_page(request.GET.get("page"))
        context = {
            **self.admin_site.each_context(request),
            "opts": self.opts,
            "object": row,
            "title": _("What happened: %(row)s") % {"row": row},
            "page": page,
            "items": history.describe(page.object_list),
        }
        return TemplateResponse(request, "admin/leagues/history_of_row.html", context)


class ActionAdmin(ScopedAdmin):
    """A page whose rows have actions."""

    change_form_outer_before_template = "admin/leagues/row_actions.html"

    def get_urls(self) -> list[URLPattern]:
        name = f"{self.opts.app_label}_{self.opts.model_name}_do"
        view = self.admin_site.admin_view(self.run_action)
        return [path("<int:pk>/do/<slug:name>/", view, name=name), *super().get_urls()]

    def action_url(self, row: Model, action: Action) -> str:
        return reverse(f"admin:{self.opts.app_label}_{self.opts.model_name}_do", args=[row.pk, action.name])

    def change_view(
        self, request: HttpRequest, object_id: str, form_url: str = "", extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        row: Any = self.get_object(request, object_id)
        links: dict[bool, list[tuple[str, str]]] = {False: [], True: []}
        for action in registry.list_open_actions(row) if row else ():
            links[action.is_final].append((action.label_for(row), self.action_url(row, action)))
        more = {**(extra_context or {}), "row_actions": links[False], "final_actions": links[True]}
        with transaction.atomic():
            if row and request.method == "POST":  # lock first: an action may be changing the row
                locks.lock_season(find_season(row))
            return super().change_view(request, object_id, form_url, more)

    @admin.display(description=gettext_lazy("Actions"))
    def what_now(self, row: Model) -> SafeString:
        links = ((self.action_url(row, action), action.label_for(row)) for action in registry.list_open_actions(row))
        return format_html("<span>{}</span>", format_html_join(" · ", '<a class="underline" href="{}">{}</a>', links))

    def run_action(self, request: HttpRequest, pk: int, name: str) -> HttpResponse:
        """Show what an action would do; on the second press, do it.

        An action with `dependent_fields` proposes answers. It is done once the organiser has seen them in a preview.
        """
        row = self.get_queryset(request).filter(pk=pk).first()
        action = next((one for one in registry.ACTIONS[self.model] if one.name == name), None)
        if row is None or action is None:
            raise Http404
        self.check_permission(request, row)
        if action.needs_keeper and keepers.find_keeper(find_season(row).league, request.user) is None:
            way = reverse("admin:leagues_league_keeper", args=[find_season(row).league.pk])
            return HttpResponseRedirect(f"{way}?{urlencode({'next': request.path})}")
        answers, is_open = read_answers(request), action.is_open(row)
        picks = action.dependent_fields(answers) if action.dependent_fields else {}
        if action.dependent_fields and not fill_in_proposals(answers, picks):
            answers.pop("do", None)
        form = ActionForm(action, [row], answers or None, picks)
        if "do" in answers and form.is_valid():
            try:
                sentence = self.carry_out(request, row, action, form.cleaned_data, is_open)
            except ValidationError as refusal:
                form.add_error(None, refusal)
            else:
                self.message_user(request, sentence(), messages.SUCCESS)
                return HttpResponseRedirect(self.find_next_page(row, action))
        may_do = bool(picks) or not action.dependent_fields
        return self.show_preview(request, [row], action, form, is_open=is_open, may_do=may_do)

    def run_on_chosen(self, request: HttpRequest, rows: list[Any], action: Action) -> HttpResponse | None:
        """Show what an action would do to rows chosen in a list; on the second press, do it where it is allowed."""
        is_second = "do" in request.POST or "look" in request.POST
        form = ActionForm(action, rows, request.POST if is_second else None, {})
        if "do" not in request.POST or not form.is_valid():
            is_open = any(map(action.is_open, rows))
            return self.show_preview(request, rows, action, form, is_open=is_open, may_do=True)
        done = 0
        for row in rows:
            try:
                self.carry_out(request, row, action, form.cleaned_data, action.is_open(row))
                done += 1
            except ValidationError as refusal:
                messages.warning(request, f"{add_colon(row.called)} {' '.join(refusal.messages)}")
        if done:
            sentence = ngettext("%(label)s one person.", "%(label)s %(count)d people.", done)
            messages.success(request, sentence % {"label": add_colon(str(action.label)), "count": done})
        return None

    def check_permission(self, request: HttpRequest, row: Model) -> None:
        if not may_manage(request.user, row):
            raise PermissionDenied
        if isinstance(row, Fixture) and row.match and not organiser_accounts.is_known(request.user):
            raise PermissionDenied(_("Tell us first whether you play here yourself."))
        if isinstance(row, Fixture) and plays_at(request.user, row.match):
            raise PermissionDenied(_("You’re playing at this table, so another organiser has to decide."))

    def find_next_page(self, row: Model, action: Action) -> str:
        """Return the page to show next: the season's cockpit, or a newly planned one's."""
        return self.find_cockpit_url(find_season(row).league.seasons.latest("pk") if action.name == "next" else row)

    def carry_out(
        self, request: HttpRequest, row: Any, action: Action, given: dict[str, Any], is_open: bool
    ) -> letters.LazySentence:
        """Run an action on a row, write to the people it concerns, and note it in the row's history."""
        now, concerned, name = clock.now(), list(action.concerns(row)), str(row)
        league, reason = find_season(row).league, given.get("reason", "")
        with transaction.atomic():  # the change and its letters together, or neither
            before = history.take_snapshot(row)
            sentence = action.act(row, ActionCall(request.user, reason, now, given))
            if not is_open:  # checked last: the action's own refusal is more precise
                raise ValidationError(_("You can’t do that now."))
            if given.get("announce"):
                key = f"{self.opts.model_name}/{row.pk}/{action.name}"
                news = partial(action.sentence_for_person, row) if action.sentence_for_person else sentence
                page = registry.find_page(row)
                letters.announce(league, concerned, news, reason, page=page, key=key, now=now, about=row)
            if action.name not in RECORDED_ELSEWHERE:
                kind = registry.find_history_kind(row, action)
                changes = history.compare(row, before)
                said = {"reason": reason, "by": request.user, "now": now, "about": name}
                parent = row.season if isinstance(row, Division) else league
                kept = row if row.pk else parent  # a deleted row has no key
                history.record(kept, kind, sentence(), changes=changes, **said)
        return sentence

    def find_cockpit_url(self, row: Model) -> str:
        """Return the URL to go to after an action: the season's cockpit, or the first page if it was deleted."""
        season = find_season(row)
        return reverse("admin:leagues_season_cockpit", args=[season.pk]) if season.pk else reverse("admin:index")

    def show_preview(
        self, request: HttpRequest, rows: list[Any], action: Action, form: ActionForm, *, is_open: bool, may_do: bool
    ) -> HttpResponse:
        """Show what an action would do to one row, or to several chosen in a list."""
        row, is_one = rows[0], len(rows) == 1
        keeper = keepers.describe_keeper(find_season(row).league) if action.needs_keeper else []
        title = action.label_for(row) if is_one else str(action.label)
        context = {
            **self.admin_site.each_context(request),
            "opts": self.opts,
            "title": title,
            "heading": f"{add_colon(title)} {row}" if is_one else title,
            "is_final": action.is_final,
            "form": form,
            "preview": [*preview_rows(action, rows, form.initial), *(said for said, _act in keeper)],
            "is_open": is_open,
            "may_do": may_do,
            "back": self.find_cockpit_url(row),
            "chosen": [(name, value) for name in LIST_FIELDS for value in request.POST.getlist(name)],
        }
        return TemplateResponse(request, "admin/leagues/do.html", context, status=400 if form.errors else 200)


def preview_rows(action: Action, rows: list[Any], answers: Any) -> list[str]:
    """Return what an action would do: a line for each of the first rows, or several if there is only one."""
    if len(rows) == 1:
        return action.preview(rows[0], answers)
    previewed = [" ".join(action.preview(row, answers)) for row in rows[:MAX_PREVIEWED]]
    names = ", ".join(row.called for row in rows[MAX_PREVIEWED:][:MAX_NAMED])
    more = len(rows) - MAX_PREVIEWED - MAX_NAMED
    rest = [ngettext("and one more person", "and %(count)d more people", more) % {"count": more}] if more > 0 else []
    return [*previewed, *([names] if names else []), *rest]


def format_link(url: str, text: str) -> SafeString:
    return format_html('<a class="underline" href="{}">{}</a>', url, text)
