"""Tickets for a player, at any table or none."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta

from beanpost.play.tickets.signatures import Ticket


@dataclass(frozen=True)
class TicketForPlayer(Ticket):
    player: int


@dataclass(frozen=True)
class TicketForSession(TicketForPlayer):
    """A ticket that signing out everywhere voids: players do that after forwarding a letter by mistake."""

    session: int


@dataclass(frozen=True)
class PlayerTicket(TicketForPlayer):
    """Requests a letter. Shows nothing, so it may be old. In older letters it is also the "never again" link."""

    purpose = "player"


@dataclass(frozen=True)
class SettingsTicket(TicketForSession):
    """Changes name, language, time zone or address. Sent only on request, and short-lived."""

    purpose = "settings"
    lasts = timedelta(hours=1)


@dataclass(frozen=True)
class EraseTicket(TicketForSession):
    """Erases the player's data. Sent only on request, and short-lived."""

    purpose = "erase"
    lasts = timedelta(hours=1)


@dataclass(frozen=True)
class LetterSettingsTicket(TicketForSession):
    """Changes letter preferences. In every letter."""

    purpose = "wishes"


@dataclass(frozen=True)
class WhereaboutsTicket(TicketForSession):
    """Changes language and time zone, nothing else. On pages that know the player, for a day."""

    purpose = "whereabouts"
    lasts = timedelta(days=1)


@dataclass(frozen=True)
class FewerTicket(TicketForPlayer):
    """Unsubscribes from one kind of letter, with one click. Shows nothing, so it may be old."""

    purpose = "fewer"
    kind: str


@dataclass(frozen=True)
class FeedTicket(TicketForPlayer):
    """Opens the calendar feed of deadlines, which calendars fetch for years. Shows no cards, and cannot move."""

    purpose = "feed"
    lasts = timedelta(days=36_500)
    feed: int


@dataclass(frozen=True)
class SignInTicket(TicketForPlayer):
    """Signs in once: a sign-in voids every link that was sent before it."""

    purpose = "sign in"
    lasts = timedelta(minutes=20)
    visit: int  # `Player.visits` when it was issued


@dataclass(frozen=True)
class AddressTicket(TicketForPlayer):
    """Confirms a new address, sent to that address; or returns to the old one, sent to the old one."""

    purpose = "address"
    lasts = timedelta(days=2)
    old: str
    new: str
    session: int | None = None  # void once it has ended; None to return to the old one, which a thief must not void


@dataclass(frozen=True)
class LaterAddressTicket(TicketForSession):
    """Confirms a new address, sent to that address, if letters to the old one bounce. The change then waits."""

    purpose = "later address"
    lasts = timedelta(days=2)
    old: str
    new: str


@dataclass(frozen=True)
class StopAddressTicket(TicketForPlayer):
    """Stops a pending change of address. Sent to the old address only."""

    purpose = "stop address"
    change: int


@dataclass(frozen=True)
class NeverTicket(TicketForSession):
    """Asks us never to write again. In every letter; players in a match must confirm it by another letter."""

    purpose = "never"


@dataclass(frozen=True)
class SilenceTicket(TicketForSession):
    """Confirms that we never write again, or undoes it. Sent to the player's own address only."""

    purpose = "silence"


@dataclass(frozen=True)
class UndoSilenceTicket(TicketForPlayer):
    """Undoes it, on the page where the player has just asked for it. It cannot silence anybody."""

    purpose = "undo silence"
    lasts = timedelta(hours=1)


@dataclass(frozen=True)
class OpenTicket(TicketForPlayer):
    """Opens a match as planned. The ticket holds the whole plan: nothing is stored until the link is pressed."""

    purpose = "open"
    lasts = timedelta(days=14)
    game: str
    variant: str
    seats: int
    pace: str
    open_to_all: bool
    bots: int
    addresses: tuple[str, ...]
    number: str  # the match's code: tells equal plans apart, and lets a second press find the match of the first
    listed: bool = True  # on the front page, if anybody may join; otherwise free seats are for people with the link


@dataclass(frozen=True)
class JoinTicket(TicketForPlayer):
    """Joins an open table."""

    purpose = "join"
    lasts = timedelta(days=14)
    match: int


@dataclass(frozen=True)
class TakeoverTicket(TicketForPlayer):
    """Takes over the seat of an absent player, as the table has decided."""

    purpose = "takeover"
    lasts = timedelta(days=14)
    proposal: int
