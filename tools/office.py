"""Take the pictures of the office, for the README and the organisers' handbook: python -m tools.office

The first is the demo's first page. Then a season of 24 people is run in the same temporary database, in a browser where
another organiser is signed in. The pictures are saved to docs/pictures/.
"""

import os
import shutil
from pathlib import Path
from typing import Any

from tools.pages import serve_site  # first: it sets the environment

import django  # isort: skip
from django.conf import settings
from django.core.management import call_command
from django.urls import reverse
from playwright.sync_api import Browser, Page, sync_playwright

from tools import chromium

FOLDER = Path("docs/pictures")
NAMES = [
    "Ann",
    "Bob",
    "Cleo",
    "Dora",
    "Emil",
    "Fred",
    "Gus",
    "Hal",
    "Ida",
    "Jon",
    "Kit",
    "Lea",
    "Max",
    "Nia",
    "Oto",
    "Pia",
    "Quin",
    "Rosa",
    "Sam",
    "Tea",
    "Uli",
    "Vera",
    "Will",
    "Zoé",
]
LIST = "Timestamp;E-Mail-Adresse;Vorname;Gruppe\n" + "\n".join(
    f"17.11.2026 14:{n:02};p{n:02}@example.org;{name};Division {n % 3 + 1}" for n, name in enumerate(NAMES)
)


def main() -> None:
    django.setup()
    call_command("migrate", verbosity=0)
    call_command("plant", verbosity=0)
    with serve_site() as site, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium.find(), args=["--no-sandbox"])
        page = sign_in(browser, site, sign_in_organiser(), width=740, height=545)
        page.goto(f"{site}/admin/")
        page.screenshot(path=FOLDER / "office.png")
        season, session = plan_season()
        page = sign_in(browser, site, session, width=1000, height=720)
        office = f"{site}/admin/leagues/season/{season.pk}/"
        cockpit = site + reverse("admin:leagues_season_cockpit", args=[season.pk])
        page.goto(f"{office}do/import/")
        page.locator("textarea").fill(LIST)
        press(page, "Preview")
        page.screenshot(path=FOLDER / "list.png", clip={"x": 100, "y": 70, "width": 740, "height": 900}, full_page=True)
        press(page, "Add people")
        accept(season)
        for action, name in (("close-entries", "Close entries"), ("draw", "Draw")):
            page.goto(f"{office}do/{action}/")
            press(page, name)
        page.goto(f"{office}do/start/")
        page.screenshot(path=FOLDER / "start.png")
        press(page, "Start round 1")
        play(season)
        page.goto(cockpit)
        page.screenshot(path=FOLDER / "cockpit.png")
        browser.close()
    shutil.rmtree(os.environ["BEANPOST_VAR"])


def sign_in(browser: Browser, site: str, session: str, *, width: int, height: int) -> Page:
    page = browser.new_page(viewport={"width": width, "height": height}, locale="en")
    page.context.add_cookies([{"name": settings.SESSION_COOKIE_NAME, "value": session, "url": site}])
    return page


def sign_in_organiser() -> str:
    """Return the session of the demo's organiser."""
    from django.contrib.auth import get_user_model  # noqa: PLC0415 (needs the apps to be loaded)

    from tests.leagues.conftest import signed_in  # noqa: PLC0415

    organiser = get_user_model().objects.get(username="organiser")
    return str(signed_in(organiser).cookies[settings.SESSION_COOKIE_NAME].value)


def press(page: Page, name: str) -> None:
    page.get_by_role("button", name=name, exact=True).click()
    page.wait_for_load_state()


def plan_season() -> tuple[Any, str]:
    """Return a planned season, and the session of its organiser."""
    from beanpost.leagues.models import Season  # noqa: PLC0415 (needs the apps to be loaded)
    from tests.leagues.conftest import organiser, signed_in  # noqa: PLC0415
    from tests.leagues.office import found_league  # noqa: PLC0415

    olga = organiser("olga")
    season = Season.objects.create(league=found_league("Bean Club", olga), name="Autumn", size=4, rounds=3)
    return season, signed_in(olga).cookies[settings.SESSION_COOKIE_NAME].value


def accept(season: Any) -> None:
    from beanpost.leagues.people import entries  # noqa: PLC0415 (needs the apps to be loaded)
    from beanpost.play import clock  # noqa: PLC0415

    entries.invite_all(season, now=clock.now())
    for entry in season.entries.all():
        entries.accept(entry, now=clock.now())


def play(season: Any) -> None:
    """Start all tables of the first round, and give them results."""
    from beanpost.leagues.models import Round  # noqa: PLC0415 (needs the apps to be loaded)
    from beanpost.leagues.seasons import rounds  # noqa: PLC0415
    from beanpost.play import clock  # noqa: PLC0415
    from tests.leagues.office import invent_results  # noqa: PLC0415

    for round_ in Round.objects.filter(division__season=season, number=1):
        rounds.begin_tables(round_, now=clock.now())
        invent_results(round_)


if __name__ == "__main__":
    main()
