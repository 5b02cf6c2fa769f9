"""Actions on several people of the list at once, in the menu that Django has for them.

Each shows one preview and asks for one reason, then does to every chosen person what the button on their page does.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django import forms
from django.contrib import admin, messages
from django.contrib.admin.helpers import ACTION_CHECKBOX_NAME
from django.core.exceptions import ValidationError
from django.db import transaction
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.template.response import TemplateResponse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext
from unfold.widgets import UnfoldAdminSelectWidget, UnfoldAdminTextInputWidget, UnfoldBooleanWidget

from beanpost.leagues.actions import entry_actions
from beanpost.leagues.actions.action import Action
from beanpost.leagues.models import Division, Entry
from beanpost.leagues.people import entries as season_entries
from beanpost.leagues.records import exports, history
from beanpost.leagues.seasons import phases, rounds
from beanpost.play import clock
from beanpost.play.display.wording import add_colon

MAX_NAMES = 100  # people named in a preview
MAX_PREVIEWED = 20  # people previewed one by one; further ones are only named
OneByOne = Callable[[Entry, dict[str, Any]], None]
Preview = Callable[[Entry], list[str]]


class BulkForm(forms.Form):
    """A reason, whether to write to the people, and the division they move to if they do."""

    reason = forms.CharField(
        label=gettext_lazy("Reason (shown to everyone affected)"),
        max_length=200,
        required=False,
        widget=UnfoldAdminTextInputWidget,
    )

    def __init__(self, data: Any, *, action: Action | None, divisions: QuerySet[Division] | None) -> None:
        super().__init__(data)
        if divisions is not None:
            self.fields["division"] = forms.ModelChoiceField(
                divisions, label=_("Division"), empty_label=None, widget=UnfoldAdminSelectWidget
            )
            del self.fields["reason"]
        if action is None:
            self.fields.pop("reason", None)
            return
        self.fields["reason"].required = action.needs_reason
        label = _("Write to the people affected")
        self.fields["announce"] = forms.BooleanField(
            label=label, required=False, initial=True, widget=UnfoldBooleanWidget
        )


class BulkActions:
    """Mix-in for the list of entries."""

    actions = ("let_play", "make_substitutes", "withdraw_all", "move_all", "remind_all", "export_all")

    @admin.action(description=gettext_lazy("Add to the draw"))
    def let_play(self, request: HttpRequest, entries: QuerySet[Entry]) -> HttpResponse | None:
        return self.ask_or_run_action(request, entries, "let_play", "enter")

    @admin.action(description=gettext_lazy("Make substitutes"))
    def make_substitutes(self, request: HttpRequest, entries: QuerySet[Entry]) -> HttpResponse | None:
        return self.ask_or_run_action(request, entries, "make_substitutes", "substitute")

    @admin.action(description=gettext_lazy("Withdraw"))
    def withdraw_all(self, request: HttpRequest, entries: QuerySet[Entry]) -> HttpResponse | None:
        return self.ask_or_run_action(request, entries, "withdraw_all", "withdraw")

    @admin.action(description=gettext_lazy("Move to a division"))
    def move_all(self, request: HttpRequest, entries: QuerySet[Entry]) -> HttpResponse | None:
        if len(set(entries.order_by().values_list("season", flat=True))) != 1:
            sentence = _("Choose people of one season: filter the list by season first.")
            messages.error(request, sentence)
            return None
        first = entries.select_related("season").first()
        assert first is not None
        form = BulkForm(
            request.POST if "do" in request.POST else None, action=None, divisions=first.season.divisions.all()
        )

        def move(entry: Entry, given: dict[str, Any]) -> None:
            rounds.check_may_take_out(entry, request.user)
            phases.move_to_division(entry, given["division"])
            sentence = _("Moved to %(division)s.") % {"division": given["division"]}
            history.record(entry, history.Kind.PEOPLE, sentence, by=request.user, now=clock.now())

        return self.ask_or_do(request, entries, "move_all", _("Move to a division"), form, move)

    @admin.action(description=gettext_lazy("Remind about the invitation"))
    def remind_all(self, request: HttpRequest, entries: QuerySet[Entry]) -> HttpResponse | None:
        form = BulkForm(request.POST if "do" in request.POST else None, action=None, divisions=None)
        return self.ask_or_do(request, entries, "remind_all", _("Remind about the invitation"), form, remind)

    @admin.action(description=gettext_lazy("Export as CSV"))
    def export_all(self, request: HttpRequest, entries: QuerySet[Entry]) -> HttpResponse:
        rows = [exports.build_entry_row(entry) for entry in entries.select_related("player", "division")]
        sheet = exports.format_csv(exports.COLUMNS["entries"], rows)
        answer = HttpResponse(sheet, content_type="text/csv; charset=utf-8")
        answer.headers["Content-Disposition"] = 'attachment; filename="people.csv"'
        return answer

    # ── ask once, then do it to everybody ──

    def ask_or_run_action(
        self, request: HttpRequest, entries: QuerySet[Entry], list_action: str, name: str
    ) -> HttpResponse | None:
        """Do to everybody chosen what an action on one person does."""
        action = next(one for one in entry_actions.ENTRY_ACTIONS if one.name == name)
        form = BulkForm(request.POST if "do" in request.POST else None, action=action, divisions=None)

        def act(entry: Entry, given: dict[str, Any]) -> None:
            self.carry_out(request, entry, action, given, action.is_open(entry))  # type: ignore[attr-defined]

        label = str(getattr(self, list_action).short_description)
        return self.ask_or_do(request, entries, list_action, label, form, act, lambda entry: action.preview(entry, {}))

    def ask_or_do(
        self,
        request: HttpRequest,
        entries: QuerySet[Entry],
        list_action: str,
        label: str,
        form: BulkForm,
        act: OneByOne,
        preview: Preview | None = None,
    ) -> HttpResponse | None:
        chosen = list(entries.select_related("player", "season__league", "division"))
        if "do" in request.POST and form.is_valid():
            done = sum(self.try_on_entry(request, entry, form.cleaned_data, act) for entry in chosen)
            if done:
                sentence = ngettext("%(label)s one person.", "%(label)s %(count)d people.", done)
                messages.success(request, sentence % {"label": add_colon(label), "count": done})
            return None
        previewed = chosen[:MAX_PREVIEWED] if preview else []
        named = chosen[len(previewed) :][:MAX_NAMES]
        context = {
            **self.admin_site.each_context(request),  # type: ignore[attr-defined]
            "opts": self.opts,  # type: ignore[attr-defined]
            "title": label,
            "previews": [preview(entry) for entry in previewed] if preview else [],
            "names": [entry.called for entry in named],
            "more": len(chosen) - len(previewed) - len(named),
            "form": form,
            "action": list_action,
            "chosen": [entry.pk for entry in chosen],
            "checkbox": ACTION_CHECKBOX_NAME,
        }
        return TemplateResponse(request, "admin/leagues/many.html", context, status=400 if form.errors else 200)

    def try_on_entry(self, request: HttpRequest, entry: Entry, given: dict[str, Any], act: OneByOne) -> bool:
        try:
            with transaction.atomic():
                act(entry, given)
        except ValidationError as refusal:
            messages.warning(request, f"{add_colon(entry.called)} {' '.join(refusal.messages)}")
            return False
        return True


def remind(entry: Entry, given: dict[str, Any]) -> None:
    if not season_entries.remind(entry, now=clock.now()):
        raise ValidationError(_("was reminded before, has answered, or was not invited yet."))
