"""Who is signed in. A visit is kept in the session, and ends when its player signs out here or everywhere."""

from __future__ import annotations

from functools import wraps
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.middleware.csrf import rotate_token
from django.shortcuts import redirect

from beanpost.pages.doors import View, shows_and_acts, speaking_to
from beanpost.players.models import Player

VISIT = "visit"  # in the session: the player, and their number of sessions when they signed in


def begin(request: HttpRequest, player: Player) -> None:
    """Sign in. The session gets a new name, so that one somebody else has prepared is of no use to them."""
    request.session.cycle_key()
    rotate_token(request)
    request.session[VISIT] = [player.pk, player.sessions]


def visitor(request: HttpRequest) -> Player | None:
    pk, number = request.session.get(VISIT, (None, None))
    return Player.objects.filter(pk=pk, sessions=number).first() if pk else None


def end(request: HttpRequest) -> None:
    """Sign out. An organiser stays in the office, where they signed in with a password."""
    request.session.pop(VISIT, None)
    if request.session.keys():
        request.session.cycle_key()
    else:
        request.session.flush()


def for_anybody(view: View) -> View:
    """A door for everybody. To who is signed in it speaks their language, with the hours of their zone."""

    @wraps(view)
    def enter(request: HttpRequest, *args: Any, **values: Any) -> HttpResponse:
        with speaking_to(visitor(request)):
            return view(request, *args, **values)

    return enter


def for_visitor(view: View) -> View:
    """A door for who is signed in; everybody else is asked to. Nothing behind it is kept by a cache or found."""

    @shows_and_acts
    @wraps(view)
    def enter(request: HttpRequest, *args: Any, **values: Any) -> HttpResponse:
        player = visitor(request)
        if player is None:
            return redirect("sign-in")
        with speaking_to(player):
            response = view(request, player, *args, **values)
        response.headers["Cache-Control"] = "no-store"
        response.headers["X-Robots-Tag"] = "noindex"
        return response

    return enter
