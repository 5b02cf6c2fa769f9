from typing import Any

from django.core.management.base import BaseCommand, CommandError

from beanpost.play.log.audit import differences
from beanpost.play.models import Match


class Command(BaseCommand):
    help = "Replay every match and check its digests, its dealer and its memory."

    def handle(self, *args: Any, **options: Any) -> None:
        matches = events = wrong = 0
        for match in Match.objects.exclude(started_at=None).order_by("pk").iterator():
            found = list(differences(match))
            for sentence in found:
                self.stderr.write(f"Match {match.code}: {sentence}")
            matches, events, wrong = matches + 1, events + match.length, wrong + bool(found)
        self.stdout.write(f"{matches} matches, {events} events replayed, {wrong} differ")
        if wrong:
            raise CommandError("The log of a match is not what it was. Restore it from a backup, and find out why.")
