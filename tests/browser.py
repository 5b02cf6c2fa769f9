"""A visitor's browser: where a press leads to, it goes."""

from __future__ import annotations

from typing import Any

from django.test import Client

SEE_OTHER = 303


class Browser(Client):
    """Django's client, but that it looks at the page a move leads to."""

    def post(self, *args: Any, **options: Any) -> Any:
        answer = super().post(*args, **options)
        return self.get(answer.headers["Location"]) if answer.status_code == SEE_OTHER else answer
