"""Loading one match or many finds what the ORM would find, and nothing that happened after the first query."""

from datetime import timedelta
from functools import partial

import pytest
from django.forms import model_to_dict

from beanpost.play import load, moves
from beanpost.play.display import scene
from beanpost.play.errors import AlreadyPlayed
from beanpost.play.log import storage
from beanpost.play.models import Match
from beanpost.play.seats import votes
from beanpost.play.timekeeping import absence
from beanpost.play.turns import standing_orders
from beanpost.players import accounts
from beanpost.players.models import Away
from tests.friends import NOON, gather, seat_friends
from tests.pages.table import meanwhile
from tests.post.gallery import asked, move

pytestmark = pytest.mark.django_db

SEEN = ("places", "waits", "events", "orders", "notes", "proposals")


@pytest.fixture
def busy():
    """A match with rows of every kind: notes, orders, proposals and absent players."""
    played = seat_friends()
    move(played, note="Good morning, beans.")
    place = asked(played)
    standing_orders.give_order(place, "fold in round 1 when nothing can be played", now=NOON)
    for days in (1, 20):
        absence.announce_days_away(place.player, *([(NOON + timedelta(days=days)).date()] * 2), now=NOON)
    votes.propose(place, "pause", now=NOON)
    return played


@pytest.fixture
def tables(busy):
    """Four matches: the busy one, one gathering, one with a bot, and one of Bohnanza."""
    return [busy, gather(), gather(bots=1), seat_friends("bohnanza", "standard")]


def read_fields(row):
    return model_to_dict(row, [field.name for field in row._meta.fields])


def test_many_matches_are_loaded_as_they_are(tables):
    load.load_matches(tables)
    for match in tables:
        assert_seen(match.loaded, Match.objects.get(pk=match.pk))
    assert tables[0].loaded.orders
    assert tables[0].loaded.notes
    assert tables[0].loaded.proposals
    assert len(tables[0].loaded.absences) == 2


def test_a_single_match_is_loaded_as_it_is(tables):
    for match in tables:
        assert_seen(load.load_match(match.pk), Match.objects.get(pk=match.pk))
        assert match.loaded is None


def list_rows(look, name):
    rows = getattr(look, name)
    return rows.values() if name == "waits" else rows


def assert_seen(look, match):
    assert look.vault.secret == match.vault.secret
    for name in SEEN:
        assert [*map(read_fields, list_rows(look, name))] == [*map(read_fields, getattr(match, name).all())], name
    away = Away.objects.filter(player__places__match=match)
    assert {days.pk: days.player.pk for days in look.absences} == {days.pk: days.player_id for days in away}
    assert [place.player and place.player.address for place in look.places] == [
        place.player and place.player.address for place in match.places.all()
    ]


def test_a_scene_of_a_loaded_match_makes_no_more_queries(tables, django_assert_num_queries):
    load.load_matches(tables)
    with django_assert_num_queries(0):
        shown = scene.build_scene(tables[0], 0)
        assert scene.describe_absences(tables[0].loaded, 0, NOON + timedelta(days=1))
        assert shown.story.news
        assert any(line.note for line in shown.story.news)


def test_many_matches_take_no_more_queries_than_one(tables, django_assert_max_num_queries):
    for some in (tables[:1], tables):
        with django_assert_max_num_queries(9):
            load.load_matches(some)


# ── moves during the loading ──


@pytest.mark.parametrize("nth", range(9))
def test_a_player_who_moves_during_the_loading_is_no_longer_asked(nth, busy, monkeypatch):
    match = busy
    wait = match.waits.get()
    line = scene.build_scene(match, wait.seat).question.options[0].line
    move = partial(moves.play, match.pk, wait.seat, line, origin="player", question=wait.opened, now=NOON)
    meanwhile(monkeypatch, nth, move)
    shown = scene.build_scene(match, wait.seat)
    assert len(shown.places) == match.seats
    with pytest.raises(AlreadyPlayed):
        moves.check_asked(match, wait.seat, shown.wait, wait.opened)


def test_a_player_who_sits_down_during_the_loading_is_seen_next_time(monkeypatch):
    match = seat_friends()
    dora = accounts.get_or_create_player("dora@example.org", name="Dora", now=NOON)
    absence.announce_days_away(dora, NOON.date(), NOON.date(), now=NOON)
    meanwhile(monkeypatch, 1, lambda: match.places.filter(seat=0).update(player=dora))
    assert [load.load_match(match.pk).absences != [] for _ in range(2)] == [False, True]


def test_a_newer_stored_state_does_not_reveal_moves_made_after_the_loading():
    match = seat_friends()
    before = Match.objects.get(pk=match.pk)
    move(match)
    look, then = load.load_matches([before])[0], load.load_match(match.pk).table
    move(match)
    assert look.table == then
    assert storage.replay_log(match) != then
