"""How a pace and a deadline read: exact, and never two things that don't go together."""

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from django.core.exceptions import ValidationError
from django.utils import timezone, translation

from beanpost.play.deadlines import waits
from beanpost.play.display import scene
from beanpost.play.display.story import tell_story
from beanpost.play.display.wording import format_your_time, name_pace
from beanpost.play.models import Match, Place
from beanpost.play.pace import check_pace, parse_pace
from beanpost.play.timekeeping import timeouts
from beanpost.play.turns import house_lines
from tests.friends import NOON, seat_friends

HOUR = timedelta(hours=1)
NEW_YORK, PARIS = ZoneInfo("America/New_York"), ZoneInfo("Europe/Paris")


@pytest.mark.parametrize(
    ("pace", "reason"),
    [
        ("1d quiet 22-6 at 7", "Time can’t run out at 7: .* Choose an hour from 8 to 21."),
        ("1d quiet 22-6 at 23", "Time can’t run out at 23"),
        ("60d days 1", "One move could take 420 days, .* The most is 120."),
        ("1d window 60d days 12", "One move could take 210 days"),
    ],
)
def test_a_pace_that_would_not_keep_its_word_is_refused_with_the_reason(pace, reason):
    with pytest.raises(ValidationError, match=reason):
        check_pace(pace)


@pytest.mark.parametrize("pace", ["1d quiet 22-6 at 8", "1d quiet 22-6 at 21", "60d bank 60d", "1d quiet 6-22 at 0"])
def test_a_pace_at_the_limit_is_allowed(pace):
    check_pace(pace)


@pytest.mark.django_db
def test_a_match_whose_pace_is_refused_now_runs_on():
    match = seat_friends()
    Match.objects.update(pace="1d quiet 22-6 at 7")
    assert timeouts.time_out_all(NOON + timedelta(days=1)) == 1
    assert match.waits.get().due_at == datetime(2026, 11, 19, 8, tzinfo=UTC)


def test_a_time_in_minutes_is_told_in_minutes():
    assert name_pace("90m") == "90 minutes per move"
    assert name_pace(str(parse_pace("36h"))) == "36 hours per move"


@pytest.mark.django_db
def test_no_time_is_told_beside_a_deadline_that_it_does_not_explain():
    match = seat_friends(pace="weekend-free", now=datetime(2026, 11, 20, 18, tzinfo=UTC))
    seat = match.waits.get().seat
    assert scene.build_scene(match, seat).question.time_given == ""
    usual = seat_friends(pace="weekend-free", now=datetime(2026, 11, 17, 18, tzinfo=UTC))
    assert scene.build_scene(usual, seat).question.time_given == "one day"
    wait = usual.waits.get()
    waits.give_time(wait, usual, Place.objects.select_related("player").get(match=usual, seat=seat), 48 * HOUR)
    house_lines.extend(usual, wait, "organiser", NOON)
    usual.refresh_from_db()
    assert scene.build_scene(usual, seat).question.time_given == ""


@pytest.mark.parametrize(
    ("zone", "at", "read"),
    [
        (NEW_YORK, datetime(2026, 11, 1, 5, 30, tzinfo=UTC), "Sun 1 Nov, 01:30 EDT your time"),
        (NEW_YORK, datetime(2026, 11, 1, 6, 30, tzinfo=UTC), "Sun 1 Nov, 01:30 EST your time"),
        (NEW_YORK, datetime(2026, 11, 1, 7, 30, tzinfo=UTC), "Sun 1 Nov, 02:30 your time"),
        (PARIS, datetime(2026, 10, 25, 0, 30, tzinfo=UTC), "Sun 25 Oct, 02:30 CEST your time"),
    ],
)
def test_the_hour_that_comes_twice_is_told_with_the_zones_abbreviation(zone, at, read):
    with timezone.override(zone):
        assert format_your_time(at) == read


@pytest.mark.django_db
def test_a_deadline_in_another_year_has_its_year():
    asked = datetime(2026, 12, 30, 12, tzinfo=UTC)
    due = asked + timedelta(days=3)
    assert format_your_time(due, asked) == "Sat 2 Jan 2027, 12:00 (UTC)"
    assert format_your_time(asked + HOUR, asked) == "Wed 30 Dec, 13:00 (UTC)"
    with translation.override("fr"), timezone.override(PARIS):
        assert format_your_time(due, asked) == "samedi 2 janvier 2027 à 13 h 00 chez vous"
    match = seat_friends(pace="3d", now=asked)
    wait = match.waits.get()
    waits.give_time(wait, match, match.places.select_related("player").get(seat=wait.seat), 24 * HOUR)
    house_lines.extend(match, wait, "organiser", asked)
    match.refresh_from_db()
    assert "until Sun 3 Jan 2027, 12:00" in tell_story(match, None)[-1].text
