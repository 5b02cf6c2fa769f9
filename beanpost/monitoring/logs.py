"""Logging without secrets: every operator may read the log, so it names routes but never a ticket.

The record itself is redacted, so that every handler gets the same text: Django's, the servers', Celery's.
"""

import json
import logging
import logging.config
import re
import traceback
from collections.abc import ItemsView, Iterable
from contextvars import ContextVar
from datetime import UTC, datetime
from functools import cache
from typing import Any

from django.http import HttpRequest
from django.urls import URLPattern, URLResolver
from django.views.debug import SafeExceptionReporterFilter

# Each pattern starts at a word boundary and never backtracks, so that matching is linear in the length of a word.
QUERY = re.compile(r"(?<![^\s\"'])(?=[^\s\"'?/]*+/)([^\s\"'?]*+)\?[^\s\"']+")
LONG = re.compile(r"(?<=/)[\w:=~.-]{24,}")  # a ticket under a path that is no route: somebody shortened the link
ADDRESS = re.compile(
    r"(?<![^\s<>\"'(,;:=@])[^\s<>\"'(,;:=@]++@[\w-]++(?:\.[\w-]++)++"
)  # a person's mail address, or ours with a reply token in it
FIELDS = ("method", "route", "status", "ms")  # extra fields of a JSON line

request_id: ContextVar[str] = ContextVar("request_id", default="")  # of the request this thread is answering

openings: set[str] = set()  # prefixes of routes with parameters, such as "/move/" for move/<ticket>/


def learn_routes(patterns: Iterable[URLPattern | URLResolver], before: str = "/") -> None:
    """Collect the prefixes of routes with parameters. The URLconf calls this, and every link is made from a URLconf."""
    for pattern in patterns:
        route = before + str(pattern.pattern).removeprefix("^")
        opening, *carried = re.split(r"[<(]", route, maxsplit=1)
        if carried:
            openings.add(opening)
        elif isinstance(pattern, URLResolver):
            learn_routes(pattern.url_patterns, route)


def redact(text: str) -> str:
    """Redact tickets, tokens, mail addresses and queries: `GET /move/eyJt:1w/?lang=fr` becomes `GET /move/…/`."""
    text = LONG.sub("…", ADDRESS.sub("…@…", QUERY.sub(r"\1", text)))
    return compile_pattern(frozenset(openings)).sub(r"\1…\2", text)


@cache
def compile_pattern(openings: frozenset[str]) -> re.Pattern[str]:
    if not openings:
        return re.compile(r"(?!)()()")  # matches nothing
    starts = "|".join(re.escape(opening).replace("/", "(?:/|%2F)") for opening in sorted(openings, reverse=True))
    return re.compile(rf"({starts})[^\s\"']*?(/?)(?=[\s\"']|$)", re.IGNORECASE)


def redact_path(path: str) -> str:
    """Redact a text that is a single path: a space or a quote in it does not end the path."""
    return redact(re.sub(r"[\s\"']", "_", path))


def has_parameters(path: str) -> bool:
    """Return whether the path belongs to a route with parameters, such as a ticket."""
    return compile_pattern(frozenset(openings)).match(path) is not None


class RedactedRecord(logging.LogRecord):
    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if self.name.startswith("django.security.") or (self.name == "django.request" and self.levelno < logging.ERROR):
            # A bad request: one line, not forty. Django logs some at ERROR, with a traceback of its own code.
            self.levelno, self.levelname, self.exc_info = logging.WARNING, "WARNING", None
        if isinstance(self.args, tuple):
            self.args = tuple(redact_path(a) if isinstance(a, str) and a.startswith("/") else a for a in self.args)
        if self.exc_info and self.exc_info[0]:
            self.exc_text = redact_traceback("".join(traceback.format_exception(*self.exc_info)))

    def getMessage(self) -> str:  # noqa: N802 (logging's name)
        return redact(super().getMessage())


def redact_traceback(text: str) -> str:
    """Redact a traceback, except the lines that name source files: their paths may look like our routes."""
    return "\n".join(line if line.startswith("  File ") else redact(line) for line in text.splitlines())


def send_request_id(headers: dict[str, Any], **_: Any) -> None:
    """Send the id of this request along with a task that it queues: a receiver of Celery's `before_task_publish`."""
    headers["request_id"] = request_id.get()


def take_request_id(task: Any, **_: Any) -> None:
    """Log the lines of a task under the request that queued it: a receiver of `task_prerun`."""
    request_id.set(task.request.get("request_id") or "")


def find_request_id(record: logging.LogRecord) -> str:
    """Return the id of the request that a log line is about, or ""."""
    # Django logs "Not Found" after all middleware has ended; that line has the request in an extra field.
    return request_id.get() or getattr(getattr(record, "request", None), "log_id", "")


class LineFormatter(logging.Formatter):
    """A plain line, with the id of the request it belongs to."""

    def format(self, record: logging.LogRecord) -> str:
        number = find_request_id(record)
        record.request_mark = f" [{number[:8]}]" if number else ""
        return super().format(record)


class JsonFormatter(logging.Formatter):
    """One JSON object per line, for hosts whose logs are read by machines. The text is that of the plain format."""

    def format(self, record: logging.LogRecord) -> str:
        fields: dict[str, Any] = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname,
            "logger": record.name,
            "message": record.getMessage(),
        }
        if number := find_request_id(record):
            fields["request_id"] = number
        fields |= {name: getattr(record, name) for name in FIELDS if hasattr(record, name)}
        if record.exc_text:
            fields["traceback"] = record.exc_text
        return json.dumps(fields, ensure_ascii=False)


def configure(config: dict[str, Any]) -> None:
    """Configure logging; Django calls this with settings.LOGGING."""
    logging.setLogRecordFactory(RedactedRecord)
    logging.config.dictConfig(config)


class ReporterFilter(SafeExceptionReporterFilter):
    """Keep POST data and local variables out of error reports, in case a host turns them on."""

    def is_active(self, request: HttpRequest | None) -> bool:
        return True

    def get_post_parameters(self, request: HttpRequest | None) -> dict[str, Any]:
        return dict.fromkeys(request.POST, self.cleansed_substitute) if request else {}

    def get_traceback_frame_variables(self, request: HttpRequest | None, tb_frame: Any) -> ItemsView[str, Any]:
        return dict.fromkeys(tb_frame.f_locals, self.cleansed_substitute).items()
