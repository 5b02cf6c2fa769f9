"""Bytes that a match leaves in PostgreSQL: while it is young, after its letters are erased, and after a year.

The rows of the matches are copied, because a table and each of its indexes take at least a page of 8 KB: a few matches
would share what is no match's.
"""

import os
import subprocess
import sys
from datetime import timedelta
from typing import ClassVar

from tools.bench.figures import print_figure, scale_effort
from tools.bench.moves import SETTINGS

TABLES = (
    ("haricots", "advanced", 4),
    ("bohnanza", "standard", 4),
    ("pas_de_haricots", "one", 4),
    ("fagioli", "standard", 4),
    ("haricot_magique", "base", 4),
)
MATCHES = scale_effort(10, at_least=len(TABLES))
COPIES = 19  # of each match
LIVE, FOR_EVER = 500, 100  # KB


def main() -> None:
    if url := os.environ.get("BENCH_POSTGRES", ""):
        env = os.environ | SETTINGS | {"DATABASE_URL": url}
        subprocess.run([sys.executable, "-m", "tools.bench.growth", "here"], check=True, env=env)
    else:
        print("  left out, no PostgreSQL server was found.", flush=True)


def measure() -> None:
    """Play whole matches on a simulated clock with all letters sent, and print what each table holds of them."""
    from tools.bench import fixtures  # noqa: PLC0415, I001 (needs the database settings, and sets Django up)

    from django.test.utils import override_settings  # noqa: PLC0415

    from beanpost.post.deliver import sending  # noqa: PLC0415
    from beanpost.post.models import Body, Letter  # noqa: PLC0415
    from beanpost.post.outbox import retention  # noqa: PLC0415
    from tests.play.season import SPRING, Season  # noqa: PLC0415

    class WithLetters(Season):
        """A season that sends its letters, and erases old ones once a day."""

        erased_on = SPRING.date()
        most: ClassVar[dict[int, float]] = {}  # KB of each match's bodies, on its worst day

        def write_some(self) -> None:
            sending.deliver(lambda: self.now)
            if self.now.date() > self.erased_on:
                self.erased_on = self.now.date()
                retention.erase_bytes(self.now)
                for match, size in measure_bodies():
                    self.most[match] = max(size, self.most.get(match, 0))

    fixtures.name_database("", name="growth")
    with fixtures.open_database(), override_settings(EMAIL_BACKEND="django.core.mail.backends.dummy.EmailBackend"):
        empty = measure_tables()
        season = WithLetters(matches=MATCHES, players=4 * len(TABLES), days=150, tables=TABLES, paces=("daily",))
        season.unreliable, season.outages = set(), []
        season.run()
        assert not season.unfinished(), season.unfinished()
        print_figure("letters of a match", Letter.objects.count() / MATCHES, "")
        Body.objects.all().delete()
        copy_matches()
        rest = report("without the bytes of its letters", empty)
        worst = sum(season.most.values()) / MATCHES
        print_figure("bytes of its letters, on its worst day", worst, "KB")
        print_figure("a running match, on its worst day", rest + worst, "KB", at_most=LIVE)
        retention.erase_contents(season.now + timedelta(days=90))
        report("after its letters are erased", empty)
        retention.prune(season.now + timedelta(days=500))
        report("for ever", empty, at_most=FOR_EVER)


def copy_matches() -> None:
    """Copy every match with its rows."""
    from beanpost.play.models import Match, Vault  # noqa: PLC0415
    from tests.copies import multiply  # noqa: PLC0415

    for match in Match.objects.order_by("pk"):
        last = Match.objects.latest("pk").pk
        multiply(match, COPIES, code="code || n", follows="NULL")
        copies = Match.objects.filter(pk__gt=last).order_by("pk")
        Vault.objects.bulk_create(
            Vault(match=copy, secret=match.vault.secret, memory=match.vault.memory, remembered=match.vault.remembered)
            for copy in copies
        )
        copied = f"{copies[0].pk} + n - 1"
        for rows in (match.places, match.events, match.notes, match.orders):
            for row in rows.all():
                multiply(row, COPIES, match=copied)
        for letter in match.letters.all():
            multiply(letter, COPIES, match=copied, key="key || '-' || n")


def measure_bodies() -> list[tuple[int, float]]:
    """Return the size of each match's stored bodies, with the overhead of their rows and index."""
    from django.db import connection  # noqa: PLC0415

    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT match_id, sum(pg_column_size(packed) + 60) / 1000.0 FROM post_body"
            " JOIN post_letter ON post_letter.id = letter_id WHERE match_id IS NOT NULL GROUP BY match_id"
        )
        return [(match, float(size)) for match, size in cursor.fetchall()]


def report(when: str, empty: dict[str, int], *, at_most: float | None = None) -> float:
    matches = MATCHES * (1 + COPIES)
    grown = {table: (size - empty.get(table, 0)) / matches / 1_000 for table, size in measure_tables().items()}
    for table, size in sorted(grown.items(), key=lambda each: -each[1])[:5]:
        print_figure(f"{when}: {table}", size, "KB")
    whole = sum(grown.values())
    print_figure(f"a match {when}", whole, "KB", at_most=at_most)
    return whole


def measure_tables() -> dict[str, int]:
    """Return the size of each table with its indexes, rewritten without the dead rows that later matches reuse."""
    from django.db import connection  # noqa: PLC0415

    with connection.cursor() as cursor:
        cursor.execute("VACUUM FULL")
        cursor.execute(
            "SELECT relname, pg_total_relation_size(oid) FROM pg_class WHERE relkind = 'r' AND relname !~ '^pg_'"
        )
        return dict(cursor.fetchall())


if __name__ == "__main__":
    measure() if sys.argv[1:] else main()
