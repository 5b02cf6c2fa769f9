"""The match that most tests start with is restored from memory, with the same rows as if friends had sat down."""

import pytest
from django.db import transaction

from beanpost.play.log import audit
from tests import friends
from tests.friends import seat, seat_friends

pytestmark = pytest.mark.django_db

DIFFERENT = {"code", "digest", "head", "_state"}  # the code is random and sealed into the log


def written() -> dict[str, list[dict[str, object]]]:
    return {
        model.__name__: [{name: value for name, value in vars(row).items() if name not in DIFFERENT} for row in rows]
        for model, rows in friends.all_rows().items()
    }


def test_a_restored_match_has_the_rows_of_a_new_one():
    with transaction.atomic():
        assert list(audit.differences(seat_friends())) == []
        laid = written()
        transaction.set_rollback(True)
    friends.number_on()
    seat()
    assert written() == laid


def test_a_second_match_is_created_beside_the_restored_one():
    first, second = seat_friends(), seat_friends()
    assert first.keeper == second.keeper
    assert first.code != second.code
