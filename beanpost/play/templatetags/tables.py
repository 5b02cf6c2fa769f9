"""What the tables of all games need in their templates, in letters and on pages alike."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from django import template
from django.utils.html import format_html

from beanpost.play import clock, provisos
from beanpost.play.models import Order
from beanpost.play.pieces import Told
from beanpost.play.scene import Scene
from beanpost.play.telling import (
    as_sentence,
    day,
    in_figures,
    in_quotes,
    lasting,
    listed,
    moment,
    remaining,
    tempo,
    times,
    with_colon,
)
from beanpost.variants import variant
from games.chairs import called

register = template.Library()
for words in (as_sentence, day, in_figures, in_quotes, lasting, listed, moment, remaining, tempo, times, variant):
    register.filter(words)
register.filter(with_colon)


@register.filter
def counted_down(at: datetime) -> str:
    """An exact time, to which a script adds how long that still is."""
    return format_html('{}<time class="left" datetime="{}" data-left></time>', moment(at), at.isoformat())


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
def ordered(scene: Scene, line: str) -> str:
    """What an order says, in the reader's language."""
    return scene.ordered(line)


@register.filter
def why_lapsed(scene: Scene, order: Order) -> str:
    return scene.why_lapsed(order)


@register.filter
def absences(scene: Scene) -> list[str]:
    """Who is not there at the moment, a sentence each."""
    return provisos.absences(scene.away(clock.now()), scene.absentees, scene.reader)
