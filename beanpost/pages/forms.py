"""Forms of our pages. No input is trusted that was not cleaned here."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from django import forms
from django.conf import settings
from django.core.exceptions import ValidationError
from django.forms.renderers import Jinja2
from django.utils import timezone
from django.utils.translation import get_language, gettext
from django.utils.translation import gettext_lazy as _

import games
from beanpost.i18n.time_zones import every_zone
from beanpost.pages.game_tiles import Tile
from beanpost.play.display import durations, wording
from beanpost.play.display.table_lists import OWN_PACE
from beanpost.play.display.wording import clock_face, variant_name
from beanpost.play.pace import check_pace
from beanpost.players import accounts
from beanpost.players.models import Player

NOTE = 200
MOST_SAID = 2_000  # longer than any line
MOST_TYPED = 320  # longer than any address
LARGEST_ID = 2**63 - 1


# ── fields ──


class PageForm(forms.Form):
    """A form of our pages. The admin's forms have widgets that only Django's templates can render."""

    default_renderer = Jinja2()


class Tidied(forms.CharField):
    """A text cleaned by `players.book`, whose refusals are shown beside the field."""

    def __init__(self, tidy: Callable[[str], str], **options: Any) -> None:
        super().__init__(max_length=MOST_TYPED, **options)
        self.tidy = tidy

    def clean(self, value: Any) -> str:
        typed = super().clean(value)
        return self.tidy(typed) if typed else ""


def name_field() -> Tidied:
    return Tidied(
        accounts.tidy_name,
        label=_("Your name"),
        help_text=_("This is what other players see."),
        widget=forms.TextInput({"autocomplete": "nickname", "maxlength": accounts.LONGEST}),
    )


def address_field(label: Any, help_text: Any = "") -> Tidied:
    widget = forms.EmailInput({"autocomplete": "email"})
    return Tidied(accounts.tidy_address, label=label, help_text=help_text, widget=widget)


def word_field() -> Tidied:
    return Tidied(
        accounts.tidy_text,
        label=_("Your word for the shuffle (optional)"),
        help_text=_("Any word will do. It goes into the shuffle, so no one could have arranged the cards."),
        required=False,
        widget=forms.TextInput({"autocomplete": "off", "maxlength": accounts.LONGEST}),
    )


def watching_field() -> forms.BooleanField:
    return forms.BooleanField(
        label=_("Let anyone watch this match"),
        help_text=_("If every player ticks this, we list it with your names. No one sees hidden cards."),
        required=False,
    )


# ── choices ──


def games_and_variants() -> list[tuple[str, str]]:
    return [
        (f"{rules.slug}/{variant}", in_words(rules, variant))
        for rules in games.GAMES.values()
        for variant in rules.variants
    ]


def in_words(rules: games.contract.game.Game[Any, Any], variant: str) -> str:
    name, first, last = variant_name(rules.slug, variant), rules.seats[0], rules.seats[-1]
    told = {"game": rules.title, "variant": name, "first": first, "last": last}
    return gettext("%(game)s, %(variant)s: %(first)d to %(last)d players") % told


def hours() -> list[tuple[int, str]]:
    return [(hour, clock_face(hour)) for hour in range(24)]


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


def zones() -> list[tuple[str, str]]:
    """Return time zones by city, which people look for; no abbreviations, and no name for the server's own zone."""
    cities = (zone for zone in every_zone() if zone.partition("/")[0] in CONTINENTS)
    return [(zone, zone.replace("_", " ")) for zone in ("UTC", *sorted(cities))]


class WhereaboutsForm(PageForm):
    """A form that also sends the visitor's language and time zone. A script fills in the browser's zone."""

    apart = ("language", "zone")  # shown below the other fields, in one line

    language = forms.ChoiceField(label=_("Language"), choices=settings.LANGUAGES, required=False)
    zone = forms.ChoiceField(label=_("Your time zone"), choices=zones, required=False)

    def __init__(self, *given: Any, player: Player | None = None, **named: Any) -> None:
        super().__init__(*given, **named)
        lives_in = player.zone if player else timezone.get_current_timezone_name()
        is_open = player.is_zone_open if player else True
        self.fields["language"].initial = get_language()
        self.fields["zone"].initial = lives_in
        if is_open and not self.is_bound:
            self.fields["zone"].widget.attrs["data-guess"] = ""
        zone = self.fields["zone"]
        if isinstance(zone, forms.ChoiceField) and lives_in not in dict(zones()):
            zone.choices = [(lives_in, lives_in), *zones()]

    @property
    def whereabouts(self) -> dict[str, str]:
        return {"language": self.cleaned_data["language"], "zone": self.cleaned_data["zone"]}


# ── before a match ──


class StartForm(PageForm):
    """A match that somebody would like to play. With a tile, it asks only what is left to choose in that game."""

    def __init__(self, *given: Any, tile: Tile | None = None, **named: Any) -> None:
        super().__init__(*given, **named)
        if tile:
            self.limit_to(tile)

    def limit_to(self, tile: Tile) -> None:
        self.fields["game"] = forms.ChoiceField(
            label=_("Variant"),
            choices=tile.variants,
            initial=tile.proposed,
            help_text=durations.advice(tile.rules.slug),
        )
        if len(tile.variants) == 1:
            self.fields["game"].widget = forms.HiddenInput()
        self.fields["pace"].help_text = tile.takes
        seats = self.fields["seats"]
        seats.initial = tile.usual_seats
        # The rules refuse other numbers, with a better sentence than a form's.
        seats.widget.attrs |= {"min": tile.seats[0], "max": tile.seats[-1]}
        if len(tile.seats) == 1:
            seats.widget = forms.HiddenInput()
        self.fields["bots"].widget.attrs["max"] = tile.seats[-1] - 1

    game = forms.ChoiceField(label=_("Game"), choices=games_and_variants)
    pace = forms.ChoiceField(label=_("Pace"), choices=wording.CALLED, initial="daily")
    own_pace = forms.CharField(
        label=_("Or set your own pace"),
        help_text=wording.EXPLAINED,
        required=False,
        max_length=100,
        widget=forms.TextInput({"autocomplete": "off", "spellcheck": "false"}),
    )
    seats = forms.IntegerField(label=_("Number of players, including you"), min_value=2, max_value=7, initial=3)
    bots = forms.IntegerField(label=_("Bots"), min_value=0, max_value=6, initial=0, required=False)
    guests = forms.CharField(
        label=_("Invite"),
        help_text=_("Email addresses, one per line."),
        required=False,
        max_length=3_000,
        widget=forms.Textarea({"rows": 3, "autocapitalize": "off", "spellcheck": "false"}),
    )
    by_link = forms.BooleanField(label=_("Anyone with the link can take a free seat"), required=False)
    open_to_all = forms.BooleanField(label=_("Anyone can take a free seat"), required=False)

    def clean_own_pace(self) -> str:
        typed = " ".join(self.cleaned_data["own_pace"].lower().split())
        check_pace(typed or "daily")
        return typed

    def clean_guests(self) -> list[str]:
        typed = self.cleaned_data["guests"].replace(",", " ").replace(";", " ").split()
        return [self.tidy(address) for address in typed]

    @staticmethod
    def tidy(address: str) -> str:
        try:
            return accounts.tidy_address(address)
        except ValidationError:
            raise ValidationError(_("“%(typed)s” isn’t an email address."), params={"typed": address[:80]}) from None

    @property
    def wish(self) -> dict[str, Any]:
        """Return the arguments of `lifecycle.plan`."""
        typed = self.cleaned_data
        game, variant = typed["game"].split("/")
        told = {"seats": typed["seats"], "pace": typed["own_pace"] or typed["pace"], "listed": typed["open_to_all"]}
        told |= {"open_to_all": typed["open_to_all"] or typed["by_link"]}
        return told | {"game": game, "variant": variant, "bots": typed["bots"] or 0, "addresses": typed["guests"]}


class SignedInStartForm(StartForm):
    """The same from a signed-in player, who may invite people they have played with by name."""

    may_be_watched = watching_field()

    def __init__(self, *given: Any, opponents: Sequence[Player] = (), **named: Any) -> None:
        super().__init__(*given, **named)
        self.addresses = {str(one.pk): one.address for one in opponents}
        if opponents:
            self.fields["friends"] = forms.MultipleChoiceField(
                label=_("Invite people you’ve played with"),
                choices=[(str(one.pk), one.name) for one in opponents],
                required=False,
                widget=forms.CheckboxSelectMultiple,
            )
            self.order_fields(["game", "pace", "own_pace", "seats", "bots", "friends"])

    @property
    def wish(self) -> dict[str, Any]:
        wish = super().wish
        chosen = [self.addresses[friend] for friend in self.cleaned_data.get("friends", [])]
        return wish | {"addresses": list(dict.fromkeys([*chosen, *wish["addresses"]]))}


def games_to_filter() -> list[tuple[str, Any]]:
    return [("", _("All games")), *((rules.slug, rules.title) for rules in games.GAMES.values())]


def paces_to_filter() -> list[tuple[str, Any]]:
    return [("", _("Any pace")), *wording.CALLED.items(), (OWN_PACE, _("Another pace"))]


class TableFilterForm(PageForm):
    """Which open tables to show."""

    game = forms.ChoiceField(label=_("Game"), choices=games_to_filter, required=False)
    pace = forms.ChoiceField(label=_("Pace"), choices=paces_to_filter, required=False)
    language = forms.ChoiceField(
        label=_("Language"), choices=[("", _("Any language")), *settings.LANGUAGES], required=False
    )


class NameForm(PageForm):
    name = name_field()


class OpenForm(StartForm, WhereaboutsForm):
    """The same from somebody who is not signed in."""

    name = name_field()
    address = address_field(_("Your email address"), _("We don’t show it to anyone."))


class JoinForm(WhereaboutsForm):
    name = name_field()
    address = address_field(_("Your email address"), _("We don’t show it to anyone."))


class LeagueCodeForm(PageForm):
    code = forms.CharField(label=_("Code"), max_length=40, widget=forms.TextInput({"autocomplete": "off"}))

    def refuse(self) -> None:
        self.add_error("code", _("That isn’t the league’s code."))


class InviteForm(PageForm):
    address = address_field(
        _("Their email address"),
        _("An address that has never answered us gets one letter a day, and three in 90 days."),
    )


class WordForm(PageForm):
    word = word_field()


class OpeningForm(WhereaboutsForm):
    may_be_watched = watching_field()


class TakeSeatForm(WhereaboutsForm):
    word = word_field()
    may_be_watched = watching_field()


class ReadyForm(WhereaboutsForm):
    name = name_field()
    word = word_field()
    may_be_watched = watching_field()


class LostForm(PageForm):
    def __init__(self, typed: Any = None) -> None:
        super().__init__(typed, auto_id="lost_%s")  # the front page has a second address field

    address = address_field(_("Your email address"))


class SignInForm(WhereaboutsForm):
    address = address_field(_("Your email address"))


# ── at a table ──


class NoteForm(PageForm):
    """A note to the table, sent with a move. A textarea, because Enter in a text input would press the first move."""

    note = forms.CharField(
        label=_("Message to the table (optional)"),
        required=False,
        max_length=NOTE,
        widget=forms.Textarea({"rows": 2, "autocomplete": "off"}),
    )

    def clean_note(self) -> str:
        return " ".join(self.cleaned_data["note"].split())


class TableNoteForm(NoteForm):
    """A note to the table between moves."""

    def __init__(self, *given: Any, **named: Any) -> None:
        super().__init__(*given, **named)
        self.fields["note"].label = _("Message to the table")


class MoveForm(NoteForm):
    """Input that goes with a move: a note, and a standing order to give after it."""

    order = forms.CharField(required=False, max_length=MOST_SAID)


class OrderForm(PageForm):
    """A standing order to give, or the id of one to withdraw."""

    line = forms.CharField(
        label=_("Write an order"),
        required=False,
        max_length=MOST_SAID,
        widget=forms.TextInput({"autocomplete": "off", "autocapitalize": "off", "spellcheck": "false"}),
    )
    take_back = forms.IntegerField(required=False, min_value=1, max_value=LARGEST_ID, widget=forms.HiddenInput)


class ReportForm(PageForm):
    report = forms.IntegerField(required=False, min_value=1, max_value=LARGEST_ID)


class AgainForm(PageForm):
    """Nothing to fill in: pressing the button is enough."""


# ── the player ──


class WishesForm(PageForm):
    """How a player wants to be written to."""

    how_often = forms.ChoiceField(
        label=_("How often we write"),
        help_text=_("If a move is due before your daily letter, or within two hours after it, we write straight away."),
        choices=Player.HowOften.choices,
    )
    digest_hour = forms.TypedChoiceField(label=_("Send the daily letter at"), choices=hours, coerce=int)
    language = forms.ChoiceField(label=_("Language"), choices=settings.LANGUAGES)
    zone = forms.ChoiceField(label=_("Time zone"), choices=zones)
    text_only = forms.BooleanField(label=_("Plain-text letters only"), required=False)
    without_pictures = forms.BooleanField(label=_("Letters without pictures"), required=False)
    calendar = forms.BooleanField(label=_("Attach deadlines to letters as calendar entries"), required=False)
    hears_notes = forms.BooleanField(label=_("Show other players’ notes"), required=False)
    weekly = forms.BooleanField(label=_("Send me the weekly letter of my leagues"), required=False)
    league_news = forms.BooleanField(label=_("Send me letters from my leagues’ organisers"), required=False)

    def __init__(self, *given: Any, **named: Any) -> None:
        super().__init__(*given, **named)
        lives_in, zone = self.initial.get("zone", "UTC"), self.fields["zone"]
        if isinstance(zone, forms.ChoiceField) and lives_in not in dict(zones()):  # a zone that is no longer offered
            zone.choices = [(lives_in, lives_in), *zones()]


class ShownNameForm(PageForm):
    """How public pages of leagues name a player."""

    name_shown = forms.ChoiceField(
        label=_("Public pages of leagues show"), choices=Player.NameShown.choices, required=False
    )
    nickname = Tidied(accounts.tidy_name, label=_("Nickname"), required=False)

    def clean(self) -> dict[str, Any]:
        given = super().clean() or {}
        if not given.get("name_shown"):  # a form that was opened before we asked: change nothing
            return {name: value for name, value in given.items() if name not in ShownNameForm.base_fields}
        if given["name_shown"] == Player.NameShown.NICKNAME and not given.get("nickname"):
            self.add_error("nickname", _("Enter a nickname, or choose another name."))
        return given


class SettingsForm(ShownNameForm, WishesForm):
    name = name_field()
    field_order = ("name", "name_shown", "nickname")


class AskToEraseForm(PageForm):
    """A button, and a place for errors."""


class EraseForm(PageForm):
    sure = forms.BooleanField(label=_("Yes, delete everything. I know this can’t be undone."))


class AddressForm(PageForm):
    address = address_field(_("Your new email address"))


class AwayForm(PageForm):
    first = forms.DateField(label=_("First day away"), widget=forms.DateInput({"type": "date"}))
    last = forms.DateField(label=_("Last day away"), widget=forms.DateInput({"type": "date"}))


class AgreeForm(PageForm):
    agree = forms.IntegerField(min_value=1, max_value=LARGEST_ID)


class GiveForm(PageForm):
    seat = forms.IntegerField(min_value=0, max_value=6, widget=forms.HiddenInput)
    address = address_field(_("Email address of a new player"))
