"""The `beanpost` command, for an installation from a wheel; a checkout has `manage.py`, which calls the same."""

from __future__ import annotations

import argparse
import os
import sys

from django.core.management import execute_from_command_line
from django.db import OperationalError, ProgrammingError

from beanpost import __version__


def main() -> None:
    """Run the `beanpost` command."""
    command, rest = parse_command(sys.argv[1:])
    if command == "version":
        sys.stdout.write(f"Beanpost {__version__}\n")
        return
    if command == "demo":
        os.environ["BEANPOST_DEMO"] = "1"
    run_management_command(["beanpost manage", *(rest if command == "manage" else ["serve", *rest])])


def parse_command(words: list[str]) -> tuple[str, list[str]]:
    """Return the command, and the words that belong to it."""
    parser = argparse.ArgumentParser(prog="beanpost", description="Card games by email.")
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    commands.add_parser("demo", help="try it on this machine, with made-up people and letters")
    commands.add_parser("serve", help="serve pages, letters and the clock from one process", add_help=False)
    commands.add_parser("manage", help="run a management command, such as: beanpost manage check", add_help=False)
    commands.add_parser("version", help="print the version")
    if words[:1] in (["manage"], ["serve"]):  # the rest is for Django, options included
        return words[0], words[1:]
    return parser.parse_args(words).command, []


def run_management_command(words: list[str]) -> None:
    """Run a management command. If the database can't be used, print a sentence instead of a traceback."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "beanpost.settings")
    try:
        execute_from_command_line(words)
    except (OperationalError, ProgrammingError) as fault:  # it is down, or not migrated yet
        if "--traceback" in words:
            raise
        sys.exit(f"The database cannot be used: {fault}\nIs DATABASE_URL right, and has the command migrate been run?")
