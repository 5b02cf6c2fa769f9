"""The log, which everybody who keeps the house may read: it shows where people went, never the ticket in their hand.

The hiding is done in the record itself, so that every handler gets the same text: Django's, the servers', Celery's.
"""

import json
import logging
import logging.config
import re
import traceback
from collections.abc import ItemsView, Iterable
from datetime import UTC, datetime
from functools import cache
from typing import Any

from django.http import HttpRequest
from django.urls import URLPattern, URLResolver
from django.views.debug import SafeExceptionReporterFilter

# Each begins where a word begins and takes no step back, so that a word of any length is read once.
QUERY = re.compile(r"(?<![^\s\"'])(?=[^\s\"'?/]*+/)([^\s\"'?]*+)\?[^\s\"']+")
LONG = re.compile(r"(?<=/)[\w:=~.-]{24,}")  # a ticket in a place where no route leads: somebody shortened the link
ADDRESS = re.compile(
    r"(?<![^\s<>\"'(,;:=@])[^\s<>\"'(,;:=@]++@[\w-]++(?:\.[\w-]++)++"
)  # of a person, or with a reply token in it
FIELDS = ("method", "route", "status", "ms")  # what a line may tell beside its sentence

openings: set[str] = set()  # such as "/m/" for m/<ticket>/


def learn(patterns: Iterable[URLPattern | URLResolver], before: str = "/") -> None:
    """Remember where addresses begin to carry something. The URLconf calls this, and nobody makes a link without it."""
    for pattern in patterns:
        route = before + str(pattern.pattern).removeprefix("^")
        opening, *carried = re.split(r"[<(]", route, maxsplit=1)
        if carried:
            openings.add(opening)
        elif isinstance(pattern, URLResolver):
            learn(pattern.url_patterns, route)


def hidden(text: str) -> str:
    """The text without tickets, tokens and queries: `GET /m/eyJt:1w/?lang=fr` reads `GET /m/…/`."""
    text = LONG.sub("…", ADDRESS.sub("…@…", QUERY.sub(r"\1", text)))
    return carrying(frozenset(openings)).sub(r"\1…\2", text)


@cache
def carrying(openings: frozenset[str]) -> re.Pattern[str]:
    if not openings:
        return re.compile(r"(?!)()()")  # matches nothing
    starts = "|".join(re.escape(opening).replace("/", "(?:/|%2F)") for opening in sorted(openings, reverse=True))
    return re.compile(rf"({starts})[^\s\"']*?(/?)(?=[\s\"']|$)", re.IGNORECASE)


def hidden_path(path: str) -> str:
    """Like `hidden`, for a text that is one address: what stands after a space or a quote belongs to it too."""
    return hidden(re.sub(r"[\s\"']", "_", path))


def carries(path: str) -> bool:
    """Whether this address holds something that may be for its bearer alone."""
    return carrying(frozenset(openings)).match(path) is not None


class Discreet(logging.LogRecord):
    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if isinstance(self.args, tuple):
            self.args = tuple(hidden_path(a) if isinstance(a, str) and a.startswith("/") else a for a in self.args)
        if self.exc_info and self.exc_info[0]:
            self.exc_text = hidden_trace("".join(traceback.format_exception(*self.exc_info)))

    def getMessage(self) -> str:  # noqa: N802 (logging's name)
        return hidden(super().getMessage())


def hidden_trace(text: str) -> str:
    """What the errors say is hidden; the names of our own files are not, though they may look like addresses."""
    return "\n".join(line if line.startswith("  File ") else hidden(line) for line in text.splitlines())


class Structured(logging.Formatter):
    """One JSON object per line, for hosts whose logs are read by machines. It holds what the plain line holds."""

    def format(self, record: logging.LogRecord) -> str:
        told: dict[str, Any] = {
            "at": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname,
            "from": record.name,
            "said": record.getMessage(),
        }
        told |= {name: getattr(record, name) for name in FIELDS if hasattr(record, name)}
        if record.exc_text:
            told["trace"] = record.exc_text
        return json.dumps(told, ensure_ascii=False)


def configure(config: dict[str, Any]) -> None:
    """Django calls this with settings.LOGGING."""
    logging.setLogRecordFactory(Discreet)
    logging.config.dictConfig(config)


class Reports(SafeExceptionReporterFilter):
    """Should a host have error reports written: what people sent and what the frames held stays out of them."""

    def is_active(self, request: HttpRequest | None) -> bool:
        return True

    def get_post_parameters(self, request: HttpRequest | None) -> dict[str, Any]:
        return dict.fromkeys(request.POST, self.cleansed_substitute) if request else {}

    def get_traceback_frame_variables(self, request: HttpRequest | None, tb_frame: Any) -> ItemsView[str, Any]:
        return dict.fromkeys(tb_frame.f_locals, self.cleansed_substitute).items()
