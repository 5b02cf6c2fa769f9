"""A test client that follows the redirect after a press, and ways to wait in a real browser."""

from __future__ import annotations

from typing import Any

from django.test import Client
from playwright.sync_api import Locator, Page

SEE_OTHER = 303
SECONDS = 10  # to wait; far longer than a page takes


class Browser(Client):
    """Django's client, except that it follows the redirect after a move."""

    def post(self, *args: Any, **options: Any) -> Any:
        answer = super().post(*args, **options)
        return self.get(answer.headers["Location"]) if answer.status_code == SEE_OTHER else answer


def click_through(locator: Locator) -> None:
    """Click what leads to another page, and wait for that page.

    Playwright's `click` may return while the browser shows the old page, or has read nothing of the new one.
    """
    with locator.page.expect_navigation():
        locator.click()


def wait_until(page: Page, holds: str, arg: object = None) -> None:
    """Wait until a JavaScript function returns true. Playwright's `wait_for_function` needs `eval`, which we forbid."""
    for _ in range(SECONDS * 10):
        if page.evaluate(holds, arg):
            return
        page.wait_for_timeout(100)
    raise AssertionError(f"After {SECONDS} seconds this is not true: {holds}")
