"""Fields that several forms share, and the classes all forms are made from."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django import forms
from django.conf import settings
from django.forms.renderers import Jinja2
from django.utils import timezone
from django.utils.translation import get_language
from django.utils.translation import gettext_lazy as _

from beanpost.i18n.time_zones import every_zone
from beanpost.play.display.wording import format_hour
from beanpost.players import accounts
from beanpost.players.models import Player

MAX_NOTE_LENGTH = 200
MAX_LINE_LENGTH = 2_000  # longer than any line
MAX_TYPED_LENGTH = 320  # longer than any address
MAX_ID = 2**63 - 1


class PageForm(forms.Form):
    """A form of our pages. The admin's forms have widgets that only Django's templates can render."""

    default_renderer = Jinja2()


class TidyField(forms.CharField):
    """A text cleaned by `players.accounts`, whose refusals are shown beside the field."""

    def __init__(self, tidy: Callable[[str], str], **options: Any) -> None:
        super().__init__(max_length=MAX_TYPED_LENGTH, **options)
        self.tidy = tidy

    def clean(self, value: Any) -> str:
        typed = super().clean(value)
        return self.tidy(typed) if typed else ""


def name_field() -> TidyField:
    return TidyField(
        accounts.tidy_name,
        label=_("Your name"),
        help_text=_("Other players will know you by this name."),
        widget=forms.TextInput({"autocomplete": "nickname", "maxlength": accounts.LONGEST}),
    )


def address_field(label: Any, help_text: Any = "") -> TidyField:
    widget = forms.EmailInput({"autocomplete": "email"})
    return TidyField(accounts.tidy_address, label=label, help_text=help_text, widget=widget)


def word_field() -> TidyField:
    return TidyField(
        accounts.tidy_text,
        label=_("Your word for the shuffle (optional)"),
        help_text=_(
            "Any word will do. It goes into the shuffle, which anyone can check afterwards. Everyone can read it, for "
            "ever: don’t write anything personal."
        ),
        required=False,
        widget=forms.TextInput({"autocomplete": "off", "maxlength": accounts.LONGEST}),
    )


def watching_field() -> forms.BooleanField:
    return forms.BooleanField(
        label=_("Let anyone watch this match"),
        help_text=_("If every player ticks this, we list it with your names. No one sees hidden cards."),
        required=False,
    )


def list_hours() -> list[tuple[int, str]]:
    return [(hour, format_hour(hour)) for hour in range(24)]


CONTINENTS = (
    "Africa",
    "America",
    "Antarctica",
    "Arctic",
    "Asia",
    "Atlantic",
    "Australia",
    "Europe",
    "Indian",
    "Pacific",
)


def list_time_zones() -> list[tuple[str, str]]:
    """Return time zones by city, which people look for; no abbreviations, and no name for the server's own zone."""
    cities = (zone for zone in every_zone() if zone.partition("/")[0] in CONTINENTS)
    return [(zone, zone.replace("_", " ")) for zone in ("UTC", *sorted(cities))]


class WhereaboutsForm(PageForm):
    """A form that also sends the visitor's language and time zone. A script fills in the browser's zone."""

    apart = ("language", "zone")  # shown below the other fields, in one line

    language = forms.ChoiceField(label=_("Language"), choices=settings.LANGUAGES, required=False)
    zone = forms.ChoiceField(label=_("Your time zone"), choices=list_time_zones, required=False)

    def __init__(self, *args: Any, player: Player | None = None, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        lives_in = player.zone if player else timezone.get_current_timezone_name()
        is_open = player.is_zone_open if player else True
        self.fields["language"].initial = get_language()
        self.fields["zone"].initial = lives_in
        if is_open and not self.is_bound:
            self.fields["zone"].widget.attrs["data-guess"] = ""
        zone = self.fields["zone"]
        if isinstance(zone, forms.ChoiceField) and lives_in not in dict(list_time_zones()):
            zone.choices = [(lives_in, lives_in), *list_time_zones()]

    @property
    def whereabouts(self) -> dict[str, str]:
        return {"language": self.cleaned_data["language"], "zone": self.cleaned_data["zone"]}
