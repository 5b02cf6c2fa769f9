"""Every page in both languages: no notation, no unfilled gap, and no UTC for a visitor from Paris."""

import re

import pytest
from django.utils.html import strip_tags

from beanpost.players.models import Player
from tests.pages import gallery

pytestmark = [pytest.mark.django_db, pytest.mark.urls("tests.pages.demo_urls"), pytest.mark.usefixtures("demo")]

# The time zones to choose from, notation that players may write, and what the check of a deal is made of.
EXPECTED = re.compile(r"<(head|script|style|select|code|pre)\b.*?</\1>", re.DOTALL)
MACHINE_WORDS = re.compile(
    r"\bUTC\b|\b(?:10|[0-9JNQK])[SHDC]\b|<\w+>|%\(\w+\)|\{\w+\}|turns the sign|\bplus line\b|nothing more"
)
FOR_PROGRAMS = (".json", "/source/", "/text/", "/html/", "healthz")


def words_of(page) -> str:
    return strip_tags(EXPECTED.sub("", page.content.decode()))


def test_no_page_shows_machine_words(client):
    pages = gallery.every_page() | gallery.tables_of_every_game() | gallery.ends_of_every_game()
    found = {}
    for language in ("en", "fr"):
        Player.objects.update(language=language, zone="Europe/Paris")
        client.cookies.load({"zone": "Europe/Paris", "django_language": language})
        for name, path in pages.items():
            if not path.endswith(FOR_PROGRAMS):
                words = words_of(client.get(path, headers={"accept-language": language}))
                found |= {(name, language): wrong} if (wrong := MACHINE_WORDS.findall(words)) else {}
    assert found == {}


def test_machine_words_are_found():
    assert len(MACHINE_WORDS.findall("At 12:00 UTC %(name)s takes KD, which turns the sign: stack <dice>, {card}")) == 6
