"""A player's overview: their open questions, invitations and results in all matches, in a bounded number of queries."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

from django.db.models import F, QuerySet
from django.views.decorators.debug import sensitive_variables

from beanpost.play.log import load, outcome
from beanpost.play.models import Match, Place, Vault, Wait
from beanpost.play.tickets import MoveTicket, SeatTicket, sign
from beanpost.players.models import Player
from games.contract.seats import Seat
from games.engine import catalogue
from games.verification.export import Outcome

RECENT = 12  # results shown
MOST = 200  # matches shown of each phase
NEVER = datetime.max.replace(tzinfo=UTC)


@dataclass(frozen=True)
class Seated:
    """One of the player's seats, as a row of a list."""

    place: Place
    others: list[str]
    wait: Wait | None = None
    awaited: Sequence[str] = ()  # other players the match waits for
    rank: int | None = None  # None: not over, or ended without a result

    @property
    def match(self) -> Match:
        return self.place.match

    @property
    def ticket(self) -> str:
        """A ticket for the page that answers the question."""
        assert self.wait is not None
        asked = (self.match.pk, self.place.seat, self.place.occupant, self.wait.opened)
        return sign(MoveTicket(*asked, since=self.match.length))

    @property
    def seat_ticket(self) -> str:
        return sign(SeatTicket(self.match.pk, self.place.seat, self.place.occupant))


@dataclass(frozen=True)
class Desk:
    asked: list[Seated]  # matches that wait for the player, the most urgent first
    quiet: list[Seated]  # matches that wait for somebody else
    invited: list[Seated]
    gathering: list[Seated]  # not full yet
    over: list[Seated]  # the latest first, with the player's rank

    @property
    def tables(self) -> list[Match]:
        """The matches that are not over."""
        return [table.match for table in (*self.asked, *self.quiet, *self.invited, *self.gathering)]


def of(player: Player) -> Desk:
    tables = running(player)
    gathering = [Seated(place, others(place)) for place in seated(player, Match.Phase.GATHERING)]
    return Desk(
        asked=sorted((table for table in tables if table.wait), key=urgency),
        quiet=[table for table in tables if not table.wait],
        invited=[table for table in gathering if not table.place.confirmed_at],
        gathering=[table for table in gathering if table.place.confirmed_at],
        over=results(player),
    )


def asked(player: Player) -> list[Seated]:
    """Return the seats of the player at matches that wait for them."""
    return [table for table in running(player) if table.wait]


def waiting(player: Player) -> QuerySet[Wait]:
    """Return the questions that matches wait for the player to answer, the most urgent first."""
    own = {"match__places__player": player, "match__places__seat": F("seat"), "match__places__resigned_at": None}
    asked = Wait.objects.filter(match__phase=Match.Phase.RUNNING, **own).exclude(due_at=None, left=None)
    return asked.select_related("match").order_by(F("due_at").asc(nulls_last=True), "match_id")


def running(player: Player) -> list[Seated]:
    places = seated(player, Match.Phase.RUNNING)
    waits = Wait.objects.filter(match__in=[place.match_id for place in places])
    asked = {(wait.match_id, wait.seat): wait for wait in waits}
    return [Seated(place, others(place), own_wait(place, asked), awaited(place, asked)) for place in places]


def own_wait(place: Place, asked: Mapping[tuple[int, Seat], Wait]) -> Wait | None:
    """Return the player's open question. A player who resigned has none, even if a bot in their seat has."""
    return None if place.resigned_at else asked.get((place.match_id, place.seat))


def awaited(place: Place, asked: Mapping[tuple[int, Seat], Wait]) -> list[str]:
    others = (other for other in place.match.places.all() if other.pk != place.pk)
    return [other.name for other in others if (wait := asked.get((other.match_id, other.seat))) and wait.is_blocking]


def seated(player: Player, phase: Match.Phase, order: str = "-match_id", most: int = MOST) -> list[Place]:
    places = player.places.filter(match__phase=phase).select_related("match__keeper")
    return list(places.prefetch_related("match__places").order_by(order)[:most])


def others(place: Place) -> list[str]:
    """Return the names of the other players, except those who have not confirmed: they may not wish to be named."""
    sure = (other for other in place.match.places.all() if other.confirmed_at or other.player_id is None)
    return [other.name for other in sure if other.pk != place.pk]


def urgency(table: Seated) -> tuple[datetime, int]:
    """Sort key: the earliest deadline first, questions without a deadline last."""
    assert table.wait is not None
    return table.wait.due_at or NEVER, table.match.pk


# ── results ──


def results(player: Player) -> list[Seated]:
    places = seated(player, Match.Phase.ENDED, "-match__ended_at", RECENT)
    ranks = ranked(place.match for place in places)
    return [Seated(place, others(place), rank=ranks[place.match_id].get(place.seat)) for place in places]


@sensitive_variables("vaults")
def ranked(matches: Iterable[Match]) -> dict[int, dict[int, int]]:
    """Return the ranks by seat of each match; none for a match that ended without a result."""
    known = {match.pk: match for match in matches}
    vaults = Vault.objects.filter(match__in=known)
    found = {vault.pk: came_out(known[vault.pk], vault) for vault in vaults}
    return {pk: dict(enumerate(in_order(known[pk], result))) if result else {} for pk, result in found.items()}


def in_order(match: Match, result: Outcome) -> tuple[int, ...]:
    return outcome.rank_seats(match, result.ranks, match.places.all())


@sensitive_variables("vault")
def came_out(match: Match, vault: Vault) -> Outcome | None:
    if not catalogue.is_installed(match.game, match.edition):
        return None
    return outcome.find_outcome(match, load.load_table(match, vault))
