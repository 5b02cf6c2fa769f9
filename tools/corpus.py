"""Finished games, stored for ever: each edition of the rules must always replay them to the same result.

    python -m tools.corpus            replay all games; name any that differ, and fail
    python -m tools.corpus write      store games of the editions and variants that have none yet

A file holds the games of one variant in one edition: what the seats said, the result and a digest. The dealer's lines
follow from the secret, which follows from the game's number; the digest covers them, and also every move that anybody
could have made. Stored files are never written again.
"""

import gzip
import hashlib
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import games
from games.contract.asks import SaidLine
from games.contract.errors import RulesError
from games.contract.game import Game
from games.contract.seats import DEALER, LETTERS
from games.engine.bots import Bot, play_to_end, random_player
from games.engine.table import Table, replay
from tests.games.test_properties import people

FOLDER = Path("tests/corpus")
GAMES = 52  # per variant, over all numbers of seats


class Differs(Exception):
    """A game does not replay to its stored result."""


@dataclass(frozen=True)
class Kind:
    """A variant of a game, in one edition of its rules."""

    rules: Game[Any, Any]
    variant: str

    @property
    def file(self) -> Path:
        return FOLDER / f"{self.rules.slug}-{self.variant}-{self.rules.edition}.txt.gz"

    def seats(self, nth: int) -> int:
        return self.rules.seats[nth % len(self.rules.seats)]

    def dealer(self, nth: int) -> games.Seeded:
        return games.Seeded(f"corpus {self.rules.slug} {self.variant} {self.rules.edition} {nth}".encode())

    def open_table(self, nth: int) -> Table[Any, Any]:
        seats, edition = self.seats(nth), self.rules.edition
        return games.open(self.rules.slug, seats=seats, variant=self.variant, edition=edition)

    def __str__(self) -> str:
        return f"{self.rules.title}, {self.variant}, edition {self.rules.edition}"


def list_kinds() -> Iterator[Kind]:
    for newest in games.GAMES.values():
        for rules in (newest, *newest.older):
            for variant in rules.variants:
                yield Kind(rules, variant)


# ── replaying ──


def replay_all(most: int = GAMES) -> int:
    """Replay every stored game, and return the number of lines."""
    lines = 0
    for kind in list_kinds():
        if not kind.file.exists():
            raise Differs(f"{kind}: no games are stored. Run: python -m tools.corpus write")
        stored = read_games(kind.file)
        if len(stored) < 50:
            raise Differs(f"{kind}: {len(stored)} games are stored, not 50.")
        lines += sum(play_again(kind, nth, game) for nth, game in enumerate(stored[:most]))
    return lines


def play_again(kind: Kind, nth: int, stored: Sequence[str]) -> int:
    """Replay the stored lines of one game and compare; return the number of lines in the whole log."""
    *said, expected = stored
    try:
        table, digest = perform(kind, nth, said)
    except RulesError as refusal:
        raise Differs(f"{kind}: game {nth} is refused: {refusal}") from refusal
    if describe_end(table, digest) != expected:
        raise Differs(f"{kind}: game {nth} ends as “{describe_end(table, digest)}”, not as “{expected}”.")
    if replay(kind.open_table(nth), table.lines) != table:
        raise Differs(f"{kind}: game {nth} is another when its log is trusted.")
    return len(table.lines)


def perform(kind: Kind, nth: int, stored: Sequence[str]) -> tuple[Table[Any, Any], str]:
    """Return the table after all stored lines, and the digest of every question on the way."""
    table, witness, dealt = kind.open_table(nth), hashlib.sha256(), 0
    lines = iter(stored)
    while table.asks:
        witness.update(describe_questions(table).encode())
        if table.ask(DEALER):
            seat, line = DEALER, kind.dealer(nth).answer(table, dealt)
            dealt += 1
        else:
            letter, _, line = next(lines, "? nothing").partition(" ")
            seat = LETTERS.find(letter)
        table = table.says(seat, line)
        witness.update(f"{seat} {line}\n".encode())
    return table, witness.hexdigest()[:32]


def describe_questions(table: Table[Any, Any]) -> str:
    """Return the questions, with every possible answer to each."""
    return "".join(
        f"{ask.seat}|{ask.about}|{'|'.join(map(str, ask.menu))}|{[kind.says for kind in ask.free]}|{ask.default}\n"
        for ask in table.asks
    )


def describe_end(table: Table[Any, Any], digest: str) -> str:
    assert table.result is not None
    scores = " ".join(f"{score}/{rank}" for score, rank in zip(table.result.scores, table.result.ranks, strict=True))
    return f"= {scores} {digest}"


# ── storing ──


def write_corpus() -> None:
    FOLDER.mkdir(exist_ok=True)
    for kind in list_kinds():
        if not kind.file.exists():
            text = "".join(line + "\n" for nth in range(GAMES) for line in play_game(kind, nth))
            # No name and no time in the gzip header, so that the same games make the same file.
            kind.file.write_bytes(gzip.compress(text.encode(), 9, mtime=0))
            print(f"{kind}: {GAMES} games, {kind.file.stat().st_size:,} bytes.")


def play_game(kind: Kind, nth: int) -> list[str]:
    table = play_to_end(kind.open_table(nth), kind.dealer(nth), choose_bots(kind, nth))
    said = [f"{LETTERS[seat]} {line}" for seat, line in list_player_lines(table.lines)]
    return [*said, describe_end(*perform(kind, nth, said))]


def choose_bots(kind: Kind, nth: int) -> list[Bot]:
    """Return a player per seat, in rotation: the game's bot, a random player, one that also composes sentences."""
    sorts = (
        lambda seed: kind.rules.bot,
        random_player,
        lambda seed: people(kind.rules.slug, seed),
    )
    return [sorts[(nth + seat) % 3](nth * 10 + seat) for seat in range(kind.seats(nth))]


def list_player_lines(lines: Sequence[SaidLine]) -> list[SaidLine]:
    return [line for line in lines if line.seat >= 0]


def read_games(file: Path) -> list[list[str]]:
    """Return the games of a file as lists of lines; the last line of each begins with “=”."""
    stored: list[list[str]] = [[]]
    for line in gzip.decompress(file.read_bytes()).decode().splitlines():
        stored[-1].append(line)
        if line.startswith("="):
            stored.append([])
    return stored[:-1]


def main() -> None:
    if sys.argv[1:] == ["write"]:
        write_corpus()
        return
    try:
        lines = replay_all()
    except Differs as difference:
        sys.exit(str(difference))
    print(f"{len(list(list_kinds()))} variants, {lines:,} lines replayed, 0 differ.")


if __name__ == "__main__":
    main()
