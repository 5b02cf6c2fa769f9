"""Start a friendly match on one page, for signed-in players: their address is known, so no letter has to prove it."""

from __future__ import annotations

from dataclasses import astuple, replace

from django.db.models import Max
from django.http import HttpRequest, HttpResponse

from beanpost.pages import game_tiles
from beanpost.pages.access import bind_form, choose_status, is_submitted, render_page, show_refusals_on
from beanpost.pages.forms.start import SignedInStartForm
from beanpost.pages.seats.joining import find_first_question_url, render_seated, sign_seat_ticket
from beanpost.pages.sessions import requires_sign_in
from beanpost.pages.visitors import home
from beanpost.play import clock, random_codes
from beanpost.play.models import Place
from beanpost.play.seats import opening, own_seat
from beanpost.play.tickets import OpenTicket, make_fingerprint
from beanpost.players import accounts
from beanpost.players.models import Player

MAX_OPPONENTS = 12  # offered by name


@requires_sign_in
def start(request: HttpRequest, player: Player) -> HttpResponse:
    tile = game_tiles.find_chosen_tile(request)
    form = bind_form(SignedInStartForm, request, opponents=list_opponents(player), tile=tile)
    number = request.POST.get("page") or random_codes.make_code()
    if is_submitted(request, form) and (planned := home.plan_match(player, form)):
        with show_refusals_on(form):
            match = opening.open_match(number_plan(number, planned), player, now=clock.now())
            place = match.places.get(player=player)
            own_seat.set_may_be_watched(place, form.cleaned_data["may_be_watched"])
            return render_seated(
                request, match, player, ticket=sign_seat_ticket(place), play_now=find_first_question_url(match, place)
            )
    choice = {"tiles": game_tiles.list_tiles(), "tile": tile}
    return render_page(request, "start", status=choose_status(form), form=form, number=number, **choice)


def list_opponents(player: Player) -> list[Player]:
    """Return the people this player has sat with most recently, if they still want letters.

    People who were invited and have not accepted are left out: typing an address must not reveal whose it is.
    """
    met = Place.objects.filter(match__places__player=player, player__guest=False, player__unwanted_at=None)
    met = (
        met.filter(confirmed_at__isnull=False, match__started_at__isnull=False)
        .exclude(player=player)
        .exclude(player__address__endswith=accounts.ERASED)
    )
    latest = met.values("player").annotate(last=Max("match_id")).order_by("-last")[:MAX_OPPONENTS]
    found = Player.objects.in_bulk([row["player"] for row in latest])
    return [found[row["player"]] for row in latest]


def number_plan(number: str, planned: OpenTicket) -> OpenTicket:
    """Return the plan with a number derived from it and the page's, so that pressing twice opens one match."""
    return replace(planned, number=make_fingerprint("start", number, *astuple(replace(planned, number="")))[:20])
