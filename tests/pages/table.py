"""Players at a table, for tests of the pages: who is asked, the links in their letter, and pressing one."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime
from typing import Any

import pytest
from django.db import connection
from django.urls import reverse

from beanpost.play import load, moves
from beanpost.play.display import scene
from beanpost.play.display.scene import Scene
from beanpost.play.load import LoadedMatch
from beanpost.play.models import Match, Place
from beanpost.play.tickets import MoveTicket, SeatTicket, Ticket, redeem, sign
from tests.friends import NOON


def asked(match: Match) -> Scene:
    """Return the scene of the player the match waits for; of several, the first."""
    first = match.waits.exclude(due_at=None).order_by("seat")[0]
    return scene.build_scene(match, first.seat)


def link(name: str, ticket: Ticket | str) -> str:
    return reverse(name, args=[ticket if isinstance(ticket, str) else sign(ticket)])


def move_link(match: Match, wish: str = "") -> str:
    """Return the path of the first move in the asked player's letter that starts like this."""
    options = asked(match).question.options
    return link("move", next(option.ticket for option in options if option.line.startswith(wish)))


def table_link(match: Match) -> str:
    return link("move", asked(match).question.ticket)


def seat_ticket(place: Place) -> SeatTicket:
    return SeatTicket(place.match_id, place.seat, place.occupant)


def seat_link(name: str, place: Place) -> str:
    return link(name, seat_ticket(place))


def press(match: Match, wish: str = "", *, note: str = "", now: datetime = NOON) -> moves.Played:
    """Press a link as the asked player."""
    options = asked(match).question.options
    chosen = next((option for option in options if option.line.startswith(wish)), options[0])
    ticket = redeem(MoveTicket, chosen.ticket)
    made = moves.play_ticket(ticket, ticket.line, note=note, now=now)
    match.refresh_from_db()
    return made


def meanwhile(monkeypatch: pytest.MonkeyPatch, nth: int, happens: Callable[[], object]) -> None:
    """Run a function during the next loading of a match, after this many of its queries."""
    looks = load.load_matches

    def interrupted(matches: Sequence[Match]) -> list[LoadedMatch]:
        monkeypatch.setattr(load, "load_matches", looks)
        queries = iter(range(nth + 1))

        def count(execute: Callable[..., Any], *query: Any) -> Any:
            if next(queries, None) == nth:
                happens()
            return execute(*query)

        with connection.execute_wrapper(count):
            found = looks(matches)
        if next(queries, None) is not None:  # the loading made no more queries
            happens()
        return found

    monkeypatch.setattr(load, "load_matches", interrupted)


def play_to_the_end(match: Match) -> Match:
    while match.phase == Match.Phase.RUNNING:
        press(match, "fold")
    return match
