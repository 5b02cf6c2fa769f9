"""Print the table of every kind of ticket: who holds it, what it shows, and what ends it.

    python -m tools.tickets

`tests/pages/test_ticket_table.py` tries each kind after each ending.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from datetime import timedelta
from enum import StrEnum
from typing import Any

import django

HEAD = """# Links

For developers and hosts. Every link in our letters holds a signed ticket. `tests/pages/test_ticket_table.py`
tries each kind after each ending: the page acts, or it answers 410.

Every ticket ends when a seat’s links are renewed, all links are cancelled, the address changes or the player’s data is
deleted, unless the last column says otherwise. A seat's tickets outlive the renewal of another seat's links, and once
the match is over they show its result. Addresses that take replies are bound to a seat like a move. The address in
`List-Unsubscribe` is not, because mail programs must be able to use it: it stops a kind of letter, and nothing else.

| ticket | holder | shows | does | lasts | ends |
|---|---|---|---|---|---|
"""


class Ending(StrEnum):
    """What can end a ticket. After it, the ticket's page answers 410."""

    RENEWED = "a seat’s links are renewed"
    CANCELLED = "all links are cancelled"
    MOVED = "the address changes"
    REPLACED = "another player has the seat"
    ERASED = "the player’s data is deleted"
    REFUSED = "the player refuses letters"
    OVER = "the match is over"


OWN = frozenset({Ending.RENEWED, Ending.CANCELLED, Ending.MOVED, Ending.ERASED})  # of a player
SEAT = OWN | {Ending.REPLACED}
LASTING = frozenset({Ending.ERASED})  # it writes to the player's own address alone, or protects it
TABLE = {  # by purpose: who holds it, what it shows, what ends it
    "address": ("the new address", "the new address", OWN),
    "browser": ("the browser that pressed", "the hand", SEAT),
    "contact": ("the player", "the league", OWN),
    "entry": ("the player", "the season", OWN),
    "erase": ("the player", "nothing", OWN),
    "feed": ("the player’s calendar", "deadlines, no cards", OWN),
    "fewer": ("the player", "nothing", OWN),
    "join": ("the player", "the table; the first hand once the match has begun", OWN),
    "keeper": ("the player", "the league", OWN),
    "later address": ("the new address", "the new address", OWN),
    "move": ("the player", "the hand, while the question is open", SEAT),
    "never": ("the player", "nothing", OWN),
    "open": ("the player", "the plan; the first hand once the match has begun", OWN),
    "order": ("the player", "the hand, until the seat plays again", SEAT),
    "plan": ("the player", "the hand, while the question is open", SEAT),
    "played": ("the browser that pressed", "the hand, until the seat is asked anew or plays again", SEAT),
    "player": ("the player", "nothing", LASTING),
    "seat": ("the player", "what bystanders see, and the table’s notes", SEAT),
    "settings": ("the player", "name, address, calendar feed", OWN),
    "sign in": ("the player", "the name", OWN),
    "silence": ("the player", "nothing", OWN),
    "stop address": ("the old address", "the new address", OWN),
    "takeover": ("the player", "what bystanders see", OWN),
    "undo": ("the player", "what bystanders see", SEAT),
    "undo silence": ("the player", "nothing", OWN),
    "veto": ("the player", "nothing", OWN),
    "way back": ("the old address", "the old address", LASTING),
    "whereabouts": ("the player", "nothing", OWN),
    "wishes": ("the player", "letter preferences", OWN),
}


def find_kinds() -> list[Any]:
    """Return every kind of ticket, those of leagues too."""
    from beanpost.leagues.mail import contacts, letters  # noqa: F401, PLC0415
    from beanpost.play.tickets import Ticket  # noqa: PLC0415

    return sorted(walk(Ticket), key=lambda kind: kind.purpose)


def walk(kind: Any) -> Iterator[Any]:
    for child in kind.__subclasses__():
        if "purpose" in vars(child):
            yield child
        yield from walk(child)


def write_lifetime(span: timedelta) -> str:
    if span >= timedelta(days=36_500):
        return "for good"
    return f"{span.days} days" if span.days else f"{span.seconds // 60} minutes"


def describe_endings(endings: frozenset[Ending]) -> str:
    """Return what differs from the endings of most tickets, which the page says once."""
    also = "; ".join(f"also when {ending}" for ending in Ending if ending in endings - OWN)
    return also if endings >= OWN else f"only when {'; '.join(endings)}"


def render() -> str:
    rows = []
    for kind in find_kinds():
        holder, shows, endings = TABLE[kind.purpose]
        does = " ".join(str(kind.__doc__).split("\n\n")[0].split())
        cells = (kind.purpose, holder, shows, does, write_lifetime(kind.lasts), describe_endings(endings))
        rows.append(f"| {' | '.join(cells)} |\n")
    return HEAD + "".join(rows)


if __name__ == "__main__":
    os.environ.setdefault("SECRET_KEY", "x")
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "beanpost.settings")
    django.setup()
    print(render(), end="")
