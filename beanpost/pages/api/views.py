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
from beanpost.leagues.models import Fixture, League
from beanpost.pages.api.openapi import DOCUMENT
from beanpost.play import clock
from beanpost.play.display.lists.table_lists import find_watchable_matches
from beanpost.play.display.verdicts import try_to_verify
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
