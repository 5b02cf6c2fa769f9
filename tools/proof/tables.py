"""Start matches of all games: python -m tools.proof.tables HOW-MANY [WHICH-FIRST]

Run it in the installation's environment. All players are people, and all letters are queued.
"""

import os
import sys

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "beanpost.settings")

import django

django.setup()

from beanpost.play import clock
from beanpost.play.models import Match
from beanpost.play.seats import league_tables
from beanpost.players import accounts, confirming
from beanpost.players.models import Player

KINDS = (
    ("haricots", "basic", 3),
    ("pas_de_haricots", "three", 3),
    ("haricots", "advanced", 4),
    ("fagioli", "standard", 3),
    ("haricots", "sprint", 3),
    ("haricot_magique", "base", 2),
    ("bohnanza", "standard", 3),
)


def open_table(nth: int) -> Match:
    game, variant, seats = KINDS[nth % len(KINDS)]
    people = [create_player(nth, seat) for seat in range(seats)]
    at = clock.now()
    match = league_tables.open_league_table(people[0], people, game=game, variant=variant, pace="daily", now=at)
    return league_tables.begin_anyway(match.pk, now=at)


def create_player(nth: int, seat: int) -> Player:
    """Create a player with a confirmed address: unconfirmed ones get only one letter a day."""
    at = clock.now()
    player = accounts.get_or_create_player(f"p{nth}-{seat}@players.example", name=f"Player {nth}-{seat}", now=at)
    confirming.confirm(player, now=at)
    return player


def main() -> None:
    count, first = int(sys.argv[1]), int((sys.argv[2:] or ["0"])[0])
    for nth in range(first, first + count):
        open_table(nth)
    print(f"{count} matches are ready.")


if __name__ == "__main__":
    main()
