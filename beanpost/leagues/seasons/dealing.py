"""Deal a league's tables: when all players have answered, or a day after the last of them was told of the table.

Players have accepted the season, so they need not accept each table. The day gives them time to add a word for the
shuffle, after they have read our commitment, or to say that they can't play.
"""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

from django.db import transaction
from django.db.models import Max, QuerySet

from beanpost.database import batches
from beanpost.leagues.locks import lock_season
from beanpost.leagues.models import Fixture, Round
from beanpost.leagues.seasons import rounds, substitutes
from beanpost.play.models import Match
from beanpost.play.seats import league_tables
from beanpost.post.compose import contents

TIME_TO_ANSWER = timedelta(hours=24)
BATCH = 200


def find_waiting_tables() -> QuerySet[Any]:
    """Return tables that wait only for answers, with the time when the last of their players was told."""
    tables = rounds.find_tables_to_begin().filter(ending=Fixture.Ending.OPEN, round__phase=Round.Phase.PUBLISHED)
    return tables.filter(round__division__paused_at=None).annotate(told_at=Max("match__places__invited_at"))


def find_deal_time(match: Match) -> datetime | None:
    """Return when a table is dealt at the latest.

    None if it is dealt, or waits for more than answers: a seat is empty, or its division is paused.
    """
    table = find_waiting_tables().filter(match=match).first()
    return table.told_at + TIME_TO_ANSWER if table else None


def deal_due_tables(now: datetime) -> int:
    """Deal the tables whose players have had their day. Return how many."""
    due = find_waiting_tables().filter(told_at__lte=now - TIME_TO_ANSWER).order_by("pk")[:BATCH]
    tables = list(due.select_related("match", "round__division__season"))
    return sum(batches.run_safely(f"The deal of table {table.pk}", deal_table, table, now=now) for table in tables)


@transaction.atomic
def deal_table(fixture: Fixture, *, now: datetime) -> bool:
    lock_season(fixture.round.division.season)
    if not find_waiting_tables().filter(pk=fixture.pk, told_at__lte=now - TIME_TO_ANSWER).exists():
        return False
    assert fixture.match is not None
    return league_tables.begin_anyway(fixture.match.pk, now=now).phase == Match.Phase.RUNNING


def describe_table(match: Match) -> contents.Contents:
    """Return what the letter and the page about a league's table say beyond a friend's invitation."""
    fixture = Fixture.objects.filter(match=match).select_related("round__division__season__league").first()
    if fixture is None:
        return {"fixture": None, "is_accepted": False, "seated": [], "deals_at": None, "is_replay": False}
    return {
        "fixture": fixture,
        "is_accepted": not fixture.chairs.filter(substitutes.has_not_accepted()).exists(),
        "seated": [place.name for place in match.places.order_by("seat")],
        "deals_at": find_deal_time(match),
        "is_replay": fixture.earlier_matches.exists(),
    }


contents.INVITATION_EXTRAS.append(describe_table)
