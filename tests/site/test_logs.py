"""A ticket is a key to a player's hand: no log may contain one."""

import io
import json
import logging
import re

import pytest
from django.http import HttpRequest, HttpResponse
from django.test import Client, RequestFactory
from django.urls import URLPattern, URLResolver, get_resolver, include, path, re_path, reverse

from beanpost.monitoring import logs
from beanpost.pages import urls as pages

ROUTES = get_resolver("beanpost.pages.urls").reverse_dict
TICKETED = sorted(name for name in ROUTES if isinstance(name, str) and ROUTES.getlist(name)[0][0][0][1] == ["ticket"])
TICKET = "eyJtIjo0MSwic2VhdCI6Mn0:1w2Xy:TamperedSignatureOfSomeLength"


def fail(request: HttpRequest, ticket: str) -> HttpResponse:
    raise RuntimeError(f"The table at {request.path} fell over.")


def show(request: HttpRequest, ticket: str) -> HttpResponse:
    return HttpResponse("Your hand.")


urlpatterns: list[URLPattern | URLResolver] = [
    path("move/<ticket>/", show),
    path("broken/<ticket>/", fail),
    path("inner/", include([path("deep/<ticket>/", show), re_path(r"^old/(?P<ticket>.+)/$", show)])),
    *pages.urlpatterns,  # error pages link to the front page and others
]
logs.learn_routes(urlpatterns)


@pytest.fixture
def printed():
    """The output of a plain handler, as any server or library brings."""
    handler = logging.StreamHandler(io.StringIO())
    root = logging.getLogger()
    root.addHandler(handler)
    yield handler.stream.getvalue
    root.removeHandler(handler)


@pytest.fixture
def client():
    return Client(raise_request_exception=False)


@pytest.mark.urls(__name__)
@pytest.mark.parametrize(
    ("address", "route"),
    [
        ("/move/{}/", "/move/…/"),
        ("/move/{}", "/move/…"),
        ("/move/{}/and/more/", "/move/…/"),
        ("/move/{}/?lang={}", "/move/…/"),
        ("/move/%20{}%22%20{}/", "/move/…/"),
        ("/{}/", "/…/"),
        ("/nowhere/{}", "/nowhere/…"),
        ("/M/{}/", "/M/…/"),
        ("/broken/{}/", "/broken/…/"),
        ("/inner/deep/{}/", "/inner/deep/…/"),
        ("/inner/old/{}/", "/inner/old/…/"),
    ],
)
def test_a_url_is_logged_as_its_route(address, route, client, printed):
    client.get(address.format(TICKET, TICKET))
    assert route in printed()
    assert TICKET not in printed()
    assert TICKET[:12] not in printed()


@pytest.mark.urls(__name__)
def test_an_error_is_logged_with_its_location_but_without_its_ticket(client, printed):
    assert client.get(f"/broken/{TICKET}/").status_code == 500
    assert "RuntimeError: The table at /broken/…/ fell over." in printed()
    assert "test_logs.py" in printed()
    assert TICKET not in printed()


@pytest.mark.urls(__name__)
def test_a_csrf_failure_is_logged_without_its_ticket(printed):
    strict = Client(enforce_csrf_checks=True)
    assert strict.post(f"/move/{TICKET}/").status_code == 403
    assert "/move/…/" in printed()
    assert TICKET not in printed()


@pytest.mark.django_db
@pytest.mark.parametrize("name", TICKETED)
def test_a_tampered_link_is_logged_as_its_route_which_is_a_word(name, client, printed):
    short = "tampered"  # too short to be masked for its length
    before, _, _ = reverse(name, args=[short]).partition(short)
    assert client.get(reverse(name, args=[short])).status_code < 500
    assert f"GET {before}…" in printed()
    assert short not in printed()
    assert re.match(r"/[a-z-]{2,}/", before)


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("Exception while serving %s", (f"/move/{TICKET}/",)),
        ('%(h)s "%(r)s" %(s)s "%(f)s"', ({"h": "::1", "r": f"GET /move/{TICKET} HTTP/1.1", "s": 404, "f": "-"},)),
        ('%(h)s "%(r)s" "%(f)s"', ({"h": "::1", "r": "GET / HTTP/1.1", "f": f"https://beans.example/move/{TICKET}/"},)),
        ("Error handling request %s", (f"/move%2F{TICKET}",)),
        (f"Wrapped as https://links.example/?url=https%3A%2F%2Fbeans.example%2Fmove%2F{TICKET}", ()),
        ("Recipient: %s", (f"turn+{TICKET}@beans.example",)),
    ],
)
def test_log_lines_of_servers_and_libraries_are_masked_too(text, values, printed):
    logging.getLogger("gunicorn.access").warning(text, *values)
    assert "…" in printed() or "links.example/\n" in printed()
    assert TICKET not in printed()


def test_other_log_lines_are_left_alone(printed):
    logging.getLogger("beanpost").warning("%s letters of %s are waiting at /var/mail, are they?", 3, "Ann")
    assert printed() == "3 letters of Ann are waiting at /var/mail, are they?\n"


def test_errors_are_not_emailed():
    assert logging.getLogger("django").handlers == []


def test_an_error_report_contains_no_form_values():
    request = RequestFactory().post("/", {"line": "play 7S"})
    reports = logs.ReporterFilter()
    assert "play 7S" not in str(reports.get_post_parameters(request))


def test_the_log_works_before_the_routes_are_loaded(monkeypatch):
    monkeypatch.setattr(logs, "openings", set())
    assert logs.redact("Sign in at /admin/.") == "Sign in at /admin/."
    assert not logs.has_parameters("/admin/")


@pytest.mark.parametrize(
    "text",
    ["Recipient: ann.smith@example.org", "to=<ann.smith@example.org>, stat=refused", 'RCPT TO:"ann.smith@example.org"'],
)
def test_no_email_address_is_logged(text, printed):
    logging.getLogger("beanpost").warning("%s", text)
    assert "ann" not in printed()
    assert "example.org" not in printed()


@pytest.mark.urls(__name__)
def test_a_structured_log_holds_the_same_and_no_more(client):
    handler = logging.StreamHandler(io.StringIO())
    handler.setFormatter(logs.JsonFormatter())
    logging.getLogger().addHandler(handler)
    try:
        client.get(f"/broken/{TICKET}/")
    finally:
        logging.getLogger().removeHandler(handler)
    lines = [json.loads(line) for line in handler.stream.getvalue().splitlines()]
    [visit] = [line for line in lines if "route" in line]
    assert (visit["method"], visit["route"], visit["status"]) == ("GET", "/broken/…/", 500)
    assert any("fell over" in line.get("traceback", "") for line in lines)
    assert TICKET not in handler.stream.getvalue()


def test_every_line_about_a_request_has_its_id(client):
    handler = logging.StreamHandler(io.StringIO())
    handler.setFormatter(logs.JsonFormatter())
    logging.getLogger().addHandler(handler)
    try:
        number = client.get("/no-such-page/").headers["X-Request-ID"]
    finally:
        logging.getLogger().removeHandler(handler)
    lines = [json.loads(line) for line in handler.stream.getvalue().splitlines()]
    assert {"Not Found: /no-such-page/"} <= {line["message"] for line in lines}
    assert {line["request_id"] for line in lines} == {number}


@pytest.mark.parametrize("piece", ["x", "/", "@", "a.", "?", "=", "/m"])
def test_a_very_long_url_is_masked_in_linear_time(piece):
    """With quadratic time this test would never finish."""
    assert len(logs.redact_path("/move/" + piece * 200_000)) < 200_000 * len(piece)
