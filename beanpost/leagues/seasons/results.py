"""Results: when a league's match ends, its fixture stores everybody's rank."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime

from django.core.exceptions import ValidationError
from django.db import transaction
from django.utils.translation import gettext as _

from beanpost.leagues.locks import check_not_over, lock_season
from beanpost.leagues.models import Chair, Fixture
from beanpost.leagues.records import ratings
from beanpost.leagues.seasons import tables
from beanpost.play import load
from beanpost.play.load import load_match
from beanpost.play.log import outcome
from beanpost.play.models import Match, Place
from beanpost.play.seats import league_tables, lifecycle
from beanpost.play.turns import endings

ENDINGS = {
    "finished": Fixture.Ending.PLAYED,
    "adjudicated": Fixture.Ending.ADJUDICATED,
    "annulled": Fixture.Ending.ANNULLED,
}


def store_result(match: Match, *, now: datetime) -> Fixture | None:
    """Store the result of a finished match, if it is a league's. From then on the standings include it."""
    fixture = Fixture.objects.filter(match=match).select_related("round__division__season").first()
    if fixture is None or fixture.ending != Fixture.Ending.OPEN:
        return fixture
    # An annulled match has no result, and its game may no longer be installed.
    if match.ending != "annulled" and (result := load_match(match.pk).outcome):
        store_ranks(fixture, match, result.ranks, result.scores)
    store_ending(fixture, ENDINGS[match.ending], fixture.reason, now)
    if match.ending == "finished":
        ratings.rate_match(match)
    return fixture


def store_ranks(fixture: Fixture, match: Match, ranks: Sequence[int], scores: Sequence[int] | None) -> None:
    """Store everybody's rank and score. Players who gave up come last, whatever a bot made of their cards."""
    places = {place.seat: place for place in match.places.all()}
    chairs = list(fixture.chairs.all())
    for chair in chairs:
        place = places[chair.seat]
        chair.rank, chair.score = ranks[chair.seat], scores[chair.seat] if scores else None
        chair.by_bot = place.is_bot
        chair.forfeited = chair.forfeited or place.resigned_at is not None
        chair.save(update_fields=["rank", "score", "by_bot", "forfeited"])
    if match.ending != "adjudicated":
        rank_forfeits_last(fixture)


def rank_forfeits_last(fixture: Fixture) -> None:
    """Rank forfeited seats last; the others move up."""
    chairs = list(Chair.objects.filter(fixture=fixture, rank__isnull=False))  # the prefetched ones are out of date
    ranks = outcome.rank_resigned_last([chair.rank or 0 for chair in chairs], [chair.forfeited for chair in chairs])
    for chair, rank in zip(chairs, ranks, strict=True):
        chair.rank = rank
        chair.save(update_fields=["rank"])


def store_ending(fixture: Fixture, ending: str, reason: str, now: datetime) -> None:
    fixture.ending, fixture.reason, fixture.decided_at = ending, reason, now
    fixture.save(update_fields=["ending", "reason", "decided_at"])


@transaction.atomic
def adjudicate(fixture: Fixture, places: Mapping[int, int], *, reason: str, now: datetime) -> None:
    """Decide everybody's place, by chair; equal numbers are ties. Players who resigned or forfeited always come last.

    This ends a running match with a line in its log. The line can't show ties: it names tied players in seat order.
    """
    lock_season_of(fixture)
    check_all_have_places(fixture, places)
    match = lock_match_to_decide(fixture, now)
    chairs, gone = list(Chair.objects.filter(fixture=fixture)), find_resigned_seats(fixture)
    ranks = outcome.rank_resigned_last([places[chair.pk] for chair in chairs], [chair.seat in gone for chair in chairs])
    check_undecided(fixture)
    store_reason(fixture, reason)
    if match and match.phase == Match.Phase.RUNNING:
        best_first = sorted(zip(ranks, (chair.seat for chair in chairs), strict=True))
        endings.adjudicate(match, [seat for _rank, seat in best_first], tables.ORGANISER, now)
    else:
        store_ending(fixture, Fixture.Ending.ADJUDICATED, reason, now)
    for chair, rank in zip(chairs, ranks, strict=True):
        chair.rank, chair.score = rank, None
        chair.save(update_fields=["rank", "score"])


def check_all_have_places(fixture: Fixture, places: Mapping[int, int]) -> None:
    if {chair.pk for chair in fixture.chairs.all()} != set(places):
        raise ValidationError(_("Give everyone at the table a place."))


def find_resigned_seats(fixture: Fixture) -> set[int]:
    """Return the seats of players who gave up or whose seat was forfeited."""
    seats = set(fixture.chairs.filter(forfeited=True).values_list("seat", flat=True))
    if fixture.match_id:
        left = Place.objects.filter(match=fixture.match_id, resigned_at__isnull=False)
        seats |= set(left.values_list("seat", flat=True))
    return seats


def check_undecided(fixture: Fixture) -> None:
    """Check that nobody has decided since the page was shown. The caller holds the match's lock."""
    if Fixture.objects.exclude(ending=Fixture.Ending.OPEN).filter(pk=fixture.pk).exists():
        raise ValidationError(_("This table already has a result."))


@transaction.atomic
def annul(fixture: Fixture, *, reason: str, now: datetime) -> None:
    """Annul a table for everybody. This ends a running match, by a line in its log."""
    lock_season_of(fixture)
    match = lock_match_to_decide(fixture, now)
    if Fixture.objects.filter(pk=fixture.pk, ending=Fixture.Ending.ANNULLED).exists():
        raise ValidationError(_("This table has already been annulled."))
    store_reason(fixture, reason)
    if match and match.phase == Match.Phase.RUNNING:
        endings.annul(match, tables.ORGANISER, now)
    else:
        store_ending(fixture, Fixture.Ending.ANNULLED, reason, now)


def lock_season_of(fixture: Fixture) -> None:
    """Lock a table's season, and refuse if it is over."""
    season = fixture.round.division.season
    lock_season(season)
    check_not_over(season)


def lock_match_to_decide(fixture: Fixture, now: datetime) -> Match | None:
    """Lock and return the match of a fixture that is decided by hand. Call it off if it has not begun."""
    match = load.lock_match(fixture.match_id) if fixture.match_id else None
    if match and match.phase == Match.Phase.GATHERING:
        lifecycle.call_off(match, now=now)
    return match


@transaction.atomic
def forfeit(chair: Chair, *, reason: str, now: datetime) -> None:
    """Give a player nothing for a table, and the last rank. A bot takes over the seat.

    If the match has not begun, the bot plays from the first turn. If it is over, only the ranks change: ratings stay.
    """
    lock_season_of(chair.fixture)
    match = load.lock_match(chair.fixture.match_id) if chair.fixture.match_id else None
    if match and match.phase == Match.Phase.RUNNING:
        store_reason(chair.fixture, reason)
        tables.forfeit_seat(chair, now=now)
        return
    chair.refresh_from_db(fields=["forfeited"])
    if chair.forfeited:
        raise ValidationError(_("%(name)s has already forfeited this seat.") % {"name": chair.sitter_name})
    chair.forfeited = True
    chair.save(update_fields=["forfeited"])
    store_reason(chair.fixture, reason)
    if match and match.phase == Match.Phase.GATHERING:
        league_tables.give_up_seat(match.pk, chair.seat, now=now)
    else:
        rank_forfeits_last(chair.fixture)


def store_reason(fixture: Fixture, reason: str) -> None:
    fixture.reason = reason
    fixture.save(update_fields=["reason"])
