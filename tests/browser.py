"""A test client that reads pages and follows redirects as a browser does, and ways to wait in a real browser."""

from __future__ import annotations

import re
from typing import Any

from django.test import Client
from playwright.sync_api import Locator, Page

SEE_OTHER = 303
KEPT = re.compile(r"(<(pre|textarea|script|style)\b.*?</\2>)", re.DOTALL)
SPACE = re.compile(r"[ \t\r\n]+")
INLINE = "a|abbr|b|button|code|em|i|img|input|label|select|small|span|strong|svg|time"
AROUND_BLOCK = re.compile(rf" ?(</?(?!/?(?:{INLINE})\b)[a-z][^<>]*>) ?")
WITHIN_INLINE = re.compile(rf"(<(?!img|input)(?:{INLINE})\b[^<>]*>) | (</(?:{INLINE})>)")
SECONDS = 10  # to wait; far longer than a page takes


class Browser(Client):
    """Django's client, except that it follows the redirect after a move, and folds the white space of pages."""

    def request(self, **request: Any) -> Any:
        answer = super().request(**request)
        if answer.headers.get("Content-Type", "").startswith("text/html") and not answer.streaming:
            answer.content = fold_space(answer.content.decode()).encode()
        return answer

    def post(self, *args: Any, **options: Any) -> Any:
        answer = super().post(*args, **options)
        return self.get(answer.headers["Location"]) if answer.status_code == SEE_OTHER else answer


def fold_space(page: str) -> str:
    """Return a page as its template would be on one line: without the white space that a browser doesn't show.

    >>> fold_space("<ul>\\n  <li>\\n    <a href='/'>\\n      Go\\n      home\\n    </a>\\n    now\\n  </li>\\n</ul>")
    "<ul><li><a href='/'>Go home</a> now</li></ul>"
    """
    parts = KEPT.split(page)  # text, what is kept, its tag, text …
    parts[::3] = [fold_text(part) for part in parts[::3]]
    del parts[2::3]
    return "".join(parts)


def fold_text(text: str) -> str:
    text = AROUND_BLOCK.sub(r"\1", SPACE.sub(" ", text))
    return WITHIN_INLINE.sub(r"\1\2", text)


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
