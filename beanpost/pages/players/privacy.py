"""Export and erasure of a player's data."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse, JsonResponse

from beanpost.pages import sessions
from beanpost.pages.access import (
    bind_form,
    choose_status,
    is_submitted,
    render_page,
    requires_visit_ticket,
    show_refusals_on,
)
from beanpost.pages.forms.player import AskToEraseForm, EraseForm
from beanpost.pages.notices import ERASED
from beanpost.pages.sessions import requires_sign_in
from beanpost.play import clock
from beanpost.play.tickets import EraseTicket
from beanpost.players.models import Player
from beanpost.post.outbox import requested
from beanpost.privacy import data_export, erasure


@requires_sign_in
def download_data(request: HttpRequest, player: Player) -> HttpResponse:
    file = JsonResponse(data_export.export_data(player), json_dumps_params={"ensure_ascii": False, "indent": 1})
    file.headers["Content-Disposition"] = 'attachment; filename="beanpost-my-data.json"'
    return file


@requires_sign_in
def show_data(request: HttpRequest, player: Player) -> HttpResponse:
    """Show the same as the file, for reading."""
    data = data_export.export_data(player)
    sections = {name: rows for name, rows in data.items() if isinstance(rows, list) and rows}
    return render_page(request, "my_data", own=data["player"], sections=sections, name_column=data_export.name_column)


@requires_sign_in
def request_erasure(request: HttpRequest, player: Player) -> HttpResponse:
    """Explain on GET, send a letter on POST. Sessions last for weeks: an open one must not be enough to erase."""
    form = bind_form(AskToEraseForm, request)
    if is_submitted(request, form):
        with show_refusals_on(form):
            erasure.check_can_be_erased(player)
            requested.queue_letter(player, "erase", {"session": player.sessions}, now=clock.now())
            return render_page(request, "look_in_your_mail", address=player.address)
    return render_page(
        request, "ask_to_erase", status=choose_status(form), form=form, hindrance=erasure.explain_not_erasable(player)
    )


@requires_visit_ticket(EraseTicket)
def erase_player(request: HttpRequest, ticket: EraseTicket, player: Player) -> HttpResponse:
    """Erase for good, by the link in the letter. GET explains; POST needs a tick."""
    form = bind_form(EraseForm, request)
    if is_submitted(request, form):
        with show_refusals_on(form):
            erasure.erase(player, now=clock.now())
            sessions.sign_out(request)
            return render_page(request, "notice", notice=ERASED)
    return render_page(
        request, "erase", status=choose_status(form), form=form, hindrance=erasure.explain_not_erasable(player)
    )
