"""A match that a test has started with is restored from memory, with the same rows as if friends had sat down."""

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


@pytest.mark.parametrize(("kind", "wishes"), [((), {}), (("bohnanza", "standard"), {"seats": 4, "pace": "relaxed"})])
def test_a_restored_match_has_the_rows_of_a_new_one(kind, wishes, monkeypatch):
    monkeypatch.setattr(friends, "REMEMBERED", {})
    recorded, restored, new = (rows_after(start, kind, wishes) for start in (seat_friends, seat_friends, seat))
    assert len(friends.REMEMBERED) == 1
    assert recorded == restored == new


def rows_after(start, kind, wishes):
    friends.number_on(friends.all_models())
    with transaction.atomic():
        assert list(audit.find_differences(start(*kind, **wishes))) == []
        rows = written()
        transaction.set_rollback(True)
    return rows


def test_a_second_match_is_created_beside_the_restored_one():
    first, second = seat_friends(), seat_friends()
    assert first.keeper == second.keeper
    assert first.code != second.code
