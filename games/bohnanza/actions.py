"""The moves of Bohnanza, as sentences.

A card in an offer is written `stink` (from the hand), `stink@4` (the one in the fourth place of the hand) or `*stink`
(face up). Without a place, the copy nearest the front is meant.
"""

from __future__ import annotations

from typing import Annotated, TypeAlias

from games.bohnanza.beans import BEANS
from games.contract.notation import SEAT, Action, Kind, Number, SeatLetter, one_of, several
from games.contract.seats import LETTERS

BEAN = one_of(*BEANS)
CARD = Kind(rf"\*?(?:{BEAN.pattern})(?:@[1-9][0-9]{{0,2}})?", str.lower)
CARDS = several(CARD)
TERMS = Kind(
    f"nothing|{CARDS.pattern}",
    lambda text: () if text.lower() == "nothing" else CARDS.read(text),
    lambda cards: CARDS.write(cards) if cards else "nothing",
)
ADDRESSEE = Kind(
    f"all|[{LETTERS}]",
    lambda text: None if text.lower() == "all" else SEAT.read(text),
    lambda seat: "all" if seat is None else SEAT.write(seat),
)

Bean: TypeAlias = Annotated[str, BEAN]
Card: TypeAlias = Annotated[str, CARD]
Cards: TypeAlias = Annotated[tuple[str, ...], CARDS]
Terms: TypeAlias = Annotated[tuple[str, ...], TERMS]  # (): nothing
Addressee: TypeAlias = Annotated[int | None, ADDRESSEE]  # None: all


class Start(Action):
    """The dealer: this seat takes the first turn."""

    says = "start {seat}"
    seat: SeatLetter


class Shuffle(Action):
    """The dealer: the pile in its new order, top card first; at the beginning, and whenever the discard pile becomes
    the pile.
    """

    says = "shuffle {cards}"
    cards: Annotated[tuple[str, ...], several(BEAN)]


class Plant(Action):
    """Plant one bean in a field: from the front of the hand, set aside, or face up in the duel. If the field holds
    another bean, it is harvested first.
    """

    says = "plant {bean} in {field}"
    bean: Bean
    field: Number


class Reveal(Action):
    """Turn up two cards instead of planting a second one."""

    says = "reveal"


class Offer(Action):
    """Propose a deal with the active player. `nothing` makes it a gift or a request; `to all` means the first player to
    accept gets it.
    """

    says = "offer {gives} for {wants} to {to}"
    gives: Terms
    wants: Terms
    to: Addressee


class Accept(Action):
    """Accept an offer. `giving` may name the copies to give; otherwise they are those nearest the front."""

    says = "accept {offer}[ giving {cards}]"
    offer: Number
    cards: Cards = ()


class Decline(Action):
    """Decline an offer, for good."""

    says = "decline {offer}"
    offer: Number


class Withdraw(Action):
    """Withdraw your own offer."""

    says = "withdraw {offer}"
    offer: Number


class NoDeal(Action):
    """Say that you have nothing (more) to offer in this turn."""

    says = "no deal"


class Done(Action):
    """The active player: close the market."""

    says = "done"


class Harvest(Action):
    """Harvest a field; at any time, in the duel only in your own turn."""

    says = "harvest {field}"
    field: Number


class Buy(Action):
    """Buy a third field; at any time, in the duel only in your own turn."""

    says = "buy"


class Discard(Action):
    """The duel: discard an offered card, or a card from anywhere in the hand."""

    says = "discard {card}"
    card: Card


class Go(Action):
    """The duel: discard nothing, or leave the rest of the face-up cards."""

    says = "go"


VOCABULARY = (
    Start, Shuffle, Plant, Reveal, Offer, Accept, Decline, Withdraw, NoDeal, Done, Harvest, Buy, Discard, Go
)  # fmt: skip


# ── how a card is written ────────────────────────────────────────────────────────────────────────


def bean_of(card: str) -> str:
    """Return the bean of a card in an offer.

    >>> bean_of("stink@4"), bean_of("*coffee")
    ('stink', 'coffee')
    """
    return card.partition("@")[0].removeprefix("*")


def place_of(card: str) -> int | None:
    """Return the named place in the hand, counted from 1.

    >>> place_of("stink@4"), place_of("stink")
    (4, None)
    """
    _, _, number = card.partition("@")
    return int(number) if number else None


def is_face_up(card: str) -> bool:
    return card.startswith("*")


def hide_places(cards: tuple[str, ...]) -> tuple[str, ...]:
    """Return the cards without their places, as everybody may read them.

    >>> hide_places(("stink@4", "*coffee"))
    ('stink', '*coffee')
    """
    return tuple(card.partition("@")[0] for card in cards)


def hand_cards(cards: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(card for card in cards if not is_face_up(card))


def face_up_beans(cards: tuple[str, ...]) -> tuple[str, ...]:
    """Return the beans of the face-up cards."""
    return tuple(bean_of(card) for card in cards if is_face_up(card))
