"""Language and time zone of visitors: taken from the browser, changed in one press.

The language is kept by Django's cookie and the time zone by one of our own, which the site's script sets from the
browser. The pages of a known player change the player's row too.
"""

from __future__ import annotations

from typing import Any
from urllib.parse import urlsplit

from django.conf import settings
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.utils import translation
from django.utils.http import url_has_allowed_host_and_scheme

from beanpost.i18n.time_zones import ZONE_COOKIE, is_zone
from beanpost.pages import sessions
from beanpost.pages.access import (
    bind_form,
    choose_status,
    is_submitted,
    render_page,
    requires_visit_ticket,
    shows_and_acts,
    visitor,
)
from beanpost.pages.forms.fields import WhereaboutsForm
from beanpost.play import clock
from beanpost.play.tickets import WhereaboutsTicket
from beanpost.players.models import Player
from beanpost.post import preferences

YEAR_IN_SECONDS = 365 * 24 * 60 * 60


@shows_and_acts
@sessions.shown_to_anybody
def choose_whereabouts(request: HttpRequest) -> HttpResponse:
    """Show the form for language and time zone, and save them."""
    return render_choice(request, visitor.get())


@requires_visit_ticket(WhereaboutsTicket, confirms=False)
def choose_whereabouts_for(request: HttpRequest, ticket: WhereaboutsTicket, player: Player) -> HttpResponse:
    """Do the same for the player of a page that was reached by a letter's link."""
    return render_choice(request, player)


def render_choice(request: HttpRequest, player: Player | None) -> HttpResponse:
    form = bind_form(WhereaboutsForm, request, player=player)
    if is_submitted(request, form):
        if player:
            save_choice(player, **form.whereabouts)
        return remember_choice(HttpResponseRedirect(find_way_back(request), status=303), **form.whereabouts)
    chosen = read_choice(request.GET)["language"]
    if chosen:
        form.fields["language"].initial = chosen
    with translation.override(chosen or translation.get_language()):
        return render_page(request, "whereabouts", status=choose_status(form), form=form, back=find_referrer(request))


def read_choice(typed: Any) -> dict[str, str]:
    """Return the language and zone in a form's data, if we know them."""
    language, zone = typed.get("language", ""), typed.get("zone", "")
    return {
        "language": language if language in dict(settings.LANGUAGES) else "",
        "zone": zone if is_zone(zone) else "",
    }


def find_referrer(request: HttpRequest) -> str:
    """Return the page on which the link to this one was pressed."""
    try:
        return request.POST.get("next", "") or urlsplit(request.headers.get("Referer", "")).path
    except ValueError:  # not an address, such as "http://["
        return ""


def find_way_back(request: HttpRequest) -> str:
    """Return the page to go back to, if it is one of ours."""
    path = request.POST.get("next", "")
    ours = url_has_allowed_host_and_scheme(path, allowed_hosts={request.get_host()}, require_https=request.is_secure())
    return path if ours and path.startswith("/") else "/"


def remember_choice(response: HttpResponse, *, language: str = "", zone: str = "") -> HttpResponse:
    """Keep the choice in this browser."""
    kept = {settings.LANGUAGE_COOKIE_NAME: language, ZONE_COOKIE: zone}
    for name, value in kept.items():
        if value:
            response.set_cookie(
                name, value, max_age=YEAR_IN_SECONDS, secure=settings.SESSION_COOKIE_SECURE, samesite="Lax"
            )
    return response


def save_choice(player: Player, *, language: str = "", zone: str = "") -> None:
    """Save the language and time zone that a player chose, if any. Their daily letter follows the new zone."""
    chosen: dict[str, Any] = {"language": language} if language else {}
    chosen |= {"zone": zone, "zone_asked": True} if zone else {}
    if chosen:
        preferences.change(player, chosen, now=clock.now())


def save_first_choice(player: Player, form: WhereaboutsForm) -> None:
    """Save the language and zone that a player sent with their first press, by a link to their own address."""
    chosen = form.whereabouts
    if chosen["zone"] == player.zone:  # nothing new, and perhaps not the browser's: without scripts it is not known
        chosen["zone"] = ""
    save_choice(player, **chosen)
