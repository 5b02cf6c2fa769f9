"""Who one is: the guest book's own page, reached by a short-lived letter, and the way out."""

from __future__ import annotations

from django.core.exceptions import ValidationError
from django.http import HttpRequest, HttpResponse

from beanpost.pages.doors import for_player, page
from beanpost.pages.forms import AddressForm, SettingsForm
from beanpost.play import clock
from beanpost.play.tickets import AddressTicket, PlayerTicket, SettingsTicket, sign
from beanpost.players import book
from beanpost.players.models import Player
from beanpost.post import outbox


@for_player(PlayerTicket)
def never(request: HttpRequest, ticket: PlayerTicket, player: Player) -> HttpResponse:
    """Never write to this address again."""
    if request.method != "POST":
        return page(request, "never", player=player)
    book.never_write_again(player, now=clock.now())
    return page(request, "never_again", player=player)


@for_player(PlayerTicket)
def me(request: HttpRequest, ticket: PlayerTicket, player: Player) -> HttpResponse:
    """Ask for a letter with a link to one's own page: a forwarded letter must not open it."""
    if request.method != "POST":
        return page(request, "me")
    now = clock.now()
    outbox.queue(player, "settings", f"settings/{now:%Y-%m-%dT%H:%M}", {}, now=now)
    return page(request, "look_in_your_mail", address=player.address)


@for_player(SettingsTicket)
def settings(request: HttpRequest, ticket: SettingsTicket, player: Player) -> HttpResponse:
    """Name, language, zone and address."""
    if request.method == "POST" and "address" in request.POST:
        return new_address(request, player)
    form = SettingsForm(request.POST or None, initial={k: getattr(player, k) for k in ("name", "language", "zone")})
    saved = request.method == "POST" and form.is_valid()
    if saved:
        book.change(player, **form.cleaned_data)
    return own_page(request, player, form, AddressForm(), saved=saved)


def own_page(
    request: HttpRequest, player: Player, form: SettingsForm, address_form: AddressForm, *, saved: bool = False
) -> HttpResponse:
    status = 400 if form.errors or address_form.errors else 200
    context = {"player": player, "form": form, "address_form": address_form, "saved": saved}
    return page(request, "settings", status=status, **context)


def new_address(request: HttpRequest, player: Player) -> HttpResponse:
    """Write to the new address; it becomes theirs when that letter's link has been pressed."""
    form = AddressForm(request.POST)
    if not form.is_valid():
        kept = {name: getattr(player, name) for name in ("name", "language", "zone")}
        return own_page(request, player, SettingsForm(initial=kept), form)
    now, new = clock.now(), form.cleaned_data["address"]
    ticket = sign(AddressTicket(player.pk, player.address, new))
    outbox.queue(player, "address", f"address/{now:%Y-%m-%dT%H:%M}", {"to": new, "ticket": ticket}, now=now)
    return page(request, "look_in_your_mail", address=new)


@for_player(AddressTicket)
def address(request: HttpRequest, ticket: AddressTicket, player: Player) -> HttpResponse:
    """Confirm a new address. The old one is told."""
    if player.address == ticket.new:
        return page(request, "address_changed", player=player)
    if request.method != "POST" or player.address != ticket.old:
        return page(request, "address", ticket=ticket, lapsed=player.address != ticket.old)
    now = clock.now()
    try:
        book.move_to(player, ticket.new)
    except ValidationError as refusal:
        return page(request, "address", status=409, ticket=ticket, refusal=refusal.messages[0])
    key = f"moved/{now:%Y-%m-%dT%H:%M:%S}"
    outbox.queue(player, "moved_address", key, {"to": ticket.old, "new": ticket.new}, now=now)
    return page(request, "address_changed", player=player)
