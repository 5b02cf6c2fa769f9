"""Where providers tell what became of letters, and bring replies. What is told is kept in the post room."""

from __future__ import annotations

import logging
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from email.errors import MessageError
from typing import Any

from anymail.signals import tracking
from anymail.urls import urlpatterns as all_doors
from anymail.webhooks.base import AnymailCoreWebhookView
from django.core.exceptions import BadRequest, RequestDataTooBig
from django.http import HttpRequest, HttpResponse
from django.urls import URLPattern, URLResolver, include, path

from beanpost.pages.provider_mail import CutRequest


def provider_of(door: URLPattern) -> str:
    return str(door.pattern).lstrip("^").partition("/")[0]


PROVIDERS = {provider_of(door) for door in all_doors}
# What reading a body of another shape raises, or a mail that nobody can parse.
UNREADABLE = (
    ValueError, LookupError, TypeError, AttributeError, ArithmeticError, AssertionError, RecursionError, MessageError,
)  # fmt: skip

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
    """Says "thank you" for what cannot be read: to send it again would not help, and providers do so for days.

    Only the house's own trouble is an error: then the provider tries again.
    """

    def post(self, request: HttpRequest, *args: Any, **values: Any) -> HttpResponse:
        try:
            answer: HttpResponse = super().post(request, *args, **values)  # type: ignore[no-untyped-call]
        except RequestDataTooBig:
            log.warning("A webhook told too much at once: it was dropped.")
            answer = HttpResponse("Too large: it was dropped.", content_type="text/plain")
        except Unread as trouble:
            log.warning("A webhook could not be read: %s. It was dropped.", trouble)
            answer = HttpResponse("It could not be read: it was dropped.", content_type="text/plain")
        return answer

    def run_validators(self, request: HttpRequest) -> None:
        try:
            with reading():
                super().run_validators(request)  # type: ignore[no-untyped-call]
        except Unread as trouble:  # nobody knows who sent it
            log.warning("A webhook could not be checked: %s.", trouble)
            raise BadRequest("This could not be read.") from trouble

    def parse_events(self, request: HttpRequest) -> list[Any]:
        with reading():
            told: Any = request if self.signal is tracking else CutRequest(request)
            return list(super().parse_events(told))  # type: ignore[no-untyped-call]


class Unread(Exception):
    """A body of another shape than it should have; says the name of the error."""


@contextmanager
def reading() -> Iterator[None]:
    try:
        yield
    except UNREADABLE as trouble:
        raise Unread(type(trouble).__name__) from trouble
