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
    options = build_parser().parse_args(arguments)
    try:
        options.command(options)
    except RulesError as refusal:
        print(refusal, file=sys.stderr)
        return 1
    except (Goodbye, EOFError, KeyboardInterrupt):
        print("\nGoodbye. The game ends here.")
    except BrokenPipeError:  # the reader of the output, such as `head`, has closed it
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return 0


def build_parser() -> ArgumentParser:
    parser = ArgumentParser(prog="python -m games", description="Beanpost's games on the command line.")
    commands = parser.add_subparsers(title="commands", required=True, metavar="COMMAND")

    def add_command(name: str, run: Callable[[Namespace], None], about: str, example: str = "") -> ArgumentParser:
        subparser = commands.add_parser(name, help=about, description=about, epilog=example)
        subparser.set_defaults(command=run)
        return subparser

    add_command("list", list_games, "List the games.")
    add_table_options(add_command("play", play, "Play in the terminal.", "For example: play haricots --seats 3 --bots"))
    add_line_options(
        add_command("say", print_line, "Print a line as it is stored.", "For example: say haricots 'PLAY 6  6'")
    )
    add_file_options(
        add_command("verify", verify_export, "Check the export of a match, as docs/export.md describes it.")
    )
    add_strength_options(
        add_command("strength", print_strength, "Let a bot play against random players, and count its wins.")
    )
    add_command("notation", print_notation, "Print the lines of every game.")
    return parser


# ── what can follow a command ────────────────────────────────────────────────────────────────────


def add_game_options(parser: ArgumentParser, seats: int) -> None:
    parser.add_argument("game", help="its slug, as “list” shows it")
    parser.add_argument("--seats", type=int, default=seats, metavar="N", help="how many play (%(default)s)")
    parser.add_argument("--variant", help="which variant (the first that “list” shows)")


def add_table_options(parser: ArgumentParser) -> None:
    add_game_options(parser, seats=3)
    parser.add_argument("--seed", help="any word or number: the same seed deals the same cards")
    parser.add_argument(
        "--bots", nargs="?", const="others", choices=["others", "all"],
        help="bots fill all seats but A, or, with “all”, every seat",
    )  # fmt: skip


def add_line_options(parser: ArgumentParser) -> None:
    parser.add_argument("game", help="its slug, as “list” shows it")
    parser.add_argument("line", nargs="+", help="what is said")


def add_file_options(parser: ArgumentParser) -> None:
    parser.add_argument("file", type=Path, help="the export")
    parser.add_argument("--head", metavar="DIGEST", help="a digest from the foot of a letter: which line is it?")


def add_strength_options(parser: ArgumentParser) -> None:
    add_game_options(parser, seats=4)
    parser.add_argument("--games", type=int, default=1_000, metavar="N", help="how many games (%(default)s)")


# ── the commands ─────────────────────────────────────────────────────────────────────────────────


def list_games(options: Namespace) -> None:
    for slug, rules in catalogue.GAMES.items():
        seats = f"{rules.seats[0]}–{rules.seats[-1]} players"
        print(f"{slug:<16} {rules.title:<20} {seats:<12} {' · '.join(rules.variants)}")


def play(options: Namespace) -> None:
    table = catalogue.open(options.game, seats=options.seats, variant=options.variant)
    secret = secrets.token_bytes(32) if options.seed is None else options.seed.encode()
    people = {None: options.seats, "others": 1, "all": 0}[options.bots]
    bots: list[Bot | None] = [None if seat < people else table.rules.bot for seat in range(options.seats)]
    TerminalGame(table, Seeded(secret), bots, terminal=Terminal(input, print, clear_screen)).play()


def clear_screen() -> None:
    print(CLEAR_SCREEN if sys.stdout.isatty() else "\n" * 40, end="", flush=True)


def print_line(options: Namespace) -> None:
    print(read(" ".join(options.line), catalogue.get(options.game).vocabulary))


def verify_export(options: Namespace) -> None:
    verdict = verify(load_json(options.file))
    print(verdict)
    if options.head is not None:
        print(verdict.find_digest(options.head))


def load_json(file: Path) -> Any:
    try:
        return json.loads(file.read_bytes())
    except OSError as error:
        raise MalformedExport("Can’t open {file}: {reason}.", file=str(file), reason=str(error.strerror)) from error
    except (ValueError, RecursionError) as error:
        raise MalformedExport("{file} isn’t JSON.", file=str(file)) from error


def print_strength(options: Namespace) -> None:
    won = measure_strength(options.game, options.seats, options.variant, options.games)
    print(f"The bot won {won:.1%} of {options.games} games of {options.game} at {options.seats} seats.")


def print_notation(options: Namespace) -> None:
    print(render_notation_guide(), end="")


if __name__ == "__main__":
    sys.exit(main())
