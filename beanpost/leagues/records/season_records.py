"""Standings, a season's course and a player's record. Head-to-head records are in `head_to_head.py`.

Everything is computed from chairs and byes on request, so nothing can be out of date.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from fractions import Fraction
from itertools import accumulate
from typing import SupportsFloat

from django.db.models import Count, Exists, OuterRef, Q, QuerySet
from django.utils.formats import number_format
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from beanpost.leagues.models import Bye, Chair, Division, Entry, Fixture, Round, Season
from beanpost.leagues.records import knock_out_progress
from beanpost.leagues.records.namesakes import Names, load_names
from beanpost.leagues.records.round_results import draw_lots
from beanpost.leagues.standings import labels, promotion, scoring
from beanpost.leagues.standings.points import Scheme
from beanpost.players.accounts import ERASED
from beanpost.players.models import Player


@dataclass(frozen=True)
class StandingsLine:
    """A row of the standings with its entry, and a sentence that says why it stands there."""

    row: scoring.Row
    entry: Entry
    why: str
    name: str  # with a number, if the league has another of that name

    @property
    def points(self) -> str:
        return format_number(self.row.tally.points)

    @property
    def since(self) -> str:
        """Say what became of a person who no longer plays."""
        match self.entry.state:
            case Entry.State.LEFT:
                return _("has left")
            case Entry.State.SUBSTITUTE:
                return _("now a substitute")
        return ""


def format_number(number: SupportsFloat, digits: int = 2) -> str:
    """Format a number in the reader's language.

    >>> format_number(Fraction(9, 2)), format_number(Fraction(12)), format_number(Fraction(1, 3))
    ('4.5', '12', '0.33')
    """
    rounded = f"{float(number):.{digits}f}".rstrip("0").rstrip(".")
    return number_format(Decimal(rounded))


def compute_standings(
    division: Division, *, until: int | None = None, names: Names | None = None
) -> list[StandingsLine]:
    """Return the standings of a division, now or after a round. Before the first result nobody leads.

    Pass the league's names if the lines are shown to people.
    """
    return describe_rows(division, rank_entries(division, until=until), names or Names({}))


@dataclass(frozen=True)
class Ranking:
    """The rows of the standings, before people are loaded: a page may show only a few of hundreds."""

    rows: list[scoring.Row]
    has_results: bool


def rank_entries(division: Division, *, until: int | None = None) -> Ranking:
    entries = dict(find_entries_in_standings(division).values_list("pk", "rung"))
    gone = frozenset(entries).difference(find_staying(division).values_list("pk", flat=True))
    season = load_results(division, entries, until=until)
    if division.season.format == Season.Format.LADDER and until is None:
        rungs = {pk: rung + 100_000 * (pk in gone) for pk, rung in entries.items()}  # people who left come last
        season = replace(season, rungs=rungs)
    up, down = count_movers(division, len(entries) - len(gone)) if season.played else (0, 0)
    rows = scoring.compute_standings(season, division.season.tie_breaks, up=up, down=down, gone=gone)
    return Ranking(rows, bool(season.played))


def describe_rows(division: Division, ranking: Ranking, names: Names, limit: int | None = None) -> list[StandingsLine]:
    """Return the rows, or the first ones up to a limit, with their people and reasons.

    Leave out people who have been moved to another division since they were ranked.
    """
    ranked = ranking.rows[:limit]
    entries = division.entries.select_related("player").in_bulk([row.tally.entrant for row in ranked])
    shown = [row for row in ranked if row.tally.entrant in entries]
    has_first = not knock_out_progress.is_deserted(division)
    why = [explain_place(row.why) if ranking.has_results and (has_first or row.rank > 1) else "" for row in shown]
    if why and why[0]:
        why[0] = explain_first_place(ranking.rows)
    found = zip(shown, (entries[row.tally.entrant] for row in shown), why, strict=True)
    return [StandingsLine(row, entry, reason, names.name_player(entry.player)) for row, entry, reason in found]


def explain_first_place(rows: Sequence[scoring.Row]) -> str:
    """Say why the first row is first: by which tie-break, if another has as many points."""
    why = rows[1].why if len(rows) > 1 else None
    if why is not None and why.by == "rung":
        return _("Top of the ladder.")
    if why is not None and why.by in labels.TIE_BREAKS:
        return _("First place, decided by %(tie_break)s.") % {"tie_break": labels.TIE_BREAKS[why.by]}
    return _("First place.")


def find_leaders(season: Season, names: Names | None = None) -> list[tuple[Division, list[str]]]:
    """Return the leaders, one or several, of each division in which something was played."""
    return [(division, first) for division, first in find_winners(season, names) if first]


def find_winners(season: Season, names: Names | None = None) -> list[tuple[Division, list[str]]]:
    """Like `find_leaders`, but with an empty list for a knock-out that all remaining players have left."""
    names = names or load_names(season.league)
    divisions = season.divisions.select_related("season")
    firsts = [(division, list_leader_names(compute_standings(division, names=names))) for division in divisions]
    return [(division, first) for division, first in firsts if first or knock_out_progress.is_deserted(division)]


def list_leader_names(lines: Sequence[StandingsLine]) -> list[str]:
    """Return the leaders' names. Nobody leads if the first line has no reason, such as before the first result."""
    return [line.name for line in lines if line.why and line.row.rank == 1]


def find_entries_in_standings(division: Division) -> QuerySet[Entry]:
    """Return entries that play or were in a round. Results stay, whether the person has left or is a substitute now."""
    rounds = division.rounds.exclude(phase=Round.Phase.DRAWN).values("pk")
    seated = Exists(Chair.objects.filter(entry=OuterRef("pk"), fixture__round__in=rounds))
    sat_out = Exists(Bye.objects.filter(entry=OuterRef("pk"), round__in=rounds))
    there = Q(state=Entry.State.ENTERED) | Q(seated) | Q(sat_out)
    return division.entries.filter(there).order_by("rung", "pk")


def was_in_a_round(entry: Entry) -> bool:
    published = Round.objects.exclude(phase=Round.Phase.DRAWN).values("pk")
    seated = entry.chairs.filter(fixture__round__in=published)
    return seated.exists() or entry.byes.filter(round__in=published).exists()


def count_movers(division: Division, people: int) -> tuple[int, int]:
    """Return how many go up from a division of so many, and how many down. That depends on its neighbours too."""
    others, moving = list(division.season.divisions.all()), division.season.moving  # in the order of their levels
    above = next((other for other in reversed(others) if other.level < division.level), None)
    below = next((other for other in others if other.level > division.level), None)
    return (
        promotion.count_crossing(count_movable(above), people, moving) if above else 0,
        promotion.count_crossing(people, count_movable(below), moving) if below else 0,
    )


def find_staying(division: Division) -> QuerySet[Entry]:
    """Return the entries that the next season lists. People who have left or were erased take no place in it."""
    return division.entries.filter(state=Entry.State.ENTERED).exclude(player__address__endswith=ERASED)


def count_movable(division: Division) -> int:
    """Return how many people may be promoted or relegated: nobody before the division's first result."""
    decided = division.rounds.filter(fixtures__ending__in=(Fixture.Ending.PLAYED, Fixture.Ending.ADJUDICATED))
    return find_staying(division).filter(Exists(decided)).count()


def load_results(division: Division, entries: Iterable[int], *, until: int | None = None) -> scoring.DivisionResults:
    """Return everything played in a division as a value for the pure standings code."""
    last = until if until is not None else 10_000
    who = tuple(entries)
    stages, final = (
        knock_out_progress.find_rounds_reached(division, last)
        if division.season.format == Season.Format.KNOCK_OUT
        else (None, None)
    )
    byes = Bye.objects.filter(round__division=division, round__number__lte=last).exclude(round__phase=Round.Phase.DRAWN)
    seats = load_table_sizes(division)
    return scoring.DivisionResults(
        entrants=who,
        scheme=Scheme.read(division.season.points),
        played=tuple(load_fixture_results(division, last).values()),
        byes=(
            *((entry, seats[number]) for entry, number in byes.values_list("entry_id", "round__number")),
            *((entry, seats[number]) for entry, number in find_annulled_seats(division, last)),
        ),
        lots=draw_lots(division, who),
        reached=stages,
        final=final,
        forfeits_tie=division.season.edition > 1,
    )


def find_annulled_seats(division: Division, last: int = 10_000) -> list[tuple[int, int]]:
    """Return the entry and round of each seat at an annulled table, if the season counts it like a bye."""
    if division.season.annulled != Season.Annulled.BYE:
        return []
    chairs = Chair.objects.filter(fixture__round__division=division, fixture__ending=Fixture.Ending.ANNULLED)
    kept = chairs.filter(fixture__round__number__lte=last, forfeited=False)
    return list(kept.values_list("entry_id", "fixture__round__number"))


def load_table_sizes(division: Division) -> dict[int, int]:
    """Return the number of seats at each round's tables, of the full ones if some have one less."""
    tables = Fixture.objects.filter(round__division=division).annotate(seats=Count("chairs"))
    sizes: dict[int, int] = {}
    for number, seats in tables.values_list("round__number", "seats"):
        sizes[number] = max(seats, sizes.get(number, 0))
    return sizes


def load_fixture_results(division: Division, last: int = 10_000) -> dict[int, scoring.FixtureResult]:
    """Return fixtures with a result, in the order of rounds and tables."""
    chairs = Chair.objects.filter(
        fixture__round__division=division, fixture__round__number__lte=last, rank__isnull=False
    ).exclude(fixture__ending=Fixture.Ending.ANNULLED)
    tables: dict[int, list[scoring.EntrantResult]] = defaultdict(list)
    rows = chairs.order_by("fixture__round__number", "fixture__table", "seat").values_list(  # quicker than whole rows
        "fixture_id", "entry_id", "rank", "score", "forfeited", "by_bot", "sitter_id", "entry__player_id"
    )
    for fixture, entry, rank, score, forfeited, by_bot, sitter, player in rows:
        counts = sitter == player or division.season.substitutes_score
        result = scoring.EntrantResult(entry, rank or 0, score or 0, forfeited=forfeited, counts=counts, by_bot=by_bot)
        tables[fixture].append(result)
    return {fixture: scoring.FixtureResult(tuple(outcomes)) for fixture, outcomes in tables.items()}


REASONS = {  # why a row stands below the one above it
    "final": gettext_lazy("Lost the final."),
    "reached": gettext_lazy("Reached round %(here)s; the player above reached round %(above)s."),
    "points": gettext_lazy("Fewer points: %(here)s to %(above)s."),
    "average": gettext_lazy("Equal points, lower average: %(here)s to %(above)s."),
    "direct": gettext_lazy("Equal points, behind head-to-head."),
    "wins": gettext_lazy("Equal points, fewer wins: %(here)s to %(above)s."),
    "opponents": gettext_lazy("Equal points, weaker opponents: %(here)s to %(above)s points on average."),
    "forfeits": gettext_lazy("Equal points, more forfeits: %(here)s to %(above)s."),
    "lot": gettext_lazy("Tied on everything; decided by lot."),
    "equal": gettext_lazy("Tied."),
    "rung": gettext_lazy("Lower on the ladder."),
}


def explain_place(why: scoring.Why | None) -> str:
    """Say why a row stands below the one above it."""
    if why is None:
        return _("First place.")
    if why.by in {"equal", "lot", "direct", "final", "rung"}:
        return str(REASONS[why.by])
    here, above = abs(float(why.here)), abs(float(why.above))
    digits = next((n for n in range(2, 12) if f"{here:.{n}f}" != f"{above:.{n}f}"), 2)  # enough to tell them apart
    return str(REASONS[why.by]) % {"here": format_number(here, digits), "above": format_number(above, digits)}


# ── the course of a season ──


def compute_course(division: Division) -> dict[int, list[Fraction]]:
    """Return points after each round, by entry, for the chart of a season. One query per kind of row."""
    entries = list(find_entries_in_standings(division).values_list("pk", flat=True))
    scheme = Scheme.read(division.season.points)
    decided = division.rounds.filter(fixtures__decided_at__isnull=False).distinct()
    rounds = list(decided.values_list("number", flat=True))
    gained: dict[tuple[int, int], Fraction] = defaultdict(Fraction)
    numbers = dict(Fixture.objects.filter(round__division=division).values_list("pk", "round__number"))
    for fixture, result in load_fixture_results(division).items():
        one = scoring.DivisionResults(tuple(entries), scheme, (result,)).tallies
        for entry, tally in one.items():
            gained[entry, numbers[fixture]] += tally.points
    seats = load_table_sizes(division)
    byes = Bye.objects.filter(round__division=division).exclude(round__phase=Round.Phase.DRAWN)
    for entry, number in [*byes.values_list("entry_id", "round__number"), *find_annulled_seats(division)]:
        gained[entry, number] += scheme.sitting_out(seats[number])
    return {entry: sum_up_points(gained, entry, rounds) for entry in entries}


def sum_up_points(gained: Mapping[tuple[int, int], Fraction], entry: int, rounds: Sequence[int]) -> list[Fraction]:
    return list(accumulate(gained.get((entry, number), Fraction(0)) for number in rounds))


# ── one player ──


@dataclass(frozen=True)
class Record:
    """A player's record over some matches."""

    matches: int
    wins: int
    forfeits: int
    chairs: list[Chair]


def load_record(player: Player, chairs: QuerySet[Chair]) -> Record:
    own = list(
        chairs.filter(sitter=player, rank__isnull=False)
        .exclude(fixture__ending=Fixture.Ending.ANNULLED)
        .select_related("fixture__match", "fixture__round__division__season__league")
        .order_by("-fixture__decided_at")
    )
    return Record(
        len(own),
        sum(chair.rank == 1 and not chair.forfeited for chair in own),
        sum(chair.forfeited for chair in own),
        own,
    )


def count_matches_and_wins(player: Player) -> tuple[int, int]:
    """Return how many league tables a player has finished, and how many of them won."""
    decided = player.chairs.filter(rank__isnull=False).exclude(fixture__ending=Fixture.Ending.ANNULLED)
    counted = decided.aggregate(matches=Count("pk"), wins=Count("pk", filter=Q(rank=1, forfeited=False)))
    return counted["matches"], counted["wins"]
