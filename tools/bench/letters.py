"""Speed of composing whole turn letters: text and HTML, with every move as a signed link; and what pictures cost."""

import sys
import tempfile

from tools.bench.figures import print_figure, scale_effort
from tools.bench.moves import measure_per_second, run_on_each_database

LETTERS = scale_effort(100)
STALKS = scale_effort(40)
PICTURED = {"Bohnanza": ("bohnanza", "standard"), "Le Haricot Magique": ("haricot_magique", "base")}


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        run_on_each_database("tools.bench.letters", folder)


def measure_on(name: str) -> None:
    from tools.bench import fixtures  # noqa: PLC0415 (needs the database settings)

    with fixtures.open_database():
        print_figure(
            f"{name}: turn letters composed", measure_per_second(fixtures.prepare_letters(LETTERS)), "letters/s"
        )
        for game, kind in PICTURED.items():
            bare = 1_000 / measure_per_second(fixtures.prepare_letters(LETTERS, *kind, without_pictures=True))
            full = 1_000 / measure_per_second(fixtures.prepare_letters(LETTERS, *kind))
            print_figure(f"{name}: {game}, a letter without pictures", bare, "ms")
            print_figure(f"{name}: {game}, a letter with pictures", full, "ms")
        print_figure(
            f"{name}: drawing a stalk of twelve levels",
            1_000 / measure_per_second(fixtures.prepare_stalks(STALKS)),
            "ms",
        )


if __name__ == "__main__":
    measure_on(sys.argv[1]) if sys.argv[1:] else main()
