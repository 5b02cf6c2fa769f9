"""The front page: what this is, how to begin, and how to find a lost letter."""

from __future__ import annotations

from datetime import datetime

from django.conf import settings
from django.core.exceptions import ValidationError
from django.db.models import Count, F
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404
from django.utils.translation import get_language
from django.views.decorators.http import require_POST, require_safe

import games
from beanpost.pages.doors import page
from beanpost.pages.forms import JoinForm, LostForm, OpenForm
from beanpost.play import clock, opening
from beanpost.play.models import Match
from beanpost.play.telling import told
from beanpost.play.tickets import JoinTicket, sign
from beanpost.players import book
from beanpost.players.models import Player
from beanpost.post import outbox

OPEN_TABLES = 20


@require_safe
def home(request: HttpRequest) -> HttpResponse:
    return front(request)


def front(
    request: HttpRequest, *, opening_form: OpenForm | None = None, lost_form: LostForm | None = None, status: int = 200
) -> HttpResponse:
    return page(
        request,
        "home",
        status=status,
        opening_form=opening_form or OpenForm(),
        lost_form=lost_form or LostForm(auto_id="lost_%s"),
        tables=open_tables(),
        demo=settings.DEMO,
    )


def open_tables() -> list[Match]:
    gathering = Match.objects.filter(phase=Match.Phase.GATHERING, open_to_all=True)
    seated = gathering.annotate(seated=Count("places"), free=F("seats") - Count("places")).filter(free__gt=0)
    return list(seated.select_related("keeper").order_by("-opened_at")[:OPEN_TABLES])


@require_POST
def open_match(request: HttpRequest) -> HttpResponse:
    """Write to whoever wants to open a match; it takes effect when that letter's link has been pressed."""
    form = OpenForm(request.POST)
    if not form.is_valid():
        return front(request, opening_form=form, status=400)
    now = clock.now()
    keeper = welcome(form, now=now)
    try:
        planned = opening.plan(keeper, **form.wish)
    except ValidationError as refusal:
        form.add_error(None, refusal)
        return front(request, opening_form=form, status=400)
    except games.RulesError as refusal:
        form.add_error(None, told(refusal.phrase, ()))
        return front(request, opening_form=form, status=400)
    outbox.queue(keeper, "open", f"open/{now:%Y-%m-%dT%H:%M}", {"ticket": sign(planned)}, now=now)
    return page(request, "look_in_your_mail", address=keeper.address)


@require_POST
def join(request: HttpRequest, code: str) -> HttpResponse:
    """Write to whoever wants to join an open table."""
    match = get_object_or_404(Match, code=code)
    form = JoinForm(request.POST)
    if not form.is_valid():
        return page(request, "join", status=400, match=match, form=form)
    now = clock.now()
    player = welcome(form, now=now)
    ticket = sign(JoinTicket(player.pk, match.pk))
    outbox.queue(player, "join", f"join/{match.pk}/{now:%Y-%m-%dT%H}", {"ticket": ticket}, match=match, now=now)
    return page(request, "look_in_your_mail", address=player.address)


def welcome(form: OpenForm | JoinForm, *, now: datetime) -> Player:
    typed = form.cleaned_data
    return book.welcome(typed["address"], name=typed["name"], language=get_language() or "en", now=now)


@require_POST
def lost(request: HttpRequest) -> HttpResponse:
    """Send what is open to the typed address. The answer is the same whether or not we know it."""
    form = LostForm(request.POST, auto_id="lost_%s")
    if not form.is_valid():
        return front(request, lost_form=form, status=400)
    now = clock.now()
    if player := book.look_up(form.cleaned_data["address"]):
        outbox.queue(player, "lost", f"lost/{now:%Y-%m-%dT%H}", {}, now=now)
    return page(request, "look_in_your_mail", address=form.cleaned_data["address"], perhaps=True)
