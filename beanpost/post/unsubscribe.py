"""Unsubscribe by one click: it stops one kind of letter, and never gives up a seat.

a letter from a table            no more reminders of that match
the daily letter                 no daily letters, only a reminder when time is running out
a league's weekly letter         no weekly letters
a letter from an organiser       no letters from organisers
an acknowledgement of a reply    no acknowledgements
any other                        never write to this address again; players in a match or season confirm it by letter
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db.models import Q

from beanpost.play.models import Match, Place
from beanpost.play.tickets import FewerTicket, NeverTicket, sign
from beanpost.players import accounts
from beanpost.players.models import Player
from beanpost.post import kinds, preferences
from beanpost.post.models import Letter
from beanpost.post.outbox import queue


@dataclass(frozen=True)
class Way:
    """The page that unsubscribes, its ticket, and whether one click is enough."""

    page: str
    ticket: str
    at_once: bool = True


def find_page_name(letter: Letter) -> str:
    """Return the name of the page that unsubscribes from this letter; "" if its address is not the recipient's yet."""
    if "to" in letter.values:
        return ""
    kind = kinds.load()[letter.kind]
    if kind.stops_with:
        return "fewer"
    return "unsubscribe" if letter.match_id is not None and not kind.to_anybody else "never"


def find_way(letter: Letter, context: Mapping[str, Any]) -> Way | None:
    """Return how the reader of a letter unsubscribes from it."""
    match find_page_name(letter):
        case "fewer":
            return Way("fewer", sign(FewerTicket(letter.recipient_id, letter.recipient.sessions, letter.kind)))
        case "unsubscribe":
            return Way("unsubscribe", context["seat_ticket"]) if "seat_ticket" in context else None
        case "never":
            ticket = sign(NeverTicket(letter.recipient_id, letter.recipient.sessions))
            return Way("never", ticket, at_once=not is_committed(letter.recipient))
    return None


def unsubscribe_by_mail(letter: Letter, now: datetime) -> bool:
    """Unsubscribe the sender of an email to the letter's unsubscribe address. Return False if nothing was done."""
    match find_page_name(letter):
        case "fewer":
            preferences.stop_kind(letter.recipient, letter.kind, now=now)
            return True
        case "unsubscribe":
            place = find_seat(letter)
            if place:
                preferences.stop_reminding(place, now=now)
            return place is not None
        case "never":
            if letter.recipient.confirmed_at:  # the address proves no session: a forwarded letter has it too
                ask_by_letter(letter.recipient, now=now)
                return False
            return stop_all_letters(letter.recipient, now=now)
    return False


def find_seat(letter: Letter) -> Place | None:
    """Return the seat a letter was written to, unless it has changed hands or the letter was voided."""
    own = Place.objects.select_related("player").filter(match=letter.match_id, player=letter.recipient_id)
    return own.filter(occupant=letter.asked["occupant"]).first() if letter.asked else own.first()


# ── never again ──


def stop_all_letters(player: Player, *, now: datetime) -> bool:
    """Never write to a player again. If others wait for their moves, ask them by letter first and return False."""
    if is_committed(player):
        ask_by_letter(player, now=now)
        return False
    accounts.refuse_letters(player, now=now)
    return True


def ask_by_letter(player: Player, *, now: datetime) -> None:
    """Ask players at their own address whether they want no more letters: somebody else may have an old link.

    Ask at most once a day, since anybody with such a link can press it again.
    """
    queue.queue(player, "never", f"never/{now:%y%m%d}", now=now)


def is_committed(player: Player) -> bool:
    """Return whether others wait for this player, at a table or in a season."""
    return any(plays(player) for plays in COMMITTED)


def has_open_match(player: Player) -> bool:
    """Return whether the player sits at an open table, or keeps one."""
    open_matches = Match.objects.filter(phase__in=(Match.Phase.GATHERING, Match.Phase.RUNNING))
    seat = Q(places__player=player, places__confirmed_at__isnull=False)
    return open_matches.filter(seat | Q(keeper=player)).exists()


COMMITTED: list[Callable[[Player], bool]] = [has_open_match]  # packages above add theirs
