"""A provider's limit is kept, by all senders together and over any minute."""

from datetime import timedelta
from itertools import count

import pytest
from anymail.exceptions import AnymailRequestsAPIError
from django.core.mail.backends.base import BaseEmailBackend
from django.test import override_settings

from beanpost.post import outbox, sending
from beanpost.post.models import Letter, Meter
from tests.friends import NOON, welcome_player

pytestmark = pytest.mark.django_db
SECOND = timedelta(seconds=1)


@pytest.fixture
def thirty(settings):
    """Thirty letters, where the provider takes twelve a minute."""
    settings.LETTERS_PER_MINUTE = 12
    settings.EMAIL_BACKEND = "django.core.mail.backends.dummy.EmailBackend"
    ann = welcome_player("ann@example.org", "Ann")
    for n in range(30):
        outbox.queue(ann, "settings", f"settings/{n}", now=NOON)


def send(seconds: int) -> int:
    return sending.deliver(lambda: NOON + seconds * SECOND)


def test_no_more_letters_go_in_a_minute_than_the_provider_takes(thirty):
    assert [send(at) for at in (0, 20, 59, 60, 61, 120)] == [12, 0, 0, 12, 0, 6]


def test_several_senders_share_the_limit(thirty):
    """Whoever takes five leaves seven."""
    assert len(outbox.claim(NOON, 5)) == 5
    assert len(outbox.claim(NOON + 30 * SECOND, 20)) == 7
    assert len(outbox.claim(NOON + 60 * SECOND, 20)) == 5
    assert len(outbox.claim(NOON + 89 * SECOND, 20)) == 0
    assert len(outbox.claim(NOON + 90 * SECOND, 20)) == 7


def test_letters_count_from_when_they_were_handed_over(thirty):
    """A slow server has had the last of them a while after the first."""
    seconds = count(step=0.5)
    assert sending.deliver(lambda: NOON + next(seconds) * SECOND) == 12
    last = next(seconds) - 1.5  # then it was looked whether that took long, and for more
    assert last > 12
    assert [send(at) for at in (61, last + 59, last + 60)] == [0, 0, 12]


def test_the_meter_forgets_what_is_older_than_a_minute(thirty):
    send(0)
    send(60)
    [[at, letters]] = Meter.objects.get().taken
    assert (at, letters) == ((NOON + 60 * SECOND).timestamp(), 12)


def test_without_a_limit_nothing_is_counted(thirty, settings):
    settings.LETTERS_PER_MINUTE = 0
    assert send(0) == 30
    assert not Meter.objects.exists()


def test_a_provider_that_asks_us_to_wait_is_left_alone_for_this_run(thirty, settings):
    settings.LETTERS_PER_MINUTE = 0
    with override_settings(EMAIL_BACKEND="tests.post.test_meter.TooFast"):
        assert send(0) == 0
    assert TooFast.asked == 1
    assert set(Letter.objects.values_list("state", flat=True)) == {"retry", "queued"}
    assert send(60) == 30


class TooFast(BaseEmailBackend):
    """A provider that says 429 to everything."""

    asked = 0

    def send_messages(self, messages):
        TooFast.asked += 1
        raise AnymailRequestsAPIError(response=Response())


class Response:
    status_code, text, reason, url = 429, "Slow down", "Too Many Requests", "https://provider.example"
    request = None
