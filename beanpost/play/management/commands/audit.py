from argparse import ArgumentParser
from datetime import UTC, date, datetime, time
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.db.models import Q, QuerySet

from beanpost.play.log.audit import find_differences
from beanpost.play.models import Match


class Command(BaseCommand):
    help = "Replay every match, and check its digests, its dealer's lines and its cached state."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "--since", type=date.fromisoformat, help="leave out matches that ended before this day, such as 2026-11-01"
        )

    def handle(self, *args: Any, since: date | None = None, **options: Any) -> None:
        matches = events = wrong = 0
        for match in find_begun_matches(since).order_by("pk").iterator():
            found = list(find_differences(match))
            for sentence in found:
                self.stderr.write(f"Match {match.code}: {sentence}")
            matches, events, wrong = matches + 1, events + match.length, wrong + bool(found)
        self.stdout.write(f"{matches} matches, {events} events replayed, {wrong} differ")
        if wrong:
            raise CommandError("The log of a match is not what it was. Restore it from a backup, and find out why.")


def find_begun_matches(since: date | None) -> QuerySet[Match]:
    """Return the matches that have started, without those that ended before the day."""
    found = Match.objects.exclude(started_at=None)
    if since is None:
        return found
    return found.filter(Q(ended_at=None) | Q(ended_at__gte=datetime.combine(since, time.min, UTC)))
