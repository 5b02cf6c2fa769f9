"""The signed-in player. The session holds it until the player signs out, here or everywhere."""

from __future__ import annotations

from functools import wraps
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.middleware.csrf import rotate_token
from django.shortcuts import redirect

from beanpost.pages.access import View, in_language_of, shows_and_acts
from beanpost.players.models import Player

VISIT_KEY = "visit"  # session key: the player, and their session number when they signed in


def sign_in(request: HttpRequest, player: Player) -> None:
    """Sign in. The session gets a new key, against session fixation."""
    request.session.cycle_key()
    rotate_token(request)
    request.session[VISIT_KEY] = [player.pk, player.sessions]


def find_visitor(request: HttpRequest) -> Player | None:
    pk, number = request.session.get(VISIT_KEY, (None, None))
    return Player.objects.filter(pk=pk, sessions=number).first() if pk else None


def sign_out(request: HttpRequest) -> None:
    """Sign out. An organiser stays signed in to the admin, which needs a password."""
    request.session.pop(VISIT_KEY, None)
    if request.session.keys():
        request.session.cycle_key()
    else:
        request.session.flush()


def shown_to_anybody(view: View) -> View:
    """Decorate a public view; signed-in players get their own language and time zone."""

    @wraps(view)
    def enter(request: HttpRequest, *args: Any, **values: Any) -> HttpResponse:
        with in_language_of(find_visitor(request)):
            return view(request, *args, **values)

    return enter


def requires_sign_in(view: View) -> View:
    """Decorate a view for signed-in players; others are asked to sign in. Its pages are neither cached nor indexed."""

    @shows_and_acts
    @wraps(view)
    def enter(request: HttpRequest, *args: Any, **values: Any) -> HttpResponse:
        player = find_visitor(request)
        if player is None:
            return redirect("sign-in")
        with in_language_of(player):
            response = view(request, player, *args, **values)
        response.headers["Cache-Control"] = "no-store"
        response.headers["X-Robots-Tag"] = "noindex"
        return response

    return enter
