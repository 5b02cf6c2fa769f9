"""Webhooks of mail providers: delivery reports and replies. `post` stores what they say."""

from __future__ import annotations

import logging
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from email.errors import MessageError
from threading import BoundedSemaphore, Lock
from typing import Any

from anymail.signals import inbound, tracking
from anymail.urls import urlpatterns as anymail_urls
from anymail.webhooks.base import AnymailBasicAuthMixin, AnymailCoreWebhookView
from django.conf import settings
from django.core.exceptions import BadRequest, ImproperlyConfigured, RequestDataTooBig
from django.http import Http404, HttpRequest, HttpResponse
from django.http.multipartparser import MultiPartParserError
from django.urls import URLPattern, URLResolver, include, path

from beanpost.pages.hosts.provider_mail import SkipFiles, TrimmedRequest
from beanpost.play import clock
from beanpost.post.receive import inbox


def find_provider(webhook: URLPattern) -> str:
    return str(webhook.pattern).lstrip("^").partition("/")[0]


PROVIDERS = {find_provider(webhook) for webhook in anymail_urls}
# Calls of these providers may name only where to fetch a mail. Anymail parses the mail as it fetches it, and has no
# documented way to cut it to size first, so these providers may not send us mail.
FETCHED = {"amazon_ses", "mailtrap", "resend"}
# Raised for bodies with an unexpected shape, mails that can't be parsed, and events that came to the wrong webhook.
UNREADABLE = (
    ValueError, LookupError, TypeError, AttributeError, ArithmeticError, AssertionError, RecursionError, MessageError,
    MultiPartParserError, ImproperlyConfigured,
)  # fmt: skip

MAX_REPORT_BYTES = 2_621_440  # bytes of a call with delivery reports
MAX_LARGE_CALLS = 4  # larger calls, which bring mail with pictures
MAX_SEARCHED_BYTES = 1_000_000  # bytes of a call that is too large to be read
TOO_LARGE = "Too large to be read."
BUSY = "Too many emails are coming in just now. Please try again later."
LARGE_CALLS = BoundedSemaphore(MAX_LARGE_CALLS)
ONE_IN_MEMORY = Lock()  # one call is in memory; the others wait in the web server's temporary files

log = logging.getLogger(__name__)


def list_webhooks(providers: Collection[str]) -> list[URLResolver]:
    """Return the webhooks of these providers. Those of others would fail: they have no settings."""
    served = [
        wrap_webhook(webhook)
        for webhook in anymail_urls
        if find_provider(webhook) in providers and not is_fetched(webhook)
    ]
    return [path("anymail/", include((served, "anymail")))]


def find_unset_keys(providers: Collection[str], *, with_mail: bool) -> Iterator[tuple[str, str]]:
    """Yield the providers whose webhooks lack a setting, with what anymail says about it."""
    for webhook in anymail_urls:
        view: Any = webhook.callback.view_class
        if find_provider(webhook) in providers and (with_mail or view.signal is tracking) and not is_fetched(webhook):
            try:
                view()
            except (ImproperlyConfigured, ValueError) as fault:  # the key is missing, or cannot be one
                yield find_provider(webhook), str(fault).strip().partition("\n")[0].rstrip(".")


def is_fetched(webhook: URLPattern) -> bool:
    """Whether mail comes in here that would be parsed before it is cut to size."""
    return find_provider(webhook) in FETCHED and webhook.callback.view_class.signal is inbound  # type: ignore[attr-defined]


def wrap_webhook(webhook: URLPattern) -> URLPattern:
    """Wrap a webhook so that no body can make it fail."""
    kind = webhook.callback.view_class  # type: ignore[attr-defined]
    base = ProviderWebhook if kind.signal is tracking else MailWebhook
    view: Any = type(kind.__name__, (base, kind), {})
    return URLPattern(webhook.pattern, view.as_view(), name=webhook.name)


class ProviderWebhook(AnymailCoreWebhookView):
    """Answer 200 to bodies that can't be read: resending would not help, and providers resend for days.

    Only our own faults are errors: then the provider retries.
    """

    def __init__(self, **values: Any) -> None:
        try:
            super().__init__(**values)  # type: ignore[no-untyped-call]
        except ImproperlyConfigured as fault:  # the provider's key is missing; checks.py says so at the start
            raise Http404 from fault

    def post(self, request: HttpRequest, *args: Any, **values: Any) -> HttpResponse:
        try:
            if get_length(request) > MAX_REPORT_BYTES and self.signal is tracking:
                raise RequestDataTooBig
            answer: HttpResponse = super().post(request, *args, **values)  # type: ignore[no-untyped-call]
        except RequestDataTooBig:
            log.warning("A webhook was too large to be read.")
            answer = HttpResponse(TOO_LARGE, content_type="text/plain")
        except UnreadableBody as trouble:
            log.warning("A webhook could not be read: %s. It was dropped.", trouble)
            answer = HttpResponse("It could not be read: it was dropped.", content_type="text/plain")
        return answer

    def run_validators(self, request: HttpRequest) -> None:
        try:
            with refuse_unreadable():
                super().run_validators(request)  # type: ignore[no-untyped-call]
        except UnreadableBody as trouble:  # the sender is unknown
            log.warning("A webhook could not be checked: %s.", trouble)
            raise BadRequest("This could not be read.") from trouble

    def parse_events(self, request: HttpRequest) -> list[Any]:
        with refuse_unreadable():
            bounded: Any = request if self.signal is tracking else TrimmedRequest(request)
            return list(super().parse_events(bounded))  # type: ignore[no-untyped-call]


class MailWebhook(ProviderWebhook):
    """Take calls of up to 50 MB: a mail of 25 MB with its pictures in base64, written as JSON."""

    def post(self, request: HttpRequest, *args: Any, **values: Any) -> HttpResponse:
        self.check_secret(request)
        request.upload_handlers = [SkipFiles(request)]
        if get_length(request) <= MAX_REPORT_BYTES:
            return super().post(request, *args, **values)
        if get_length(request) > settings.DATA_UPLOAD_MAX_MEMORY_SIZE:
            inbox.note_too_large(request.read(MAX_SEARCHED_BYTES), clock.now())
            return HttpResponse(TOO_LARGE, content_type="text/plain")
        if not LARGE_CALLS.acquire(blocking=False):
            return HttpResponse(BUSY, content_type="text/plain", status=503, headers={"Retry-After": "60"})
        try:
            with ONE_IN_MEMORY:
                return super().post(request, *args, **values)
        finally:
            LARGE_CALLS.release()

    def check_secret(self, request: HttpRequest) -> None:
        """Refuse a stranger before anything reads the body. Each provider sends the secret in a header."""
        try:
            with refuse_unreadable():
                AnymailBasicAuthMixin.validate_request(self, request)  # type: ignore[arg-type]
        except UnreadableBody as trouble:
            raise BadRequest("This could not be read.") from trouble


def get_length(request: HttpRequest) -> int:
    return int(request.META.get("CONTENT_LENGTH") or 0)


class UnreadableBody(Exception):
    """A body of an unexpected shape. The message is the name of the original error."""


@contextmanager
def refuse_unreadable() -> Iterator[None]:
    try:
        yield
    except UNREADABLE as trouble:
        raise UnreadableBody(type(trouble).__name__) from trouble
