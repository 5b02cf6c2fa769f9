"""The green button offers no step that would be refused for a known reason: the cockpit gives the reason instead."""

from datetime import timedelta
from html import unescape

import pytest

from beanpost.leagues import organiser_accounts
from beanpost.leagues.admin import cockpit
from beanpost.leagues.models import Entry, Fixture, Round
from tests.friends import NOON
from tests.leagues.office import do, fill_season

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("in_the_afternoon")]


@pytest.fixture
def season(league, olga):
    """One table of three, of whom one is the organiser."""
    season = fill_season(league, 4, size=3, rounds=1)
    organiser_accounts.link(olga, season.entries.first().player)
    return season


def lose_a_drawn_player(client, season):
    do(client, season, "draw")
    drawn = Fixture.objects.get().chairs.exclude(entry=season.entries.first()).first()
    Entry.objects.filter(pk=drawn.entry_id).update(state="left")


def leave_a_seat_after_the_start(client, season):
    for action in ("draw", "start"):
        do(client, season, action)
    Entry.objects.filter(pk=Fixture.objects.get().chairs.last().entry_id).update(state="left")
    Round.objects.update(published_at=NOON - timedelta(days=3))


def be_paused_at_the_only_table(client, season):
    for action in ("draw", "start", "begin"):
        do(client, season, action)
    season.divisions.update(paused_at=NOON)


@pytest.mark.parametrize(
    ("happens", "action", "refusal"),
    [
        (lose_a_drawn_player, "draw", "You play in this division: another organiser must draw it again."),
        (leave_a_seat_after_the_start, "begin", ""),
        (be_paused_at_the_only_table, "resume", "You’re playing at every table here"),
    ],
)
def test_a_step_that_would_be_refused_is_explained_instead_of_offered(at_olgas, season, happens, action, refusal):
    happens(at_olgas, season)
    context = at_olgas.get(cockpit.cockpit_url(season)).context
    assert context["next_button"] is None
    assert refusal in context["next"].sentence
    pressed = do(at_olgas, season, action, reason="As agreed.")
    assert pressed.status_code == 400
    assert refusal in unescape(pressed.content.decode())
