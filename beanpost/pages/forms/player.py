"""Forms about a player, whatever they play: signing in, letter settings, name, address, deletion."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from django import forms
from django.conf import settings
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from beanpost.pages.forms.fields import (
    PageForm,
    TidyField,
    WhereaboutsForm,
    address_field,
    list_hours,
    list_time_zones,
    name_field,
)
from beanpost.play.display.wording import format_span
from beanpost.players import accounts
from beanpost.players.models import Player

ALARMS = (1, 3, 6, 12, 24)  # hours before a deadline


class SignInForm(WhereaboutsForm):
    address = address_field(_("Your email address"))


class LostForm(PageForm):
    def __init__(self, typed: Any = None) -> None:
        super().__init__(typed, auto_id="lost_%s")  # the front page has a second address field

    address = address_field(_("Your email address"))


class NameForm(PageForm):
    name = name_field()


def list_alarms() -> list[tuple[int, str]]:
    return [(0, gettext("no alarm")), *((hours, format_span(timedelta(hours=hours))) for hours in ALARMS)]


class LetterSettingsForm(PageForm):
    """How a player wants to be written to."""

    how_often = forms.ChoiceField(
        label=_("How often we write"),
        help_text=_("If a move is due before your daily letter, or within two hours after it, we write straight away."),
        choices=Player.HowOften.choices,
    )
    digest_hour = forms.TypedChoiceField(label=_("Send the daily letter at"), choices=list_hours, coerce=int)
    language = forms.ChoiceField(label=_("Language"), choices=settings.LANGUAGES)
    zone = forms.ChoiceField(label=_("Time zone"), choices=list_time_zones)
    text_only = forms.BooleanField(label=_("Plain-text letters only"), required=False)
    without_pictures = forms.BooleanField(label=_("Letters without pictures"), required=False)
    calendar = forms.BooleanField(label=_("Attach deadlines to letters as calendar entries"), required=False)
    alarm_hours = forms.TypedChoiceField(
        label=_("Calendar alarm"),
        help_text=_("If that’s in quiet hours, the alarm comes before them."),
        choices=list_alarms,
        coerce=int,
        required=False,  # a form that was opened before we asked
    )
    hears_notes = forms.BooleanField(label=_("Show other players’ notes"), required=False)
    reply_receipts = forms.BooleanField(
        label=_("Send me a letter to confirm the moves I make by reply"), required=False
    )
    weekly = forms.BooleanField(label=_("Send me the weekly letter of my leagues"), required=False)
    league_news = forms.BooleanField(label=_("Send me letters from my leagues’ organisers"), required=False)
    follows_rounds = forms.BooleanField(
        label=_("If I’m knocked out of a league, tell me how its later rounds end"), required=False
    )

    def clean_alarm_hours(self) -> int:
        return self.cleaned_data["alarm_hours"] or 0

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        lives_in, zone = self.initial.get("zone", "UTC"), self.fields["zone"]
        if isinstance(zone, forms.ChoiceField) and lives_in not in dict(
            list_time_zones()
        ):  # a zone that is no longer offered
            zone.choices = [(lives_in, lives_in), *list_time_zones()]


class ShownNameForm(PageForm):
    """How public pages of leagues name a player."""

    name_shown = forms.ChoiceField(
        label=_("Public pages of leagues show"), choices=Player.NameShown.choices, required=False
    )
    nickname = TidyField(accounts.tidy_name, label=_("Nickname"), required=False)

    def clean(self) -> dict[str, Any]:
        given = super().clean() or {}
        if not given.get("name_shown"):  # a form that was opened before we asked: change nothing
            return {name: value for name, value in given.items() if name not in ShownNameForm.base_fields}
        if given["name_shown"] == Player.NameShown.NICKNAME and not given.get("nickname"):
            self.add_error("nickname", _("Enter a nickname, or choose another name."))
        return given


class SettingsForm(ShownNameForm, LetterSettingsForm):
    name = name_field()
    field_order = ("name", "name_shown", "nickname")


class AddressForm(PageForm):
    address = address_field(_("Your new email address"))


class AskToEraseForm(PageForm):
    """A button, and a place for errors."""


class EraseForm(PageForm):
    sure = forms.BooleanField(label=_("Yes, delete everything. I know this can’t be undone."))
