"""Export and erasure of a player's data."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse, JsonResponse

from beanpost.pages import letter_requests, sessions
from beanpost.pages.access import filled, is_sent, page, refusals_beside, requires_visit_ticket, status_of
from beanpost.pages.forms.player import AskToEraseForm, EraseForm
from beanpost.pages.sessions import for_visitor
from beanpost.play import clock
from beanpost.play.tickets import EraseTicket
from beanpost.players.models import Player
from beanpost.privacy import data_export, erasure


@for_visitor
def take_along(request: HttpRequest, player: Player) -> HttpResponse:
    file = JsonResponse(data_export.data_of(player), json_dumps_params={"ensure_ascii": False, "indent": 1})
    file.headers["Content-Disposition"] = 'attachment; filename="beanpost-my-data.json"'
    return file


@for_visitor
def ask_to_erase(request: HttpRequest, player: Player) -> HttpResponse:
    """Explain on GET, send a letter on POST. Sessions last for weeks: an open one must not be enough to erase."""
    form = filled(AskToEraseForm, request)
    if is_sent(request, form):
        with refusals_beside(form):
            erasure.check_can_be_erased(player)
            letter_requests.write(player, "erase", {"session": player.sessions}, now=clock.now())
            return page(request, "look_in_your_mail", address=player.address)
    return page(request, "ask_to_erase", status=status_of(form), form=form, hindrance=erasure.why_not_erasable(player))


@requires_visit_ticket(EraseTicket)
def erase(request: HttpRequest, ticket: EraseTicket, player: Player) -> HttpResponse:
    """Erase for good, by the link in the letter. GET explains; POST needs a tick."""
    form = filled(EraseForm, request)
    if is_sent(request, form):
        with refusals_beside(form):
            erasure.erase(player, now=clock.now())
            sessions.end(request)
            return page(request, "erased")
    return page(request, "erase", status=status_of(form), form=form, hindrance=erasure.why_not_erasable(player))
