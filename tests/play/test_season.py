"""A simulated season: nobody is bullied, nothing stalls, every match ends. The long one is in tests/endurance."""

import pytest

from beanpost.play import audit
from beanpost.play.models import Match
from tests.play.season import Season

pytestmark = pytest.mark.django_db


def test_in_a_season_every_match_ends_and_nobody_is_hurried_at_night_or_while_away(capsys):
    season = Season(matches=8, players=9, days=90)
    season.run()
    with capsys.disabled():
        print(f"\nA season of 8 matches:\n{season.report()}")
    assert season.faults == []
    assert season.unfinished() == []
    for match in Match.objects.order_by("pk")[::4]:
        assert list(audit.differences(match)) == []
    assert season.seen["time-outs"] > 0
    assert season.seen["bots sat in"] > 0
