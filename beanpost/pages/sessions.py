"""Who uses this browser: the signed-in player, and the seats whose moves were pressed here.

The session holds the player until they sign out, here or everywhere. Pressing a move gives the browser a cookie for
that seat, for twelve hours. With it, or signed in, the match's page shows the seat's hand and question. A ticket alone
never does: it was sent by mail, and may have been forwarded.
"""

from __future__ import annotations

from functools import wraps
from typing import Any

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.middleware.csrf import rotate_token
from django.shortcuts import redirect

from beanpost.pages.access import View, in_language_of, shows_and_acts
from beanpost.play.models import Match, Place
from beanpost.play.tickets import BadTicket, BrowserTicket, redeem, sign
from beanpost.players.models import Player

VISIT_KEY = "visit"  # session key: the player, and their session number when they signed in
COOKIE_PREFIX = "seat_"  # and the match's code
MAX_SEATS = 40  # in one browser: proxies refuse requests whose cookies exceed 8 KB


def sign_in(request: HttpRequest, player: Player) -> None:
    """Sign in. The session gets a new key, against session fixation."""
    request.session.cycle_key()
    rotate_token(request)
    request.session[VISIT_KEY] = [player.pk, player.sessions]


def find_visitor(request: HttpRequest) -> Player | None:
    pk, number = request.session.get(VISIT_KEY, (None, None))
    return Player.objects.filter(pk=pk, sessions=number).first() if pk else None


def sign_out(request: HttpRequest) -> None:
    """Sign out. An organiser stays signed in to the admin, which needs a password."""
    request.session.pop(VISIT_KEY, None)
    if request.session.keys():
        request.session.cycle_key()
    else:
        request.session.flush()


def shown_to_anybody(view: View) -> View:
    """Decorate a public view; signed-in players get their own language and time zone."""

    @wraps(view)
    def enter(request: HttpRequest, *args: Any, **values: Any) -> HttpResponse:
        with in_language_of(find_visitor(request)):
            return view(request, *args, **values)

    return enter


def requires_sign_in(view: View) -> View:
    """Decorate a view for signed-in players; others are asked to sign in. Its pages are neither cached nor indexed."""

    @shows_and_acts
    @wraps(view)
    def enter(request: HttpRequest, *args: Any, **values: Any) -> HttpResponse:
        player = find_visitor(request)
        if player is None:
            return redirect("sign-in")
        with in_language_of(player):
            response = view(request, player, *args, **values)
        response.headers["Cache-Control"] = "no-store"
        response.headers["X-Robots-Tag"] = "noindex"
        return response

    return enter


# ── seats ──


def remember_seat(request: HttpRequest, response: HttpResponse, match: Match, place: Place) -> HttpResponse:
    """Let this browser see the seat's next questions. It forgets the seats it got first, once it has too many."""
    if place.player is None or match.practice:
        return response
    others = find_other_cookies(request, match)
    for name in others[: max(0, len(others) + 1 - MAX_SEATS)]:
        response.delete_cookie(name)
    ticket = BrowserTicket(match.pk, place.seat, place.occupant, place.player.sessions)
    response.set_cookie(
        COOKIE_PREFIX + match.code,
        sign(ticket),
        max_age=BrowserTicket.lasts,
        secure=settings.SESSION_COOKIE_SECURE,
        httponly=True,
        samesite="Lax",
    )
    return response


def find_other_cookies(request: HttpRequest, match: Match) -> list[str]:
    """Return the names of this browser's cookies for seats at other matches, the oldest first."""
    return [name for name in request.COOKIES if name.startswith(COOKIE_PREFIX) and name != COOKIE_PREFIX + match.code]


def forget_seats(request: HttpRequest, response: HttpResponse) -> HttpResponse:
    """Forget all seats in this browser, when the player signs out."""
    for name in request.COOKIES:
        if name.startswith(COOKIE_PREFIX):
            response.delete_cookie(name)
    return response


def find_seat(request: HttpRequest, match: Match) -> Place | None:
    """Return the seat that this browser may see: the signed-in player's, or the one it has pressed a move of."""
    places = match.places.filter(resigned_at=None).select_related("player")
    player = find_visitor(request)
    if player and (own := places.filter(player=player).first()):
        return own
    ticket = read_browser_ticket(request, match)
    if ticket is None:
        return None
    return places.filter(seat=ticket.seat, occupant=ticket.occupant, player__sessions=ticket.session).first()


def read_browser_ticket(request: HttpRequest, match: Match) -> BrowserTicket | None:
    """Return what this browser's cookie says of a seat at the match."""
    try:
        ticket = redeem(BrowserTicket, request.COOKIES.get(COOKIE_PREFIX + match.code, ""))
    except BadTicket:
        return None
    return ticket if ticket.match == match.pk else None


def may_see_seat(request: HttpRequest, place: Place | None) -> bool:
    """Return whether this browser may see the seat without a ticket."""
    if place is None or place.player is None or place.resigned_at:
        return False
    if find_visitor(request) == place.player:
        return True
    ticket = read_browser_ticket(request, place.match)
    held = ticket and (ticket.seat, ticket.occupant, ticket.session)
    return held == (place.seat, place.occupant, place.player.sessions)
