"""A turn and an organiser's work die before and after every statement and commit, in one of two ways: the database ends
the connection, or the process is killed.

Then the usual retry runs. Nothing is lost, doubled or half done. CRASH_EVERY=1 tries every place.
"""

import os
import re
import signal
import time
from contextlib import suppress
from datetime import timedelta
from itertools import count

import psycopg
import pytest
from django.contrib.auth import get_user_model
from django.db import Error, connection
from django.db.backends.base.base import BaseDatabaseWrapper

from beanpost.leagues.models import Fixture, LeagueEvent, Round
from beanpost.leagues.seasons import rounds
from beanpost.play import moves
from beanpost.play.errors import Unplayed
from beanpost.play.log import audit
from beanpost.play.models import Event, Match, Wait
from beanpost.play.timekeeping import timeouts
from beanpost.players.models import Player
from beanpost.post.deliver import sending
from beanpost.post.models import Letter, Reply
from beanpost.post.outbox import claims
from beanpost.post.receive import child_process, inbox, replies
from tests.friends import NOON, seat_friends
from tests.leagues.conftest import signed_in
from tests.leagues.office import do, fill_season, found_league, invent_results
from tests.post.answering import DOMAIN, address, mail

pytestmark = [pytest.mark.postgres, pytest.mark.django_db(transaction=True)]

DAY = timedelta(days=1)
EVERY = int(os.environ.get("CRASH_EVERY", "25"))  # odd: crashes before and after alternate, as do both ways
BEGUN = count(1)


class Crash:
    """Crash at one place: before (even) or after (odd) a statement or a commit. Count the places."""

    def __init__(self, place=None):
        self.place, self.count = place, 0
        self.kills = place is not None and place // 2 % 2
        self.commit = BaseDatabaseWrapper._commit

    def pass_place(self):
        if self.count == self.place:
            if self.kills:
                os.kill(os.getpid(), signal.SIGKILL)
            end_connection()
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

    def during(self, work):
        """Do the work until the crash; in a process of its own if it is to be killed."""
        if not self.kills:
            self.do(work)
            assert self.place is None or self.count > self.place
        elif child := fork():
            assert os.WTERMSIG(os.waitpid(child, 0)[1]) == signal.SIGKILL
            wait_until_alone()
        else:
            child_process.CHILD = child_process.ChildProcess()
            self.do(work)
            os._exit(0)

    def do(self, work):
        connection.ensure_connection()
        BaseDatabaseWrapper._commit = lambda line: self.committing(line)
        try:
            with suppress(Error), connection.execute_wrapper(self.around):
                work()
        finally:
            BaseDatabaseWrapper._commit = self.commit
        connection.close()


def end_connection():
    pid, names = connection.connection.info.backend_pid, ("host", "port", "user", "password", "dbname")
    server = connection.get_connection_params()
    with psycopg.connect(**{name: server[name] for name in names if server.get(name)}) as other:
        assert other.execute("SELECT pg_terminate_backend(%s, 5000)", [pid]).fetchone() == (True,)


def fork():
    connection.close()  # two processes must not share it
    return os.fork()


def wait_until_alone():
    """Wait until the server has noticed that the process is dead: rows that it locked would be skipped."""
    ours = "datname = current_database() AND pid <> pg_backend_pid() AND backend_type = 'client backend'"
    with connection.cursor() as cursor:
        while cursor.execute(f"SELECT count(*) FROM pg_stat_activity WHERE {ours}").fetchone()[0]:
            time.sleep(0.01)


class Turn:
    """A table of three friends, one of whom is asked."""

    def __init__(self):
        self.now = NOON + next(BEGUN) * 3 * DAY  # so that nobody invites too often
        Letter.objects.update(state=Letter.State.SENT)
        Wait.objects.all().delete()
        self.match = seat_friends(now=self.now)
        self.wait = self.match.waits.get()

    def outcome(self):
        """Return all that the work changes, in a form that is the same for every table."""
        match = Match.objects.get(pk=self.match.pk)
        assert list(audit.find_differences(match)) == []
        return (
            list(Event.objects.filter(match=match).order_by("seq").values_list("seq", "seat", "origin", "line")),
            list(Wait.objects.filter(match=match).order_by("seat").values_list("seat", "opened")),
            sorted(match.letters.values_list("recipient__name", "kind")),
        )


class Press(Turn):
    def work(self):
        with suppress(Unplayed):  # it was played before the crash
            moves.play(self.match.pk, self.wait.seat, "pass", origin="player", question=self.wait.opened, now=self.now)


class TimeOut(Turn):
    def work(self):
        Wait.objects.update(stalled_at=None)  # the sweep does so after ten minutes
        timeouts.time_out_all(self.now + 2 * DAY)


class Letters(Turn):
    def work(self):
        claims.reclaim_all(self.now)  # their sender is dead: their lease ends
        Letter.objects.filter(state=Letter.State.RETRY).update(due_at=self.now)
        sending.deliver(lambda: self.now)

    def outcome(self):
        return super().outcome(), sorted(self.match.letters.values_list("recipient__name", "kind", "state"))


class ReplyByMail(Turn):
    """The sender's mail server sends it again, and the reader tries again after a pause."""

    def __init__(self):
        super().__init__()
        Player.objects.update(confirmed_at=None)
        sending.deliver(lambda: self.now)
        self.letter = self.match.letters.get(kind="turn")

    def work(self):
        inbox.receive(mail(self.letter, "pass"), address(self.letter), sender="bob@example.org", now=self.now)
        Reply.objects.filter(state=Reply.State.WAITING).update(due_at=self.now)
        replies.read_waiting(lambda: self.now)

    def outcome(self):
        confirmed = Player.objects.exclude(confirmed_at=None).values_list("name", flat=True)
        return super().outcome(), list(self.letter.replies.values_list("state", "finding")), list(confirmed)


class RoundStart:
    """An organiser's press of a button, which they repeat after an error."""

    def __init__(self):
        self.olga = get_user_model().objects.filter(username="olga").first() or self.sign_up()
        self.season = fill_season(found_league(f"League{next(BEGUN)}", self.olga), 3, size=3, rounds=1)
        self.division = self.season.divisions.get()
        rounds.draw(self.division, by=None, now=NOON)
        self.round = self.division.rounds.get()
        self.client = signed_in(self.olga)
        self.earlier = list(Letter.objects.values_list("pk", flat=True))

    def sign_up(self):
        return get_user_model().objects.create_superuser("olga", email="olga@example.org", password="beans")

    def work(self):
        do(self.client, self.round, "publish")

    def outcome(self):
        fixtures = Fixture.objects.filter(round=self.round)
        for fixture in fixtures.exclude(match=None):
            assert list(audit.find_differences(fixture.match)) == []
        letters = Letter.objects.exclude(pk__in=self.earlier)
        return (
            list(Round.objects.filter(division=self.division).values_list("phase")),
            list(fixtures.values_list("ending", "reason", "chairs__rank", "match__phase").order_by("chairs__seat")),
            Match.objects.filter(keeper=self.season.league.keeper).count(),
            sorted(letters.values_list("recipient__name", "kind")),
            list(LeagueEvent.objects.filter(season=self.season).values_list("kind", "reason")),
        )


class Correction(RoundStart):
    def __init__(self):
        super().__init__()
        rounds.publish(self.round, now=NOON)
        invent_results(self.round)
        self.fixture = self.round.fixtures.get()

    def work(self):
        """Look at the table first, as an organiser does after an error."""
        if Fixture.objects.get(pk=self.fixture.pk).ending == Fixture.Ending.ADJUDICATED:
            return
        ranks = {f"chair{chair.pk}": rank for chair, rank in zip(self.fixture.chairs.all(), (1, 1, 3), strict=True)}
        do(self.client, self.fixture, "correct", **ranks, reason="Two tied.", announce="on")


@pytest.mark.parametrize("kind", [Press, TimeOut, Letters, ReplyByMail, RoundStart, Correction])
def test_a_crash_at_any_statement_neither_loses_nor_doubles_anything(kind, settings, tmp_path):
    settings.INBOUND_DOMAIN = DOMAIN
    settings.EMAIL_BACKEND = "django.core.mail.backends.filebased.EmailBackend"  # also for a process that is killed
    expected, places, place = None, None, None
    while place is None or place < places:
        settings.EMAIL_FILE_PATH = tmp_path / f"{place}"
        settings.EMAIL_FILE_PATH.mkdir()
        case = kind()
        crash = Crash(place)
        crash.during(case.work)
        case.work()
        sent = "".join(file.read_text() for file in settings.EMAIL_FILE_PATH.glob("*"))
        ids = re.findall(r"^Message-ID: (.*)", sent, re.M)
        found = (case.outcome(), len(set(ids)))
        if place is None:
            expected, places, place = found, crash.count, 0
            assert places > 20
            continue
        assert found == expected, f"{kind.__name__}, place {place} of {places}"
        assert len(ids) - len(set(ids)) <= 1  # one may be sent again, with the same Message-ID
        place += EVERY
    print(f"{kind.__name__}: {len(range(0, places, EVERY))} of {places} places tried.")
