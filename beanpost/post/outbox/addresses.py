"""Signed mail addresses that name the letter an incoming email is about."""

from __future__ import annotations

import re
from email.utils import parseaddr

from django.conf import settings

from beanpost.play.tickets import BadTicket, redeem_number, sign_number

TURN = "turn"  # replies to a letter
RETURN = "back"  # bounces and other reports of mail servers (the envelope sender of letters)
UNSUBSCRIBE = "u"  # unsubscribe requests, mostly sent by mail programs
FROM = "from"  # replies of mail programs that ignore Reply-To, if the host's mail server passes them on
SHAPE = re.compile(r"(?P<purpose>[a-z]+)\+(?P<token>[a-z2-7]+)@(?P<domain>[a-z0-9.-]+)", re.I)
# Finds our addresses in running text. A signed token is shorter than 64 characters.
OURS = re.compile(r"\b(?:turn|back|u)\+[a-z2-7]{1,64}@[a-z0-9.-]{1,255}", re.I)


class NoSuchAddress(Exception):
    """The address has another domain, or a token that we have not signed."""


def build_address(purpose: str, letter_id: int) -> str:
    """Return the address for mail about this letter."""
    return f"{purpose}+{sign_number(purpose, letter_id)}@{settings.INBOUND_DOMAIN}"


def build_from_alias() -> str:
    """Return the only address without a signature: the local part of our From address, at the reply domain."""
    local_part = parseaddr(settings.DEFAULT_FROM_EMAIL)[1].rpartition("@")[0]
    return f"{local_part}@{settings.INBOUND_DOMAIN}".lower()


def parse_purpose(address: str) -> str:
    """Return the purpose of an address. Check its signature, but query nothing."""
    if settings.INBOUND_DOMAIN and address.strip().lower() == build_from_alias():
        return FROM
    purpose = address.strip().partition("+")[0].lower()
    if purpose not in (TURN, RETURN, UNSUBSCRIBE):
        raise NoSuchAddress
    parse_letter_id(purpose, address)
    return purpose


def parse_letter_id(purpose: str, address: str) -> int:
    """Return the number of the letter that an address names."""
    found = SHAPE.fullmatch(address.strip())
    if not found or not settings.INBOUND_DOMAIN or found["domain"].lower() != settings.INBOUND_DOMAIN:
        raise NoSuchAddress
    if found["purpose"].lower() != purpose:
        raise NoSuchAddress
    try:
        return redeem_number(purpose, found["token"])
    except BadTicket as error:
        raise NoSuchAddress from error
