"""Players who read their letters and press the links in them, or fill in the page that a letter links to."""

from __future__ import annotations

import re
from datetime import datetime
from typing import Any
from urllib.parse import urlsplit

from django.http import HttpResponse
from django.test import Client

from beanpost.play.models import Match
from beanpost.post.mime import Parts
from beanpost.post.models import Letter
from tests.post.gallery import deliver

COLUMNS = 76
CLIPPED = 100_000  # bytes; mail programs cut off longer letters


def read(match: Match, name: str, now: datetime) -> Letter:
    """Send everything that is due and return the player's newest turn letter."""
    deliver(now)
    return turns(match, name)[-1]


def turns(match: Match, name: str) -> list[Letter]:
    sent = match.letters.filter(kind="turn", recipient__name=name, state=Letter.State.SENT)
    return list(sent.order_by("pk"))


def link(letter: Letter, line: str = "") -> str:
    """Return the path printed below a move or, without a line, the path of the page with all moves."""
    if not line:
        return path(re.search(r"on the page:\n(http\S+)", letter.text))
    mark = next(option["mark"] for option in letter.options if option["line"] == line)
    return path(re.search(rf"^{mark}\. .*?\n(http\S+)", letter.text, flags=re.M | re.S))


def path(found: re.Match[str] | None) -> str:
    assert found
    return urlsplit(found[1]).path


def press(client: Client, letter: Letter, line: str, **typed: Any) -> HttpResponse:
    """Open a move's link from a letter and press the button on its page."""
    shown = client.get(link(letter, line))
    assert shown.status_code == 200
    return client.post(link(letter, line), typed)


def own_page(client: Client, letter: Letter) -> str:
    """Return the path that the forms on the page with all moves post to."""
    return form_on(client.get(link(letter)))


def form_on(page: HttpResponse) -> str:
    """Return the path that a page's form posts to."""
    found = re.search(r'<form[^>]* action="(/move/[^"]+)"', page.content.decode())
    assert found
    return found[1]


def is_good_mail(letter: Letter | Parts) -> bool:
    """Return whether every line but a link fits the columns, and the letter is short enough not to be clipped."""
    lines = letter.text.splitlines()
    short = all(len(line) <= COLUMNS or line.startswith("http") for line in lines)
    return bool(lines) and short and len(letter.html.encode()) < CLIPPED and "<svg" not in letter.html
