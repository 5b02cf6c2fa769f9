"""A player's settings, reached by a short-lived link, and unsubscribing."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.core.exceptions import ValidationError
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.csrf import csrf_exempt

from beanpost.pages import letter_requests, sessions
from beanpost.pages.access import (
    filled,
    in_language_of,
    is_sent,
    is_ticket,
    page,
    requires_player_ticket,
    requires_visit_ticket,
    status_of,
    unreadable,
)
from beanpost.pages.forms.player import AddressForm, LetterSettingsForm, NameForm, SettingsForm
from beanpost.pages.sessions import for_visitor
from beanpost.play import clock
from beanpost.play.tickets import (
    AddressTicket,
    FeedTicket,
    FewerTicket,
    LaterAddressTicket,
    LetterSettingsTicket,
    NeverTicket,
    PlayerTicket,
    SettingsTicket,
    SilenceTicket,
    StopAddressTicket,
    UndoSilenceTicket,
    sign,
)
from beanpost.players import accounts, address_changes
from beanpost.players.models import Player
from beanpost.post import address_moves, preferences, unsubscribe
from beanpost.site.links import link


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
        if unsubscribe.never_again(player, now=clock.now()):
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
def name(request: HttpRequest, player: Player) -> HttpResponse:
    """Change the name of a signed-in player. An address still needs a letter."""
    form = filled(NameForm, request, initial={"name": player.name})
    if is_sent(request, form):
        accounts.change(player, name=form.cleaned_data["name"])
        return redirect("my-games")
    return page(request, "my_name", status=status_of(form), form=form)


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


@requires_player_ticket(PlayerTicket)
def me(request: HttpRequest, ticket: PlayerTicket, player: Player) -> HttpResponse:
    """Request a link to the settings: a forwarded letter must neither open them nor show the address."""
    if request.method == "POST":
        letter_requests.write(player, "settings", {}, now=clock.now())
    return page(request, "me")


@requires_visit_ticket(LetterSettingsTicket)
def how_we_write(request: HttpRequest, ticket: LetterSettingsTicket, player: Player) -> HttpResponse:
    """Change letter preferences by the link at the end of every letter. The page shows no name and no address."""
    if may_name_another(player) and "address" in request.POST:
        return new_address(
            request, player, lambda typed: letter_settings_page(request, player, address_form=typed), later=True
        )
    return save_settings(request, player, LetterSettingsForm, letter_settings_page)


def save_settings(
    request: HttpRequest, player: Player, kind: type[LetterSettingsForm], show: Callable[..., HttpResponse]
) -> HttpResponse:
    """Save the preferences, if submitted, and show the page."""
    form = filled(kind, request, initial=known(player))
    if not is_sent(request, form):
        return show(request, player, form)
    preferences.change(player, form.cleaned_data, now=clock.now())
    with in_language_of(player):  # in the language just chosen
        return show(request, player, saved=True)


def letter_settings_page(
    request: HttpRequest,
    player: Player,
    form: LetterSettingsForm | None = None,
    address_form: AddressForm | None = None,
    *,
    saved: bool = False,
) -> HttpResponse:
    """Show the preferences.

    Players we can't reach may give a new address here: a letter with a link to their settings would not arrive.
    """
    forms = form or LetterSettingsForm(initial=known(player)), address_form or AddressForm()
    context = {"form": forms[0], "address_form": forms[1], "saved": saved}
    context |= {"unreached": may_name_another(player), "change": address_changes.pending_for(player)}
    return page(
        request, "letter_settings", status=status_of(*forms), player_ticket=sign(PlayerTicket(player.pk)), **context
    )


def may_name_another(player: Player) -> bool:
    """Whether the link in any letter is enough to request a new address. The old one must not refuse our notices."""
    return bool(player.unreached_at) and not player.unwanted_at and not address_changes.pending_for(player)


# ── settings ──


@requires_visit_ticket(SettingsTicket)
def settings(request: HttpRequest, ticket: SettingsTicket, player: Player) -> HttpResponse:
    """Change name, preferences, calendar or address: three forms, one of which is submitted."""
    if "address" in request.POST:
        return new_address(request, player, lambda typed: own_page(request, player, address_form=typed))
    if "renew_feed" in request.POST:
        accounts.renew_feed(player)
        return own_page(request, player, saved=True)
    return save_settings(request, player, SettingsForm, own_page)


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
    """Return the address of the player's calendar feed, with the scheme that calendars expect."""
    _, address = link("feed", sign(FeedTicket(player.pk, player.feed))).split(":", 1)
    return f"webcal:{address}"


def known(player: Player) -> dict[str, Any]:
    return {name: getattr(player, name) for name in SettingsForm.base_fields}


def new_address(
    request: HttpRequest, player: Player, once_more: Callable[[AddressForm], HttpResponse], *, later: bool = False
) -> HttpResponse:
    """Write to the new address. Nothing changes until the link in that letter is pressed.

    `later`: the old address can't be asked, so the change takes effect two days after that.
    """
    form = AddressForm(request.POST)
    if not form.is_valid():
        return once_more(form)
    new = form.cleaned_data["address"]
    at_once = AddressTicket(player.pk, player.address, new, player.sessions)
    ticket = LaterAddressTicket(player.pk, player.sessions, player.address, new) if later else at_once
    values = {"to": new, "ticket": sign(ticket)} | ({"later": True} if later else {})
    letter_requests.write(player, "address", values, now=clock.now())
    return page(request, "look_in_your_mail", address=new)


@requires_player_ticket(AddressTicket, confirms=False)
def address(request: HttpRequest, ticket: AddressTicket, player: Player) -> HttpResponse:
    """Confirm a new address, and tell the old one."""
    if player.address == ticket.new:
        return page(request, "address_changed", address=ticket.new)
    if ticket.session not in (None, player.sessions):
        return page(request, "settings_void", status=410)
    if player.address != ticket.old:
        return page(request, "address", status=409, lapsed=True)
    if ticket.session is not None and player.unwanted_at:  # moving would undo it; the way back stays open to the owner
        refused = _("You want no letters. Please undo that on “My games” first.")
        return page(request, "address", status=409, refusal=refused)
    if request.method != "POST":
        return page(request, "address", address=ticket.new)
    try:
        address_moves.move_to(player, ticket.old, ticket.new, now=clock.now())
    except ValidationError as refusal:
        return page(request, "address", status=409, refusal=refusal.messages[0])
    return page(request, "address_changed", address=ticket.new)


# ── a new address that has to wait ──


@requires_visit_ticket(LaterAddressTicket, confirms=False)
def address_later(request: HttpRequest, ticket: LaterAddressTicket, player: Player) -> HttpResponse:
    """Confirm a new address when letters to the old one bounce. It takes effect after two days."""
    if player.address != ticket.old:
        return page(request, "address", status=409, lapsed=True)
    if request.method != "POST":
        return page(request, "address_later", address=ticket.new, change=address_changes.pending_for(player))
    try:
        change = address_moves.ask(player, ticket.new, now=clock.now())
    except ValidationError as refusal:
        return page(request, "address", status=409, refusal=refusal.messages[0])
    return page(request, "address_later", address=ticket.new, change=change)


@requires_player_ticket(StopAddressTicket)
def stop_address(request: HttpRequest, ticket: StopAddressTicket, player: Player) -> HttpResponse:
    """Stop a change, by the link sent to the old address. GET asks, POST stops."""
    change = player.address_changes.filter(pk=ticket.change).first()
    if change is None:
        return unreadable(request)
    if request.method == "POST" and change.done_at is None:
        address_moves.stop(change, now=clock.now())
        change.refresh_from_db()
    return page(request, "stop_address", change=change)


@for_visitor
def stop_own_address(request: HttpRequest, player: Player) -> HttpResponse:
    """Stop a change from “My games”. This session goes on; all others end."""
    change = address_changes.pending_for(player)
    if request.method != "POST" or change is None:
        return redirect("my-games")
    address_moves.stop(change, now=clock.now())
    player.refresh_from_db()
    sessions.begin(request, player)
    change.refresh_from_db()
    return page(request, "stop_address", change=change)
