"""Security headers."""

import pytest
from django.core.handlers.wsgi import WSGIHandler
from django.http import HttpRequest, HttpResponse
from django.test import RequestFactory
from django.urls import URLPattern, URLResolver, include, path

from beanpost.monitoring import logs

STRICT = {
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' data:",
    "font-src 'self'",
    "connect-src 'self'",
    "manifest-src 'self'",
    "form-action 'self'",
    "frame-ancestors 'none'",
    "base-uri 'none'",
}


def show(request: HttpRequest, ticket: str = "") -> HttpResponse:
    return HttpResponse("Your hand.")


def show_address(request: HttpRequest) -> HttpResponse:
    return HttpResponse(request.META["REMOTE_ADDR"])


urlpatterns: list[URLPattern | URLResolver] = [
    path("plain/", show),
    path("address/", show_address),
    path("move/<ticket>/", show),
    path("", include("beanpost.urls")),
]
logs.learn_routes(urlpatterns[:3])
pytestmark = pytest.mark.urls(__name__)


def policy(response):
    return set(response.headers["Content-Security-Policy"].split("; "))


@pytest.mark.parametrize("address", ["/plain/", "/move/anything/", "/there-is-no-such-page/"])
def test_every_page_has_strict_headers(address, client):
    headers = client.get(address).headers
    assert set(headers["Content-Security-Policy"].split("; ")) == STRICT
    assert headers["X-Frame-Options"] == "DENY"
    assert headers["X-Content-Type-Options"] == "nosniff"
    assert headers["Referrer-Policy"] == "same-origin"
    assert headers["Cross-Origin-Opener-Policy"] == "same-origin"


@pytest.mark.django_db
def test_only_the_admin_allows_unsafe_eval(client):
    assert policy(client.get("/admin/login/")) == STRICT - {"script-src 'self'", "style-src 'self'"} | {
        "script-src 'self' 'unsafe-eval'",
        "style-src 'self' 'unsafe-inline'",
    }


def test_a_page_behind_a_ticket_is_neither_cached_nor_indexed(client):
    headers = client.get("/move/anything/").headers
    assert headers["Cache-Control"] == "no-store"
    assert headers["X-Robots-Tag"] == "noindex"
    assert "Cache-Control" not in client.get("/plain/").headers


def test_stylesheets_are_served_before_collectstatic(client):
    sheet = client.get("/static/admin/css/base.css")
    assert sheet.status_code == 200
    assert b"".join(sheet.streaming_content)


def test_plain_http_is_redirected_when_the_site_has_https(client, settings):
    settings.SECURE_SSL_REDIRECT = True
    assert client.get("/plain/").headers["Location"] == "https://testserver/plain/"


@pytest.mark.parametrize(
    ("proxy", "comes_from", "seen"),
    [
        (["unix"], "", "198.51.100.7"),
        (["127.0.0.1"], "127.0.0.1", "198.51.100.7"),
        (["127.0.0.1", "10.0.0.0/24"], "10.0.0.9", "198.51.100.7"),
        (["10.0.0.0/24"], "::ffff:10.0.0.9", "198.51.100.7"),
        (["2001:db8::/32"], "2001:db8::9", "198.51.100.7"),
        (["10.0.0.0/24"], "10.0.1.9", "10.0.1.9"),
        (["10.0.0.0/24", "unix"], "no address", "no address"),
        (["unix"], "203.0.113.9", "203.0.113.9"),
        (["10.0.0.0/24"], "", ""),
        ([], "", ""),
        ([], "203.0.113.9", "203.0.113.9"),
    ],
)
def test_only_the_proxy_may_set_the_visitors_address(proxy, comes_from, seen, settings, client):
    settings.TRUSTED_PROXY = proxy
    headers = {"X-Forwarded-For": "192.0.2.1, 198.51.100.7"}
    assert client.get("/address/", REMOTE_ADDR=comes_from, headers=headers).text == seen


def test_a_request_for_the_headers_of_an_unknown_host_gets_no_body(settings):
    """SecurityMiddleware refuses the host. Django's test client would drop the body itself."""
    settings.SECURE_SSL_REDIRECT = True
    answer = WSGIHandler().get_response(RequestFactory().head("/", headers={"Host": "evil.example"}))
    assert (answer.status_code, answer.content) == (400, b"")
