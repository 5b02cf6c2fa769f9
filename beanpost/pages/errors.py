"""Error pages. They read nothing of the request but its language, since reading it may be what failed."""

from __future__ import annotations

import logging
import sqlite3
from collections.abc import Callable

from django.contrib.sessions.backends.base import UpdateError
from django.contrib.sessions.exceptions import SessionInterrupted
from django.contrib.sessions.middleware import SessionMiddleware
from django.db import DatabaseError, InterfaceError, OperationalError
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.template.loader import render_to_string
from django.utils import translation

log = logging.getLogger(__name__)


def show_error(status: int) -> Callable[..., HttpResponse]:
    def view(request: HttpRequest, exception: Exception | None = None) -> HttpResponse:
        with translation.override(translation.get_language_from_request(request)):
            return HttpResponse(render_to_string(f"{status}.html", using="jinja2"), status=status)

    return view


class NotStored:
    """Answer 503, with what to do, when the database is down or its disk is full. Providers of mail then retry."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        return self.get_response(request)

    def process_exception(self, request: HttpRequest, error: Exception) -> HttpResponse | None:
        return answer_not_stored(request, error)


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


def answer_not_stored(request: HttpRequest, error: BaseException) -> HttpResponse | None:
    """Return a page with status 503 if this error says that the database is down or full; None for any other."""
    # SQLite's code for a mistake of ours, such as a table that does not exist.
    is_ours = getattr(error.__cause__, "sqlite_errorcode", None) == sqlite3.SQLITE_ERROR
    if not isinstance(error, OperationalError | InterfaceError) or is_ours:
        return None
    log.error("A request could not be stored: %s", type(error.__cause__ or error).__name__)
    return show_error(503)(request)
