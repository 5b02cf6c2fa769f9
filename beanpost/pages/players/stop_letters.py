"""Stop letters, all or of one kind, by the links that letters carry, and undo it."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.views.decorators.csrf import csrf_exempt

from beanpost.pages.access import render_page, requires_visit_ticket
from beanpost.pages.sessions import requires_sign_in
from beanpost.play import clock
from beanpost.play.tickets import FewerTicket, NeverTicket, SilenceTicket, UndoSilenceTicket, sign
from beanpost.players import accounts
from beanpost.players.models import Player
from beanpost.post import preferences, unsubscribe


# A mail program has no page, so it has no CSRF token (RFC 8058). The ticket is enough: no cookie counts here.
@csrf_exempt
@requires_visit_ticket(NeverTicket, confirms=False)
def stop_all_letters(request: HttpRequest, ticket: NeverTicket, player: Player) -> HttpResponse:
    """Never write to this address again: by the page's button, or by one click in a mail program."""
    if request.method == "POST" and player.unwanted_at is None:
        if unsubscribe.stop_all_letters(player, now=clock.now()):
            undo = reverse("undo-silence", args=[sign(UndoSilenceTicket(player.pk, player.sessions))])
            return render_page(request, "silenced", undo=undo)
        return render_page(request, "never_asked")
    return render_page(request, "silenced" if player.unwanted_at else "never")


@requires_visit_ticket(SilenceTicket)
def confirm_stop(request: HttpRequest, ticket: SilenceTicket, player: Player) -> HttpResponse:
    """Stop all letters by the link in the letter that asks, or undo that afterwards."""
    if "undo" in request.POST:
        accounts.write_again(player.address)
        return render_page(request, "written_again")
    if player.unwanted_at:
        return render_page(request, "silenced", undo=request.path)
    if request.method == "POST":
        accounts.refuse_letters(player, now=clock.now())
        return render_page(request, "silenced", undo=request.path)
    return render_page(request, "never", confirming=True)


@requires_visit_ticket(UndoSilenceTicket)
def undo_stop(request: HttpRequest, ticket: UndoSilenceTicket, player: Player) -> HttpResponse:
    """Undo a mistaken press, from the page that followed it."""
    if request.method == "POST":
        accounts.write_again(player.address)
        return render_page(request, "written_again")
    return render_page(request, "silenced", undo=request.path)


@requires_sign_in
def undo_own_stop(request: HttpRequest, player: Player) -> HttpResponse:
    """Undo it from “My games”."""
    if request.method != "POST":
        return redirect("my-games")
    accounts.write_again(player.address)
    return render_page(request, "written_again")


@csrf_exempt
@requires_visit_ticket(FewerTicket)
def stop_one_kind(request: HttpRequest, ticket: FewerTicket, player: Player) -> HttpResponse:
    """Stop letters of one kind. This never gives up a seat."""
    if request.method == "POST":
        preferences.stop_kind(player, ticket.kind, now=clock.now())
    return render_page(request, "fewer", kind=ticket.kind, done=request.method == "POST")
