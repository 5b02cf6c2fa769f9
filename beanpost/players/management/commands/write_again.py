from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from beanpost.players import accounts, confirming


class Command(BaseCommand):
    help = "Write again to somebody who wanted no more letters, or has not answered three. Only for those who ask you."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("address", help="the mail address that was never to be written to again")

    def handle(self, *args: Any, **options: Any) -> None:
        address = options["address"].strip().lower()
        refused, unanswered = accounts.write_again(address), confirming.answered(address)
        if not refused and not unanswered:
            raise CommandError(f"Nobody with the address “{address}” wanted no more letters.")
        self.stdout.write(f"{address} is written to again. “Lost your letter?” on the home page sends what is open.")
