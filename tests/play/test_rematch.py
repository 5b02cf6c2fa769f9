"""The same game once more, with the same people."""

import pytest

from beanpost.play import opening, rematch
from beanpost.play.models import Match
from tests.friends import NOON, seat_friends

pytestmark = pytest.mark.django_db


def test_playing_again_invites_the_same_people_and_whoever_asks_second_is_ready():
    match = seat_friends()
    ann, bob = match.places.get(seat=0).player, match.places.get(seat=1).player
    following = rematch.play_again(match.pk, bob, now=NOON)
    assert following.keeper == bob
    assert rematch.play_again(match.pk, ann, now=NOON) == following
    assert {place.name: bool(place.confirmed_at) for place in following.places.all()} == {
        "Ann": True,
        "Bob": True,
        "Cleo": False,
    }


@pytest.mark.parametrize("by_itself", [False, True])
def test_who_asks_to_play_again_after_that_was_called_off_opens_another_match(by_itself):
    match = seat_friends()
    ann, bob, _cleo = (place.player for place in match.places.select_related("player"))
    given_up = rematch.play_again(match.pk, ann, now=NOON)
    if by_itself:
        opening.expire(NOON + opening.FILLS_WITHIN)
    else:
        opening.decline(given_up.places.get(player=ann), now=NOON)
    following = rematch.play_again(match.pk, bob, now=NOON + opening.FILLS_WITHIN)
    assert (following.phase, following.keeper, following.follows) == (Match.Phase.GATHERING, bob, match)
