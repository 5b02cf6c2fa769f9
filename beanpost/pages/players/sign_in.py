"""Sign in by mail: request a link, then press the button behind it. GET never signs anybody in."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect

from beanpost.pages import letter_requests, sessions
from beanpost.pages.access import (
    bind_form,
    choose_status,
    is_submitted,
    render_page,
    requires_player_ticket,
    show_refusals_on,
    shows_and_acts,
)
from beanpost.pages.forms.player import SignInForm
from beanpost.pages.whereabouts import read_choice, remember_choice, save_choice
from beanpost.play import clock
from beanpost.play.tickets import SignInTicket
from beanpost.players import accounts
from beanpost.players.models import Player
from beanpost.post.outbox import queue, requested


@shows_and_acts
def request_link(request: HttpRequest) -> HttpResponse:
    """Send a link to the typed address. The page is the same whether or not we know the address."""
    form = bind_form(SignInForm, request)
    if is_submitted(request, form):
        with show_refusals_on(form):
            letter_requests.check_known(request, clock.now())
            address = form.cleaned_data["address"]
            requested.request_letter(address, "sign_in", now=clock.now())
            return remember_choice(render_page(request, "sign_in_asked", address=address), **form.whereabouts)
    return render_page(request, "sign_in", status=choose_status(form), form=form)


@requires_player_ticket(SignInTicket)
def sign_in(request: HttpRequest, ticket: SignInTicket, player: Player) -> HttpResponse:
    """Sign in by a link. Its button works once, and not after another link has been used."""
    if request.method != "POST":
        return render_sign_in(request, player, used=ticket.visit != player.visits)
    if accounts.sign_in(player, ticket.visit):
        sessions.sign_in(request, player)
        if player.is_zone_open:
            save_choice(player, zone=read_choice(request.POST)["zone"])
    elif sessions.find_visitor(request) != player:  # a second press finds the player signed in
        return render_sign_in(request, player, used=True)
    return redirect("my-games")


def render_sign_in(request: HttpRequest, player: Player, *, used: bool) -> HttpResponse:
    return render_page(request, "enter", status=410 if used else 200, player=player, used=used)


@shows_and_acts
def sign_out(request: HttpRequest) -> HttpResponse:
    """Sign out, here or everywhere."""
    player = sessions.find_visitor(request)
    if request.method == "POST":
        if player and "everywhere" in request.POST:
            queue.renew_all_links(player, now=clock.now())
        sessions.sign_out(request)
        return sessions.forget_seats(request, render_page(request, "signed_out"))
    return redirect("my-games")
