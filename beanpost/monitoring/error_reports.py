"""Error reports to Sentry, if the host sets SENTRY_DSN: they name the code that failed, and never a person or card.

A report has the types of the errors, the lines of code, the route and the request id. It has no message, since an error
may quote a player's cards; no local variables, addresses, headers, cookies, bodies, users or breadcrumbs.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import sentry_sdk
from sentry_sdk.integrations.celery import CeleryIntegration
from sentry_sdk.integrations.django import DjangoIntegration
from sentry_sdk.integrations.logging import LoggingIntegration

from beanpost.version import __version__

if TYPE_CHECKING:
    from sentry_sdk.types import Event, Hint

KEPT_FIELDS = (
    "event_id",
    "timestamp",
    "level",
    "platform",
    "release",
    "environment",
    "server_name",
    "sdk",
    "transaction",
)
FRAME_FIELDS = (
    "filename",
    "abs_path",
    "function",
    "module",
    "lineno",
    "context_line",
    "pre_context",
    "post_context",
    "in_app",
)


def switch_on(dsn: str) -> None:
    """Report errors to this Sentry server. No traces, no profiles."""
    sentry_sdk.init(
        dsn=dsn,
        release=f"beanpost@{__version__}",
        integrations=[
            DjangoIntegration(transaction_style="url", middleware_spans=False),
            CeleryIntegration(),
            LoggingIntegration(event_level=None),  # send no log lines
        ],
        include_local_variables=False,
        max_request_body_size="never",
        max_breadcrumbs=0,
        auto_session_tracking=False,  # it would send the number of requests every minute
        before_send=redact_report,
    )


def redact_report(event: Event, _hint: Hint) -> Event | None:
    """Build a new report from the allowed fields, so that new fields of the library are left out too."""
    report: dict[str, Any] = {name: event[name] for name in KEPT_FIELDS if name in event}  # type: ignore[literal-required]
    if (event.get("transaction_info") or {}).get("source") == "url":  # a path that is no route may hold a ticket
        report.pop("transaction", None)
    errors = (event.get("exception") or {}).get("values") or []
    report["exception"] = {"values": [drop_message(error) for error in errors]}
    if number := (event.get("tags") or {}).get("request_id"):
        report["tags"] = {"request_id": number}
    return report  # type: ignore[return-value]


def drop_message(error: dict[str, Any]) -> dict[str, Any]:
    frames = (error.get("stacktrace") or {}).get("frames") or []
    kept = [{name: frame[name] for name in FRAME_FIELDS if name in frame} for frame in frames]
    return {"type": error.get("type"), "module": error.get("module"), "stacktrace": {"frames": kept}}
