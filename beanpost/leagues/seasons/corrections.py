"""Correct mistakes while a season runs: results, annulments, tables to play again, and what was closed too early.

Corrections change rows of the league and never a log: no ended match resumes, because its secret is public. Rows that
keep a history keep the reason there.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from django.core.exceptions import ValidationError
from django.db import transaction
from django.db.models import Q
from django.utils.translation import gettext as _

import games
from beanpost.leagues.locks import check_phase, lock_row, lock_season
from beanpost.leagues.models import Chair, EarlierMatch, Fixture, Round, Season
from beanpost.leagues.records import ratings
from beanpost.leagues.seasons import facts, results, rounds, substitutes, tables
from beanpost.play.load import load_match
from beanpost.play.models import Match
from beanpost.players.accounts import ERASED

Phase = Season.Phase


# ── tables ──


def can_correct(fixture: Fixture) -> bool:
    """Whether a table's result can change: it has one, the season runs, and no later round depends on it.

    A closed round of a knock-out or ladder decides the next one, so it must be reopened first.
    """
    season = fixture.round.division.season
    builds_on_it = season.format in {Season.Format.KNOCK_OUT, Season.Format.LADDER}
    is_settled = builds_on_it and fixture.round.phase == Round.Phase.CLOSED
    return fixture.ending != Fixture.Ending.OPEN and season.phase == Phase.RUNNING and not is_settled


def check_can_correct(fixture: Fixture) -> None:
    results.lock_season_of(fixture)
    fixture.refresh_from_db()
    if fixture.ending == Fixture.Ending.OPEN:
        raise ValidationError(_("This table has no result yet."))
    if not can_correct(fixture):
        raise ValidationError(_("The next round builds on this result. Reopen the round first."))


@transaction.atomic
def correct(fixture: Fixture, places: Mapping[int, int], *, reason: str, now: datetime) -> None:
    """Set a new place for each chair; equal numbers are ties. Players who resigned or forfeited still come last."""
    check_can_correct(fixture)
    results.check_all_have_places(fixture, places)
    for chair in fixture.chairs.all():
        chair.rank = 1 + sum(other < places[chair.pk] for other in places.values())
        chair.save(update_fields=["rank"])
    results.rank_forfeits_last(fixture)
    results.store_ending(fixture, Fixture.Ending.ADJUDICATED, reason, now)


def can_count_again(fixture: Fixture) -> bool:
    """Whether an annulled table was played to its end, so that its result can count again."""
    played = fixture.match is not None and fixture.match.ending == "finished"
    return fixture.ending == Fixture.Ending.ANNULLED and played and can_correct(fixture)


@transaction.atomic
def count_again(fixture: Fixture, *, reason: str, now: datetime) -> None:
    """Take back an annulment: the played result counts again, also for ratings."""
    check_can_correct(fixture)
    if not can_count_again(fixture) or fixture.match is None:
        raise ValidationError(_("This table wasn’t played to the end. It can only be played again."))
    if played := load_match(fixture.match.pk).outcome:  # the ranks may have been corrected before the annulment
        results.store_ranks(fixture, fixture.match, played.ranks, played.scores)
    results.store_ending(fixture, Fixture.Ending.PLAYED, reason, now)
    ratings.rate_match(fixture.match)  # if it was taken out


def can_play_again(fixture: Fixture) -> bool:
    return can_correct(fixture) and fixture.match_id is not None and fixture.round.phase == Round.Phase.PUBLISHED


@transaction.atomic
def play_again(fixture: Fixture, *, reason: str, now: datetime) -> Match:
    """Open a new match for a table. The earlier one stays as it ended and counts for nothing.

    Seats of people who have left stay empty; the organiser finds a substitute.
    """
    check_can_correct(fixture)
    if fixture.round.phase != Round.Phase.PUBLISHED:
        raise ValidationError(_("This round is closed. Reopen it first."))
    if fixture.match is None or fixture.match.phase in {Match.Phase.GATHERING, Match.Phase.RUNNING}:
        raise ValidationError(_("Annul the match first."))
    EarlierMatch.objects.create(fixture=fixture, match=fixture.match, replaced_at=now)
    Chair.objects.filter(fixture=fixture).update(rank=None, score=None, forfeited=False, by_bot=False)
    keeper = fixture.round.division.season.league.keeper or fixture.match.keeper
    fixture.match = rounds.open_table(fixture, keeper, now, empty=find_seats_left(fixture))
    fixture.ending, fixture.reason, fixture.decided_at = Fixture.Ending.OPEN, reason, None
    fixture.save(update_fields=["match", "ending", "reason", "decided_at"])
    return fixture.match


def is_replayed(fixture: Fixture) -> bool:
    """Whether a table that is annulled now is played again at once, as its season's settings say.

    Not in a closed round, which must be reopened first, nor if its game is no longer installed.
    """
    is_in_progress = fixture.round.phase == Round.Phase.PUBLISHED and fixture.match_id is not None
    is_wanted = fixture.round.division.season.annulled == Season.Annulled.REPLAY
    return is_wanted and is_in_progress and fixture.round.game in games.GAMES


@transaction.atomic
def annul(fixture: Fixture, *, reason: str, now: datetime) -> bool:
    """Annul a table. Return whether a new match was opened for it."""
    results.lock_season_of(fixture)
    # A second press would annul the new match, too, and invite everybody once more.
    if fixture.earlier_matches.filter(replaced_at__gt=now - tables.DOUBLE_PRESS_WITHIN).exists():
        raise ValidationError(_("A new match was opened for this table a moment ago."))
    results.annul(fixture, reason=reason, now=now)
    if not is_replayed(fixture):
        return False
    play_again(fixture, reason=reason, now=now)
    return True


def find_seats_left(fixture: Fixture) -> list[int]:
    """Return the seats of people who have left the season, or whose data was deleted: they are not invited again."""
    gone = substitutes.has_left() | Q(sitter__address__endswith=ERASED)
    return list(fixture.chairs.filter(gone).values_list("seat", flat=True))


# ── reopen ──


def can_reopen_round(round_: Round) -> bool:
    """Whether a closed round is the latest that has started."""
    is_closed = round_.phase == Round.Phase.CLOSED and round_.division.season.phase == Phase.RUNNING
    return is_closed and facts.list_started(round_.division)[-1].pk == round_.pk


@transaction.atomic
def reopen_round(round_: Round, *, by: Any) -> None:
    """Reopen the latest round of a division. Rounds drawn from its results are deleted, to be drawn again.

    That is a redraw, so organisers who play in the division leave it to others.
    """
    lock_row(round_.division.season, round_)
    if not can_reopen_round(round_):
        raise ValidationError(_("A later round has started, so this one stays closed."))
    season = round_.division.season
    if season.format == Season.Format.LADDER:
        restore_rungs(round_)
    drawn = round_.division.rounds.filter(number__gt=round_.number)
    if not season.draws_ahead and drawn.exists():
        rounds.check_may_redraw(round_.division, by)
        drawn.delete()
    round_.phase, round_.closed_at = Round.Phase.PUBLISHED, None
    round_.save(update_fields=["phase", "closed_at"])


def restore_rungs(round_: Round) -> None:
    if round_.rungs is None:
        raise ValidationError(_("We don’t know the ladder before this round, so it stays closed."))
    for entry in round_.division.entries.all():
        before = round_.rungs.get(str(entry.pk), entry.rung)
        if entry.rung != before:
            entry.rung = before
            entry.save(update_fields=["rung"])


def can_reopen_entries(season: Season) -> bool:
    return season.phase == Phase.CLOSED and not facts.list_rounds(season)


@transaction.atomic
def reopen_entries(season: Season) -> None:
    """Open entries again, as long as nothing is drawn. The seed stays: reopening gives no other draw."""
    lock_season(season)
    check_phase(season, Phase.CLOSED)
    if not can_reopen_entries(season):
        raise ValidationError(_("Rounds have been drawn, so entries stay closed."))
    season.phase = Phase.ENTERING
    season.save(update_fields=["phase"])


def can_reopen_season(season: Season) -> bool:
    if season.phase != Phase.ENDED or season.cancelled_at:
        return False
    return not Season.objects.filter(league=season.league_id, pk__gt=season.pk, cancelled_at=None).exists()


@transaction.atomic
def reopen_season(season: Season) -> None:
    lock_season(season)
    if not can_reopen_season(season):
        raise ValidationError(_("The next season is planned already, so this one stays closed."))
    season.phase = Phase.RUNNING
    season.save(update_fields=["phase"])
