"""Speed of composing whole turn letters: text and HTML, with every move as a signed link."""

import sys
import tempfile

from bench.figures import effort, figure
from bench.moves import on_each_database, per_second

LETTERS = effort(100)


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        on_each_database("bench.letters", folder)


def on(name: str) -> None:
    from bench import fixtures  # noqa: PLC0415 (needs the database settings)

    with fixtures.opened():
        figure(f"{name}: turn letters composed", per_second(fixtures.letters(LETTERS)), "letters/s")


if __name__ == "__main__":
    on(sys.argv[1]) if sys.argv[1:] else main()
