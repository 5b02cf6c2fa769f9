"""Starting a friendly match on one page, for who is signed in: their address is known, so no letter has to prove it."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse

from beanpost.pages import home
from beanpost.pages.doors import filled, is_sent, page, refusals_beside, status_of
from beanpost.pages.forms import StartForm
from beanpost.pages.gathering import seated, ticket_of
from beanpost.pages.visiting import for_visitor
from beanpost.play import clock, opening
from beanpost.players.models import Player


@for_visitor
def start(request: HttpRequest, player: Player) -> HttpResponse:
    form = filled(StartForm, request)
    if is_sent(request, form) and (planned := home.plan(player, form)):
        with refusals_beside(form):
            match = opening.open_match(planned, player, now=clock.now())
            return seated(request, match, player, ticket=ticket_of(match.places.get(player=player)))
    return page(request, "start", status=status_of(form), form=form)
