"""A test client that follows the redirect after a press, and a way to wait in a real browser."""

from __future__ import annotations

from typing import Any

from django.test import Client
from playwright.sync_api import Page

SEE_OTHER = 303
SECONDS = 10  # to wait; far longer than a page takes


class Browser(Client):
    """Django's client, except that it follows the redirect after a move."""

    def post(self, *args: Any, **options: Any) -> Any:
        answer = super().post(*args, **options)
        return self.get(answer.headers["Location"]) if answer.status_code == SEE_OTHER else answer


def wait_until(page: Page, holds: str, arg: object = None) -> None:
    """Wait until a JavaScript function returns true. Playwright's `wait_for_function` needs `eval`, which we forbid."""
    for _ in range(SECONDS * 10):
        if page.evaluate(holds, arg):
            return
        page.wait_for_timeout(100)
    raise AssertionError(f"After {SECONDS} seconds this is not true: {holds}")
