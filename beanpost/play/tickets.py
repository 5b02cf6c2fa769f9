"""Signed links. Every link in a letter carries a ticket: what it is for, for whom, and our signature.

A ticket is a frozen dataclass; `sign` makes it the text that goes into an address, `redeem` reads it back or
raises BadTicket. Each kind has a salt of its own, so that one can never pass for another.
"""

from __future__ import annotations

import json
from base64 import b32decode, b32encode
from dataclasses import dataclass
from datetime import timedelta
from functools import cache
from hmac import HMAC
from typing import ClassVar, TypeVar

from django.conf import settings
from django.core import signing
from django.utils.crypto import constant_time_compare, salted_hmac
from django.utils.encoding import force_bytes


class BadTicket(Exception):
    """The text is no ticket of ours: torn, or tampered with."""


class Lapsed(BadTicket):
    """It is one of ours, and too old."""


@dataclass(frozen=True)
class Ticket:
    purpose: ClassVar[str]
    lasts: ClassVar[timedelta] = timedelta(days=400)


@dataclass(frozen=True)
class OfSeat(Ticket):
    """For whoever has a seat: void when its links are renewed, or somebody else sits there."""

    match: int
    seat: int
    occupant: int


@dataclass(frozen=True)
class OfPlayer(Ticket):
    player: int


@dataclass(frozen=True)
class OfVisit(OfPlayer):
    """Void when the player has signed out everywhere, as who has forwarded a letter by mistake does."""

    session: int


@dataclass(frozen=True)
class MoveTicket(OfSeat):
    """To answer one question: with one line, or (line empty) with whatever its page offers."""

    purpose = "move"
    question: int  # the line after which it was first asked
    line: str = ""
    since: int = 0  # on a page: the last line of the log when it was shown; what was said before may be said again


@dataclass(frozen=True)
class PlayedTicket(OfSeat):
    """To look at what one has just said and at what is asked next, until one is asked anew or speaks again."""

    purpose = "played"
    seq: int  # the line that was said
    through: int  # the last line that followed from it at once


@dataclass(frozen=True)
class SeatTicket(OfSeat):
    """To do something about a seat that is no move: get ready, decline, renew its links, mute notes, play again."""

    purpose = "seat"


@dataclass(frozen=True)
class OrderTicket(OfSeat):
    """To read, give and take back a seat's standing orders, until somebody speaks there again: an order is a move."""

    purpose = "order"
    since: int  # the last line said there by hand


@dataclass(frozen=True)
class PlayerTicket(OfPlayer):
    """To be told something by letter. Shows nothing, so it may be old. Older letters say "never again" with it too."""

    purpose = "player"


@dataclass(frozen=True)
class SettingsTicket(OfVisit):
    """To change one's name, language, zone or address. Sent only when asked for, and short-lived."""

    purpose = "settings"
    lasts = timedelta(hours=1)


@dataclass(frozen=True)
class EraseTicket(OfVisit):
    """To have one's data erased. Sent only when asked for, and short-lived."""

    purpose = "erase"
    lasts = timedelta(hours=1)


@dataclass(frozen=True)
class WishesTicket(OfVisit):
    """To say how one wishes to be written to. In every letter."""

    purpose = "wishes"


@dataclass(frozen=True)
class FewerTicket(OfPlayer):
    """To get no more letters of one kind, with one click. Shows nothing, so it may be old."""

    purpose = "fewer"
    kind: str


@dataclass(frozen=True)
class FeedTicket(OfPlayer):
    """To have one's deadlines in a calendar, which looks there for years. Shows no card, and moves nothing."""

    purpose = "feed"
    lasts = timedelta(days=36_500)
    feed: int


@dataclass(frozen=True)
class SignInTicket(OfPlayer):
    """To sign in, once: the first sign-in voids every link that was sent before it."""

    purpose = "sign in"
    lasts = timedelta(minutes=20)
    visit: int  # how often the player had signed in when it was written


@dataclass(frozen=True)
class AddressTicket(OfPlayer):
    """To confirm a new address, sent to that address; or to come back to the old one, sent to the old one."""

    purpose = "address"
    lasts = timedelta(days=2)
    old: str
    new: str
    session: int | None = None  # void when that has ended; none on the way back, which no thief may void


@dataclass(frozen=True)
class LaterAddressTicket(OfVisit):
    """To confirm a new address, sent to that address, where letters to the old one come back. It has to wait."""

    purpose = "later address"
    lasts = timedelta(days=2)
    old: str
    new: str


@dataclass(frozen=True)
class StopAddressTicket(OfPlayer):
    """To stop a change of address that is waiting. Sent to the old address alone."""

    purpose = "stop address"
    change: int


@dataclass(frozen=True)
class NeverTicket(OfVisit):
    """To say: never write to this address again. In every letter; players in a match are asked by another letter."""

    purpose = "never"


@dataclass(frozen=True)
class SilenceTicket(OfVisit):
    """To confirm that we never write again, or to undo it. Sent to the player's own address alone."""

    purpose = "silence"


@dataclass(frozen=True)
class UndoSilenceTicket(OfPlayer):
    """To undo it on the page on which one has just said so. It silences nobody."""

    purpose = "undo silence"
    lasts = timedelta(hours=1)


@dataclass(frozen=True)
class OpenTicket(OfPlayer):
    """To open a match as planned. The plan is the ticket: nothing is kept until it comes back."""

    purpose = "open"
    lasts = timedelta(days=14)
    game: str
    variant: str
    seats: int
    pace: str
    open_to_all: bool
    bots: int
    addresses: tuple[str, ...]
    number: str  # tells two equal plans apart, and makes a second press find the first one's match
    listed: bool = True  # on the front page, where anybody may join; otherwise free seats are for who has the link


@dataclass(frozen=True)
class JoinTicket(OfPlayer):
    """To join an open table."""

    purpose = "join"
    lasts = timedelta(days=14)
    match: int


@dataclass(frozen=True)
class TakeoverTicket(OfPlayer):
    """To sit down where somebody is absent, as the table has decided."""

    purpose = "takeover"
    lasts = timedelta(days=14)
    proposal: int


T = TypeVar("T", bound=Ticket)


class Compact(signing.JSONSerializer):
    """Django's own, whose encoder is made once."""

    encoder = json.JSONEncoder(separators=(",", ":"))

    def dumps(self, obj: object) -> bytes:
        return self.encoder.encode(obj).encode("latin-1")


class Signer(signing.TimestampSigner):
    """Django's own; but what follows from the key alone is worked out once, and not for each of a letter's links."""

    def signature(self, value: str | bytes, key: str | bytes | None = None) -> str:
        return signing.b64_encode(fingerprint(str(self.salt) + "signer", value, key or self.key).digest()).decode()


def fingerprint(salt: str, value: str | bytes, key: str | bytes) -> HMAC:
    """Django's `salted_hmac`."""
    begun = keyed(salt, key).copy()
    begun.update(force_bytes(value))
    return begun


@cache
def keyed(salt: str, key: str | bytes) -> HMAC:
    return salted_hmac(salt, "", key, algorithm="sha256")


@cache
def signer(purpose: str, key: str, *older: str) -> Signer:
    return Signer(key=key, fallback_keys=list(older), salt=f"beanpost/{purpose}/1")


def keys() -> tuple[str, ...]:
    """What we sign with, and what we have signed with before."""
    return (settings.SECRET_KEY, *settings.SECRET_KEY_FALLBACKS)


def sign(ticket: Ticket) -> str:
    return signer(ticket.purpose, *keys()).sign_object(tuple(vars(ticket).values()), serializer=Compact)


def redeem(kind: type[T], text: str) -> T:
    try:
        values = signer(kind.purpose, *keys()).unsign_object(text, max_age=kind.lasts)
        return kind(*(tuple(value) if isinstance(value, list) else value for value in values))
    except signing.SignatureExpired as error:
        raise Lapsed from error
    except (signing.BadSignature, TypeError, ValueError) as error:
        raise BadTicket from error


def mark(purpose: str, *values: object) -> str:
    """A keyed fingerprint of constant length: it names a thing and tells nothing about it."""
    text = "\n".join(map(str, values))
    return fingerprint(f"beanpost/{purpose}/1", text, settings.SECRET_KEY).hexdigest()[:32]


# ── in mail addresses ──

NUMBER, SEAL = 8, 16  # bytes of the number, and of what is cut from its fingerprint: 128 bits


def sign_number(purpose: str, number: int) -> str:
    """A signed number that survives in a mail address: lower-case base32, always 39 characters."""
    named = number.to_bytes(NUMBER, "big")
    return b32encode(named + seal(purpose, named, settings.SECRET_KEY)).decode().rstrip("=").lower()


def redeem_number(purpose: str, text: str) -> int:
    """The number, if we have signed it with this key or an older one. Mail servers may have changed its case."""
    try:
        packed = b32decode(text + "=" * (-len(text) % 8), casefold=True)
    except ValueError as error:
        raise BadTicket from error
    named, given = packed[:NUMBER], packed[NUMBER:]
    seals = [seal(purpose, named, key) for key in keys()]
    if len(packed) != NUMBER + SEAL or not any(constant_time_compare(own, given) for own in seals):
        raise BadTicket
    return int.from_bytes(named, "big")


def seal(purpose: str, named: bytes, key: str) -> bytes:
    return fingerprint(f"beanpost/{purpose}/1", named, key).digest()[:SEAL]
