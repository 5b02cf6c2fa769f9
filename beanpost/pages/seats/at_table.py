"""Players at an open page: the browser's cookie for a seat, the sign that they are there, and notes between moves.

Pressing a move gives the browser a cookie for that seat, for twelve hours. With it, or signed in, the match's page
shows the seat's hand and question. A ticket alone never does: it was sent by mail, and may have been forwarded.
"""

from __future__ import annotations

from typing import NamedTuple

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.views.decorators.http import require_POST

from beanpost.pages import sessions
from beanpost.pages.access import (
    bind_form,
    choose_status,
    in_language_of,
    is_submitted,
    render_page,
    show_refusals_on,
    shows_and_acts,
)
from beanpost.pages.forms.seat import TableNoteForm
from beanpost.play import clock
from beanpost.play.display.lists import my_games
from beanpost.play.display.lists.my_games import SeatRow
from beanpost.play.models import Match, Place
from beanpost.play.seats import own_seat
from beanpost.play.tickets import BadTicket, BrowserTicket, redeem, sign

COOKIE_PREFIX = "seat_"  # and the match's code
MAX_SEATS = 40  # in one browser: proxies refuse requests whose cookies exceed 8 KB


def remember_seat(request: HttpRequest, response: HttpResponse, match: Match, place: Place) -> HttpResponse:
    """Let this browser see the seat's next questions. It forgets the seats it got first, once it has too many."""
    if place.player is None or match.practice:
        return response
    others = [name for name in request.COOKIES if name.startswith(COOKIE_PREFIX) and name != COOKIE_PREFIX + match.code]
    for name in others[: max(0, len(others) + 1 - MAX_SEATS)]:  # browsers send the oldest first
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


def forget_seats(request: HttpRequest, response: HttpResponse) -> HttpResponse:
    """Forget all seats in this browser, when the player signs out."""
    for name in request.COOKIES:
        if name.startswith(COOKIE_PREFIX):
            response.delete_cookie(name)
    return response


def find_seat(request: HttpRequest, match: Match) -> Place | None:
    """Return the seat that this browser may see: the signed-in player's, or the one it has pressed a move of."""
    places = match.places.filter(resigned_at=None).select_related("player")
    player = sessions.find_visitor(request)
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
    if sessions.find_visitor(request) == place.player:
        return True
    ticket = read_browser_ticket(request, place.match)
    held = ticket and (ticket.seat, ticket.occupant, ticket.session)
    return held == (place.seat, place.occupant, place.player.sessions)


class NextTable(NamedTuple):
    """The player's next step after a move: another table that waits, or nothing at all."""

    table: SeatRow | None = None
    was_all: bool = False


def find_next_table(request: HttpRequest, place: Place) -> NextTable:
    """Return the most urgent other table of the player, if this browser may see their seat there too."""
    assert place.player is not None
    waits = my_games.find_questions(place.player).exclude(match=place.match_id)
    if sessions.find_visitor(request) != place.player:
        seats = [(wait, read_browser_ticket(request, wait.match)) for wait in waits]
        shown = [wait for wait, ticket in seats if ticket and ticket.seat == wait.seat]
    else:
        shown = list(waits)
    found = ((find_seat(request, wait.match), wait) for wait in shown)
    tables = (SeatRow(own, my_games.find_other_names(own), wait) for own, wait in found if own)
    return NextTable(next(tables, None), was_all=not waits)


@require_POST
def note_presence(request: HttpRequest, code: str) -> HttpResponse:
    """Note that the player is looking, so that their next letter waits two minutes."""
    match = get_object_or_404(Match, code=code)
    if own := find_seat(request, match):
        own_seat.note_presence(own, now=clock.now())
    return HttpResponse(status=204)


@shows_and_acts
def write_note(request: HttpRequest, code: str) -> HttpResponse:
    """Write a note to the table between moves, from an open page."""
    match = get_object_or_404(Match, code=code)
    own = find_seat(request, match)
    if own is None or match.started_at is None:
        return redirect("match", code)
    with in_language_of(own.player):
        form = bind_form(TableNoteForm, request)
        if is_submitted(request, form):
            with show_refusals_on(form):
                own_seat.write_note(own, form.cleaned_data["note"], now=clock.now())
                return redirect("match", code)
        return render_page(request, "note", status=choose_status(form), match=match, form=form)
