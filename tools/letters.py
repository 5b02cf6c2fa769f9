"""Take screenshots of every kind of letter, and of every game's: python -m tools.letters [fr [turn finished …]]

The letters are composed in a temporary database and saved to screenshots/letters/ as text, HTML and PNG, for phone and
desktop widths, in light and dark mode. In English, two of them are also saved for the README.
"""

from __future__ import annotations

import os
import sys
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
BEST = {"turn": "letter.png", "reminder-bohnanza": "reminder.png"}  # saved to docs/pictures
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
        if language == "en":
            photograph_best(page, dict(sources))
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


def photograph_best(page: Page, letters: dict[str, str]) -> None:
    page.set_viewport_size({"width": 560, "height": 1204})
    page.emulate_media(color_scheme="light")
    for kind in BEST.keys() & letters.keys():
        page.set_content(letters[kind])
        page.screenshot(path=Path("docs/pictures") / BEST[kind])


if __name__ == "__main__":
    main()
