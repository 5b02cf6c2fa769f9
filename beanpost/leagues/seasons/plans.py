"""Find the rounds and divisions of a season that can be drawn, started or closed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from django.db.models import QuerySet

from beanpost.leagues.models import Division, Round, Season
from beanpost.leagues.seasons import facts, next_rounds

GOING_ON = (Season.Phase.CLOSED, Season.Phase.RUNNING)


@dataclass(frozen=True)
class DrawPlan:
    """The divisions of a season to draw now, and those that can't be drawn, with the reason."""

    divisions: Sequence[Division]
    redrawn: Sequence[Division]  # a player has left since they were drawn
    refused: Sequence[tuple[Division, str]]


def plan_draws(season: Season) -> DrawPlan:
    """Plan to draw the divisions between two rounds, and those whose drawn round includes a player who has left."""
    if season.phase not in GOING_ON:
        return DrawPlan([], [], [])
    facts.prefetch_rows(season)
    able: list[Division] = []
    refused: list[tuple[Division, str]] = []
    divisions = list(season.divisions.all())
    broken = [division for division in divisions if is_broken(division)]
    for division in [*filter(is_between_rounds, divisions), *broken]:
        if (left := next_rounds.find_last_players(division)) is not None:
            refused.append((division, next_rounds.describe_early_end(division, left)))
        elif lacking := next_rounds.count_missing(division):
            refused.append((division, next_rounds.describe_missing(division, lacking)))
        else:
            able.append(division)
    return DrawPlan(able, [division for division in able if division in broken], refused)


def is_between_rounds(division: Division) -> bool:
    """Whether rounds are left to draw, and none is drawn or being played."""
    is_idle = all(round_.phase == Round.Phase.CLOSED for round_ in division.rounds.all())
    return is_idle and facts.has_rounds_left(division)


def is_broken(division: Division) -> bool:
    next_drawn = facts.find_next_drawn(division)
    return next_drawn is not None and facts.lacks_somebody(next_drawn)


def find_next_drawn_rounds(season: Season) -> list[Round]:
    """Return the next drawn round of each division whose earlier rounds are closed."""
    if season.phase not in GOING_ON:
        return []
    facts.prefetch_rows(season)
    found = [facts.find_next_drawn(division) for division in season.divisions.all()]
    return [round_ for round_ in found if round_ is not None]


def find_rounds_to_start(season: Season) -> list[Round]:
    return [each for each in find_next_drawn_rounds(season) if not facts.lacks_somebody(each)]


def find_rounds_to_close(season: Season) -> list[Round]:
    """Return rounds being played whose tables all have a result."""
    facts.prefetch_rows(season)
    return [round_ for round_ in facts.list_rounds(season) if facts.is_decided(round_)]


def find_rounds_being_played(season: Season) -> QuerySet[Round]:
    return Round.objects.filter(division__season=season, phase=Round.Phase.PUBLISHED)
