"""All senders together keep a provider's rate limit, over any minute."""

from datetime import timedelta
from itertools import count

import pytest
from anymail.exceptions import AnymailRequestsAPIError
from django.core.mail.backends.base import BaseEmailBackend
from django.test import override_settings

from beanpost.post.deliver import sending
from beanpost.post.models import Letter, Meter
from beanpost.post.outbox import claims, queue
from tests.friends import NOON, welcome_player

pytestmark = pytest.mark.django_db
SECOND = timedelta(seconds=1)


@pytest.fixture
def thirty(settings):
    """Thirty letters for a provider that accepts twelve a minute."""
    settings.LETTERS_PER_MINUTE = 12
    settings.EMAIL_BACKEND = "django.core.mail.backends.dummy.EmailBackend"
    ann = welcome_player("ann@example.org", "Ann")
    for n in range(30):
        queue.queue(ann, "settings", f"settings/{n}", now=NOON)


def send(seconds: int) -> int:
    return sending.deliver(lambda: NOON + seconds * SECOND)


def test_no_more_letters_go_in_a_minute_than_the_provider_accepts(thirty):
    assert [send(at) for at in (0, 20, 59, 60, 61, 120)] == [12, 0, 0, 12, 0, 6]


def test_several_senders_share_the_limit(thirty):
    """If one takes five, seven are left."""
    assert len(claims.claim(NOON, 5)) == 5
    assert len(claims.claim(NOON + 30 * SECOND, 20)) == 7
    assert len(claims.claim(NOON + 60 * SECOND, 20)) == 5
    assert len(claims.claim(NOON + 89 * SECOND, 20)) == 0
    assert len(claims.claim(NOON + 90 * SECOND, 20)) == 7


def test_letters_count_from_when_they_were_handed_over(thirty):
    """A slow server gets the last of them a while after the first."""
    seconds = count(step=0.25)
    assert sending.deliver(lambda: NOON + next(seconds) * SECOND) == 12
    last = next(seconds) - 0.75  # two more calls: one for the elapsed time, one for the next batch
    assert last > 6
    assert [send(at) for at in (61, last + 59, last + 60)] == [0, 0, 12]


def test_the_rate_limit_forgets_letters_older_than_a_minute(thirty):
    send(0)
    send(60)
    [[at, letters]] = Meter.objects.get().taken
    assert (at, letters) == ((NOON + 60 * SECOND).timestamp(), 12)


def test_letters_are_not_counted_without_a_limit(thirty, settings):
    settings.LETTERS_PER_MINUTE = 0
    assert send(0) == 30
    assert not Meter.objects.exists()


def test_a_provider_that_asks_us_to_wait_is_left_alone_for_this_run(thirty, settings):
    settings.LETTERS_PER_MINUTE = 0
    with override_settings(EMAIL_BACKEND="tests.post.outbox.test_rate_limit.TooFast"):
        assert send(0) == 0
    assert TooFast.asked == 1
    assert set(Letter.objects.values_list("state", flat=True)) == {"retry", "queued"}
    assert send(60) == 30


class TooFast(BaseEmailBackend):
    """A backend that answers 429 to everything."""

    asked = 0

    def send_messages(self, messages):
        TooFast.asked += 1
        raise AnymailRequestsAPIError(response=Response())


class Response:
    status_code, text, reason, url = 429, "Slow down", "Too Many Requests", "https://provider.example"
    request = None
