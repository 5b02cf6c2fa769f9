"""Middleware: the scope of a request, with plain errors; no bodies for HEAD; sessions on a full disk."""

import logging
import math
import re
import sqlite3
import time
from collections.abc import Callable, Iterable
from contextlib import suppress
from ipaddress import ip_address, ip_network
from typing import Any
from uuid import uuid4
from wsgiref.types import StartResponse, WSGIApplication, WSGIEnvironment
from zoneinfo import ZoneInfo

import sentry_sdk
from csp.constants import UNSAFE_EVAL, UNSAFE_INLINE
from csp.decorators import csp_update
from django.conf import settings
from django.contrib.admin.helpers import ACTION_CHECKBOX_NAME
from django.contrib.sessions.backends.base import UpdateError
from django.contrib.sessions.exceptions import SessionInterrupted
from django.contrib.sessions.middleware import SessionMiddleware
from django.core.exceptions import BadRequest, RequestDataTooBig
from django.db import DatabaseError, InterfaceError, OperationalError
from django.db.models import BigIntegerField
from django.http import Http404, HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.utils import timezone
from psycopg.errors import NumericValueOutOfRange

from beanpost.i18n.time_zones import ZONE_COOKIE, is_zone
from beanpost.monitoring import counters, logs
from beanpost.pages.errors import show_error
from beanpost.pages.notices import NOT_INSTALLED
from games.contract.errors import NotInstalled

View = Callable[[HttpRequest], HttpResponseBase]
log = logging.getLogger(__name__)
REQUEST_ID = re.compile(r"[\w-]{8,64}", re.ASCII)
MAX_DIGITS = 19  # digits of the largest primary key
ODD_TYPE = re.compile(
    r'.{300}|.*(\*|charset\s*=(?!\s*"?utf-?8"?\s*(;|$)))', re.I | re.S
)  # a browser's has 70 characters
MAX_FORM = 300 * 1024  # bytes
MAX_LIST = 2_621_440  # bytes of staff's forms with a list of people to invite
STAFFS_LONG_FORMS = re.compile(r"/admin/\w+/\w+/\d+/do/")

# unfold's Alpine.js evaluates expressions in attributes, and unfold's colours come in a <style> element.
ADMIN_POLICY = {"script-src": [UNSAFE_EVAL], "style-src": [UNSAFE_INLINE]}


def check_content_type(application: WSGIApplication) -> WSGIApplication:
    """Replace an odd Content-Type by one that `Scope` refuses.

    Django parses it before any middleware runs, and decodes the query by it: 32 KB of semicolons take a second, a
    charset may take quadratic time or fail, and a parameter such as `x*=punycode''y` names one too. No browser does so.
    """

    def checked(environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        if ODD_TYPE.match(environ.get("CONTENT_TYPE", "")):
            environ["CONTENT_TYPE"] = "text/plain; charset=odd"
        return application(environ, start_response)

    return checked


def leave_out_body_of_head(get_response: View) -> View:
    """Answer HEAD by headers alone: waitress would send the page too, as the start of the connection's next answer.

    It comes first, since SecurityMiddleware answers a request with an unknown host before any other middleware runs.
    """

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


class Scope:
    """Give every request an id, the visitor's address and time zone, a line in the log, and plain errors.

    Times are shown in the zone of the visitor's browser, which the site's script keeps in a cookie. Odd requests are
    refused right before the view, since nothing reads a form earlier, and some errors of views have a page:

    - 400 to a form that is too large, or in another charset than UTF-8: some charsets take quadratic time to decode,
      and every form takes the time of its length.
    - 404 to a primary key that no column can hold, in a URL, a form, a filter or a list of ticked rows; and to a ticked
      row that is no number. Django answers `pk=10**25` without a query, but passes it on in `pk__in`, which the admin
      uses for ticked rows and filters. SQLite's driver then raises OverflowError, PostgreSQL may answer with DataError.
    - 503 where a match's game or edition is not installed, and where the database is down or its disk is full.
    """

    def __init__(self, get_response: View) -> None:
        self.get_response = get_response
        self.in_office = csp_update(ADMIN_POLICY)(get_response)  # only the admin: every other page has a strict policy

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        came = time.perf_counter()
        number = trust_proxy(request) or uuid4().hex
        request.log_id = number  # type: ignore[attr-defined]  # for log lines after the middleware
        known = logs.request_id.set(number)
        sentry_sdk.set_tag("request_id", number)
        zone = request.COOKIES.get(ZONE_COOKIE, "")
        get_response = self.in_office if request.path.startswith("/admin/") else self.get_response
        try:
            with timezone.override(ZoneInfo(zone) if zone and is_zone(zone) else None):
                response = get_response(request)
            log_request(request, response, time.perf_counter() - came)
        finally:
            logs.request_id.reset(known)
        response.headers["X-Request-ID"] = number
        if logs.has_parameters(request.path):  # a page that needs a ticket stays out of caches and search engines
            response.headers.setdefault("Cache-Control", "no-store")
            response.headers.setdefault("X-Robots-Tag", "noindex")
        return response

    def process_view(self, request: HttpRequest, view: Any, args: Any, values: dict[str, Any]) -> None:
        if (request.content_params or {}).get("charset", "utf-8").lower() not in ("utf-8", "utf8"):
            raise BadRequest("A request names another charset than UTF-8")
        length = request.META.get("CONTENT_LENGTH") or "0"
        if int(length) > MAX_FORM and int(length) > find_longest(request):
            raise RequestDataTooBig("A form is longer than ours can be")
        ticked = request.POST.getlist(ACTION_CHECKBOX_NAME) if request.path.startswith("/admin/") else []
        if any(map(is_too_large, values.values())) or not all(map(str.isdecimal, ticked)):
            raise Http404

    def process_exception(self, request: HttpRequest, error: Exception) -> HttpResponse | None:
        if isinstance(error, NotInstalled):
            log.error("A page needs a game that is not installed: %s", error)
            values = {"notice": NOT_INSTALLED, "demo": settings.DEMO}
            return render(request, "pages/notice.html", values, status=503, using="jinja2")
        too_large = isinstance(error, OverflowError) and "SQLite INTEGER" in str(error)
        if too_large or isinstance(error.__cause__, NumericValueOutOfRange):
            raise Http404 from error
        return answer_not_stored(request, error)


def trust_proxy(request: HttpRequest) -> str:
    """Take the visitor's address from X-Forwarded-For if it comes from the trusted proxy, and return the proxy's id of
    the request, so that its log and ours can be compared.

    Otherwise all visitors would have the proxy's address.
    """
    if not settings.TRUSTED_PROXY:
        return ""
    # A proxy that connects through a Unix socket has no address: TRUSTED_PROXY=unix.
    # A socket for IPv6 puts ::ffff: before an IPv4 address.
    address = request.META.get("REMOTE_ADDR", "").removeprefix("::ffff:") or "unix"
    networks = set(settings.TRUSTED_PROXY) - {"unix"}
    is_trusted = address in settings.TRUSTED_PROXY
    with suppress(ValueError):  # not an address
        is_trusted = is_trusted or any(ip_address(address) in ip_network(network) for network in networks)
    if not is_trusted:
        return ""
    if forwarded := request.headers.get("X-Forwarded-For", ""):
        request.META["REMOTE_ADDR"] = forwarded.rpartition(",")[2].strip()
    number = request.headers.get("X-Request-ID", "")
    return number if REQUEST_ID.fullmatch(number) else ""


def log_request(request: HttpRequest, response: HttpResponseBase, seconds: float) -> None:
    took = 1000 * seconds
    route = logs.redact_path(request.path)
    view = request.resolver_match.view_name if request.resolver_match else "none"
    counters.count_request(view or "unnamed", request.method, response.status_code, seconds)
    fields = {"method": request.method, "route": route, "status": response.status_code, "ms": round(took)}
    log.info("%s %s %d in %.0f ms", request.method, request.path, response.status_code, took, extra=fields)


class Sessions(SessionMiddleware):
    """Django's sessions, which are stored after the view: no other middleware learns that storing failed."""

    def process_response(self, request: HttpRequest, response: HttpResponse) -> HttpResponse:
        try:
            return super().process_response(request, response)
        except (DatabaseError, InterfaceError, SessionInterrupted) as error:
            if answer := answer_not_stored(request, find_first(error)):
                return answer
            raise


def find_first(error: BaseException) -> BaseException:
    """Return the error that came first: Django reports a failure to store a session as "the session was deleted"."""
    while isinstance(error, SessionInterrupted | UpdateError) and error.__context__:
        error = error.__context__
    return error


def find_longest(request: HttpRequest) -> float:
    """Return the length of the longest form that may come in here. Calls of mail providers have their own limits."""
    if request.path.startswith("/anymail/"):
        return math.inf
    return MAX_LIST if STAFFS_LONG_FORMS.match(request.path) and request.user.is_staff else MAX_FORM


def is_too_large(value: object) -> bool:
    """Return whether the value is a number too large for a primary key.

    >>> [is_too_large(value) for value in (7, "7", "9" * 25, 10**25, "-" + "9" * 25, "x" * 25)]
    [False, False, True, True, True, False]
    """
    digits = str(value).removeprefix("-")
    return digits.isdecimal() and (len(digits) > MAX_DIGITS or int(digits) > BigIntegerField.MAX_BIGINT)


def answer_not_stored(request: HttpRequest, error: BaseException) -> HttpResponse | None:
    """Return a page with status 503 if this error says that the database is down or full; None for any other.

    It says what to do. Providers of mail then retry.
    """
    # SQLite's code for a mistake of ours, such as a table that does not exist.
    is_ours = getattr(error.__cause__, "sqlite_errorcode", None) == sqlite3.SQLITE_ERROR
    if not isinstance(error, OperationalError | InterfaceError) or is_ours:
        return None
    log.error("A request could not be stored: %s", type(error.__cause__ or error).__name__)
    return show_error(503)(request)
