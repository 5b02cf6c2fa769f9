"""Forms of a move: its note to the table, and the sentences that players compose on a page."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy

from beanpost.pages.forms.fields import MAX_NOTE_LENGTH, PageForm
from beanpost.play.display.scene import Scene
from games.contract.composer import Composer, Count, Field, Label, Pick, Ticks


def build_note_field(label: Any, **attributes: str) -> forms.CharField:
    """Return the field of a note: a textarea, because Enter in a text input would press the first move."""
    widget = forms.Textarea({"rows": 2, "autocomplete": "off"} | attributes)
    return forms.CharField(label=label, required=False, max_length=MAX_NOTE_LENGTH, widget=widget)


class NoteForm(PageForm):
    """A form with a note to the table."""

    def clean_note(self) -> str:
        return " ".join(self.cleaned_data["note"].split())


class TableNoteForm(NoteForm):
    """A note to the table between moves."""

    note = build_note_field(gettext_lazy("Message to the table"))


class MoveForm(NoteForm):
    """A note that goes with a move. It belongs to the moves' form, but some pages show it outside that form."""

    note = build_note_field(gettext_lazy("Message to the table (optional)"), form="answer")


class ComposeForm(PageForm):
    """A composer's fields for what can be chosen now, and the lines that follow from them.

    The form knows only what can be ticked. Whether a line is legal is for the rules to judge.
    """

    def __init__(self, composer: Composer, shown: Scene, typed: Any = None, line: str = "", draft: str = "") -> None:
        super().__init__(typed, auto_id="own_%s", label_suffix="")
        self.composer = composer
        self.view = shown.view
        fields = composer.fields(shown.view, shown.names, line, draft)
        self.fields |= {field.name: build_field(field, shown) for field in fields}
        if composer.takes_note:
            self.fields["note"] = forms.CharField(
                label=gettext_lazy("Add a message (optional)"),
                required=False,
                max_length=MAX_NOTE_LENGTH,
                widget=forms.TextInput({"autocomplete": "off"}),
            )

    @property
    def template(self) -> str:
        return self.composer.template

    @property
    def preview_template(self) -> str:
        return self.composer.preview_template

    @property
    def line(self) -> str:
        return self.lines[0]

    @property
    def lines(self) -> list[str]:
        """All lines to play, if the form can compose several at once."""
        return list(dict.fromkeys(self.composer.lines(self.view, self.cleaned_data))) or [""]

    @property
    def plan(self) -> Any:
        """A preview of the move for the template to draw, or None."""
        if self.is_bound and not self.is_valid():
            return None
        return self.composer.preview(self.view, self.cleaned_data if self.is_bound else self.first_values)

    @property
    def first_values(self) -> Mapping[str, Any]:
        return {name: field.initial for name, field in self.fields.items()}

    def find_fields(self, prefix: str) -> list[forms.BoundField]:
        """Return the fields whose names begin with a prefix, for the template."""
        return [self[name] for name in self.fields if name.startswith(prefix)]

    def find_field_rows(self, *prefixes: str) -> list[tuple[forms.BoundField, ...]]:
        """Return rows of fields: the first of each prefix, then the second of each, and so on."""
        return list(zip(*map(self.find_fields, prefixes), strict=True))


def build_field(field: Field, shown: Scene) -> forms.Field:
    """Return the Django field for a field of a composer."""

    def format_label(label: Label) -> str:
        return label if isinstance(label, str) else shown.say(label)

    match field:
        case Ticks(_, label, choices, ticked, required):
            return forms.MultipleChoiceField(
                label=format_label(label),
                choices=[(value, format_label(text)) for value, text in choices],
                initial=list(ticked),
                required=required,
                widget=forms.CheckboxSelectMultiple,
            )
        case Pick(_, label, choices, picked):
            return forms.ChoiceField(
                label=format_label(label),
                choices=[(value, format_label(text)) for value, text in choices],
                initial=picked,
            )
        case Count(_, label, most, count):
            return forms.IntegerField(
                label=format_label(label),
                required=False,
                min_value=0,
                max_value=most,
                initial=count,
                widget=forms.NumberInput({"placeholder": "0"}),
            )


def build_compose_form(shown: Scene, typed: Any = None, line: str = "", draft: str = "") -> ComposeForm | None:
    """Return the form for the move this reader may compose now, if any.

    It is filled with what was typed, or else from a line, or as the answer to a draft (`Question.drafts` lists them).
    """
    kinds = shown.question.ask.free if shown.question else ()
    composer = next((one for one in shown.rules.composers if one.says in kinds), None)
    return ComposeForm(composer, shown, typed, line, draft) if composer else None
