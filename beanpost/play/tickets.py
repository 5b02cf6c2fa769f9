"""Signed links. Every link in a letter contains a ticket: what it is for, for whom, and our signature.

A ticket is a frozen dataclass; `sign` turns it into the text in a URL, `redeem` reads it back or raises BadTicket. Each
kind has its own salt, so that one can never pass for another.
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
    """The text is not a valid ticket: cut off, or tampered with."""


class Lapsed(BadTicket):
    """The ticket is ours, but too old."""


@dataclass(frozen=True)
class Ticket:
    purpose: ClassVar[str]
    lasts: ClassVar[timedelta] = timedelta(days=400)


@dataclass(frozen=True)
class OfSeat(Ticket):
    """A ticket for a seat: void when the seat's links are renewed, or somebody else takes the seat."""

    match: int
    seat: int
    occupant: int


@dataclass(frozen=True)
class OfPlayer(Ticket):
    player: int


@dataclass(frozen=True)
class OfVisit(OfPlayer):
    """A ticket that signing out everywhere voids: players do that after forwarding a letter by mistake."""

    session: int


@dataclass(frozen=True)
class MoveTicket(OfSeat):
    """Answers one question: with one line, or (line empty) with whatever its page offers."""

    purpose = "move"
    question: int  # the line after which it was first asked
    line: str = ""
    since: int = 0  # on a page: the last line when it was shown; lines before it may be repeated


@dataclass(frozen=True)
class PlanTicket(OfSeat):
    """Answers one question with one line, and gives a standing order with it."""

    purpose = "plan"
    question: int
    line: str
    order: str

    @property
    def move(self) -> MoveTicket:
        """The ticket that plays the line alone."""
        return MoveTicket(self.match, self.seat, self.occupant, self.question, self.line)


@dataclass(frozen=True)
class PlayedTicket(OfSeat):
    """Shows a move and the next question, until the seat is asked anew or plays again."""

    purpose = "played"
    seq: int  # the line that was played
    through: int  # the last line that followed from it at once


@dataclass(frozen=True)
class SeatTicket(OfSeat):
    """Acts on a seat without a move: confirm, decline, renew its links, mute notes, open a rematch."""

    purpose = "seat"


@dataclass(frozen=True)
class BrowserTicket(OfSeat):
    """Lets the browser that pressed a move see that seat's next questions. A cookie, never a link."""

    purpose = "browser"
    lasts = timedelta(hours=12)
    session: int  # `Player.sessions` at that time: signing out everywhere voids it


@dataclass(frozen=True)
class OrderTicket(OfSeat):
    """Reads, gives and withdraws a seat's standing orders, until the seat plays again: an order is a move."""

    purpose = "order"
    since: int  # the seat's last line by hand or by the clock (`standing_orders.find_last_own_line`)


@dataclass(frozen=True)
class PlayerTicket(OfPlayer):
    """Requests a letter. Shows nothing, so it may be old. In older letters it is also the "never again" link."""

    purpose = "player"


@dataclass(frozen=True)
class SettingsTicket(OfVisit):
    """Changes name, language, time zone or address. Sent only on request, and short-lived."""

    purpose = "settings"
    lasts = timedelta(hours=1)


@dataclass(frozen=True)
class EraseTicket(OfVisit):
    """Erases the player's data. Sent only on request, and short-lived."""

    purpose = "erase"
    lasts = timedelta(hours=1)


@dataclass(frozen=True)
class LetterSettingsTicket(OfVisit):
    """Changes letter preferences. In every letter."""

    purpose = "wishes"


@dataclass(frozen=True)
class WhereaboutsTicket(OfVisit):
    """Changes language and time zone, nothing else. On pages that know the player, for a day."""

    purpose = "whereabouts"
    lasts = timedelta(days=1)


@dataclass(frozen=True)
class FewerTicket(OfPlayer):
    """Unsubscribes from one kind of letter, with one click. Shows nothing, so it may be old."""

    purpose = "fewer"
    kind: str


@dataclass(frozen=True)
class FeedTicket(OfPlayer):
    """Opens the calendar feed of deadlines, which calendars fetch for years. Shows no cards, and cannot move."""

    purpose = "feed"
    lasts = timedelta(days=36_500)
    feed: int


@dataclass(frozen=True)
class SignInTicket(OfPlayer):
    """Signs in once: a sign-in voids every link that was sent before it."""

    purpose = "sign in"
    lasts = timedelta(minutes=20)
    visit: int  # `Player.visits` when it was issued


@dataclass(frozen=True)
class AddressTicket(OfPlayer):
    """Confirms a new address, sent to that address; or returns to the old one, sent to the old one."""

    purpose = "address"
    lasts = timedelta(days=2)
    old: str
    new: str
    session: int | None = None  # void when that has ended; None on the way back, which a thief must not void


@dataclass(frozen=True)
class LaterAddressTicket(OfVisit):
    """Confirms a new address, sent to that address, if letters to the old one bounce. The change then waits."""

    purpose = "later address"
    lasts = timedelta(days=2)
    old: str
    new: str


@dataclass(frozen=True)
class StopAddressTicket(OfPlayer):
    """Stops a pending change of address. Sent to the old address only."""

    purpose = "stop address"
    change: int


@dataclass(frozen=True)
class NeverTicket(OfVisit):
    """Asks us never to write again. In every letter; players in a match must confirm it by another letter."""

    purpose = "never"


@dataclass(frozen=True)
class SilenceTicket(OfVisit):
    """Confirms that we never write again, or undoes it. Sent to the player's own address only."""

    purpose = "silence"


@dataclass(frozen=True)
class UndoSilenceTicket(OfPlayer):
    """Undoes it, on the page where the player has just asked for it. It cannot silence anybody."""

    purpose = "undo silence"
    lasts = timedelta(hours=1)


@dataclass(frozen=True)
class OpenTicket(OfPlayer):
    """Opens a match as planned. The ticket holds the whole plan: nothing is stored until the link is pressed."""

    purpose = "open"
    lasts = timedelta(days=14)
    game: str
    variant: str
    seats: int
    pace: str
    open_to_all: bool
    bots: int
    addresses: tuple[str, ...]
    number: str  # the match's code: tells equal plans apart, and lets a second press find the match of the first
    listed: bool = True  # on the front page, if anybody may join; otherwise free seats are for people with the link


@dataclass(frozen=True)
class JoinTicket(OfPlayer):
    """Joins an open table."""

    purpose = "join"
    lasts = timedelta(days=14)
    match: int


@dataclass(frozen=True)
class TakeoverTicket(OfPlayer):
    """Takes over the seat of an absent player, as the table has decided."""

    purpose = "takeover"
    lasts = timedelta(days=14)
    proposal: int


T = TypeVar("T", bound=Ticket)


class Compact(signing.JSONSerializer):
    """Django's serializer, with one encoder for all calls."""

    encoder = json.JSONEncoder(separators=(",", ":"))

    def dumps(self, obj: object) -> bytes:
        return self.encoder.encode(obj).encode("latin-1")


class Signer(signing.TimestampSigner):
    """Django's signer, but the part of the HMAC that depends on the key alone is cached: a letter has many links."""

    def signature(self, value: str | bytes, key: str | bytes | None = None) -> str:
        return signing.b64_encode(compute_hmac(str(self.salt) + "signer", value, key or self.key).digest()).decode()


def compute_hmac(salt: str, value: str | bytes, key: str | bytes) -> HMAC:
    """Return what Django's `salted_hmac` returns, using the cached start."""
    begun = start_hmac(salt, key).copy()
    begun.update(force_bytes(value))
    return begun


@cache
def start_hmac(salt: str, key: str | bytes) -> HMAC:
    return salted_hmac(salt, "", key, algorithm="sha256")


@cache
def get_signer(purpose: str, key: str, *older: str) -> Signer:
    return Signer(key=key, fallback_keys=list(older), salt=f"beanpost/{purpose}/1")


def get_keys() -> tuple[str, ...]:
    """Return the current signing key and the earlier ones."""
    return (settings.SECRET_KEY, *settings.SECRET_KEY_FALLBACKS)


def sign(ticket: Ticket) -> str:
    return get_signer(ticket.purpose, *get_keys()).sign_object(tuple(vars(ticket).values()), serializer=Compact)


def redeem(kind: type[T], text: str) -> T:
    try:
        values = get_signer(kind.purpose, *get_keys()).unsign_object(text, max_age=kind.lasts)
        return kind(*(tuple(value) if isinstance(value, list) else value for value in values))
    except signing.SignatureExpired as error:
        raise Lapsed from error
    except (signing.BadSignature, TypeError, ValueError) as error:
        raise BadTicket from error


def make_fingerprint(purpose: str, *values: object) -> str:
    """Return a keyed fingerprint of constant length, which identifies a thing and reveals nothing about it."""
    text = "\n".join(map(str, values))
    return compute_hmac(f"beanpost/{purpose}/1", text, settings.SECRET_KEY).hexdigest()[:32]


# ── in mail addresses ──

NUMBER_BYTES, SEAL_BYTES = 8, 16  # bytes of the number and of its truncated fingerprint (128 bits)


def sign_number(purpose: str, number: int) -> str:
    """Sign a number for use in a mail address: lower-case base32, always 39 characters."""
    named = number.to_bytes(NUMBER_BYTES, "big")
    return b32encode(named + compute_seal(purpose, named, settings.SECRET_KEY)).decode().rstrip("=").lower()


def redeem_number(purpose: str, text: str) -> int:
    """Return the number if it was signed with one of our keys. Mail servers may have changed the text's case."""
    try:
        packed = b32decode(text + "=" * (-len(text) % 8), casefold=True)
    except ValueError as error:
        raise BadTicket from error
    named, given = packed[:NUMBER_BYTES], packed[NUMBER_BYTES:]
    seals = [compute_seal(purpose, named, key) for key in get_keys()]
    if len(packed) != NUMBER_BYTES + SEAL_BYTES or not any(constant_time_compare(own, given) for own in seals):
        raise BadTicket
    return int.from_bytes(named, "big")


def compute_seal(purpose: str, named: bytes, key: str) -> bytes:
    return compute_hmac(f"beanpost/{purpose}/1", named, key).digest()[:SEAL_BYTES]
