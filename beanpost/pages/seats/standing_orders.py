"""A seat's standing orders: list them and their answers, give one, withdraw one."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext as _

import games
from beanpost.pages.access import filled, is_sent, not_yours, page, requires_seat_ticket, status_of
from beanpost.pages.forms.seat import OrderForm
from beanpost.pages.seats.move import not_running
from beanpost.play import clock
from beanpost.play.display import scene
from beanpost.play.display.scene import Scene
from beanpost.play.display.similar_orders import find_most_alike
from beanpost.play.errors import NotRunning, TooLate, Unplayed
from beanpost.play.models import Match, Order, Place
from beanpost.play.tickets import OrderTicket
from beanpost.play.turns import standing_orders
from beanpost.post.outbox import queue
from beanpost.post.reply_parser.order_meaning import understood


@requires_seat_ticket(OrderTicket)
def orders(request: HttpRequest, ticket: OrderTicket, match: Match, place: Place) -> HttpResponse:
    form = filled(OrderForm, request)
    given = refusal = None
    try:
        if is_sent(request, form):
            given = act(ticket, match, form)
    except games.RulesError as why:
        refusal = why
    except Unplayed as why:
        return unplayed(request, match, place, why)
    match.refresh_from_db()
    if match.phase != Match.Phase.RUNNING:
        return not_running(request, match, place)
    shown = scene.build_scene(match, place.seat)
    try:
        standing_orders.check_ticket(ticket)  # after reading the scene, so that it was good at that time
    except Unplayed as why:
        return unplayed(request, match, place, why)
    return own_page(request, shown, form, given=given, refusal=refusal)


def act(ticket: OrderTicket, match: Match, form: OrderForm) -> Order | None:
    """Give the order that was pressed, typed or built and return it, or withdraw the chosen one."""
    if form.cleaned_data["preview"]:
        return None
    if typed := said_in(form):
        rules = games.get(match.game, match.edition)
        names = [place.name for place in match.places.all()]
        line = understood(typed, rules.replies, rules.orders.for_seats(match.seats), names)
        return standing_orders.give_by_ticket(ticket, line or typed, now=clock.now())
    if form.cleaned_data["take_back"]:
        standing_orders.withdraw_by_ticket(ticket, form.cleaned_data["take_back"], now=clock.now())
    return None


def said_in(form: OrderForm) -> str:
    """Return the order that was pressed or typed, or the sentence that was built."""
    return form.cleaned_data["line"] or "".join(form.cleaned_data["piece"])


def own_page(
    request: HttpRequest, shown: Scene, form: OrderForm, *, given: Order | None, refusal: games.RulesError | None
) -> HttpResponse:
    return page(
        request,
        "orders",
        status=422 if refusal else status_of(form),
        scene=shown,
        lapsed=[order for order in shown.all_orders if order.lapsed_at],
        done=given if given and (given.answered or given.lapsed_at) else None,  # it has answered or lapsed at once
        form=form if refusal or form.errors else OrderForm(),
        pieces=form.cleaned_data["piece"] if form.is_valid() and not given else [],
        said=wrong(refusal, shown) if refusal else "",
        alike=alike(said_in(form), shown) if isinstance(refusal, games.Unreadable) else [],
    )


def wrong(refusal: games.RulesError, shown: Scene) -> str:
    """Say what is wrong with an order. The page lists all possible orders, so the message doesn't."""
    if not isinstance(refusal, games.Unreadable):
        return shown.say(refusal.phrase)
    typed = refusal.phrase.values["line"]
    return _("“%(typed)s” isn’t an order in this game.") % {"typed": typed}


def alike(typed: str, shown: Scene) -> list[str]:
    """Return the lines of the orders on offer that are most like a text."""
    return [shown.offered_orders[words] for words in find_most_alike(typed, shown.offered_orders)]


def unplayed(request: HttpRequest, match: Match, place: Place, why: Unplayed) -> HttpResponse:
    if isinstance(why, NotRunning):
        return not_running(request, why.match, place)
    if isinstance(why, TooLate):
        return old_letter(request, match, place)
    return not_yours(request, match)


def old_letter(request: HttpRequest, match: Match, place: Place) -> HttpResponse:
    """Refuse an old link: show no orders, and offer a new letter."""
    if "letter" in request.POST:
        queue.queue_current(match, place, now=clock.now())
        return page(request, "current", match=match)
    return page(request, "old_orders", status=409, match=match)
