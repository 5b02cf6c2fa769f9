"""Start a friendly match on one page, for signed-in players: their address is known, so no letter has to prove it."""

from __future__ import annotations

from dataclasses import astuple, replace

from django.http import HttpRequest, HttpResponse

from beanpost.pages.access import filled, is_sent, page, refusals_beside, status_of
from beanpost.pages.forms import StartForm
from beanpost.pages.seats.joining import seated, ticket_of
from beanpost.pages.sessions import for_visitor
from beanpost.pages.visitors import home
from beanpost.play import clock, random_codes
from beanpost.play.seats import lifecycle
from beanpost.play.tickets import OpenTicket, mark
from beanpost.players.models import Player


@for_visitor
def start(request: HttpRequest, player: Player) -> HttpResponse:
    form, number = filled(StartForm, request), request.POST.get("page") or random_codes.new_code()
    if is_sent(request, form) and (planned := home.plan(player, form)):
        with refusals_beside(form):
            match = lifecycle.open_match(from_page(number, planned), player, now=clock.now())
            place = match.places.filter(player=player).first()
            return seated(request, match, player, ticket=ticket_of(place) if place else "")
    return page(request, "start", status=status_of(form), form=form, number=number)


def from_page(number: str, planned: OpenTicket) -> OpenTicket:
    """Return the plan with a number derived from it and the page's, so that pressing twice opens one match."""
    return replace(planned, number=mark("start", number, *astuple(replace(planned, number="")))[:20])
