"""Playing a move from a link: GET shows it, POST plays it and redirects to the result.

GET only shows, because mail scanners open every link before the player does. The result has a URL of its own, so that
reloading or going back plays nothing twice.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import NamedTuple

from django.db.models import F, QuerySet
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import reverse

import games
from beanpost.pages import sessions
from beanpost.pages.access import (
    choose_status,
    confirm_address_if_pressed,
    open_seat,
    render_not_yours,
    render_page,
    render_unreadable,
    requires_seat_ticket,
    requires_ticket,
)
from beanpost.pages.forms.move import ComposeForm, MoveForm, build_compose_form
from beanpost.pages.notices import explain_not_begun
from beanpost.pages.seats import practice
from beanpost.play import clock, moves
from beanpost.play.display import scene, story
from beanpost.play.display.lists import my_games
from beanpost.play.display.lists.my_games import SeatRow
from beanpost.play.display.question import build_option
from beanpost.play.errors import AlreadyPlayed, NotRunning, NotYours, TooLate, Unplayed
from beanpost.play.models import Event, Match, Place, Wait
from beanpost.play.seats import rewind, votes
from beanpost.play.tickets import MoveTicket, PlanTicket, PlayedTicket, Ticket, sign
from beanpost.play.turns import standing_orders
from beanpost.players.models import Player
from beanpost.post.outbox import queue
from games.contract.notation import read

MAX_LINES = 12  # played at once


@requires_ticket(MoveTicket)
def move(request: HttpRequest, ticket: MoveTicket) -> HttpResponse:
    if request.method != "POST":
        return open_seat(request, ticket, render_question)
    if {"compose", "preview"} & request.POST.keys():
        return open_seat(request, ticket, compose)
    return press(request, ticket, [ticket.line] if ticket.line else read_lines(request))


@requires_ticket(PlanTicket)
def plan(request: HttpRequest, ticket: PlanTicket) -> HttpResponse:
    """Show a move with the standing order that goes with it; one press does both."""
    if request.method != "POST":
        return open_seat(request, ticket.move, partial(render_question, plan=ticket.order))
    return press(request, ticket.move, [ticket.line], plan=ticket.order)


def compose(request: HttpRequest, ticket: MoveTicket, match: Match, place: Place) -> HttpResponse:
    """Play or preview a move that was composed on the page."""
    form, shown = MoveForm(request.POST), scene.build_scene(match, place.seat)
    composed = build_compose_form(shown, request.POST)
    if composed is None:
        return press(request, ticket, [ticket.line] if ticket.line else read_lines(request))
    if not form.is_valid() or not composed.is_valid():
        return render_question(request, ticket, match, place, form, composed=composed)
    if "preview" in request.POST:
        why_not = moves.find_refusal(shown.match, place.seat, composed.line)
        return render_question(request, ticket, match, place, form, refusal=why_not, composed=composed)
    return press(request, ticket, composed.lines, composed=composed)


def press(
    request: HttpRequest,
    ticket: MoveTicket,
    lines: Sequence[str],
    *,
    plan: str = "",
    composed: ComposeForm | None = None,
) -> HttpResponse:
    """Play the lines, with the note and the standing order that were sent with them. Nothing is read before the lock;
    a page about the table is made only if nothing was played.
    """
    form = MoveForm(request.POST)
    if not form.is_valid():
        return open_seat(request, ticket, partial(render_question, form=form, plan=plan, composed=composed))
    try:
        if plan:
            made = standing_orders.play_with_order(ticket, *lines, **form.cleaned_data, order=plan, now=clock.now())
        else:
            made = moves.play_ticket(ticket, *lines, **form.cleaned_data, now=clock.now())
    except games.RulesError as refusal:
        shows = partial(render_question, form=form, refusal=refusal, composed=composed, plan=plan)
        return open_seat(request, ticket, shows)
    except AlreadyPlayed as why:
        return open_seat(request, ticket, partial(render_question, already=why))
    except Unplayed as why:
        return open_seat(request, ticket, partial(render_refusal, why=why))
    except Match.DoesNotExist:
        return render_unreadable(request)
    match, place = made.loaded.match, made.loaded.places[ticket.seat]
    if match.practice and practice.is_own_table(request, match):
        return practice.let_bots_play(request)
    result = PlayedTicket(ticket.match, ticket.seat, ticket.occupant, made.events[0].seq, match.length)
    answer = HttpResponseRedirect(reverse("played", args=[sign(result)]), status=303)
    if place.player and place.player.confirmed_at is None:
        confirm_address_if_pressed(request, place.player, answer)
    return sessions.remember_seat(request, answer, match, place)


def read_lines(request: HttpRequest) -> list[str]:
    """Return the lines that were pressed or typed, one per line of text."""
    typed = request.POST.get("line", "").splitlines()
    return [line for line in typed if line.strip()][:MAX_LINES] or [""]


def render_question(
    request: HttpRequest,
    ticket: MoveTicket,
    match: Match,
    place: Place,
    form: MoveForm | None = None,
    *,
    refusal: games.RulesError | None = None,
    already: AlreadyPlayed | None = None,
    composed: ComposeForm | None = None,
    plan: str = "",
) -> HttpResponse:
    """Show the table and the question: one button if the link names a line that is still possible, else all moves."""
    form, shown = form or MoveForm(), scene.build_scene(match, place.seat)
    try:
        # Check after reading the scene, so that the question was open at that time.
        moves.check_asked(match, ticket.seat, shown.wait, ticket.question)
        moves.check_own(shown.place, ticket)
    except Unplayed as why:
        return render_refusal(request, ticket, match, place, why)
    assert shown.question is not None
    chosen = next((option for option in shown.question.options if option.line == ticket.line), None)
    if ticket.line and not chosen and not already:
        # An offer may have lapsed since the letter was composed. A trade that we no longer suggest may still be good.
        refusal = refusal or moves.find_refusal(shown.match, place.seat, ticket.line)
        action = read(ticket.line, shown.rules.vocabulary)
        chosen = None if refusal else build_option(shown.rules, shown.view, shown.say, action, ticket)
    return render_page(
        request,
        "table" if not chosen else "plan" if plan else "move",
        status=422 if refusal and request.method == "POST" else choose_status(form, *filter(None, [composed])),
        scene=shown,
        chosen=chosen,
        form=form,
        plan=plan,
        composed=composed or build_compose_form(shown, line=ticket.line, draft=request.GET.get("draft", "")),
        refusal_text=shown.say(refusal.phrase) if refusal else "",
        already=story.find_line(shown.match, place.seat, already.event.seq) if already else None,
        may_go_back=votes.has_open_rewind(shown.match.loaded.proposals),
        stays=sessions.may_see_seat(request, place),
    )


@requires_seat_ticket(PlayedTicket)
def played(request: HttpRequest, ticket: PlayedTicket, match: Match, place: Place) -> HttpResponse:
    """Show what was played, and the next question if the same seat is asked again."""
    shown = scene.build_scene(match, place.seat)
    try:
        moves.check_own(shown.place, ticket)
        moves.check_still_latest(match, shown.match.loaded.events, shown.wait, ticket)
    except NotYours:
        return render_not_yours(request, match)
    except AlreadyPlayed as why:
        return render_old_link(request, match, place, why, since=ticket.seq)
    told = story.find_lines(shown.match, place.seat, range(ticket.seq, ticket.through + 1))
    own = [line for line in told if line.seat == place.seat and (line.by_hand or line.origin == Event.Origin.HOUSE)]
    if not own and rewind.was_rewound(match, since=ticket.through):
        why_not = AlreadyPlayed(match.events.get(seq=ticket.seq))
        return render_old_link(request, match, place, why_not, since=ticket.seq)
    stays = sessions.may_see_seat(request, place)
    looks_on = stays and not shown.wait and not shown.result
    return render_page(
        request,
        "played",
        scene=shown,
        own=own,
        form=MoveForm(),
        undo_ticket=votes.sign_undo_ticket(place, shown.places, ticket.seq),
        composed=build_compose_form(shown),
        next=find_next_table(request, place) if looks_on else NextTable(),
        stays=stays,
    )


class NextTable(NamedTuple):
    """The player's next step after a move: another table that waits, or nothing at all."""

    table: SeatRow | None = None
    was_all: bool = False


def find_next_table(request: HttpRequest, place: Place) -> NextTable:
    """Return the most urgent other table of the player, if this browser may see their seat there too."""
    assert place.player is not None
    if not place.is_awaited_elsewhere:
        return NextTable(was_all=True)
    is_signed_in = sessions.find_visitor(request) == place.player
    if not is_signed_in and not sessions.find_other_cookies(request, place.match):  # it can see no other table
        return NextTable()
    waits = find_questions(place.player).exclude(match=place.match_id)
    seats = [(wait, sessions.read_browser_ticket(request, wait.match)) for wait in waits]
    shown = [wait for wait, ticket in seats if is_signed_in or (ticket and ticket.seat == wait.seat)]
    found = ((sessions.find_seat(request, wait.match), wait) for wait in shown)
    tables = (SeatRow(own, my_games.find_other_names(own), wait) for own, wait in found if own)
    return NextTable(next(tables, None), was_all=not seats)


def find_questions(player: Player) -> QuerySet[Wait]:
    """Return the questions that matches wait for the player to answer, the most urgent first."""
    own = {"match__places__player": player, "match__places__seat": F("seat"), "match__places__resigned_at": None}
    asked = Wait.objects.filter(match__phase=Match.Phase.RUNNING, **own).exclude(due_at=None, left=None)
    return asked.select_related("match").order_by(F("due_at").asc(nulls_last=True), "match_id")


# ── why nothing was played ──


def render_refusal(request: HttpRequest, ticket: MoveTicket, match: Match, place: Place, why: Unplayed) -> HttpResponse:
    if isinstance(why, NotRunning):
        return render_not_running(request, why.match, place)
    if isinstance(why, AlreadyPlayed | TooLate):
        return render_old_link(request, match, place, why, since=ticket.question)
    return render_not_yours(request, match)


def render_old_link(
    request: HttpRequest, match: Match, place: Place, why: AlreadyPlayed | TooLate, *, since: int
) -> HttpResponse:
    """Answer an old link: with the seat's present question if this browser may see it. A ticket alone doesn't show it,
    but what was played and stands, the table as a bystander sees it, and a button for a new letter.
    """
    match.refresh_from_db()
    shown, late = scene.build_scene(match, None), isinstance(why, TooLate)
    own = story.find_line(shown.match, None, why.event.seq) if why.event else None
    went_back = own is None and rewind.was_rewound(match, since=since)
    wait = shown.match.loaded.waits.get(place.seat)
    if wait and isinstance(why, AlreadyPlayed) and not went_back and sessions.may_see_seat(request, place):
        present = MoveTicket(match.pk, place.seat, place.occupant, wait.opened)
        return render_question(request, present, match, place, MoveForm(), already=why)
    asked = wait is not None and wait.is_blocking
    return render_page(
        request,
        "stale",
        status=409 if late else 200,
        scene=shown,
        own=own,
        late=late,
        went_back=went_back,
        asked=asked,
    )


def render_not_running(request: HttpRequest, match: Match, place: Place) -> HttpResponse:
    """Answer for a match that has not begun or has ended. After the end nothing is secret."""
    if match.started_at is None:
        return render_page(request, "notice", status=409, notice=explain_not_begun(match))
    return render_page(
        request, "finished", status=409 if request.method == "POST" else 200, scene=scene.build_scene(match, place.seat)
    )


def send_current(request: HttpRequest, ticket: Ticket, match: Match, place: Place) -> HttpResponse:
    """Send the seat's current letter to the player's address, at most once an hour."""
    if request.method == "POST":
        queue.queue_current(match, place, now=clock.now())
    return render_page(request, "current", match=match)


current = requires_seat_ticket(MoveTicket)(send_current)
current_for_plan = requires_seat_ticket(PlanTicket)(send_current)
current_since = requires_seat_ticket(PlayedTicket)(send_current)
