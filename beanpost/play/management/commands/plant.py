from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from beanpost.play import clock, demo


class Command(BaseCommand):
    help = "Plant the demo: three friends, an organiser, and tables to play at. Running it again changes nothing."

    def handle(self, *args: Any, **options: Any) -> None:
        if not settings.DEMO:
            raise CommandError("The demo is planted only where BEANPOST_DEMO=1.")
        planted = demo.plant(clock.now())
        self.stdout.write(f"{len(planted)} demo tables planted." if planted else "The demo tables are there already.")
