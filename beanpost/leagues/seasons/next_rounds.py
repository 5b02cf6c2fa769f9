"""Draw the next rounds: turn a division's rows into values for the pure pairing code, and back."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain

from django.core.exceptions import ValidationError
from django.db.models import Count, F, Q, prefetch_related_objects
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

import games
from beanpost.leagues.draw import pairing
from beanpost.leagues.draw.pairing import RoundSeating
from beanpost.leagues.draw.swiss import draw_swiss
from beanpost.leagues.models import Division, Entry, Fixture, Round, Season
from beanpost.leagues.records import knock_out_progress, round_results, season_records
from beanpost.leagues.seasons import facts
from beanpost.play.display.wording import join_names

Drawn = list[tuple[str, RoundSeating]]  # each round's game and seating


def draw_next_rounds(division: Division, seed: str) -> tuple[int, Drawn]:
    """Return the number of the first round to draw, and the rounds."""
    done = facts.list_started(division)
    prefetch_related_objects(done, "fixtures__chairs", "byes")
    first = done[-1].number + 1 if done else 1
    if first > division.season.rounds and division.season.format != Season.Format.KNOCK_OUT:
        raise ValidationError(_("Every round of this season has been drawn."))
    if not division.season.draws_ahead and done and done[-1].phase != Round.Phase.CLOSED:
        raise ValidationError(_("Close round %(number)d first.") % {"number": done[-1].number})
    if (left := find_last_players(division)) is not None:
        raise ValidationError(describe_early_end(division, left))
    if lacking := count_missing(division):
        raise ValidationError(describe_missing(division, lacking))
    slugs = choose_next_games(division.season, len(done))
    if done and division.season.format == Season.Format.KNOCK_OUT:
        slugs = (choose_game(len(list_survivors(done[-1])), division.season, first),)
    return first, list(zip(slugs, draw_seatings(division, slugs, seed, done), strict=True))


def choose_next_games(season: Season, done: int) -> tuple[str, ...]:
    """Return the games of the rounds to draw after `done` rounds."""
    return list_games(season, done + 1)[done : season.rounds if season.draws_ahead else done + 1]


def list_games(season: Season, least: int = 1) -> tuple[str, ...]:
    """Return each round's game, for at least `least` rounds: the league's in turn, shuffled anew in a classic."""
    # In the order of games.GAMES: not every database keeps the order of a JSON object's keys.
    allowed = [slug for slug in games.GAMES if slug in season.league.games]
    if season.format == Season.Format.CLASSIC:
        return pairing.choose_classic_games(allowed, season.rounds, season.seed)
    return tuple(allowed[n % len(allowed)] for n in range(max(season.rounds, least)))


def draw_seatings(division: Division, slugs: Sequence[str], seed: str, done: Sequence[Round]) -> Sequence[RoundSeating]:
    entrants = [entry.pk for entry in facts.list_playing(division)]
    past = round_results.build_seatings(done)
    sizes, most = find_table_sizes(division.season, slugs)
    least = find_fewest_players(slugs)
    match division.season.format:
        case Season.Format.SWISS:
            points = {row.tally.entrant: row.tally.points for row in season_records.rank_entries(division).rows}
            return [draw_swiss(entrants, points, sizes[0], seed, least=least, most=most[0], past=past)]
        case Season.Format.LADDER:
            return [pairing.draw_ladder(entrants, sizes[0], least=least, most=most[0], past=past)]
        case Season.Format.KNOCK_OUT:
            alive = list_survivors(done[-1]) if done else entrants
            return [pairing.draw_knock_out(alive, sizes[0], least=least, most=most[0], past=past)]
    return pairing.draw_round_robin(entrants, sizes, seed, least=least, most=most, past=past)


def find_table_sizes(season: Season, slugs: Sequence[str]) -> tuple[list[int], list[int]]:
    """Return each round's table size, and how large its tables may become so that nobody sits out.

    Duels stay duels, except in a knock-out, where sitting out is an advantage.
    """
    sizes = [fit_table_size(season.size, slug) for slug in slugs]
    grows = season.format == Season.Format.KNOCK_OUT
    return sizes, [
        games.get(slug).seats.stop - 1 if size > 2 or grows else size for slug, size in zip(slugs, sizes, strict=True)
    ]


def count_times_sitting_out(division: Division, people: int) -> int:
    """Return how often a person sits out at most in the rounds that are not published yet, if so many people play.

    People who have sat out least often do so next.
    """
    season, done = division.season, division.rounds.exclude(phase=Round.Phase.DRAWN).count()
    cut = season.format == Season.Format.KNOCK_OUT
    slugs = (choose_game(people, season, done + 1),) if cut else list_games(season)[done:]
    least = find_fewest_players(slugs if cut else choose_next_games(season, done))
    fits = zip(*find_table_sizes(season, slugs), strict=True)
    playing = division.entries.filter(state=Entry.State.ENTERED)
    sat_out = Count("byes", filter=~Q(byes__round__phase=Round.Phase.DRAWN))
    before = playing.annotate(sat_out=sat_out).order_by("sat_out").values_list("sat_out", flat=True)[:people]
    people_out = [(times, 0) for times in before]
    for size, most in fits:
        out = people - sum(pairing.choose_table_sizes(people, size, least=least, most=most))
        people_out.sort(key=lambda person: (person[0], -person[1]))  # among equals the worst case
        people_out[:out] = [(times + 1, more + 1) for times, more in people_out[:out]]
    return max((more for _times, more in people_out), default=0)


def fit_table_size(size: int, slug: str) -> int:
    """Return the season's table size, or the nearest one that the game allows.

    >>> fit_table_size(5, "fagioli"), fit_table_size(2, "haricots")
    (4, 3)
    """
    seats = games.get(slug).seats
    return min(max(size, seats.start), seats.stop - 1)


def no_longer_plays_here() -> Q:
    """Match chairs drawn for somebody who no longer plays, or who plays in another division now."""
    return ~Q(entry__state=Entry.State.ENTERED) | ~Q(entry__division=F("fixture__round__division"))


# ── how many people it takes ──


def find_fewest_players(slugs: Sequence[str]) -> int:
    """Return how many people every one of these games needs at least: one number for all rounds of a draw."""
    return max((games.get(slug).seats.start for slug in slugs), default=0)


def find_fewest_to_begin(season: Season) -> int:
    """Return how many people a season needs to begin.

    Only the seed decides with which games a classic begins. Before it is drawn, count the game that needs the fewest.
    """
    if season.format == Season.Format.CLASSIC and not season.seed:
        return min(games.get(slug).seats.start for slug in season.league.games)
    return find_fewest_players(choose_next_games(season, 0))


def count_missing(division: Division) -> int:
    """Return how many more people the next round needs. Nobody can enter a knock-out that has begun."""
    season, done = division.season, len(facts.list_started(division))
    if done and season.format == Season.Format.KNOCK_OUT:
        return 0
    fewest = find_fewest_players(choose_next_games(season, done))
    return max(0, fewest - len(facts.list_playing(division)))


def can_enter(entry: Entry) -> bool:
    """Whether this person can still become a player.

    A knock-out that has begun takes back only people who left it, at the stage they had reached.
    """
    if entry.season.format != Season.Format.KNOCK_OUT:
        return True
    if entry.division is None:
        return not has_begun(entry.season)
    return round_results.find_latest_round(entry.division) is None or season_records.was_in_a_round(entry)


def is_out(entry: Entry) -> bool:
    """Whether no future draw includes this person: none is left, or the knock-out goes on without them."""
    division = entry.division or entry.season.divisions.last()  # people without a division would join the last one
    last = round_results.find_latest_round(division) if division else None
    if last is None:
        return False
    if entry.season.format != Season.Format.KNOCK_OUT:
        return last.number >= entry.season.rounds
    goes_on = (
        round_results.list_entries(last) if is_undecided(last, entry) else knock_out_progress.find_entries_through(last)
    )
    return last.is_final or entry.pk not in goes_on


def is_undecided(round_: Round, entry: Entry) -> bool:
    """Whether the entry's table in a round has no result yet."""
    return entry.chairs.filter(fixture__round=round_, fixture__ending=Fixture.Ending.OPEN).exists()


def has_begun(season: Season) -> bool:
    return Round.objects.exclude(phase=Round.Phase.DRAWN).filter(division__season=season).exists()


def say_knock_out_begun() -> str:
    return _("The knock-out has started, so no one can join it now.")


def describe_missing(division: Division, count: int) -> str:
    sentence = ngettext(
        "%(division)s needs one more person for a table.",
        "%(division)s needs %(count)d more people for a table.",
        count,
    )
    return sentence % {"division": division, "count": count}


# ── knock-out ──


def list_survivors(last: Round) -> list[int]:
    """Return the entries that have not been knocked out."""
    if last.is_final:
        raise ValidationError(_("The final has been played."))
    return knock_out_progress.find_entries_left_after(last)


def choose_game(people: int, season: Season, number: int) -> str:
    """Return the next game in turn that this few people can play."""
    lap = list_games(season, number - 1 + len(season.league.games))[number - 1 :]
    return next((slug for slug in lap if games.get(slug).seats.start <= people), lap[0])


def find_last_players(division: Division) -> list[str] | None:
    """Return the names of the players left in a knock-out, if too few for a table. None: it goes on, or is over."""
    left = knock_out_progress.find_entries_left(division) if division.season.format == Season.Format.KNOCK_OUT else None
    if left is None or len(left) >= min(games.get(slug).seats.start for slug in division.season.league.games):
        return None
    names = dict(division.entries.filter(pk__in=left).values_list("pk", "player__name"))
    return [names[who] for who in left]


def describe_early_end(division: Division, left: Sequence[str]) -> str:
    """Say how a knock-out with too few players left ends."""
    if not left:
        return _("%(division)s: no one is left, so there’s no winner.") % {"division": division}
    if len(left) == 1:
        return _("%(division)s: %(name)s is the only player left and wins.") % {"division": division, "name": left[0]}
    values = {"division": division, "names": join_names(left)}
    return (
        _("%(division)s: only %(names)s are left, too few for a table. The standings decide who comes first.") % values
    )


def describe_early_ends(season: Season) -> list[str]:
    """Say how each division with too few players left ends. Return nothing while another division goes on."""
    left = [(division, find_last_players(division)) for division in season.divisions.all()]
    if any(names is None and not has_played_final(division) for division, names in left):
        return []
    return [describe_early_end(division, names) for division, names in left if names is not None]


def has_played_final(division: Division) -> bool:
    last = round_results.find_latest_round(division)
    return last is not None and last.is_final and last.phase == Round.Phase.CLOSED


def move_on_ladder(round_: Round) -> None:
    """Give everybody the rung they played for. An annulled table moves nobody, nor do its neighbours swap with it.

    People at no table keep their rung and don't come between two tables.
    """
    entries, (seating,) = list(round_.division.entries.order_by("rung", "pk")), round_results.build_seatings([round_])
    seated = set(chain(*seating.tables))
    there = [entry.pk for entry in entries if entry.pk in seated]
    counted = round_.fixtures.exclude(ending=Fixture.Ending.ANNULLED).prefetch_related("chairs")
    climbed = pairing.climb_ladder(there, [round_results.rank_entries(fixture) for fixture in counted])
    after = dict(zip(there, climbed, strict=True))
    order = [after.get(entry.pk, entry.pk) for entry in entries]
    for entry in entries:
        if entry.rung != order.index(entry.pk):
            entry.rung = order.index(entry.pk)
            entry.save(update_fields=["rung"])
