"""The second factor of an organiser's sign-in: six digits from an app, new every half minute (RFC 6238)."""

from __future__ import annotations

import hmac
from datetime import datetime, timedelta
from typing import Any

import pyotp
import segno
from django.conf import settings
from django.db import transaction
from django.db.models import F
from django.utils.safestring import SafeString, mark_safe

from beanpost.leagues.models import SecondFactor

MAX_DRIFT = 1  # steps of 30 seconds by which a phone's clock may be wrong
MAX_GUESSES = 10  # codes for one account within an hour, from wherever they come; axes counts by address, too


def find_or_create(user: Any) -> SecondFactor:
    """Return the user's factor: in use, or waiting to be confirmed with a first code."""
    factor, _is_new = SecondFactor.objects.get_or_create(user=user, defaults={"key": pyotp.random_base32()})
    return factor


def find(user: Any) -> SecondFactor | None:
    return SecondFactor.objects.filter(user=user).first()


def build_otpauth_url(factor: SecondFactor) -> str:
    """Return the otpauth:// address that an app reads from a link or a QR code."""
    return pyotp.TOTP(factor.key).provisioning_uri(factor.user.get_username(), issuer_name=settings.SITE_NAME)


def draw_qr_code(address: str) -> SafeString:
    """Draw an address as inline SVG. It contains only segno's geometry, so it needs no escaping."""
    code = segno.make_qr(address, error="l")
    return mark_safe(code.svg_inline(scale=5, dark="#000", light="#fff"))  # noqa: S308


@transaction.atomic
def check_code(factor: SecondFactor, typed: str, now: datetime) -> bool:
    """Check the digits, and store their time step so that no code works twice.

    pyotp's own `verify` doesn't say which step matched.
    """
    totp, digits = pyotp.TOTP(factor.key), "".join(typed.split())
    if not digits or not count_guess(factor, now):
        return False
    present = totp.timecode(now)
    for step in range(present - MAX_DRIFT, present + MAX_DRIFT + 1):
        if hmac.compare_digest(totp.generate_otp(step).encode(), digits.encode()):
            unused = SecondFactor.objects.filter(pk=factor.pk, last_step__lt=step)
            return bool(unused.update(last_step=step, guesses=0))
    return False


def count_guess(factor: SecondFactor, now: datetime) -> bool:
    """Count a code before it is compared, so that guesses at the same time count too. False: too many this hour."""
    own = SecondFactor.objects.filter(pk=factor.pk)
    started = own.exclude(guessing_since__gt=now - timedelta(hours=1)).update(guesses=1, guessing_since=now)
    return bool(started or own.filter(guesses__lt=MAX_GUESSES).update(guesses=F("guesses") + 1))


def confirm(user: Any, typed: str, now: datetime) -> bool:
    """Put a factor into use: from now on the user can't sign in without it."""
    factor = find(user)
    if factor is None or not check_code(factor, typed, now):
        return False
    SecondFactor.objects.filter(pk=factor.pk, confirmed_at=None).update(confirmed_at=now)
    return True


def remove(user: Any) -> bool:
    return bool(SecondFactor.objects.filter(user=user).delete()[0])


def may_sign_in(user: Any, typed: str, now: datetime) -> bool:
    """Whether a user has given a valid code, or has no second factor."""
    factor = SecondFactor.objects.filter(user=user, confirmed_at__isnull=False).first()
    return factor is None or check_code(factor, typed, now)
