"""What somebody at a table may do besides moving."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.views.decorators.csrf import csrf_exempt

from beanpost.pages.doors import for_seat, page
from beanpost.play import clock, opening, sitting
from beanpost.play.models import Match, Place
from beanpost.play.tickets import SeatTicket
from beanpost.post import outbox


@for_seat(SeatTicket)
def renew(request: HttpRequest, ticket: SeatTicket, match: Match, place: Place) -> HttpResponse:
    """Somebody says: I forwarded this by mistake. Void every link sent so far, and write again."""
    if request.method != "POST":
        return page(request, "renew", match=match, place=place)
    sitting.renew(place)
    outbox.queue_current(match, place, now=clock.now())
    return page(request, "renewed", match=match, place=place)


@for_seat(SeatTicket)
def notes(request: HttpRequest, ticket: SeatTicket, match: Match, place: Place) -> HttpResponse:
    """The notes of a match: hear them or not, and report one to the keeper."""
    if request.method == "POST" and request.POST.get("report", "").isdigit():
        sitting.report(place, int(request.POST["report"]), now=clock.now())
    elif request.method == "POST":
        sitting.hear_notes(place, "hear" in request.POST)
    return page(request, "notes", match=match, place=place, notes=match.notes.all())


@for_seat(SeatTicket)
def again(request: HttpRequest, ticket: SeatTicket, match: Match, place: Place) -> HttpResponse:
    """The same game with the same people."""
    if match.phase != Match.Phase.ENDED or place.player is None:
        return page(request, "not_over", status=409, match=match)
    if request.method != "POST":
        return page(request, "again", match=match, place=place)
    following = opening.play_again(match.pk, place.player, now=clock.now())
    return page(request, "waiting", match=following, place=following.places.get(player=place.player))


# One-click unsubscribing comes from a mail program, which has no page and so no CSRF token of ours (RFC 8058).
@csrf_exempt
@for_seat(SeatTicket)
def unsubscribe(request: HttpRequest, ticket: SeatTicket, match: Match, place: Place) -> HttpResponse:
    """No more reminders of this match. A seat is never given up this way."""
    if request.method == "POST":
        sitting.stop_reminding(place)
    return page(request, "unsubscribe", match=match, place=place)
