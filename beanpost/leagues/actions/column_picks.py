"""Pick the columns of a list of people: a choice for each role, with a proposal.

The organiser sees the list as these columns read it before anybody is added. A hidden field names the list and columns
of the last preview: if either has changed since, the action shows another preview first.
"""

from __future__ import annotations

import hashlib

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from beanpost.leagues.actions.action import Answers, Fields
from beanpost.leagues.people import list_columns
from beanpost.leagues.people.list_columns import ROLES, PastedTable

LABELS = {
    "address": gettext_lazy("Column with the addresses"),
    "name": gettext_lazy("Column with the names"),
    "last": gettext_lazy("Column with the family names"),
    "division": gettext_lazy("Column with the divisions"),
}


def build_fields(answers: Answers) -> Fields:
    """Return a choice of column for each role of a table, and a hidden field that names what the preview shows.

    A field's initial value is what the organiser picked for this very list, or else our proposal.
    """
    text = str(answers.get("people") or "")
    if not text.strip():
        return {}
    table = PastedTable.parse(text)
    is_same = str(answers.get("seen") or "").startswith(compute_digest(text))
    proposed = {role: str(n + 1) for role, n in list_columns.propose_columns(text).items()}
    chosen = {role: str(answers.get(f"column_{role}") or "") for role in ROLES} if is_same else proposed
    seen = compute_digest(text) + compute_digest(*(chosen.get(role, "") for role in ROLES))
    fields: Fields = {"seen": forms.CharField(required=False, initial=seen, widget=forms.HiddenInput)}
    if table is None:
        return fields
    return fields | {f"column_{role}": build_column_field(table, role, chosen.get(role, "")) for role in ROLES}


def build_column_field(table: PastedTable, role: str, chosen: str) -> forms.Field:
    none = _("none: find the addresses line by line") if role == "address" else _("none")
    titles = [(str(n + 1), f"{n + 1} · {table.first_cells(n)[0]}") for n in range(table.width)]
    return forms.ChoiceField(label=LABELS[role], choices=[("", none), *titles], required=False, initial=chosen)


def compute_digest(*words: str) -> str:
    """Return a short digest of texts. Line ends don't count: browsers change them."""
    lines = "\n".join("\n".join(word.splitlines()) for word in words)
    return hashlib.sha256(lines.encode(errors="replace")).hexdigest()[:16]
