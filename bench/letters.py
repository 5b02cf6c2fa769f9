"""Speed of composing whole turn letters: text and HTML, with every move as a signed link; and what pictures cost."""

import sys
import tempfile

from bench.figures import effort, figure
from bench.moves import on_each_database, per_second

LETTERS = effort(100)
STALKS = effort(40)
PICTURED = {"Bohnanza": ("bohnanza", "standard"), "Le Haricot Magique": ("haricot_magique", "base")}


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        on_each_database("bench.letters", folder)


def on(name: str) -> None:
    from bench import fixtures  # noqa: PLC0415 (needs the database settings)

    with fixtures.opened():
        figure(f"{name}: turn letters composed", per_second(fixtures.letters(LETTERS)), "letters/s")
        for game, kind in PICTURED.items():
            bare = 1_000 / per_second(fixtures.letters(LETTERS, *kind, without_pictures=True))
            full = 1_000 / per_second(fixtures.letters(LETTERS, *kind))
            figure(f"{name}: {game}, a letter without pictures", bare, "ms")
            figure(f"{name}: {game}, a letter with pictures", full, "ms")
        figure(f"{name}: drawing a stalk of twelve levels", 1_000 / per_second(fixtures.stalks(STALKS)), "ms")


if __name__ == "__main__":
    on(sys.argv[1]) if sys.argv[1:] else main()
