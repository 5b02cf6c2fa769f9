"""The clock does the urgent work itself while the broker or the workers are down."""

from datetime import timedelta
from threading import Event

import pytest
from django.core import mail

from beanpost.management.commands import clock as command
from beanpost.play import clock
from beanpost.play.models import Pulse, Wait
from beanpost.post.models import Letter
from tests.friends import NOON, seat_friends

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.time_machine(NOON)]


class Looks(Event):
    """Stop the watch after its first check."""

    def wait(self, timeout=None):
        seen, self.seen = getattr(self, "seen", False), True
        return seen


@pytest.fixture
def match(settings):
    settings.EMAIL_BACKEND = "django.core.mail.backends.locmem.EmailBackend"
    now = clock.now()
    match = seat_friends(now=now)
    Letter.objects.update(due_at=now)
    return match


def heartbeat(seconds):
    Pulse.objects.update_or_create(pk=1, defaults={"beat_at": clock.now() - timedelta(seconds=seconds)})


def test_the_clock_sweeps_and_sends_letters_while_the_workers_are_silent(match):
    heartbeat(seconds=50)
    Wait.objects.update(due_at=clock.now() - timedelta(seconds=10), remind_at=None)
    lines = match.events.count()
    command.watch(Looks())
    assert clock.now() - Pulse.objects.get().beat_at < timedelta(seconds=30)
    assert match.events.count() > lines  # a grace period, or the default move
    assert mail.outbox


def test_the_clock_sends_the_link_to_sign_in_while_the_workers_are_silent(match, client):
    Letter.objects.update(state=Letter.State.DROPPED)
    client.post("/sign-in/", {"address": "ann@example.org"})
    heartbeat(seconds=50)
    command.watch(Looks())
    assert [letter.to for letter in mail.outbox] == [["ann@example.org"]]


def test_the_clock_leaves_the_work_to_the_workers_while_they_sweep(match):
    heartbeat(seconds=20)
    command.watch(Looks())
    assert mail.outbox == []


def test_the_clock_sends_letters_when_workers_sweep_but_take_none(match):
    heartbeat(seconds=20)
    Letter.objects.update(due_at=clock.now() - timedelta(minutes=3))
    command.watch(Looks())
    assert mail.outbox


def test_the_clock_waits_for_workers_that_have_never_swept(match):
    command.watch(Looks())
    assert mail.outbox == []


def test_the_clock_keeps_watching_while_the_database_is_down(monkeypatch):
    def fail():
        raise command.Error

    monkeypatch.setattr(command, "is_silent", fail)
    command.watch(Looks())


def test_letters_go_within_a_minute():
    assert command.SILENCE + command.A_LOOK < 60
