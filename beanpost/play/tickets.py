"""Signed links. Every link in a letter carries a ticket: what it is for, for whom, and our signature.

A ticket is a frozen dataclass; `sign` makes it the text that goes into an address, `redeem` reads it back or
raises BadTicket. Each kind has a salt of its own, so that one can never pass for another.
"""

from __future__ import annotations

from dataclasses import astuple, dataclass
from datetime import timedelta
from typing import ClassVar, TypeVar

from django.core import signing
from django.utils.crypto import salted_hmac


class BadTicket(Exception):
    """The text is no ticket of ours: torn, tampered with, or too old."""


@dataclass(frozen=True)
class Ticket:
    purpose: ClassVar[str]
    lasts: ClassVar[timedelta] = timedelta(days=400)


@dataclass(frozen=True)
class MoveTicket(Ticket):
    """To answer one question: with one line, or (line empty) with whatever its page offers."""

    purpose = "move"
    match: int
    seat: int
    occupant: int
    question: int  # the line after which it was first asked
    line: str = ""
    since: int = 0  # on a page: the last line of the log when it was shown; what was said before may be said again


@dataclass(frozen=True)
class SeatTicket(Ticket):
    """To do something about a seat that is no move: get ready, decline, renew its links, mute notes, play again."""

    purpose = "seat"
    match: int
    seat: int
    occupant: int


@dataclass(frozen=True)
class OrderTicket(Ticket):
    """To read, give and take back a seat's standing orders, until somebody speaks there again: an order is a move."""

    purpose = "order"
    match: int
    seat: int
    occupant: int
    since: int  # the last line said there by hand


@dataclass(frozen=True)
class PlayerTicket(Ticket):
    """To be told something by letter, or never again. Shows nothing, so it may be old."""

    purpose = "player"
    player: int


@dataclass(frozen=True)
class SettingsTicket(Ticket):
    """To change one's name, language, zone or address. Sent only when asked for, and short-lived."""

    purpose = "settings"
    lasts = timedelta(hours=1)
    player: int


@dataclass(frozen=True)
class AddressTicket(Ticket):
    """To confirm a new address, sent to that address."""

    purpose = "address"
    lasts = timedelta(days=2)
    player: int
    old: str
    new: str


@dataclass(frozen=True)
class OpenTicket(Ticket):
    """To open a match as planned. The plan is the ticket: nothing is kept until it comes back."""

    purpose = "open"
    lasts = timedelta(days=14)
    player: int
    game: str
    variant: str
    seats: int
    pace: str
    open_to_all: bool
    bots: int
    addresses: tuple[str, ...]
    number: str  # tells two equal plans apart, and makes a second press find the first one's match


@dataclass(frozen=True)
class JoinTicket(Ticket):
    """To join an open table."""

    purpose = "join"
    lasts = timedelta(days=14)
    player: int
    match: int


@dataclass(frozen=True)
class TakeoverTicket(Ticket):
    """To sit down where somebody is absent, as the table has decided."""

    purpose = "takeover"
    lasts = timedelta(days=14)
    player: int
    proposal: int


T = TypeVar("T", bound=Ticket)


def sign(ticket: Ticket) -> str:
    return signing.dumps(astuple(ticket), salt=f"beanpost/{ticket.purpose}/1", compress=True)


def redeem(kind: type[T], text: str) -> T:
    try:
        values = signing.loads(text, salt=f"beanpost/{kind.purpose}/1", max_age=kind.lasts)
        return kind(*(tuple(value) if isinstance(value, list) else value for value in values))
    except (signing.BadSignature, TypeError, ValueError) as error:
        raise BadTicket from error


def mark(purpose: str, *values: object) -> str:
    """A keyed fingerprint of constant length: it names a thing and tells nothing about it."""
    text = "\n".join(map(str, values))
    return salted_hmac(f"beanpost/{purpose}/1", text, algorithm="sha256").hexdigest()[:32]
