"""What the office does by itself. All of it is safe to do twice."""

from __future__ import annotations

from datetime import datetime, timedelta

from django.db.models import Q

from beanpost.leagues import belongings, letters, ratings, seasons
from beanpost.leagues.models import Entry, League, Season
from beanpost.play import stumbling

SILENCE = timedelta(days=3)  # then an invitation is repeated, once
BATCH = 200
BY_NAME = ~Q(on_acceptance="") & ~Q(season__phase=Season.Phase.ENDED)  # asked to play in a season that is not over
MONDAY, MORNING = 1, 7  # when weekly letters go, in UTC


def ask_for_consent(now: datetime) -> int:
    """Invite the people whom an organiser once made play without asking them: they are in no draw until they accept."""
    never_asked = Entry.objects.filter(BY_NAME, state=Entry.State.INVITED, invited_at=None).order_by("pk")[:BATCH]
    return sum(
        stumbling.done(f"The invitation of entry {entry.pk}", seasons.ask_to, entry, entry.on_acceptance, now=now)
        for entry in never_asked
    )


def remind_silent(now: datetime) -> int:
    """Ask once more whoever was invited some days ago and has not answered."""
    old = Entry.objects.filter(
        state=Entry.State.INVITED,
        invited_at__lt=now - SILENCE,
        reminded_at=None,
    ).filter(Q(season__phase__in=(Season.Phase.PLANNED, Season.Phase.ENTERING)) | BY_NAME)
    entries = old.select_related("player")[:BATCH]
    return sum(stumbling.done(f"The reminder of entry {entry.pk}", seasons.remind, entry, now=now) for entry in entries)


def rate_again() -> bool:
    """A match that had ended was annulled: whoever sat there is rated as if it had not been, and so is everybody since.

    Not in the moment it is annulled: all matches are worked out again.
    """
    if not ratings.annulled().exists():
        return False
    ratings.recompute()
    return True


def write_weekly(now: datetime) -> int:
    """The weekly letter of every league that wants it sent by itself. Returns how many seasons that were."""
    if now.isoweekday() != MONDAY or now.hour < MORNING:
        return 0
    running = Season.objects.filter(phase=Season.Phase.RUNNING, league__weekly=League.Weekly.ITSELF)
    counts = (stumbling.done(f"The letter of season {one.pk}", letters.send_weekly, one, now=now) for one in running)
    return sum(count > 0 for count in counts)


def forget_strangers(now: datetime) -> int:
    """Whoever was asked long ago and never came."""
    found = list(belongings.strangers(now).order_by("pk").values_list("pk", flat=True)[:BATCH])
    return sum(stumbling.done(f"Forgetting player {pk}", belongings.forget_stranger, pk, now=now) for pk in found)
