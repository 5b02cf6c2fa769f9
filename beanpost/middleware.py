"""Middleware: request ids, visitors' addresses, request log, cache headers, content security policy, oversized row
numbers, missing games.
"""

import logging
import re
import time
from collections.abc import Callable
from typing import Any
from uuid import uuid4
from zoneinfo import ZoneInfo

import sentry_sdk
from csp.constants import UNSAFE_EVAL, UNSAFE_INLINE
from csp.decorators import csp_update
from django.conf import settings
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

# unfold's Alpine.js evaluates expressions in attributes, and unfold's colours come in a <style> element.
ADMIN_POLICY = {"script-src": [UNSAFE_EVAL], "style-src": [UNSAFE_INLINE]}


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
    """Answer 404 to a primary key that no column can hold: in a URL, a form, a filter or a list of ticked rows.

    Django answers `pk=10**25` without a query, but passes it on in `pk__in`, which the admin uses for ticked rows and
    filters. SQLite's driver then raises OverflowError, and PostgreSQL may answer with DataError.
    """

    def __init__(self, get_response: View) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        return self.get_response(request)

    def process_view(self, request: HttpRequest, view: Any, args: Any, values: dict[str, Any]) -> None:
        if any(map(is_too_large, values.values())):
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
