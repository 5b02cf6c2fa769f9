"""Practice: a table against bots in one press, tied to the visitor's browser."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.core.exceptions import ValidationError
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import get_language

import games
from beanpost.pages.access import in_language_of, render_page, shows_and_acts
from beanpost.pages.forms.move import MoveForm, build_compose_form
from beanpost.pages.hosts.demo_mailboxes import as_mail
from beanpost.play import clock, practice
from beanpost.play.display import scene
from beanpost.play.display.scene import Scene
from beanpost.play.models import Match, Place
from beanpost.post import visitor_limits
from beanpost.post.compose import letter as compose

PRACTICE_KEY = "practice"  # session key: the code of the visitor's own table


@shows_and_acts
def practise(request: HttpRequest) -> HttpResponse:
    """On GET, show the visitor's table or the games on offer; on POST, deal a new one or let the bots go on."""
    act = let_bots_play if "on" in request.POST else begin_practice
    answer = act(request) if request.method == "POST" else render_practice(request)
    answer.headers["Cache-Control"] = "no-store"
    answer.headers["X-Robots-Tag"] = "noindex"
    return answer


def render_practice(request: HttpRequest) -> HttpResponse:
    place = find_own_place(request)
    return render_table(request, place) if place else render_choice(request)


def begin_practice(request: HttpRequest) -> HttpResponse:
    visitor = visitor_limits.find_network(request.META.get("REMOTE_ADDR", ""))
    language = get_language() or settings.LANGUAGE_CODE
    try:
        match = practice.begin(request.POST.get("game", ""), visitor=visitor, language=language, now=clock.now())
    except ValidationError as refusal:
        return render_choice(request, refusal=refusal.messages[0])
    request.session[PRACTICE_KEY] = match.code
    return redirect("try")


def let_bots_play(request: HttpRequest) -> HttpResponse:
    """Let the bots play, then show the visitor's table."""
    if place := find_own_place(request):
        practice.let_bots_play(place.match, clock.now())
    return redirect("try")


def render_choice(request: HttpRequest, refusal: str = "") -> HttpResponse:
    offered = [games.get(slug) for slug in practice.find_offered_games()]
    return render_page(request, "try_which", status=429 if refusal else 200, offered=offered, refusal=refusal)


@as_mail
def render_table(request: HttpRequest, place: Place) -> HttpResponse:
    """Show the table, and beside it the letter that would have come."""
    match, now = place.match, clock.now()
    with in_language_of(place.player):
        seen = scene.build_scene(match, place.seat)
        letter, own = compose.preview(match, place, now), build_compose_form(seen)
        shown: dict[str, Any] = {"scene": seen, "match": match, "form": MoveForm(), "composed": own, "letter": letter}
        return render_page(request, "try", advice=advise(seen), **shown)


def advise(seen: Scene) -> str:
    """Return advice for a guest's first turns: what just happened, and why a move is good; "" after them."""
    table = seen.rules.practice
    if seen.moves_made >= practice.GUIDED_TURNS or table is None or table.advise is None or seen.question is None:
        return ""
    phrase = table.advise(seen.view, seen.question.ask)
    return seen.say(phrase) if phrase else ""


def find_own_place(request: HttpRequest) -> Place | None:
    """Return the seat of this browser's guest, unless its table has been removed."""
    code = request.session.get(PRACTICE_KEY)
    own = Place.objects.filter(match__code=code, match__practice=True, player__guest=True) if code else None
    return own.select_related("match__keeper", "player").first() if own is not None else None


def is_own_table(request: HttpRequest, match: Match) -> bool:
    """Whether this browser practises at this practice match."""
    return request.session.get(PRACTICE_KEY) == match.code
