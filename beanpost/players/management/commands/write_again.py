from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from beanpost.players import accounts, confirming


class Command(BaseCommand):
    help = "Write again to an address that refused letters or got three without an answer. Only if its owner asks you."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("address", help="the email address")

    def handle(self, *args: Any, **options: Any) -> None:
        address = options["address"].strip().lower()
        refused, unanswered = accounts.write_again(address), confirming.reset_count(address)
        if not refused and not unanswered:
            raise CommandError(
                f"Nothing to do: {address} has not refused letters, and no unanswered letters are counted for it."
            )
        self.stdout.write(f"We write to {address} again. “Lost your letter?” on the home page sends open questions.")
