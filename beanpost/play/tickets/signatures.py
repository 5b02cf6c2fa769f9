"""Sign tickets and read them back; fingerprints; signed numbers in mail addresses.

Each kind of ticket has its own salt, so that one can never pass for another.
"""

from __future__ import annotations

from base64 import b32decode, b32encode
from dataclasses import dataclass
from datetime import timedelta
from typing import ClassVar, TypeVar

from django.conf import settings
from django.core import signing
from django.utils.crypto import constant_time_compare, salted_hmac


class BadTicket(Exception):
    """The text is not a valid ticket: cut off, or tampered with."""


class ExpiredTicket(BadTicket):
    """The ticket is ours, but too old."""


@dataclass(frozen=True)
class Ticket:
    """A kind of ticket: a row in `tools/tickets.py`, whose test tries each kind after each ending."""

    purpose: ClassVar[str]
    lasts: ClassVar[timedelta] = timedelta(days=400)


T = TypeVar("T", bound=Ticket)


SALT = "beanpost/{}/1"


def sign(ticket: Ticket) -> str:
    return signing.TimestampSigner(salt=SALT.format(ticket.purpose)).sign_object(tuple(vars(ticket).values()))


def redeem(kind: type[T], text: str) -> T:
    try:
        values = signing.TimestampSigner(salt=SALT.format(kind.purpose)).unsign_object(text, max_age=kind.lasts)
        return kind(*(tuple(value) if isinstance(value, list) else value for value in values))
    except signing.SignatureExpired as error:
        raise ExpiredTicket from error
    except (signing.BadSignature, TypeError, ValueError) as error:
        raise BadTicket from error


def make_fingerprint(purpose: str, *values: object) -> str:
    """Return a keyed fingerprint of constant length, which identifies a thing and reveals nothing about it."""
    text = "\n".join(map(str, values))
    return salted_hmac(SALT.format(purpose), text, algorithm="sha256").hexdigest()[:32]


# ── in mail addresses ──

NUMBER_BYTES, SEAL_BYTES = 8, 16  # bytes of the number and of its truncated fingerprint (128 bits)


def sign_number(purpose: str, number: int) -> str:
    """Sign a number for use in a mail address: lower-case base32, always 39 characters."""
    packed_number = number.to_bytes(NUMBER_BYTES, "big")
    sealed = packed_number + compute_seal(purpose, packed_number, settings.SECRET_KEY)
    return b32encode(sealed).decode().rstrip("=").lower()


def redeem_number(purpose: str, text: str) -> int:
    """Return the number if it was signed with one of our keys. Mail servers may have changed the text's case."""
    try:
        packed = b32decode(text + "=" * (-len(text) % 8), casefold=True)
    except ValueError as error:
        raise BadTicket from error
    packed_number, given = packed[:NUMBER_BYTES], packed[NUMBER_BYTES:]
    keys = (settings.SECRET_KEY, *settings.SECRET_KEY_FALLBACKS)
    seals = [compute_seal(purpose, packed_number, key) for key in keys]
    if len(packed) != NUMBER_BYTES + SEAL_BYTES or not any(constant_time_compare(own, given) for own in seals):
        raise BadTicket
    return int.from_bytes(packed_number, "big")


def compute_seal(purpose: str, packed_number: bytes, key: str) -> bytes:
    return salted_hmac(SALT.format(purpose), packed_number, key, algorithm="sha256").digest()[:SEAL_BYTES]
