"""What stood in letters is forgotten with the time, and never what became of them."""

from datetime import timedelta

import pytest

from beanpost.play.models import Match
from beanpost.players import book
from beanpost.post import keeping, outbox
from beanpost.post.models import Body, Letter
from tests.friends import NOON
from tests.post.gallery import deliver

pytestmark = pytest.mark.django_db


def test_bodies_are_forgotten_a_month_after_the_end_and_envelopes_are_kept(match):
    deliver()
    Match.objects.filter(pk=match.pk).update(ended_at=NOON, phase=Match.Phase.ENDED)
    assert keeping.erase(NOON + timedelta(days=29)) == 0
    written = Body.objects.count()
    assert written
    assert keeping.erase(NOON + timedelta(days=31)) == written
    for letter in Letter.objects.all():
        assert (letter.text, letter.html, bytes(letter.source), letter.options, letter.values) == ("", "", b"", [], {})
    assert Letter.objects.filter(state=Letter.State.SENT, address__contains="@").count() == written
    assert keeping.erase(NOON + timedelta(days=31)) == 0


def test_what_is_forgotten_is_not_sent_again(match):
    Letter.objects.update(state=Letter.State.FAILED)  # never written: it would be now, from what it was queued with
    Match.objects.filter(pk=match.pk).update(ended_at=NOON)
    later = NOON + timedelta(days=31)
    keeping.erase(later)
    assert outbox.resend(Letter.objects.all(), later) == 0
    assert set(Letter.objects.values_list("state", flat=True)) == {Letter.State.FAILED}


def test_a_letter_of_no_match_is_forgotten_with_the_time_and_not_sent_again(db):
    ann = book.welcome("ann@example.org", name="Ann", now=NOON)
    outbox.queue(ann, "settings", "settings/1", now=NOON)
    deliver()
    assert outbox.resend(Letter.objects.all(), NOON + timedelta(days=31)) == 0
    assert outbox.resend(Letter.objects.all(), NOON + timedelta(days=29)) == 1


def test_nothing_of_a_running_match_is_forgotten(match):
    deliver()
    assert keeping.erase(NOON + timedelta(days=300)) == 0
