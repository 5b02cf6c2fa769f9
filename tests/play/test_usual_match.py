"""Rows that earlier tests have built are restored from memory, and are the same as if they were built anew."""

import pytest
from django.db import transaction

from beanpost.play.log import audit
from beanpost.play.models import Match
from tests import restored
from tests.friends import NOON, seat_friends, welcome
from tests.leagues.office import fill_season, found_league, start_round

pytestmark = pytest.mark.django_db


def start_season():
    return start_round(fill_season(found_league(), 3, size=3, rounds=1), begin=True)


@pytest.mark.time_machine(NOON, tick=False)
@pytest.mark.parametrize("build", [seat_friends, start_season])
def test_restored_rows_are_those_of_a_new_start(build, monkeypatch):
    monkeypatch.setattr(restored, "MEMORY", {})
    new, recorded, again = (find_rows_after(build) for _ in range(3))
    assert all(restored.MEMORY.values())
    assert new == recorded == again


def find_rows_after(build):
    restored.number_on(restored.find_rows())
    with transaction.atomic():
        restored.begin_test()
        build()
        assert not any(map(list, map(audit.find_differences, Match.objects.all())))
        rows = restored.find_rows()
        transaction.set_rollback(True)
    return rows


def test_a_second_match_is_created_beside_the_restored_one():
    first, second = seat_friends(), seat_friends()
    assert first.keeper == second.keeper
    assert first.code != second.code


def test_nothing_is_restored_beside_a_row_of_the_tests_own():
    seat_friends()
    assert restored.find_past()
    welcome("Zoe")
    assert restored.find_past() is None
