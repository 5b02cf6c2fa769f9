"""The names of beans and cards in a sentence."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from functools import reduce

from games.bohnanza.actions import bean_of, is_face_up
from games.bohnanza.state import Beans
from games.contract.phrases import Phrase, Plural

NAMES = {
    "coffee": lambda count: Plural("a coffee bean", "{count} coffee beans", count=count),
    "wax": lambda count: Plural("a wax bean", "{count} wax beans", count=count),
    "blue": lambda count: Plural("a blue bean", "{count} blue beans", count=count),
    "chili": lambda count: Plural("a chili bean", "{count} chili beans", count=count),
    "stink": lambda count: Plural("a stink bean", "{count} stink beans", count=count),
    "green": lambda count: Plural("a green bean", "{count} green beans", count=count),
    "soy": lambda count: Plural("a soy bean", "{count} soy beans", count=count),
    "eye": lambda count: Plural("a black-eyed bean", "{count} black-eyed beans", count=count),
    "red": lambda count: Plural("a red bean", "{count} red beans", count=count),
    "garden": lambda count: Plural("a garden bean", "{count} garden beans", count=count),
    "cocoa": lambda count: Plural("a cocoa bean", "{count} cocoa beans", count=count),
}


KINDS = {
    "coffee": Phrase("coffee beans"),
    "wax": Phrase("wax beans"),
    "blue": Phrase("blue beans"),
    "chili": Phrase("chili beans"),
    "stink": Phrase("stink beans"),
    "green": Phrase("green beans"),
    "soy": Phrase("soy beans"),
    "eye": Phrase("black-eyed beans"),
    "red": Phrase("red beans"),
    "garden": Phrase("garden beans"),
    "cocoa": Phrase("cocoa beans"),
}


def name_beans(name: str, count: int) -> Phrase:
    """Return a number of beans of one kind, in words.

    >>> str(name_beans("stink", 3))
    '3 stink beans'
    """
    return NAMES[name](count)


def name_coins(count: int) -> Phrase:
    if not count:
        return Phrase("nothing")
    return Plural("{count} coin", "{count} coins", count=count)


def name_cards(cards: Beans) -> Phrase:
    """Return cards as a sentence lists them.

    >>> str(name_cards(("stink", "red", "stink", "*soy")))
    '2 stink beans, a red bean and a soy bean (face up)'
    >>> str(name_cards(()))
    'nothing'
    """
    if not cards:
        return Phrase("nothing")
    *others, last = (name_copies(card, count) for card, count in Counter(cards).items())
    return Phrase("{some} and {last}", some=reduce(join_with_comma, others), last=last) if others else last


def name_copies(card: str, count: int) -> Phrase:
    named = name_beans(bean_of(card), count)
    return Phrase("{beans} (face up)", beans=named) if is_face_up(card) else named


def join_with_comma(some: Phrase, more: Phrase) -> Phrase:
    return Phrase("{some}, {more}", some=some, more=more)


def join_with_or(names: Iterable[Phrase]) -> Phrase:
    """Join names with “or”.

    >>> str(join_with_or(KINDS[name] for name in ("red", "soy")))
    'red beans or soy beans'
    """
    return reduce(lambda some, more: Phrase("{some} or {more}", some=some, more=more), names)
