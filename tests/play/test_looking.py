"""A look at many tables at once sees what a look at each of them sees."""

from datetime import timedelta

import pytest
from django.forms import model_to_dict

from beanpost.play import absence, looking, orders, scene
from beanpost.play.models import Match
from tests.friends import NOON, gather, seat_friends
from tests.post.gallery import asked, move

pytestmark = pytest.mark.django_db

SEEN = ("places", "waits", "events", "orders", "notes", "absences")


@pytest.fixture
def tables():
    """One that is played with notes and orders, by people some of whom are away; one that gathers; one with a bot."""
    played = seat_friends()
    move(played, note="Good morning, beans.")
    place = asked(played)
    orders.give(place, "fold in round 1 when nothing can be played", now=NOON)
    for days in (1, 20):
        absence.announce(place.player, *([(NOON + timedelta(days=days)).date()] * 2), now=NOON)
    return [played, gather(), gather(bots=1), seat_friends("bohnanza", "standard")]


def told(row):
    beside = {name: other and other.pk for name, other in row._state.fields_cache.items()}
    return model_to_dict(row, [field.name for field in row._meta.fields]), beside.get("player", 0)


def test_many_tables_are_seen_as_one_sees_each(tables):
    looking.at(tables)
    for match in tables:
        alone = looking.Look(Match.objects.get(pk=match.pk))
        assert match.looked_at.vault.secret == alone.vault.secret
        for name in SEEN:
            assert [*map(told, getattr(match.looked_at, name))] == [*map(told, getattr(alone, name))], name
    assert tables[0].looked_at.orders
    assert tables[0].looked_at.notes
    assert len(tables[0].looked_at.absences) == 2


def test_a_scene_of_a_table_that_was_looked_at_asks_nothing_more(tables, django_assert_num_queries):
    looking.at(tables)
    with django_assert_num_queries(0):
        shown = scene.of(tables[0], 0)
        assert len(shown.days_away) == 2
        assert shown.news
        assert shown.notes


def test_more_tables_than_a_question_has_room_for_are_all_looked_at(tables, monkeypatch):
    monkeypatch.setattr(looking, "MOST_BLANKS", 3)
    looking.at(tables)
    assert [len(match.looked_at.places) for match in tables] == [3, 3, 3, 3]
