"""Who one is: the guest book's own page, reached by a short-lived letter, and the way out."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from django.core.exceptions import ValidationError
from django.db import transaction
from django.http import HttpRequest, HttpResponse

from beanpost.pages import asking
from beanpost.pages.doors import filled, for_player, is_sent, page, speaking_to, status_of
from beanpost.pages.forms import AddressForm, SettingsForm
from beanpost.play import clock
from beanpost.play.tickets import AddressTicket, PlayerTicket, SettingsTicket, sign
from beanpost.players import book
from beanpost.players.models import Player
from beanpost.post import outbox


@for_player(PlayerTicket)
def never(request: HttpRequest, ticket: PlayerTicket, player: Player) -> HttpResponse:
    """Never write to this address again."""
    if request.method == "POST":
        book.never_write_again(player, now=clock.now())
    return page(request, "never")


@for_player(PlayerTicket)
def me(request: HttpRequest, ticket: PlayerTicket, player: Player) -> HttpResponse:
    """Ask for a letter with a link to one's own page: a forwarded letter must not open it, nor show the address."""
    if request.method == "POST":
        asking.write(player, "settings", {}, now=clock.now())
    return page(request, "me")


# ── one's own page ──


@for_player(SettingsTicket)
def settings(request: HttpRequest, ticket: SettingsTicket, player: Player) -> HttpResponse:
    """Name, language, zone and address: two forms, of which one is sent."""
    if "address" in request.POST:
        return new_address(request, player)
    form = filled(SettingsForm, request, initial=known(player))
    if is_sent(request, form):
        book.change(player, **form.cleaned_data)
        with speaking_to(player):  # in the language just chosen
            return own_page(request, player, SettingsForm(initial=known(player)), AddressForm(), saved=True)
    return own_page(request, player, form, AddressForm())


def own_page(
    request: HttpRequest, player: Player, form: SettingsForm, address_form: AddressForm, *, saved: bool = False
) -> HttpResponse:
    context = {"player": player, "form": form, "address_form": address_form, "saved": saved}
    return page(request, "settings", status=status_of(form, address_form), **context)


def known(player: Player) -> dict[str, Any]:
    return {"name": player.name, "language": player.language, "zone": player.zone}


def new_address(request: HttpRequest, player: Player) -> HttpResponse:
    """Write to the new address; it becomes theirs when that letter's link has been pressed."""
    form = AddressForm(request.POST)
    if not form.is_valid():
        return own_page(request, player, SettingsForm(initial=known(player)), form)
    new = form.cleaned_data["address"]
    ticket = sign(AddressTicket(player.pk, player.address, new))
    asking.write(player, "address", {"to": new, "ticket": ticket}, now=clock.now())
    return page(request, "look_in_your_mail", address=new)


@for_player(AddressTicket)
def address(request: HttpRequest, ticket: AddressTicket, player: Player) -> HttpResponse:
    """Confirm a new address. The old one is told."""
    if player.address == ticket.new:
        return page(request, "address_changed", address=ticket.new)
    if player.address != ticket.old:
        return page(request, "address", status=409, lapsed=True)
    if request.method != "POST":
        return page(request, "address", address=ticket.new)
    try:
        move_to(player, ticket, clock.now())
    except ValidationError as refusal:
        return page(request, "address", status=409, refusal=refusal.messages[0])
    return page(request, "address_changed", address=ticket.new)


@transaction.atomic
def move_to(player: Player, ticket: AddressTicket, now: datetime) -> None:
    """No address is changed without telling the old one."""
    book.move_to(player, ticket.new)
    told = {"to": ticket.old, "new": ticket.new}
    outbox.queue(player, "moved_address", f"moved/{now:%Y-%m-%dT%H:%M:%S}", told, now=now)
