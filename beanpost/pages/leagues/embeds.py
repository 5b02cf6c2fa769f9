"""Standings for other sites: a small page to put in a frame, and the same as JSON and CSV. No cookie, no form."""

from __future__ import annotations

from typing import Any

from csp.constants import NONE
from csp.decorators import csp_replace
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import get_object_or_404
from django.utils import translation
from django.views.decorators.clickjacking import xframe_options_exempt
from django.views.decorators.http import require_safe

from beanpost.leagues.models import League, Season
from beanpost.leagues.records import exports, season_records
from beanpost.leagues.records.namesakes import load_public_names
from beanpost.pages.access import render_page

COLUMNS = ("division", "rank", "name", "points", "played", "wins")
CACHE_CONTROL = "public, max-age=300"
PUBLISHED = (League.Visibility.PUBLIC, League.Visibility.UNLISTED)


def find_season(slug: str, pk: int) -> Season:
    """Return a season whose standings anybody may show. Those of a league for members are not found."""
    readable = Season.objects.filter(league__visibility__in=PUBLISHED, cancelled_at=None)
    return get_object_or_404(readable.select_related("league"), pk=pk, league__slug=slug)


def list_rows(season: Season) -> list[dict[str, Any]]:
    return [{column: row[column] for column in COLUMNS} for row in exports.list_public_standings(season)]


@require_safe
@xframe_options_exempt
@csp_replace({"frame-ancestors": ["*"], "form-action": [NONE]})  # type: ignore[arg-type]
def embed(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    """Show the standings on another site, in the league's language. This is the only page that may be framed."""
    season = find_season(slug, pk)
    with translation.override(season.league.language):
        names, divisions = load_public_names(season.league), season.divisions.select_related("season")
        shown = [(division, season_records.compute_standings(division, names=names)) for division in divisions]
        response = render_page(request, "leagues/embed", season=season, league=season.league, divisions=shown)
    response.headers["Cache-Control"] = CACHE_CONTROL
    return response


@require_safe
def standings(request: HttpRequest, slug: str, pk: int, form: str) -> HttpResponse:
    """Publish the standings for other programs."""
    season = find_season(slug, pk)
    match form:
        case "json":
            document = {"league": season.league.name, "season": season.name, "standings": list_rows(season)}
            response: HttpResponse = JsonResponse(document, json_dumps_params={"ensure_ascii": False, "indent": 1})
        case "csv":
            sheet = exports.format_csv(COLUMNS, list_rows(season))
            response = HttpResponse(sheet, content_type="text/csv; charset=utf-8")
        case _:
            raise Http404
    response.headers["Cache-Control"] = CACHE_CONTROL
    response.headers["Access-Control-Allow-Origin"] = "*"  # public, and without a cookie
    return response
