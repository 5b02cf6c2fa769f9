"""Names of the players at one table. Players with similar names get the letter of their seat: “Ann (B)”.

The name is stored with the seat, so letters, notes, votes and pages all show the same. It is settled before the match
begins, since the match's card holds it; later it changes only where somebody else takes over a seat.
"""

from __future__ import annotations

from collections.abc import Sequence

from beanpost.play.models import Match, Place
from beanpost.players.models import Player
from beanpost.players.names import are_alike
from games.contract.seats import Seat, seat_label

LONGEST = 40  # characters of a seat's name


def choose_name(match: Match, player: Player) -> str:
    """Return a player's name at a table: at a league's tables, as they want it on public pages."""
    return player.public_name if match.placed else player.name


def make_names_distinct(match: Match) -> None:
    """Make the names at a table that has not begun distinct. The caller holds the match's lock."""
    places = list(match.places.all())
    names = [strip_seat_letter(place) for place in places]
    for place, name in zip(places, names, strict=True):
        others = [other for seated, other in zip(places, names, strict=True) if seated is not place]
        if (distinct := make_distinct(name, place.seat, others)) != place.name:
            Place.objects.filter(pk=place.pk).update(name=distinct)


def strip_seat_letter(place: Place) -> str:
    return place.name.removesuffix(f" ({seat_label(place.seat)})")


def make_distinct(name: str, seat: Seat, others: Sequence[str]) -> str:
    """Return a name with the letter of its seat if it is like another name at the table, otherwise unchanged."""
    return add_letter(name, seat_label(seat)) if any(are_alike(name, other) for other in others) else name


def name_newcomer(match: Match, seat: Seat, name: str) -> str:
    """Return the name of a player who takes over a seat: unlike the name of anybody who sits or sat at the table."""
    taken = [*match.places.exclude(seat=seat).values_list("name", flat=True)]
    taken += match.departures.values_list("name", flat=True)
    letter = seat_label(seat)
    choices = [name, *(add_letter(name, mark) for mark in (letter, *(f"{letter}{n}" for n in range(2, 10))))]
    return next((one for one in choices if not any(are_alike(one, other) for other in taken)), choices[-1])


def add_letter(name: str, letter: str) -> str:
    end = f" ({letter})"
    return name[: LONGEST - len(end)].rstrip() + end
