"""Addresses of our pages. Letters need absolute links."""

from __future__ import annotations

from functools import cache

from django.conf import settings
from django.urls import reverse


def link(name: str, *args: object) -> str:
    return settings.SITE_URL + path(name, *args)


def path(name: str, *args: object) -> str:
    """Return the path of a page, as Django's `reverse` does, but cached: a letter or page has dozens of links."""
    if not args:
        return find_page_path(name)
    if len(args) == 1:
        before, after = find_path_around(name)
        return f"{before}{args[0]}{after}"
    return reverse(name, args=args)


@cache
def find_page_path(name: str) -> str:
    return reverse(name)


@cache
def find_path_around(name: str) -> tuple[str, str]:
    """Return the parts before and after a ticket, code or slug, none of which needs quoting."""
    before, _, after = reverse(name, args=["0"]).rpartition("0")
    return before, after
