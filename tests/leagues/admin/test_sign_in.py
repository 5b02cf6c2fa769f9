"""Signing in to the admin: an optional second factor, and no guessing."""

import re
from datetime import timedelta

import pyotp
import pytest
import segno
from django.core.management import CommandError, call_command
from django.urls import reverse

from beanpost.leagues.admin import second_factor
from beanpost.leagues.models import SecondFactor
from beanpost.play import clock
from tests.friends import NOON

pytestmark = pytest.mark.django_db
LOGIN = "/admin/login/?next=/admin/"
CODE_OF_THE_OLD_KEY_AT_NOON = "933742"  # a code computed by the implementation before pyotp


@pytest.fixture(autouse=True)
def at_noon(monkeypatch):
    monkeypatch.setattr(clock, "now", lambda: NOON)


def digits(factor, steps=0):
    return pyotp.TOTP(factor.key).at(NOON, counter_offset=steps)


def drawn(address):
    """Return the path of segno's drawing: the page may contain no other."""
    return re.search(r' d="([^"]+)"/></svg>', segno.make_qr(address, error="l").svg_inline())[1]


def sign_in(client, **more):
    return client.post(LOGIN, {"username": "olga", "password": "beans", **more})


@pytest.fixture
def factor(olga, league):
    factor = second_factor.find_or_create(olga)
    assert second_factor.confirm(olga, digits(factor, -1), NOON)
    return factor


def test_the_password_is_enough_without_a_second_factor(client, olga, league):
    assert "Six digits" in client.get(LOGIN).content.decode()
    assert sign_in(client).status_code == 302


def test_a_second_factor_is_set_up_by_pressing_and_required_from_then_on(at_olgas, client, olga, league):
    url = reverse("second-factor")
    at_olgas.get(url)
    assert not SecondFactor.objects.exists()  # GET changes nothing
    at_olgas.post(url, {"begin": "1"})
    factor = SecondFactor.objects.get()
    shown = at_olgas.get(url).content.decode()
    assert factor.key in shown
    assert second_factor.build_otpauth_url(factor).replace("&", "&amp;") in shown
    assert drawn(second_factor.build_otpauth_url(factor)) in shown
    assert at_olgas.post(url, {"code": "000000"}).status_code == 400
    assert sign_in(client).status_code == 302  # not confirmed yet
    client.logout()
    assert at_olgas.post(url, {"code": digits(factor)}).status_code == 200
    shown = at_olgas.get(url).content.decode()
    assert factor.key not in shown
    assert drawn(second_factor.build_otpauth_url(factor)) not in shown
    assert "We can’t sign you in." in sign_in(client).content.decode()


def test_the_longest_user_name_fits_a_qr_code(at_olgas, olga, league):
    olga.username = "olga" * 37
    olga.save()
    at_olgas.post(reverse("second-factor"), {"begin": "1"})
    shown = at_olgas.get(reverse("second-factor")).content.decode()
    assert drawn(second_factor.build_otpauth_url(SecondFactor.objects.get())) in shown


def test_a_factor_stored_before_pyotp_still_signs_in(client, olga, league):
    SecondFactor.objects.create(user=olga, key="GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ", confirmed_at=NOON, last_step=1)
    assert sign_in(client).status_code == 200
    assert sign_in(client, code=CODE_OF_THE_OLD_KEY_AT_NOON).status_code == 302


def test_a_code_is_accepted_once_and_only_near_its_time(client, factor):
    assert sign_in(client, code=digits(factor, -1)).status_code == 200  # used during the setup
    assert sign_in(client, code=digits(factor, 5)).status_code == 200
    assert sign_in(client, code=digits(factor)).status_code == 302
    client.logout()
    assert sign_in(client, code=digits(factor)).status_code == 200
    assert sign_in(client, code=digits(factor, 1)).status_code == 302


def test_wrong_codes_and_wrong_passwords_lock_the_account_for_a_while(client, factor, settings):
    for n in range(settings.AXES_FAILURE_LIMIT):
        assert sign_in(client, code=f"{n:06}").status_code in {200, 429}
    locked = sign_in(client, code=digits(factor))
    assert locked.status_code == 429
    assert "Too many attempts" in locked.content.decode()
    assert "beanpost/site.css" in locked.content.decode()


def test_a_second_factor_is_removed_with_its_code_or_by_the_host(at_olgas, client, factor, olga):
    url = reverse("second-factor")
    assert at_olgas.post(url, {"remove": "1", "code": "000000"}).status_code == 400
    assert at_olgas.post(url, {"remove": "1", "code": digits(factor)}).status_code == 200
    assert sign_in(client).status_code == 302
    second_factor.find_or_create(olga)
    call_command("second_factor", "olga")
    with pytest.raises(CommandError, match="Nobody signs in as “nobody”"):
        call_command("second_factor", "nobody")
    with pytest.raises(CommandError, match="has no second factor"):
        call_command("second_factor", "olga")


def test_codes_cannot_be_guessed_on_the_removal_page_either(at_olgas, factor, settings):
    url = reverse("second-factor")
    for n in range(settings.AXES_FAILURE_LIMIT):
        at_olgas.post(url, {"remove": "1", "code": f"{n:06}"})
    assert at_olgas.post(url, {"remove": "1", "code": digits(factor)}).status_code in {400, 429}
    assert SecondFactor.objects.filter(pk=factor.pk).exists()


def test_a_session_that_began_without_the_code_must_sign_in_again(at_olgas, client, olga, league):
    sign_in(client)
    assert client.get("/admin/").status_code == 200
    second_factor.find_or_create(olga)
    at_olgas.post(reverse("second-factor"), {"code": digits(second_factor.find(olga))})
    assert client.get("/admin/").status_code == 302
    assert at_olgas.get("/admin/").status_code == 200


def test_a_key_has_160_bits_and_its_uri_names_the_site(olga):
    factor = second_factor.find_or_create(olga)
    assert len(factor.key) == 32
    assert (
        second_factor.build_otpauth_url(factor) == f"otpauth://totp/Beanpost:olga?secret={factor.key}&issuer=Beanpost"
    )
    assert not second_factor.check_code(factor, digits(factor), NOON + timedelta(minutes=5))


def test_codes_are_limited_for_one_account_from_wherever_they_come(client, factor):
    for n in range(second_factor.MAX_GUESSES):
        guess = client.post(
            LOGIN, {"username": "olga", "password": "beans", "code": f"{n:06}"}, REMOTE_ADDR=f"10.0.0.{n}"
        )
        assert guess.status_code == 200
    assert sign_in(client, code=digits(factor)).status_code == 200  # right, but too many were tried
    assert not second_factor.may_sign_in(factor.user, digits(factor), NOON)
    assert second_factor.may_sign_in(factor.user, digits(factor, 121), NOON + timedelta(hours=1, seconds=10))


def test_a_wrong_code_and_a_wrong_password_get_the_same_error(client, factor):
    def errors(**typed):
        page = sign_in(client, **typed).content.decode()
        return re.findall(r"We can’t sign you in[^<]*", page), "digits your app is showing" in page

    assert errors(code="000000") == errors(password="peas", code="000000") == errors(username="nobody")
    assert errors(code="000000")[0]
