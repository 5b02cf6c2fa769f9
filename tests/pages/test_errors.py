"""Error pages: a page in our own words, whatever went wrong."""

import time
from io import BytesIO

import pytest
from django.contrib.sessions.backends.db import SessionStore
from django.contrib.sessions.models import Session
from django.core.exceptions import PermissionDenied, SuspiciousOperation
from django.db import OperationalError
from django.http import HttpResponse
from django.test import Client
from django.urls import include, path

from beanpost.monitoring import uptime
from beanpost.urls import handler400, handler403, handler404, handler500  # noqa: F401 (Django reads them here)
from tests.friends import seat_friends
from tests.pages.table import move_link

CHARSETS = ("punycode", "idna", "utf-7", "nonsense", "utf-16", "")
FORMS = ("multipart/form-data; boundary=x", "application/x-www-form-urlencoded", "text/plain")
SLOW = b'--x\r\nContent-Disposition: form-data; name="address"\r\n\r\n' + b"z9" * 240_000 + b"\r\n--x--\r\n"
BROKEN = b"--x\r\n\xff", "multipart/form-data; boundary=x; boundary"
CSRF = "c" * 32


def fail(error):
    def view(request):
        raise error

    return view


def remember(request):
    """Change the session: it is stored after the view."""
    request.session["beans"] = request.session.get("beans", 0) + 1
    return HttpResponse("counted")


urlpatterns = [
    path("counting/", remember),
    path("broken/", fail(RuntimeError("a hand of cards"))),
    path("odd/", fail(SuspiciousOperation("a hand of cards"))),
    path("closed/", fail(PermissionDenied("a hand of cards"))),
    path("", include("beanpost.urls")),
]
pytestmark = pytest.mark.urls(__name__)


@pytest.mark.parametrize(
    ("address", "status", "heading"),
    [
        ("/broken/", 500, "Something went wrong on our side"),
        ("/odd/", 400, "We couldn’t read that request"),
        ("/closed/", 403, "You don’t have access to this page"),
        ("/nowhere/", 404, "Page not found"),
    ],
)
def test_every_error_has_its_page_and_reveals_nothing(address, status, heading, client):
    client.raise_request_exception = False
    page = client.get(address)
    assert page.status_code == status
    assert f"<h1>{heading}</h1>" in page.content.decode()
    assert "a hand of cards" not in page.content.decode()


@pytest.mark.django_db
@pytest.mark.parametrize("visits_before", [0, 1])
def test_a_session_that_a_full_disk_cannot_store_gets_a_sentence(visits_before, client, monkeypatch):
    for _ in range(visits_before):
        client.get("/counting/")

    def fail(*args, **options):
        raise OperationalError("database or disk is full")

    monkeypatch.setattr(Session, "save", fail)
    client.raise_request_exception = False
    page = client.get("/counting/")
    assert (page.status_code, "We couldn’t store that" in page.text) == (503, True)


@pytest.mark.django_db
def test_a_session_that_is_deleted_meanwhile_is_no_fault_of_the_database(client, monkeypatch):
    """The visitor signs out in another window."""
    client.get("/counting/")
    client.raise_request_exception = False
    monkeypatch.setattr(SessionStore, "load", lambda store: {})
    Session.objects.all().delete()
    assert client.get("/counting/").status_code == 400


@pytest.mark.django_db
def test_an_oversized_form_is_refused_unread(client):
    match = seat_friends()
    for size in (400_000, 3_000_000):
        page = client.post(move_link(match), {"note": "x" * size})
        assert page.status_code == 400
    assert match.events.count() == 2


@pytest.mark.django_db
def test_a_long_list_of_people_is_not_too_large_a_form(admin_client):
    """A list of 60,000 letters may be longer than half a megabyte in a form."""
    page = admin_client.post("/admin/leagues/season/1/do/invite/", {"people": "é" * 400_000})
    assert page.status_code == 404  # there is no such season


@pytest.mark.django_db
@pytest.mark.parametrize("is_signed_in", [False, True])
def test_only_staff_may_send_a_long_list_of_people(is_signed_in, stranger, django_user_model):
    if is_signed_in:
        stranger.force_login(django_user_model.objects.create_user("zoe"))
    for body, kind in ((b"x" * 400_000, FORMS[1]), (SLOW, FORMS[0])):
        page = stranger.generic("POST", "/admin/leagues/season/1/do/invite/", body, kind)
        assert page.status_code == 400
        assert page.wsgi_request._read_started is False


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("kind", "body"),
    [(f"{FORMS[1]}; charset=punycode", b"x"), BROKEN[::-1], (FORMS[1], b"x" * 400_000), (FORMS[1], b"x&" * 2_000)],
    ids=["a charset", "a broken form", "a large form", "many fields"],
)
def test_a_bad_request_is_logged_in_one_line_as_a_warning(kind, body, stranger, caplog):
    caplog.clear()
    assert stranger.generic("POST", "/sign-in/", body, kind).status_code == 400
    about = [record for record in caplog.records if record.name.startswith("django")]
    assert [(record.levelname, record.exc_info, record.exc_text) for record in about] == [("WARNING", None, None)]


@pytest.fixture
def stranger():
    """A visitor with a CSRF cookie, which makes Django read the form before any view."""
    client = Client(raise_request_exception=False, enforce_csrf_checks=True)
    client.cookies["csrftoken"] = CSRF
    client.get("/nowhere/")  # reads the templates
    return client


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("address", "status"),
    [("/sign-in/", 400), ("/admin/login/", 400), ("/admin/", 400), ("/nowhere/", 404), ("/static/nothing.css", 404)],
)
@pytest.mark.parametrize("charset", CHARSETS)
def test_a_request_in_another_charset_is_refused_before_its_form_is_read(charset, address, status, stranger):
    for kind in FORMS:
        began = time.thread_time()
        page = stranger.generic("POST", address, SLOW, f"{kind}; charset={charset}")
        assert (page.status_code, time.thread_time() - began < 0.3) == (status, True)
        assert page.wsgi_request._read_started is False
        assert ("<h1>We couldn’t read that request</h1>" in page.content.decode()) is (status == 400)
        assert "Content-Security-Policy" in page.headers


@pytest.mark.django_db
def test_a_form_in_utf_8_is_read(client):
    for name in ("utf-8", "UTF-8"):
        form = b"address=nobody%40example.org"
        assert client.generic("POST", "/sign-in/", form, f"{FORMS[1]}; charset={name}").status_code == 200


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("address", "status"),
    [("/nowhere/", 404), ("/static/nothing.css", 404), ("/broken/", 500), ("/odd/", 400), ("/sign-in/", 400)],
)
def test_an_error_page_does_not_read_the_form_again(address, status, stranger):
    page = stranger.generic("POST", address, *BROKEN)
    assert page.status_code in (400, status)
    assert "<h1>" in page.content.decode()


def test_an_error_page_is_in_the_visitors_language(stranger):
    for charset, address in (("punycode", "/sign-in/"), ("utf-8", "/nowhere/")):
        page = stranger.generic(
            "POST", address, b"", f"{FORMS[1]}; charset={charset}", headers={"Accept-Language": "fr"}
        )
        assert '<html lang="fr">' in page.content.decode()


@pytest.fixture
def application(monkeypatch, stranger):
    """What gunicorn serves. Importing it makes this process a web process, for this test only."""
    monkeypatch.setenv("BEANPOST_WEB", "yes")
    monkeypatch.setattr(uptime, "started_at", uptime.NEVER)
    from beanpost.wsgi import application  # noqa: PLC0415

    return application


@pytest.mark.django_db
@pytest.mark.parametrize(
    "kind",
    [
        'text/plain; a="' + ";" * 30_000,
        "text/plain; a=b" + ";" * 30_000,
        "multipart/form-data; boundary*=punycode''x-" + "z9" * 14_000,
        "text/plain; a*=nonsense''b",
        "text/plain; a*=undefined''b",
        "text/plain; charset=utf-8; Charset = punycode",
        "application/x-www-form-urlencoded; charset=punycode",
    ],
    ids=[
        "quoted semicolons",
        "semicolons",
        "a slow charset",
        "an unknown charset",
        "a failing charset",
        "of the query",
        "a form in a slow charset",
    ],
)
def test_an_odd_content_type_is_refused_before_django_parses_it(kind, application):
    environment = {
        "REQUEST_METHOD": "GET", "PATH_INFO": "/rules/", "CONTENT_TYPE": kind, "SERVER_NAME": "localhost",
        "SERVER_PORT": "80", "QUERY_STRING": "x=" + "z9" * 14_000 + "_", "wsgi.input": BytesIO(),
        "wsgi.url_scheme": "http",
    }  # fmt: skip
    answered: list[str] = []
    began = time.thread_time()
    application(environment, lambda status, headers, *rest: answered.append(status))
    assert (answered, time.thread_time() - began < 0.3) == (["400 Bad Request"], True)
