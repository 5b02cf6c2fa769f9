"""For an organiser who has lost their phone: manage.py second_factor NAME."""

from __future__ import annotations

from typing import Any

from django.contrib.auth import get_user_model
from django.core.management.base import BaseCommand, CommandError, CommandParser

from beanpost.leagues.admin import second_factor


class Command(BaseCommand):
    help = "Let somebody sign in without their second factor, until they set up a new one."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("name", help="the name they sign in with")

    def handle(self, *args: Any, name: str, **options: Any) -> None:
        user = get_user_model().objects.filter(username=name).first()
        if user is None:
            raise CommandError(f"Nobody signs in as “{name}”.")
        if not second_factor.remove(user):
            raise CommandError(f"{name} has no second factor.")
        self.stdout.write(f"{name} signs in with a password alone.")
