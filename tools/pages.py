"""Pictures of every page, for looking at: python -m tools.pages [fr [page …]]

Served by the house itself from a database that is gone afterwards; put into screenshots/pages/ as PNG, on a phone and
on a wide screen, by day and by night.
"""

import os
import shutil
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import product
from pathlib import Path
from threading import Thread
from typing import Literal

os.environ |= {
    "BEANPOST_DEMO": "1",
    "BEANPOST_VAR": tempfile.mkdtemp(),
    "DATABASE_URL": "",
    "SECRET_KEY": "for pictures",
}
os.environ |= {"DJANGO_SETTINGS_MODULE": "beanpost.settings", "DJANGO_ALLOW_ASYNC_UNSAFE": "1", "LOG_LEVEL": "CRITICAL"}

import django
from django.core.management import call_command
from django.core.wsgi import get_wsgi_application
from playwright.sync_api import ConsoleMessage, Page, sync_playwright
from waitress.server import create_server

from tools import chromium

SHELF = Path("screenshots/pages")
WIDTHS = (320, 360, 1000)
LIGHTS: tuple[Literal["light", "dark"], ...] = ("light", "dark")


def main() -> None:
    language, *names = sys.argv[1:] or ["en"]
    SHELF.mkdir(parents=True, exist_ok=True)
    django.setup()
    call_command("migrate", verbosity=0)
    pages = {name: address for name, address in addresses(language).items() if not names or name in names}
    with served() as site, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium.find(), args=["--no-sandbox"])
        for width, light in product(WIDTHS, LIGHTS):
            page = browser.new_page(viewport={"width": width, "height": 700}, color_scheme=light, locale=language)
            page.on("console", complain)
            for name, address in pages.items():
                page.goto(site + address)
                photograph(page, SHELF / f"{name.replace(' ', '-')}-{language}-{width}-{light}.png")
        browser.close()
    shutil.rmtree(os.environ["BEANPOST_VAR"])
    print(f"{len(pages)} pages are in {SHELF}/.")


def addresses(language: str) -> dict[str, str]:
    from beanpost.play.models import Match  # noqa: PLC0415 (needs the apps to be loaded)
    from beanpost.players.models import Player  # noqa: PLC0415
    from tests.pages.gallery import every_letter_page, every_page, tables_of_every_game  # noqa: PLC0415

    pages = every_page() | tables_of_every_game()
    Player.objects.update(language=language, zone="Europe/Paris")
    pages |= every_letter_page(Match.objects.filter(phase="running").latest("pk"))
    return {name: address for name, address in pages.items() if not address.endswith((".json", "/source/", "healthz"))}


@contextmanager
def served() -> Iterator[str]:
    server = create_server(get_wsgi_application(), host="127.0.0.1", port=0, threads=2)
    Thread(target=server.run, daemon=True).start()
    yield f"http://127.0.0.1:{server.effective_port}"  # type: ignore[union-attr]
    server.close()


def complain(message: ConsoleMessage) -> None:
    """What the browser refuses to load or to style; that a page is no longer there is what some pages are about."""
    if message.type == "error" and "responded with a status" not in message.text:
        print(message.text)


def photograph(page: Page, file: Path) -> None:
    wide = page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
    if wide > 0:
        print(f"{file.name} is {wide} pixels too wide.")
    page.screenshot(path=file, full_page=True)


if __name__ == "__main__":
    main()
