"""Move a simulated site of a million lines of log and 200,000 letters from SQLite to PostgreSQL.

The rows are copies of one match, as in `large_site.py`, which is its other half: `make large-site`. A tenth of the
letters have kept their bytes. LINES sets the number of lines.
"""

import os
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from urllib.parse import urlsplit

import psycopg

from tools import postgres
from tools.bench.figures import print_figure
from tools.bench.moves import SETTINGS

LINES = int(os.environ.get("LINES", "1000000"))
LINES_OF_A_MATCH, LETTERS_OF_A_MATCH = 30, 6
MATCHES = LINES // LINES_OF_A_MATCH
WITH_BYTES = LINES // 50


def main() -> None:
    with postgres.find_or_start() as url, tempfile.TemporaryDirectory() as folder:
        if not url:
            print("  left out, no PostgreSQL server was found.")
            return
        name = f"bench_move_{os.getpid()}"
        base = urlsplit(url)
        env = os.environ | SETTINGS | {"BEANPOST_VAR": folder, "DATABASE_URL": ""}
        subprocess.run([sys.executable, "-m", "tools.bench.move_database", "fill"], check=True, env=env)
        print_figure("the SQLite file", (Path(folder) / "beanpost.sqlite3").stat().st_size / 1_000_000, "MB")
        with psycopg.connect(base._replace(path="/postgres").geturl(), autocommit=True) as server:
            server.execute(f"CREATE DATABASE {name}")
            try:
                move(base._replace(path=f"/{name}").geturl(), env)
            finally:
                server.execute(f"DROP DATABASE {name}")


def move(url: str, env: dict[str, str]) -> None:
    began, before = time.perf_counter(), resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
    subprocess.run([sys.executable, "manage.py", "move_database", url, "--yes"], check=True, env=env)
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    print_figure(f"moving {LINES:,} lines of log", (time.perf_counter() - began) / 60, "minutes")
    print_figure("its processor time, without PostgreSQL's", (used.ru_utime - before) / 60, "minutes")
    print_figure("its memory", used.ru_maxrss / 1_000, "MB", at_most=300)


def fill() -> None:
    """Copy one match and its letters."""
    from tools.bench import fixtures  # noqa: PLC0415, I001 (sets Django up)

    from django.core.management import call_command  # noqa: PLC0415
    from django.db import connection, transaction  # noqa: PLC0415

    from beanpost.play.models import Vault, build_card  # noqa: PLC0415
    from beanpost.post.models import Letter  # noqa: PLC0415
    from tests.copies import multiply  # noqa: PLC0415
    from tests.post.gallery import deliver  # noqa: PLC0415

    call_command("migrate", verbosity=0)
    with transaction.atomic(), connection.cursor() as cursor:
        match = fixtures.create_match_of_length(LINES_OF_A_MATCH)
        deliver(fixtures.NOW)
        letter = Letter.objects.filter(body__isnull=False).earliest("pk")
        card = build_card(match, list(match.places.all()))
        multiply(match, MATCHES, code="'copy-' || n", card_digest=f"'{card.digest}'")
        vault = Vault.objects.get(match=match)
        cursor.execute(
            "INSERT INTO play_vault (match_id, secret, memory, remembered) SELECT id, %s, %s, %s FROM play_match"
            " WHERE id > %s",
            [bytes(vault.secret), vault.memory, vault.remembered, match.pk],
        )
        own = f"{match.pk} + n"
        for rows in (match.places, match.waits, match.events):
            for row in rows.all():
                multiply(row, MATCHES, match=own)
        for number in range(LETTERS_OF_A_MATCH):
            multiply(letter, MATCHES, match=own, key=f"'copy-{number}-' || n")
        cursor.execute(
            "INSERT INTO post_body (letter_id, packed) SELECT id, %s FROM post_letter"
            " WHERE key LIKE 'copy-%%' LIMIT %s",
            [bytes(letter.body.packed), WITH_BYTES],
        )


if __name__ == "__main__":
    fill() if sys.argv[1:] else main()
