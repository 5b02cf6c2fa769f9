"""How fast the rules are: random games with all their menus, and replays of accepted logs."""

import time
from collections.abc import Callable, Sequence
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
        logs, played = timed(lambda slug=slug, seats=seats: [random_game(slug, seats, seed) for seed in range(GAMES)])
        lines = sum(map(len, logs))
        figure(f"{rules.title}: random play with menus", lines / played, "moves/s", at_least=15_000)
        _, replayed = timed(lambda slug=slug, seats=seats, logs=logs: [replay(slug, seats, log) for log in logs])
        figure(f"{rules.title}: trusted replay", lines / replayed, "lines/s", at_least=60_000)


def random_game(slug: str, seats: int, seed: int) -> Sequence[Entry]:
    table = games.open(slug, seats=seats)
    dealer = games.Seeded(f"bench {seed}".encode())
    return play_on(table, dealer, [careless(seed * seats + seat) for seat in range(seats)]).entries


def replay(slug: str, seats: int, log: Sequence[Entry]) -> object:
    return games.replay(slug, seats, None, log)


def timed(work: Callable[[], T]) -> tuple[T, float]:
    began = time.perf_counter()
    done = work()
    return done, time.perf_counter() - began


if __name__ == "__main__":
    main()
