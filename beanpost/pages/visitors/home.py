"""The front page: what this is, how to begin, and how to find a lost letter."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from typing import Any, cast

from csp.constants import SELF
from csp.decorators import csp_replace, csp_update
from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.utils.translation import get_language
from django.views.decorators.clickjacking import xframe_options_sameorigin
from django.views.decorators.http import require_safe

import games
from beanpost.pages import game_tiles, letter_requests
from beanpost.pages.access import (
    View,
    bind_form,
    choose_status,
    is_submitted,
    render_page,
    show_refusals_on,
    shows_and_acts,
)
from beanpost.pages.forms.player import LostForm
from beanpost.pages.forms.seat import JoinForm
from beanpost.pages.forms.start import OpenForm, StartForm
from beanpost.pages.hosts.demo_mailboxes import as_mail
from beanpost.pages.sessions import shown_to_anybody
from beanpost.pages.visitors import matches
from beanpost.pages.whereabouts import remember_choice
from beanpost.play import clock
from beanpost.play.display.lists import table_lists
from beanpost.play.display.wording import say
from beanpost.play.models import Match
from beanpost.play.seats import joining, opening
from beanpost.play.tickets import JoinTicket, OpenTicket, sign
from beanpost.players import accounts
from beanpost.players.models import Player
from beanpost.post.compose import sample
from beanpost.post.outbox import requested

MAX_OPEN_TABLES = 6  # the rest is a click away

shows_sample = cast(Callable[[View], View], csp_update({"frame-src": [SELF]}))  # the sample letter, in a frame
framed_here = cast(Callable[[View], View], csp_replace({"frame-ancestors": [SELF]}))


@require_safe
@shows_sample
@shown_to_anybody
def home(request: HttpRequest) -> HttpResponse:
    tile = game_tiles.find_chosen_tile(request)
    return render_front_page(request, OpenForm(tile=tile) if tile else None, LostForm())


@require_safe
@xframe_options_sameorigin
@framed_here
@as_mail
@shown_to_anybody
def sample_letter(request: HttpRequest) -> HttpResponse:
    """Return the front page's sample letter: a real one, of a match that does not exist."""
    return HttpResponse(sample.render_sample(clock.now().date()))


def render_front_page(request: HttpRequest, opening_form: OpenForm | None, lost_form: LostForm) -> HttpResponse:
    """Show the front page. The form to open a match appears once a game is chosen."""
    context: dict[str, Any] = {
        "opening_form": opening_form,
        "lost_form": lost_form,
        "tables": table_lists.find_open_tables()[:MAX_OPEN_TABLES],
        "sample_game": sample.GAME,
    }
    context |= {"tiles": game_tiles.list_tiles(), "tile": game_tiles.find_chosen_tile(request)}
    return render_page(request, "home", status=choose_status(*filter(None, [opening_form, lost_form])), **context)


@shows_and_acts
@shows_sample
@shown_to_anybody
def open_match(request: HttpRequest) -> HttpResponse:
    """Send a link to the person who wants to open a match. Pressing it opens the match."""
    form = bind_form(OpenForm, request, tile=game_tiles.find_chosen_tile(request))
    if request.method != "POST":
        return redirect("home")
    if form.is_valid():
        now = clock.now()
        with show_refusals_on(form), transaction.atomic():  # a refused visitor's address is not stored
            keeper = find_or_create_player(form, now=now)
            if planned := plan_match(keeper, form):
                letter_requests.check_stranger(request, now)
                requested.queue_letter(keeper, "open", {"ticket": sign(planned)}, now=now)
                return remember_choice(
                    render_page(request, "look_in_your_mail", address=keeper.address), **form.whereabouts
                )
    return render_front_page(request, form, LostForm())


def plan_match(keeper: Player, form: StartForm) -> OpenTicket | None:
    with show_refusals_on(form):
        try:
            return opening.plan(keeper, **form.plan)
        except games.RulesError as refusal:
            form.add_error("seats", say(refusal.phrase, ()))
    return None


@shows_and_acts
@shown_to_anybody
def join(request: HttpRequest, code: str) -> HttpResponse:
    """Send a link to the person who wants to join an open table."""
    match = get_object_or_404(Match.objects.select_related("keeper"), code=code)
    form = bind_form(JoinForm, request)
    if request.method != "POST":
        return redirect("match", code)
    if form.is_valid():
        with show_refusals_on(form):
            joining.check_open(match)
            now = clock.now()
            letter_requests.check_stranger(request, now)
            player = find_or_create_player(form, now=now)
            requested.queue_letter(
                player, "join", {"ticket": sign(JoinTicket(player.pk, player.sessions, match.pk))}, now=now, match=match
            )
            return remember_choice(
                render_page(request, "look_in_your_mail", address=player.address), **form.whereabouts
            )
    return matches.render_gathering(request, match, form)


def find_or_create_player(form: OpenForm | JoinForm, *, now: datetime) -> Player:
    typed = form.cleaned_data
    language, zone = form.whereabouts["language"] or get_language() or "en", form.whereabouts["zone"] or "UTC"
    return accounts.get_or_create_player(typed["address"], name=typed["name"], language=language, zone=zone, now=now)


@shows_and_acts
@shows_sample
@shown_to_anybody
def find_my_games(request: HttpRequest) -> HttpResponse:
    """Send the find-my-games letter to the typed address. The page is the same whether or not we know the address."""
    form = bind_form(LostForm, request)
    if request.method != "POST":
        return redirect("home")
    if is_submitted(request, form):
        with show_refusals_on(form):
            letter_requests.check_known(request, clock.now())
            address = form.cleaned_data["address"]
            requested.request_letter(address, "lost", now=clock.now())
            return render_page(request, "look_in_your_mail", address=address, perhaps=True)
    return render_front_page(request, None, form)
