"""A season of ninety days, a third of its players unreliable. SEASON sets how many matches; the full run has 200."""

import os

import pytest

from beanpost.play.log import audit
from beanpost.play.models import Match
from tests.play.season import Season

pytestmark = pytest.mark.django_db
MATCHES = int(os.environ.get("SEASON", "20"))


def test_a_season_of_ninety_days_ends_well(capsys):
    season = Season(matches=MATCHES, players=max(12, MATCHES * 3 // 10), days=90)
    season.run()
    with capsys.disabled():
        print(f"\nA season of {MATCHES} matches:\n{season.report()}")
    assert season.faults == []
    assert season.unfinished() == []
    assert [match for match in Match.objects.order_by("pk")[::10] if list(audit.find_differences(match))] == []
    assert season.seen["time-outs"] > 0
    assert season.seen["bots sat in"] > 0
