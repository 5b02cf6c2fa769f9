"""The rules of each game in our own words: a two-minute version, then everything."""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse
from django.utils.translation import get_language
from django.views.decorators.http import require_safe

import games
from beanpost.pages.access import render_page
from beanpost.pages.sessions import shown_to_anybody


@require_safe
@shown_to_anybody
def list_rules(request: HttpRequest) -> HttpResponse:
    return allow_indexing(render_page(request, "rules_shelf", offered=list(games.GAMES.values())))


@require_safe
@shown_to_anybody
def rules(request: HttpRequest, slug: str) -> HttpResponse:
    if slug not in games.GAMES:
        raise Http404
    texts = {"short": list_short_templates(slug), "long": list_templates(slug, "rules")}
    return allow_indexing(render_page(request, "rules", rules=games.get(slug), texts=texts))


def allow_indexing(response: HttpResponse) -> HttpResponse:
    """Allow indexing: unlike ticket URLs, these pages are for everybody."""
    response.headers["X-Robots-Tag"] = "all"
    response.headers["Cache-Control"] = "no-cache"
    return response


def list_short_templates(slug: str) -> list[str]:
    """Return the templates of the two-minute version, the reader's language first."""
    return list_templates(slug, "rules.short")


def list_templates(slug: str, name: str) -> list[str]:
    """Return the templates of a text, the reader's language first; a game that brings none has the default's."""
    languages = ((get_language() or "en")[:2], "en")
    return [*(f"games/{slug}/{name}.{language}.html" for language in languages), f"games/default/{name}.html"]
