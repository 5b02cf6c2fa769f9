"""Take screenshots of every page: python -m tools.pages [fr [page …]]

The pages are served from a temporary database and saved to screenshots/pages/ as PNG, for phone and desktop widths, in
light and dark mode.
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
from typing import Any, Literal

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

FOLDER = Path("screenshots/pages")
WIDTHS = (320, 390, 1280)
STRANGERS = "front page for a stranger"  # the other pages are shown to Ann, who is signed in
LIGHTS: tuple[Literal["light", "dark"], ...] = ("light", "dark")


def main() -> None:
    language, *names = sys.argv[1:] or ["en"]
    FOLDER.mkdir(parents=True, exist_ok=True)
    django.setup()
    call_command("migrate", verbosity=0)
    pages = {name: address for name, address in list_addresses(language).items() if not names or name in names}
    with serve_site() as site, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium.find(), args=["--no-sandbox"])
        for width, light in product(WIDTHS, LIGHTS):
            page = browser.new_page(viewport={"width": width, "height": 700}, color_scheme=light, locale=language)
            page.emulate_media(reduced_motion="reduce")  # no animation is still running
            page.on("console", print_console_error)
            page.context.add_cookies([sign_in_ann(site)])
            for name, address in pages.items():
                page.goto(site + address)
                photograph(page, FOLDER / f"{name.replace(' ', '-')}-{language}-{width}-{light}.png")
            page.context.clear_cookies()
            if not names or STRANGERS in names:
                page.goto(site)
                photograph(page, FOLDER / f"{STRANGERS.replace(' ', '-')}-{language}-{width}-{light}.png")
            for slug in choose_games_to_try(names):
                try_a_round(page, site, slug)
                photograph(page, FOLDER / f"trying-{slug}-{language}-{width}-{light}.png")
        browser.close()
    shutil.rmtree(os.environ["BEANPOST_VAR"])
    print(f"{len(pages)} pages are in {FOLDER}/.")


def list_addresses(language: str) -> dict[str, str]:
    from beanpost.play.models import Match  # noqa: PLC0415 (needs the apps to be loaded)
    from beanpost.players.models import Player  # noqa: PLC0415
    from tests.pages import gallery  # noqa: PLC0415

    pages = gallery.every_page() | gallery.tables_of_every_game() | gallery.ends_of_every_game()
    pages |= gallery.in_a_league() | gallery.list_signed_in_pages()
    Player.objects.update(language=language, zone="Europe/Paris")
    pages |= gallery.every_letter_page(Match.objects.filter(phase="running").latest("pk"))
    return {name: address for name, address in pages.items() if not address.endswith((".json", "/source/", "healthz"))}


def sign_in_ann(site: str) -> Any:
    """Return the session cookie of Ann."""
    from beanpost.players.models import Player  # noqa: PLC0415 (needs the apps to be loaded)
    from tests.pages.gallery import signed_in  # noqa: PLC0415

    return signed_in(Player.objects.get(address="ann@example.org"), site)


def choose_games_to_try(names: list[str]) -> list[str]:
    """Return the games to try, unless only other pages were requested."""
    from beanpost.play import practice  # noqa: PLC0415 (needs the apps to be loaded)

    practice.MAX_AN_HOUR = len(practice.find_offered_games()) * len(WIDTHS) * len(LIGHTS)
    return [slug for slug in practice.find_offered_games() if not names or f"trying {slug}" in names]


def try_a_round(page: Page, site: str, slug: str) -> None:
    page.context.clear_cookies()
    page.goto(f"{site}/try/")
    with page.expect_navigation():
        page.locator(f"button[value={slug}]").click()


@contextmanager
def serve_site() -> Iterator[str]:
    server = create_server(get_wsgi_application(), host="127.0.0.1", port=0, threads=2)
    Thread(target=server.run, daemon=True).start()
    yield f"http://127.0.0.1:{server.effective_port}"  # type: ignore[union-attr]
    server.close()


def print_console_error(message: ConsoleMessage) -> None:
    """Print errors of the browser's console, except HTTP statuses: some pages are about missing pages."""
    if message.type == "error" and "responded with a status" not in message.text:
        print(message.text)


def photograph(page: Page, file: Path) -> None:
    wide = page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
    if wide > 0:
        print(f"{file.name} is {wide} pixels too wide.")
    page.screenshot(path=file, full_page=True)


if __name__ == "__main__":
    main()
