"""Public pages of a match."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import get_object_or_404
from django.views.decorators.http import require_safe

from beanpost.leagues.models import Season
from beanpost.pages.access import page, status_of, visitor
from beanpost.pages.forms import JoinForm
from beanpost.pages.seats.joining import answers
from beanpost.pages.sessions import for_anybody
from beanpost.play.display import scene
from beanpost.play.log import export as exports
from beanpost.play.models import Match
from beanpost.play.tickets import JoinTicket, sign
from beanpost.players.models import Player


@require_safe
@for_anybody
def match(request: HttpRequest, code: str) -> HttpResponse:
    found = get_object_or_404(Match.objects.select_related("keeper"), code=code)
    if found.started_at is None:
        return gathering(request, found, JoinForm())
    season = Season.objects.select_related("league").filter(divisions__rounds__fixtures__match=found).first()
    shown, secret = scene.of(found, None), exports.revealed(found)
    return page(request, "match", scene=shown, match=found, season=season, secret=secret)


def gathering(request: HttpRequest, match: Match, form: JoinForm) -> HttpResponse:
    """Show a match that has not begun, with a way to join if anybody may; signed-in players need no letter."""
    context = answers(match) | known(match, visitor.get())
    return page(request, "gathering", status=status_of(form), match=match, form=form, **context)


def known(match: Match, player: Player | None) -> dict[str, Any]:
    """Return whether a signed-in visitor has a seat here, and a ticket to a free one."""
    if player is None:
        return {"sits": False, "way_in": ""}
    own = match.places.filter(player=player, confirmed_at__isnull=False)
    return {"sits": own.exists(), "way_in": sign(JoinTicket(player.pk, match.pk))}


@require_safe
def pulse(request: HttpRequest, code: str) -> HttpResponse:
    """Return the number of lines in the log, so that an open page can tell whether it is up to date."""
    found = get_object_or_404(Match.objects.only("length"), code=code)
    return HttpResponse(f"{found.length}\n", content_type="text/plain")


@require_safe
def export(request: HttpRequest, code: str) -> HttpResponse:
    found = get_object_or_404(Match, code=code, started_at__isnull=False)
    return JsonResponse(exports.export(found, None), json_dumps_params={"ensure_ascii": False, "indent": 1})
