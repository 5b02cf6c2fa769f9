"""A player's settings, reached by a short-lived link, and their letter preferences, reached from every letter."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect

from beanpost.pages import letter_requests
from beanpost.pages.access import (
    filled,
    in_language_of,
    is_sent,
    page,
    requires_player_ticket,
    requires_visit_ticket,
    status_of,
)
from beanpost.pages.forms.player import AddressForm, LetterSettingsForm, NameForm, SettingsForm
from beanpost.pages.players.new_address import may_name_another, new_address
from beanpost.pages.sessions import for_visitor
from beanpost.play import clock
from beanpost.play.tickets import FeedTicket, LetterSettingsTicket, PlayerTicket, SettingsTicket, sign
from beanpost.players import accounts, address_changes
from beanpost.players.models import Player
from beanpost.post import preferences
from beanpost.site.links import link


@for_visitor
def name(request: HttpRequest, player: Player) -> HttpResponse:
    """Change the name of a signed-in player. An address still needs a letter."""
    form = filled(NameForm, request, initial={"name": player.name})
    if is_sent(request, form):
        accounts.change(player, name=form.cleaned_data["name"])
        return redirect("my-games")
    return page(request, "my_name", status=status_of(form), form=form)


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
