"""The way a move comes in: GET shows it, POST says it.

GET only shows: mail scanners open every link before the player does.
"""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import require_POST

import games
from beanpost.pages.doors import for_seat, page
from beanpost.pages.forms import NoteForm
from beanpost.play import clock, moves, scene
from beanpost.play.errors import AlreadyPlayed, NotRunning, TooLate
from beanpost.play.models import Event, Match, Place
from beanpost.play.telling import told
from beanpost.play.tickets import MoveTicket
from beanpost.post import outbox


@for_seat(MoveTicket)
def move(request: HttpRequest, ticket: MoveTicket, match: Match, place: Place) -> HttpResponse:
    if request.method == "POST":
        return say(request, ticket, match, place)
    if match.phase != Match.Phase.RUNNING:
        return over(request, match, place)
    if not match.waits.filter(seat=ticket.seat, opened=ticket.question).exists():
        return stale(request, match, place, answer(ticket))
    return ask(request, ticket, match, place, form=NoteForm())


def ask(
    request: HttpRequest, ticket: MoveTicket, match: Match, place: Place, *, form: NoteForm, refusal: str = ""
) -> HttpResponse:
    """The table and the question: with one button for a link's line, with all of them otherwise."""
    shown = scene.of(match, place.seat)
    chosen = next((option for option in shown.options if option.line == ticket.line), None)
    status = 400 if refusal or form.errors else 200
    return page(
        request, "move" if chosen else "table", status=status, scene=shown, chosen=chosen, form=form, refusal=refusal
    )


def say(request: HttpRequest, ticket: MoveTicket, match: Match, place: Place) -> HttpResponse:
    form = NoteForm(request.POST)
    if not form.is_valid():
        return ask(request, ticket, match, place, form=form)
    line, note = ticket.line or form.cleaned_data["line"], form.cleaned_data["note"]
    try:
        made = moves.by_ticket(ticket, line, note=note, now=clock.now())
    except games.RulesError as refusal:
        names = list(match.places.values_list("name", flat=True))
        return ask(request, ticket, match, place, form=form, refusal=told(refusal.phrase, names))
    except (AlreadyPlayed, TooLate) as passed:
        return stale(request, match, place, passed.event)
    except NotRunning:
        return over(request, match, place)
    return played(request, made, place)


def played(request: HttpRequest, made: moves.Made, place: Place) -> HttpResponse:
    """What was said, and at once the next question where the same seat is asked again."""
    shown = scene.of(made.match, place.seat)
    own = next((line for line in shown.story if line.seq == made.events[0].seq), None)
    return page(request, "played", scene=shown, own=own, form=NoteForm())


def answer(ticket: MoveTicket) -> Event | None:
    """What was said to the question a ticket was written for."""
    said = Event.objects.filter(match=ticket.match, seat=ticket.seat, seq__gt=ticket.question)
    return said.order_by("seq").first()


def stale(request: HttpRequest, match: Match, place: Place, said: Event | None) -> HttpResponse:
    """An old link: what was played, the table as a bystander sees it, and a way to a fresh letter."""
    shown = scene.of(match, None)
    own = next((line for line in shown.story if said and line.seq == said.seq), None)
    by_clock = said is None or said.origin == Event.Origin.CLOCK
    return page(request, "stale", status=409 if by_clock else 200, scene=shown, own=own, place=place, by_clock=by_clock)


def over(request: HttpRequest, match: Match, place: Place) -> HttpResponse:
    """The match has not begun, or has ended. At the end nothing is secret any more."""
    if match.started_at is None:
        return page(request, "not_begun", match=match)
    return page(request, "finished", scene=scene.of(match, place.seat))


@for_seat(MoveTicket)
@require_POST
def current(request: HttpRequest, ticket: MoveTicket, match: Match, place: Place) -> HttpResponse:
    """Send the seat's current letter to the address on file: at most once an hour."""
    outbox.queue_current(match, place, now=clock.now())
    return page(request, "sent", match=match)
