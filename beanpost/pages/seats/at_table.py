"""Players at an open page: the browser's cookie for a seat, and the note that somebody is there.

Pressing a move gives the browser a cookie for that seat, for twelve hours. With it, or signed in, the match's page
shows the seat's hand and question. A ticket alone never does: it was sent by mail, and may have been forwarded.
"""

from __future__ import annotations

from typing import NamedTuple

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404
from django.views.decorators.http import require_POST

from beanpost.pages import sessions
from beanpost.play import clock
from beanpost.play.display import my_games
from beanpost.play.display.my_games import Seated
from beanpost.play.models import Match, Place
from beanpost.play.seats import own_seat
from beanpost.play.tickets import BadTicket, BrowserTicket, redeem, sign

COOKIE = "seat_"  # and the match's code


def give_seat(response: HttpResponse, match: Match, place: Place) -> HttpResponse:
    """Let this browser see the seat's next questions."""
    if place.player is None or match.practice:
        return response
    ticket = BrowserTicket(match.pk, place.seat, place.occupant, place.player.sessions)
    response.set_cookie(
        COOKIE + match.code,
        sign(ticket),
        max_age=BrowserTicket.lasts,
        secure=settings.SESSION_COOKIE_SECURE,
        httponly=True,
        samesite="Lax",
    )
    return response


def leave_seats(request: HttpRequest, response: HttpResponse) -> HttpResponse:
    """Take all seats from this browser, when somebody signs out."""
    for name in request.COOKIES:
        if name.startswith(COOKIE):
            response.delete_cookie(name)
    return response


def seat_of(request: HttpRequest, match: Match) -> Place | None:
    """Return the seat that this browser may see: the signed-in player's, or the one it has pressed a move of."""
    places = match.places.filter(resigned_at=None).select_related("player")
    player = sessions.visitor(request)
    if player and (own := places.filter(player=player).first()):
        return own
    try:
        ticket = redeem(BrowserTicket, request.COOKIES.get(COOKIE + match.code, ""))
    except BadTicket:
        return None
    if ticket.match != match.pk:
        return None
    return places.filter(seat=ticket.seat, occupant=ticket.occupant, player__sessions=ticket.session).first()


def holds(request: HttpRequest, place: Place | None) -> bool:
    """Return whether this browser may see the seat without a ticket."""
    return place is not None and seat_of(request, place.match) == place


class Next(NamedTuple):
    """What to do after a move: another table that waits, or nothing at all."""

    table: Seated | None = None
    was_all: bool = False


def next_after(request: HttpRequest, place: Place) -> Next:
    """Return the most urgent other table of the player, if this browser may see their seat there too."""
    if place.player is None or not holds(request, place):
        return Next()
    asked = [table for table in my_games.of(place.player).asked if table.match.pk != place.match_id]
    waiting = [table for table in asked if table.wait and table.wait.is_blocking]
    seen = next((table for table in waiting if holds(request, table.place)), None)
    return Next(seen, was_all=not waiting)


@require_POST
def here(request: HttpRequest, code: str) -> HttpResponse:
    """Note that the player is looking, so that their next letter waits two minutes."""
    match = get_object_or_404(Match, code=code)
    if own := seat_of(request, match):
        own_seat.see(own, now=clock.now())
    return HttpResponse(status=204)
