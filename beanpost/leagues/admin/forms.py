"""Form fields that show stored lists and rows in an organiser's words."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django import forms
from django.conf import settings
from django.core.exceptions import ValidationError
from django.utils.text import capfirst
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from unfold.widgets import (
    UnfoldAdminCheckboxSelectMultipleWidget,
    UnfoldAdminEmailInputWidget,
    UnfoldAdminSelectWidget,
    UnfoldAdminTextareaWidget,
    UnfoldAdminTextInputWidget,
    UnfoldAdminURLInputWidget,
    UnfoldBooleanWidget,
)

import games
from beanpost.leagues.mail import contacts
from beanpost.leagues.models import League, Season, Webhook
from beanpost.leagues.standings.labels import TIE_BREAKS
from beanpost.leagues.standings.points import SHARE
from beanpost.leagues.webhooks import https
from beanpost.play.display import wording
from beanpost.play.display.wording import say
from beanpost.play.pace import check_pace

MIN_CODE_LENGTH = 6  # characters of a code for members


def list_game_choices() -> list[tuple[str, str]]:
    return [
        (f"{game.slug}/{kind}", format_game_and_variant(game, kind))
        for game in games.GAMES.values()
        for kind in game.variants
    ]


def format_game_and_variant(game: games.contract.game.Game[Any, Any], kind: str) -> str:
    return f"{game.title}, {say(game.variant_name(kind), ())}" if len(game.variants) > 1 else game.title


def add_empty_choice(choices: Mapping[str, Any]) -> list[tuple[str, Any]]:
    return [("", "—"), *choices.items()]


class LeagueForm(forms.ModelForm):  # type: ignore[type-arg]
    about = forms.CharField(
        label=capfirst(gettext_lazy("about")),
        required=False,
        max_length=2000,
        widget=UnfoldAdminTextareaWidget({"rows": 3}),
    )
    keeps_it = forms.BooleanField(
        label=gettext_lazy("I’m the keeper: I decide in this league’s matches"),
        required=False,
        widget=UnfoldBooleanWidget,
    )
    keeper_address = forms.EmailField(
        label=gettext_lazy("Or name someone else: their email address"),
        help_text=gettext_lazy(
            "We ask them by letter. Until they accept, the organiser who starts a round decides in its matches."
        ),
        required=False,
        widget=UnfoldAdminEmailInputWidget,
    )
    contact_address = forms.EmailField(
        label=capfirst(gettext_lazy("address that answers go to")),
        help_text=gettext_lazy("Players see it. We use it once the link in our letter to it has been pressed."),
        required=False,
        widget=UnfoldAdminEmailInputWidget,
    )
    games = forms.MultipleChoiceField(
        label=capfirst(gettext_lazy("games")),
        choices=list_game_choices,
        widget=UnfoldAdminCheckboxSelectMultipleWidget,
    )
    pace = forms.ChoiceField(
        label=capfirst(gettext_lazy("pace")),
        choices=add_empty_choice(wording.PACE_NAMES),
        required=False,
        widget=UnfoldAdminSelectWidget,
    )
    own_pace = forms.CharField(
        label=gettext_lazy("Or set your own pace"),
        help_text=wording.PACE_EXAMPLE,
        required=False,
        max_length=100,
        widget=UnfoldAdminTextInputWidget,
    )

    class Meta:
        model = League
        fields = ("about", "games", "pace")  # the admin page adds the others

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if "visibility" in self.fields:
            self.fields["visibility"].required = False  # it has a default
        self.initial["games"] = [f"{game}/{variant}" for game, variant in self.instance.games.items()]
        self.initial["keeps_it"] = self.instance.pk is None
        if self.instance.typed_keeper or self.instance.keeper:
            self.initial["keeper_address"] = self.instance.typed_keeper or self.instance.keeper.address
        self.initial["contact_address"] = self.instance.asked_contact or self.instance.contact
        if self.instance.asked_contact:
            self.fields["contact_address"].help_text = contacts.explain_unconfirmed_contact(self.instance)
        has_named_pace = self.instance.pace in wording.PACE_NAMES
        self.initial["pace"], self.initial["own_pace"] = (
            (self.instance.pace, "") if has_named_pace else ("", self.instance.pace)
        )

    def clean_visibility(self) -> str:
        return self.cleaned_data["visibility"] or self.instance.visibility

    def clean_join_code(self) -> str:
        code: str = self.cleaned_data["join_code"].strip()
        if 0 < len(code) < MIN_CODE_LENGTH:
            raise ValidationError(_("Choose a code of at least %(count)d characters.") % {"count": MIN_CODE_LENGTH})
        return code

    def clean_games(self) -> dict[str, str]:
        chosen = [choice.split("/") for choice in self.cleaned_data["games"]]
        if len({game for game, _variant in chosen}) < len(chosen):
            raise ValidationError(_("Choose one variant of each game."))
        return dict(chosen)

    def clean_own_pace(self) -> str:
        """Put the league's pace, chosen or typed, into `pace`."""
        chosen, typed = self.cleaned_data.get("pace"), " ".join(self.cleaned_data["own_pace"].lower().split())
        if bool(chosen) == bool(typed):
            raise ValidationError(_("Choose a pace, or set your own."))
        check_pace(chosen or typed)
        self.cleaned_data["pace"] = chosen or typed
        return typed


EXAMPLES = {
    "discord.com": "Discord (https://discord.com/api/webhooks/…)",
    "hooks.slack.com": "Slack (https://hooks.slack.com/services/…)",
}


def describe_services() -> str:
    """Name each service that the host has listed, with the beginning of its addresses."""
    sentence = _("Create a webhook in your chat and paste its address. News can go to: %(services)s.")
    services = (
        EXAMPLES.get(host, f"https://{'…' if host[0] == '.' else ''}{host}/…")
        for host in settings.OUTGOING_WEBHOOK_HOSTS
    )
    return sentence % {"services": ", ".join(services)}


class WebhookForm(forms.ModelForm):  # type: ignore[type-arg]
    url = forms.URLField(label="URL", max_length=400, assume_scheme="https", widget=UnfoldAdminURLInputWidget)
    try_it = forms.BooleanField(label=gettext_lazy("Send a test call"), required=False, widget=UnfoldBooleanWidget)

    class Meta:
        model = Webhook
        fields = ("url", "active")  # the admin page adds the others

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self.fields["url"].help_text = describe_services()

    def clean_url(self) -> str:
        url: str = self.cleaned_data["url"]
        if not https.is_listed(url):
            raise ValidationError(describe_services())
        return url

    def clean(self) -> dict[str, Any]:
        if "active" in self.changed_data:
            self.instance.failures = 0  # it gets as many tries as a new one
        return super().clean() or {}


class OrderedSelects(forms.MultiWidget):
    """Several select boxes; earlier ones take precedence."""

    def decompress(self, value: Any) -> list[str]:
        return value or []


class TieBreaks(forms.MultiValueField):
    def __init__(self, **options: Any) -> None:
        fields = [forms.ChoiceField(choices=add_empty_choice(TIE_BREAKS), required=False) for _name in TIE_BREAKS]
        widget = OrderedSelects([UnfoldAdminSelectWidget(choices=add_empty_choice(TIE_BREAKS)) for _name in TIE_BREAKS])
        super().__init__(fields, require_all_fields=False, widget=widget, **options)

    def compress(self, chosen: list[str]) -> list[str]:
        return list(dict.fromkeys(filter(None, chosen)))

    def has_changed(self, initial: list[str] | None, data: list[str] | None) -> bool:
        """Compare whole lists: Django compares only as many values as there were initially."""
        return self.compress(data or []) != (initial or [])


class SeasonForm(forms.ModelForm):  # type: ignore[type-arg]
    points = forms.CharField(
        label=capfirst(gettext_lazy("points")),
        required=False,
        max_length=60,
        help_text=gettext_lazy(
            "Points for first, second and so on, such as “10 6 3 1”. Leave it empty to give twelve points for beating "
            "everyone at the table, and a proportional share otherwise."
        ),
        widget=UnfoldAdminTextInputWidget,
    )
    tie_breaks = TieBreaks(
        label=capfirst(gettext_lazy("tie-breaks")),
        required=False,
        help_text=gettext_lazy("Used in this order to separate players with equal points."),
    )

    class Meta:
        model = Season
        fields = ("points", "tie_breaks")  # the admin page adds the others

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if "points" not in self.fields:  # the field is read-only once the seed is drawn
            return
        self.initial["points"] = self.instance.points.replace(SHARE, "")
        self.initial["tie_breaks"] = [name for name in self.instance.tie_breaks if name in TIE_BREAKS]
        self.fields["annulled"].required = False  # it has a default
        self.fields["rounds"].help_text = _("A knock-out takes as many rounds as it needs.")
        sentence = _(
            "Substitutes keep the points they win. If unticked, that table counts for nothing in their own score."
        )
        self.fields["substitutes_score"].help_text = sentence
        for nth, one in enumerate(self.fields["tie_breaks"].widget.widgets, 1):
            one.attrs["aria-label"] = _("Tie-break %(nth)d") % {"nth": nth}

    def clean_points(self) -> str:
        return self.cleaned_data["points"].strip() or SHARE
