"""What every door does first: read the ticket, find who it names, speak the visitor's language.

A view gets a ticket that is good and a seat that is still the bearer's; everybody else gets a page that says
what is the matter and what can be done.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from functools import wraps
from http import HTTPStatus
from typing import Any, TypeAlias, TypeVar

from django.conf import settings
from django.core.exceptions import NON_FIELD_ERRORS, ValidationError
from django.forms import Form
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone, translation
from django.views.decorators.http import require_http_methods

from beanpost import translations
from beanpost.play import clock, history
from beanpost.play.models import Match, Place
from beanpost.play.tickets import BadTicket, Lapsed, OfPlayer, OfSeat, OfVisit, SeatTicket, SignInTicket, Ticket, redeem
from beanpost.players import book
from beanpost.players.models import Player
from beanpost.post import unconfirmed

TOO_MANY = "too_many"  # the code of a refusal to somebody who asks too often
T = TypeVar("T", bound=Ticket)
P = TypeVar("P", bound=OfPlayer)
F = TypeVar("F", bound=Form)
View: TypeAlias = Callable[..., HttpResponse]

visitor: ContextVar[Player | None] = ContextVar("visitor", default=None)  # whom this page is for, if we know

shows_and_acts = require_http_methods(["GET", "HEAD", "POST"])


@contextmanager
def speaking_to(player: Player | None) -> Iterator[None]:
    """In the player's language, with the hours of the player's zone."""
    if player is None:
        yield
        return
    known = visitor.set(player)
    try:
        with translation.override(player.language), timezone.override(player.tz):
            yield
    finally:
        visitor.reset(known)


def page(request: HttpRequest, name: str, *, status: int = 200, **context: Any) -> HttpResponse:
    said = {"demo": settings.DEMO, "visitor": visitor.get(), **context, **translations.functions()}
    response = render(request, f"pages/{name}.html", said, status=status, using="jinja2")
    # The middleware would name the browser's language, though the page speaks the player's.
    response.headers["Content-Language"] = translation.get_language() or settings.LANGUAGE_CODE
    return response


# ── forms ──


def filled(form: type[F], request: HttpRequest, **options: Any) -> F:
    """The form as it was sent, or an empty one."""
    return form(request.POST if request.method == "POST" else None, **options)


def is_sent(request: HttpRequest, form: Form) -> bool:
    """Whether the form came in, and nothing is wrong with it so far."""
    return request.method == "POST" and form.is_valid()


@contextmanager
def refusals_beside(form: Form) -> Iterator[None]:
    """What a verb refuses is said on the form, which is shown again with all that was typed."""
    try:
        yield
    except ValidationError as refusal:
        form.add_error(None, refusal)


def status_of(*forms: Form) -> int:
    if any(form.has_error(NON_FIELD_ERRORS, TOO_MANY) for form in forms):
        return 429
    return 400 if any(form.errors for form in forms) else 200


# ── tickets ──


def unreadable(request: HttpRequest) -> HttpResponse:
    """The link is no link of ours, or was torn on its way."""
    return page(request, "unreadable", status=404)


def lapsed(request: HttpRequest, kind: type[Ticket]) -> HttpResponse:
    """The link is ours, and too old: to press it again would not help."""
    return page(request, "lapsed", status=404, signs_in=kind is SignInTicket)


def forgotten(request: HttpRequest) -> HttpResponse:
    """Whose link it was is not known any more: nothing can be promised to them, nor done in their name."""
    return page(request, "forgotten", status=410)


def own_ticket(request: HttpRequest) -> str:
    """The ticket somebody came with, as it was: signed anew it would last longer."""
    assert request.resolver_match is not None
    return str(request.resolver_match.kwargs["ticket"])


def is_ticket(kind: type[Ticket], text: str) -> bool:
    """Whether a link is of this kind, too old or not, for a door that opens for two."""
    try:
        redeem(kind, text)
    except Lapsed:
        return True
    except BadTicket:
        return False
    return True


def for_ticket(kind: type[T]) -> Callable[[View], View]:
    """A door that opens for one kind of ticket."""

    def door(view: View) -> View:
        @shows_and_acts
        @wraps(view)
        def enter(request: HttpRequest, ticket: str) -> HttpResponse:
            try:
                good = redeem(kind, ticket)
            except Lapsed:
                return lapsed(request, kind)
            except BadTicket:
                return unreadable(request)
            return view(request, good)

        return enter

    return door


def answered(request: HttpRequest, player: Player | None, respond: Callable[[], HttpResponse]) -> HttpResponse:
    """Confirm a player's address when they have pressed a button behind a link that we sent there.

    Opening the page is not enough, since mail scanners do; nor is the click of a mail program (RFC 8058).
    """
    is_new = player is not None and player.confirmed_at is None
    response = respond()
    is_pressed = request.method == "POST" and "List-Unsubscribe" not in request.POST
    if player and is_new and is_pressed and response.status_code < HTTPStatus.BAD_REQUEST:
        unconfirmed.confirm(player, now=clock.now())
    return response


def for_player(kind: type[P], *, confirms: bool = True) -> Callable[[View], View]:
    """A door for a ticket that names a player: the view gets the ticket and the player.

    `confirms`: the link is sent to the player's own address, and pressing it is an answer from there.
    """

    def door(view: View) -> View:
        @wraps(view)
        def enter(request: HttpRequest, ticket: P) -> HttpResponse:
            player = Player.objects.filter(pk=ticket.player).first()
            if player is None:
                return unreadable(request)
            if book.is_forgotten(player):
                return forgotten(request)
            with speaking_to(player):
                if confirms:
                    return answered(request, player, lambda: view(request, ticket, player))
                return view(request, ticket, player)

        return for_ticket(kind)(enter)

    return door


def for_visit(kind: type[OfVisit], *, confirms: bool = True) -> Callable[[View], View]:
    """The same, unless the player has signed out everywhere since the ticket was written."""

    def door(view: View) -> View:
        @wraps(view)
        def enter(request: HttpRequest, ticket: OfVisit, player: Player) -> HttpResponse:
            if ticket.session != player.sessions:
                return page(request, "wishes_void", status=410)
            return view(request, ticket, player)

        return for_player(kind, confirms=confirms)(enter)

    return door


def for_seat(kind: type[OfSeat]) -> Callable[[View], View]:
    """A door for a ticket that names a seat: the view gets the ticket, the match and the place."""

    def door(view: View) -> View:
        @wraps(view)
        def enter(request: HttpRequest, ticket: OfSeat) -> HttpResponse:
            place = history.place(ticket.match, ticket.seat, ticket.occupant)
            if place is None:
                match = Match.objects.filter(pk=ticket.match).first()
                return not_yours(request, match) if match else unreadable(request)
            with speaking_to(place.player):
                if kind is not SeatTicket and has_left(place):
                    return page(request, "given_up", status=410, match=place.match)
                return answered(request, place.player, lambda: view(request, ticket, place.match, place))

        return for_ticket(kind)(enter)

    return door


def has_left(place: Place) -> bool:
    """Who has given up neither plays nor looks at cards while the others do."""
    return place.resigned_at is not None and place.match.phase == Match.Phase.RUNNING


def not_yours(request: HttpRequest, match: Match) -> HttpResponse:
    """The links of the seat were renewed, or it was declined, or somebody else sits there now."""
    return page(request, "not_yours", status=410, match=match)
