"""Every address of the house, with odd things in it: whoever comes gets a page, and never “something went wrong”."""

import re
from collections.abc import Iterable, Iterator

import pytest
from django.contrib.auth import get_user_model
from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver, reverse

from beanpost.leagues import rounds
from tests.friends import NOON, seat_friends
from tests.house.doors import signed_in
from tests.leagues.office import fill_season, found_league

pytestmark = pytest.mark.django_db

ODD = ["0", "-1", "9" * 25, "a%00b", "%ff", "%E9", "x" * 2_000]
ODDLY_ASKED = ["p=-1", f"p={'9' * 25}", "q=%00", "q=%ff", "o=x.99", "e=1", "_facets=True", "draft=%00&head=%00"]
ODD_FORM = b"%%%=&;line=%ff%00&do=1&action=resend&_selected_action=" + b"9" * 25, "application/x-www-form-urlencoded"
METHODS = ("HEAD", "OPTIONS")  # beside those by which every oddity is tried
BODIES = {
    "application/x-www-form-urlencoded; charset=nonsense": b"line=x",
    "multipart/form-data; boundary=x": b"--x\r\n\xff",
    "multipart/form-data": b"--",
    "application/json": b"{",
}
LIST = re.compile(r"/admin/\w+/\w+/")  # what reads several of these questions; any other page reads one at most
SLOT = re.compile(r"<[^>]+>|\([^)]*\)")


def routes(patterns: Iterable[URLPattern | URLResolver], before: str = "/") -> Iterator[str]:
    for pattern in patterns:
        route = before + re.sub(r"[\^$]|\\Z", "", str(pattern.pattern)).replace("\\.", ".")
        if isinstance(pattern, URLResolver):
            yield from routes(pattern.url_patterns, route)
        else:
            yield route


ROUTES = sorted(set(routes(get_resolver().url_patterns)))
OFFICE = [route for route in ROUTES if route.startswith("/admin/")]
PAGES = [route for route in ROUTES if route not in OFFICE]


def breaks(client: Client, method: str, address: str, *body: object) -> bool:
    return client.generic(method, address, *body).status_code == 500


def broken_by_odd_addresses(client: Client, found: Iterable[str]) -> list[tuple[str, str]]:
    """Every address is looked at and sent something, with each oddity in it."""
    addresses = [SLOT.sub(odd, route) for route in found for odd in (ODD if SLOT.search(route) else ODD[:1])]
    return [
        (method, address[:80]) for address in addresses for method in ("GET", "POST") if breaks(client, method, address)
    ]


@pytest.fixture
def league():
    """So that there are rows to look up, and one of everything has the number 1 or so."""
    season = fill_season(found_league(), 6, size=3, rounds=2, name="Autumn")
    rounds.draw(season.divisions.get(), by=None, now=NOON)
    rounds.publish(season.divisions.get().rounds.first(), now=NOON)
    return season.league


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
    """What stands in an address that leads somewhere."""
    return {"slug": league.slug, "object_id": "1", "pk": "1"}


def filled(route, known):
    return SLOT.sub(lambda slot: known.get(slot[0].strip("<>").rpartition(":")[2], "1"), route)


@pytest.mark.usefixtures("league")
@pytest.mark.parametrize(("who", "found"), [("visitor", PAGES), ("player", PAGES), ("host", OFFICE)])
def test_no_address_breaks_the_house(who, found, request):
    assert broken_by_odd_addresses(request.getfixturevalue(who), found) == []


def test_no_address_breaks_the_office_for_who_has_no_key(visitor):
    assert broken_by_odd_addresses(visitor, OFFICE) == []


@pytest.mark.parametrize(("who", "found"), [("visitor", PAGES), ("host", OFFICE)])
def test_no_question_and_no_form_breaks_the_house(who, found, known, request):
    client = request.getfixturevalue(who)
    broken = []
    for route in found:
        address = filled(route, known)
        questions = ODDLY_ASKED if LIST.fullmatch(route) else ["&".join(ODDLY_ASKED)]
        broken += [(address, asked) for asked in questions if breaks(client, "GET", f"{address}?{asked}")]
        broken += [address] * breaks(client, "POST", address, *ODD_FORM)
    assert broken == []


@pytest.mark.parametrize(("who", "found"), [("visitor", ROUTES), ("player", PAGES), ("host", OFFICE)])
def test_no_method_and_no_body_breaks_the_house(who, found, known, request):
    client = request.getfixturevalue(who)
    addresses = [SLOT.sub(ODD[0], route) for route in found]
    broken = [(address, method) for address in addresses for method in METHODS if breaks(client, method, address)]
    for address in (filled(route, known) for route in found):
        broken += [(address, kind) for kind, body in BODIES.items() if breaks(client, "POST", address, body, kind)]
    assert broken == []


@pytest.mark.usefixtures("league")
def test_a_filter_for_what_is_no_number_is_let_go(host):
    for odd in ("x", "9" * 25, "%00"):
        address = reverse("admin:leagues_season_changelist") + f"?league__id__exact={odd}"
        assert host.get(address).status_code == 200
