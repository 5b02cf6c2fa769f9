"""Sign in by mail: request a link, then press the button behind it. GET never signs anybody in."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect

from beanpost.pages import letter_requests, sessions
from beanpost.pages.access import (
    filled,
    is_sent,
    page,
    refusals_beside,
    requires_player_ticket,
    shows_and_acts,
    status_of,
)
from beanpost.pages.forms.player import SignInForm
from beanpost.pages.seats import at_table
from beanpost.pages.whereabouts import chosen_in, remember, save
from beanpost.play import clock
from beanpost.play.tickets import PlayerTicket, SignInTicket
from beanpost.players import accounts
from beanpost.players.models import Player


@shows_and_acts
def ask(request: HttpRequest) -> HttpResponse:
    """Send a link to the typed address. The page is the same whether or not we know the address."""
    form = filled(SignInForm, request)
    if is_sent(request, form):
        with refusals_beside(form):
            letter_requests.check_known(request, clock.now())
            address = form.cleaned_data["address"]
            if player := accounts.look_up(address):
                letter_requests.write(player, "sign_in", {"visit": player.visits}, now=clock.now())
            return remember(page(request, "sign_in_asked", address=address), **form.whereabouts)
    return page(request, "sign_in", status=status_of(form), form=form)


@requires_player_ticket(SignInTicket)
def enter(request: HttpRequest, ticket: SignInTicket, player: Player) -> HttpResponse:
    """Sign in by a link. Its button works once, and not after another link has been used."""
    if request.method != "POST":
        return shown(request, player, used=ticket.visit != player.visits)
    if accounts.sign_in(player, ticket.visit):
        sessions.begin(request, player)
        if player.is_zone_open:
            save(player, zone=chosen_in(request.POST)["zone"])
    elif sessions.visitor(request) != player:  # a second press finds the player signed in
        return shown(request, player, used=True)
    return redirect("my-games")


def shown(request: HttpRequest, player: Player, *, used: bool) -> HttpResponse:
    return page(request, "enter", status=410 if used else 200, player=player, used=used)


@shows_and_acts
def leave(request: HttpRequest) -> HttpResponse:
    """Sign out, here or everywhere."""
    player = sessions.visitor(request)
    if request.method == "POST":
        if player and "everywhere" in request.POST:
            accounts.sign_out_everywhere(player)
        sessions.end(request)
        return at_table.leave_seats(request, page(request, "signed_out"))
    return redirect("my-games")


@requires_player_ticket(PlayerTicket)
def leave_everywhere(request: HttpRequest, ticket: PlayerTicket, player: Player) -> HttpResponse:
    """End all sessions and void sign-in links, for a player who forwarded such a letter or never requested it."""
    if request.method == "POST":
        accounts.sign_out_everywhere(player)
    return page(request, "sign_out_everywhere")
