"""Anyone can prove afterwards that nothing was changed."""

import json
from io import StringIO

import pytest
from django.core.management import CommandError, call_command
from django.db import connection

from beanpost.play import moves
from beanpost.play.log import guards
from beanpost.play.log.export import export_match
from beanpost.play.models import Event, Match, Vault
from beanpost.play.turns import endings
from tests.friends import NOON, seat_friends
from tests.play.test_moves import play_to_the_end, press

pytestmark = pytest.mark.django_db


def audit() -> str:
    out = StringIO()
    call_command("audit", stdout=out, stderr=out)
    return out.getvalue()


def tamper(statement: str) -> None:
    guards.lift(connection)
    with connection.cursor() as cursor:
        cursor.execute(statement)
    guards.set_up(connection)


def test_an_untouched_match_has_no_differences():
    play_to_the_end(seat_friends())
    assert audit() == "1 matches, 4 events replayed, 0 differ\n"


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE play_event SET line = 'play 6' WHERE seq = 3",
        "UPDATE play_event SET said_at = '2026-01-01 00:00:00+00:00' WHERE seq = 3",
        "UPDATE play_event SET origin = 'clock' WHERE seq = 3",
        "DELETE FROM play_event WHERE seq = 3",
        "UPDATE play_match SET head = 'beef'",
        "UPDATE play_match SET commitment = 'beef'",
        "UPDATE play_match SET dealt = 7",
        "UPDATE play_place SET word = 'other' WHERE seat = 1",
    ],
)
def test_the_audit_finds_any_tampering(statement):
    press(seat_friends(), line="pass")
    tamper(statement)
    with pytest.raises(CommandError):
        audit()


def test_the_audit_can_leave_out_matches_that_ended_long_ago():
    match, other = seat_friends(), seat_friends()
    out = StringIO()
    endings.annul(match, Event.Origin.ORGANISER, NOON)
    for day in ("2026-11-16", "2026-11-17"):  # they began on the 16th
        call_command("audit", "--since", day, stdout=out)
    assert [line.partition(" ")[0] for line in out.getvalue().splitlines()] == ["2", "1"]
    assert other.ended_at is None


def test_the_audit_finds_a_wrong_stored_state():
    match = seat_friends()
    Vault.objects.filter(match=match).update(memory=Vault.objects.get().memory.replace("true", "false"))
    with pytest.raises(CommandError):
        audit()


def test_the_export_of_a_running_match_reveals_only_public_lines():
    match = seat_friends()
    press(match, line="pass")
    match.refresh_from_db()
    start, shuffle, passed = export_match(match, None)["entries"]
    assert start["line"].startswith("start")
    assert passed["line"] == "pass"
    assert shuffle["heard"] == "shuffle …"
    assert "nonce" not in shuffle
    assert "line" not in shuffle
    assert "secret" not in export_match(match, None)


def test_the_export_of_an_ended_match_reveals_everything():
    content = export_match(play_to_the_end(seat_friends()), None)
    assert all("line" in entry and "nonce" in entry for entry in content["entries"])
    assert bytes.fromhex(content["secret"]).startswith(b"the same deal")
    assert content["result"]["ranks"]


def test_the_export_command_finds_a_match_by_code_or_number(tmp_path):
    match = seat_friends()
    for named in (match.code, str(match.pk)):
        out = StringIO()
        call_command("export", named, stdout=out)
        assert json.loads(out.getvalue())["card"]["match"] == match.code
    with pytest.raises(CommandError):
        call_command("export", "nothing")


def test_a_move_makes_the_same_number_of_queries_late_in_a_match_as_early(django_assert_max_num_queries):
    match = seat_friends(variant="basic")
    for _ in range(40):
        wait = match.waits.get()
        with django_assert_max_num_queries(24):
            moves.play(match.pk, wait.seat, "pass", origin="player", question=wait.opened, now=NOON)
        match = Match.objects.get(pk=match.pk)
        if match.phase != "running":
            break
    assert match.length > 15
