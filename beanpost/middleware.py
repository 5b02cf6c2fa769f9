"""What every answer passes on its way out."""

import logging
import time
from collections.abc import Callable

from csp.constants import UNSAFE_EVAL, UNSAFE_INLINE
from csp.decorators import csp_update
from django.conf import settings
from django.http import HttpRequest
from django.http.response import HttpResponseBase

from beanpost import logs

View = Callable[[HttpRequest], HttpResponseBase]
log = logging.getLogger(__name__)

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
