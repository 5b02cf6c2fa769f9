"""Playing a move from a link: GET shows it, POST plays it and redirects to the result.

GET only shows, because mail scanners open every link before the player does. The result has a URL of its own, so that
reloading or going back plays nothing twice.
"""

from __future__ import annotations

from collections.abc import Sequence

from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import reverse

import games
from beanpost.pages.access import (
    bind_form,
    choose_status,
    is_submitted,
    render_not_yours,
    render_page,
    requires_seat_ticket,
)
from beanpost.pages.forms.seat import MoveForm
from beanpost.pages.seats import at_table, practice
from beanpost.pages.seats.compose_form import ComposeForm, build_compose_form
from beanpost.play import clock, moves
from beanpost.play.display import scene
from beanpost.play.errors import AlreadyPlayed, NotRunning, NotYours, TooLate, Unplayed
from beanpost.play.models import Event, Match, Place
from beanpost.play.seats import rewind, votes
from beanpost.play.tickets import MoveTicket, PlanTicket, PlayedTicket, Ticket, sign
from beanpost.post.outbox import queue

MAX_LINES = 12  # played at once


@requires_seat_ticket(MoveTicket)
def move(request: HttpRequest, ticket: MoveTicket, match: Match, place: Place) -> HttpResponse:
    form = bind_form(MoveForm, request)
    if not is_submitted(request, form):
        return render_question(request, ticket, match, place, form)
    composed = read_composed_move(request, match, place)
    if composed and not composed.is_valid():
        return render_question(request, ticket, match, place, form, composed=composed)
    if composed and "preview" in request.POST:
        why_not = scene.build_scene(match, place.seat).find_refusal(composed.line)
        return render_question(request, ticket, match, place, form, refusal=why_not, composed=composed)
    lines = composed.lines if composed else [ticket.line] if ticket.line else read_lines(request)
    return play_lines(request, ticket, match, place, form, lines, composed=composed)


@requires_seat_ticket(PlanTicket)
def plan(request: HttpRequest, ticket: PlanTicket, match: Match, place: Place) -> HttpResponse:
    """Show a move with the standing order that goes with it; one press does both."""
    form = bind_form(MoveForm, request)
    if not is_submitted(request, form):
        return render_question(request, ticket.move, match, place, form, plan=ticket.order)
    return play_lines(request, ticket.move, match, place, form, [ticket.line], plan=ticket.order)


def play_lines(
    request: HttpRequest,
    ticket: MoveTicket,
    match: Match,
    place: Place,
    form: MoveForm,
    lines: Sequence[str],
    *,
    plan: str = "",
    composed: ComposeForm | None = None,
) -> HttpResponse:
    """Play the lines, with the note and the standing order that were sent with them."""
    try:
        made = moves.play_ticket(ticket, *lines, **form.cleaned_data, order=plan, now=clock.now())
    except games.RulesError as refusal:
        return render_question(request, ticket, match, place, form, refusal=refusal, composed=composed, plan=plan)
    except AlreadyPlayed as why:
        match.refresh_from_db()
        return render_question(request, ticket, match, place, MoveForm(), already=why)
    except Unplayed as why:
        return render_refusal(request, ticket, match, place, why)
    if practice.practises_at(request, made.match):
        return practice.let_bots_play(request)
    answer = HttpResponseRedirect(reverse("played", args=[sign(made.build_ticket(ticket))]), status=303)
    return at_table.remember_seat(request, answer, made.match, place)


def read_lines(request: HttpRequest) -> list[str]:
    """Return the lines that were pressed or typed, one per line of text."""
    typed = request.POST.get("line", "").splitlines()
    return [line for line in typed if line.strip()][:MAX_LINES] or [""]


def read_composed_move(request: HttpRequest, match: Match, place: Place) -> ComposeForm | None:
    """Return the move composed on the page, to play or to preview, if there is one."""
    own = {"compose", "preview"} & request.POST.keys()
    return build_compose_form(scene.build_scene(match, place.seat), request.POST) if own else None


def render_question(
    request: HttpRequest,
    ticket: MoveTicket,
    match: Match,
    place: Place,
    form: MoveForm,
    *,
    refusal: games.RulesError | None = None,
    already: AlreadyPlayed | None = None,
    composed: ComposeForm | None = None,
    plan: str = "",
) -> HttpResponse:
    """Show the table and the question: one button if the link names a line that is still possible, else all moves."""
    shown = scene.build_scene(match, place.seat)
    try:
        # Check after reading the scene, so that the question was open at that time.
        moves.check_asked(match, ticket.seat, shown.wait, ticket.question)
        moves.check_own(shown.place, ticket)
    except Unplayed as why:
        return render_refusal(request, ticket, match, place, why)
    chosen = next((option for option in shown.options if option.line == ticket.line), None)
    if ticket.line and not chosen and not already:
        refusal = refusal or shown.find_refusal(ticket.line)  # an offer may have lapsed since the letter was composed
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
        already=shown.find_line(already.event.seq) if already else None,
        may_go_back=votes.has_open_rewind(shown.rows.proposals),
        stays=at_table.may_see_seat(request, place),
    )


@requires_seat_ticket(PlayedTicket)
def played(request: HttpRequest, ticket: PlayedTicket, match: Match, place: Place) -> HttpResponse:
    """Show what was played, and the next question if the same seat is asked again."""
    shown = scene.build_scene(match, place.seat)
    try:
        moves.check_own(shown.place, ticket)
        moves.check_still_latest(match, shown.log, shown.wait, ticket)
    except NotYours:
        return render_not_yours(request, match)
    except AlreadyPlayed as why:
        return render_old_link(request, match, place, why, since=ticket.seq)
    played_lines = range(ticket.seq, ticket.through + 1)
    own = [line for line in shown.story if line.seq in played_lines and line.seat == place.seat]
    own = [line for line in own if line.by_hand or line.origin == Event.Origin.HOUSE]
    if not own and rewind.was_rewound(match, since=ticket.through):
        why_not = AlreadyPlayed(match.events.get(seq=ticket.seq))
        return render_old_link(request, match, place, why_not, since=ticket.seq)
    stays = at_table.may_see_seat(request, place)
    looks_on = stays and not shown.wait and not shown.result
    return render_page(
        request,
        "played",
        scene=shown,
        own=own,
        form=MoveForm(),
        undo_ticket=votes.sign_undo_ticket(place, shown.places, ticket.seq),
        composed=build_compose_form(shown),
        next=at_table.find_next_table(request, place) if looks_on else at_table.NextTable(),
        stays=stays,
    )


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
    own = shown.find_line(why.event.seq) if why.event else None
    went_back = own is None and rewind.was_rewound(match, since=since)
    wait = next((wait for wait in shown.rows.waits if wait.seat == place.seat), None)
    if wait and isinstance(why, AlreadyPlayed) and not went_back and at_table.may_see_seat(request, place):
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
        return render_page(request, "not_begun", status=409, match=match)
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
