from getpass import getpass
from typing import Any

from django.contrib.auth import get_user_model
from django.contrib.auth.password_validation import validate_password
from django.core.exceptions import ValidationError
from django.core.management.base import BaseCommand, CommandError, CommandParser

from beanpost.players.accounts import tidy_address


class Command(BaseCommand):
    help = "Create the host's first organiser, who signs in at /admin/ and may do everything there."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("address", help="the organiser's mail address, and name at sign-in")
        parser.add_argument("--password", help="asked for when not given")

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            address = tidy_address(options["address"])
        except ValidationError:
            raise CommandError(f"“{options['address']}” isn’t an email address.") from None
        people = get_user_model().objects
        if people.filter(username=address).exists():
            raise CommandError(f"{address} is an organiser already.")
        try:
            password = options["password"] or getpass("Password: ")
        except EOFError:
            raise CommandError(
                "Nobody is here to type a password: ask again in a terminal, or with --password."
            ) from None
        try:
            validate_password(password, get_user_model()(username=address, email=address))
        except ValidationError as fault:
            raise CommandError(" ".join(fault.messages)) from None
        people.create_superuser(username=address, email=address, password=password)
        self.stdout.write(f"{address} can now sign in at /admin/.")
