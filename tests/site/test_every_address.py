"""Every URL with odd values in it: each visitor gets a page, and never a server error."""

import os
import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import pytest
from django.contrib import admin
from django.contrib.auth import SESSION_KEY, get_user_model
from django.db import connection
from django.test import Client, RequestFactory
from django.urls import URLPattern, URLResolver, get_resolver, reverse

from beanpost.pages.sessions import VISIT_KEY
from tests.friends import seat_friends
from tests.leagues.office import fill_season, found_league, start_round
from tests.site.doors import signed_in

pytestmark = pytest.mark.django_db

ODD = ["0", "-1", "9" * 25, "a%00b", "%ff", "%E9", "x" * 2_000]
ODDLY_ASKED = ["p=-1", f"p={'9' * 25}", "q=%00", "q=%ff", "o=x.99", "e=1", "_facets=True", "draft=%00&head=%00"]
ODD_FORM = b"%%%=&;line=%ff%00&do=1&action=resend&_selected_action=" + b"9" * 25, "application/x-www-form-urlencoded"
ALL = "FUZZ" in os.environ  # `make fuzz` tries every value on every URL; otherwise each URL gets the next ones in turn
METHODS = ("HEAD", "OPTIONS")  # beside GET and POST, with which every odd value is tried
BODIES = {
    "application/x-www-form-urlencoded; charset=nonsense": b"line=x",
    "multipart/form-data; boundary=x": b"--x\r\n\xff",
    "multipart/form-data": b"--",
    "application/json": b"{",
}
LIST = re.compile(r"/admin/\w+/\w+/")  # a list reads several query parameters; any other page reads one at most
FORGED = "9" * 25
SLOT = re.compile(r"<[^>]+>|\([^)]*\)")


def routes(patterns: Iterable[URLPattern | URLResolver], before: str = "/") -> Iterator[str]:
    for pattern in patterns:
        route = before + re.sub(r"[\^$]|\\Z", "", str(pattern.pattern)).replace("\\.", ".")
        if isinstance(pattern, URLResolver):
            yield from routes(pattern.url_patterns, route)
        else:
            yield route


SIGNING_OUT = ("/admin/logout/", "/sign-out/")  # tried last: every other page needs a signed-in visitor
ROUTES = sorted(set(routes(get_resolver().url_patterns)), key=lambda route: (route in SIGNING_OUT, route))
OFFICE = [route for route in ROUTES if route.startswith("/admin/")]
PAGES = [route for route in ROUTES if route not in OFFICE]


def breaks(client: Client, method: str, address: str, *body: object) -> bool:
    """Return whether the page is a server error. Fail if the request signs the visitor out: later pages need a
    session."""
    was_signed_in = is_signed_in(client)
    answer = client.generic(method, address, *body)
    assert is_signed_in(client) == was_signed_in or address in SIGNING_OUT, f"{method} {address} signs out"
    return answer.status_code == 500


def is_signed_in(client: Client) -> bool:
    return any(key in client.session for key in (SESSION_KEY, VISIT_KEY))


def in_turn(choices: Sequence[Any], number: int, many: int) -> Sequence[Any]:
    """Return this many of the choices for the URL of this number, or all of them."""
    return choices if ALL else (*choices, *choices)[number % len(choices) :][:many]


def broken_by_odd_addresses(client: Client, found: Iterable[str]) -> list[tuple[str, str]]:
    """Send a GET and a POST to every URL with each odd value in it; return those that failed."""
    addresses = [
        SLOT.sub(odd, route)
        for number, route in enumerate(found)
        for odd in (in_turn(ODD, number, 1) if SLOT.search(route) else ODD[:1])
    ]
    return [
        (method, address[:80]) for address in addresses for method in ("GET", "POST") if breaks(client, method, address)
    ]


@pytest.fixture
def league():
    """A league, so that there are rows to look up and one of every kind has a number like 1."""
    return start_round(fill_season(found_league(), 6, size=3, rounds=2, name="Autumn")).league


@pytest.fixture
def visitor():
    return Client(raise_request_exception=False)


@pytest.fixture
def player():
    client = signed_in(seat_friends().keeper)
    client.raise_request_exception = False
    return client


@pytest.fixture
def host():
    client = Client(raise_request_exception=False)
    user = get_user_model().objects.create_superuser("host", email="host@example.org", password="beans")
    client.force_login(user, backend="django.contrib.auth.backends.ModelBackend")
    return client


@pytest.fixture
def known(league):
    """Values that make a URL lead somewhere."""
    return {"slug": league.slug, "object_id": "1", "pk": "1"}


def filled(route, known):
    return SLOT.sub(lambda slot: known.get(slot[0].strip("<>").rpartition(":")[2], "1"), route)


@pytest.mark.usefixtures("league")
@pytest.mark.parametrize(("who", "found"), [("visitor", PAGES), ("player", PAGES), ("host", OFFICE)])
def test_no_url_causes_a_server_error(who, found, request):
    assert broken_by_odd_addresses(request.getfixturevalue(who), found) == []


def test_no_admin_url_causes_a_server_error_for_a_visitor(visitor):
    assert broken_by_odd_addresses(visitor, OFFICE) == []


@pytest.mark.parametrize(("who", "found"), [("visitor", PAGES), ("host", OFFICE)])
def test_no_query_string_and_no_form_causes_a_server_error(who, found, known, request):
    client = request.getfixturevalue(who)
    broken = []
    for route in found:
        address = filled(route, known)
        questions = ODDLY_ASKED if LIST.fullmatch(route) else ["&".join(ODDLY_ASKED)]
        broken += [(address, asked) for asked in questions if breaks(client, "GET", f"{address}?{asked}")]
        broken += [address] * breaks(client, "POST", address, *ODD_FORM)
    assert broken == []


@pytest.mark.parametrize(("who", "found"), [("visitor", ROUTES), ("player", PAGES), ("host", OFFICE)])
def test_no_method_and_no_body_causes_a_server_error(who, found, known, request):
    client = request.getfixturevalue(who)
    broken = []
    for number, route in enumerate(found):
        odd, address = SLOT.sub(ODD[0], route), filled(route, known)
        broken += [(odd, method) for method in in_turn(METHODS, number, 1) if breaks(client, method, odd)]
        for kind, body in in_turn([*BODIES.items()], number, 1):
            broken += [(address, kind)] * breaks(client, "POST", address, body, kind)
    assert broken == []


@pytest.mark.usefixtures("league")
@pytest.mark.parametrize("method", ["GET", "POST"])
def test_a_row_number_beyond_any_column_is_not_found(method, host):
    numbered = [route for route in ROUTES if re.search(r"<int:|<path:object_id>|<path:url>", route)]
    assert len(numbered) > 50
    addresses = [SLOT.sub(FORGED, route) for route in numbered if "<str:ticket>" not in route]
    found = {address: host.generic(method, address).status_code for address in addresses}
    assert {address: status for address, status in found.items() if status not in (404, 405)} == {}


@pytest.mark.usefixtures("league")
def test_a_row_number_beyond_any_column_may_be_ticked_or_sent_in_a_form(host):
    """In every list: Django looks up ticked rows by `pk__in`."""
    answers = {}
    for model, office in admin.site._registry.items():
        if model._meta.app_label == "axes":  # its one action reads no ticked row
            continue
        name = f"admin:{model._meta.app_label}_{model._meta.model_name}"
        page, request = reverse(f"{name}_changelist"), RequestFactory().get("/")
        request.user = get_user_model().objects.get()
        for action in office.get_actions(request):
            for more in ({}, {"post": "yes"}, {"select_across": "1"}):
                ticked = {"action": action, "_selected_action": [FORGED, "1"], "index": "0"} | more
                answers[page, action, *more] = host.post(page, ticked).status_code
        edited = {"form-TOTAL_FORMS": 1, "form-INITIAL_FORMS": 1, "form-0-id": FORGED, "_save": 1}
        answers[page, "edited"] = host.post(page, edited).status_code
    assert {asked: status for asked, status in answers.items() if status == 500} == {}
    assert 404 in answers.values() or connection.vendor == "postgresql"  # PostgreSQL compares with larger numbers


@pytest.mark.usefixtures("league")
def test_a_ticked_row_that_is_no_number_is_not_found(host):
    for model, action in (("leagues_entry", "withdraw_all"), ("post_letter", "resend")):
        ticked = {"action": action, "_selected_action": ["x", "1"], "index": "0"}
        assert host.post(reverse(f"admin:{model}_changelist"), ticked).status_code == 404


@pytest.mark.usefixtures("league")
@pytest.mark.parametrize("asked", ["division__season", "division__season__id__in", "phase__in", "pk__in", "id"])
def test_a_row_number_beyond_any_column_may_be_in_a_filter(asked, host):
    page = reverse("admin:leagues_round_changelist")
    for forged in (FORGED, f"{FORGED},1"):  # 400: the page has no such filter
        assert host.get(page, {asked: forged}).status_code in (200, 302, 400, 404)


def test_rows_invented_in_a_form_are_not_shown(host, league):
    division = league.seasons.get().divisions.get()
    page = reverse("admin:leagues_division_change", args=[division.pk])
    forged = {"name": "First", "rounds-TOTAL_FORMS": 1, "rounds-INITIAL_FORMS": 1, "rounds-0-id": FORGED}
    assert host.post(page, forged).status_code in (200, 302, 404)


@pytest.mark.usefixtures("league")
def test_a_filter_with_an_invalid_number_is_dropped(host):
    for odd in ("x", "9" * 25, "%00"):
        address = reverse("admin:leagues_season_changelist") + f"?league__id__exact={odd}"
        assert host.get(address).status_code == 200
