"""The office's list of matches: what it takes to open with 100,000 of them, against an empty one."""

import time

from bench.figures import effort, figure
from bench.house import NOW, opened

from django.contrib.auth import get_user_model  # isort: skip
from django.db import connection  # isort: skip
from django.test import Client  # isort: skip
from django.test.utils import CaptureQueriesContext  # isort: skip
from django.urls import reverse  # isort: skip

from beanpost.play.models import Match  # isort: skip
from beanpost.players import book  # isort: skip


def fill(count: int) -> None:
    keeper = book.welcome("keeper@example.org", now=NOW)
    common = {"game": "haricots", "edition": 1, "variant": "basic", "seats": 3, "keeper": keeper, "opened_at": NOW}
    fresh = (Match(code=f"bench{n}", allowance=NOW - NOW, commitment="x", **common) for n in range(count))
    Match.objects.bulk_create(fresh, batch_size=2000)


def look(client: Client) -> tuple[float, int]:
    """How long the list takes in milliseconds, and how many queries it makes."""
    with CaptureQueriesContext(connection) as queries:
        began = time.perf_counter()
        answer = client.get(reverse("admin:play_match_changelist"))
        took = 1000 * (time.perf_counter() - began)
    if answer.status_code != 200:
        raise RuntimeError(f"The list of matches answers {answer.status_code}.")
    return took, len(queries)


def main() -> None:
    with opened():
        client = Client()
        host = get_user_model().objects.create_superuser("host", password="beans")
        client.force_login(host, backend="django.contrib.auth.backends.ModelBackend")
        look(client)
        empty, few = look(client)
        count = effort(100_000)
        fill(count)
        took, many = look(client)
        figure("the list of matches, empty", empty, "ms")
        figure(f"the list of {count:,} matches", took, "ms")
        figure("the same, against the empty list", took / empty, "times")
        figure("queries, empty", few, "")
        figure(f"queries, {count:,} matches", many, "", at_most=few + 2)


if __name__ == "__main__":
    main()
