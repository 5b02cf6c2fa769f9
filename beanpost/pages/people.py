"""Who one is: the guest book's own page, reached by a short-lived letter, and the way out."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from typing import Any

from django.core.exceptions import ValidationError
from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.views.decorators.csrf import csrf_exempt

from beanpost.pages import asking
from beanpost.pages.doors import filled, for_player, for_visit, is_sent, page, speaking_to, status_of
from beanpost.pages.forms import AddressForm, SettingsForm, WishesForm
from beanpost.play import clock
from beanpost.play.tickets import (
    AddressTicket,
    FeedTicket,
    FewerTicket,
    PlayerTicket,
    SettingsTicket,
    WishesTicket,
    sign,
)
from beanpost.players import book
from beanpost.players.models import Player
from beanpost.post import outbox, unsubscribing, wishes
from beanpost.post.links import link


# A mail program has no page and so no CSRF token of ours (RFC 8058). The ticket is enough: no cookie counts here.
@csrf_exempt
@for_player(PlayerTicket, confirms=False)
def never(request: HttpRequest, ticket: PlayerTicket, player: Player) -> HttpResponse:
    """Never write to this address again: by the page's button, or with one click in a mail program."""
    done = request.method == "POST" or player.unwanted_at is not None
    if "List-Unsubscribe" in request.POST:
        done = unsubscribing.never_with_one_click(player, now=clock.now())
    elif request.method == "POST":
        book.never_write_again(player, now=clock.now())
    return page(request, "never", done=done)


@csrf_exempt
@for_player(FewerTicket)
def fewer(request: HttpRequest, ticket: FewerTicket, player: Player) -> HttpResponse:
    """No more letters of one kind. No seat is given up this way."""
    if request.method == "POST":
        wishes.want_fewer(player, ticket.kind, now=clock.now())
    return page(request, "fewer", kind=ticket.kind, done=request.method == "POST")


@for_player(PlayerTicket)
def me(request: HttpRequest, ticket: PlayerTicket, player: Player) -> HttpResponse:
    """Ask for a letter with a link to one's own page: a forwarded letter must not open it, nor show the address."""
    if request.method == "POST":
        asking.write(player, "settings", {}, now=clock.now())
    return page(request, "me")


@for_visit(WishesTicket)
def how_we_write(request: HttpRequest, ticket: WishesTicket, player: Player) -> HttpResponse:
    """How one wishes to be written to, by the link at the end of every letter. It shows no name and no address."""
    if player.unreached_at and "address" in request.POST:
        return new_address(request, player, lambda typed: wishes_page(request, player, address_form=typed))
    return wished(request, player, WishesForm, wishes_page)


def wished(
    request: HttpRequest, player: Player, kind: type[WishesForm], show: Callable[..., HttpResponse]
) -> HttpResponse:
    """Note what was wished, if it was sent, and show the page with it."""
    form = filled(kind, request, initial=known(player))
    if not is_sent(request, form):
        return show(request, player, form)
    wishes.change(player, form.cleaned_data, now=clock.now())
    with speaking_to(player):  # in the language just chosen
        return show(request, player, saved=True)


def wishes_page(
    request: HttpRequest,
    player: Player,
    form: WishesForm | None = None,
    address_form: AddressForm | None = None,
    *,
    saved: bool = False,
) -> HttpResponse:
    """Who cannot be reached could not follow a letter to their own page: they give another address here."""
    forms = form or WishesForm(initial=known(player)), address_form or AddressForm()
    context = {"form": forms[0], "address_form": forms[1], "saved": saved, "unreached": player.unreached_at}
    return page(request, "wishes", status=status_of(*forms), player_ticket=sign(PlayerTicket(player.pk)), **context)


# ── one's own page ──


@for_visit(SettingsTicket)
def settings(request: HttpRequest, ticket: SettingsTicket, player: Player) -> HttpResponse:
    """Name, wishes, calendar and address: three forms, of which one is sent."""
    if "address" in request.POST:
        return new_address(request, player, lambda typed: own_page(request, player, address_form=typed))
    if "renew_feed" in request.POST:
        book.renew_feed(player)
        return own_page(request, player, saved=True)
    return wished(request, player, SettingsForm, own_page)


def own_page(
    request: HttpRequest,
    player: Player,
    form: SettingsForm | None = None,
    address_form: AddressForm | None = None,
    *,
    saved: bool = False,
) -> HttpResponse:
    forms = form or SettingsForm(initial=known(player)), address_form or AddressForm()
    context = {"player": player, "form": forms[0], "address_form": forms[1], "saved": saved, "feed": feed(player)}
    return page(request, "settings", status=status_of(*forms), **context)


def feed(player: Player) -> str:
    """Where the player's calendar is to look, as calendars like to be told."""
    _, address = link("feed", sign(FeedTicket(player.pk, player.feed))).split(":", 1)
    return f"webcal:{address}"


def known(player: Player) -> dict[str, Any]:
    return {name: getattr(player, name) for name in SettingsForm.base_fields}


def new_address(request: HttpRequest, player: Player, once_more: Callable[[AddressForm], HttpResponse]) -> HttpResponse:
    """Write to the new address; it becomes theirs when that letter's link has been pressed."""
    form = AddressForm(request.POST)
    if not form.is_valid():
        return once_more(form)
    new = form.cleaned_data["address"]
    ticket = sign(AddressTicket(player.pk, player.address, new, player.sessions))
    asking.write(player, "address", {"to": new, "ticket": ticket}, now=clock.now())
    return page(request, "look_in_your_mail", address=new)


@for_player(AddressTicket, confirms=False)
def address(request: HttpRequest, ticket: AddressTicket, player: Player) -> HttpResponse:
    """Confirm a new address. The old one is told."""
    if player.address == ticket.new:
        return page(request, "address_changed", address=ticket.new)
    if ticket.session not in (None, player.sessions):
        return page(request, "wishes_void", status=410)
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
    """No address is changed without telling the old one. What is just being written goes to the new one."""
    outbox.write_anew(now, to=player)  # first: who notes that a letter came back holds it before its reader, too
    book.move_to(player, ticket.new)
    told = {"to": ticket.old, "new": ticket.new}
    outbox.queue(player, "moved_address", f"moved/{now:%Y-%m-%dT%H:%M:%S}", told, now=now)
