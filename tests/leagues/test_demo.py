"""The demo's league: in mid-season, and created once."""

import re

import pytest
from django.urls import reverse

from beanpost.leagues import demo
from beanpost.leagues.models import Fixture, League, Round
from beanpost.play.demo import plant
from beanpost.play.models import Match
from tests.friends import NOON
from tests.leagues.conftest import signed_in

pytestmark = pytest.mark.django_db


def test_the_demo_creates_one_league_in_mid_season(client):
    plant(NOON, [])
    league = demo.create_demo_league(NOON)
    assert demo.create_demo_league(NOON) is None
    assert League.objects.count() == 1
    assert list(Round.objects.values_list("phase", flat=True)) == ["closed", "published", "drawn", "drawn", "drawn"]
    assert set(Fixture.objects.filter(round__number=1).values_list("ending", flat=True)) == {"played"}
    assert Match.objects.filter(phase="running").count() == 1
    assert league.organisers.get().username == "organiser"
    shown = client.get(reverse("season", args=[league.slug, league.seasons.get(name="Autumn").pk])).content.decode()
    assert "First place" in shown  # a tie-break may have decided it


@pytest.mark.parametrize("hour", [0, 5, 12, 20, 23])
def test_the_organiser_of_the_demo_finds_three_things_to_do(hour):
    now = NOON.replace(hour=hour)
    plant(now, [])
    league = demo.create_demo_league(now)
    page = signed_in(league.organisers.get()).get(reverse("admin:index"))
    cards = [*page.context["busy"], *page.context["calm"]]
    concerns = [concern for card in cards for concern in (card.step, *card.concerns) if concern.ways]
    assert [concern.ways[0].label for concern in concerns] == ["Remind", "Preview it", "Invite everyone"]
    assert re.search(r"round 2, table \d is waiting for \w+\.", page.text)
    assert "6 people haven’t been invited yet." in page.text
