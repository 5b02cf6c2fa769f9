"""Deadlines: one reminder, then the default move, announced."""

from datetime import timedelta

import pytest

from beanpost.play import signals
from beanpost.play.display.story import tell_story
from beanpost.play.models import Event
from beanpost.play.timekeeping import reminders, timeouts
from tests.friends import NOON, seat_friends

pytestmark = pytest.mark.django_db


@pytest.fixture
def announced():
    """The names of the signals that were sent."""
    names: list[str] = []
    listeners = {name: lambda name=name, **_: names.append(name) for name in ("reminded", "late", "asked")}
    for name, listener in listeners.items():
        getattr(signals, name).connect(listener, weak=False)
    yield names
    for name, listener in listeners.items():
        getattr(signals, name).disconnect(listener)


def test_a_player_is_not_reminded_before_three_quarters_of_the_time(announced):
    seat_friends()
    announced.clear()
    assert reminders.remind_players(NOON + timedelta(hours=17)) == 0
    assert reminders.remind_players(NOON + timedelta(hours=18)) == 1
    assert reminders.remind_players(NOON + timedelta(hours=19)) == 0
    assert announced == ["reminded"]


def test_a_timeout_plays_the_default_once_and_is_announced(announced):
    match = seat_friends()
    announced.clear()
    assert timeouts.time_out_all(NOON + timedelta(hours=23, minutes=59)) == 0
    assert timeouts.time_out_all(NOON + timedelta(days=1)) == 1
    assert timeouts.time_out_all(NOON + timedelta(days=1)) == 0
    assert announced == ["asked", "late"]
    event = match.events.get(seq=3)
    assert (event.line, event.origin) == ("pass", Event.Origin.CLOCK)


def test_the_next_seat_has_its_whole_time_after_a_timeout():
    match = seat_friends()
    timeouts.time_out_all(NOON + timedelta(days=1))
    assert match.waits.get().due_at == NOON + timedelta(days=2)


def test_the_players_are_told_whose_time_was_up():
    match = seat_friends()
    late_seat = match.waits.get().seat
    timeouts.time_out_all(NOON + timedelta(days=1))
    match.refresh_from_db()
    name = match.places.get(seat=late_seat).name
    theirs, mine = (tell_story(match, reader)[-1].text for reader in (None, late_seat))
    assert theirs == f"{name} ran out of time, so we played. {name} passed and drew a card."
    assert mine.startswith("Your time ran out, so we played for you. You passed and drew ")


def test_an_abandoned_match_comes_to_its_end():
    match = seat_friends()
    now = NOON
    for _ in range(100):
        now += timedelta(days=1)
        timeouts.time_out_all(now)
    match.refresh_from_db()
    assert match.phase == "ended"
