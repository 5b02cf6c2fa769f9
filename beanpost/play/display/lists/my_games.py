"""A player's overview: their open questions, invitations and results in all matches, in a bounded number of queries."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

from django.utils import timezone
from django.utils.dateformat import format as format_date
from django.utils.translation import gettext as _
from django.views.decorators.debug import sensitive_variables

from beanpost.play import clock
from beanpost.play.display.wording import format_time_left, format_your_time, join_names
from beanpost.play.log import outcome, storage
from beanpost.play.models import Match, Place, Vault, Wait
from beanpost.play.tickets import MoveTicket, SeatTicket, sign
from beanpost.players.models import Player
from games.contract.seats import Seat
from games.engine import catalogue
from games.verification.export import Outcome

MAX_RESULTS = 12  # results shown
MAX_MATCHES = 200  # matches shown of each phase
NEVER = datetime.max.replace(tzinfo=UTC)


@dataclass(frozen=True)
class SeatRow:
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

    @property
    def name(self) -> str:
        return name_match(self.match, self.others)

    @property
    def state(self) -> str:
        """How the match stands for the player."""
        if self.match.phase == Match.Phase.GATHERING:
            return _("waiting for players to join")
        if self.match.phase == Match.Phase.ENDED:
            return describe_end(self)
        if self.wait:
            return describe_wait(self.wait)
        if self.match.paused_at:
            return _("paused")
        if self.awaited:
            return _("waiting for %(names)s") % {"names": join_names(self.awaited)}
        return _("waiting for another player")


@dataclass(frozen=True)
class Overview:
    asked: list[SeatRow]  # matches that wait for the player, the most urgent first
    quiet: list[SeatRow]  # matches that wait for somebody else
    invited: list[SeatRow]
    gathering: list[SeatRow]  # not full yet
    over: list[SeatRow]  # the latest first, with the player's rank

    @property
    def tables(self) -> list[Match]:
        """The matches that are not over."""
        return [table.match for table in (*self.asked, *self.quiet, *self.invited, *self.gathering)]


def build_overview(player: Player) -> Overview:
    tables = find_running_seats(player)
    gathering = [SeatRow(place, find_other_names(place)) for place in find_places(player, Match.Phase.GATHERING)]
    return Overview(
        asked=sorted((table for table in tables if table.wait), key=get_urgency),
        quiet=[table for table in tables if not table.wait],
        invited=[table for table in gathering if not table.place.confirmed_at],
        gathering=[table for table in gathering if table.place.confirmed_at],
        over=find_results(player),
    )


def find_asked_seats(player: Player) -> list[SeatRow]:
    """Return the seats of the player at matches that wait for them."""
    return [table for table in find_running_seats(player) if table.wait]


def find_running_seats(player: Player) -> list[SeatRow]:
    places = find_places(player, Match.Phase.RUNNING)
    waits = Wait.objects.filter(match__in=[place.match_id for place in places])
    asked = {(wait.match_id, wait.seat): wait for wait in waits}
    return [
        SeatRow(place, find_other_names(place), find_own_wait(place, asked), find_awaited_names(place, asked))
        for place in places
    ]


def name_match(match: Match, others: Sequence[str]) -> str:
    """Return a match's game and its other players, as a player's lists call it."""
    title = catalogue.title(match.game)
    return _("%(title)s with %(names)s") % {"title": title, "names": join_names(others)} if others else title


def describe_wait(wait: Wait) -> str:
    if wait.due_at:
        span, due = format_time_left(wait.due_at, clock.now()), format_your_time(wait.due_at, wait.since)
        return _("%(span)s left, until %(due)s") % {"span": span, "due": due}
    return _("paused: the clock is stopped") if wait.is_blocking else _("optional: no one is waiting for you")


def describe_end(table: SeatRow) -> str:
    """Say on which day a match ended, and with which rank for the player."""
    assert table.match.ended_at is not None
    if table.rank == 1 and not table.place.resigned_at:
        result = _("you won")
    elif table.rank:
        result = _("place %(rank)s of %(seats)s") % {"rank": table.rank, "seats": table.match.seats}
    else:
        result = _("ended without a result")
    return f"{format_date(timezone.localtime(table.match.ended_at), _('j F Y'))} · {result}"


def find_own_wait(place: Place, asked: Mapping[tuple[int, Seat], Wait]) -> Wait | None:
    """Return the player's open question. A player who resigned has none, even if a bot in their seat has."""
    return None if place.resigned_at else asked.get((place.match_id, place.seat))


def find_awaited_names(place: Place, asked: Mapping[tuple[int, Seat], Wait]) -> list[str]:
    others = (other for other in place.match.places.all() if other.pk != place.pk)
    return [other.name for other in others if (wait := asked.get((other.match_id, other.seat))) and wait.is_blocking]


def find_places(player: Player, phase: Match.Phase, order: str = "-match_id", most: int = MAX_MATCHES) -> list[Place]:
    places = player.places.filter(match__phase=phase).select_related("match__keeper")
    return list(places.prefetch_related("match__places").order_by(order)[:most])


def find_other_names(place: Place) -> list[str]:
    """Return the names of the other players, except those who have not confirmed: they may not wish to be named."""
    sure = (other for other in place.match.places.all() if other.confirmed_at or other.player_id is None)
    return [other.name for other in sure if other.pk != place.pk]


def get_urgency(table: SeatRow) -> tuple[datetime, int]:
    """Sort key: the earliest deadline first, questions without a deadline last."""
    assert table.wait is not None
    return table.wait.due_at or NEVER, table.match.pk


# ── results ──


def find_results(player: Player) -> list[SeatRow]:
    places = find_places(player, Match.Phase.ENDED, "-match__ended_at", MAX_RESULTS)
    ranks = rank_matches(place.match for place in places)
    return [SeatRow(place, find_other_names(place), rank=ranks[place.match_id].get(place.seat)) for place in places]


@sensitive_variables("vaults")
def rank_matches(matches: Iterable[Match]) -> dict[int, dict[int, int]]:
    """Return the ranks by seat of each match; none for a match that ended without a result."""
    known = {match.pk: match for match in matches}
    vaults = Vault.objects.filter(match__in=known)
    found = {vault.pk: find_outcome(known[vault.pk], vault) for vault in vaults}
    return {pk: dict(enumerate(rank_seats(known[pk], result))) if result else {} for pk, result in found.items()}


def rank_seats(match: Match, result: Outcome) -> tuple[int, ...]:
    return outcome.rank_seats(match, result.ranks, match.places.all())


@sensitive_variables("vault")
def find_outcome(match: Match, vault: Vault) -> Outcome | None:
    if not catalogue.is_installed(match.game, match.edition):
        return None
    return outcome.find_outcome(match, storage.restore_table(match, vault))
