"""The clock keeps its word: whatever happens to a deadline, the player gets the promised time plus what was lost."""

from datetime import UTC, date, datetime, timedelta

import pytest

from beanpost.leagues.seasons import tables
from beanpost.play import clock, load, tasks
from beanpost.play.deadlines import outages, waits
from beanpost.play.models import Event, Match, Outage, Place, Pulse
from beanpost.play.timekeeping import absence, mail_credits, missing_games, sweep
from beanpost.play.turns import house_lines
from beanpost.players import accounts
from tests.friends import seat_friends
from tests.play.timekeeping.test_absence import list_house_lines, move, waited_for

pytestmark = pytest.mark.django_db
HOUR, DAY = timedelta(hours=1), timedelta(days=1)
WORKING_DAYS = "3d days 12345 quiet 22-6"


def at(day: int, hour: int, minute: int = 0, *, month: int = 11) -> datetime:
    """Return an instant of November 2026. The 16th is a Monday."""
    return datetime(2026, month, day, hour, minute, tzinfo=UTC)


def due(match: Match) -> datetime:
    deadline: datetime = match.waits.get(due_at__isnull=False).due_at
    return deadline


def sleep(began: datetime, ended: datetime) -> None:
    """Let the host sleep from one sweep until the next."""
    Pulse.objects.update_or_create(pk=1, defaults={"beat_at": began})
    sweep.sweep(ended)


def wake_at(now: datetime) -> None:
    """Sweep as if the last sweep had been a moment ago."""
    Pulse.objects.update_or_create(pk=1, defaults={"beat_at": now})
    sweep.sweep(now)


# ── given back as the pace counts it ──


def test_an_outage_is_given_back_on_days_that_count():
    match = seat_friends(pace=WORKING_DAYS, now=at(17, 20))
    assert due(match) == at(20, 20)
    sleep(at(18, 12), at(20, 12))
    wake_at(at(20, 20))
    assert due(match) == at(24, 20)


def test_a_bounce_gives_another_day_that_counts():
    match = seat_friends(pace=WORKING_DAYS, now=at(17, 20))
    assert mail_credits.credit_bounce(match, waited_for(match).player, now=at(18, 9))
    assert due(match) == at(23, 20)


def test_an_organiser_gives_days_that_count(monkeypatch):
    match = seat_friends(pace=WORKING_DAYS, now=at(17, 20))
    place = waited_for(match)
    monkeypatch.setattr(tables, "lock_running_match", lambda _fixture: match)
    monkeypatch.setattr(tables, "load_place", lambda *_: place)
    tables.extend(type("Chair", (), {"fixture": None}), 2, now=at(18, 9))
    assert due(match) == at(24, 20)


def test_a_late_letter_gives_back_the_hours_of_days_that_count():
    match = seat_friends(pace=WORKING_DAYS, now=at(20, 20))
    wait, player = match.waits.get(), waited_for(match).player
    mail_credits.credit_late_letter(match, player, wait.opened, promised=at(20, 20), now=at(23, 3))
    assert due(match) == at(26, 8)  # 20:00 on Wednesday and seven hours, out of the quiet ones


def test_a_letter_that_was_late_in_an_outage_is_given_back_once():
    match = seat_friends(pace="3d", now=at(16, 12))
    wait, player = match.waits.get(), waited_for(match).player
    sleep(at(16, 12), at(16, 20))
    wake_at(at(16, 21))
    mail_credits.credit_late_letter(match, player, wait.opened, promised=at(16, 12), now=at(16, 21))
    wake_at(at(19, 13))
    assert due(match) == at(19, 21)


def test_a_letter_that_was_late_over_a_pause_gives_the_pause_back_once():
    match = seat_friends(pace="3d", now=at(16, 12))
    wait, player = match.waits.get(), waited_for(match).player
    house_lines.pause(load.lock_match(match.pk), Event.Origin.PLAYER, at(16, 14))
    house_lines.resume(load.lock_match(match.pk), Event.Origin.PLAYER, at(16, 20))
    assert due(match) == at(19, 18)
    mail_credits.credit_late_letter(match, player, wait.opened, promised=at(16, 12), now=at(16, 21))
    assert due(match) == at(19, 21)


def test_letters_that_come_late_or_bounce_in_a_pause_give_their_time_back():
    match = seat_friends(pace="3d", now=at(16, 12))
    wait, player = match.waits.get(), waited_for(match).player
    house_lines.pause(load.lock_match(match.pk), Event.Origin.PLAYER, at(16, 14))
    mail_credits.credit_late_letter(match, player, wait.opened, promised=at(16, 12), now=at(16, 20))
    assert mail_credits.credit_bounce(match, player, now=at(16, 21))
    house_lines.resume(load.lock_match(match.pk), Event.Origin.PLAYER, at(16, 22))
    assert due(match) == at(
        20, 22
    )  # three days from when the letter came, and another for the bounce, without the pause


def test_a_game_that_was_not_installed_before_and_in_a_pause_costs_no_reserve():
    match = seat_friends(pace="1d bank 1d", now=at(16, 12))
    Place.objects.update(bank=DAY)
    waits.begin_sitting(wait := match.waits.get(), match, waited_for(match), at(16, 12))
    wait.save()
    Match.objects.update(edition=7)
    missing_games.stop_clocks(at(16, 13))
    house_lines.pause(load.lock_match(match.pk), Event.Origin.PLAYER, at(17, 12))
    Match.objects.update(edition=1)
    house_lines.resume(load.lock_match(match.pk), Event.Origin.PLAYER, at(18, 12))
    move(match, at(18, 13))
    assert Place.objects.get(match=match, seat=wait.seat).bank == DAY  # two hours were used


def test_time_given_over_a_weekend_fills_no_reserve_beyond_the_time_saved():
    match = seat_friends(pace="1d bank 18h gain 6h days 12345", now=at(20, 12))
    Place.objects.update(bank=12 * HOUR)
    place = waited_for(match)
    wait = match.waits.get()
    waits.begin_sitting(wait, match, place, at(20, 12))
    waits.give_time(wait, match, place, 2 * DAY)
    house_lines.extend(match, wait, Event.Origin.ORGANISER, at(20, 12))
    move(match, due(match))
    place.refresh_from_db()
    assert place.bank == timedelta()  # a day and twelve hours were used, and two days were given


def test_forty_pauses_leave_the_time_there_was():
    for pace, longest in (("1d quiet 22-6", DAY), ("1d quiet 22-6 at 20", DAY)):
        match = seat_friends(pace=pace, now=at(16, 12))
        for hour in range(40):
            house_lines.pause(load.lock_match(match.pk), Event.Origin.PLAYER, at(16, 12) + hour * HOUR)
            house_lines.resume(load.lock_match(match.pk), Event.Origin.PLAYER, at(16, 12) + hour * HOUR + HOUR)
        match.refresh_from_db()
        house_lines.pause(load.lock_match(match.pk), Event.Origin.PLAYER, at(18, 4))
        assert match.waits.get().left == longest


# ── outages ──


def sweep_beside_a_fast_clock(ahead: timedelta, minutes: int) -> None:
    """Let two machines sweep twice a minute, one of them with its clock ahead."""
    sweep.sweep(at(16, 11, 59))
    for half in range(2 * minutes):
        now = at(16, 12) + half * timedelta(seconds=30)
        sweep.sweep(now + ahead)
        sweep.sweep(now + timedelta(seconds=15))


@pytest.mark.parametrize(("ahead", "minutes"), [(2 * HOUR, 10), (30 * HOUR, 60)])
def test_a_fast_clock_makes_no_outage_and_its_spans_are_not_added_up(ahead, minutes):
    match = seat_friends(pace="daily", now=at(15, 12))
    sweep_beside_a_fast_clock(ahead, minutes)
    assert not Outage.objects.exists()
    assert due(match) <= at(16, 12) + ahead + 2 * HOUR  # the first sweep of the fast clock came before any doubt


def test_overlapping_outages_are_given_back_once():
    match = seat_friends(pace="1d", now=at(16, 12))
    for minute in range(20):
        Outage.objects.create(began_at=at(16, 13, minute), ended_at=at(16, 15, minute))
    wake_at(at(17, 12))
    assert due(match) == at(17, 14, 19)


@pytest.mark.parametrize("off", [-2 * HOUR, timedelta(minutes=4), 2 * HOUR])
def test_a_machine_whose_clock_is_wrong_times_nobody_out(monkeypatch, off):
    match = seat_friends(pace="1d", now=at(16, 12))
    monkeypatch.setattr(outages, "read_database_time", lambda: at(17, 11))
    monkeypatch.setattr(clock, "now", lambda: at(17, 11) + off)
    tasks.sweep()
    tasks.share()
    assert not Pulse.objects.exists()
    assert due(match) == at(17, 12)
    monkeypatch.setattr(clock, "now", lambda: at(17, 11, 1))
    tasks.sweep()
    assert Pulse.objects.get().beat_at == at(17, 11, 1)


# ── never at night ──


def test_a_player_who_moved_is_not_timed_out_at_night_though_the_hour_is_fixed():
    match = seat_friends(pace="1d quiet 22-6 at 20", now=at(16, 12))
    assert due(match) == at(17, 20)
    accounts.change(waited_for(match).player, zone="Asia/Tokyo")
    wake_at(at(17, 20))
    assert due(match) == at(18, 11)  # 20:00 in Tokyo
    assert list_house_lines(match)[-1] == ("extend B to 2026-11-18T11:00Z", "house")
    assert not match.events.filter(seat=1, origin="clock").exists()


def test_no_reminder_goes_at_night_after_an_outage():
    match = seat_friends(pace="1d quiet 22-6", now=at(16, 3))
    assert match.waits.get().remind_at == at(16, 21)
    sleep(at(16, 20), at(17, 3))
    assert list_house_lines(match) == []
    wake_at(at(17, 6))
    assert list_house_lines(match) == [("remind B", "clock")]


def test_no_reminder_goes_at_night_to_a_player_who_has_moved():
    match = seat_friends(pace="1d quiet 22-6", now=at(16, 12))
    assert match.waits.get().remind_at == at(17, 6)
    accounts.change(waited_for(match).player, zone="America/Los_Angeles")
    wake_at(at(17, 6))  # 22:00 there
    assert list_house_lines(match) == [("extend B to 2026-11-17T16:00Z", "house")]  # at 12:00 it is 04:00 there
    wake_at(at(17, 14))
    assert list_house_lines(match)[-1] == ("remind B", "clock")


# ── away days ──


@pytest.mark.parametrize("asked", [at(19, 20, 59), at(19, 22, 30), at(20, 7), at(20, 9)])
def test_a_question_due_on_the_first_day_back_waits_through_it(asked):
    match = seat_friends(pace="1d quiet 22-6", now=asked)
    absence.announce_days_away(waited_for(match).player, date(2026, 11, 19), date(2026, 11, 20), now=asked)
    wake_at(due(match))
    assert due(match) == at(22, 8)
    wake_at(at(22, 8))
    assert match.events.filter(seat=1, origin="clock", line="pass").count() == 1


def test_the_first_day_back_costs_no_away_day():
    match = seat_friends(pace="1d quiet 22-6", now=at(20, 9))
    away = absence.announce_days_away(waited_for(match).player, date(2026, 11, 19), date(2026, 11, 20), now=at(19, 9))
    wake_at(due(match))
    away.refresh_from_db()
    assert (list_house_lines(match)[-1][1], away.days_used) == ("player", 0)


def test_each_match_waits_its_own_away_days():
    first, second = (seat_friends(pace=pace, now=at(16, 12)) for pace in ("1d", "5d"))
    Match.objects.update(away_days=3)
    absence.announce_days_away(waited_for(first).player, date(2026, 11, 16), date(2026, 11, 26), now=at(16, 12))
    for match, until in ((first, at(21, 0)), (second, at(25, 0))):
        wake_at(due(match))
        assert due(match) == until
        wake_at(until)
        assert match.events.filter(seat=1, line="pass", origin="clock").count() == 1


# ── every change of a deadline is a line of the log, and the calendar's number rises with it ──


def test_a_game_that_is_installed_again_writes_the_new_deadline():
    match = seat_friends(pace="1d", now=at(16, 12))
    Match.objects.update(edition=7)
    missing_games.stop_clocks(at(16, 18))
    length = match.events.count()
    Match.objects.update(edition=1)
    missing_games.restart_clocks(at(18, 12))
    assert list_house_lines(match)[-1] == ("extend B to 2026-11-19T06:00Z", "house")
    assert match.events.count() == length + 1


def test_a_deadline_is_a_whole_minute_as_it_is_printed():
    match = seat_friends(pace="1d", now=datetime(2026, 11, 16, 12, 0, 37, 5, tzinfo=UTC))
    assert due(match) == at(17, 12, 1)
