"""Players' ratings per game and over all games, with openskill.

The Bradley–Terry model was chosen by simulation (forty players at tables of four): after sixty matches it orders them
as well as Plackett–Luce (0.93 against 0.94) and with half the uncertainty (sigma 2.0 against 3.8). A seat that a bot
played to the end, or that changed hands, is not rated. It counts as an opponent of middling strength, the same for
everybody, so that it doesn't matter who was replaced. Players who gave up rank last: giving up saves no rating.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

from django.db import transaction
from django.db.models import Max, Q, QuerySet
from openskill.models import BradleyTerryFull

from beanpost.leagues.models import Fixture, League, Rated, Rating
from beanpost.play.log import outcome
from beanpost.play.log.storage import replay_log
from beanpost.play.models import Match, Place
from games.engine import catalogue

MODEL = BradleyTerryFull()
OVERALL = ""
BOT = (MODEL.mu, 1.0)  # well known, and mediocre


@dataclass(frozen=True)
class Strength:
    mu: float = MODEL.mu
    sigma: float = MODEL.sigma
    matches: int = 0


Strengths: TypeAlias = dict[tuple[int, str], Strength]  # by player and game
Sitters: TypeAlias = Sequence[int | None]  # by seat; None: not rated, such as a bot


def rate(strengths: Strengths, game: str, sitters: Sitters, ranks: Sequence[int]) -> Strengths:
    """Return the new strengths of the players of a match, in that game and overall."""
    fresh: Strengths = {}
    for about in (game, OVERALL):
        before = [strengths.get((who, about), Strength()) if who else Strength(*BOT) for who in sitters]
        teams = [[MODEL.rating(mu=one.mu, sigma=one.sigma)] for one in before]
        after = MODEL.rate(teams, ranks=[float(rank) for rank in ranks])
        for who, old, (new,) in zip(sitters, before, after, strict=True):
            if who:
                fresh[who, about] = Strength(new.mu, new.sigma, old.matches + 1)
    return fresh


@transaction.atomic
def rate_match(match: Match) -> None:
    """Rate a finished match, once."""
    if Rated.objects.filter(match=match).exists():
        return
    lock_ratings()
    last = Rated.objects.aggregate(last=Max("nth"))["last"] or 0
    Rated.objects.create(match=match, nth=last + 1)
    played = load_sitters_and_ranks(match)
    if played is None:
        return
    sitters, ranks = played
    store_strengths(rate(load_strengths(who for who in sitters if who), match.game, sitters, ranks))


def lock_ratings() -> None:
    """Serialise rating by locking the oldest league's row, so that matches are rated one by one."""
    League.objects.select_for_update(no_key=True).order_by("pk").first()


def load_sitters_and_ranks(match: Match) -> tuple[list[int | None], tuple[int, ...]] | None:
    """Return the rated players and ranks of a match, from its log and its final seats."""
    if not catalogue.is_installed(match.game, match.edition):
        return None
    result = replay_log(match).result
    if result is None:
        return None
    places = list(match.places.order_by("seat"))
    return [find_rated_player(place) for place in places], outcome.rank_seats(match, result.ranks, places)


def find_rated_player(place: Place) -> int | None:
    """Return the player whose rating a seat counts for."""
    if place.resigned_at is None and (place.stand_in or place.seated):
        return None
    return place.player_id


def load_strengths(players: Iterable[int]) -> Strengths:
    rows = Rating.objects.filter(player__in=list(players))
    return {(row.player_id, row.game): Strength(row.mu, row.sigma, row.matches) for row in rows}


def store_strengths(strengths: Strengths) -> None:
    Rating.objects.bulk_create(
        [
            Rating(player_id=player, game=game, mu=one.mu, sigma=one.sigma, matches=one.matches)
            for (player, game), one in strengths.items()
        ],
        update_conflicts=True,
        unique_fields=["player", "game"],
        update_fields=["mu", "sigma", "matches"],
    )


@dataclass
class Recomputation:
    """Ratings recomputed from the logs in the order in which matches were rated, as far as `last`."""

    without: frozenset[int]  # rows of annulled matches
    strengths: Strengths = field(default_factory=dict)
    last: int = 0
    matches: int = 0

    def counted(self) -> QuerySet[Rated]:
        return Rated.objects.exclude(pk__in=self.without)

    def catch_up(self) -> None:
        rows = self.counted().filter(nth__gt=self.last).select_related("match").order_by("nth")
        for row in rows.iterator(chunk_size=200):
            if played := load_sitters_and_ranks(row.match):
                self.strengths |= rate(self.strengths, row.match.game, *played)
            self.last, self.matches = row.nth, self.matches + 1


def find_annulled() -> QuerySet[Rated]:
    """Return rows of matches that were rated when they ended, and were annulled, decided or played again since."""
    decided = Q(match__fixture__ending__in=(Fixture.Ending.ANNULLED, Fixture.Ending.ADJUDICATED))
    return Rated.objects.filter(decided | Q(match__replaced_at_table__isnull=False))


def recompute_ratings() -> tuple[int, int]:
    """Recompute ratings from the logs. Return how many there are, and how many differed.

    Most of it runs without the lock, since matches go on ending; only those rated meanwhile are added under it.
    """
    while True:
        fresh_run = Recomputation(frozenset(find_annulled().values_list("pk", flat=True)))
        fresh_run.catch_up()
        with transaction.atomic():
            lock_ratings()
            fresh_run.catch_up()
            if fresh_run.counted().count() == fresh_run.matches:  # otherwise another process has recomputed meanwhile
                return replace_ratings(fresh_run)


def replace_ratings(fresh_run: Recomputation) -> tuple[int, int]:
    fresh = fresh_run.strengths
    Rated.objects.filter(pk__in=fresh_run.without).delete()
    known = {(row.player_id, row.game): Strength(row.mu, row.sigma, row.matches) for row in Rating.objects.all()}
    different = sum(known.get(key) != fresh.get(key) for key in {*known, *fresh})
    if different:
        Rating.objects.all().delete()
        store_strengths(fresh)
    return len(fresh), different
