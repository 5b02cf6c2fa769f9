"""The database connection ends before and after every statement and commit of a press, a time-out and a letter.

Then the usual retry runs. Nothing is lost, doubled or half done. CRASH_EVERY=1 tries every place.
"""

import os
from contextlib import suppress
from datetime import timedelta

import psycopg
import pytest
from django.core import mail
from django.db import Error, connection
from django.db.backends.base.base import BaseDatabaseWrapper

from beanpost.play import moves
from beanpost.play.errors import Unplayed
from beanpost.play.log import audit
from beanpost.play.models import Event, Match, Wait
from beanpost.play.timekeeping import timeouts
from beanpost.post.deliver import sending
from beanpost.post.models import Letter
from beanpost.post.outbox import claims
from tests.friends import NOON, seat_friends

pytestmark = [pytest.mark.postgres, pytest.mark.django_db(transaction=True)]

DAY = timedelta(days=1)
EVERY = int(os.environ.get("CRASH_EVERY", "9"))  # an odd number: before and after take turns


class Crash:
    """End the connection at one place: before (even) or after (odd) a statement or a commit. Count the places."""

    def __init__(self, place=None):
        self.place, self.count, self.has_ended = place, 0, False
        self.commit = BaseDatabaseWrapper._commit
        self.server = connection.get_connection_params()

    def pass_place(self):
        if self.count == self.place:
            names = ("host", "port", "user", "password", "dbname")
            with psycopg.connect(**{name: self.server[name] for name in names if self.server.get(name)}) as other:
                ended = other.execute("SELECT pg_terminate_backend(%s, 5000)", [connection.connection.info.backend_pid])
                self.has_ended = ended.fetchone() == (True,)
        self.count += 1

    def around(self, execute, sql, params, many, context):
        self.pass_place()
        result = execute(sql, params, many, context)
        self.pass_place()
        return result

    def committing(self, line):
        self.pass_place()
        result = self.commit(line)
        self.pass_place()
        return result

    def during(self, work, match, now):
        connection.ensure_connection()
        BaseDatabaseWrapper._commit = lambda line: self.committing(line)
        try:
            with suppress(Error), connection.execute_wrapper(self.around):
                work(match, now)
        finally:
            BaseDatabaseWrapper._commit = self.commit
        connection.close()


def press(match, now):
    moves.play(match.pk, match.first, "pass", origin="player", question=match.opened, now=now)


def time_out(match, now):
    Wait.objects.update(stalled_at=None)  # the sweep does so after ten minutes
    timeouts.time_out_all(now + 2 * DAY)


def letters(match, now):
    claims.reclaim_all(now)  # their sender is dead: their lease ends
    Letter.objects.filter(state=Letter.State.RETRY).update(due_at=now)
    sending.deliver(lambda: now)


def outcome(match, letters_sent):
    """Return all that a piece of work changes, in a form that is the same for every match."""
    match = Match.objects.get(pk=match.pk)
    assert list(audit.find_differences(match)) == []
    return (
        list(Event.objects.filter(match=match).order_by("seq").values_list("seq", "seat", "origin")),
        list(Wait.objects.filter(match=match).order_by("seat").values_list("seat", "opened")),
        sorted(match.letters.values_list("recipient__name", "kind", "state" if letters_sent else "kind")),
    )


@pytest.mark.parametrize("work", [press, time_out, letters], ids=lambda work: work.__name__)
def test_a_crash_at_any_statement_neither_loses_nor_doubles_anything(work, settings):
    settings.EMAIL_BACKEND = "django.core.mail.backends.locmem.EmailBackend"
    expected, places, place = None, None, None
    while place is None or place < places:
        now = NOON + (0 if place is None else place + 1) * 3 * DAY  # so that nobody invites too often
        Letter.objects.update(state=Letter.State.SENT)
        Wait.objects.all().delete()
        mail.outbox = []
        match = seat_friends(now=now)
        wait = match.waits.get()
        match.first, match.opened = wait.seat, wait.opened
        crash = Crash(place)
        crash.during(work, match, now)
        with suppress(Unplayed):  # it was played before the crash
            work(match, now)
        ids = [letter.extra_headers.get("Message-ID") for letter in mail.outbox]
        found = (*outcome(match, work is letters), len(set(ids)))
        if place is None:
            expected, places, place = found, crash.count, 0
            assert places > 20
            assert bool(ids) == (work is letters)
            continue
        assert found == expected, f"{work.__name__}, place {place} of {places}"
        assert crash.has_ended
        assert len(ids) - len(set(ids)) <= 1  # one may be sent again, with the same Message-ID
        place += EVERY
    print(f"{work.__name__}: {len(range(0, places, EVERY))} of {places} places tried.")
