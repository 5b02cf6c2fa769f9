"""What is stored as lists and rows, asked as an organiser would say it."""

from __future__ import annotations

from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils.text import capfirst, format_lazy
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from unfold.widgets import (
    UnfoldAdminCheckboxSelectMultipleWidget,
    UnfoldAdminEmailInputWidget,
    UnfoldAdminTextareaWidget,
    UnfoldAdminTextInputWidget,
)

import games
from beanpost.leagues.models import League, Season, check_breaks
from beanpost.leagues.standings import MEASURES
from beanpost.play import clock
from beanpost.players import book
from beanpost.players.models import Player
from beanpost.variants import variant


def games_and_variants() -> list[tuple[str, str]]:
    return [(f"{game.slug}/{kind}", in_words(game, kind)) for game in games.GAMES.values() for kind in game.variants]


def in_words(game: games.rules.Rules[Any, Any], kind: str) -> str:
    return f"{game.title}, {variant(kind)}" if len(game.variants) > 1 else game.title


class LeagueForm(forms.ModelForm):  # type: ignore[type-arg]
    about = forms.CharField(
        label=capfirst(gettext_lazy("about")),
        required=False,
        max_length=2000,
        widget=UnfoldAdminTextareaWidget({"rows": 3}),
    )
    keeper = forms.EmailField(
        label=capfirst(gettext_lazy("keeper")),
        help_text=gettext_lazy("A mail address. Letters call them the organiser, and write to them."),
        widget=UnfoldAdminEmailInputWidget,
    )
    games = forms.MultipleChoiceField(
        label=capfirst(gettext_lazy("games")),
        choices=games_and_variants,
        widget=UnfoldAdminCheckboxSelectMultipleWidget,
    )

    class Meta:
        model = League
        fields = ("about", "keeper", "games")  # and what the page asks beside them

    def __init__(self, *given: Any, **named: Any) -> None:
        super().__init__(*given, **named)
        self.initial["games"] = [f"{game}/{variant}" for game, variant in self.instance.games.items()]
        if self.instance.keeper_id:
            self.initial["keeper"] = self.instance.keeper.address

    def clean_keeper(self) -> Player:
        return book.welcome(self.cleaned_data["keeper"], now=clock.now())

    def clean_games(self) -> dict[str, str]:
        chosen = [choice.split("/") for choice in self.cleaned_data["games"]]
        if len({game for game, _variant in chosen}) < len(chosen):
            raise ValidationError(_("Please choose one variant of each game."))
        return dict(chosen)


class SeasonForm(forms.ModelForm):  # type: ignore[type-arg]
    tie_breaks = forms.CharField(
        label=capfirst(gettext_lazy("tie-breaks")),
        required=False,
        help_text=format_lazy(
            "{}: {}", gettext_lazy("In the order in which they decide, some of"), ", ".join(MEASURES)
        ),
        widget=UnfoldAdminTextInputWidget,
    )

    class Meta:
        model = Season
        fields = ("tie_breaks",)  # and what the page asks beside them

    def __init__(self, *given: Any, **named: Any) -> None:
        super().__init__(*given, **named)
        self.initial["tie_breaks"] = " ".join(self.instance.tie_breaks)
        if "points" in self.fields:  # no longer, once the seed is drawn
            self.fields["points"].help_text = _("Points are “share”, or a falling list such as “10 6 3 1”.")
            self.fields["rounds"].help_text = _("A knock-out has as many as it takes to the final.")

    def clean_tie_breaks(self) -> list[str]:
        names: list[str] = self.cleaned_data["tie_breaks"].replace(",", " ").split()
        check_breaks(names)
        return names
