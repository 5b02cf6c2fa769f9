"""The kinds of letters. All letters of a match share a subject; the kind's title tells them apart.

Each family of kinds is a tuple `KINDS` beside the functions that build their contents. `settings.LETTER_FAMILIES` lists
the families, including those of packages above.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from importlib import import_module
from typing import TYPE_CHECKING, Any

from django.conf import settings

if TYPE_CHECKING:
    from django.utils.functional import _StrPromise

    from beanpost.players.models import Player

PLAYED = "played"  # acknowledges a move made by reply


@dataclass(frozen=True)
class Kind:
    """A kind of letter; its words are in templates/letters/<name>.html."""

    name: str
    title: _StrPromise
    contents: Callable[[Any], dict[str, Any] | None]  # of a Letter; None when nobody needs it any more
    asks: bool = False  # about one question
    answerable: bool = False  # prints a question and its moves
    about_all: bool = False  # about all tables of a player
    invites: bool = False  # to a table: it carries the commitment
    offers_daily: bool = False  # may offer one letter a day
    answers: bool = False  # says what became of a reply that made no move
    to_anybody: bool = False  # about a match, but its reader may have no seat there
    asked_for: bool = False  # requested on the spot: it goes even to players who want no letters, a few a day
    proves_mailbox: bool = False  # holds a link that only the mailbox's owner may have
    stops_with: Callable[[Player], dict[str, Any]] | None = None  # changes of preferences that stop this kind alone


@lru_cache(maxsize=1)
def load() -> dict[str, Kind]:
    """Return all kinds by name."""
    families = (import_module(family).KINDS for family in settings.LETTER_FAMILIES)
    return {kind.name: kind for family in families for kind in family}


def name_kind(kind: str) -> str:
    return str(load()[kind].title) if kind in load() else kind
