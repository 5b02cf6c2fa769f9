"""Head-to-head records of players at a league's tables."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass

from django.db.models import QuerySet

from beanpost.leagues.models import Chair, Fixture
from beanpost.players.models import Player


@dataclass(frozen=True)
class HeadToHead:
    """An opponent, and for each table shared both players' ranks, the latest table first."""

    other: Player
    met: list[tuple[Fixture, int, int]]

    @property
    def above(self) -> int:
        return sum(one < other for _fixture, one, other in self.met)

    @property
    def below(self) -> int:
        return sum(one > other for _fixture, one, other in self.met)

    @property
    def level(self) -> int:
        return len(self.met) - self.above - self.below


def list_opponents(player: Player, chairs: QuerySet[Chair]) -> list[HeadToHead]:
    """Return a player's opponents, sorted by name."""
    decided = chairs.filter(rank__isnull=False).exclude(fixture__ending=Fixture.Ending.ANNULLED)
    own = dict(decided.filter(sitter=player).values_list("fixture", "rank"))
    others = decided.filter(fixture__in=own).exclude(sitter=player).order_by("-fixture__decided_at", "-fixture")
    met: dict[Player, list[tuple[Fixture, int, int]]] = defaultdict(list)
    for chair in others.select_related("sitter", "fixture__match", "fixture__round__division__season"):
        met[chair.sitter].append((chair.fixture, own[chair.fixture_id] or 0, chair.rank or 0))
    return [HeadToHead(other, met[other]) for other in sorted(met, key=lambda other: (other.name, other.pk))]


def compare_players(one: Player, other: Player, chairs: QuerySet[Chair]) -> HeadToHead:
    """Return the tables at which two players have met."""
    tables = chairs.filter(sitter=other).values("fixture")
    found = list_opponents(one, chairs.filter(fixture__in=tables, sitter__in=(one, other)))
    return found[0] if found else HeadToHead(other, [])
