"""What the tables of all games need in their templates, in letters and on pages alike."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta

from django import template
from django.template.defaultfilters import date
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from beanpost.play.models import Order
from beanpost.play.pieces import Told
from beanpost.play.scene import Scene
from games.chairs import called

register = template.Library()


@register.filter
def seat_name(names: Sequence[str], seat: int) -> str:
    """The name of whoever sits there."""
    return names[seat]


@register.filter
def seated_at(names: Sequence[str], seats: Sequence[int]) -> list[str]:
    """The names of several."""
    return [names[seat] for seat in seats]


@register.filter
def seat_letter(seat: int) -> str:
    return called(seat)


@register.filter
def lined_up(name: str, names: Sequence[str]) -> str:
    """A name with spaces after it, as wide as the widest of a column.

    >>> lined_up("Ann", ["Ann", "Cleo"])
    'Ann '
    """
    return name.ljust(max(map(len, names)))


@register.filter
def in_a_row(cards: Sequence[object], between: str = " ") -> str:
    """Cards side by side. Django's own `join` leaves numbers as they are where nothing is escaped: in plain text.

    >>> in_a_row((5, 5, 9)), in_a_row((2, 3), " + ")
    ('5 5 9', '2 + 3')
    """
    return between.join(map(str, cards))


@register.filter
def signed(points: int) -> str:
    """A score as it is written on a sheet.

    >>> signed(37), signed(-13), signed(0)
    ('+37', '−13', '0')
    """
    return f"{points:+d}".replace("-", "−") if points else "0"


@register.filter
def said_by(scene: Scene, order: Order) -> list[Told]:
    """What an order said, as its owner is told."""
    return [line for seq in order.answered if (line := scene.line(seq))]


@register.filter
def why_lapsed(scene: Scene, order: Order) -> str:
    return scene.why_lapsed(order)


@register.filter
def listed(names: Sequence[object]) -> str:
    """Names in a sentence: "Ann, Bob and Cleo"."""
    *others, last = map(str, names)
    if not others:
        return last
    return _("%(names)s and %(last)s") % {"names": ", ".join(others), "last": last}


@register.filter
def moment(at: datetime) -> str:
    """An exact time, in the reader's zone and with its name."""
    zone = timezone.get_current_timezone_name()
    told = date(timezone.localtime(at), _("l j F, H:i"))
    return _("%(time)s (%(zone)s)") % {"time": told, "zone": zone}


@register.filter
def lasting(span: timedelta) -> str:
    """How long something may take: "12 hours", "3 days"."""
    hours = round(span.total_seconds() / 3600)
    if hours >= 24 and hours % 24 == 0:
        days = hours // 24
        return ngettext("one day", "%(count)d days", days) % {"count": days}
    return ngettext("one hour", "%(count)d hours", hours) % {"count": hours}
