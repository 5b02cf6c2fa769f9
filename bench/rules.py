"""How fast the rules are: random games with all their menus, and replays of accepted logs."""

import time
from collections.abc import Callable, Sequence
from functools import partial
from typing import TypeVar

import games
from bench.figures import effort, figure
from games.bots import careless, play_on
from games.rules import Entry

T = TypeVar("T")
GAMES = effort(40)


def main() -> None:
    for slug, rules in games.GAMES.items():
        seats = min(4, rules.seats[-1])
        logs, played = timed(partial(random_games, slug, seats))
        lines = sum(map(len, logs))
        figure(f"{rules.title}: random play with menus", lines / played, "moves/s", at_least=15_000)
        _, replayed = timed(partial(replay_all, slug, seats, logs))
        figure(f"{rules.title}: trusted replay", lines / replayed, "lines/s", at_least=60_000)


def random_games(slug: str, seats: int) -> list[Sequence[Entry]]:
    return [random_game(slug, seats, seed) for seed in range(GAMES)]


def replay_all(slug: str, seats: int, logs: list[Sequence[Entry]]) -> None:
    for log in logs:
        games.replay(slug, seats, None, log)


def random_game(slug: str, seats: int, seed: int) -> Sequence[Entry]:
    table = games.open(slug, seats=seats)
    dealer = games.Seeded(f"bench {seed}".encode())
    return play_on(table, dealer, [careless(seed * seats + seat) for seat in range(seats)]).entries


def timed(work: Callable[[], T]) -> tuple[T, float]:
    began = time.perf_counter()
    done = work()
    return done, time.perf_counter() - began


if __name__ == "__main__":
    main()
