"""Forms for moves that players compose by ticking and choosing on a page.

A game whose players may compose moves has a form here and a template to show it; the form returns the line that is
played. Whether the line is legal is for the rules to judge: the form knows only what can be ticked.
"""

from __future__ import annotations

from collections import Counter
from contextlib import suppress
from typing import Any

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from beanpost.pages.forms import NOTE, PageForm
from beanpost.play.display.games.bohnanza_functions import bean_name
from beanpost.play.display.games.haricot_magique_functions import face_name
from beanpost.play.display.games.stacks import Plan, plan
from beanpost.play.display.scene import Scene
from games.bohnanza.actions import Offer, from_hand, lies_face_up
from games.contract.errors import Unreadable
from games.contract.notation import SEAT, Action, read
from games.contract.seats import called
from games.haricot_magique.actions import Aimed, Stack
from games.haricot_magique.advice import is_at_hand
from games.haricot_magique.stalk import FURTHEST_AIM

MOST_WANTED = 9  # of one bean; players who want more can type the line
ALL = "all"


class ComposeForm(PageForm):
    """Fields for what can be chosen now, and the line that follows from them."""

    says: type[Action]
    template: str
    leads = False  # whether it comes before the ready answers

    def __init__(self, shown: Scene, typed: Any = None, line: str = "") -> None:
        super().__init__(typed, auto_id="own_%s", label_suffix="")
        self.start = line  # initial values, if the line is of this kind
        self.view = shown.view
        self.names = shown.names
        self.lay_out()

    def lay_out(self) -> None:
        """Add a field for everything that can be chosen now."""
        raise NotImplementedError

    def begin(self, draft: str) -> None:
        """Fill in a draft to start from."""

    @property
    def line(self) -> str:
        raise NotImplementedError

    @property
    def plan(self) -> Plan | None:
        """Return a preview of the move, if one can be drawn before it is played."""
        return None

    @property
    def lines(self) -> list[str]:
        """Return all lines to play, if the form can compose several at once."""
        return [self.line]


class OfferForm(ComposeForm):
    """An offer in Bohnanza: cards of the hand and face-up ones, for beans wanted, to one player or several."""

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
        hand = [(f"{bean}@{place}", placed(bean, place)) for place, bean in enumerate(self.view.hand, 1)]
        lying = [(f"*{bean}", _("%(bean)s, face up") % {"bean": bean_name(bean)}) for bean in self.view.up]
        own, wanted = (lying + hand, []) if self.is_active else (hand, lying)
        self.fields["gives"] = ticks(_("You give"), own)
        self.fields["up"] = ticks(_("You want of the face-up cards"), wanted)
        for bean in self.view.beans:
            self.fields[f"want_{bean}"] = forms.IntegerField(
                label=bean_name(bean), required=False, min_value=0, max_value=MOST_WANTED
            )
        self.fields["to"] = forms.MultipleChoiceField(
            label=_("To whom (to several: the same offer to each)") if self.is_active else _("To whom"),
            choices=self.partners(),
            initial=[self.partners()[0][0]],
            widget=forms.CheckboxSelectMultiple,
        )

    def begin(self, draft: str) -> None:
        """Start a counter-offer from the offer it answers, seen from the other side."""
        offer = next((offer for offer in self.view.offers if str(offer.number) == draft), None)
        if offer is None or offer.by == self.view.me or offer.to not in (None, self.view.me):
            return
        self.fields["gives"].initial = own_cards(self.view.hand, offer.wants)
        self.fields["up"].initial = [card for card in offer.gives if lies_face_up(card)]
        self.fields["to"].initial = [called(offer.by)]
        for bean, count in Counter(from_hand(offer.gives)).items():
            self.fields[f"want_{bean}"].initial = count

    def partners(self) -> list[tuple[str, str]]:
        """Return the possible partners: the active player, who alone may also offer to all."""
        if not self.is_active:
            return [(called(self.view.active), self.names[self.view.active])]
        others = [(called(seat.seat), self.names[seat.seat]) for seat in self.view.seats if seat.seat != self.view.me]
        return [(ALL, _("all: the first who accepts has it")), *others]

    def counts(self) -> list[forms.BoundField]:
        return [self[f"want_{bean}"] for bean in self.view.beans]

    @property
    def line(self) -> str:
        return self.lines[0]

    @property
    def lines(self) -> list[str]:
        said = self.cleaned_data
        wants = [bean for bean in self.view.beans for _nth in range(said[f"want_{bean}"] or 0)]
        partners = [None if to == ALL else SEAT.read(to) for to in said["to"]]
        return [str(Offer(tuple(said["gives"]), (*said["up"], *wants), to)) for to in partners]


class StackForm(ComposeForm):
    """A stack in Le Haricot Magique: the order of the dice, and where each is aimed."""

    says = Stack
    template = "pages/parts/stack.html"
    leads = True

    def lay_out(self) -> None:
        faces = [(face, face_name(face)) for face in dict.fromkeys(self.view.dice)]
        for place, die in enumerate(self.first_thought, 1):
            nth = {"place": place}
            self.fields[f"die_{place}"] = forms.ChoiceField(
                label=_("Die %(place)d") % nth, choices=faces, initial=die.face
            )
            self.fields[f"aim_{place}"] = forms.TypedChoiceField(
                label=_("Aim of die %(place)d") % nth, choices=aims(), initial=die.aim, coerce=int
            )

    @property
    def first_thought(self) -> tuple[Aimed, ...]:
        """Return the stack of the link somebody came by, or the dice as rolled, all aimed at the centre."""
        with suppress(Unreadable):
            match read(self.start, (Stack,)):
                case Stack(dice) if is_at_hand(self.view, dice):
                    return dice
        return tuple(map(Aimed, self.view.dice))

    def rows(self) -> list[tuple[forms.BoundField, forms.BoundField]]:
        return [(self[f"die_{place}"], self[f"aim_{place}"]) for place, _face in enumerate(self.view.dice, 1)]

    @property
    def dice(self) -> tuple[Aimed, ...]:
        """Return the dice as chosen."""
        if not self.is_bound:
            return self.first_thought
        said, places = self.cleaned_data, range(1, len(self.view.dice) + 1)
        return tuple(Aimed(said[f"die_{place}"], said[f"aim_{place}"]) for place in places)

    @property
    def line(self) -> str:
        return str(Stack(self.dice))

    @property
    def plan(self) -> Plan | None:
        """Preview the stack. None if a chosen die is not available."""
        if self.is_bound and not self.is_valid():
            return None
        return plan(self.view, self.dice) if is_at_hand(self.view, self.dice) else None


SENTENCES: tuple[type[ComposeForm], ...] = (OfferForm, StackForm)


def sentence(shown: Scene, typed: Any = None, line: str = "", draft: str = "") -> ComposeForm | None:
    """Return the form for the move this reader may compose now, if any.

    It is filled with what was typed, or else from a line, or as the answer to a draft (`Scene.drafts` lists them).
    """
    kinds = shown.ask.free if shown.ask else ()
    kind = next((form for form in SENTENCES if form.says in kinds), None)
    if kind is None:
        return None
    form = kind(shown, typed, line)
    form.begin(draft)
    return form


def own_cards(hand: tuple[str, ...], wanted: tuple[str, ...]) -> list[str]:
    """Return the wanted cards the player holds: face-up cards as they are, hand cards nearest the front."""
    ticked = [card for card in wanted if lies_face_up(card)]
    for card in from_hand(wanted):
        places = (f"{bean}@{place}" for place, bean in enumerate(hand, 1) if bean == card)
        ticked += [place for place in places if place not in ticked][:1]
    return ticked


def placed(bean: str, place: int) -> str:
    """Name a card of the hand; “2 Stink” would be read as two of them."""
    return _("%(bean)s, card %(place)d") % {"bean": bean_name(bean), "place": place}


def ticks(label: str, choices: list[tuple[str, str]]) -> forms.MultipleChoiceField:
    return forms.MultipleChoiceField(label=label, choices=choices, required=False, widget=forms.CheckboxSelectMultiple)


def aims() -> list[tuple[int, str]]:
    """Return choices from furthest left to furthest right, in whole millimetres."""
    return [(aim, aimed_at(aim)) for aim in range(-FURTHEST_AIM, FURTHEST_AIM + 1)]


def aimed_at(aim: int) -> str:
    if not aim:
        return _("centre")
    if aim < 0:
        return ngettext("%(mm)d mm left", "%(mm)d mm left", -aim) % {"mm": -aim}
    return ngettext("%(mm)d mm right", "%(mm)d mm right", aim) % {"mm": aim}
