"""Giving and withdrawing standing orders. They take effect at once, and only their owner ever reads them."""

from __future__ import annotations

from datetime import datetime

from django.core.exceptions import ValidationError
from django.db import transaction
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop
from django.views.decorators.debug import sensitive_variables

import games
from beanpost.play import history, moves
from beanpost.play.errors import NotRunning
from beanpost.play.models import Match, Order, Place, Vault
from games.notation import read

MOST = 12  # orders of one seat at a time
WITHDRAWN = gettext_noop("you took it back")


@transaction.atomic
@sensitive_variables("line", "order", "vault", "table")
def give(place: Place, line: str, *, now: datetime) -> Order:
    """Note an order and follow it at once where it has an answer. A line that is no order is a RulesError."""
    match = moves.lock(place.match_id)
    if match.phase != Match.Phase.RUNNING:
        raise NotRunning(match)
    vocabulary = games.get(match.game).orders
    if not vocabulary:
        raise ValidationError(_("There are no standing orders in this game."))
    order = str(read(line, vocabulary))
    standing = Order.objects.filter(match=match, seat=place.seat, lapsed_at=None)
    if given := standing.filter(line=order).first():
        return given
    if standing.count() >= MOST:
        raise ValidationError(_("You can have %(most)d orders at a time. Take one back first.") % {"most": MOST})
    given = Order.objects.create(match=match, seat=place.seat, line=order, given_at=now)
    vault = Vault.objects.get(match=match)
    moves.go_on(match, vault, history.table(match, vault), [], mover=place.seat, now=now)
    given.refresh_from_db()
    return given


def withdraw(place: Place, order_id: int, *, now: datetime) -> bool:
    own = Order.objects.filter(pk=order_id, match=place.match_id, seat=place.seat, lapsed_at=None)
    return bool(own.update(lapsed_at=now, reason=WITHDRAWN))
