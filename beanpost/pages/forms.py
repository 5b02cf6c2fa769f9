"""What people may type, and what becomes of it. Nothing is trusted that was not cleaned here."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any
from zoneinfo import available_timezones

from django import forms
from django.conf import settings
from django.core.exceptions import ValidationError
from django.utils.translation import gettext_lazy as _

import games
from beanpost.play import clock
from beanpost.players import book

NOTE = 200
YOUR_ADDRESS = _("Your mail address")


def paces() -> list[tuple[str, Any]]:
    named = {
        "brisk": _("brisk: twelve hours for each decision"),
        "daily": _("daily: one day for each decision"),
        "relaxed": _("relaxed: three days for each decision"),
        "weekly": _("weekly: seven days for each decision"),
    }
    return [(pace, named[pace]) for pace in clock.ALLOWANCES]


def zones() -> list[tuple[str, str]]:
    return [(zone, zone) for zone in sorted(available_timezones())]


def games_and_variants() -> list[tuple[str, str]]:
    return [
        (f"{slug}/{variant}", f"{rules.title} ({variant})")
        for slug, rules in games.GAMES.items()
        for variant in rules.variants
    ]


class Tidied(forms.CharField):
    """A text that the guest book tidies; what it refuses is said beside the field."""

    def __init__(self, tidy: Callable[[str], str], **options: Any) -> None:
        super().__init__(max_length=320, **options)
        self.tidy = tidy

    def clean(self, value: Any) -> str:
        typed = super().clean(value)
        return self.tidy(typed) if typed else ""


def name_field() -> Tidied:
    return Tidied(
        book.tidy_name,
        label=_("Your name"),
        help_text=_("What the others call you."),
        widget=forms.TextInput({"autocomplete": "nickname", "maxlength": book.LONGEST}),
    )


def address_field(label: Any = YOUR_ADDRESS) -> Tidied:
    return Tidied(book.tidy_address, label=label, widget=forms.EmailInput({"autocomplete": "email"}))


def word_field() -> Tidied:
    return Tidied(
        book.tidy_text,
        label=_("A word of yours"),
        help_text=_("Any word. It is stirred into the shuffle, so that nobody can have arranged the cards."),
        required=False,
        widget=forms.TextInput({"autocomplete": "off", "maxlength": book.LONGEST}),
    )


class OpenForm(forms.Form):
    """A match somebody would like to play."""

    name = name_field()
    address = address_field()
    game = forms.ChoiceField(label=_("Game"), choices=games_and_variants)
    seats = forms.IntegerField(label=_("Players"), min_value=2, max_value=7, initial=3)
    pace = forms.ChoiceField(label=_("Pace"), choices=paces, initial="daily")
    guests = forms.CharField(
        label=_("Whom to invite"),
        help_text=_("Mail addresses, one on each line."),
        required=False,
        max_length=3_000,
        widget=forms.Textarea({"rows": 3, "autocapitalize": "off", "spellcheck": "false"}),
    )
    bots = forms.IntegerField(label=_("Seats for bots"), min_value=0, max_value=6, initial=0, required=False)
    open_to_all = forms.BooleanField(label=_("Anybody may join"), required=False)

    def clean_guests(self) -> list[str]:
        typed = self.cleaned_data["guests"].replace(",", " ").replace(";", " ").split()
        return [self.tidy(address) for address in typed]

    @staticmethod
    def tidy(address: str) -> str:
        try:
            return book.tidy_address(address)
        except ValidationError:
            raise ValidationError(_("“%(typed)s” is no mail address.") % {"typed": address[:80]}) from None

    @property
    def wish(self) -> dict[str, Any]:
        """What `opening.plan` wants to know."""
        game, variant = self.cleaned_data["game"].split("/")
        typed = self.cleaned_data
        return {
            "game": game,
            "variant": variant,
            "seats": typed["seats"],
            "pace": typed["pace"],
            "open_to_all": typed["open_to_all"],
            "bots": typed["bots"] or 0,
            "addresses": typed["guests"],
        }


class JoinForm(forms.Form):
    name = name_field()
    address = address_field()


class LostForm(forms.Form):
    address = address_field()


class InviteForm(forms.Form):
    address = address_field(_("Whom to invite instead"))


class WordForm(forms.Form):
    word = word_field()


class ReadyForm(forms.Form):
    name = name_field()
    word = word_field()


class NoteForm(forms.Form):
    """What goes with a move: the line, where the page offers several, and a few words to the table."""

    line = forms.CharField(required=False, max_length=2_000, widget=forms.HiddenInput)
    note = forms.CharField(
        label=_("A note to the table (if you like)"),
        required=False,
        max_length=NOTE,
        widget=forms.TextInput({"autocomplete": "off", "maxlength": NOTE}),
    )

    def clean_note(self) -> str:
        return " ".join(self.cleaned_data["note"].split())


class SettingsForm(forms.Form):
    name = name_field()
    language = forms.ChoiceField(label=_("Language"), choices=settings.LANGUAGES)
    zone = forms.ChoiceField(
        label=_("Time zone"), choices=lambda: [(zone, zone) for zone in sorted(available_timezones())]
    )


class AddressForm(forms.Form):
    address = address_field(_("Your new mail address"))
