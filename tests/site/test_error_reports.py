"""Error reports to Sentry: they name the failing code, and no card, person, ticket or address."""

import json

import pytest
import sentry_sdk
from django.core.handlers.wsgi import WSGIHandler
from django.http import HttpRequest, HttpResponse
from django.test import Client, RequestFactory
from django.urls import path
from django.views.decorators.csrf import csrf_exempt
from sentry_sdk.transport import Transport

from beanpost.monitoring import error_reports
from beanpost.pages import urls as pages


@csrf_exempt
def fail(request: HttpRequest, ticket: str) -> HttpResponse:
    hand = request.GET["q"]
    raise RuntimeError(f"No place for {hand}")


def fail_to_say_not_found(request: HttpRequest, exception: Exception) -> HttpResponse:
    raise RuntimeError("No page for that")


urlpatterns = [path("move/<ticket>/", fail), *pages.urlpatterns]
handler404 = fail_to_say_not_found


@pytest.fixture
def reports(monkeypatch):
    sent = []

    class Caught(Transport):
        def capture_envelope(self, envelope):
            sent.extend(item.payload.get_bytes().decode() for item in envelope.items)

    initialise = sentry_sdk.init
    monkeypatch.setattr(sentry_sdk, "init", lambda **options: initialise(transport=Caught, **options))
    error_reports.switch_on("https://key@sentry.example/1")
    yield sent
    sentry_sdk.flush()
    initialise(dsn=None)


# Far from `fail`, whose neighbouring lines are in the report.
TICKET = "eyJtIjo0MSwic2VhdCI6Mn0:1w2Xy:TamperedSignatureOfSomeLength"
SECRETS = ("wax bean", TICKET, "hidden-cookie", "my secret note", "Mozilla")


def serve(request: HttpRequest) -> tuple[str, dict[str, str]]:
    """Call Django as a server does, and return status and headers. Sentry hooks in there; test clients bypass it."""
    started = []
    answer = WSGIHandler()(request.environ, lambda status, headers: started.extend([status, dict(headers)]))
    assert b"".join(answer)
    answer.close()
    status, headers = started
    return status, headers


@pytest.mark.django_db
@pytest.mark.urls(__name__)
def test_a_report_names_the_code_and_no_secret(reports):
    visit = RequestFactory(headers={"User-Agent": "Mozilla", "Cookie": "sessionid=hidden-cookie"})
    status, headers = serve(visit.post(f"/move/{TICKET}/?q=wax bean", {"note": "my secret note"}))
    assert status == "500 Internal Server Error"
    [text] = reports
    assert [secret for secret in SECRETS if secret in text] == []
    report = json.loads(text)
    assert report["transaction"] == "/move/{ticket}/"
    [error] = report["exception"]["values"]
    assert error["type"] == "RuntimeError"
    assert error["stacktrace"]["frames"][-1]["function"] == "fail"
    assert report["tags"] == {"request_id": headers["X-Request-ID"]}


@pytest.mark.urls(__name__)
def test_a_report_about_a_path_that_is_no_route_does_not_quote_it(reports):
    assert Client(raise_request_exception=False).get(f"/mm/{TICKET}/").status_code == 500
    assert reports
    assert not any(TICKET in text for text in reports)


def test_a_field_that_the_library_may_add_is_left_out():
    report = error_reports.redact_report(
        {"event_id": "1", "user": {"email": "ann@example.org"}, "hand": "wax bean"}, {}
    )
    assert report == {"event_id": "1", "exception": {"values": []}}


@pytest.mark.django_db
def test_a_visit_without_an_error_sends_nothing(reports):
    assert serve(RequestFactory().get("/rules/"))[0] == "200 OK"
    sentry_sdk.flush()
    assert reports == []
