"""The command line: `python -m games --help`."""

from __future__ import annotations

import json
import os
import secrets
import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from games.console.notation_guide import render_notation_guide
from games.console.terminal import Goodbye, Terminal, TerminalGame
from games.contract.errors import RulesError
from games.contract.notation import read
from games.engine import catalogue
from games.engine.bots import Bot, measure_strength
from games.engine.dealer import Seeded
from games.verification.export import MalformedExport
from games.verification.verify import verify

CLEAR_SCREEN = "\x1b[2J\x1b[3J\x1b[H"  # the screen and its scrollback


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command and return the exit code: 0, or 1 after a refusal."""
    chosen = build_parser().parse_args(arguments)
    try:
        chosen.command(chosen)
    except RulesError as refusal:
        print(refusal, file=sys.stderr)
        return 1
    except (Goodbye, EOFError, KeyboardInterrupt):
        print("\nGoodbye. The game ends here.")
    except BrokenPipeError:  # the reader of the output, such as `head`, has closed it
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return 0


def build_parser() -> ArgumentParser:
    whole = ArgumentParser(prog="python -m games", description="The rulebook shelf of Beanpost.")
    commands = whole.add_subparsers(title="commands", required=True, metavar="COMMAND")

    def command(name: str, run: Callable[[Namespace], None], about: str, example: str = "") -> ArgumentParser:
        part = commands.add_parser(name, help=about, description=about, epilog=example)
        part.set_defaults(command=run)
        return part

    command("list", list_games, "List the games on the shelf.")
    add_table_options(command("play", play, "Play in the terminal.", "For example: play haricots --seats 3 --bots"))
    add_line_options(
        command("say", print_line, "Print a line as it is stored.", "For example: say haricots 'PLAY 6  6'")
    )
    add_file_options(command("verify", verify_export, "Check the export of a match, as docs/export.md describes it."))
    add_strength_options(
        command("strength", print_strength, "Let a bot play against careless seats, and count its wins.")
    )
    command("notation", print_notation, "Print docs/notation.md: every sentence of every game.")
    return whole


# ── what can follow a command ────────────────────────────────────────────────────────────────────


def add_game_options(part: ArgumentParser, seats: int) -> None:
    part.add_argument("game", help="its slug, as “list” shows it")
    part.add_argument("--seats", type=int, default=seats, metavar="N", help="how many play (%(default)s)")
    part.add_argument("--variant", help="which variant (the first that “list” shows)")


def add_table_options(part: ArgumentParser) -> None:
    add_game_options(part, seats=3)
    part.add_argument("--seed", help="any word or number: the same seed deals the same cards")
    part.add_argument(
        "--bots", nargs="?", const="others", choices=["others", "all"],
        help="bots fill all seats but A, or, with “all”, every seat",
    )  # fmt: skip


def add_line_options(part: ArgumentParser) -> None:
    part.add_argument("game", help="its slug, as “list” shows it")
    part.add_argument("line", nargs="+", help="what is said")


def add_file_options(part: ArgumentParser) -> None:
    part.add_argument("file", type=Path, help="the export")
    part.add_argument("--head", metavar="DIGEST", help="a digest from the foot of a letter: which line is it?")


def add_strength_options(part: ArgumentParser) -> None:
    add_game_options(part, seats=4)
    part.add_argument("--games", type=int, default=1_000, metavar="N", help="how many games (%(default)s)")


# ── the commands ─────────────────────────────────────────────────────────────────────────────────


def list_games(chosen: Namespace) -> None:
    for slug, rules in catalogue.GAMES.items():
        seats = f"{rules.seats[0]}–{rules.seats[-1]} players"
        print(f"{slug:<16} {rules.title:<20} {seats:<12} {' · '.join(rules.variants)}")


def play(chosen: Namespace) -> None:
    table = catalogue.open(chosen.game, seats=chosen.seats, variant=chosen.variant)
    secret = secrets.token_bytes(32) if chosen.seed is None else chosen.seed.encode()
    people = {None: chosen.seats, "others": 1, "all": 0}[chosen.bots]
    sitters: list[Bot | None] = [None if seat < people else table.rules.bot for seat in range(chosen.seats)]
    TerminalGame(table, Seeded(secret), sitters, on=Terminal(input, print, clear_screen)).play()


def clear_screen() -> None:
    print(CLEAR_SCREEN if sys.stdout.isatty() else "\n" * 40, end="", flush=True)


def print_line(chosen: Namespace) -> None:
    print(read(" ".join(chosen.line), catalogue.get(chosen.game).vocabulary))


def verify_export(chosen: Namespace) -> None:
    verdict = verify(load_json(chosen.file))
    print(verdict)
    if chosen.head is not None:
        print(verdict.witnessed(chosen.head))


def load_json(file: Path) -> Any:
    try:
        return json.loads(file.read_bytes())
    except OSError as error:
        raise MalformedExport("Can’t open {file}: {reason}.", file=str(file), reason=str(error.strerror)) from error
    except (ValueError, RecursionError) as error:
        raise MalformedExport("{file} isn’t JSON.", file=str(file)) from error


def print_strength(chosen: Namespace) -> None:
    won = measure_strength(chosen.game, chosen.seats, chosen.variant, chosen.games)
    print(f"The bot won {won:.1%} of {chosen.games} games of {chosen.game} at {chosen.seats} seats.")


def print_notation(chosen: Namespace) -> None:
    print(render_notation_guide(), end="")


if __name__ == "__main__":
    sys.exit(main())
