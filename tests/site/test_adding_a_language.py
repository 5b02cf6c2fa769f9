"""The guide to adding a language, followed for one site, with a toy language that is far from complete."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from django.utils import translation
from django.utils.translation import gettext

import games
from beanpost.i18n.languages import find_languages
from beanpost.i18n.reply_language import get_reply_language
from beanpost.play.display.wording import format_day
from beanpost.post.reply_parser.move_meaning import find_meaning
from beanpost.post.reply_parser.order_meaning import parse_order
from tests.friends import NOON
from tests.post.reply_parser.test_move_meaning import question

ROOT = Path(__file__).parents[2]
GUIDE = (ROOT / "docs/adding-a-language.md").read_text()
TRANSLATED = {"You won!": "Vi gajnis!", "Try a round now": "Provu nun", "j F": "j\\\\-\\\\a F"}

GAME = """
[games.haricots]
fold = "rezignas"
[games.haricots.orders]
"always pass in round {round}" = "ĉiam pasi en raŭndo {round}"
"""


@pytest.fixture
def toy(tmp_path, settings):
    """A site with the toy language, made by the commands of the guide, and what they printed."""
    folder = tmp_path / "locale" / "eo"
    (folder / "LC_MESSAGES").mkdir(parents=True)
    texts = [f'msgid "{text}"\nmsgstr "{means}"\n' for text, means in TRANSLATED.items()]
    (folder / "LC_MESSAGES/django.po").write_text("\n".join(texts))  # as a translator left it
    [commands] = re.findall(r"```console\n(.+?)```", GUIDE, re.S)
    commands = commands.replace("LOCALE=beanpost/locale ", "LOCALE=$SITE_FOLDER/locale ").replace("/de/", "/eo/")
    path = f"{Path(sys.executable).parent}:{os.environ['PATH']}"
    environ = {**os.environ, "SITE_FOLDER": str(tmp_path), "PATH": path}
    told = subprocess.check_output(["bash", "-euc", commands], cwd=ROOT, env=environ, text=True)
    words = folder / "replies.toml"
    own = words.read_text().replace('play = "', 'play = "ludas ').replace('6 = "six"', '6 = "ses"')
    words.write_text(own + GAME)
    settings.LOCALE_PATHS = [tmp_path / "locale", *settings.LOCALE_PATHS]
    settings.LANGUAGES = find_languages(settings.LOCALE_PATHS)
    return told


@pytest.mark.django_db
def test_a_language_of_a_site_is_offered_and_its_gaps_are_in_english(toy, settings, client):
    assert ("eo", "Esperanto") in settings.LANGUAGES
    missing, texts = map(int, re.search(r"eo: players read (\d+) of (\d+) texts in English", toy).groups())
    assert texts - missing == len(TRANSLATED)
    assert "eo: replies are read in English" not in toy
    with translation.override("eo"):
        assert (gettext("You won!"), gettext("Open tables")) == ("Vi gajnis!", "Open tables")
        assert format_day(NOON).startswith(f"{NOON.day}-a ")
        assert find_meaning("ludas ses ses", question("haricots", "play 6 6")).legal == ("play 6 6",)
        haricots = games.get("haricots")
        replies = get_reply_language().add_words(haricots.replies, "haricots")
        assert parse_order("Ĉiam pasi en raŭndo 2!", replies, haricots.orders.kinds, ("Ann", "Bob")) == (
            "always pass in round 2"
        )
    page = client.get("/", headers={"accept-language": "eo"}).content.decode()
    assert '<html lang="eo"' in page
    assert "Provu nun" in page
    assert "Lost your letter?" in page
