"""Forms about one seat: taking it, orders, being away, and giving it to somebody else."""

from __future__ import annotations

from django import forms
from django.utils.translation import gettext_lazy as _

from beanpost.pages.forms.fields import (
    MAX_ID,
    MAX_LINE_LENGTH,
    PageForm,
    WhereaboutsForm,
    address_field,
    name_field,
    watching_field,
    word_field,
)


class JoinForm(WhereaboutsForm):
    name = name_field()
    address = address_field(_("Your email address"), _("We don’t show it to anyone."))


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


class OrderForm(PageForm):
    """A standing order to give, typed or built of pieces, or the id of one to withdraw."""

    line = forms.CharField(
        label=_("Write an order"),
        required=False,
        max_length=MAX_LINE_LENGTH,
        widget=forms.TextInput({"autocomplete": "off", "autocapitalize": "off", "spellcheck": "false"}),
    )
    piece = forms.Field(required=False, widget=forms.MultipleHiddenInput)  # the sentence is read like a typed one
    preview = forms.BooleanField(required=False, widget=forms.HiddenInput)
    take_back = forms.IntegerField(required=False, min_value=1, max_value=MAX_ID, widget=forms.HiddenInput)


class ReportForm(PageForm):
    report = forms.IntegerField(required=False, min_value=1, max_value=MAX_ID)


class AgainForm(PageForm):
    """Nothing to fill in: pressing the button is enough."""


class AwayForm(PageForm):
    first = forms.DateField(label=_("First day away"), widget=forms.DateInput({"type": "date"}))
    last = forms.DateField(label=_("Last day away"), widget=forms.DateInput({"type": "date"}))


class AgreeForm(PageForm):
    agree = forms.IntegerField(min_value=1, max_value=MAX_ID)


class GiveForm(PageForm):
    seat = forms.IntegerField(min_value=0, max_value=6, widget=forms.HiddenInput)
    address = address_field(_("Email address of a new player"))
