"""The people whom several actions concern."""

from __future__ import annotations

from beanpost.leagues.models import Entry, Fixture, Season
from beanpost.players.models import Player

HEARD = (Entry.State.ENTERED, Entry.State.SUBSTITUTE, Entry.State.WAITING)


def everybody(season: Season) -> list[Player]:
    return [entry.player for entry in season.entries.filter(state__in=HEARD).select_related("player")]


def at_table(fixture: Fixture) -> list[Player]:
    return [chair.sitter for chair in fixture.chairs.select_related("sitter")]
