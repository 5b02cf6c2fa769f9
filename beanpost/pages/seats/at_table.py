"""Requests of a match's open page: that its player is there, and notes between moves."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.views.decorators.http import require_POST

from beanpost.pages import sessions
from beanpost.pages.access import (
    bind_form,
    choose_status,
    in_language_of,
    is_submitted,
    render_page,
    show_refusals_on,
    shows_and_acts,
)
from beanpost.pages.forms.move import TableNoteForm
from beanpost.play import clock
from beanpost.play.models import Match
from beanpost.play.seats import own_seat


@require_POST
def note_presence(request: HttpRequest, code: str) -> HttpResponse:
    """Note that the player is looking, so that their next letter waits two minutes."""
    match = get_object_or_404(Match, code=code)
    if own := sessions.find_seat(request, match):
        own_seat.note_presence(own, now=clock.now())
    return HttpResponse(status=204)


@shows_and_acts
def write_note(request: HttpRequest, code: str) -> HttpResponse:
    """Write a note to the table between moves, from an open page."""
    match = get_object_or_404(Match, code=code)
    own = sessions.find_seat(request, match)
    if own is None or match.started_at is None:
        return redirect("match", code)
    with in_language_of(own.player):
        form = bind_form(TableNoteForm, request)
        if is_submitted(request, form):
            with show_refusals_on(form):
                own_seat.write_note(own, form.cleaned_data["note"], now=clock.now())
                return redirect("match", code)
        return render_page(request, "note", status=choose_status(form), match=match, form=form)
