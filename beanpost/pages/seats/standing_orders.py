"""A seat's standing orders: list them and their answers, give one, withdraw one."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext as _

import games
from beanpost.i18n.reply_language import get_reply_language
from beanpost.pages.access import (
    bind_form,
    choose_status,
    is_submitted,
    render_not_yours,
    render_page,
    requires_seat_ticket,
)
from beanpost.pages.forms.seat import OrderForm
from beanpost.pages.seats.move import render_not_running
from beanpost.play import clock
from beanpost.play.display import scene
from beanpost.play.display.orders import offers
from beanpost.play.display.orders.similar import find_most_alike
from beanpost.play.display.scene import Scene
from beanpost.play.errors import NotRunning, TooLate, Unplayed
from beanpost.play.models import Match, Order, Place
from beanpost.play.tickets import OrderTicket
from beanpost.play.turns import standing_orders
from beanpost.post.outbox import queue
from beanpost.post.reply_parser.order_meaning import parse_order


@requires_seat_ticket(OrderTicket)
def orders(request: HttpRequest, ticket: OrderTicket, match: Match, place: Place) -> HttpResponse:
    form = bind_form(OrderForm, request)
    given = refusal = None
    try:
        if is_submitted(request, form):
            given = give_or_withdraw(ticket, scene.build_scene(match, place.seat), form)
    except games.RulesError as why:
        refusal = why
    except Unplayed as why:
        return render_refusal(request, match, place, why)
    match.refresh_from_db()
    if match.phase != Match.Phase.RUNNING:
        return render_not_running(request, match, place)
    shown = scene.build_scene(match, place.seat)
    try:
        standing_orders.check_ticket(ticket)  # after reading the scene, so that it was good at that time
    except Unplayed as why:
        return render_refusal(request, match, place, why)
    return render_orders(request, shown, form, given=given, refusal=refusal)


def give_or_withdraw(ticket: OrderTicket, shown: Scene, form: OrderForm) -> Order | None:
    """Give the order that was pressed, typed or built and return it, or withdraw the chosen one."""
    if form.cleaned_data["preview"]:
        return None
    if typed := read_order(form):
        sensible = offers.describe_sensible_orders(shown)
        replies = get_reply_language().add_words(shown.rules.replies, shown.rules.slug)
        line = parse_order(typed, replies, shown.order_types, shown.names, sensible)
        return standing_orders.give_by_ticket(ticket, line or typed, now=clock.now())
    if form.cleaned_data["take_back"]:
        standing_orders.withdraw_by_ticket(ticket, form.cleaned_data["take_back"], now=clock.now())
    return None


def read_order(form: OrderForm) -> str:
    """Return the order that was pressed or typed, or the sentence that was built."""
    return form.cleaned_data["line"] or "".join(form.cleaned_data["piece"])


def render_orders(
    request: HttpRequest, shown: Scene, form: OrderForm, *, given: Order | None, refusal: games.RulesError | None
) -> HttpResponse:
    return render_page(
        request,
        "orders",
        status=422 if refusal else choose_status(form),
        scene=shown,
        active=[order for order in shown.all_orders if not order.lapsed_at],
        lapsed=[order for order in shown.all_orders if order.lapsed_at],
        ready_orders=offers.find_ready_orders(shown),
        order_sentences=offers.build_order_sentences(shown),
        order_examples=offers.list_order_examples(shown),
        why_no_more_orders=offers.explain_no_more_orders(shown),
        done=given if given and (given.answered or given.lapsed_at) else None,  # it has answered or lapsed at once
        form=form if refusal or form.errors else OrderForm(),
        pieces=form.cleaned_data["piece"] if form.is_valid() and not given else [],
        refusal_text=describe_refusal(refusal, shown) if refusal else "",
        alike=find_similar_orders(read_order(form), shown) if isinstance(refusal, games.Unreadable) else [],
    )


def describe_refusal(refusal: games.RulesError, shown: Scene) -> str:
    """Say what is wrong with an order. The page lists all possible orders, so the message doesn't."""
    if not isinstance(refusal, games.Unreadable):
        return shown.say(refusal.phrase)
    typed = refusal.phrase.values["line"]
    return _("“%(typed)s” isn’t an order in this game.") % {"typed": typed}


def find_similar_orders(typed: str, shown: Scene) -> list[str]:
    """Return the lines of the orders on offer that are most like a text."""
    offered = offers.describe_offered_orders(shown)
    return [offered[words] for words in find_most_alike(typed, offered)]


def render_refusal(request: HttpRequest, match: Match, place: Place, why: Unplayed) -> HttpResponse:
    if isinstance(why, NotRunning):
        return render_not_running(request, why.match, place)
    if isinstance(why, TooLate):
        return render_old_letter(request, match, place)
    return render_not_yours(request, match)


def render_old_letter(request: HttpRequest, match: Match, place: Place) -> HttpResponse:
    """Refuse an old link: show no orders, and offer a new letter."""
    if "letter" in request.POST:
        queue.queue_current(match, place, now=clock.now())
        return render_page(request, "current", match=match)
    return render_page(request, "old_orders", status=409, match=match)
