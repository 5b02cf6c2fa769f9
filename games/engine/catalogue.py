"""The catalogue of games, and how to open a table.

Our own games are listed here, so that a bare checkout needs no installed metadata. Other packages announce theirs by an
entry point of the group `beanpost.games`. Their code runs with the same rights as ours.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from importlib.metadata import EntryPoint, entry_points
from typing import Any

from games.bohnanza import BOHNANZA
from games.contract.errors import NotInstalled, RulesError
from games.contract.game import Game
from games.contract.phrases import Phrase
from games.contract.seats import Seat
from games.engine import table
from games.engine.table import Table
from games.fagioli import FAGIOLI
from games.haricot_magique import HARICOT_MAGIQUE
from games.haricots import HARICOTS
from games.pas_de_haricots import PAS_DE_HARICOTS

OUR_GAMES: tuple[Game[Any, Any], ...] = (HARICOTS, BOHNANZA, PAS_DE_HARICOTS, FAGIOLI, HARICOT_MAGIQUE)
ENTRY_POINT_GROUP = "beanpost.games"


def find_entry_points() -> list[EntryPoint]:
    """Return the entry points of games in other packages, by name: `race = "race_to_ten:GAME"`."""
    return sorted(entry_points(group=ENTRY_POINT_GROUP), key=lambda entry: entry.name)


def load_all() -> Iterator[Game[Any, Any]]:
    """Yield our games, then those of other packages."""
    yield from OUR_GAMES
    known = {game.slug for game in OUR_GAMES}
    for entry in find_entry_points():
        game = entry.load()
        if game.slug in known:
            raise RuntimeError(f"The package {entry.module} brings a game called {game.slug}, which we already have.")
        known.add(game.slug)
        yield game


GAMES: dict[str, Game[Any, Any]] = {game.slug: game for game in load_all()}
# The packages that hold the games' code, templates, static files and translations.
PACKAGES = tuple(
    dict.fromkeys([*(f"games.{game.slug}" for game in OUR_GAMES), *(entry.module for entry in find_entry_points())])
)


def get(slug: str, edition: int | None = None) -> Game[Any, Any]:
    """Return the game with this slug: its newest edition, or the given one."""
    if slug not in GAMES:
        raise NotInstalled("There’s no game called “{slug}”. We have: {games}.", slug=slug, games=" · ".join(GAMES))
    newest = GAMES[slug]
    if edition is None or edition == newest.edition:
        return newest
    return get_older_edition(newest, edition)


def get_older_edition(newest: Game[Any, Any], edition: int) -> Game[Any, Any]:
    for rules in newest.older:
        if rules.edition == edition:
            return rules
    raise NotInstalled("We don’t have edition {edition} of {title}.", edition=edition, title=newest.title)


def is_installed(slug: str, edition: int) -> bool:
    return (slug, edition) in list_installed()


def list_installed() -> set[tuple[str, int]]:
    """Return the slug and number of every edition that can be played."""
    return {(game.slug, card.edition) for game in GAMES.values() for card in (game, *game.older)}


def title(slug: str) -> str:
    """Return the title of a game, or its slug if it is not installed: lists go on showing its matches."""
    return GAMES[slug].title if slug in GAMES else slug


def variant_name(slug: str, variant: str) -> Phrase:
    return GAMES[slug].variant_name(variant) if slug in GAMES else Phrase(variant)


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
    return Table(rules, seats, variant, rules.play.setup(seats, variant))


def replay(
    slug: str, seats: int, variant: str | None, lines: Sequence[tuple[Seat, str]], *, edition: int | None = None
) -> Table[Any, Any]:
    """Return the table after a whole log: the same as saying its lines one by one."""
    return table.replay(open(slug, seats=seats, variant=variant, edition=edition), lines)
