"""Standings, a season's course and a player's record. Head-to-head records are in `head_to_head.py`.

Everything is computed from chairs and byes on request, so nothing can be out of date.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
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
    return rank_divisions([division], until=until)[division.pk]


def rank_divisions(divisions: Sequence[Division], *, until: int | None = None) -> dict[int, Ranking]:
    """Rank several divisions, by key, with as few queries as one."""
    entries, staying = load_entries_in_standings(divisions)
    results = load_results(divisions, entries, until=until)
    movable = count_movable(divisions)
    return {
        division.pk: rank_results(
            division,
            results[division.pk],
            rungs=entries[division.pk] if division.season.format == Season.Format.LADDER and until is None else None,
            staying=staying,
            movable=movable[division.season_id],
        )
        for division in divisions
    }


def rank_results(
    division: Division,
    results: scoring.DivisionResults,
    *,
    rungs: Mapping[int, int] | None,
    staying: Collection[int],
    movable: Sequence[tuple[int, int]],
) -> Ranking:
    gone = frozenset(results.entrants).difference(staying)
    if rungs is not None:  # people who left come last
        results = replace(results, rungs={pk: rung + 100_000 * (pk in gone) for pk, rung in rungs.items()})
    people = len(results.entrants) - len(gone)
    up, down = count_movers(division, people, movable) if results.played else (0, 0)
    rows = scoring.compute_standings(results, division.season.tie_breaks, up=up, down=down, gone=gone)
    return Ranking(rows, bool(results.played))


def describe_rows(division: Division, ranking: Ranking, names: Names, limit: int | None = None) -> list[StandingsLine]:
    """Return the rows, or the first ones up to a limit, with their people and reasons."""
    shown = [row.tally.entrant for row in ranking.rows[:limit]]
    people = Entry.objects.select_related("player").in_bulk(shown)
    return describe_ranking(division, ranking, names, people, limit)


def describe_ranking(
    division: Division, ranking: Ranking, names: Names, people: Mapping[int, Entry], limit: int | None
) -> list[StandingsLine]:
    """Leave out people who have been moved to another division since they were ranked."""
    ranked = [row for row in ranking.rows[:limit] if row.tally.entrant in people]
    shown = [row for row in ranked if people[row.tally.entrant].division_id == division.pk]
    has_first = not knock_out_progress.is_deserted(division)
    why = [explain_place(row.why) if ranking.has_results and (has_first or row.rank > 1) else "" for row in shown]
    if why and why[0]:
        why[0] = explain_first_place(ranking.rows)
    found = zip(shown, (people[row.tally.entrant] for row in shown), why, strict=True)
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


def load_entries_in_standings(divisions: Sequence[Division]) -> tuple[dict[int, dict[int, int]], set[int]]:
    """Return by division the entries that play or were in a round, with their rungs, and those that are staying.

    Results stay, whether the person has left or is a substitute now.
    """
    rounds = Round.objects.filter(division__in=divisions).exclude(phase=Round.Phase.DRAWN)
    seated = Exists(Chair.objects.filter(entry=OuterRef("pk"), fixture__round__in=rounds.values("pk")))
    sat_out = Exists(Bye.objects.filter(entry=OuterRef("pk"), round__in=rounds.values("pk")))
    there = Q(state=Entry.State.ENTERED) | Q(seated) | Q(sat_out)
    found: dict[int, dict[int, int]] = {division.pk: {} for division in divisions}
    entries = Entry.objects.filter(there, division__in=divisions).order_by("rung", "pk")
    staying = set()
    for home, entry, rung, state, address in entries.values_list(
        *["division_id", "pk", "rung", "state", "player__address"]
    ):
        found[home][entry] = rung
        if state == Entry.State.ENTERED and not address.endswith(ERASED):
            staying.add(entry)
    return found, staying


def was_in_a_round(entry: Entry) -> bool:
    published = Round.objects.exclude(phase=Round.Phase.DRAWN).values("pk")
    seated = entry.chairs.filter(fixture__round__in=published)
    return seated.exists() or entry.byes.filter(round__in=published).exists()


def count_movers(division: Division, people: int, movable: Sequence[tuple[int, int]]) -> tuple[int, int]:
    """Return how many go up from a division of so many, and how many down. That depends on its neighbours too."""
    above = [count for level, count in movable if level < division.level][-1:]
    below = [count for level, count in movable if level > division.level][:1]
    moving = division.season.moving
    return (
        sum(promotion.count_crossing(count, people, moving) for count in above),
        sum(promotion.count_crossing(people, count, moving) for count in below),
    )


def find_staying(divisions: Sequence[Division]) -> QuerySet[Entry]:
    """Return the entries that the next season lists. People who have left or were erased take no place in it."""
    playing = Entry.objects.filter(division__in=divisions, state=Entry.State.ENTERED)
    return playing.exclude(player__address__endswith=ERASED)


def count_movable(divisions: Sequence[Division]) -> dict[int, list[tuple[int, int]]]:
    """Return by season the level of each division, and how many people may be promoted or relegated from it.

    Nobody may before the division's first result.
    """
    endings = (Fixture.Ending.PLAYED, Fixture.Ending.ADJUDICATED)
    decided = Exists(Fixture.objects.filter(round__division=OuterRef("pk"), ending__in=endings))
    staying = Q(entries__state=Entry.State.ENTERED) & ~Q(entries__player__address__endswith=ERASED)
    neighbours = Division.objects.filter(season__in={division.season_id for division in divisions})
    counted = neighbours.annotate(decided=decided, people=Count("entries", filter=staying)).order_by("level")
    found: dict[int, list[tuple[int, int]]] = defaultdict(list)
    for season, level, is_decided, people in counted.values_list("season", "level", "decided", "people"):
        found[season].append((level, people if is_decided else 0))
    return found


def load_results(
    divisions: Sequence[Division], entries: Mapping[int, Iterable[int]], *, until: int | None = None
) -> dict[int, scoring.DivisionResults]:
    """Return everything played in each division as a value for the pure standings code."""
    last = until if until is not None else 10_000
    played, byes, seats = load_fixture_results(divisions, last), load_byes(divisions, last), load_table_sizes(divisions)
    results = {}
    for division in divisions:
        who = tuple(entries[division.pk])
        stages, final = (
            knock_out_progress.find_rounds_reached(division, last)
            if division.season.format == Season.Format.KNOCK_OUT
            else (None, None)
        )
        results[division.pk] = scoring.DivisionResults(
            entrants=who,
            scheme=Scheme.read(division.season.points),
            played=tuple(played[division.pk].values()),
            byes=tuple((entry, seats[division.pk, number]) for entry, number in byes[division.pk]),
            lots=draw_lots(division, who),
            reached=stages,
            final=final,
        )
    return results


def load_byes(divisions: Sequence[Division], last: int = 10_000) -> dict[int, list[tuple[int, int]]]:
    """Return by division the entry and round of each bye, and of each seat at an annulled table that counts as one."""
    byes = Bye.objects.filter(round__division__in=divisions, round__number__lte=last)
    rows = [*byes.exclude(round__phase=Round.Phase.DRAWN).values_list("round__division", "entry_id", "round__number")]
    like_byes = [division for division in divisions if division.season.annulled == Season.Annulled.BYE]
    chairs = Chair.objects.filter(fixture__round__division__in=like_byes, fixture__ending=Fixture.Ending.ANNULLED)
    annulled = chairs.filter(fixture__round__number__lte=last, forfeited=False)
    rows += annulled.values_list("fixture__round__division", "entry_id", "fixture__round__number")
    found: dict[int, list[tuple[int, int]]] = defaultdict(list)
    for division, entry, number in rows:
        found[division].append((entry, number))
    return found


def load_table_sizes(divisions: Sequence[Division]) -> dict[tuple[int, int], int]:
    """Return the number of seats at the tables of each division's rounds, of the full ones if some have one less."""
    tables = Fixture.objects.filter(round__division__in=divisions).annotate(seats=Count("chairs"))
    sizes: dict[tuple[int, int], int] = {}
    for division, number, seats in tables.values_list("round__division", "round__number", "seats"):
        sizes[division, number] = max(seats, sizes.get((division, number), 0))
    return sizes


def load_fixture_results(
    divisions: Sequence[Division], last: int = 10_000
) -> dict[int, dict[int, scoring.FixtureResult]]:
    """Return by division the fixtures with a result, in the order of rounds and tables."""
    chairs = Chair.objects.filter(
        fixture__round__division__in=divisions, fixture__round__number__lte=last, rank__isnull=False
    ).exclude(fixture__ending=Fixture.Ending.ANNULLED)
    scores = {division.pk: division.season.substitutes_score for division in divisions}
    tables: dict[tuple[int, int], list[scoring.EntrantResult]] = defaultdict(list)
    rows = chairs.order_by("fixture__round__number", "fixture__table", "seat").values_list(  # quicker than whole rows
        *("fixture__round__division", "fixture_id", "entry_id", "rank", "score"),
        *("forfeited", "by_bot", "sitter_id", "entry__player_id"),
    )
    for division, fixture, entry, rank, score, forfeited, by_bot, sitter, player in rows:
        counts = sitter == player or scores[division]
        result = scoring.EntrantResult(entry, rank or 0, score or 0, forfeited=forfeited, counts=counts, by_bot=by_bot)
        tables[division, fixture].append(result)
    found: dict[int, dict[int, scoring.FixtureResult]] = defaultdict(dict)
    for (division, fixture), outcomes in tables.items():
        found[division][fixture] = scoring.FixtureResult(tuple(outcomes))
    return found


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
    entries = list(load_entries_in_standings([division])[0][division.pk])
    scheme = Scheme.read(division.season.points)
    decided = division.rounds.filter(fixtures__decided_at__isnull=False).distinct()
    rounds = list(decided.values_list("number", flat=True))
    gained: dict[tuple[int, int], Fraction] = defaultdict(Fraction)
    numbers = dict(Fixture.objects.filter(round__division=division).values_list("pk", "round__number"))
    for fixture, result in load_fixture_results([division])[division.pk].items():
        one = scoring.DivisionResults(tuple(entries), scheme, (result,)).tallies
        for entry, tally in one.items():
            gained[entry, numbers[fixture]] += tally.points
    seats = load_table_sizes([division])
    for entry, number in load_byes([division])[division.pk]:
        gained[entry, number] += scheme.sitting_out(seats[division.pk, number])
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
