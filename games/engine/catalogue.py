"""The catalogue of games, and how to open a table."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from games.bohnanza import BOHNANZA
from games.contract.errors import RulesError
from games.contract.game import Game
from games.contract.seats import Seat
from games.engine import table
from games.engine.table import Table
from games.fagioli import FAGIOLI
from games.haricot_magique import HARICOT_MAGIQUE
from games.haricots import HARICOTS
from games.pas_de_haricots import PAS_DE_HARICOTS

GAMES: dict[str, Game[Any, Any]] = {
    game.slug: game for game in (HARICOTS, BOHNANZA, PAS_DE_HARICOTS, FAGIOLI, HARICOT_MAGIQUE)
}


def get(slug: str, edition: int | None = None) -> Game[Any, Any]:
    """Return the game with this slug: its newest edition, or the given one."""
    if slug not in GAMES:
        raise RulesError(
            "There is no game called “{slug}”. The shelf has: {games}.", slug=slug, games=" · ".join(GAMES)
        )
    newest = GAMES[slug]
    if edition is None or edition == newest.edition:
        return newest
    return older(newest, edition)


def older(newest: Game[Any, Any], edition: int) -> Game[Any, Any]:
    for rules in newest.older:
        if rules.edition == edition:
            return rules
    raise RulesError("This shelf does not have edition {edition} of {title}.", edition=edition, title=newest.title)


def open(slug: str, *, seats: int, variant: str | None = None, edition: int | None = None) -> Table[Any, Any]:
    """Return a new table. Without a variant it plays the game's first one; without an edition, the newest."""
    rules = get(slug, edition)
    if seats not in rules.seats:
        first, last = rules.seats[0], rules.seats[-1]
        raise RulesError(
            "{title} is for {first} to {last} players, not {seats}.",
            title=rules.title, first=first, last=last, seats=seats,
        )  # fmt: skip
    variant = rules.variants[0] if variant is None else variant
    if variant not in rules.variants:
        raise RulesError(
            "{title} has no variant “{variant}”. It has: {variants}.",
            title=rules.title, variant=variant, variants=" · ".join(rules.variants),
        )  # fmt: skip
    return Table(rules, seats, variant, rules.setup(seats, variant))


def replay(
    slug: str, seats: int, variant: str | None, entries: Sequence[tuple[Seat, str]], *, edition: int | None = None
) -> Table[Any, Any]:
    """Return the table after a whole log: the same as saying its lines one by one."""
    return table.replay(open(slug, seats=seats, variant=variant, edition=edition), entries)
