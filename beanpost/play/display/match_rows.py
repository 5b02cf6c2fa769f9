"""Load all rows that the scenes of a match need. Many matches are loaded with the same few queries as one."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence

from beanpost.database.plain_sql import read_rows
from beanpost.play.models import Event, Match, Note, Order, Place, Proposal, Vault, Wait
from beanpost.players.models import Away, Player
from games.contract.seats import Seat

HAS_PLAYED_BEFORE = """EXISTS (
    SELECT 1 FROM play_match this, play_match earlier JOIN play_place own ON own.match_id = earlier.id
    WHERE this.id = play_place.match_id AND own.player_id = play_place.player_id
    AND earlier.game = this.game AND earlier.started_at < this.started_at
) AS has_played_before"""


class MatchRows:
    """The rows of one match."""

    vault: Vault

    def __init__(self, match: Match) -> None:
        self.match = match
        self.places: list[Place] = []  # with their players
        self.absences: list[Away] = []  # all days away that players of the match have announced
        self.events: list[Event] = []
        self.orders: list[Order] = []
        self.notes: list[Note] = []
        self.proposals: list[Proposal] = []
        self.waits: list[Wait] = []


def get_rows(match: Match) -> MatchRows:
    """Return the match's rows: those kept on this object by `attach_rows`, or freshly loaded."""
    loaded: MatchRows | None = match.loaded_rows
    return loaded or load_rows([match])[0]


def attach_rows(matches: Sequence[Match]) -> None:
    """Load the rows of many matches and keep them on the objects for their scenes, until `refresh_from_db`."""
    for rows in load_rows(matches):
        rows.match.loaded_rows = rows


def find_place(match_id: int, seat: Seat, occupant: int) -> Place | None:
    """Do what `load.find_place` does, and load the rows of the whole match: its page is made from them."""
    matches = read_rows(Match, "id", [match_id], order_by="id")
    attach_rows(matches)
    places = [place for match in matches for place in get_rows(match).places]
    return next((place for place in places if (place.seat, place.occupant) == (seat, occupant)), None)


def load_rows(matches: Sequence[Match]) -> list[MatchRows]:
    """Load the rows of these matches; the number of queries does not depend on how many there are."""
    tables = {match.pk: MatchRows(match) for match in matches}
    load_places(tables)
    for vault in read_rows(Vault, "match_id", tables, order_by="match_id"):
        tables[vault.match_id].vault = vault
    for event in read_rows(Event, "match_id", tables, order_by="seq"):
        tables[event.match_id].events.append(event)
    for order in read_rows(Order, "match_id", tables, order_by="id"):
        tables[order.match_id].orders.append(order)
    for note in read_rows(Note, "match_id", tables, order_by="seq, id"):
        tables[note.match_id].notes.append(note)
    for proposal in read_rows(Proposal, "match_id", tables, order_by="id"):
        tables[proposal.match_id].proposals.append(proposal)
    # Waits are read last: a seat that is asked by then may see everything that was read before.
    for wait in read_rows(Wait, "match_id", tables, order_by="id"):
        tables[wait.match_id].waits.append(wait)
    return list(tables.values())


def load_places(tables: Mapping[int, MatchRows]) -> None:
    """Load seats, players and days away. A player with seats in several matches is a single object."""
    places = read_rows(Place, "match_id", tables, more=HAS_PLAYED_BEFORE, order_by="seat")
    numbers = {place.player_id for place in places if place.player_id}
    players = {player.pk: player for player in read_rows(Player, "id", numbers, order_by="id")}
    announced: dict[int, list[Away]] = defaultdict(list)
    for days in read_rows(Away, "player_id", players, order_by="first"):
        days.player = players[days.player_id]
        announced[days.player_id].append(days)
    for place in places:
        rows = tables[place.match_id]
        place.match = rows.match
        place.player = players.get(place.player_id or 0)
        if place.player:
            rows.absences += announced[place.player.pk]
        rows.places.append(place)
