"""A scene is made of values that its reader may see: the whole state stays behind."""

from collections.abc import Mapping
from dataclasses import fields, is_dataclass

import pytest
from django.db.models import Model

import games
from beanpost.play.display import scene
from beanpost.play.load import LoadedMatch, load_match
from beanpost.play.perspective import Perspective
from games.contract.asks import Step
from games.contract.game import Game
from games.engine.table import Table
from tests.friends import seat_friends
from tests.pages.table import press

pytestmark = pytest.mark.django_db


def iterate_held(value):
    """Yield a value and all that it holds; rows and the card of the game are the same for every reader."""
    yield value
    if is_dataclass(value) and not isinstance(value, Game | type):
        parts = [getattr(value, field.name) for field in fields(value)]
    elif isinstance(value, Mapping):
        parts = [*value.keys(), *value.values()]
    else:
        parts = value if isinstance(value, list | tuple | set) else []
    for part in parts:
        if not isinstance(part, Model):
            yield from iterate_held(part)


@pytest.mark.parametrize("slug", games.GAMES)
def test_a_scene_holds_no_state(slug):
    match = seat_friends(slug, games.get(slug).variants[0])
    press(match)
    state = load_match(match.pk).table.state
    for reader in (None, *range(match.seats)):
        held = list(iterate_held(scene.build_scene(match, reader)))
        assert len(held) > 30
        assert not [one for one in held if isinstance(one, Table | Step | Perspective | LoadedMatch | type(state))]
