"""Sign tickets and read them back; fingerprints; signed numbers in mail addresses.

Each kind of ticket has its own salt, so that one can never pass for another.
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


class ExpiredTicket(BadTicket):
    """The ticket is ours, but too old."""


@dataclass(frozen=True)
class Ticket:
    """A kind of ticket: a row of docs/tickets.md, whose test tries each kind after each ending."""

    purpose: ClassVar[str]
    lasts: ClassVar[timedelta] = timedelta(days=400)


T = TypeVar("T", bound=Ticket)


class CompactSerializer(signing.JSONSerializer):
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
    running = start_hmac(salt, key).copy()
    running.update(force_bytes(value))
    return running


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
    return get_signer(ticket.purpose, *get_keys()).sign_object(
        tuple(vars(ticket).values()), serializer=CompactSerializer
    )


def redeem(kind: type[T], text: str) -> T:
    try:
        values = get_signer(kind.purpose, *get_keys()).unsign_object(text, max_age=kind.lasts)
        return kind(*(tuple(value) if isinstance(value, list) else value for value in values))
    except signing.SignatureExpired as error:
        raise ExpiredTicket from error
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
    seals = [compute_seal(purpose, packed_number, key) for key in get_keys()]
    if len(packed) != NUMBER_BYTES + SEAL_BYTES or not any(constant_time_compare(own, given) for own in seals):
        raise BadTicket
    return int.from_bytes(packed_number, "big")


def compute_seal(purpose: str, packed_number: bytes, key: str) -> bytes:
    return compute_hmac(f"beanpost/{purpose}/1", packed_number, key).digest()[:SEAL_BYTES]
