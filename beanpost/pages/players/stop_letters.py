"""Stop letters, all or of one kind, by the links that letters carry, and undo it."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.views.decorators.csrf import csrf_exempt

from beanpost.pages.access import is_ticket, page, requires_player_ticket, requires_visit_ticket
from beanpost.pages.sessions import for_visitor
from beanpost.play import clock
from beanpost.play.tickets import (
    FewerTicket,
    NeverTicket,
    PlayerTicket,
    SilenceTicket,
    UndoSilenceTicket,
    sign,
)
from beanpost.players import accounts
from beanpost.players.models import Player
from beanpost.post import preferences, unsubscribe


# A mail program has no page, so it has no CSRF token (RFC 8058). The ticket is enough: no cookie counts here.
@csrf_exempt
def never(request: HttpRequest, ticket: str) -> HttpResponse:
    """Never write to this address again: by the page's button, or by one click in a mail program.

    Letters sent before these links carried a session number have a PlayerTicket here.
    """
    return by_old_link(request, ticket) if is_ticket(PlayerTicket, ticket) else by_link(request, ticket)


@requires_visit_ticket(NeverTicket, confirms=False)
def by_link(request: HttpRequest, ticket: NeverTicket, player: Player) -> HttpResponse:
    if request.method == "POST" and player.unwanted_at is None:
        if unsubscribe.stop_all_letters(player, now=clock.now()):
            return page(request, "silenced", undo=reverse("undo-silence", args=[sign(UndoSilenceTicket(player.pk))]))
        return page(request, "never_asked")
    return page(request, "silenced" if player.unwanted_at else "never")


@requires_player_ticket(PlayerTicket, confirms=False)
def by_old_link(request: HttpRequest, ticket: PlayerTicket, player: Player) -> HttpResponse:
    """Send a letter that asks for confirmation.

    An old link may have been forwarded, and signing out doesn't void it.
    """
    if player.unwanted_at:
        return page(request, "silenced")
    if request.method == "POST":
        unsubscribe.ask_by_letter(player, now=clock.now())
        return page(request, "never_asked")
    return page(request, "never")


@requires_player_ticket(SilenceTicket)
def silence(request: HttpRequest, ticket: SilenceTicket, player: Player) -> HttpResponse:
    """Stop all letters by the link in the letter that asks, or undo that afterwards.

    Undoing works even after signing out everywhere: no other letter could reach the player.
    """
    if "undo" in request.POST:
        accounts.write_again(player.address)
        return page(request, "written_again")
    if player.unwanted_at:
        return page(request, "silenced", undo=request.path)
    if ticket.session != player.sessions:
        return page(request, "settings_void", status=410)
    if request.method == "POST":
        accounts.never_write_again(player, now=clock.now())
        return page(request, "silenced", undo=request.path)
    return page(request, "never", confirming=True)


@requires_player_ticket(UndoSilenceTicket)
def undo_silence(request: HttpRequest, ticket: UndoSilenceTicket, player: Player) -> HttpResponse:
    """Undo a mistaken press, from the page that followed it."""
    if request.method == "POST":
        accounts.write_again(player.address)
        return page(request, "written_again")
    return page(request, "silenced", undo=request.path)


@for_visitor
def write_again(request: HttpRequest, player: Player) -> HttpResponse:
    """Undo it from “My games”."""
    if request.method != "POST":
        return redirect("my-games")
    accounts.write_again(player.address)
    return page(request, "written_again")


@csrf_exempt
@requires_player_ticket(FewerTicket)
def fewer(request: HttpRequest, ticket: FewerTicket, player: Player) -> HttpResponse:
    """Stop letters of one kind. This never gives up a seat."""
    if request.method == "POST":
        preferences.want_fewer(player, ticket.kind, now=clock.now())
    return page(request, "fewer", kind=ticket.kind, done=request.method == "POST")
