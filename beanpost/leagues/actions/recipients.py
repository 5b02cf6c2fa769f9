"""The people whom several actions concern."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.db.models import Q, QuerySet

from beanpost.leagues.models import Entry, Fixture, Round, Season
from beanpost.players.models import Player

ACCEPTED = (Entry.State.ENTERED, Entry.State.SUBSTITUTE, Entry.State.WAITING)


def find_players_in_season(season: Season) -> list[Player]:
    return [entry.player for entry in season.entries.filter(state__in=ACCEPTED).select_related("player")]


def find_players_at_table(fixture: Fixture) -> list[Player]:
    return [chair.sitter for chair in fixture.chairs.select_related("sitter")]


def find_players_in_round(round_: Round) -> list[Player]:
    """Return everybody in a round: at its tables, or sitting out. Also followers who were knocked out."""
    there = round_.division.entries.filter(Q(chairs__fixture__round=round_) | Q(byes__round=round_), state__in=ACCEPTED)
    sitters = Player.objects.filter(chairs__fixture__round=round_)
    concerned = Q(pk__in=there.values("player")) | Q(pk__in=sitters.values("pk"))
    return list(Player.objects.filter(concerned | Q(pk__in=find_followers([round_]))))


def find_followers(rounds: Sequence[Round]) -> QuerySet[Any, Any]:
    """Return the keys of players of these rounds' divisions who follow a knock-out to its end."""
    divisions = {round_.division_id for round_ in rounds}
    entries = Entry.objects.filter(division__in=divisions, season__format=Season.Format.KNOCK_OUT, state__in=ACCEPTED)
    return entries.filter(player__follows_rounds=True).values("player")
