"""A player's actions besides moving. A seat's ticket may be old, so none of these pages shows a card."""

from __future__ import annotations

from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.views.decorators.csrf import csrf_exempt

from beanpost.pages import sessions
from beanpost.pages.access import (
    bind_form,
    choose_status,
    is_submitted,
    render_page,
    requires_seat_ticket,
    requires_visit_ticket,
    show_refusals_on,
)
from beanpost.pages.forms.move import TableNoteForm
from beanpost.pages.forms.seat import AgainForm, ReportForm
from beanpost.pages.notices import NOT_OVER
from beanpost.pages.seats.joining import find_first_question_url, render_seated
from beanpost.play import clock
from beanpost.play.models import Match, Place
from beanpost.play.seats import own_seat, rematch
from beanpost.play.tickets import LetterSettingsTicket, SeatTicket
from beanpost.players.models import Player
from beanpost.post import preferences
from beanpost.post.outbox import queue

MAX_NOTES = 100


@requires_seat_ticket(SeatTicket)
def renew_links(request: HttpRequest, ticket: SeatTicket, match: Match, place: Place) -> HttpResponse:
    """Void every link sent for a seat and send new ones, for a player who forwarded a letter by mistake."""
    if request.method == "POST":
        with transaction.atomic():  # void the links and queue the letter together, or neither
            own_seat.renew_links(place)
            queue.queue_current(match, place, now=clock.now())
    return render_page(request, "renew", match=match)


@requires_visit_ticket(LetterSettingsTicket)  # an older letter must not say that newer links are invalid
def renew_all_links(request: HttpRequest, ticket: LetterSettingsTicket, player: Player) -> HttpResponse:
    """Void every link we have sent to a player, after they forwarded a letter with links of several matches."""
    if request.method == "POST":
        queue.renew_all_links(player, session=ticket.session, now=clock.now())
    return render_page(request, "renew_all", done=request.method == "POST")


@requires_seat_ticket(SeatTicket)
def notes(request: HttpRequest, ticket: SeatTicket, match: Match, place: Place) -> HttpResponse:
    """Show a match's notes; write one, mute or unmute them, and report one to the keeper."""
    form, note_form = bind_form(ReportForm, request), TableNoteForm(request.POST if "note" in request.POST else None)
    if note_form.is_valid():
        with show_refusals_on(note_form):
            own_seat.write_note(place, note_form.cleaned_data["note"], now=clock.now())
            note_form = TableNoteForm()
    elif is_submitted(request, form) and form.cleaned_data["report"]:
        own_seat.report_note(place, form.cleaned_data["report"], now=clock.now())
    elif "hear" in request.POST or "mute" in request.POST:
        own_seat.set_hears_notes(place, "hear" in request.POST)
    read = own_seat.find_readable_notes(place)[:MAX_NOTES]
    forms = {"note_form": note_form, "may_write": match.started_at and not place.resigned_at}
    return render_page(
        request, "notes", status=choose_status(form, note_form), match=match, place=place, notes=read, **forms
    )


@requires_seat_ticket(SeatTicket)
def open_rematch(request: HttpRequest, ticket: SeatTicket, match: Match, place: Place) -> HttpResponse:
    """Open a rematch: the same game with the same people."""
    if match.phase != Match.Phase.ENDED or place.player is None:
        return render_page(request, "notice", status=409, notice=NOT_OVER._replace(match=match))
    form = bind_form(AgainForm, request)
    if is_submitted(request, form):
        with show_refusals_on(form):
            following = rematch.open_rematch(match.pk, place.player, now=clock.now())
            return render_seated(
                request, following, place.player, play_now=find_rematch_url(request, following, place.player)
            )
    others = [other for other in match.places.select_related("player") if other != place]
    names = [other.name for other in others if not (other.player and other.player.unwanted_at)]
    context = {
        "match": match,
        "form": form,
        "others": names,
        "free": len(others) - len(names),
        "asked_already": Match.objects.filter(follows=match).exists(),
    }
    return render_page(request, "again", status=choose_status(form), **context)


def find_rematch_url(request: HttpRequest, following: Match, player: Player) -> str:
    """Return the page of the rematch's first question, if this browser may see it: the letter's link alone may not."""
    own = following.places.filter(player=player).first()
    return find_first_question_url(following, own) if own and sessions.may_see_seat(request, own) else ""


# One-click unsubscribing comes from a mail program, which has no page and so no CSRF token (RFC 8058).
@csrf_exempt
@requires_seat_ticket(SeatTicket)
def stop_reminders(request: HttpRequest, ticket: SeatTicket, match: Match, place: Place) -> HttpResponse:
    """Stop reminders of this match. This never gives up a seat."""
    if request.method == "POST":
        preferences.stop_reminding(place, now=clock.now())
    return render_page(request, "unsubscribe", match=match)
