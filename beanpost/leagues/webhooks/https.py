"""One POST to a service that the host has listed. Redirects are not followed, and the answer's text is not read."""

from __future__ import annotations

import re

import requests
from django.conf import settings

TIMEOUTS = 3, 5  # seconds to connect to an address, and without a byte of the answer; the whole call has a time limit
URL = re.compile(r"https://([a-z0-9.-]+(?::\d+)?)/[!-\[\]-~]*", re.I)  # no user, and no backslash


def is_listed(url: str) -> bool:
    """Return whether this is the address of a service in OUTGOING_WEBHOOK_HOSTS, of its port and with https."""
    place = find_receiver(url)
    return any(place == host or (host[0] == "." and place.endswith(host)) for host in settings.OUTGOING_WEBHOOK_HOSTS)


def find_receiver(url: str) -> str:
    """Return the host that an address names, with its port if it has one, or ""."""
    found = URL.fullmatch(url)
    return found[1].lower() if found else ""


def post(url: str, body: bytes, headers: dict[str, str]) -> int:
    """Send a body and return the status of the answer."""
    with requests.post(url, body, headers=headers, timeout=TIMEOUTS, allow_redirects=False, stream=True) as answer:
        return answer.status_code
