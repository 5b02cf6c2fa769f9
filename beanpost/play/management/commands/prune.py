from typing import Any

from django.core.management.base import BaseCommand

from beanpost.play import clock, practice


class Command(BaseCommand):
    help = "Delete guests' practice matches that are older than two weeks."

    def handle(self, *args: Any, **options: Any) -> None:
        removed = practice.prune(clock.now())
        self.stdout.write(f"{removed} practice tables were removed.")
