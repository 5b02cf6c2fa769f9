"""Before a match begins: opening it, joining it, getting ready, declining, keeping it."""

from __future__ import annotations

from django.core.exceptions import ValidationError
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404

import games
from beanpost.pages.doors import for_player, for_seat, page
from beanpost.pages.forms import InviteForm, ReadyForm, WordForm
from beanpost.play import clock
from beanpost.play import opening as verbs
from beanpost.play.models import Match, Place
from beanpost.play.tickets import JoinTicket, OpenTicket, SeatTicket
from beanpost.players.models import Player


@for_player(OpenTicket)
def opening(request: HttpRequest, ticket: OpenTicket, player: Player) -> HttpResponse:
    """Open the match that was planned."""
    form = WordForm(request.POST or None)
    plan = {"ticket": ticket, "title": games.get(ticket.game).title, "form": form}
    if request.method != "POST" or not form.is_valid():
        return page(request, "opening", status=400 if form.errors else 200, **plan)
    try:
        match = verbs.open_match(ticket, player, word=form.cleaned_data["word"], now=clock.now())
    except ValidationError as refusal:
        form.add_error(None, refusal)
        return page(request, "opening", status=400, **plan)
    return page(request, "waiting", match=match, place=match.places.get(player=player))


@for_player(JoinTicket)
def joining(request: HttpRequest, ticket: JoinTicket, player: Player) -> HttpResponse:
    """Sit down at an open table."""
    match = get_object_or_404(Match, pk=ticket.match)
    form = WordForm(request.POST or None)
    if request.method != "POST" or not form.is_valid():
        return page(request, "joining", status=400 if form.errors else 200, match=match, form=form)
    try:
        place = verbs.join(match.pk, player, word=form.cleaned_data["word"], now=clock.now())
    except ValidationError as refusal:
        form.add_error(None, refusal)
        return page(request, "joining", status=400, match=match, form=form)
    return page(request, "waiting", match=place.match, place=place)


@for_seat(SeatTicket)
def ready(request: HttpRequest, ticket: SeatTicket, match: Match, place: Place) -> HttpResponse:
    """The ready check: yes with a name and a word, or no."""
    if place.confirmed_at or match.phase != Match.Phase.GATHERING:
        return page(request, "waiting", match=match, place=place)
    if request.method == "POST" and "decline" in request.POST:
        verbs.decline(place, now=clock.now())
        return page(request, "declined", match=match)
    form = ReadyForm(request.POST or None, initial={"name": place.name})
    if request.method != "POST" or not form.is_valid():
        return page(request, "ready", status=400 if form.errors else 200, match=match, place=place, form=form)
    match = verbs.get_ready(place, name=form.cleaned_data["name"], word=form.cleaned_data["word"], now=clock.now())
    return page(request, "waiting", match=match, place=place)


@for_seat(SeatTicket)
def keep(request: HttpRequest, ticket: SeatTicket, match: Match, place: Place) -> HttpResponse:
    """For the keeper, while the table fills: who has answered, somebody else for a free seat, or calling it off."""
    if match.keeper_id != place.player_id or match.phase != Match.Phase.GATHERING:
        return page(request, "waiting", match=match, place=place)
    if request.method == "POST" and "call_off" in request.POST:
        verbs.decline(place, now=clock.now())
        return page(request, "declined", match=match)
    form = InviteForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        try:
            verbs.invite_instead(match.pk, form.cleaned_data["address"], now=clock.now())
            form = InviteForm()
        except ValidationError as refusal:
            form.add_error(None, refusal)
    free = match.seats - match.places.count()
    return page(request, "keep", status=400 if form.errors else 200, match=match, place=place, form=form, free=free)
