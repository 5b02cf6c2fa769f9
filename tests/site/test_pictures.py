"""The letter gallery shows every kind of letter."""

import pytest

import games
from beanpost.post import kinds
from tools import letters, pictures


@pytest.mark.django_db
def test_every_kind_of_letter_is_in_the_gallery():
    assert set(letters.write_every_kind("fr")) == set(kinds.load())
    assert letters.BEST in kinds.load()


@pytest.mark.parametrize("slug", games.GAMES)
def test_the_emblems_in_the_readme_are_those_of_the_games(slug):
    assert (pictures.EMBLEMS / f"{slug}.png").read_bytes() == pictures.draw_emblem(slug), "run make pictures"
