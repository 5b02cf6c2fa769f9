from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from beanpost.leagues import demo as league
from beanpost.play import clock, demo


class Command(BaseCommand):
    help = "Create the demo's data: friends, an organiser, tables and a league. Running it again changes nothing."

    def handle(self, *args: Any, **options: Any) -> None:
        if not settings.DEMO:
            raise CommandError("The demo is planted only where BEANPOST_DEMO=1.")
        planted = demo.plant(clock.now())
        self.stdout.write(f"{len(planted)} demo tables planted." if planted else "The demo tables are there already.")
        if league.create_demo_league(clock.now()):
            self.stdout.write("A demo league founded.")
