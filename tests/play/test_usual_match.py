"""The match that most tests begin with is laid from memory: as it would be if friends had sat down."""

import pytest
from django.db import transaction

from beanpost.play import audit
from tests import friends
from tests.friends import seat, seat_friends

pytestmark = pytest.mark.django_db

DIFFERENT = {"code", "digest", "head", "_state"}  # the code is drawn by chance and sealed with the log


def written() -> dict[str, list[dict[str, object]]]:
    return {
        model.__name__: [{name: value for name, value in vars(row).items() if name not in DIFFERENT} for row in rows]
        for model, rows in friends.all_rows().items()
    }


def test_what_is_laid_is_what_would_be_written():
    with transaction.atomic():
        assert list(audit.differences(seat_friends())) == []
        laid = written()
        transaction.set_rollback(True)
    friends.number_on()
    seat()
    assert written() == laid


def test_a_second_match_is_seated_beside_it():
    first, second = seat_friends(), seat_friends()
    assert first.keeper == second.keeper
    assert first.code != second.code
