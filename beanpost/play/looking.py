"""A look at a table: the rows from which its scenes are made. Many tables are read with the same few queries."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence

from beanpost.play.models import Event, Match, Note, Order, Place, Proposal, Vault, Wait
from beanpost.play.plain_sql import read_rows
from beanpost.players.models import Away, Player


class Look:
    """The rows of one table."""

    vault: Vault

    def __init__(self, match: Match) -> None:
        self.match = match
        self.places: list[Place] = []  # with their players
        self.absences: list[Away] = []  # days away that anybody at the table has ever announced
        self.events: list[Event] = []
        self.orders: list[Order] = []
        self.notes: list[Note] = []
        self.proposals: list[Proposal] = []
        self.waits: list[Wait] = []


def of(match: Match) -> Look:
    """Return the look from which scenes are made until the match is refreshed; otherwise a new one."""
    return match.looked_at or looks([match])[0]


def at(matches: Sequence[Match]) -> None:
    """Look at many tables: their scenes are then made from this look, until a match is refreshed."""
    for look in looks(matches):
        look.match.looked_at = look


def looks(matches: Sequence[Match]) -> list[Look]:
    """Read the rows of these tables, with as many queries for many tables as for one."""
    tables = {match.pk: Look(match) for match in matches}
    read_places(tables)
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
    # The questions come last: a seat that is still asked then may see all that was read before.
    for wait in read_rows(Wait, "match_id", tables, order_by="id"):
        tables[wait.match_id].waits.append(wait)
    return list(tables.values())


def read_places(tables: Mapping[int, Look]) -> None:
    """Read the seats and the days away of their players. A player at several tables is one object at all of them."""
    places = read_rows(Place, "match_id", tables, order_by="seat")
    numbers = {place.player_id for place in places if place.player_id}
    players = {player.pk: player for player in read_rows(Player, "id", numbers, order_by="id")}
    announced: dict[int, list[Away]] = defaultdict(list)
    for days in read_rows(Away, "player_id", players, order_by="first"):
        days.player = players[days.player_id]
        announced[days.player_id].append(days)
    for place in places:
        look = tables[place.match_id]
        place.match = look.match
        place.player = players.get(place.player_id or 0)
        if place.player:
            look.absences += announced[place.player.pk]
        look.places.append(place)
