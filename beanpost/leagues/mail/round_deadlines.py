"""Deadlines of rounds: tables that are still open, and a letter that warns their players a few days before."""

from __future__ import annotations

from datetime import date, datetime, timedelta

from django.db import transaction
from django.db.models import Q, QuerySet
from django.template.defaultfilters import date as in_words
from django.utils.translation import gettext as _

from beanpost.leagues import locks
from beanpost.leagues.mail import letters
from beanpost.leagues.models import Entry, Fixture, Round
from beanpost.players.models import Player

WARN_BEFORE = timedelta(days=3)


def find_day(now: datetime) -> date:
    """Return the day by which deadlines are judged: in UTC, like all times of the office."""
    return now.date()


def choose_default_deadline(round_days: int | None, now: datetime) -> date | None:
    """Return when a round that starts now should be over."""
    return find_day(now) + timedelta(days=round_days) if round_days else None


def find_open_tables(rounds: QuerySet[Round]) -> QuerySet[Fixture]:
    """Return tables of rounds being played that have no result yet."""
    played = rounds.filter(phase=Round.Phase.PUBLISHED)
    return Fixture.objects.filter(round__in=played.values("pk"), ending=Fixture.Ending.OPEN)


def find_overdue_tables(rounds: QuerySet[Round], now: datetime) -> QuerySet[Fixture]:
    """Return tables without a result although the deadline of their round has passed."""
    late = find_open_tables(rounds).filter(round__due_on__lt=find_day(now))
    ordered = late.order_by("round__due_on", "round__division__season", "round__division__level", "round", "table")
    return ordered.select_related("round__division__season__league")


def find_rounds_to_warn(now: datetime) -> QuerySet[Round]:
    """Return rounds that end in a few days and whose players have not been warned yet."""
    soon = Q(due_on__gte=find_day(now), due_on__lte=find_day(now + WARN_BEFORE))
    return Round.objects.filter(soon, phase=Round.Phase.PUBLISHED, warned_on=None)


@transaction.atomic
def warn_players(round_: Round, *, now: datetime) -> int:
    """Tell the players of open tables once that their round is nearly over. Return how many letters are queued."""
    season = round_.division.season
    locks.lock_row(season, round_)
    if not find_rounds_to_warn(now).filter(pk=round_.pk).exists():
        return 0
    round_.warned_on = find_day(now)
    round_.save(update_fields=["warned_on"])
    tables = find_open_tables(Round.objects.filter(pk=round_.pk)).values("pk")
    there = (Entry.State.ENTERED, Entry.State.SUBSTITUTE)
    accepted = Entry.objects.filter(season=season, state__in=there).values("player")
    players = Player.objects.filter(chairs__fixture__in=tables, pk__in=accepted).distinct()
    key, page = f"round/{round_.pk}/deadline", {"season": season.pk}
    nth = f"{round_.due_on}"
    return letters.announce(
        season.league, players, lambda: describe_warning(round_), "", page=page, key=key, now=now, about=round_, nth=nth
    )


def describe_warning(round_: Round) -> str:
    sentence = _("%(round)s ends on %(day)s, and your table has no result yet. Please finish it in time.")
    return sentence % {"round": round_, "day": in_words(round_.due_on)}
