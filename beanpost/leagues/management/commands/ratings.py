from typing import Any

from django.core.management.base import BaseCommand

from beanpost.leagues.records import ratings


class Command(BaseCommand):
    help = "Work out all ratings again from the logs, and put right what is different."

    def handle(self, *args: Any, **options: Any) -> None:
        count, different = ratings.recompute_ratings()
        self.stdout.write(f"{count} ratings recomputed, {different} differed.")
