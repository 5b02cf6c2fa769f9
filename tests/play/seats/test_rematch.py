"""A rematch: the same game with the same people."""

import pytest

from beanpost.play.models import Match
from beanpost.play.seats import joining, lifecycle, opening, rematch
from beanpost.privacy import erasure
from tests.friends import NOON, seat_friends
from tests.pages.table import play_to_the_end

pytestmark = pytest.mark.django_db


def test_a_rematch_invites_the_same_people_and_the_second_to_ask_is_ready():
    match = seat_friends()
    ann, bob = match.places.get(seat=0).player, match.places.get(seat=1).player
    following = rematch.open_rematch(match.pk, bob, now=NOON)
    assert following.keeper == bob
    assert rematch.open_rematch(match.pk, ann, now=NOON) == following
    assert {place.name: bool(place.confirmed_at) for place in following.places.all()} == {
        "Ann": True,
        "Bob": True,
        "Cleo": False,
    }


@pytest.mark.parametrize("by_itself", [False, True])
def test_a_rematch_after_one_was_called_off_is_a_new_match(by_itself):
    match = seat_friends()
    ann, bob, _cleo = (place.player for place in match.places.select_related("player"))
    given_up = rematch.open_rematch(match.pk, ann, now=NOON)
    if by_itself:
        lifecycle.expire(NOON + opening.FILLS_WITHIN)
    else:
        joining.decline(given_up.places.get(player=ann), now=NOON)
    following = rematch.open_rematch(match.pk, bob, now=NOON + opening.FILLS_WITHIN)
    assert (following.phase, following.keeper, following.follows) == (Match.Phase.GATHERING, bob, match)


def test_a_deleted_players_seat_is_free_in_a_rematch():
    match = play_to_the_end(seat_friends())
    ann, bob, cleo = (place.player for place in match.places.select_related("player"))
    erasure.erase(cleo, now=NOON)
    following = rematch.open_rematch(match.pk, ann, now=NOON)
    assert {place.player for place in following.places.select_related("player")} == {ann, bob}
    assert (following.seats, following.listed) == (3, False)
    joining.invite_instead(following.pk, "zoe@example.org", now=NOON)
