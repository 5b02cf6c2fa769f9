from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from beanpost.players import book


class Command(BaseCommand):
    help = "Write again to somebody who wanted no more letters. For those alone who ask you for it."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("address", help="the mail address that was never to be written to again")

    def handle(self, *args: Any, **options: Any) -> None:
        address = options["address"]
        if not book.write_again(address):
            raise CommandError(f"Nobody with the address “{address}” wanted no more letters.")
        self.stdout.write(f"{address} is written to again. “Lost your letter?” on the home page sends what is open.")
