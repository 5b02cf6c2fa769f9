"""The log, which everybody who keeps the house may read: it shows where people went, never the ticket in their hand.

The hiding is done in the record itself, so that every handler gets the same discreet text: Django's, the servers', Celery's.
"""

import logging
import logging.config
import re
import traceback
from collections.abc import Iterable
from types import TracebackType
from typing import Any

from django.http import HttpRequest
from django.urls import URLPattern, URLResolver
from django.views.debug import SafeExceptionReporterFilter

QUERY = re.compile(r"(/[^\s\"'?]*)\?[^\s\"']+")
REPLY_TOKEN = re.compile(r"\b(\w+\+)[^\s@]+(?=@)")  # turn+<token>@…

openings: set[str] = set()  # "/m/" for m/<ticket>/, filled when the addresses of the house are loaded


def learn(patterns: Iterable[URLPattern | URLResolver], before: str = "/") -> None:
    """Remember where an address begins to carry something. No such address is made or opened before this is called."""
    for pattern in patterns:
        route = before + str(pattern.pattern).removeprefix("^")
        opening, *carried = re.split(r"[<(]", route, maxsplit=1)
        if carried:
            openings.add(opening)
        elif isinstance(pattern, URLResolver):
            learn(pattern.url_patterns, route)


def hidden(text: str) -> str:
    """The text with every ticket, token and query left out.

    >>> openings.add("/m/")
    >>> hidden('"GET /m/eyJtIjo0:1w/?lang=fr HTTP/1.1" 404')
    '"GET /m/…/ HTTP/1.1" 404'
    """
    text = REPLY_TOKEN.sub(r"\1…", QUERY.sub(r"\1", text))
    if not openings:
        return text
    starts = "|".join(re.escape(opening).replace("/", "(?:/|%2F)") for opening in sorted(openings, reverse=True))
    return re.sub(rf"({starts})[^\s\"']*?(/?)(?=[\s\"']|$)", r"\1…\2", text, flags=re.IGNORECASE)


def hidden_path(path: str) -> str:
    """Like `hidden`, for a text known to be an address: nothing after a space slips through."""
    return hidden(re.sub(r"\s", "_", path))


def carries(path: str) -> bool:
    """Whether this address holds something that is for its bearer alone."""
    return hidden_path(path) != path


class Discreet(logging.LogRecord):
    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if isinstance(self.args, tuple):
            self.args = tuple(hidden_path(a) if isinstance(a, str) and a.startswith("/") else a for a in self.args)
        if self.exc_info and self.exc_info[0]:
            self.exc_text = hidden(as_text(*self.exc_info))

    def getMessage(self) -> str:  # noqa: N802 (logging's name)
        return hidden(super().getMessage())


def as_text(kind: type[BaseException], fault: BaseException | None, trace: TracebackType | None) -> str:
    return "".join(traceback.format_exception(kind, fault, trace)).rstrip()


def configure(config: dict[str, Any]) -> None:
    """Django calls this with settings.LOGGING."""
    logging.setLogRecordFactory(Discreet)
    logging.config.dictConfig(config)


class Reports(SafeExceptionReporterFilter):
    """Should a host ever have error reports written: what people sent and what the frames held stays out of them."""

    def is_active(self, request: HttpRequest | None) -> bool:
        return True

    def get_post_parameters(self, request: HttpRequest | None) -> dict[str, Any]:
        return dict.fromkeys(request.POST, self.cleansed_substitute) if request else {}

    def get_traceback_frame_variables(self, request: HttpRequest | None, tb_frame: Any) -> Iterable[tuple[str, Any]]:
        return [(name, self.cleansed_substitute) for name in tb_frame.f_locals]

    def get_safe_request_meta(self, request: HttpRequest | None) -> dict[str, Any]:
        meta = super().get_safe_request_meta(request)
        return {name: hidden_path(value) if isinstance(value, str) else value for name, value in meta.items()}

    def get_safe_cookies(self, request: HttpRequest | None) -> dict[str, Any]:
        return {}
