"""Addresses that name a letter: whoever answers it writes there, and the token says which one was answered."""

from __future__ import annotations

import re

from django.conf import settings

from beanpost.play.tickets import BadTicket, redeem_number, sign_number

TURN = "turn"  # whoever writes there answers the letter
RETURN = "back"  # where mail servers report what they could not hand over
UNSUBSCRIBE = "u"  # whoever writes there, or whose mail program does, wants fewer letters
SHAPE = re.compile(r"(?P<purpose>[a-z]+)\+(?P<token>[a-z2-7]+)@(?P<domain>[a-z0-9.-]+)", re.I)
# One of them in running text; each signature has fewer letters than that.
OURS = re.compile(r"\b(?:turn|back|u)\+[a-z2-7]{1,64}@[a-z0-9.-]{1,255}", re.I)


class NoSuchAddress(Exception):
    """Nobody lives there: another domain, or a token that we have not signed."""


def address(purpose: str, letter_id: int) -> str:
    """Where to write about this letter."""
    return f"{purpose}+{sign_number(purpose, letter_id)}@{settings.INBOUND_DOMAIN}"


def purpose_of(written: str) -> str:
    """What is wanted by who writes there; nothing is looked up, but the signature is checked."""
    purpose = written.strip().partition("+")[0].lower()
    if purpose not in (TURN, RETURN, UNSUBSCRIBE):
        raise NoSuchAddress
    letter_named(purpose, written)
    return purpose


def letter_named(purpose: str, written: str) -> int:
    """The letter that such an address names."""
    found = SHAPE.fullmatch(written.strip())
    if not found or not settings.INBOUND_DOMAIN or found["domain"].lower() != settings.INBOUND_DOMAIN:
        raise NoSuchAddress
    if found["purpose"].lower() != purpose:
        raise NoSuchAddress
    try:
        return redeem_number(purpose, found["token"])
    except BadTicket as error:
        raise NoSuchAddress from error
