"""Signed numbers in reply addresses."""

import re

import pytest
from django.test import override_settings

from beanpost.play.tickets import BadTicket, redeem_number, sign_number


@pytest.mark.parametrize("number", [1, 41, 2**40, 2**63 - 1])
def test_a_signed_number_can_be_read_back_and_has_a_fixed_length(number):
    token = sign_number("turn", number)
    assert re.fullmatch("[a-z2-7]{39}", token)
    assert len(f"turn+{token}") <= 64
    assert redeem_number("turn", token) == redeem_number("turn", token.upper()) == number


def test_an_invalid_token_is_refused():
    token = sign_number("turn", 41)
    others = [
        sign_number("u", 41),
        token[:-2] + ("aa" if token[-2:] != "aa" else "bb"),
        "b" + token[1:],
        token[:-1],
        "",
    ]
    for other in [*others, token + "a", "ä" * 39, "1" * 39]:
        with pytest.raises(BadTicket):
            redeem_number("turn", other)


def test_a_fallback_key_still_works_and_an_unknown_one_does_not():
    with override_settings(SECRET_KEY="a key of last year"):
        token = sign_number("turn", 41)
    with pytest.raises(BadTicket):
        redeem_number("turn", token)
    with override_settings(SECRET_KEY_FALLBACKS=["a key of last year"]):
        assert redeem_number("turn", token) == 41
