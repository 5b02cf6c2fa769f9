"""Forms about days away and an absent player's seat."""

from __future__ import annotations

from django import forms
from django.utils.translation import gettext_lazy as _

from beanpost.pages.forms import LARGEST_ID, PageForm, address_field


class AwayForm(PageForm):
    first = forms.DateField(label=_("The first day you are away"), widget=forms.DateInput({"type": "date"}))
    last = forms.DateField(label=_("The last day you are away"), widget=forms.DateInput({"type": "date"}))


class AgreeForm(PageForm):
    agree = forms.IntegerField(min_value=1, max_value=LARGEST_ID)


class GiveForm(PageForm):
    seat = forms.IntegerField(min_value=0, max_value=6, widget=forms.HiddenInput)
    address = address_field(_("The mail address of somebody who is new to this table"))
