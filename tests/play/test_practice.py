"""A guest's practice match: dealt with one press, without letters, and deleted after two weeks."""

from datetime import timedelta

import pytest
from django.core.exceptions import ValidationError
from django.core.management import call_command
from django.db import DatabaseError, connection, transaction

from beanpost.play import automatic_players, practice
from beanpost.play.models import Event, Match
from beanpost.players.models import Player
from beanpost.post.models import Letter
from tests.friends import NOON, seat_friends

pytestmark = pytest.mark.django_db


def begin(game="haricots", *, visitor="192.0.2.7", now=NOON):
    return practice.begin(game, visitor=visitor, language="en", now=now)


@pytest.mark.parametrize("game", practice.find_offered_games())
def test_a_guest_plays_against_bots_and_gets_no_letters(game):
    match = begin(game)
    assert match.phase == Match.Phase.RUNNING
    assert [place.player_id is None for place in match.places.all()] == [False, True, True]
    assert match.keeper.guest
    assert not Letter.objects.exists()


@pytest.mark.parametrize("game", practice.find_offered_games())
def test_bots_that_pause_after_many_lines_continue_until_the_guest_is_asked(game, monkeypatch):
    monkeypatch.setattr(automatic_players, "MAX_AUTOMATIC", 1)
    match = begin(game)
    assert match.waits.filter(seat=match.places.get(player=match.keeper).seat).exists()


def test_a_guests_ip_address_is_not_stored():
    begin()
    assert not Player.objects.filter(address__contains="192.0.2.7").exists()


def test_practice_matches_are_rate_limited_per_visitor(monkeypatch):
    monkeypatch.setattr(practice, "MAX_AN_HOUR", 2)
    begin()
    begin()
    with pytest.raises(ValidationError, match="come back later"):
        begin()
    assert begin(visitor="192.0.2.8").pk
    assert begin(now=NOON + timedelta(hours=2)).pk


@pytest.mark.parametrize("game", ["", "chess", "haricots/sprint"])
def test_only_known_games_can_be_practised(game):
    with pytest.raises(ValidationError):
        begin(game)


def test_old_practice_matches_are_deleted_and_nothing_else():
    real, old, fresh = seat_friends(), begin(), begin(now=NOON + timedelta(days=10))
    assert practice.prune(NOON + practice.KEPT + timedelta(hours=1)) == 1
    assert set(Match.objects.all()) == {real, fresh}
    assert not Event.objects.filter(match_id=old.pk).exists()
    assert not Player.objects.filter(pk=old.keeper_id).exists()
    assert real.events.count() == real.length


def test_a_match_that_cannot_be_deleted_does_not_stop_the_others(caplog):
    stuck, other = begin(), begin()
    Letter.objects.create(recipient=stuck.keeper, match=stuck, kind="turn", key="odd", created_at=NOON, due_at=NOON)
    assert practice.prune(NOON + practice.KEPT + timedelta(hours=1)) == 1
    assert set(Match.objects.all()) == {stuck}
    assert stuck.events.count() == stuck.length
    assert not Player.objects.filter(pk=other.keeper_id).exists()
    assert f"The practice table {stuck.pk} was put off: ProtectedError" in caplog.text


def test_a_match_that_was_just_deleted_is_skipped():
    match = begin()
    assert practice.remove(match.pk)
    assert not practice.remove(match.pk)


def test_the_command_deletes_all_old_practice_matches(capsys):
    begin(now=NOON - timedelta(days=400))
    begin(now=NOON - timedelta(days=400))
    call_command("prune")
    assert "2 practice tables were removed." in capsys.readouterr().out


def test_the_database_allows_deleting_practice_lines_only():
    begin()
    real = seat_friends()
    with connection.cursor() as cursor:
        cursor.execute("DELETE FROM play_event WHERE practice")
    for statement in ("UPDATE play_event SET practice = NOT practice", "DELETE FROM play_event"):
        with pytest.raises(DatabaseError, match="never changed"), transaction.atomic(), connection.cursor() as cursor:
            cursor.execute(statement)
    assert Event.objects.count() == real.length
