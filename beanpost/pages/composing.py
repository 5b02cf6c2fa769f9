"""Sentences of one's own, put together from what was ticked and chosen on a page.

A game whose players may compose sentences has a form here and a template to show it; the form gives the one line that
is said. Whether that may be said is for the rules to judge: the form only knows what can be ticked.
"""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from beanpost.pages.forms import NOTE
from beanpost.play.scene import Scene
from beanpost.play.templatetags.bohnanza import bean_name
from beanpost.play.templatetags.haricot_magique import face_name
from games.bohnanza.actions import Offer
from games.chairs import called
from games.haricot_magique.actions import Aimed, Stack
from games.haricot_magique.stalk import FURTHEST_AIM
from games.notation import SEAT, Action

MOST_WANTED = 9  # of one bean; whoever wants more can write it
ALL = "all"


class Sentence(forms.Form):
    """What can be ticked now, and the line that follows from it."""

    says: type[Action]
    template: str

    def __init__(self, shown: Scene, typed: Any = None) -> None:
        super().__init__(typed, auto_id="own_%s", label_suffix="")
        self.view = shown.view
        self.names = shown.names
        self.lay_out()

    def lay_out(self) -> None:
        """Add a field for everything that can be chosen now."""
        raise NotImplementedError

    @property
    def line(self) -> str:
        raise NotImplementedError


class OfferForm(Sentence):
    """An offer in Bohnanza: own cards and face-up ones, for so many of each bean, to somebody."""

    says = Offer
    template = "pages/parts/offer.html"

    note = forms.CharField(
        label=gettext_lazy("A few words with it, if you like"),
        required=False,
        max_length=NOTE,
        widget=forms.TextInput({"autocomplete": "off"}),
    )

    @property
    def is_active(self) -> bool:
        return bool(self.view.me == self.view.active)

    def lay_out(self) -> None:
        hand = [(f"{bean}@{place}", f"{place} {bean_name(bean)}") for place, bean in enumerate(self.view.hand, 1)]
        lying = [(f"*{bean}", _("%(bean)s, face up") % {"bean": bean_name(bean)}) for bean in self.view.up]
        own, wanted = (lying + hand, []) if self.is_active else (hand, lying)
        self.fields["gives"] = ticks(_("You give"), own)
        self.fields["up"] = ticks(_("You want of the face-up cards"), wanted)
        for bean in self.view.beans:
            self.fields[f"want_{bean}"] = forms.IntegerField(
                label=bean_name(bean), required=False, min_value=0, max_value=MOST_WANTED
            )
        self.fields["to"] = forms.ChoiceField(
            label=_("To whom"), choices=self.partners(), initial=self.partners()[0][0], widget=forms.RadioSelect
        )

    def partners(self) -> list[tuple[str, str]]:
        """Every deal is with the active player, who may also offer to all."""
        if not self.is_active:
            return [(called(self.view.active), self.names[self.view.active])]
        others = [(called(seat.seat), self.names[seat.seat]) for seat in self.view.seats if seat.seat != self.view.me]
        return [(ALL, _("all: the first who accepts has it")), *others]

    def counts(self) -> list[forms.BoundField]:
        return [self[f"want_{bean}"] for bean in self.view.beans]

    @property
    def line(self) -> str:
        said = self.cleaned_data
        wants = [bean for bean in self.view.beans for _nth in range(said[f"want_{bean}"] or 0)]
        to = None if said["to"] == ALL else SEAT.read(said["to"])
        return str(Offer(tuple(said["gives"]), (*said["up"], *wants), to))


class StackForm(Sentence):
    """A stack in Le Haricot Magique: which die comes when, and where each is aimed."""

    says = Stack
    template = "pages/parts/stack.html"

    def lay_out(self) -> None:
        faces = [(face, face_name(face)) for face in dict.fromkeys(self.view.dice)]
        for place, face in enumerate(self.view.dice, 1):
            nth = {"place": place}
            self.fields[f"die_{place}"] = forms.ChoiceField(label=_("Die %(place)d") % nth, choices=faces, initial=face)
            self.fields[f"aim_{place}"] = forms.TypedChoiceField(
                label=_("Aim of die %(place)d") % nth, choices=aims(), initial=0, coerce=int
            )

    def rows(self) -> list[tuple[forms.BoundField, forms.BoundField]]:
        return [(self[f"die_{place}"], self[f"aim_{place}"]) for place, _face in enumerate(self.view.dice, 1)]

    @property
    def line(self) -> str:
        chosen = [(f"die_{place}", f"aim_{place}") for place, _face in enumerate(self.view.dice, 1)]
        return str(Stack(tuple(Aimed(self.cleaned_data[die], self.cleaned_data[aim]) for die, aim in chosen)))


SENTENCES: tuple[type[Sentence], ...] = (OfferForm, StackForm)


def sentence(shown: Scene, typed: Any = None) -> Sentence | None:
    """The form for what this reader may compose now, if anything; filled in, where it was."""
    kinds = shown.ask.free if shown.ask else ()
    form = next((form for form in SENTENCES if form.says in kinds), None)
    return form(shown, typed) if form else None


def ticks(label: str, choices: list[tuple[str, str]]) -> forms.MultipleChoiceField:
    return forms.MultipleChoiceField(label=label, choices=choices, required=False, widget=forms.CheckboxSelectMultiple)


def aims() -> list[tuple[int, str]]:
    """From furthest left to furthest right, in whole millimetres."""
    return [(aim, aimed_at(aim)) for aim in range(-FURTHEST_AIM, FURTHEST_AIM + 1)]


def aimed_at(aim: int) -> str:
    if not aim:
        return _("centre")
    if aim < 0:
        return ngettext("%(mm)d mm left", "%(mm)d mm left", -aim) % {"mm": -aim}
    return ngettext("%(mm)d mm right", "%(mm)d mm right", aim) % {"mm": aim}
