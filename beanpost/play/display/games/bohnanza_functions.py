"""The filters and functions for Bohnanza's templates: beans and offers in the reader's language."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from django.utils.translation import pgettext_lazy

from beanpost.play.display.scene import Scene
from beanpost.play.display.wording import say
from beanpost.play.models import Note
from games.bohnanza import names as beans
from games.bohnanza.actions import Accept, Offer
from games.bohnanza.beans import BOX, METERS
from games.bohnanza.telling import told_offer, told_thread
from games.bohnanza.view import Proposal
from games.contract.seats import Seat

NAMES = {
    "coffee": pgettext_lazy("bean", "Coffee"),
    "wax": pgettext_lazy("bean", "Wax"),
    "blue": pgettext_lazy("bean", "Blue"),
    "chili": pgettext_lazy("bean", "Chili"),
    "stink": pgettext_lazy("bean", "Stink"),
    "green": pgettext_lazy("bean", "Green"),
    "soy": pgettext_lazy("bean", "Soy"),
    "eye": pgettext_lazy("bean", "Black-eyed"),
    "red": pgettext_lazy("bean", "Red"),
    "garden": pgettext_lazy("bean", "Garden"),
    "cocoa": pgettext_lazy("bean", "Cocoa"),
}


def bean_name(bean: str) -> str:
    """Return a bean's name as printed on its card.

    >>> bean_name("eye")
    'Black-eyed'
    """
    return str(NAMES[bean])


class Kind(NamedTuple):
    """A kind of bean: its number of cards, and how many of them pay one, two, three and four coins."""

    bean: str
    cards: int
    needed: list[int | None]


def in_the_box() -> list[Kind]:
    """Return all kinds of beans in the box.

    >>> in_the_box()[-2]
    Kind(bean='garden', cards=6, needed=[None, 2, 3, None])
    """
    pay = {bean: {coins: cards for cards, coins in meter} for bean, meter in METERS.items()}
    return [Kind(bean, BOX["beans"][bean]["cards"], [pay[bean].get(coins) for coins in range(1, 5)]) for bean in pay]


def bean_of(card: str) -> str:
    """Return the bean of a card in an offer.

    >>> bean_of("stink@4"), bean_of("*red")
    ('stink', 'red')
    """
    return card.removeprefix("*").partition("@")[0]


def sown_from(phase: str, phases: str) -> str:
    """Return the group of tappable pieces for beans that can be planted in the given phases only.

    >>> sown_from("sowing", "sowing tending"), sown_from("market", "sowing tending")
    ('hand', '')
    """
    return "hand" if phase in phases else ""


def in_beans(cards: Sequence[str]) -> str:
    """Return cards as named in a sentence.

    >>> in_beans(("red", "*soy", "red"))
    '2 red beans, 1 soy bean (face up)'
    """
    return say(beans.listed(tuple(cards)), ())


def not_hidden(offers: Sequence[Proposal], scene: Scene | None) -> list[Proposal]:
    """Return the offers that no standing order hides from the reader; without a scene, all."""
    return [offer for offer in offers if scene is None or not scene.hides(Accept(offer.number))]


def told_proposal(offer: Proposal, reader: Seat | None, names: Sequence[str]) -> str:
    """Describe an offer: who offers what to whom, its number, and the number of the offer it answers."""
    return " ".join(say(phrase, names) for phrase in (told_offer(offer, reader), *told_thread(offer)))


def note_with(offer: Proposal, scene: Scene | None) -> Note | None:
    """Return the note attached to an offer, if this reader may read it; without a scene, none."""
    return None if scene is None else noted_offers(scene).get((scene.view.turn, offer.number))


def noted_offers(scene: Scene) -> dict[tuple[int, int], Note]:
    """Return the notes attached to offers, by turn and offer number."""
    if not scene.notes:
        return {}
    made = [(event.seq, step.after) for event, step in scene.steps if isinstance(step.action, Offer)]
    noted = [(scene.notes[seq], scene.rules.view(after, None)) for seq, after in made if seq in scene.notes]
    return {(view.turn, len(view.offers)): note for note, view in noted}


FILTERS: dict[str, Callable[..., Any]] = {
    "bean_name": bean_name,
    "bean_of": bean_of,
    "in_beans": in_beans,
    "not_hidden": not_hidden,
    "sown_from": sown_from,
}
FUNCTIONS: dict[str, Callable[..., Any]] = {
    "in_the_box": in_the_box,
    "note_with": note_with,
    "told_proposal": told_proposal,
}
