"""What every answer passes on its way out."""

import logging
import time
from collections.abc import Callable
from typing import Any

from csp.constants import UNSAFE_EVAL, UNSAFE_INLINE
from csp.decorators import csp_update
from django.conf import settings
from django.db.models import BigIntegerField
from django.http import Http404, HttpRequest
from django.http.response import HttpResponseBase
from psycopg.errors import NumericValueOutOfRange

from beanpost import logs

View = Callable[[HttpRequest], HttpResponseBase]
log = logging.getLogger(__name__)
LONGEST_NUMBER = 19  # digits of the largest row number

# unfold's Alpine compiles what stands in attributes, and its colours come in a <style>.
OFFICE = {"script-src": [UNSAFE_EVAL], "style-src": [UNSAFE_INLINE]}


def see_visitors(get_response: View) -> View:
    """Behind a proxy that we trust, the visitor's address is the one it names; otherwise everybody would look alike."""

    def middleware(request: HttpRequest) -> HttpResponseBase:
        named = request.headers.get("X-Forwarded-For", "")
        # Through a socket file the proxy has no address: TRUSTED_PROXY=unix.
        if named and (request.META.get("REMOTE_ADDR") or "unix") == settings.TRUSTED_PROXY:
            request.META["REMOTE_ADDR"] = named.rpartition(",")[2].strip()
        return get_response(request)

    return middleware


class NoSuchRow:
    """Answers 404 to a row number that no column can hold: in an address, a form, a filter or a list of ticked rows.

    Django looks up `pk=10**25` without asking the database, but passes it on in `pk__in`, which the office uses for
    ticked rows and filters. SQLite's driver raises OverflowError then, PostgreSQL may answer with DataError.
    """

    def __init__(self, get_response: View) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        return self.get_response(request)

    def process_view(self, request: HttpRequest, view: Any, args: Any, values: dict[str, Any]) -> None:
        if any(map(is_too_large, values.values())):
            raise Http404

    def process_exception(self, request: HttpRequest, trouble: Exception) -> None:
        too_large = isinstance(trouble, OverflowError) and "SQLite INTEGER" in str(trouble)
        if too_large or isinstance(trouble.__cause__, NumericValueOutOfRange):
            raise Http404 from trouble


def is_too_large(value: object) -> bool:
    """Whether this is a number beyond those of rows.

    >>> [is_too_large(value) for value in (7, "7", "9" * 25, 10**25, "-" + "9" * 25, "x" * 25)]
    [False, False, True, True, True, False]
    """
    digits = str(value).removeprefix("-")
    return digits.isdecimal() and (len(digits) > LONGEST_NUMBER or int(digits) > BigIntegerField.MAX_BIGINT)


def note_visits(get_response: View) -> View:
    """One line per request, the same under every server."""

    def middleware(request: HttpRequest) -> HttpResponseBase:
        came = time.perf_counter()
        response = get_response(request)
        took = 1000 * (time.perf_counter() - came)
        route = logs.hidden_path(request.path)
        told = {"method": request.method, "route": route, "status": response.status_code, "ms": round(took)}
        log.info("%s %s %d in %.0f ms", request.method, request.path, response.status_code, took, extra=told)
        return response

    return middleware


def keep_private(get_response: View) -> View:
    """A page that only a ticket opens is neither kept by a cache nor found by a search engine."""

    def middleware(request: HttpRequest) -> HttpResponseBase:
        response = get_response(request)
        if logs.carries(request.path):
            response.headers.setdefault("Cache-Control", "no-store")
            response.headers.setdefault("X-Robots-Tag", "noindex")
        return response

    return middleware


def loosen_office(get_response: View) -> View:
    """The admin has a policy of its own, so that every other page can be strict."""
    in_office = csp_update(OFFICE)(get_response)

    def middleware(request: HttpRequest) -> HttpResponseBase:
        return in_office(request) if request.path.startswith("/admin/") else get_response(request)

    return middleware
