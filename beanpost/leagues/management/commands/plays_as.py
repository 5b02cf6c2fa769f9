"""For the host: say which player an organiser's account belongs to, or that its owner doesn't play."""

from __future__ import annotations

from typing import Any

from django.contrib.auth import get_user_model
from django.core.exceptions import ValidationError
from django.core.management.base import BaseCommand, CommandError, CommandParser

from beanpost.leagues import organiser_accounts
from beanpost.play import clock
from beanpost.players import accounts as player_accounts


class Command(BaseCommand):
    help = "Link an organiser's account to the player with this address; without an address: they don't play here."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("name", help="the name they sign in with")
        parser.add_argument("address", nargs="?", help="the address they play under")

    def handle(self, *args: Any, name: str, address: str | None, **options: Any) -> None:
        user = get_user_model().objects.filter(username=name).first()
        if user is None:
            raise CommandError(f"Nobody signs in as “{name}”.")
        if address is None:
            organiser_accounts.record_no(user, now=clock.now())
            self.stdout.write(f"{name} doesn’t play here.")
            return
        player = player_accounts.look_up(address)
        if player is None:
            raise CommandError(f"Nobody plays here under the address “{address}”.")
        try:
            organiser_accounts.link(user, player)
        except ValidationError as refusal:
            raise CommandError(refusal.messages[0]) from None
        self.stdout.write(f"{name} plays as {player.name}.")
