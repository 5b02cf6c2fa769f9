"""Periodic work of the leagues. Every function is safe to run twice."""

from __future__ import annotations

from datetime import UTC, datetime, time, timedelta

from django.db.models import Q

from beanpost.database import batches
from beanpost.leagues.mail import letters, round_deadlines
from beanpost.leagues.models import Entry, League, Season
from beanpost.leagues.people import entries as season_entries
from beanpost.leagues.records import ratings
from beanpost.play.deadlines import outages

REMIND_AFTER = timedelta(days=3)  # after that, an invitation is repeated once
BATCH = 200
ASKED_BY_NAME = ~Q(on_acceptance="") & ~Q(
    season__phase=Season.Phase.ENDED
)  # asked to play in a season that is not over
MORNING = time(7)  # when weekly letters are queued on Mondays, in UTC


def remind_silent_people(now: datetime) -> int:
    """Remind people who were invited some days ago and have not answered."""
    old = Entry.objects.filter(
        state=Entry.State.INVITED,
        invited_at__lt=now - REMIND_AFTER,
        reminded_at=None,
    ).filter(Q(season__phase__in=(Season.Phase.PLANNED, Season.Phase.ENTERING)) | ASKED_BY_NAME)
    entries = old.select_related("player")[:BATCH]
    return sum(
        batches.run_safely(f"The reminder of entry {entry.pk}", season_entries.remind, entry, now=now)
        for entry in entries
    )


def warn_of_deadlines(now: datetime) -> int:
    """Write to players whose round is over in a few days and whose table has no result."""
    soon = round_deadlines.find_rounds_to_warn(now).select_related("division__season__league")[:BATCH]
    return sum(
        batches.run_safely(f"The warning of round {round_.pk}", round_deadlines.warn_players, round_, now=now)
        for round_ in soon
    )


def recompute_ratings_if_needed() -> bool:
    """Recompute all ratings if a finished match no longer counts, as if it had never been rated.

    Not at the moment of annulling: this replays every match.
    """
    if not ratings.find_annulled().exists():
        return False
    ratings.recompute_ratings()
    return True


def queue_weekly_letters(now: datetime) -> int:
    """Queue the weekly letter of every league that has it sent automatically. Return the number of seasons.

    It goes on Monday, or later in the week if the host was down until Monday was over.
    """
    morning = datetime.combine(now.date() - timedelta(days=now.isoweekday() - 1), MORNING, UTC)
    midnight = datetime.combine(morning.date() + timedelta(days=1), time(0), UTC)
    last_round = midnight - timedelta(hours=1)  # a host that woke after it queued nothing on Monday
    was_down = now >= midnight and any(ended > last_round for _, ended in outages.list_outages(morning, now))
    if now < morning or (now >= midnight and not was_down):
        return 0
    running = Season.objects.filter(phase=Season.Phase.RUNNING, league__weekly=League.Weekly.ITSELF)
    counts = [
        batches.run_safely(f"The letter of season {one.pk}", letters.send_weekly, one, now=now)
        for one in running
        if not (was_down and letters.is_weekly_sent(one, now))
    ]
    return sum(count > 0 for count in counts)
