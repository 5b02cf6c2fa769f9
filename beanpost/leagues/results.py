"""How results come in: a league's match ends, and its fixture knows how everybody came out."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from django.core.exceptions import ValidationError
from django.db import transaction
from django.utils.translation import gettext as _

from beanpost.leagues import ratings
from beanpost.leagues.models import Chair, Fixture
from beanpost.play import scene
from beanpost.play.models import Match


def note(match: Match, *, now: datetime) -> Fixture | None:
    """Write down the result of a match that has ended, if it is a league's; standings are live from then on."""
    fixture = Fixture.objects.filter(match=match).select_related("round__division__season").first()
    if fixture is None or fixture.ending != Fixture.Ending.OPEN:
        return fixture
    result = scene.of(match, None).result
    if result is None:
        return fixture
    places = {place.seat: place for place in match.places.all()}
    for chair in fixture.chairs.all():
        chair.rank, chair.score = result.ranks[chair.seat], result.scores[chair.seat]
        chair.by_bot = places[chair.seat].is_bot
        chair.save(update_fields=["rank", "score", "by_bot"])
    decide(fixture, Fixture.Ending.PLAYED, "", now)
    ratings.count(match)
    return fixture


def decide(fixture: Fixture, ending: str, reason: str, now: datetime) -> None:
    fixture.ending, fixture.reason, fixture.decided_at = ending, reason, now
    fixture.save(update_fields=["ending", "reason", "decided_at"])


@transaction.atomic
def adjudicate(fixture: Fixture, order: Sequence[int], *, reason: str, now: datetime) -> None:
    """Decide who came in how, by entry, the winner first. A match that is still played must be ended first."""
    check_not_running(fixture)
    chairs = {chair.entry_id: chair for chair in fixture.chairs.all()}
    if sorted(order) != sorted(chairs):
        raise ValidationError(_("Please name everybody at the table once."))
    for rank, entry in enumerate(order, 1):
        chairs[entry].rank, chairs[entry].score = rank, 0
        chairs[entry].save(update_fields=["rank", "score"])
    decide(fixture, Fixture.Ending.ADJUDICATED, reason, now)


@transaction.atomic
def annul(fixture: Fixture, *, reason: str, now: datetime) -> None:
    """The table does not count for anybody."""
    check_not_running(fixture)
    decide(fixture, Fixture.Ending.ANNULLED, reason, now)


@transaction.atomic
def forfeit(chair: Chair, *, reason: str, now: datetime) -> None:
    """Somebody gets nothing for a table, whatever place they were left with."""
    chair.forfeited = True
    chair.save(update_fields=["forfeited"])
    fixture = chair.fixture
    fixture.reason = reason
    fixture.save(update_fields=["reason"])


def check_not_running(fixture: Fixture) -> None:
    if fixture.match and fixture.match.phase == Match.Phase.RUNNING:
        raise ValidationError(_("This match is still being played: please end it first."))
