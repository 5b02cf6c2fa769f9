"""The log is append-only: the model refuses changes, and so does the database."""

import pytest
from django.db import DatabaseError, connection, transaction

from beanpost.play.log import storage
from beanpost.play.models import Event, LogIsFinal, Vault
from games.verification import witness
from tests.friends import NOON, seat_friends

pytestmark = pytest.mark.django_db


def test_a_line_cannot_be_changed_or_deleted_through_the_model():
    event = seat_friends().events.get(seq=1)
    event.line = "start C"
    for attempt in (event.save, event.delete, Event.objects.all().delete, lambda: Event.objects.update(line="x")):
        with pytest.raises(LogIsFinal):
            attempt()
    assert Event.objects.get(seq=1).line.startswith("start")


@pytest.mark.parametrize("statement", ["UPDATE play_event SET line = 'start C'", "DELETE FROM play_event"])
def test_a_line_cannot_be_changed_or_deleted_behind_the_models_back(statement):
    before = list(seat_friends().events.values_list())
    with pytest.raises(DatabaseError, match="never changed"), transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(statement)
    assert list(Event.objects.values_list()) == before


@pytest.mark.postgres
@pytest.mark.django_db(transaction=True)
def test_the_log_cannot_be_truncated():
    seat_friends()
    with pytest.raises(DatabaseError, match="never changed"), transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("TRUNCATE play_event CASCADE")


def test_each_digest_follows_from_the_previous_one_and_a_sealed_line():
    match = seat_friends()
    secret = bytes(Vault.objects.get(match=match).secret)
    [first, second] = match.events.all()
    sealed = witness.compute_seal(
        witness.compute_nonce(secret, 2), 2, -1, second.line, "dealer", "2026-11-16T12:00:00Z"
    )
    assert second.digest == witness.chain_digest(first.digest, sealed)
    assert match.head == second.digest


def test_no_representation_of_the_vault_shows_the_secret():
    vault = Vault.objects.get(match=seat_friends())
    assert vault.memory
    for text in (repr(vault), str(vault), repr([vault]), f"{vault}"):
        assert bytes(vault.secret).hex() not in text
        assert vault.memory not in text


def test_an_outdated_or_broken_stored_state_is_ignored():
    match = seat_friends()
    vault = Vault.objects.get(match=match)
    truth = storage.replay_log(match)
    assert storage.restore_table(match, vault) == truth
    for memory, remembered in (("", 0), (vault.memory, 1), ("[]", 2), ('["haricots",9,3,"sprint",{"Gone":[]}]', 2)):
        vault.memory, vault.remembered = memory, remembered
        assert storage.restore_table(match, vault) == truth


def test_log_times_are_stored_in_whole_seconds():
    match = seat_friends(now=NOON.replace(microsecond=123_456))
    assert {event.said_at.microsecond for event in match.events.all()} == {0}
