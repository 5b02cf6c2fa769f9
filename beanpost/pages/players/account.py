"""A player's settings, reached by a short-lived link, and their letter preferences, reached from every letter."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect

from beanpost.pages.access import (
    bind_form,
    choose_status,
    in_language_of,
    is_submitted,
    render_page,
    requires_player_ticket,
    requires_visit_ticket,
)
from beanpost.pages.forms.player import AddressForm, LetterSettingsForm, NameForm, SettingsForm
from beanpost.pages.players.new_address import may_request_new_address, request_new_address
from beanpost.pages.sessions import requires_sign_in
from beanpost.play import clock
from beanpost.play.tickets import FeedTicket, LetterSettingsTicket, PlayerTicket, SettingsTicket, sign
from beanpost.players import accounts, address_changes
from beanpost.players.models import Player
from beanpost.post import preferences
from beanpost.post.outbox import requested
from beanpost.site.links import link


@requires_sign_in
def change_name(request: HttpRequest, player: Player) -> HttpResponse:
    """Change the name of a signed-in player. An address still needs a letter."""
    form = bind_form(NameForm, request, initial={"name": player.name})
    if is_submitted(request, form):
        accounts.change(player, name=form.cleaned_data["name"])
        return redirect("my-games")
    return render_page(request, "my_name", status=choose_status(form), form=form)


@requires_player_ticket(PlayerTicket)
def request_settings_link(request: HttpRequest, ticket: PlayerTicket, player: Player) -> HttpResponse:
    """Request a link to the settings: a forwarded letter must neither open them nor show the address."""
    if request.method == "POST":
        if player.unwanted_at:  # no letter will come
            return render_page(request, "silenced")
        requested.queue_letter(player, "settings", {}, now=clock.now())
    return render_page(request, "me")


@requires_visit_ticket(LetterSettingsTicket)
def letter_settings(request: HttpRequest, ticket: LetterSettingsTicket, player: Player) -> HttpResponse:
    """Change letter preferences by the link at the end of every letter. The page shows no name and no address."""
    if may_request_new_address(player) and "address" in request.POST:
        return request_new_address(
            request, player, lambda typed: render_letter_settings(request, player, address_form=typed), later=True
        )
    return save_settings(request, player, LetterSettingsForm, render_letter_settings)


def save_settings(
    request: HttpRequest, player: Player, kind: type[LetterSettingsForm], show: Callable[..., HttpResponse]
) -> HttpResponse:
    """Save the preferences, if submitted, and show the page."""
    form = bind_form(kind, request, initial=list_known_values(player))
    if not is_submitted(request, form):
        return show(request, player, form)
    preferences.change(player, form.cleaned_data, now=clock.now())
    with in_language_of(player):  # in the language just chosen
        return show(request, player, saved=True)


def render_letter_settings(
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
    forms = form or LetterSettingsForm(initial=list_known_values(player)), address_form or AddressForm()
    context = {"form": forms[0], "address_form": forms[1], "saved": saved}
    context |= {"unreached": may_request_new_address(player), "change": address_changes.find_pending_of(player)}
    return render_page(
        request, "letter_settings", status=choose_status(*forms), player_ticket=sign(PlayerTicket(player.pk)), **context
    )


# ── settings ──


@requires_visit_ticket(SettingsTicket)
def settings(request: HttpRequest, ticket: SettingsTicket, player: Player) -> HttpResponse:
    """Change name, preferences, calendar or address: three forms, one of which is submitted."""
    if "address" in request.POST:
        return request_new_address(request, player, lambda typed: render_settings(request, player, address_form=typed))
    if "renew_feed" in request.POST:
        accounts.renew_feed(player)
        return render_settings(request, player, saved=True)
    return save_settings(request, player, SettingsForm, render_settings)


def render_settings(
    request: HttpRequest,
    player: Player,
    form: SettingsForm | None = None,
    address_form: AddressForm | None = None,
    *,
    saved: bool = False,
) -> HttpResponse:
    forms = form or SettingsForm(initial=list_known_values(player)), address_form or AddressForm()
    context = {
        "player": player,
        "form": forms[0],
        "address_form": forms[1],
        "saved": saved,
        "feed": find_feed_url(player),
    }
    return render_page(request, "settings", status=choose_status(*forms), **context)


def find_feed_url(player: Player) -> str:
    """Return the address of the player's calendar feed, with the scheme that calendars expect."""
    _, address = link("feed", sign(FeedTicket(player.pk, player.feed))).split(":", 1)
    return f"webcal:{address}"


def list_known_values(player: Player) -> dict[str, Any]:
    return {name: getattr(player, name) for name in SettingsForm.base_fields}
