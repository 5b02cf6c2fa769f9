"""Views of the API about public leagues."""

from __future__ import annotations

from django.db.models import QuerySet
from django.shortcuts import get_object_or_404

from beanpost.leagues.models import Fixture, League, Season
from beanpost.leagues.records import exports, round_results
from beanpost.leagues.records.namesakes import Names, load_public_names
from beanpost.pages.api.views import Found, json_view
from beanpost.play.models import Match
from beanpost.site.links import link


def find_public_leagues() -> QuerySet[League]:
    return League.objects.filter(visibility=League.Visibility.PUBLIC).order_by("name")


@json_view
def all_leagues() -> Found:
    return {"leagues": [serialize_league(league) for league in find_public_leagues()]}


@json_view
def league(slug: str) -> Found:
    found = get_object_or_404(find_public_leagues(), slug=slug)
    return serialize_league(found) | {"seasons": [serialize_season(season) for season in found.seasons.all()]}


def serialize_league(league: League) -> Found:
    return {
        "slug": league.slug,
        "name": league.name,
        "about": league.about,
        "language": league.language,
        "games": league.games,
        "url": link("league", league.slug),
    }


def serialize_season(season: Season) -> Found:
    return {
        "number": season.pk,
        "name": season.name,
        "format": season.format,
        "phase": season.phase,
        "cancelled": season.cancelled_at is not None,
        "starts_on": season.starts_on,
        "ends_on": season.ends_on,
    }


@json_view
def standings(slug: str, pk: int) -> Found:
    found = find_season(slug, pk)
    return {"season": serialize_season(found), "standings": exports.list_public_standings(found)}


@json_view
def fixtures(slug: str, pk: int) -> Found:
    """Return the tables of the rounds that have started."""
    found = find_season(slug, pk)
    names = load_public_names(found.league)
    rows = [
        serialize_fixture(fixture, names)
        for division in found.divisions.all()
        for round_ in round_results.public_rounds(division).prefetch_related(
            "fixtures__chairs__sitter", "fixtures__chairs__entry__player", "fixtures__match"
        )
        for fixture in round_.fixtures.all()
    ]
    return {"season": serialize_season(found), "fixtures": rows}


def serialize_fixture(fixture: Fixture, names: Names) -> Found:
    played = fixture.match if fixture.match and fixture.match.phase == Match.Phase.ENDED else None
    return {
        "division": fixture.round.division.name,
        "round": fixture.round.number,
        "table": fixture.table,
        "game": fixture.round.game,
        "variant": fixture.round.variant,
        "ending": fixture.ending,
        "match": played.code if played else None,
        "players": [
            {
                "name": names.name_sitter(chair),
                "entry": names.name_entry(chair),
                "rank": chair.rank,
                "score": chair.score,
            }
            for chair in fixture.chairs.all()
        ],
    }


def find_season(slug: str, pk: int) -> Season:
    return get_object_or_404(
        Season.objects.select_related("league"), pk=pk, league__in=find_public_leagues(), league__slug=slug
    )
