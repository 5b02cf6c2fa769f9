"""Forms for starting a match and for finding one."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django import forms
from django.conf import settings
from django.core.exceptions import ValidationError
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

import games
from beanpost.pages.forms.fields import PageForm, WhereaboutsForm, address_field, name_field, watching_field
from beanpost.pages.game_tiles import Tile
from beanpost.play.display import durations, wording
from beanpost.play.display.lists.table_lists import OWN_PACE
from beanpost.play.display.wording import name_variant
from beanpost.play.pace import check_pace
from beanpost.players import accounts
from beanpost.players.models import Player


def list_game_choices() -> list[tuple[str, str]]:
    return [
        (f"{rules.slug}/{variant}", format_game_and_variant(rules, variant))
        for rules in games.GAMES.values()
        for variant in rules.variants
    ]


def format_game_and_variant(rules: games.contract.game.Game[Any, Any], variant: str) -> str:
    name, first, last = name_variant(rules.slug, variant), rules.seats[0], rules.seats[-1]
    values = {"game": rules.title, "variant": name, "first": first, "last": last}
    return gettext("%(game)s, %(variant)s: %(first)d to %(last)d players") % values


class StartForm(PageForm):
    """A match that somebody would like to play. With a tile, it asks only what is left to choose in that game."""

    def __init__(self, *args: Any, tile: Tile | None = None, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if tile:
            self.limit_to(tile)

    def limit_to(self, tile: Tile) -> None:
        self.fields["game"] = forms.ChoiceField(
            label=_("Variant"),
            choices=tile.variants,
            initial=tile.proposed,
            help_text=durations.suggest_variants(tile.rules.slug),
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

    game = forms.ChoiceField(label=_("Game"), choices=list_game_choices)
    pace = forms.ChoiceField(label=_("Pace"), choices=wording.PACE_NAMES, initial="daily")
    own_pace = forms.CharField(
        label=_("Or set your own pace"),
        help_text=wording.PACE_EXAMPLE,
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
    def plan(self) -> dict[str, Any]:
        """Return the arguments of `opening.plan`."""
        typed = self.cleaned_data
        game, variant = typed["game"].split("/")
        values = {"seats": typed["seats"], "pace": typed["own_pace"] or typed["pace"], "listed": typed["open_to_all"]}
        values |= {"open_to_all": typed["open_to_all"] or typed["by_link"]}
        return values | {"game": game, "variant": variant, "bots": typed["bots"] or 0, "addresses": typed["guests"]}


class SignedInStartForm(StartForm):
    """The same from a signed-in player, who may invite people they have played with by name."""

    may_be_watched = watching_field()

    def __init__(self, *args: Any, opponents: Sequence[Player] = (), **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
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
    def plan(self) -> dict[str, Any]:
        plan = super().plan
        chosen = [self.addresses[friend] for friend in self.cleaned_data.get("friends", [])]
        return plan | {"addresses": list(dict.fromkeys([*chosen, *plan["addresses"]]))}


class OpenForm(StartForm, WhereaboutsForm):
    """The same from somebody who is not signed in."""

    name = name_field()
    address = address_field(_("Your email address"), _("We don’t show it to anyone."))


def list_game_filters() -> list[tuple[str, Any]]:
    return [("", _("All games")), *((rules.slug, rules.title) for rules in games.GAMES.values())]


def list_pace_filters() -> list[tuple[str, Any]]:
    return [("", _("Any pace")), *wording.PACE_NAMES.items(), (OWN_PACE, _("Another pace"))]


class TableFilterForm(PageForm):
    """A filter of the open tables."""

    game = forms.ChoiceField(label=_("Game"), choices=list_game_filters, required=False)
    pace = forms.ChoiceField(label=_("Pace"), choices=list_pace_filters, required=False)
    language = forms.ChoiceField(
        label=_("Language"), choices=[("", _("Any language")), *settings.LANGUAGES], required=False
    )
