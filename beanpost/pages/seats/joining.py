"""Before a match begins: opening, joining, getting ready, declining and keeping it."""

from __future__ import annotations

from typing import Any

from django.core.exceptions import ValidationError
from django.http import HttpRequest, HttpResponse
from django.urls import reverse

from beanpost.leagues.seasons import dealing
from beanpost.pages.access import (
    bind_form,
    choose_status,
    is_submitted,
    read_ticket,
    render_page,
    render_unreadable,
    requires_seat_ticket,
    requires_visit_ticket,
    show_refusals_on,
)
from beanpost.pages.forms.seat import InviteForm, OpeningForm, ReadyForm, TakeSeatForm, WordForm
from beanpost.pages.whereabouts import save_first_choice
from beanpost.play import clock
from beanpost.play.models import Match, Place
from beanpost.play.pace import parse_pace
from beanpost.play.seats import joining, opening, own_seat
from beanpost.play.tickets import JoinTicket, MoveTicket, OpenTicket, SeatTicket, sign
from beanpost.players.models import Player
from games.engine import catalogue


@requires_visit_ticket(OpenTicket)
def open_planned_match(request: HttpRequest, ticket: OpenTicket, player: Player) -> HttpResponse:
    """Open the planned match. Pressed again, the link leads to it."""
    if opened := Match.objects.select_related("keeper").filter(code=ticket.number).first():
        return render_seated(request, opened, player)
    form = bind_form(OpeningForm, request, player=player)
    if is_submitted(request, form):
        with show_refusals_on(form):
            match = opening.open_match(ticket, player, now=clock.now())
            save_first_choice(player, form)
            place = match.places.get(player=player)
            own_seat.set_may_be_watched(place, form.cleaned_data["may_be_watched"])
            return render_seated(
                request, match, player, ticket=sign_seat_ticket(place), play_now=find_first_question_url(match, place)
            )
    plan = {"planned": ticket, "title": catalogue.title(ticket.game), "pace": parse_pace(ticket.pace)}
    return render_page(request, "opening", status=choose_status(form), form=form, **plan)


@requires_visit_ticket(JoinTicket)
def join_table(request: HttpRequest, ticket: JoinTicket, player: Player) -> HttpResponse:
    """Join an open table."""
    match = Match.objects.select_related("keeper").filter(pk=ticket.match).first()
    if match is None:
        return render_unreadable(request)
    if match.phase != Match.Phase.GATHERING or not may_join(match, player):
        return render_seated(request, match, player)
    form = bind_form(TakeSeatForm, request, player=player)
    if is_submitted(request, form):
        with show_refusals_on(form):
            save_first_choice(player, form)
            place = joining.join(match.pk, player, word=form.cleaned_data["word"], now=clock.now())
            own_seat.set_may_be_watched(place, form.cleaned_data["may_be_watched"])
            start = find_first_question_url(place.match, place)
            return render_seated(request, place.match, player, ticket=sign_seat_ticket(place), play_now=start)
    return render_page(request, "joining", status=choose_status(form), match=match, form=form)


def may_join(match: Match, player: Player) -> bool:
    """Whether the player may join: invited people have a seat to confirm, others need a free one."""
    places = list(match.places.all())
    own = next((place for place in places if place.player_id == player.pk), None)
    return own.confirmed_at is None if own else len(places) < match.seats


@requires_seat_ticket(SeatTicket)
def accept_or_decline(request: HttpRequest, ticket: SeatTicket, match: Match, place: Place) -> HttpResponse:
    """Accept the seat with a name and a word, or decline."""
    if match.phase != Match.Phase.GATHERING or place.is_keeper:
        return render_seated(request, match, place.player, ticket=read_ticket(request))
    if request.method == "POST" and "decline" in request.POST:
        return decline_seat(request, match, place)
    if place.confirmed_at:
        return render_seated(request, match, place.player, ticket=read_ticket(request))
    form = bind_form(ReadyForm, request, player=place.player, initial={"name": place.player and place.player.name})
    if is_submitted(request, form):
        typed = form.cleaned_data
        with show_refusals_on(form):
            match = joining.accept_invitation(place, name=typed["name"], word=typed["word"], now=clock.now())
            own_seat.set_may_be_watched(place, typed["may_be_watched"])
            if place.player:
                save_first_choice(place.player, form)
            return render_seated(
                request,
                match,
                place.player,
                ticket=read_ticket(request),
                play_now=find_first_question_url(match, place),
            )
    shown = {"match": match, "place": place, "form": form, **dealing.describe_table(match)}
    return render_page(request, "ready", status=choose_status(form), **shown)


@requires_seat_ticket(SeatTicket)
def manage_gathering(request: HttpRequest, ticket: SeatTicket, match: Match, place: Place) -> HttpResponse:
    """Let the keeper add a word, invite somebody to a free seat or call the match off, while the table fills."""
    if not place.is_keeper or match.phase != Match.Phase.GATHERING:
        return render_seated(request, match, place.player, ticket=read_ticket(request))
    if request.method == "POST" and "call_off" in request.POST:
        return decline_seat(request, match, place)
    if "word" in request.POST:
        return add_keepers_word(request, match, place)
    form, invited = bind_form(InviteForm, request), False
    if is_submitted(request, form):
        with show_refusals_on(form):
            joining.invite_instead(match.pk, form.cleaned_data["address"], now=clock.now())
            form, invited = InviteForm(), True
    return render_managing(request, match, place, choose_status(form), form=form, invited=invited)


def add_keepers_word(request: HttpRequest, match: Match, place: Place) -> HttpResponse:
    """Add the keeper's word to the shuffle."""
    form = bind_form(WordForm, request)
    if is_submitted(request, form):
        with show_refusals_on(form):
            joining.set_word(place, form.cleaned_data["word"])
    return render_managing(request, match, place, choose_status(form), form=InviteForm(), word_form=form)


def render_managing(request: HttpRequest, match: Match, place: Place, status: int, **forms: Any) -> HttpResponse:
    shown = {"word_form": WordForm(), "ticket": read_ticket(request), "invited": False} | forms | count_answers(match)
    return render_page(request, "keep", status=status, match=match, place=place, **shown)


def decline_seat(request: HttpRequest, match: Match, place: Place) -> HttpResponse:
    """Decline a seat. If the keeper does, the match is called off."""
    try:
        joining.decline(place, now=clock.now())
    except ValidationError:  # the match has just begun
        match.refresh_from_db()
        return render_seated(request, match, place.player)
    match.refresh_from_db()
    called_off = match.phase == Match.Phase.CALLED_OFF
    return render_page(request, "declined", called_off=called_off, in_league=match.placed)


def render_seated(
    request: HttpRequest, match: Match, player: Player | None, *, ticket: str = "", play_now: str = ""
) -> HttpResponse:
    """Show a person who has answered that the table waits for others, or that it has begun.

    The seat's ticket is passed on only to people who came with one or have just taken the seat. Otherwise an old link
    to open or join the match would yield a valid ticket even after the seat's links were renewed.
    """
    place = match.places.filter(player=player).first()
    shown = {"word_form": WordForm(), "deals_at": dealing.find_deal_time(match), **count_answers(match)}
    return render_page(request, "seated", match=match, place=place, ticket=ticket, play_now=play_now, **shown)


def find_first_question_url(match: Match, place: Place) -> str:
    """Return the page of the first question, for a player who has just taken a seat at a match that waits for them."""
    wait = match.waits.filter(seat=place.seat).first()
    if wait is None:
        return ""
    ticket = MoveTicket(match.pk, place.seat, place.occupant, wait.opened, since=match.length)
    return reverse("move", args=[sign(ticket)])


def sign_seat_ticket(place: Place) -> str:
    return sign(SeatTicket(place.match_id, place.seat, place.occupant))


def count_answers(match: Match) -> dict[str, Any]:
    """Return who has answered. The others are only counted: they may not want to be named."""
    places = list(match.places.all())
    sure = [place.name for place in places if place.confirmed_at]
    return {"sure": sure, "silent": len(places) - len(sure), "free": match.seats - len(places)}
