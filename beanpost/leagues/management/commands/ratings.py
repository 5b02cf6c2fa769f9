from typing import Any

from django.core.management.base import BaseCommand

from beanpost.leagues.records import ratings


class Command(BaseCommand):
    help = "Recompute all ratings from the logs, and correct those that differ."

    def handle(self, *args: Any, **options: Any) -> None:
        count, different = ratings.recompute_ratings()
        self.stdout.write(f"{count} ratings recomputed, {different} differed.")
