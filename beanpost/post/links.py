"""Links in letters: whole addresses, since a letter has no page to be relative to."""

from __future__ import annotations

from functools import cache

from django.conf import settings
from django.urls import reverse


def link(name: str, *args: str) -> str:
    if len(args) != 1:
        return settings.SITE_URL + page(name, *args)
    before, after = around(name)
    return f"{settings.SITE_URL}{before}{args[0]}{after}"


@cache
def page(name: str, *args: str) -> str:
    """One of few: the front page, the seasons of a league."""
    return reverse(name, args=args)


@cache
def around(name: str) -> tuple[str, str]:
    """What stands before and after the ticket: a letter has dozens of links, and looking each up takes its time."""
    before, _, after = reverse(name, args=["0"]).rpartition("0")
    return before, after
