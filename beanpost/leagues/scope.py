"""Scope: an organiser reaches rows of their own leagues, a superuser every row."""

from __future__ import annotations

from functools import reduce
from operator import or_
from typing import Any, TypeVar

from django.db.models import Model, Q, QuerySet

from beanpost.leagues import organiser_accounts
from beanpost.leagues.mail import invitations
from beanpost.leagues.models import (
    Bye,
    Chair,
    Division,
    Draw,
    Entry,
    Fixture,
    League,
    LeagueEvent,
    News,
    Rating,
    Round,
    Season,
)
from beanpost.play.models import Departure, Match, Place
from beanpost.players.models import Player
from beanpost.post.models import Letter

M = TypeVar("M", bound=Model)

LEAGUE_OF_DIVISION = "division__season__league"
LOOKUPS: dict[type[Model], str] = {  # the lookup from a row to its league
    League: "id",
    Season: "league",
    Division: "season__league",
    Entry: "season__league",
    LeagueEvent: "league",
    News: "season__league",
    Draw: LEAGUE_OF_DIVISION,
    Round: LEAGUE_OF_DIVISION,
    Fixture: f"round__{LEAGUE_OF_DIVISION}",
    Chair: f"fixture__round__{LEAGUE_OF_DIVISION}",
    Bye: f"round__{LEAGUE_OF_DIVISION}",
    Match: f"fixture__round__{LEAGUE_OF_DIVISION}",
    Letter: f"match__fixture__round__{LEAGUE_OF_DIVISION}",
}


def limit_to_own(rows: QuerySet[M], user: Any) -> QuerySet[M]:
    """Return the rows that this user may see."""
    if user.is_superuser:
        return rows
    leagues = League.objects.filter(organisers=user)
    entered = Entry.objects.filter(~Entry.hidden(), season__league__in=leagues).values("player")
    if rows.model is Player:
        return rows.filter(Q(pk__in=entered) | Q(pk__in=leagues.exclude(keeper=None).values("keeper")))
    if rows.model is Rating:
        return rows.filter(player__in=entered)
    theirs = Q(**{f"{LOOKUPS[rows.model]}__in": leagues.values("pk")})
    return rows.filter(theirs | invitations.is_invitation_of(leagues) if rows.model is Letter else theirs)


def limit_to_season(rows: QuerySet[M], season: Season) -> QuerySet[M]:
    """Return the rows that belong to a season."""
    if rows.model is League:
        return rows.filter(pk=season.league_id)
    if rows.model is Season:
        return rows.filter(pk=season.pk)
    if rows.model is Player:
        entered = Entry.objects.filter(~Entry.hidden(), season=season)
        return rows.filter(pk__in=entered.values("player"))
    return rows.filter(**{LOOKUPS[rows.model].removesuffix("__league"): season.pk})


def may_manage(user: Any, row: Model) -> bool:
    return user.is_superuser or limit_to_own(type(row)._default_manager.all(), user).filter(pk=row.pk).exists()


def plays_at(user: Any, match: Match | None) -> bool:
    """Whether an organiser plays, has played or may play here: then somebody else must decide."""
    return match is not None and find_own_matches(user).filter(pk=match.pk).exists()


def find_own_matches(user: Any) -> QuerySet[Match]:
    """Return the matches in which an organiser, or a substitute for them, plays or has played.

    All matches, if we don't know who they are.
    """
    return find_known_matches(user) if organiser_accounts.is_known(user) else Match.objects.all()


def find_known_matches(user: Any) -> QuerySet[Match]:
    """Return the matches of an organiser of whom we know who they are."""
    return Match.objects.filter(reduce(or_, (Q(pk__in=numbers) for numbers in list_own_match_keys(user))))


def exclude_own_matches(letters: QuerySet[Letter], user: Any) -> QuerySet[Letter]:
    """Leave out letters about `find_own_matches(user)`, without reading all matches to find those."""
    if not organiser_accounts.is_known(user):
        return letters.filter(match=None)
    for numbers in list_own_match_keys(user):
        letters = letters.exclude(match__in=numbers)
    return letters


def list_own_match_keys(user: Any) -> list[QuerySet[Any, Any]]:
    """Return the keys of matches in which an organiser sits, has sat, or has a chair in a league."""
    them = organiser_accounts.find_players(user).values("pk")
    chairs = Chair.objects.filter(Q(entry__player__in=them) | Q(sitter__in=them), fixture__match__isnull=False)
    return [
        Place.objects.filter(player__in=them).values("match"),
        Departure.objects.filter(player__in=them).values("match"),
        chairs.values("fixture__match"),
    ]
