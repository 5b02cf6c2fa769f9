"""Thirty breaks in thirty modules, each of which the tests named beside it must notice.

    python -m tools.breaks            # make each in a scratch copy, run its tests there, print a table
    python -m tools.breaks locks csrf # only those whose file or topic contains one of these words

Run it before and after a change of the suite: what noticed a break must be replaced by a test of the same kind. It is
not part of CI. A break whose old text is gone must be rewritten for the code that replaced it.
"""

import os
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import NamedTuple

from tools import postgres

SQLITE, POSTGRES = "SQLite", "PostgreSQL"
TESTS_FAILED = 1  # pytest's exit code; others mean that none could run
TIMEOUT = 900  # seconds: several times what a quiet machine needs


class Break(NamedTuple):
    topic: str
    file: str
    change: str  # "old → new"; the old text stands once in the file
    tests: str  # in tests/, separated by spaces
    on: str = SQLITE


BREAKS = [
    Break(
        "rules: all pass, a fresh start",
        "games/haricots/rules.py",
        "if heir == lying.leader: → if heir == state.seat:",
        "games/haricots/test_words.py",
    ),
    Break(
        "rules: a burst brings a new hand",
        "games/fagioli/rules.py",
        "owed=HAND_SIZE → owed=HAND_SIZE - 1",
        "games/fagioli/test_the_draw_pile.py",
    ),
    Break(
        "rules: two minus cards cancel out",
        "games/pas_de_haricots/scoring.py",
        "for rank in ranks) % 2 else value → for rank in ranks) else value",
        "games/pas_de_haricots/test_scoring.py",
    ),
    Break(
        "rules: a single bean is protected",
        "games/bohnanza/fields.py",
        "single_beans_only = set(counts) == {1} → single_beans_only = set(counts) <= {0, 1}",
        "games/bohnanza/test_the_fields.py",
    ),
    Break(
        "rules: a part on the edge falls",
        "games/haricot_magique/stalk.py",
        "< joint.moment < joint.right → <= joint.moment <= joint.right",
        "games/haricot_magique/test_the_stalk.py",
    ),
    Break(
        "log: digests are chained",
        "games/verification/witness.py",
        '{previous}{seal}" → {seal}"',
        "games/verification/test_witness.py",
    ),
    Break(
        "log: every line is sealed in its place",
        "beanpost/play/log/storage.py",
        "head = witness.chain_digest(head, seal) → head = witness.chain_digest(match.head, seal)",
        "play/log/test_audit_and_export.py",
    ),
    Break(
        "log: no line is changed (trigger)",
        "beanpost/play/log/guards.py",
        "BEFORE UPDATE OR DELETE ON → BEFORE DELETE ON",
        "play/log/test_log.py",
        POSTGRES,
    ),
    Break(
        "locks: two moves at once",
        "beanpost/play/load.py",
        "return Match.objects.select_for_update().get(pk=match_id) → return Match.objects.get(pk=match_id)",
        "site/test_at_once.py::test_a_match_starts_when_the_last_two_get_ready_at_once",
        POSTGRES,
    ),
    Break(
        "locks: two senders of letters at once",
        "beanpost/post/outbox/claims.py",
        '"due_at", "pk").select_for_update(skip_locked=True) → "due_at", "pk")',
        "post/outbox/test_outbox.py::test_two_simultaneous_senders_never_get_the_same_letter",
        POSTGRES,
    ),
    Break(
        "locks: two changes of a season at once",
        "beanpost/leagues/locks.py",
        "Season.objects.select_for_update(no_key=True).filter → Season.objects.filter",
        "site/test_at_once.py::test_deciding_or_starting_a_table_waits_for_the_lock_on_its_season",
        POSTGRES,
    ),
    Break(
        "CSRF: a form from another site",
        "beanpost/settings.py",
        '"django.middleware.csrf.CsrfViewMiddleware", → # left out',
        "pages/test_safety.py::test_a_post_from_another_site_does_nothing",
    ),
    Break(
        "tickets: they expire",
        "beanpost/play/tickets/signatures.py",
        "unsign_object(text, max_age=kind.lasts) → unsign_object(text)",
        "pages/test_tickets.py::test_an_expired_ticket_opens_nothing",
    ),
    Break(
        "tickets: a seat's former links",
        "beanpost/play/load.py",
        "(place.seat, place.occupant) == (seat, occupant) → place.seat == seat",
        "pages/test_ticket_table.py::test_each_kind_of_ticket_acts_or_answers_410_after_each_ending",
    ),
    Break(
        "deadlines: only counted days count",
        "beanpost/play/clock.py",
        "if pace.is_counted(today): → if today:",
        "play/test_clock.py",
    ),
    Break(
        "deadlines: our outages cost nobody time",
        "beanpost/play/timekeeping/timeouts.py",
        "if credit_outage(loaded, wait, now, recorded_outages): → if False:",
        "play/timekeeping/test_absence.py::test_an_outage_extends_deadlines_and_causes_no_burst_of_timeouts",
    ),
    Break(
        "deadlines: no reminder for players who want none",
        "beanpost/play/timekeeping/reminders.py",
        "if place.is_bot or not place.wants_reminders: → if place.is_bot:",
        "post/test_unsubscribe.py play/timekeeping/test_timeouts.py",
    ),
    Break(
        "outbox: strangers get one letter a day",
        "beanpost/post/outbox/unconfirmed.py",
        'letter.kind == "links_only" or not is_unconfirmed(letter) → letter.kind',
        "post/outbox/test_unconfirmed.py",
    ),
    Break(
        "mail: the quoted letter is not the reply",
        "beanpost/post/reply_parser/quotes.py",
        "lines[: min(find_marker(lines), find_first_quoted(lines))] → lines",
        "post/reply_parser/test_quote_introductions.py",
    ),
    Break(
        "mail: what kills its reader is set aside",
        "beanpost/post/receive/replies.py",
        "if reply.attempts > MAX_ATTEMPTS or → if reply.attempts > 9 * MAX_ATTEMPTS or",
        "post/reply_parser/test_limits.py::test_an_email_that_kills_its_reader_is_not_read_for_ever",
    ),
    Break(
        "secrets: a view shows one's own hand",
        "beanpost/play/perspective.py",
        "self.table.view(reader) → self.table.view(0)",
        "site/test_secrets.py::test_no_reader_learns_another_players_hand",
    ),
    Break(
        "secrets: an export of a running match",
        "beanpost/play/log/export.py",
        "None if everything or event.seat == HOUSE else → None if True else",
        "play/log/test_audit_and_export.py::test_the_export_of_a_running_match_reveals_only_public_lines",
    ),
    Break(
        "leagues: byes are shared out",
        "beanpost/leagues/draw/pairing.py",
        "key=lambda who: (past.byes[who], rung[who]) → key=lambda who: (-past.byes[who], rung[who])",
        "leagues/draw/test_pairing.py",
    ),
    Break(
        "leagues: no points for a forfeited seat",
        "beanpost/leagues/standings/scoring.py",
        "if not outcome.forfeited: → if True:",
        "leagues/standings/test_scoring.py",
    ),
    Break(
        "leagues: a player who left needs a substitute",
        "beanpost/leagues/seasons/substitutes.py",
        "Q(entry__state=Entry.State.LEFT, sitter → Q(entry__state=Entry.State.WAITING, sitter",
        "leagues/admin/test_office.py::test_a_player_who_left_before_the_start_is_listed_until_replaced",
    ),
    Break(
        "office: an organiser's own leagues only",
        "beanpost/leagues/scope.py",
        "    if user.is_superuser:\n        return rows\n    leagues →     if user:\n        return rows\n    leagues",
        "leagues/admin/test_admin.py::test_another_leagues_organiser_gets_nowhere",
    ),
    Break(
        "office: no code signs in twice",
        "beanpost/leagues/admin/second_factor.py",
        "filter(pk=factor.pk, last_step__lt=step) → filter(pk=factor.pk)",
        "leagues/admin/test_sign_in.py",
    ),
    Break(
        "erasure: letters lose their bodies",
        "beanpost/privacy/erasure.py",
        "retention.forget_letters(player) → pass",
        "site/test_forgotten.py::test_nothing_is_left_of_a_person_who_did_everything",
    ),
    Break(
        "webhooks: no host but the listed ones",
        "beanpost/leagues/webhooks/https.py",
        "place == host or → host in place or",
        "leagues/webhooks/test_webhooks.py::test_any_other_address_is_refused_with_the_names_of_the_services",
    ),
    Break(
        "pages: a league for members stays inside",
        "beanpost/pages/leagues/embeds.py",
        "league__visibility__in=PUBLISHED, cancelled → cancelled",
        "leagues/test_embeds.py::test_a_members_or_cancelled_season_is_not_published",
    ),
]


def main() -> None:
    chosen = [one for one in BREAKS if matches(one, sys.argv[1:])]
    with tempfile.TemporaryDirectory() as folder, postgres.find_or_start() as server:
        scratch = copy_to(Path(folder))
        if not server:
            chosen = [one for one in chosen if one.on == SQLITE]
            print("LEFT OUT: the breaks on PostgreSQL, which is not here.")
        unnoticed = [one for one in chosen if not try_break(scratch, one, server)]
    print(f"{len(chosen) - len(unnoticed)} of {len(chosen)} breaks were noticed.")
    sys.exit(bool(unnoticed))


def matches(one: Break, words: list[str]) -> bool:
    return not words or any(word.lower() in f"{one.topic} {one.file}".lower() for word in words)


def copy_to(folder: Path) -> Path:
    """Copy every file that git does not ignore, as it is now."""
    listed = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    for name in filter(None, listed.split("\0")):
        if Path(name).is_file():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(name, folder / name)
    return folder


def try_break(scratch: Path, one: Break, server: str | None) -> bool:
    """Make a break, run its tests, restore the file, and print a row."""
    file, began = scratch / one.file, time.monotonic()
    whole, verdict, test = file.read_text(), "STALE", "the old text is not there once"
    old, new = one.change.split(" → ")
    if whole.count(old) == 1:
        write(file, whole.replace(old, new), BREAKS.index(one))
        verdict, test = run_tests(scratch, one, server)
        write(file, whole, len(BREAKS))
    print(f"{verdict:9} {one.topic:46} {one.file:43} {one.on:10} {time.monotonic() - began:4.0f} s  {test}", flush=True)
    return verdict == "noticed"


def write(file: Path, text: str, when: int) -> None:
    """Write a file with a time of its own: Python would take another text of the same size and second for the same."""
    file.write_text(text)
    os.utime(file, (when, when))


def run_tests(scratch: Path, one: Break, server: str | None) -> tuple[str, str]:
    """Run a break's tests until one fails. Return a verdict, and the test that failed."""
    places = [f"tests/{place}" for place in one.tests.split()]
    command = [sys.executable, "-m", "pytest", "-q", "-x", "-n0", "--tb=no", "-m", "not browser", *places]
    environment = os.environ | {"DATABASE_URL": server or "" if one.on == POSTGRES else ""}
    environment.pop("PYTHONDONTWRITEBYTECODE", None)
    try:
        done = subprocess.run(
            command, cwd=scratch, env=environment, capture_output=True, text=True, timeout=TIMEOUT, check=False
        )
    except subprocess.TimeoutExpired:
        return "HANGS", ""
    failed = [line for line in done.stdout.splitlines() if line.startswith("FAILED")]
    if done.returncode == TESTS_FAILED and failed:
        return "noticed", failed[0].removeprefix("FAILED ")
    return ("UNNOTICED" if done.returncode == 0 else "NOT RUN"), ""


if __name__ == "__main__":
    main()
