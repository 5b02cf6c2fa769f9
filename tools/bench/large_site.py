"""A simulated site on PostgreSQL: what a sweep, a move and the pages cost among 100,000 running matches, against 1,000.

The rows are copies of one match with a log of thirty lines and of its letters; players sit at five matches each. It
takes minutes, and some 4 GB of disk: `make large-site`. LARGE sets the number of matches.
"""

import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from datetime import timedelta
from typing import TYPE_CHECKING

from tools import postgres
from tools.bench.figures import print_figure
from tools.bench.moves import SETTINGS

if TYPE_CHECKING:
    from django.test import Client

    from beanpost.play.models import Match

SIZES = (1_000, int(os.environ.get("LARGE", "100000")))
ROUNDS = 15
GOAL = 1.3  # times
LINES = 30  # of each match's log
LETTERS = 20  # of each match


def main() -> None:
    with postgres.find_or_start() as url:
        if not url:
            print("  left out, no PostgreSQL server was found.")
            return
        env = os.environ | SETTINGS | {"DATABASE_URL": url}
        sites = [start_site(size, env) for size in SIZES]
        took = [float(ask(site, "fill")) for site in sites]
        print_figure(f"filling a site of {SIZES[1]:,} matches", took[1], "s")
        for name in ask(sites[0], "names").split(","):
            compare_sites(name, sites)
        for site in sites:
            site.communicate()


def compare_sites(name: str, sites: "list[subprocess.Popen[str]]") -> None:
    rounds = [[float(ask(site, name)) for site in sites] for _ in range(ROUNDS)]  # the sites take turns
    small, large = (statistics.median(took) for took in zip(*rounds, strict=True))
    print_figure(f"{name}, {SIZES[1]:,} matches", large * 1_000, "ms")
    print_figure(f"{name}, against {SIZES[0]:,}", large / small, "times", at_most=GOAL)


def start_site(size: int, env: dict[str, str]) -> "subprocess.Popen[str]":
    command = [sys.executable, "-m", "tools.bench.large_site", str(size)]
    return subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1, env=env)


def ask(site: "subprocess.Popen[str]", what: str) -> str:
    assert site.stdin
    assert site.stdout
    print(what, file=site.stdin)
    return site.stdout.readline().strip()


# ── one site ──


def serve(size: int) -> None:
    """Answer each line on stdin: fill the site, name the errands, or run one of them and print its seconds."""
    from tools.bench import fixtures  # noqa: PLC0415 (needs the database settings)

    with tempfile.TemporaryDirectory() as folder:
        fixtures.name_database(folder, name=f"site_{size}")
        with fixtures.open_database():
            errands: dict[str, Callable[[], object]] = {}
            for line in sys.stdin:
                what = line.strip()
                if what == "fill":
                    began = time.perf_counter()
                    errands = list_errands(fill(size))
                    print(time.perf_counter() - began, flush=True)
                elif what == "names":
                    print(",".join(errands), flush=True)
                else:
                    began = time.perf_counter()
                    errands[what]()
                    print(time.perf_counter() - began, flush=True)


def fill(size: int) -> "Match":
    """Copy one match, its players and its letters until there are `size` running matches."""
    from django.db import connection  # noqa: PLC0415

    from beanpost.play.models import Event, Match, Place, Vault, Wait  # noqa: PLC0415
    from beanpost.players.models import Player  # noqa: PLC0415
    from beanpost.post.models import Letter  # noqa: PLC0415
    from tests.copies import multiply  # noqa: PLC0415
    from tools.bench.fixtures import NOW, create_match_of_length  # noqa: PLC0415

    match = create_match_of_length(LINES)
    Wait.objects.update(due_at=NOW + timedelta(days=20), remind_at=NOW + timedelta(days=19))
    Letter.objects.update(state=Letter.State.SENT, sent_at=NOW)
    letter = Letter.objects.filter(match=match).first()
    first = Player.objects.order_by("pk").first()
    assert letter
    assert first
    later = "{} + n * interval '1 second'"
    with connection.cursor() as cursor:
        cursor.execute("SET session_replication_role = replica")  # without checking every foreign key
    multiply(first, size, address="'player-' || n || '@example.org'")
    players = Player.objects.order_by("pk").last()
    assert players
    somebody = f"{players.pk} - mod(n * {match.seats} + {{}}, {size})"
    multiply(match, size, code="'copy-' || n", keeper=somebody.format(0), opened_at=later.format("opened_at"))
    own = f"{match.pk} + n"
    with connection.cursor() as cursor:
        vault = Vault.objects.get(match=match)
        cursor.execute(
            "INSERT INTO play_vault (match_id, secret, memory, remembered) SELECT id, %s, %s, %s FROM play_match"
            " WHERE id > %s",
            [bytes(vault.secret), vault.memory, vault.remembered, match.pk],
        )
    for place in Place.objects.filter(match=match):
        multiply(place, size, match=own, player=somebody.format(place.seat), nudge_at="NULL")
    for wait in Wait.objects.filter(match=match):
        multiply(wait, size, match=own, due_at=later.format("due_at"), remind_at=later.format("remind_at"))
    for event in Event.objects.filter(match=match):
        multiply(event, size, match=own)
    for number in range(LETTERS):
        multiply(letter, size, match=own, recipient=somebody.format(number % match.seats), key=f"'copy-{number}-' || n")
    with connection.cursor() as cursor:
        cursor.execute("SET session_replication_role = DEFAULT")
        cursor.execute("VACUUM ANALYZE")
    assert Match.objects.filter(phase=Match.Phase.RUNNING).count() == size + 1
    return match


def list_errands(match: "Match") -> dict[str, Callable[[], object]]:
    from django.test import Client  # noqa: PLC0415
    from django.urls import reverse  # noqa: PLC0415

    from beanpost.play.models import Match, Place  # noqa: PLC0415
    from beanpost.play.timekeeping import timeouts  # noqa: PLC0415
    from tests.site.doors import signed_in  # noqa: PLC0415
    from tools.bench import fixtures  # noqa: PLC0415
    from tools.bench.office import sign_in_host  # noqa: PLC0415

    anybody, office = Client(), sign_in_host()
    copies = Match.objects.filter(code__startswith="copy-").order_by("pk")
    tables = iter(list(copies[: 3 * ROUNDS]))
    player = Place.objects.exclude(match=match).select_related("player").latest("pk").player
    assert player
    at_home = signed_in(player)

    def get(client: "Client", name: str, *args: object) -> None:
        answer = client.get(reverse(name, args=args))
        assert answer.status_code == 200, (name, answer.status_code)

    def move() -> None:
        next(fixtures.measure_cold_moves(next(tables)))

    def time_out() -> None:
        table = next(tables)
        table.waits.update(due_at=fixtures.NOW, remind_at=None)
        assert timeouts.time_out_all(fixtures.NOW) == 1

    return {
        "a sweep with nothing due": lambda: fixtures.sweep(0),
        "a time-out": time_out,
        "a move": move,
        "my games": lambda: get(at_home, "my-games"),
        "the front page": lambda: get(anybody, "home"),
        "a match's page": lambda: get(anybody, "match", match.code),
        "the office's matches": lambda: get(office, "admin:play_match_changelist"),
        "the office's letters": lambda: get(office, "admin:post_letter_changelist"),
        "the office's players": lambda: get(office, "admin:players_player_changelist"),
    }


if __name__ == "__main__":
    serve(int(sys.argv[1])) if sys.argv[1:] else main()
