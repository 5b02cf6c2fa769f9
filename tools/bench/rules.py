"""Speed of the rules: random games with all their menus, and replays of accepted logs.

Rules wait for nothing, so this measures processor time, which leaves out most other load of the machine. The variants
take turns in several rounds; a figure is the median of a variant's rounds.
"""

import statistics
import time
from collections.abc import Callable, Sequence
from functools import partial
from typing import TypeVar

import games
from games.contract.asks import SaidLine
from games.engine.bots import play_to_end, random_player
from tools.bench.figures import print_figure

T = TypeVar("T")
ROUNDS = 5
LINES = 1_500  # per round, at least
KINDS = [(slug, variant) for slug, rules in games.GAMES.items() for variant in rules.variants]


def main() -> None:
    rounds = [[measure_game(*kind, nth) for kind in KINDS] for nth in range(ROUNDS)]
    for (slug, variant), measured in zip(KINDS, zip(*rounds, strict=True), strict=True):
        played, replayed = map(statistics.median, zip(*measured, strict=True))
        name = f"{games.get(slug).title}, {variant}"
        print_figure(f"{name}: random play with menus", played, "moves/s", at_least=15_000)
        print_figure(f"{name}: trusted replay", replayed, "lines/s", at_least=60_000)


def measure_game(slug: str, variant: str, nth: int) -> tuple[float, float]:
    """Return the lines per second of one round: in random play, and in replay."""
    seats = min(4, games.get(slug).seats[-1])
    logs, played = measure_seconds(partial(play_random_games, slug, seats, variant, nth))
    lines = sum(map(len, logs))
    _, replayed = measure_seconds(partial(replay_all, slug, seats, variant, logs))
    return lines / played, lines / replayed


def play_random_games(slug: str, seats: int, variant: str, nth: int) -> list[Sequence[SaidLine]]:
    """Play different games in every round until they have enough lines together."""
    logs: list[Sequence[SaidLine]] = []
    while sum(map(len, logs)) < LINES:
        logs.append(play_random_game(slug, seats, variant, nth + ROUNDS * len(logs)))
    return logs


def replay_all(slug: str, seats: int, variant: str, logs: list[Sequence[SaidLine]]) -> None:
    for log in logs:
        games.replay(slug, seats, variant, log)


def play_random_game(slug: str, seats: int, variant: str, seed: int) -> Sequence[SaidLine]:
    table = games.open(slug, seats=seats, variant=variant)
    dealer = games.Seeded(f"bench {seed}".encode())
    return play_to_end(table, dealer, [random_player(seed * seats + seat) for seat in range(seats)]).lines


def measure_seconds(work: Callable[[], T]) -> tuple[T, float]:
    began = time.process_time()
    done = work()
    return done, time.process_time() - began


if __name__ == "__main__":
    main()
