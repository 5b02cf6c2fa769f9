"""Views of the API. They show what the public pages show to a bystander, and know no sessions."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from http import HTTPStatus
from typing import Any

from django.db.models import Exists, OuterRef, Q, QuerySet
from django.http import Http404, HttpRequest, JsonResponse
from django.shortcuts import get_object_or_404
from django.utils import translation
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_safe

import games
from beanpost.leagues.models import Fixture, League, Season
from beanpost.leagues.records import exports, round_results
from beanpost.leagues.records.namesakes import Names, load_public_names
from beanpost.pages.api.openapi import DOCUMENT
from beanpost.pages.visitors.replays import try_to_verify
from beanpost.play import clock
from beanpost.play.display.lists.table_lists import find_watchable_matches
from beanpost.play.log import export
from beanpost.play.models import Match
from beanpost.post import visitor_limits
from beanpost.site.links import link
from games.contract.errors import NotInstalled
from games.contract.game import Game

MAX_AN_HOUR = 600  # requests of one visitor
MAX_LISTED = 50
ENGLISH = "en"
NOT_HERE = "There is nothing public at this address."
TOO_MANY = "You have asked often in the last hour. Please come back a little later."
NO_GAME = "The game of this match is not installed at the moment."

Found = dict[str, Any]
View = Callable[..., JsonResponse]


def find_public_matches() -> QuerySet[Match]:
    """Return the matches that anybody may read: those that are over, and those whose players let others watch.

    Matches of a league that is not public are hidden with it.
    """
    over = Q(phase=Match.Phase.ENDED, practice=False)
    return hide_leagues(Match.objects.filter(over | Q(pk__in=find_watchable_matches().values("pk"))))


def hide_leagues(matches: QuerySet[Match]) -> QuerySet[Match]:
    """Leave out matches of leagues that are not public, including matches that were played again."""
    hidden = Fixture.objects.exclude(round__division__season__league__visibility=League.Visibility.PUBLIC)
    # Two subqueries, each with an index: one with OR would read all tables of these leagues for every match.
    now, before = hidden.filter(match=OuterRef("pk")), hidden.filter(earlier_matches__match=OuterRef("pk"))
    return matches.filter(~Exists(now), ~Exists(before))


def find_public_leagues() -> QuerySet[League]:
    return League.objects.filter(visibility=League.Visibility.PUBLIC).order_by("name")


def json_view(view: Callable[..., Found]) -> View:
    """Turn a function that returns a document into a view: in English, limited per visitor, errors as JSON."""

    @csrf_exempt  # so that a POST gets 405, not 403; no view changes anything
    @require_safe
    @wraps(view)
    def limited(request: HttpRequest, **names: Any) -> JsonResponse:
        address = request.META.get("REMOTE_ADDR", "")
        if not visitor_limits.count("api", address, most=MAX_AN_HOUR, now=clock.now()):
            refusal = build_response({"error": TOO_MANY}, HTTPStatus.TOO_MANY_REQUESTS)
            refusal.headers["Retry-After"] = "3600"
            return refusal
        with translation.override(ENGLISH):
            try:
                return build_response(view(**names))
            except Http404:
                return build_response({"error": NOT_HERE}, HTTPStatus.NOT_FOUND)
            except NotInstalled:
                return build_response({"error": NO_GAME}, HTTPStatus.SERVICE_UNAVAILABLE)

    return limited


def build_response(document: Found, status: int = HTTPStatus.OK) -> JsonResponse:
    response = JsonResponse(document, status=status, json_dumps_params={"ensure_ascii": False})
    response.headers["Access-Control-Allow-Origin"] = "*"  # public facts, and no cookies are read
    return response


@json_view
def openapi() -> Found:
    return DOCUMENT | {"servers": [{"url": link("api-openapi").removesuffix("/openapi.json")}]}


@json_view
def all_games() -> Found:
    return {"games": [serialize_game(game) for game in games.GAMES.values()]}


def serialize_game(game: Game[Any, Any]) -> Found:
    return {
        "slug": game.slug,
        "title": game.title,
        "edition": game.edition,
        "variants": list(game.variants),
        "seats": {"fewest": min(game.seats), "most": max(game.seats)},
        "rules": link("rules", game.slug),
    }


# ── matches ──


@json_view
def all_matches() -> Found:
    """Return the latest matches that may be watched. Matches that are over are found through their league."""
    shown = hide_leagues(find_watchable_matches()).order_by("-started_at")[:MAX_LISTED]
    return {"matches": [serialize_match(found) for found in shown]}


def serialize_match(match: Match) -> Found:
    return {
        "code": match.code,
        "game": match.game,
        "variant": match.variant,
        "seats": match.seats,
        "started_at": match.started_at,
        "url": link("match", match.code),
    }


@json_view
def match(code: str) -> Found:
    """Return a match with its log, as a bystander may see it."""
    found = get_object_or_404(find_public_matches(), code=code)
    return export.export_match(found, None) | {
        "url": link("match", found.code),
        "started_at": found.started_at,
        "ended_at": found.ended_at,
    }


@json_view
def verification(code: str) -> Found:
    found = get_object_or_404(find_public_matches(), code=code)
    verdict, fault = try_to_verify(found)
    return {
        "match": found.code,
        "holds": verdict is not None,
        "fault": fault,
        "lines": verdict.lines if verdict else None,
        "digest": found.head,
        "name_erased": verdict.erased if verdict else None,
    }


# ── leagues ──


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
