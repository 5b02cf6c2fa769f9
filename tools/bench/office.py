"""The admin's list of matches: the time to open it with 100,000 matches, compared to an empty list."""

import sys
import tempfile
import time
from typing import TYPE_CHECKING

from tools.bench.figures import print_figure, scale_effort
from tools.bench.moves import run_on_each_database

if TYPE_CHECKING:
    from django.test import Client

MATCHES = scale_effort(100_000)


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        run_on_each_database("tools.bench.office", folder)


def measure_on(name: str) -> None:
    """Measure everything on one database, which is created for it and removed afterwards."""
    from tests.copies import multiply  # noqa: PLC0415
    from tests.friends import seat_friends  # noqa: PLC0415
    from tools.bench import fixtures  # noqa: PLC0415 (needs the database settings)

    with fixtures.open_database():
        client = sign_in_host()
        measure_list(client)
        empty, few = measure_list(client)
        multiply(seat_friends(now=fixtures.NOW), MATCHES - 1, code="'bench' || n")
        took, many = measure_list(client)
    print_figure(f"{name}: the list of matches, empty", empty, "ms")
    print_figure(f"{name}: the list of {MATCHES:,} matches", took, "ms")
    print_figure(f"{name}: the same, against the empty list", took / empty, "times")
    print_figure(f"{name}: queries, empty", few, "")
    print_figure(f"{name}: queries, {MATCHES:,} matches", many, "", at_most=few + 2)


def sign_in_host() -> "Client":
    from django.contrib.auth import get_user_model  # noqa: PLC0415 (needs the database settings)
    from django.test import Client  # noqa: PLC0415

    from beanpost.leagues import organiser_accounts  # noqa: PLC0415
    from tools.bench.fixtures import NOW  # noqa: PLC0415

    client = Client()
    superuser = get_user_model().objects.create_superuser("host", password="beans")
    organiser_accounts.record_no(superuser, now=NOW)  # they don't play here, and so may see all letters
    client.force_login(superuser, backend="django.contrib.auth.backends.ModelBackend")
    return client


def measure_list(client: "Client") -> tuple[float, int]:
    """Return the time of the list in milliseconds, and the number of queries."""
    from django.db import connection  # noqa: PLC0415 (needs the database settings)
    from django.test.utils import CaptureQueriesContext  # noqa: PLC0415
    from django.urls import reverse  # noqa: PLC0415

    with CaptureQueriesContext(connection) as queries:
        began = time.perf_counter()
        answer = client.get(reverse("admin:play_match_changelist"))
        took = 1000 * (time.perf_counter() - began)
    if answer.status_code != 200:
        raise RuntimeError(f"The list of matches answers {answer.status_code}.")
    return took, len(queries)


if __name__ == "__main__":
    measure_on(sys.argv[1]) if sys.argv[1:] else main()
