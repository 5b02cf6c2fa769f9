"""The whole season: two hundred matches, sixty players of whom a third are unreliable, ninety days."""

import pytest

from beanpost.play import audit
from beanpost.play.models import Match
from tests.play.season import Season

pytestmark = pytest.mark.django_db


def test_a_season_of_two_hundred_matches_in_ninety_days(capsys):
    season = Season(matches=200, players=60, days=90)
    season.run()
    with capsys.disabled():
        print(f"\nA season of 200 matches:\n{season.report()}")
    assert season.faults == []
    assert season.unfinished() == []
    assert [match for match in Match.objects.order_by("pk")[::10] if list(audit.differences(match))] == []
