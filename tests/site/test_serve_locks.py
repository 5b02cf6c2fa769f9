"""One `serve` without a broker at a time on a PostgreSQL database, wherever it runs."""

import pytest
from django.core.management import CommandError

from beanpost.management.commands.serve import lock_database

pytestmark = [pytest.mark.postgres, pytest.mark.django_db]


def test_a_second_server_on_the_same_database_gets_a_sentence():
    with (
        lock_database(),
        pytest.raises(CommandError, match=r"already using the database .*change DATABASE_URL"),
        lock_database(),
    ):
        pass
    with lock_database():
        pass


@pytest.mark.parametrize("shared", [{"CELERY_BROKER_URL": "redis://"}, {"DATABASE_BEHIND_POOLER": True}])
def test_several_machines_with_a_broker_or_a_pooler_share_a_database(settings, shared):
    for name, value in shared.items():
        setattr(settings, name, value)
    with lock_database(), lock_database():
        pass
