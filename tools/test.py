"""Run the whole suite: on SQLite, in a browser, on PostgreSQL. Anything that cannot run is announced."""

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from tools import chromium, postgres

# Tests that do not depend on the kind of database run on SQLite alone: rules, arithmetic of the clock, rendering of
# tables and letters, the reading of emails, and requests that are refused before any query.
ON_SQLITE = (
    "games",
    "scenarios",
    "site/test_allowed_files.py",
    "site/test_architecture.py",
    "site/test_bohnanza_by_post.py",
    "site/test_catalogues.py",
    "site/test_checks.py",
    "site/test_columns.py",
    "site/test_container.py",
    "site/test_contributing.py",
    "site/test_deploy.py",
    "site/test_error_reports.py",
    "site/test_every_address.py",
    "site/test_every_letter.py",
    "site/test_formats.py",
    "site/test_haricot_magique_by_post.py",
    "site/test_headers.py",
    "site/test_hostile.py",
    "site/test_hostile_mail.py",
    "site/test_languages.py",
    "site/test_logs.py",
    "site/test_pace.py",
    "site/test_pictures.py",
    "site/test_queue.py",
    "site/test_secrets.py",
    "site/test_settings.py",
    "site/test_stored.py",
    "site/test_tooling.py",
    "leagues/draw",
    "leagues/standings",
    "pages/hosts/test_demo_mailboxes.py",
    "pages/hosts/test_texts.py",
    "pages/seats/test_compose_form.py",
    "pages/seats/test_practice.py",
    "pages/seats/test_stacking.py",
    "pages/test_cards.py",
    "pages/test_counting.py",
    "pages/test_errors.py",
    "pages/test_safety.py",
    "pages/test_templates.py",
    "pages/test_tickets.py",
    "play/display/games/test_picture.py",
    "play/display/games/test_side_view.py",
    "play/display/test_durations.py",
    "play/display/test_options.py",
    "play/display/test_tables.py",
    "play/test_clock.py",
    "play/test_numbers.py",
    "post/compose",
    "post/receive/test_daily_replies.py",
    "post/receive/test_former_labels.py",
    "post/receive/test_inbound.py",
    "post/receive/test_mail_server.py",
    "post/receive/test_move_and_order.py",
    "post/receive/test_returned_mail.py",
    "post/reply_parser",
    "post/test_mime.py",
    "post/test_postcheck.py",
)
# Tests of plain ORM code run once: on PostgreSQL, the stricter of the two, where there is one. On SQLite the browser
# tests and the demo still go through these pages. Tests of code that locks rows run on both.
ON_POSTGRES = (
    "leagues/admin",
    "leagues/bulk",
    "leagues/mail",
    "leagues/people",
    "leagues/seasons",
    "leagues/test_accounts.py",
    "leagues/test_embeds.py",
    "leagues/test_pages.py",
    "leagues/test_readers.py",
    "leagues/webhooks",
    "pages/api",
    "pages/hosts/test_health.py",
    "pages/players",
    "pages/seats/test_absences.py",
    "pages/seats/test_at_table.py",
    "pages/seats/test_joining.py",
    "pages/seats/test_move.py",
    "pages/seats/test_notes_between_moves.py",
    "pages/seats/test_seat.py",
    "pages/seats/test_standing_orders.py",
    "pages/test_strangers.py",
    "pages/test_whereabouts.py",
    "pages/visitors",
    "play/seats",
    "play/test_missing_games.py",
    "play/test_practice.py",
    "play/timekeeping/test_absence.py",
    "post/notify",
    "post/outbox/test_unconfirmed.py",
    "post/receive/test_plans.py",
    "post/receive/test_replies.py",
    "post/test_admin.py",
    "post/test_orders.py",
    "post/test_preferences.py",
    "post/test_unsubscribe.py",
)
SQLITE, CHROMIUM, POSTGRES = "SQLite", "Chromium", "PostgreSQL"
SHARED = ("--dist=worksteal",)  # an idle worker takes tests from one that is stuck behind slow ones
NO_TESTS_COLLECTED = 5  # pytest's exit code for an empty selection
MAX_SECONDS = 25 * 60  # seconds for a pass: several times what a slow machine needs
CLEAN_UP_SECONDS = 10  # seconds for processes to clean up


def main() -> None:
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))  # exit normally, so that everything is cleaned up
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)  # let each pass use the bytecode of the one before
    browser = chromium.find_or_install()
    with postgres.find_or_start() as database:
        announce_left_out(browser, database)
        passes = dict(plan_passes(browser, database))
        passed: list[str] = []
        try:
            for name, words in passes.items():
                if name == POSTGRES and database:
                    os.environ["DATABASE_URL"] = database
                run_pass(f"Running the suite on {name}.", *words)
                passed.append(name)
        finally:
            print(format_summary([*passes], passed, os.environ["BEANPOST_LEFT_OUT"].replace("\n", " ")), flush=True)


def plan_passes(browser: str | None, database: str | None) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Yield the name of each pass that can run, with pytest's options."""
    # Three processes on two cores: some tests mostly wait, for a server to start or for a timeout.
    yield SQLITE, ("-n3", *SHARED, "-m", "not browser", *(ignore_places(ON_POSTGRES) if database else ()))
    if browser:
        # One file per worker, so that tests/site/test_whole_way.py starts its installation once.
        # A failed test runs once more, in this pass alone, and is reported: docs/proof.md says why.
        again = ("--reruns=1", "--rerun-show-tracebacks")
        yield CHROMIUM, ("-n2", "--dist=loadfile", *again, "-m", "browser", *find_browser_tests())
    if database:
        # Three again: while one waits for the database, another runs.
        yield POSTGRES, ("-n3", *SHARED, "-m", "not browser and not own_process", "tests", *ignore_places(ON_SQLITE))


def format_summary(names: list[str], passed: list[str], left_out: str) -> str:
    """Say what ran, what did not, and what to do about it."""
    if passed == names:
        return f"Ran on {', '.join(passed)}: all passed. {left_out or 'Nothing was left out.'}"
    failed, *rest = names[len(passed) :]
    not_run = f" Not run: {', '.join(rest)}." if rest else ""
    return f"FAILED on {failed}.{not_run} Fix what is reported above, then run make test again. {left_out}".strip()


def ignore_places(places: tuple[str, ...]) -> tuple[str, ...]:
    """Return pytest's options that leave these files and folders of tests/ out."""
    return tuple(f"--ignore=tests/{place}" for place in places)


def announce_left_out(browser: str | None, database: str | None) -> None:
    """Announce what will be left out, now and above the last line of every pass. In CI, fail instead."""
    os.environ.pop("DATABASE_URL", None)  # set again for the PostgreSQL pass only
    left_out = []
    if not browser:
        left_out.append(f"The browser tests are LEFT OUT. They need: {chromium.HINT}")
    if not database:
        left_out.append(
            "The PostgreSQL tests are LEFT OUT. It needs: apt-get install postgresql, or a server named by DATABASE_URL"
        )
    print(*left_out, sep="\n", flush=True)
    if left_out and os.environ.get("CI", "").lower() in ("true", "1"):
        sys.exit("In CI nothing may be left out.")
    os.environ["BEANPOST_LEFT_OUT"] = "\n".join(left_out)


def find_browser_tests() -> list[str]:
    """Return the files with browser tests: collecting all the others takes longer than some of the tests."""
    files = Path("tests").rglob("test_*.py")
    return sorted(str(file) for file in files if "endurance" not in file.parts and "mark.browser" in file.read_text())


def run_pass(sentence: str, *words: str) -> None:
    """Run one pass of pytest. The first failure ends the run, so that the last lines tell the result."""
    print(sentence, flush=True)
    tests = subprocess.Popen([sys.executable, "-m", "pytest", "-q", "-rs", *words], process_group=0)
    # Pass Ctrl-C to pytest, which removes its databases.
    signal.signal(signal.SIGINT, lambda *_: signal_group(tests, signal.SIGINT))
    try:
        passed = tests.wait(MAX_SECONDS)
    except subprocess.TimeoutExpired:
        sys.exit(f"This pass has FAILED: after {MAX_SECONDS // 60} minutes it was still running.")
    finally:
        end_processes(tests)
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
