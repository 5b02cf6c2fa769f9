"""Print which of our files and functions a click and a letter pass: python -m tools.walk

A click is a GET of a letter's link, the POST of its move and the GET of the page it leads to. A letter is one run of
the worker, which composes and sends what the move has queued. Functions and methods in `beanpost/` and `games/` are
counted once each; lambdas, comprehensions, module bodies and templates are left out. Another turn is played first, so
that work done once per process is not counted.
"""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from types import FrameType
from typing import Any, TypeAlias

import django
from django.core.management import call_command
from django.test import Client

ROOT = Path(__file__).resolve().parents[1]
PACKAGES = ("beanpost", "games")
LINK = re.compile(r"http://testserver(/m/\S+)")
SETTINGS = {
    "DATABASE_URL": "sqlite://:memory:",
    "DJANGO_SETTINGS_MODULE": "beanpost.settings",
    "EMAIL_BACKEND": "django.core.mail.backends.locmem.EmailBackend",
    "LOG_LEVEL": "ERROR",
    "SECRET_KEY": "only for this walk",
    "SITE_URL": "http://testserver",
}

Walk: TypeAlias = dict[str, dict[str, None]]  # files and their functions, both in the order of the first call


def main() -> None:
    os.environ |= SETTINGS
    django.setup()
    call_command("migrate", verbosity=0)
    client = Client()
    list(play_turn(client, days_ago=2))
    steps = dict(play_turn(client, days_ago=1))
    click = join_walks(steps["GET"], steps["POST"], steps["GET of the result"])
    print(f"A click passes {describe_walk(click)}, its POST alone {describe_walk(steps['POST'])};", end=" ")
    print(f"a letter passes {describe_walk(steps['letter'])}.")
    for name, walk in steps.items():
        print(f"\n{name}: {describe_walk(walk)}, in the order of the first call")
        for path, functions in walk.items():
            print(f"  {path}: {', '.join(functions)}")


def play_turn(client: Client, *, days_ago: int) -> Iterator[tuple[str, Walk]]:
    """Play the first turn of a match, and return the walk of each step."""
    from beanpost.post.models import Letter  # noqa: PLC0415 (needs the apps to be loaded)
    from beanpost.post.tasks import deliver  # noqa: PLC0415
    from tests.friends import seat_friends  # noqa: PLC0415

    opened = datetime.now(UTC) - timedelta(days=days_ago)  # each on a day of its own: invitations have a daily limit
    match = seat_friends(variant="basic", seats=4, secret=days_ago.to_bytes(32, "big"), now=opened)
    deliver()
    turns = Letter.objects.filter(match=match, kind="turn", state="sent")
    [link] = LINK.findall(turns.get().text)[:1]
    with record_calls() as walk:
        seen = client.get(link)
    assert seen.status_code == 200, seen.status_code
    yield "GET", walk
    with record_calls() as walk:
        pressed = client.post(link)
    assert pressed.status_code == 303, pressed.status_code
    yield "POST", walk
    with record_calls() as walk:
        seen = client.get(pressed["Location"])
    assert seen.status_code == 200, seen.status_code
    yield "GET of the result", walk
    with record_calls() as walk:
        deliver()
    assert turns.count() == 2
    yield "letter", walk


@contextmanager
def record_calls() -> Iterator[Walk]:
    """Record every call of our own functions in this thread."""
    walk: Walk = {}

    def note(frame: FrameType, event: str, _: Any) -> None:
        code = frame.f_code
        if event != "call" or code.co_name.startswith("<") or not code.co_filename.endswith(".py"):
            return
        path = Path(code.co_filename)
        if path.is_relative_to(ROOT) and (own := path.relative_to(ROOT)).parts[0] in PACKAGES:
            walk.setdefault(own.as_posix(), {})[code.co_qualname.replace("<locals>.", "")] = None

    sys.setprofile(note)
    try:
        yield walk
    finally:
        sys.setprofile(None)


def join_walks(*walks: Walk) -> Walk:
    every: Walk = {}
    for path, functions in (item for walk in walks for item in walk.items()):
        every.setdefault(path, {}).update(functions)
    return every


def describe_walk(walk: Walk) -> str:
    return f"{len(walk)} files and {sum(map(len, walk.values()))} functions"


if __name__ == "__main__":
    main()
