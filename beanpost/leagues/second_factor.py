"""A second factor for whoever signs in at the office: six digits that an app works out every half minute (RFC 6238)."""

from __future__ import annotations

import base64
import hmac
import struct
from datetime import datetime
from typing import Any
from urllib.parse import quote

from django.db import transaction

from beanpost.leagues.models import SecondFactor
from beanpost.play import opening

STEP = 30  # seconds for which a code holds
DRIFT = 1  # steps by which a telephone's clock may be wrong


def code(key: str, step: int) -> str:
    """The digits of a step.

    >>> code("GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ", 59 // STEP)  # from the RFC
    '287082'
    """
    digest = hmac.digest(base64.b32decode(key), struct.pack(">Q", step), "sha1")
    offset = digest[-1] & 15
    (number,) = struct.unpack(">I", digest[offset : offset + 4])
    return f"{(number & 0x7FFFFFFF) % 1_000_000:06}"


def offered(user: Any) -> SecondFactor:
    """The factor of a user: in use, or waiting to be confirmed with a first code."""
    key = base64.b32encode(bytes.fromhex(opening.lot() + opening.lot())[:20]).decode()  # 160 bits fill it without "="
    factor, _is_new = SecondFactor.objects.get_or_create(user=user, defaults={"key": key})
    return factor


def of(user: Any) -> SecondFactor | None:
    return SecondFactor.objects.filter(user=user).first()


def address(factor: SecondFactor) -> str:
    """What an app reads, from a link on the telephone or typed in."""
    return f"otpauth://totp/Beanpost:{quote(factor.user.get_username())}?secret={factor.key}&issuer=Beanpost"


@transaction.atomic
def accepts(factor: SecondFactor, typed: str, now: datetime) -> bool:
    """Whether these are the digits of now. No code is taken twice."""
    digits, present = "".join(typed.split()), int(now.timestamp()) // STEP
    for step in range(present - DRIFT, present + DRIFT + 1):
        if hmac.compare_digest(code(factor.key, step).encode(), digits.encode()):
            unused = SecondFactor.objects.filter(pk=factor.pk, last_step__lt=step)
            return bool(unused.update(last_step=step))
    return False


def confirm(user: Any, typed: str, now: datetime) -> bool:
    """Take a factor into use: from now on nobody signs in without it."""
    factor = of(user)
    if factor is None or not accepts(factor, typed, now):
        return False
    SecondFactor.objects.filter(pk=factor.pk, confirmed_at=None).update(confirmed_at=now)
    return True


def remove(user: Any) -> bool:
    return bool(SecondFactor.objects.filter(user=user).delete()[0])


def lets_in(user: Any, typed: str, now: datetime) -> bool:
    """Whether a user has given the second factor, or has none."""
    factor = SecondFactor.objects.filter(user=user, confirmed_at__isnull=False).first()
    return factor is None or accepts(factor, typed, now)
