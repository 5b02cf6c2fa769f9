"""Tickets for a player, at any table or none. Each docstring begins with what the ticket does."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta

from beanpost.play.tickets.signatures import Ticket


@dataclass(frozen=True)
class TicketForPlayer(Ticket):
    player: int


@dataclass(frozen=True)
class TicketForSession(TicketForPlayer):
    """A ticket that cancelling links voids: players do that after forwarding a letter by mistake."""

    session: int  # `Player.sessions` when it was signed


@dataclass(frozen=True)
class PlayerTicket(TicketForPlayer):
    """Requests a letter to the player's own address, so it may be old."""

    purpose = "player"


@dataclass(frozen=True)
class SettingsTicket(TicketForSession):
    """Changes name, language, time zone or address. Sent only on request."""

    purpose = "settings"
    lasts = timedelta(hours=1)


@dataclass(frozen=True)
class EraseTicket(TicketForSession):
    """Deletes the player's data. Sent only on request."""

    purpose = "erase"
    lasts = timedelta(hours=1)


@dataclass(frozen=True)
class LetterSettingsTicket(TicketForSession):
    """Changes letter preferences, and cancels all links. In every letter."""

    purpose = "wishes"


@dataclass(frozen=True)
class WhereaboutsTicket(TicketForSession):
    """Changes language and time zone. On pages that know the player."""

    purpose = "whereabouts"
    lasts = timedelta(days=1)


@dataclass(frozen=True)
class FewerTicket(TicketForSession):
    """Unsubscribes from one kind of letter, with one click."""

    purpose = "fewer"
    kind: str


@dataclass(frozen=True)
class FeedTicket(TicketForPlayer):
    """Opens the calendar feed of deadlines, which calendars fetch for years. A player can also renew it alone."""

    purpose = "feed"
    lasts = timedelta(days=36_500)
    feed: int  # `Player.feed` when it was signed


@dataclass(frozen=True)
class SignInTicket(TicketForPlayer):
    """Signs in once: a sign-in voids every such link that was sent before it."""

    purpose = "sign in"
    lasts = timedelta(minutes=20)
    visit: int  # `Player.visits` when it was issued


@dataclass(frozen=True)
class AddressTicket(TicketForSession):
    """Changes the address. Sent to the new one only."""

    purpose = "address"
    lasts = timedelta(days=2)
    old: str
    new: str


@dataclass(frozen=True)
class WayBackTicket(TicketForPlayer):
    """Undoes a change of address. Sent to the old one only; a thief at the new one must not be able to void it."""

    purpose = "way back"
    lasts = timedelta(days=2)
    old: str
    new: str


@dataclass(frozen=True)
class LaterAddressTicket(TicketForSession):
    """Changes the address two days later, if letters to the old one bounce. Sent to the new one only."""

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
class UndoSilenceTicket(TicketForSession):
    """Lets us write again, on the page where the player has just refused letters."""

    purpose = "undo silence"
    lasts = timedelta(hours=1)


@dataclass(frozen=True)
class OpenTicket(TicketForSession):
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
class JoinTicket(TicketForSession):
    """Joins an open table."""

    purpose = "join"
    lasts = timedelta(days=14)
    match: int


@dataclass(frozen=True)
class TakeoverTicket(TicketForSession):
    """Takes over the seat of an absent player, as the table has decided."""

    purpose = "takeover"
    lasts = timedelta(days=14)
    proposal: int


@dataclass(frozen=True)
class VetoTicket(TicketForSession):
    """Keeps the player's own seat, which one vote alone would give away."""

    purpose = "veto"
    lasts = timedelta(days=14)
    proposal: int
