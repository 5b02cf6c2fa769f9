"""Where providers tell what became of letters, and bring replies. What is told is kept in the post room."""

from __future__ import annotations

import logging
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from typing import Any

from anymail.urls import urlpatterns as all_doors
from anymail.webhooks.base import AnymailCoreWebhookView
from django.core.exceptions import BadRequest, RequestDataTooBig
from django.http import HttpRequest, HttpResponse
from django.urls import URLPattern, URLResolver, include, path


def provider_of(door: URLPattern) -> str:
    return str(door.pattern).lstrip("^").partition("/")[0]


PROVIDERS = {provider_of(door) for door in all_doors}
UNREADABLE = (ValueError, LookupError, TypeError, AttributeError)  # what reading a body of another shape raises

log = logging.getLogger(__name__)


def webhooks(providers: Collection[str]) -> list[URLResolver]:
    """The doors of these providers; those of all others would only stumble."""
    doors = [sturdy(door) for door in all_doors if provider_of(door) in providers]
    return [path("anymail/", include((doors, "anymail")))]


def sturdy(door: URLPattern) -> URLPattern:
    """The same door, which no body can make stumble."""
    kind = door.callback.view_class  # type: ignore[attr-defined]
    view: Any = type(kind.__name__, (Sturdy, kind), {})
    return URLPattern(door.pattern, view.as_view(), name=door.name)


class Sturdy(AnymailCoreWebhookView):
    """Says "no" to what cannot be read. Only the house's own trouble is an error: then the provider tries again."""

    def post(self, request: HttpRequest, *args: Any, **values: Any) -> HttpResponse:
        try:
            answer: HttpResponse = super().post(request, *args, **values)  # type: ignore[no-untyped-call]
        except RequestDataTooBig:
            # "Thank you" all the same: many providers would send it again for hours, or stop to send anything.
            log.warning("A webhook told too much at once: it was dropped.")
            answer = HttpResponse("Too large: it was dropped.", content_type="text/plain")
        return answer

    def run_validators(self, request: HttpRequest) -> None:
        with reading():
            super().run_validators(request)  # type: ignore[no-untyped-call]

    def parse_events(self, request: HttpRequest) -> list[Any]:
        with reading():
            return list(super().parse_events(request))  # type: ignore[no-untyped-call]


@contextmanager
def reading() -> Iterator[None]:
    try:
        yield
    except UNREADABLE as trouble:
        log.warning("A webhook could not be read: %s.", type(trouble).__name__)
        raise BadRequest("This could not be read.") from trouble
