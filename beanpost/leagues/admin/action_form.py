"""The form of an action's page: its own fields, proposed answers, an uploaded list, a reason."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django import forms
from django.core.files.uploadedfile import UploadedFile
from django.db.models import Model
from django.http import HttpRequest, QueryDict
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from unfold.widgets import (
    UnfoldAdminCheckboxSelectMultipleWidget,
    UnfoldAdminFileFieldWidget,
    UnfoldAdminIntegerFieldWidget,
    UnfoldAdminSelectWidget,
    UnfoldAdminTextareaWidget,
    UnfoldAdminTextInputWidget,
    UnfoldBooleanWidget,
)

from beanpost.leagues.actions.action import Action, Fields
from beanpost.leagues.people import import_entries


def read_answers(request: HttpRequest) -> QueryDict:
    """Return the posted answers, with an uploaded list's text in the field for pasted ones, where it can be checked."""
    answers, sent = request.POST.copy(), request.FILES.get("file")
    if isinstance(sent, UploadedFile):
        answers["people"] = import_entries.decode_file(sent.read(import_entries.MAX_BYTES))
    return answers


def fill_in_proposals(answers: QueryDict, picks: Fields) -> bool:
    """Fill in proposed answers. Return whether the organiser sent exactly these, and so has seen them."""
    shown = all(answers.get(name, "") == field.initial for name, field in picks.items())
    for name, field in picks.items():
        answers[name] = field.initial
    return shown and bool(picks)


class ActionForm(forms.Form):
    """An action's own fields, a reason, and whether to write to the people it concerns."""

    use_required_attribute = False  # an uploaded file may replace a required field

    def __init__(self, action: Action, rows: Sequence[Model], data: Any, picks: Fields) -> None:
        concerned = len({player for row in rows for player in action.concerns(row)})
        # The first POST only opens the preview: don't validate it.
        super().__init__(data if data and "do" in data else None)
        self.fields |= picks | action.fields(rows[0])
        if action.asks_reason:
            self.fields["reason"] = forms.CharField(
                label=_("Reason (shown to everyone affected)") if concerned else _("Reason (for the history)"),
                max_length=200,
                required=action.needs_reason,
            )
        if concerned and not action.sends_own_letters:
            letters_to = ngettext("Write to the player affected", "Write to the %(count)d players affected", concerned)
            announce = forms.BooleanField(
                label=letters_to % {"count": concerned}, required=False, initial=not action.is_quiet
            )
            self.fields["announce"] = announce
        for name, field in self.fields.items():
            use_unfold_widget(field)
            if data:
                self.initial[name] = field.widget.value_from_datadict(data, {}, name)


def use_unfold_widget(field: forms.Field) -> None:
    """Give a field the widget that Unfold uses for its kind."""
    match field.widget:
        case forms.Textarea():
            field.widget = UnfoldAdminTextareaWidget()
        case forms.Select():
            field.widget = UnfoldAdminSelectWidget(choices=list(field.widget.choices))
        case forms.CheckboxSelectMultiple():
            field.widget = UnfoldAdminCheckboxSelectMultipleWidget(choices=list(field.widget.choices))
        case forms.CheckboxInput():
            field.widget = UnfoldBooleanWidget()
        case forms.FileInput():
            field.widget = UnfoldAdminFileFieldWidget()
        case forms.NumberInput():
            field.widget = UnfoldAdminIntegerFieldWidget(attrs=field.widget.attrs)
        case forms.DateInput():
            field.widget.attrs["style"] = "min-height: 44px"  # the browser's own date picker
        case forms.TextInput():
            field.widget = UnfoldAdminTextInputWidget(attrs=field.widget.attrs)
