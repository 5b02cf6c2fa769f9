"""Before a match begins: opening, joining, getting ready, declining and keeping it."""

from __future__ import annotations

from typing import Any

from django.core.exceptions import ValidationError
from django.http import HttpRequest, HttpResponse
from django.urls import reverse

from beanpost.leagues.models import Fixture
from beanpost.leagues.seasons import dealing
from beanpost.pages.access import (
    filled,
    is_sent,
    own_ticket,
    page,
    refusals_beside,
    requires_player_ticket,
    requires_seat_ticket,
    status_of,
    unreadable,
)
from beanpost.pages.forms.seat import InviteForm, OpeningForm, ReadyForm, TakeSeatForm, WordForm
from beanpost.pages.whereabouts import settle
from beanpost.play import clock
from beanpost.play.models import Match, Place
from beanpost.play.pace import parse_pace
from beanpost.play.seats import lifecycle, own_seat
from beanpost.play.tickets import JoinTicket, MoveTicket, OpenTicket, SeatTicket, sign
from beanpost.players.models import Player
from games.engine import catalogue


@requires_player_ticket(OpenTicket)
def opening(request: HttpRequest, ticket: OpenTicket, player: Player) -> HttpResponse:
    """Open the planned match. Pressed again, the link leads to it."""
    if opened := Match.objects.select_related("keeper").filter(code=ticket.number).first():
        return seated(request, opened, player)
    form = filled(OpeningForm, request, player=player)
    if is_sent(request, form):
        with refusals_beside(form):
            match = lifecycle.open_match(ticket, player, now=clock.now())
            settle(player, form)
            place = match.places.get(player=player)
            own_seat.set_may_be_watched(place, form.cleaned_data["may_be_watched"])
            return seated(request, match, player, ticket=ticket_of(place), play_now=play_now(match, place))
    plan = {"planned": ticket, "title": catalogue.title(ticket.game), "pace": parse_pace(ticket.pace)}
    return page(request, "opening", status=status_of(form), form=form, **plan)


@requires_player_ticket(JoinTicket)
def joining(request: HttpRequest, ticket: JoinTicket, player: Player) -> HttpResponse:
    """Join an open table."""
    match = Match.objects.select_related("keeper").filter(pk=ticket.match).first()
    if match is None:
        return unreadable(request)
    if match.phase != Match.Phase.GATHERING or not may_join(match, player):
        return seated(request, match, player)
    form = filled(TakeSeatForm, request, player=player)
    if is_sent(request, form):
        with refusals_beside(form):
            settle(player, form)
            place = lifecycle.join(match.pk, player, word=form.cleaned_data["word"], now=clock.now())
            own_seat.set_may_be_watched(place, form.cleaned_data["may_be_watched"])
            start = play_now(place.match, place)
            return seated(request, place.match, player, ticket=ticket_of(place), play_now=start)
    return page(request, "joining", status=status_of(form), match=match, form=form)


def may_join(match: Match, player: Player) -> bool:
    """Whether the player may join: invited people their own seat, others a free one, seated people none."""
    places = list(match.places.all())
    own = next((place for place in places if place.player_id == player.pk), None)
    return own.confirmed_at is None if own else len(places) < match.seats


@requires_seat_ticket(SeatTicket)
def ready(request: HttpRequest, ticket: SeatTicket, match: Match, place: Place) -> HttpResponse:
    """Accept the seat with a name and a word, or decline."""
    if match.phase != Match.Phase.GATHERING or place.keeps:
        return seated(request, match, place.player, ticket=own_ticket(request))
    if request.method == "POST" and "decline" in request.POST:
        return leave(request, match, place)
    if place.confirmed_at:
        return seated(request, match, place.player, ticket=own_ticket(request))
    form = filled(ReadyForm, request, player=place.player, initial={"name": place.player and place.player.name})
    if is_sent(request, form):
        typed = form.cleaned_data
        with refusals_beside(form):
            match = lifecycle.accept_invitation(place, name=typed["name"], word=typed["word"], now=clock.now())
            own_seat.set_may_be_watched(place, typed["may_be_watched"])
            if place.player:
                settle(place.player, form)
            return seated(request, match, place.player, ticket=own_ticket(request), play_now=play_now(match, place))
    shown = {"match": match, "place": place, "form": form, **dealing.describe_table(match)}
    return page(request, "ready", status=status_of(form), **shown)


@requires_seat_ticket(SeatTicket)
def keep(request: HttpRequest, ticket: SeatTicket, match: Match, place: Place) -> HttpResponse:
    """Let the keeper add a word, invite somebody to a free seat or call the match off, while the table fills."""
    if not place.keeps or match.phase != Match.Phase.GATHERING:
        return seated(request, match, place.player, ticket=own_ticket(request))
    if request.method == "POST" and "call_off" in request.POST:
        return leave(request, match, place)
    if "word" in request.POST:
        return stir_in(request, match, place)
    form, invited = filled(InviteForm, request), False
    if is_sent(request, form):
        with refusals_beside(form):
            lifecycle.invite_instead(match.pk, form.cleaned_data["address"], now=clock.now())
            form, invited = InviteForm(), True
    return kept(request, match, place, status_of(form), form=form, invited=invited)


def stir_in(request: HttpRequest, match: Match, place: Place) -> HttpResponse:
    """Add the keeper's word to the shuffle."""
    form = filled(WordForm, request)
    if is_sent(request, form):
        with refusals_beside(form):
            lifecycle.set_word(place, form.cleaned_data["word"])
    return kept(request, match, place, status_of(form), form=InviteForm(), word_form=form)


def kept(request: HttpRequest, match: Match, place: Place, status: int, **forms: Any) -> HttpResponse:
    shown = {"word_form": WordForm(), "ticket": own_ticket(request), "invited": False} | forms | answers(match)
    return page(request, "keep", status=status, match=match, place=place, **shown)


def leave(request: HttpRequest, match: Match, place: Place) -> HttpResponse:
    """Decline a seat. If the keeper does, the match is called off."""
    try:
        lifecycle.decline(place, now=clock.now())
    except ValidationError:  # the match has just begun
        match.refresh_from_db()
        return seated(request, match, place.player)
    match.refresh_from_db()
    called_off, in_league = match.phase == Match.Phase.CALLED_OFF, Fixture.objects.filter(match=match).exists()
    return page(request, "declined", called_off=called_off, in_league=in_league)


def seated(
    request: HttpRequest, match: Match, player: Player | None, *, ticket: str = "", play_now: str = ""
) -> HttpResponse:
    """Show a person who has answered that the table waits for others, or that it has begun.

    The seat's ticket is passed on only to people who came with one or have just taken the seat. Otherwise an old link
    to open or join the match would yield a valid ticket even after the seat's links were renewed.
    """
    place = match.places.filter(player=player).first()
    shown = {"word_form": WordForm(), "deals_at": dealing.find_deal_time(match), **answers(match)}
    return page(request, "seated", match=match, place=place, ticket=ticket, play_now=play_now, **shown)


def play_now(match: Match, place: Place) -> str:
    """Return the page of the first question, for a player who has just taken a seat at a match that waits for them."""
    wait = match.waits.filter(seat=place.seat).first()
    if wait is None:
        return ""
    ticket = MoveTicket(match.pk, place.seat, place.occupant, wait.opened, since=match.length)
    return reverse("move", args=[sign(ticket)])


def ticket_of(place: Place) -> str:
    return sign(SeatTicket(place.match_id, place.seat, place.occupant))


def answers(match: Match) -> dict[str, Any]:
    """Return who has answered. The others are only counted: they may not want to be named."""
    places = list(match.places.all())
    sure = [place.name for place in places if place.confirmed_at]
    return {"sure": sure, "silent": len(places) - len(sure), "free": match.seats - len(places)}
