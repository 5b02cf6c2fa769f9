"""Links in letters: whole addresses, since a letter has no page to be relative to."""

from __future__ import annotations

from django.conf import settings
from django.urls import reverse


def link(name: str, *args: str) -> str:
    return settings.SITE_URL + reverse(name, args=args)
