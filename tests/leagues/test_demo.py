"""The demo's league: in mid-season, and created once."""

import pytest
from django.urls import reverse

from beanpost.leagues import demo
from beanpost.leagues.models import Fixture, League, Round
from beanpost.play.demo import plant
from beanpost.play.models import Match
from tests.friends import NOON

pytestmark = pytest.mark.django_db


def test_the_demo_creates_one_league_in_mid_season(client):
    plant(NOON, [])
    league = demo.create_demo_league(NOON)
    assert demo.create_demo_league(NOON) is None
    assert League.objects.count() == 1
    assert list(Round.objects.values_list("phase", flat=True)) == ["closed", "published", "drawn", "drawn", "drawn"]
    assert set(Fixture.objects.filter(round__number=1).values_list("ending", flat=True)) == {"played"}
    assert Match.objects.filter(phase="running").count() == 2
    assert league.organisers.get().username == "organiser"
    shown = client.get(reverse("season", args=[league.slug, league.seasons.get().pk])).content.decode()
    assert "First place." in shown
