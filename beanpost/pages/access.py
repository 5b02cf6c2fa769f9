"""The first steps of every view: redeem the ticket, find its player, switch to their language.

A view gets a valid ticket and a seat that still belongs to its bearer. Everybody else gets a page that explains the
problem and what can be done.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from functools import partial, wraps
from http import HTTPStatus
from typing import Any, TypeAlias, TypeVar

from django.conf import settings
from django.core.exceptions import NON_FIELD_ERRORS, ValidationError
from django.forms import Form
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone, translation
from django.views.decorators.http import require_http_methods

from beanpost.i18n import translations
from beanpost.pages.notices import FORGOTTEN, UNREADABLE
from beanpost.play import clock, load
from beanpost.play.models import Match
from beanpost.play.tickets import (
    BadTicket,
    ExpiredTicket,
    SeatTicket,
    SignInTicket,
    Ticket,
    TicketForPlayer,
    TicketForSeat,
    TicketForSession,
    WhereaboutsTicket,
    redeem,
    sign,
)
from beanpost.players.models import Player
from beanpost.post.outbox import unconfirmed

TOO_MANY = "too_many"  # error code of rate limits
P = TypeVar("P", bound=TicketForPlayer)
T = TypeVar("T", bound=Ticket)
S = TypeVar("S", bound=TicketForSeat)
F = TypeVar("F", bound=Form)
View: TypeAlias = Callable[..., HttpResponse]

visitor: ContextVar[Player | None] = ContextVar("visitor", default=None)  # the player this page is for, if known

shows_and_acts = require_http_methods(["GET", "HEAD", "POST"])


@contextmanager
def in_language_of(player: Player | None) -> Iterator[None]:
    """Switch to the player's language and time zone."""
    if player is None:
        yield
        return
    known = visitor.set(player)
    try:
        # Before a player has settled their time zone, pages use the browser's.
        zone = timezone.get_current_timezone() if player.is_zone_open else player.tz
        with translation.override(player.language), timezone.override(zone):
            yield
    finally:
        visitor.reset(known)


def render_page(request: HttpRequest, name: str, *, status: int = 200, **context: Any) -> HttpResponse:
    values = {"demo": settings.DEMO, "visitor": visitor.get(), **context, **translations.functions()}
    values["whereabouts"] = find_whereabouts_url(visitor.get())
    response = render(request, f"pages/{name}.html", values, status=status, using="jinja2")
    # LocaleMiddleware would name the browser's language, though the page is in the player's.
    response.headers["Content-Language"] = translation.get_language() or settings.LANGUAGE_CODE
    return response


def find_whereabouts_url(player: Player | None) -> str:
    """Return the footer's link to change language and time zone, of this browser or of the page's player."""
    if player is None or player.guest:
        return reverse("whereabouts")
    return reverse("whereabouts-of", args=[sign(WhereaboutsTicket(player.pk, player.sessions))])


# ── forms ──


def bind_form(form: type[F], request: HttpRequest, **options: Any) -> F:
    """Return the submitted form, or an empty one."""
    return form(request.POST if request.method == "POST" else None, **options)


def is_submitted(request: HttpRequest, form: Form) -> bool:
    """Whether the form was submitted and is valid so far."""
    return request.method == "POST" and form.is_valid()


@contextmanager
def show_refusals_on(form: Form) -> Iterator[None]:
    """Show a ValidationError on the form, which keeps everything typed."""
    try:
        yield
    except ValidationError as refusal:
        form.add_error(None, refusal)


def choose_status(*forms: Form) -> int:
    if any(form.has_error(NON_FIELD_ERRORS, TOO_MANY) for form in forms):
        return 429
    return 400 if any(form.errors for form in forms) else 200


# ── tickets ──


def render_bad_ticket(request: HttpRequest, kind: type[Ticket], why: BadTicket) -> HttpResponse:
    """Answer a link of ours that is too old, so that pressing it again would not help; or any other that is no good."""
    if isinstance(why, ExpiredTicket):
        return render_page(request, "lapsed", status=404, signs_in=kind is SignInTicket)
    return render_unreadable(request)


def render_unreadable(request: HttpRequest) -> HttpResponse:
    """Answer a link that is not ours, or was damaged in transit."""
    return render_page(request, "notice", status=404, notice=UNREADABLE)


def render_erased(request: HttpRequest) -> HttpResponse:
    """Answer a link of a player whose data was erased: nothing can be promised to them or done in their name."""
    return render_page(request, "notice", status=410, notice=FORGOTTEN)


def render_not_yours(request: HttpRequest, match: Match) -> HttpResponse:
    """Answer a link whose seat was renewed, declined or taken over by somebody else."""
    return render_page(request, "not_yours", status=410, match=match)


def read_ticket(request: HttpRequest) -> str:
    """Return the ticket of this request unchanged: signing it anew would extend its life."""
    assert request.resolver_match is not None
    return str(request.resolver_match.kwargs["ticket"])


def requires_ticket(kind: type[T]) -> Callable[[View], View]:
    """Decorate a view that takes one kind of ticket."""

    def decorate(view: View) -> View:
        @shows_and_acts
        @wraps(view)
        def enter(request: HttpRequest, ticket: str) -> HttpResponse:
            try:
                good = redeem(kind, ticket)
            except BadTicket as why:
                return render_bad_ticket(request, kind, why)
            return view(request, good)

        return enter

    return decorate


def requires_seat_ticket(kind: type[S]) -> Callable[[View], View]:
    """Decorate a view for tickets that name a seat. The view gets the ticket, the match and the place."""

    def decorate(view: View) -> View:
        return requires_ticket(kind)(wraps(view)(partial(open_seat, view=view)))

    return decorate


def open_seat(request: HttpRequest, ticket: TicketForSeat, view: View) -> HttpResponse:
    """Call a view with the match and the place of a ticket, if its holder still has the seat, in their language."""
    # The pages of a seat's ticket show no table: they need no more rows than the seat's.
    try:
        if isinstance(ticket, SeatTicket):
            place = load.find_place(ticket.match, ticket.seat, ticket.occupant)
        else:
            place = load.load_match(ticket.match).places[ticket.seat]
        if place is None or place.occupant != ticket.occupant:
            return render_not_yours(request, Match.objects.get(pk=ticket.match))
    except Match.DoesNotExist:
        return render_unreadable(request)
    # A player who resigned a running match neither plays nor sees cards until it ends.
    is_out = place.resigned_at is not None and place.match.phase == Match.Phase.RUNNING
    with in_language_of(place.player):
        if is_out and not isinstance(ticket, SeatTicket):
            return render_page(request, "resigned", status=410, match=place.match)
        is_new = place.player is not None and place.player.confirmed_at is None
        response = view(request, ticket, place.match, place)
        if place.player and is_new:
            confirm_address_if_pressed(request, place.player, response)
        return response


def requires_player_ticket(kind: type[P], *, confirms: bool = True) -> Callable[[View], View]:
    """Decorate a view for tickets that name a player. The view gets the ticket and the player.

    `confirms`: the link is sent to the player's own address, so pressing it confirms that address.
    """

    def decorate(view: View) -> View:
        @shows_and_acts
        @wraps(view)
        def enter(request: HttpRequest, ticket: str) -> HttpResponse:
            try:
                good = redeem(kind, ticket)
            except BadTicket as why:
                return render_bad_ticket(request, kind, why)
            player = Player.objects.filter(pk=good.player).first()
            if player is None:
                return render_unreadable(request)
            if player.is_forgotten:
                return render_erased(request)
            with in_language_of(player):
                is_new = player.confirmed_at is None
                response = view(request, good, player)
                if confirms and is_new:
                    confirm_address_if_pressed(request, player, response)
                return response

        return enter

    return decorate


def requires_visit_ticket(kind: type[TicketForSession], *, confirms: bool = True) -> Callable[[View], View]:
    """Like `requires_player_ticket`, but void once the player has signed out everywhere since the ticket was signed."""

    def decorate(view: View) -> View:
        @wraps(view)
        def enter(request: HttpRequest, ticket: TicketForSession, player: Player) -> HttpResponse:
            if ticket.session != player.sessions:
                return render_page(request, "settings_void", status=410)
            return view(request, ticket, player)

        return requires_player_ticket(kind, confirms=confirms)(enter)

    return decorate


def confirm_address_if_pressed(request: HttpRequest, player: Player, response: HttpResponse) -> None:
    """Confirm a player's address once they press a button behind a link that we sent there.

    Opening the page is not enough, since mail scanners do that; nor is a mail program's one click (RFC 8058).
    """
    is_pressed = request.method == "POST" and "List-Unsubscribe" not in request.POST
    if is_pressed and response.status_code < HTTPStatus.BAD_REQUEST:
        unconfirmed.confirm_player(player, now=clock.now())
