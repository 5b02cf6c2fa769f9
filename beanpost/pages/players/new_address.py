"""Change a player's address: at once, or after two days if letters to the old one bounce."""

from __future__ import annotations

from collections.abc import Callable

from django.core.exceptions import ValidationError
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _

from beanpost.pages import sessions
from beanpost.pages.access import render_page, render_unreadable, requires_player_ticket, requires_visit_ticket
from beanpost.pages.forms.player import AddressForm
from beanpost.pages.notices import ADDRESS_CHANGED
from beanpost.pages.sessions import requires_sign_in
from beanpost.play import clock
from beanpost.play.tickets import AddressTicket, LaterAddressTicket, StopAddressTicket, WayBackTicket, sign
from beanpost.players import address_changes
from beanpost.players.models import Player
from beanpost.post import address_moves
from beanpost.post.outbox import requested


def may_request_new_address(player: Player) -> bool:
    """Whether the link in any letter is enough to request a new address. The old one must not refuse our notices."""
    return bool(player.unreached_at) and not player.unwanted_at and not address_changes.find_pending_of(player)


def request_new_address(
    request: HttpRequest, player: Player, once_more: Callable[[AddressForm], HttpResponse], *, later: bool = False
) -> HttpResponse:
    """Write to the new address. Nothing changes until the link in that letter is pressed.

    `later`: the old address can't be asked, so the change takes effect two days after the link is pressed.
    """
    form = AddressForm(request.POST)
    if not form.is_valid():
        return once_more(form)
    new = form.cleaned_data["address"]
    at_once = AddressTicket(player.pk, player.sessions, player.address, new)
    ticket = LaterAddressTicket(player.pk, player.sessions, player.address, new) if later else at_once
    values = {"to": new, "ticket": sign(ticket)} | ({"later": True} if later else {})
    requested.queue_letter(player, "address", values, now=clock.now())
    return render_page(request, "look_in_your_mail", address=new)


def change_address(request: HttpRequest, ticket: AddressTicket | WayBackTicket, player: Player) -> HttpResponse:
    """Confirm a new address and tell the old one, or return to the old one."""
    if player.address == ticket.new:
        return render_changed(request, ticket.new)
    if isinstance(ticket, AddressTicket):
        if ticket.session != player.sessions:
            return render_page(request, "settings_void", status=410)
        if player.unwanted_at:  # moving would undo it; the way back stays open to the owner
            refused = _("You want no letters. Please undo that on “My games” first.")
            return render_page(request, "address", status=409, refusal=refused)
    if player.address != ticket.old:
        return render_page(request, "address", status=409, lapsed=True)
    if request.method != "POST":
        return render_page(request, "address", address=ticket.new)
    try:
        address_moves.apply_confirmed_change(player, ticket.old, ticket.new, now=clock.now())
    except ValidationError as refusal:
        return render_page(request, "address", status=409, refusal=refusal.messages[0])
    return render_changed(request, ticket.new)


def render_changed(request: HttpRequest, new: str) -> HttpResponse:
    notice = ADDRESS_CHANGED._replace(text=ADDRESS_CHANGED.text % {"address": new})
    return render_page(request, "notice", notice=notice)


confirm_address = requires_player_ticket(AddressTicket, confirms=False)(change_address)
undo_address_change = requires_player_ticket(WayBackTicket, confirms=False)(change_address)


# ── a new address that has to wait ──


@requires_visit_ticket(LaterAddressTicket, confirms=False)
def confirm_address_later(request: HttpRequest, ticket: LaterAddressTicket, player: Player) -> HttpResponse:
    """Confirm a new address when letters to the old one bounce. It takes effect after two days."""
    if player.address != ticket.old:
        return render_page(request, "address", status=409, lapsed=True)
    if request.method != "POST":
        return render_page(request, "address_later", address=ticket.new, change=address_changes.find_pending_of(player))
    try:
        change = address_moves.request_change(player, ticket.new, now=clock.now())
    except ValidationError as refusal:
        return render_page(request, "address", status=409, refusal=refusal.messages[0])
    return render_page(request, "address_later", address=ticket.new, change=change)


@requires_player_ticket(StopAddressTicket)
def stop_address_change(request: HttpRequest, ticket: StopAddressTicket, player: Player) -> HttpResponse:
    """Stop a change, by the link sent to the old address. GET asks, POST stops."""
    change = player.address_changes.filter(pk=ticket.change).first()
    if change is None:
        return render_unreadable(request)
    is_open = change.done_at is None and change.stopped_at is None
    if is_open and change != address_changes.find_pending_of(player):  # its links were cancelled, or another came first
        return render_page(request, "settings_void", status=410)
    if request.method == "POST" and is_open:
        address_moves.stop_change(change, now=clock.now())
        change.refresh_from_db()
    return render_page(request, "stop_address", change=change)


@requires_sign_in
def stop_own_address_change(request: HttpRequest, player: Player) -> HttpResponse:
    """Stop a change from “My games”. This session goes on; all others end."""
    change = address_changes.find_pending_of(player)
    if request.method != "POST" or change is None:
        return redirect("my-games")
    address_moves.stop_change(change, now=clock.now())
    player.refresh_from_db()
    sessions.sign_in(request, player)
    change.refresh_from_db()
    return render_page(request, "stop_address", change=change)
