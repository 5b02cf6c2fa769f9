"""A row's history, shown in the words of its page instead of the stored values."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from django.db.models import Field
from django.template.defaultfilters import yesno
from django.utils.formats import localize
from django.utils.timezone import localtime
from simple_history.models import DeletedObject
from simple_history.template_utils import HistoricalRecordContextHelper

from beanpost.leagues.admin.forms import games_and_variants
from beanpost.leagues.standings.labels import breaks_called, points_called
from beanpost.play.display import wording


class InWords(HistoricalRecordContextHelper):
    def prepare_delta_change_value(self, change: Any, value: Any) -> Any:
        field = self.model._meta.get_field(change.field)
        return in_words(field, super().prepare_delta_change_value(change, value))


def in_words(field: Any, value: Any) -> Any:
    """Return a value as an organiser reads it."""
    if isinstance(field, Field) and field.choices:
        return dict(field.flatchoices).get(value, value)
    match field.name, value:
        case "points", str(scheme):
            return points_called(scheme)
        case "tie_breaks", list(names):
            return breaks_called(names)
        case "pace", str(pace):
            return wording.called(pace)
    match value:
        case None | "" | DeletedObject(pk=None):
            return "—"
        case bool():
            return yesno(value)
        case datetime():
            return localize(localtime(value))
        case dict():  # a league's games
            titles = dict(games_and_variants())
            return [titles.get(f"{game}/{variant}", game) for game, variant in value.items()]
    return value
