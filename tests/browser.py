"""A test client that follows the redirect after a press."""

from __future__ import annotations

from typing import Any

from django.test import Client

SEE_OTHER = 303


class Browser(Client):
    """Django's client, except that it follows the redirect after a move."""

    def post(self, *args: Any, **options: Any) -> Any:
        answer = super().post(*args, **options)
        return self.get(answer.headers["Location"]) if answer.status_code == SEE_OTHER else answer
