"""Erase a person who asked the host: manage.py erase ADDRESS."""

from __future__ import annotations

from typing import Any

from django.core.exceptions import ValidationError
from django.core.management.base import BaseCommand, CommandError, CommandParser

from beanpost.play import clock
from beanpost.players import accounts
from beanpost.privacy import erasure


class Command(BaseCommand):
    help = "Delete a person's data for good, if they ask you. Without --yes it only says what will happen."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("address", help="the email address")
        parser.add_argument("--yes", action="store_true", help="do it")

    def handle(self, *args: Any, address: str, yes: bool, **options: Any) -> None:
        player = accounts.look_up(address)
        if player is None or player.is_forgotten:
            raise CommandError(f"Nobody here has the address {address}.")
        for step in erasure.describe_steps(player):
            self.stdout.write(step)
        if not yes:
            self.stdout.write("Nothing has happened yet. Add --yes to do it.")
            return
        try:
            erasure.erase_for_host(player, now=clock.now())
        except ValidationError as refusal:
            raise CommandError(refusal.messages[0]) from refusal
        self.stdout.write("Done.")
