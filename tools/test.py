"""Run the suite: on SQLite, in a browser, and on PostgreSQL what PostgreSQL can break. Announce what cannot run.

`python -m tools.test all` runs everything on PostgreSQL, too.
"""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from tools import chromium, postgres

# What PostgreSQL can break: locks, constraints, SKIP LOCKED, our own SQL, migrations, collation. Files that mark a test
# with `postgres` belong here. Everything else only uses the ORM and runs once, on SQLite in memory, which is faster;
# `make test-all` runs everything on both.
ON_POSTGRES = (
    "leagues/admin/test_cockpit.py::test_the_green_button_leads_through_a_whole_season",
    "leagues/mail/test_contacts.py::test_an_address_is_used_once_its_reader_agrees",
    "leagues/seasons/test_corrections.py::test_a_season_deleted_twice_at_once_is_deleted_once",
    "leagues/seasons/test_corrections.py::test_two_organisers_who_annul_at_once_open_one_new_match",
    "leagues/seasons/test_keepers.py::test_an_organiser_becomes_the_keeper_with_one_press",
    "leagues/seasons/test_seasons.py::test_a_match_may_end_while_ratings_are_recomputed",
    "leagues/seasons/test_seasons.py::test_ratings_are_recomputed_again_after_a_concurrent_change",
    "leagues/seasons/test_tables.py::test_junk_in_any_field_of_any_action_is_refused_without_an_error",
    "leagues/seasons/test_tables.py::test_the_first_of_two_simultaneous_decisions_wins",
    "leagues/test_accounts.py::test_an_organiser_proves_which_player_they_are_by_signing_in_as_that_player",
    "leagues/test_readers.py::test_a_match_leads_only_readers_to_a_league_that_is_not_public",
    "leagues/webhooks",
    "pages/api",
    "pages/hosts/test_health.py",
    "pages/players/test_privacy.py::test_deletion_leaves_a_pseudonym_and_no_other_trace",
    "pages/players/test_privacy.py::test_letters_claimed_during_a_deletion_do_not_name_the_player",
    "pages/players/test_privacy.py::test_the_export_contains_all_of_a_players_data_and_nobody_elses",
    "pages/seats/test_at_table.py::test_being_there_is_stored_at_most_once_a_minute",
    "pages/seats/test_joining.py::test_a_seat_declined_at_the_same_moment_cannot_be_taken",
    "pages/seats/test_joining.py::test_two_simultaneous_presses_open_one_match",
    "pages/seats/test_move.py::test_a_press_plays_the_line_and_names_the_next_player",
    "pages/seats/test_move.py::test_two_simultaneous_clicks_give_one_move_and_one_already_played",
    "pages/test_whereabouts.py",
    "pages/visitors/test_lists.py",
    "play/log",
    "play/seats/test_forgotten_seats.py",
    "play/seats/test_lifecycle.py",
    "play/seats/test_rematch.py",
    "play/seats/test_rewind.py",
    "play/test_admin.py",
    "play/test_market.py",
    "play/test_moves.py",
    "play/test_pooling.py",
    "play/test_practice.py",
    "play/timekeeping",
    "play/turns",
    "post/deliver",
    "post/outbox",
    "post/receive/test_replies.py::test_a_reply_that_another_reader_has_read_is_left_unchanged",
    "post/receive/test_replies.py::test_the_same_email_twice_plays_once",
    "post/receive/test_replies.py::test_two_simultaneous_readers_read_a_reply_once",
    "post/receive/test_too_many.py",
    "post/test_admin.py",
    "post/test_unsubscribe.py",
    "site/test_at_once.py",
    "site/test_clock.py",
    "site/test_erase.py",
    "site/test_export.py",
    "site/test_forgotten.py",
    "site/test_hostile_requests.py",
    "site/test_crashes.py",
    "site/test_hosting_statements.py",
    "site/test_migrations.py",
    "site/test_monitoring.py",
    "site/test_move_database.py",
    "site/test_query_plans.py",
    "site/test_serve_locks.py",
    "site/test_storage_limits.py",
)
SQLITE, CHROMIUM, POSTGRES = "SQLite", "Chromium", "PostgreSQL"
SHARED = ("--dist=worksteal",)  # an idle worker takes tests from one that is stuck behind slow ones
NO_TESTS_COLLECTED = 5  # pytest's exit code for an empty selection
MAX_SECONDS = 40 * 60  # seconds for a pass: several times what a quiet machine needs
CLEAN_UP_SECONDS = 10  # seconds for processes to clean up


def main() -> None:
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))  # exit normally, so that everything is cleaned up
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)  # let each pass use the bytecode of the one before
    browser = chromium.find_or_install()
    with postgres.find_or_start() as database:
        announce_left_out(browser, database)
        passes = dict(plan_passes(browser, database, everything=sys.argv[1:] == ["all"]))
        passed: list[str] = []
        try:
            for name, words in passes.items():
                if name == POSTGRES and database:
                    os.environ["DATABASE_URL"] = database
                run_pass(f"Running the suite on {name}.", *words)
                passed.append(name)
        finally:
            print(format_summary([*passes], passed, os.environ["BEANPOST_LEFT_OUT"].replace("\n", " ")), flush=True)


def plan_passes(
    browser: str | None, database: str | None, *, everything: bool = False
) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Yield the name of each pass that can run, with pytest's options."""
    # Three processes on two cores: some tests mostly wait, for a server to start or for a timeout.
    yield SQLITE, ("-n3", *SHARED, "-m", "not browser")
    if browser:
        # One file per worker, so that tests/site/test_whole_way.py starts its installation once.
        # A failed test runs once more, in this pass alone, and is reported: docs/proof.md says why.
        again = ("--reruns=1", "--rerun-show-tracebacks")
        yield CHROMIUM, ("-n2", "--dist=loadfile", *again, "-m", "browser", *find_browser_tests())
    if database:
        # Three again: while one waits for the database, another runs.
        places = ("tests",) if everything else tuple(f"tests/{place}" for place in ON_POSTGRES)
        yield POSTGRES, ("-n3", *SHARED, "-m", "not browser and not own_process", *places)


def format_summary(names: list[str], passed: list[str], left_out: str) -> str:
    """Say what ran, what did not, and what to do about it."""
    if passed == names:
        return f"Ran on {', '.join(passed)}: all passed. {left_out or 'Nothing was left out.'}"
    failed, *rest = names[len(passed) :]
    not_run = f" Not run: {', '.join(rest)}." if rest else ""
    return f"FAILED on {failed}.{not_run} Fix what is reported above, then run make test again. {left_out}".strip()


def announce_left_out(browser: str | None, database: str | None) -> None:
    """Announce what will be left out, now and above the last line of every pass. In CI, fail instead."""
    os.environ.pop("DATABASE_URL", None)  # set again for the PostgreSQL pass only
    left_out = []
    if not browser:
        left_out.append(f"The browser tests are LEFT OUT. They need: {chromium.HINT}")
    if not database:
        left_out.append(f"The PostgreSQL tests are LEFT OUT. They need: {postgres.HINT}")
    print(*left_out, sep="\n", flush=True)
    if left_out and postgres.is_ci():
        sys.exit("In CI nothing may be left out.")
    os.environ["BEANPOST_LEFT_OUT"] = "\n".join(left_out)


def find_browser_tests() -> list[str]:
    """Return the files with browser tests: collecting all the others takes longer than some of the tests."""
    files = Path("tests").rglob("test_*.py")
    return sorted(str(file) for file in files if "endurance" not in file.parts and "mark.browser" in file.read_text())


def run_pass(sentence: str, *words: str) -> None:
    """Run one pass of pytest. The first failure ends the run, so that the last lines tell the result."""
    print(sentence, flush=True)
    began = time.monotonic()
    tests = subprocess.Popen([sys.executable, "-m", "pytest", "-q", "-rs", *words], process_group=0)
    # Pass Ctrl-C to pytest, which removes its databases.
    signal.signal(signal.SIGINT, lambda *_: signal_group(tests, signal.SIGINT))
    try:
        passed = tests.wait(MAX_SECONDS)
    except subprocess.TimeoutExpired:
        sys.exit(f"This pass has FAILED: after {MAX_SECONDS // 60} minutes it was still running.")
    finally:
        end_processes(tests)
    print(f"This pass took {(time.monotonic() - began) / 60:.1f} minutes.", flush=True)
    if passed not in (0, NO_TESTS_COLLECTED):
        sys.exit(passed)


def end_processes(tests: subprocess.Popen[bytes]) -> None:
    """End everything that a pass has left behind: hanging workers, servers, browsers."""
    signal_group(tests, signal.SIGTERM)
    with suppress(subprocess.TimeoutExpired):
        tests.wait(CLEAN_UP_SECONDS)
    signal_group(tests, signal.SIGKILL)


def signal_group(tests: subprocess.Popen[bytes], number: signal.Signals) -> None:
    with suppress(ProcessLookupError):  # they have all ended
        os.killpg(tests.pid, number)


if __name__ == "__main__":
    main()
