"""Take screenshots of every kind of letter, and of every game's: python -m tools.letters [fr [turn finished …]]

The letters are composed in a temporary database and saved to screenshots/letters/ as text, HTML and PNG, for phone and
desktop widths, in light and dark mode. In English, the turn letter is also saved for the README, on a phone.
"""

from __future__ import annotations

import os
import sys
from base64 import b64encode
from collections.abc import Iterator
from itertools import product
from pathlib import Path
from typing import TYPE_CHECKING, Literal

import django
from django.core.management import call_command
from playwright.sync_api import Page, sync_playwright

from tools import chromium

if TYPE_CHECKING:
    from beanpost.post.models import Letter

SETTINGS = {
    "DATABASE_URL": "sqlite://:memory:",
    "SITE_URL": "https://beans.example",
    "INBOUND_DOMAIN": "in.beans.example",
    "SECRET_KEY": "for pictures",
    "DJANGO_SETTINGS_MODULE": "beanpost.settings",
    "DJANGO_ALLOW_ASYNC_UNSAFE": "1",
    "LOG_LEVEL": "WARNING",
}
FOLDER = Path("screenshots/letters")
WIDTHS = (320, 390, 1280)
BEST = "turn"  # saved as docs/pictures/letter.png, as it is answered
PHONE = """<body style="margin:0; background:transparent"><div id="phone" style="position:relative; width:390px;
  height:690px; border:14px solid #1f1b18; border-radius:42px; overflow:hidden">
<img src="{letter}" width="390" height="690" alt="">
<svg viewBox="0 0 200 400" width="200" height="400" style="position:absolute; overflow:visible; left:{x}px; top:{y}px">
<circle cx="42" cy="42" r="40" fill="#fff" fill-opacity=".35" stroke="#fff" stroke-width="3"/>
<path d="M26 50c-8-22 22-34 32-14l64 118c30 6 50 28 58 60l36 186H96c-4-60-20-96-34-150z" fill="#f4d3b4"
  stroke="#1f1b18" stroke-width="4" stroke-linejoin="round"/>
<path d="M31 45c-4-14 16-20 21-7l5 11c-6 8-16 10-22 5z" fill="#fbeadb" stroke="#1f1b18" stroke-width="2"/>
</svg></div></body>"""
LIGHTS: tuple[Literal["light", "dark"], ...] = ("light", "dark")


def main() -> None:
    language, *kinds = sys.argv[1:] or ["en"]
    set_up()
    FOLDER.mkdir(parents=True, exist_ok=True)
    sources = [(kind, html) for kind, html in write(language) if kind in (kinds or [kind])]
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium.find(), args=["--no-sandbox"])
        page = browser.new_page()
        for width, light, (kind, html) in product(WIDTHS, LIGHTS, sources):
            page.set_viewport_size({"width": width, "height": 640})
            page.emulate_media(color_scheme=light)
            photograph(page, html, FOLDER / f"{kind}-{language}-{width}-{light}.png")
        if language == "en" and BEST in dict(sources):
            photograph_best(page, dict(sources)[BEST])
        browser.close()
    print(f"{len(sources)} letters are in {FOLDER}/.")


def set_up() -> None:
    os.environ |= SETTINGS
    django.setup()
    call_command("migrate", verbosity=0)


def write(language: str) -> Iterator[tuple[str, str]]:
    from beanpost.post import mime  # noqa: PLC0415 (needs the settings)

    for kind, letter in (write_every_kind(language) | write_every_game(language)).items():
        (FOLDER / f"{kind}-{language}.txt").write_text(f"{letter.subject}\n\n{letter.text}")
        (FOLDER / f"{kind}-{language}.html").write_text(html := mime.render_for_browser(letter.source))
        yield kind, html


def write_every_kind(language: str) -> dict[str, Letter]:
    from tests.leagues.gallery import write_league  # noqa: PLC0415 (needs the apps to be loaded)
    from tests.post.gallery import write_every_kind  # noqa: PLC0415

    return write_every_kind(language) | write_league(language)


def write_every_game(language: str) -> dict[str, Letter]:
    from tests.post.gallery import write_every_game  # noqa: PLC0415

    return write_every_game(language)


def photograph(page: Page, html: str, file: Path) -> None:
    page.set_content(html)
    wide = page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
    if wide > 0:
        print(f"{file.name} is {wide} pixels too wide.")
    page.screenshot(path=file, full_page=True)


def photograph_best(page: Page, letter: str) -> None:
    """Take the picture of the letter on a phone, with a finger on its first move."""
    page.set_viewport_size({"width": 390, "height": 690})
    page.emulate_media(color_scheme="light")
    page.set_content(letter)
    button = page.locator(".move a").first.bounding_box()
    assert button
    shot = "data:image/png;base64," + b64encode(page.screenshot()).decode()
    page.set_viewport_size({"width": 418, "height": 718})
    page.set_content(PHONE.format(letter=shot, x=button["x"] + button["width"] - 56, y=button["y"] - 10))
    page.locator("#phone").screenshot(path="docs/pictures/letter.png", omit_background=True)


if __name__ == "__main__":
    main()
