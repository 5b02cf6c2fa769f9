"""docs/notation.md is written from the sentences themselves."""

from pathlib import Path

import pytest

import games
from games import house
from games.__main__ import main
from games.notation import Action, form
from games.phrasebook import meaning, phrasebook

PAGE = Path(__file__).parents[2] / "docs" / "notation.md"


def test_the_page_is_up_to_date():
    assert PAGE.read_text(encoding="utf-8") == phrasebook(), "Run: python -m games notation > docs/notation.md"


def test_the_command_prints_the_page(capsys):
    assert main(["notation"]) == 0
    assert capsys.readouterr().out == phrasebook()


@pytest.mark.parametrize("slug", games.GAMES)
def test_every_sentence_is_on_it(slug):
    for kind in (*games.get(slug).vocabulary, *games.get(slug).orders, *house.VOCABULARY):
        assert f"- `{form(kind)}`" in phrasebook()


def test_a_sentence_is_explained_by_its_class_where_it_has_words():
    assert meaning(house.Annul) == "The match ends and does not count."


def test_a_class_without_words_explains_nothing():
    class Hum(Action):
        says = "hum"

    assert meaning(Hum) == ""
