"""Error pages: a page in our own words, whatever went wrong."""

import pytest
from django.core.exceptions import PermissionDenied, SuspiciousOperation
from django.urls import include, path

from tests.friends import seat_friends
from tests.pages.table import move_link


def fail(error):
    def view(request):
        raise error

    return view


urlpatterns = [
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
def test_an_oversized_form_is_refused_unread(client):
    match = seat_friends()
    page = client.post(move_link(match), {"note": "x" * 3_000_000})
    assert page.status_code == 400
    assert match.events.count() == 2
