"""Public pages of a match."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import get_object_or_404
from django.utils.cache import get_conditional_response
from django.views.decorators.http import require_safe

from beanpost.leagues.models import Season
from beanpost.pages import sessions
from beanpost.pages.access import choose_status, in_language_of, render_page, visitor
from beanpost.pages.forms.move import MoveForm, build_compose_form
from beanpost.pages.forms.seat import JoinForm
from beanpost.pages.leagues.readers import may_find
from beanpost.pages.seats.joining import count_answers, sign_seat_ticket
from beanpost.pages.sessions import shown_to_anybody
from beanpost.play.display import scene
from beanpost.play.log import export as exports
from beanpost.play.models import Match, Place
from beanpost.play.seats import votes
from beanpost.play.tickets import JoinTicket, sign
from beanpost.players.models import Player


@require_safe
@shown_to_anybody
def match(request: HttpRequest, code: str) -> HttpResponse:
    found = get_object_or_404(Match.objects.select_related("keeper"), code=code)
    if found.started_at is None:
        return render_gathering(request, found, JoinForm())
    own = sessions.find_seat(request, found)
    if own and found.phase == Match.Phase.RUNNING:
        with in_language_of(own.player):
            return render_seat(request, found, own)
    season = Season.objects.select_related("league").filter(divisions__rounds__fixtures__match=found).first()
    if season and not may_find(request, season.league):
        season = None
    again = sign_seat_ticket(own) if own and own.player == visitor.get() else ""  # for signed-in players
    return render_page(request, "match", scene=scene.build_scene(found, None), match=found, season=season, again=again)


def render_seat(request: HttpRequest, match: Match, place: Place) -> HttpResponse:
    """Show the table from the seat of this browser, with its hand and its question if there is one."""
    shown = scene.build_scene(match, place.seat)
    return render_page(
        request,
        "table",
        scene=shown,
        already=None,
        form=MoveForm(),
        composed=build_compose_form(shown),
        refusal_text="",
        may_go_back=votes.has_open_rewind(shown.match.loaded.proposals),
        stays=True,
    )


def render_gathering(request: HttpRequest, match: Match, form: JoinForm) -> HttpResponse:
    """Show a match that has not begun, with a way to join if anybody may; signed-in players need no letter."""
    context = count_answers(match) | build_visitor_context(match, visitor.get())
    return render_page(request, "gathering", status=choose_status(form), match=match, form=form, **context)


def build_visitor_context(match: Match, player: Player | None) -> dict[str, Any]:
    """Return whether a signed-in visitor has a seat here, and a ticket to a free one."""
    if player is None:
        return {"sits": False, "way_in": ""}
    own = match.places.filter(player=player, confirmed_at__isnull=False)
    return {"sits": own.exists(), "way_in": sign(JoinTicket(player.pk, player.sessions, match.pk))}


@require_safe
def pulse(request: HttpRequest, code: str) -> HttpResponse:
    """Return the number of lines in the log, so that an open page can tell whether it is up to date."""
    found = get_object_or_404(Match.objects.only("length"), code=code)
    etag, response = f'"{found.length}"', HttpResponse(f"{found.length}\n", content_type="text/plain")
    response.headers["ETag"] = etag
    response.headers["Cache-Control"] = "no-cache"
    return get_conditional_response(request, etag=etag, response=response) or response


@require_safe
def export(request: HttpRequest, code: str) -> HttpResponse:
    found = get_object_or_404(Match, code=code, started_at__isnull=False)
    return JsonResponse(exports.export_match(found, None), json_dumps_params={"ensure_ascii": False, "indent": 1})
