"""Middleware: bodies of HEAD, charsets, request ids, visitors' addresses, request log, cache headers, content security
policy, oversized row numbers, missing games.
"""

import logging
import re
import time
from collections.abc import Callable, Iterable
from typing import Any
from uuid import uuid4
from wsgiref.types import StartResponse, WSGIApplication, WSGIEnvironment
from zoneinfo import ZoneInfo

import sentry_sdk
from csp.constants import UNSAFE_EVAL, UNSAFE_INLINE
from csp.decorators import csp_update
from django.conf import settings
from django.contrib.admin.helpers import ACTION_CHECKBOX_NAME
from django.core.exceptions import BadRequest, RequestDataTooBig
from django.db.models import BigIntegerField
from django.http import Http404, HttpRequest
from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.utils import timezone
from psycopg.errors import NumericValueOutOfRange

from beanpost.i18n.time_zones import ZONE_COOKIE, is_zone
from beanpost.monitoring import counters, logs
from games.contract.errors import NotInstalled

View = Callable[[HttpRequest], HttpResponseBase]
log = logging.getLogger(__name__)
REQUEST_ID = re.compile(r"[\w-]{8,64}", re.ASCII)
MAX_DIGITS = 19  # digits of the largest primary key
ODD_TYPE = re.compile(
    r'.{300}|.*(\*|charset\s*=(?!\s*"?utf-?8"?\s*(;|$)))', re.I | re.S
)  # a browser's has 70 characters
MAX_FORM = 300 * 1024  # bytes
STAFFS_LONG_FORMS = re.compile(r"/admin/\w+/\w+/\d+/do/")  # a list of people to invite

# unfold's Alpine.js evaluates expressions in attributes, and unfold's colours come in a <style> element.
ADMIN_POLICY = {"script-src": [UNSAFE_EVAL], "style-src": [UNSAFE_INLINE]}


def check_content_type(application: WSGIApplication) -> WSGIApplication:
    """Replace an odd Content-Type by one that `refuse_odd_requests` refuses.

    Django parses it before any middleware runs, and decodes the query by it: 32 KB of semicolons take a second, a
    charset may take quadratic time or fail, and a parameter such as `x*=punycode''y` names one too. No browser does so.
    """

    def checked(environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        if ODD_TYPE.match(environ.get("CONTENT_TYPE", "")):
            environ["CONTENT_TYPE"] = "text/plain; charset=odd"
        return application(environ, start_response)

    return checked


def leave_out_body_of_head(get_response: View) -> View:
    """Answer HEAD by headers alone: waitress would send the page too, as the start of the connection's next answer."""

    def middleware(request: HttpRequest) -> HttpResponseBase:
        response = get_response(request)
        if request.method == "HEAD":
            length = response.headers.get("Content-Length")
            if response.streaming:
                response.streaming_content = ()  # type: ignore[attr-defined]
            else:
                response.content = b""  # type: ignore[attr-defined]
            if length:
                response.headers["Content-Length"] = length
        return response

    return middleware


def refuse_odd_requests(get_response: View) -> View:
    """Refuse a form that is too large, or in another charset than UTF-8, before anything reads it.

    Some charsets take quadratic time to decode, and every form takes the time of its length.
    """

    def middleware(request: HttpRequest) -> HttpResponseBase:
        if (request.content_params or {}).get("charset", "utf-8").lower() not in ("utf-8", "utf8"):
            raise BadRequest("A request names another charset than UTF-8")
        length = request.META.get("CONTENT_LENGTH") or "0"
        if int(length) > MAX_FORM and not may_be_long(request):
            raise RequestDataTooBig("A form is longer than ours can be")
        return get_response(request)

    return middleware


def may_be_long(request: HttpRequest) -> bool:
    """Return whether this is a list of people from staff, or what a mail provider sends."""
    if STAFFS_LONG_FORMS.match(request.path):
        return request.user.is_staff
    return request.path.startswith("/anymail/")


def set_visitor_address(get_response: View) -> View:
    """Take the visitor's address from X-Forwarded-For if it comes from the trusted proxy.

    Otherwise all visitors would have the proxy's address.
    """

    def middleware(request: HttpRequest) -> HttpResponseBase:
        forwarded = request.headers.get("X-Forwarded-For", "")
        if forwarded and is_from_proxy(request):
            request.META["REMOTE_ADDR"] = forwarded.rpartition(",")[2].strip()
        return get_response(request)

    return middleware


class NoSuchRow:
    """Answer 404 to a primary key that no column can hold, in a URL, a form, a filter or a list of ticked rows; and to
    a ticked row that is no number.

    Django answers `pk=10**25` without a query, but passes it on in `pk__in`, which the admin uses for ticked rows and
    filters. SQLite's driver then raises OverflowError, and PostgreSQL may answer with DataError.
    """

    def __init__(self, get_response: View) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        return self.get_response(request)

    def process_view(self, request: HttpRequest, view: Any, args: Any, values: dict[str, Any]) -> None:
        ticked = request.POST.getlist(ACTION_CHECKBOX_NAME) if request.path.startswith("/admin/") else []
        if any(map(is_too_large, values.values())) or not all(map(str.isdecimal, ticked)):
            raise Http404

    def process_exception(self, request: HttpRequest, error: Exception) -> None:
        too_large = isinstance(error, OverflowError) and "SQLite INTEGER" in str(error)
        if too_large or isinstance(error.__cause__, NumericValueOutOfRange):
            raise Http404 from error


class MissingGame:
    """Answer 503, with a sentence, where a match's game or edition is not installed."""

    def __init__(self, get_response: View) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        return self.get_response(request)

    def process_exception(self, request: HttpRequest, error: Exception) -> HttpResponseBase | None:
        if not isinstance(error, NotInstalled):
            return None
        log.error("A page needs a game that is not installed: %s", error)
        return render(request, "pages/not_installed.html", {"demo": settings.DEMO}, status=503, using="jinja2")


def is_too_large(value: object) -> bool:
    """Return whether the value is a number too large for a primary key.

    >>> [is_too_large(value) for value in (7, "7", "9" * 25, 10**25, "-" + "9" * 25, "x" * 25)]
    [False, False, True, True, True, False]
    """
    digits = str(value).removeprefix("-")
    return digits.isdecimal() and (len(digits) > MAX_DIGITS or int(digits) > BigIntegerField.MAX_BIGINT)


def number_requests(get_response: View) -> View:
    """Give each request an id: in every line of the log, in the answer and in error reports.

    Take the trusted proxy's id, so that its log and ours can be compared.
    """

    def middleware(request: HttpRequest) -> HttpResponseBase:
        given_id = request.headers.get("X-Request-ID", "") if is_from_proxy(request) else ""
        number = given_id if REQUEST_ID.fullmatch(given_id) else uuid4().hex
        request.log_id = number  # type: ignore[attr-defined]  # for log lines after the middleware
        known = logs.request_id.set(number)
        sentry_sdk.set_tag("request_id", number)
        try:
            response = get_response(request)
        finally:
            logs.request_id.reset(known)
        response.headers["X-Request-ID"] = number
        return response

    return middleware


def use_time_zone(get_response: View) -> View:
    """Show times in the zone of the visitor's browser, which the site's script keeps in a cookie."""

    def middleware(request: HttpRequest) -> HttpResponseBase:
        zone = request.COOKIES.get(ZONE_COOKIE, "")
        with timezone.override(ZoneInfo(zone) if is_zone(zone) else None):
            return get_response(request)

    return middleware


def is_from_proxy(request: HttpRequest) -> bool:
    # A proxy that connects through a Unix socket has no address: TRUSTED_PROXY=unix.
    return (request.META.get("REMOTE_ADDR") or "unix") == settings.TRUSTED_PROXY


def log_requests(get_response: View) -> View:
    """Log and count each request, the same under every server."""

    def middleware(request: HttpRequest) -> HttpResponseBase:
        came = time.perf_counter()
        response = get_response(request)
        seconds = time.perf_counter() - came
        took = 1000 * seconds
        route = logs.redact_path(request.path)
        view = request.resolver_match.view_name if request.resolver_match else "none"
        counters.count_request(view or "unnamed", request.method, response.status_code, seconds)
        fields = {"method": request.method, "route": route, "status": response.status_code, "ms": round(took)}
        log.info("%s %s %d in %.0f ms", request.method, request.path, response.status_code, took, extra=fields)
        return response

    return middleware


def keep_out_of_caches(get_response: View) -> View:
    """Keep pages that need a ticket out of caches and search engines."""

    def middleware(request: HttpRequest) -> HttpResponseBase:
        response = get_response(request)
        if logs.has_parameters(request.path):
            response.headers.setdefault("Cache-Control", "no-store")
            response.headers.setdefault("X-Robots-Tag", "noindex")
        return response

    return middleware


def relax_admin_csp(get_response: View) -> View:
    """Give the admin its own content security policy, so that every other page can be strict."""
    in_office = csp_update(ADMIN_POLICY)(get_response)

    def middleware(request: HttpRequest) -> HttpResponseBase:
        return in_office(request) if request.path.startswith("/admin/") else get_response(request)

    return middleware
