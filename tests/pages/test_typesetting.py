"""Pages are set in type as Django would write them, to the byte."""

import pytest
from django.conf import settings
from django.db import transaction

from beanpost.play.models import Match
from beanpost.players.models import Player
from tests.browser import Browser
from tests.friends import NOON
from tests.in_both_ways import Compared
from tests.pages import gallery

pytestmark = [
    pytest.mark.django_db,
    pytest.mark.urls("tests.pages.demo_urls"),
    pytest.mark.usefixtures("demo"),
    pytest.mark.time_machine(NOON, tick=False),  # links tell the second in which they were signed
]


def test_every_page_in_type_is_as_django_writes_it(monkeypatch):
    pages = every_page().values()
    compared = Compared(monkeypatch)
    for language in ("en", "fr"):  # of the same house, which takes long to fill
        Player.objects.update(language=language, zone="Europe/Paris")
        cookie = gallery.signed_in(Player.objects.get(address="ann@example.org"), "")
        for address in pages:
            visitor = Browser(headers={"accept-language": language})
            visitor.cookies[settings.SESSION_COOKIE_NAME] = cookie["value"]
            visitor.get(address)
            with transaction.atomic():
                visitor.post(address)
                transaction.set_rollback(True)
        assert compared.wrong == set()
    names = ("home", "my_games", "move", "table", "played", "match")
    assert compared.seen >= {f"pages/{name}.html" for name in names}


def every_page():
    found = gallery.every_page() | gallery.tables_of_every_game() | gallery.ends_of_every_game()
    found |= gallery.every_letter_page(Match.objects.filter(phase="running").latest("pk"))
    return found | gallery.in_a_league() | gallery.for_who_is_signed_in()
