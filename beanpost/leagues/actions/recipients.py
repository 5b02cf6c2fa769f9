"""The people whom several actions concern."""

from __future__ import annotations

from django.db.models import Q

from beanpost.leagues.models import Entry, Fixture, Round, Season
from beanpost.players.models import Player

HEARD = (Entry.State.ENTERED, Entry.State.SUBSTITUTE, Entry.State.WAITING)


def everybody(season: Season) -> list[Player]:
    return [entry.player for entry in season.entries.filter(state__in=HEARD).select_related("player")]


def at_table(fixture: Fixture) -> list[Player]:
    return [chair.sitter for chair in fixture.chairs.select_related("sitter")]


def in_round(round_: Round) -> list[Player]:
    """Return everybody in a round: at its tables, or sitting out. Players knocked out before it get no letter."""
    there = round_.division.entries.filter(Q(chairs__fixture__round=round_) | Q(byes__round=round_), state__in=HEARD)
    sitters = Player.objects.filter(chairs__fixture__round=round_)
    return list(Player.objects.filter(Q(pk__in=there.values("player")) | Q(pk__in=sitters.values("pk"))))
