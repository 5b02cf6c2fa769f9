"""`python -m games notation` prints every sentence, from the action classes."""

import pytest

import games
from games.__main__ import main
from games.console.notation_guide import get_own_docstring, render_notation_guide
from games.contract import house_lines
from games.contract.notation import Action, describe_form


def test_the_command_prints_the_guide(capsys):
    assert main(["notation"]) == 0
    assert capsys.readouterr().out == render_notation_guide()


@pytest.mark.parametrize("slug", games.GAMES)
def test_every_sentence_is_in_the_guide(slug):
    for kind in (*games.get(slug).vocabulary, *games.get(slug).orders.kinds, *house_lines.VOCABULARY):
        assert f"- `{describe_form(kind)}`" in render_notation_guide()


def test_the_docstring_of_a_class_explains_its_sentence():
    assert get_own_docstring(house_lines.Annul) == "The match ends and does not count."


def test_a_class_without_a_docstring_explains_nothing():
    class Hum(Action):
        says = "hum"

    assert get_own_docstring(Hum) == ""
