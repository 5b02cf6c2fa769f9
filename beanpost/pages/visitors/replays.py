"""Replay a match step by step, and verify that it was dealt fairly. Every step has a URL that can be shared."""

from __future__ import annotations

from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404
from django.views.decorators.http import require_safe

import games
from beanpost.pages.access import in_language_of, render_page
from beanpost.pages.sessions import find_visitor, shown_to_anybody
from beanpost.play.display.replay import find_moment
from beanpost.play.display.verdicts import find_witness, try_to_verify
from beanpost.play.log import export
from beanpost.play.models import Match
from beanpost.players.models import Player
from games.contract.seats import Seat


@require_safe
def moment(request: HttpRequest, code: str, seq: int | None = None) -> HttpResponse:
    """Show one line and the table after it: as a bystander, or from the signed-in player's own seat."""
    match = find_begun_match(code)
    player = find_visitor(request)
    with in_language_of(player):
        shown = find_moment(match, find_seat(match, player), seq)
        if shown is None:
            raise Http404
        return render_page(request, "replay", moment=shown, scene=shown.scene, match=match)


def find_begun_match(code: str) -> Match:
    return get_object_or_404(Match.objects.select_related("keeper"), code=code, started_at__isnull=False)


def find_seat(match: Match, player: Player | None) -> Seat | None:
    """Return the player's seat, unless they have resigned it."""
    places = match.places.filter(player=player, resigned_at=None) if player else match.places.none()
    return places.values_list("seat", flat=True).first()


@require_safe
@shown_to_anybody
def check(request: HttpRequest, code: str) -> HttpResponse:
    """Run the check that anybody can run at home on the match's file, and find the line whose digest a letter holds."""
    match = find_begun_match(code)
    found, fault = try_to_verify(match)
    head = request.GET.get("head", "")
    witnessed = find_witness(found, head) if found and head else ""
    context: dict[str, Any] = {"match": match, "found": found, "fault": fault, "head": head, "witnessed": witnessed}
    title, places = games.get(match.game, match.edition).title, list(match.places.all())
    return render_page(request, "verify", title=title, places=places, secret=export.reveal_secret(match), **context)
