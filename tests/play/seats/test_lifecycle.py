"""Opening and starting a match."""

import secrets
from datetime import timedelta

import pytest
from django.core.exceptions import ValidationError

import games
from beanpost.play import random_codes
from beanpost.play.models import Match, Vault, build_card
from beanpost.play.seats import joining, opening, takeover, votes
from beanpost.play.timekeeping import absence
from beanpost.players import accounts
from games.contract.dice import compute_commitment
from tests.friends import NOON, gather, seat_friends

pytestmark = pytest.mark.django_db


def planned(keeper, **changes):
    usual = {"game": "haricots", "variant": "sprint", "seats": 3, "pace": "daily", "open_to_all": False, "bots": 0}
    return opening.plan(keeper, **usual | {"addresses": ["bob@example.org", "cleo@example.org"]} | changes)


@pytest.fixture
def ann():
    return accounts.get_or_create_player("ann@example.org", name="Ann", now=NOON)


def test_a_match_waits_until_everyone_has_confirmed():
    match = gather()
    assert match.phase == "gathering"
    assert match.events.count() == 0
    bob, cleo = match.places.exclude(player=match.keeper)
    joining.accept_invitation(bob, name="Bobby", word="broad", now=NOON)
    match.refresh_from_db()
    assert match.phase == "gathering"
    joining.accept_invitation(cleo, name="Cleo", word="", now=NOON)
    match.refresh_from_db()
    assert match.phase == "running"
    assert [place.name for place in match.places.all()] == ["Ann", "Bobby", "Cleo"]


def test_an_empty_word_is_filled_in_and_marked():
    match = seat_friends(words=("runner", "broad", ""))
    assert [place.word_of_house for place in match.places.all()] == [False, False, True]
    assert match.places.get(seat=2).word


def test_the_commitment_is_published_before_any_word_is_in():
    match = gather()
    assert match.commitment == compute_commitment(bytes(Vault.objects.get(match=match).secret))


def test_the_log_starts_with_the_digest_of_the_card():
    match = seat_friends()
    laid = build_card(match, list(match.places.all()))
    assert laid.words == ("runner", "broad", "lentil")
    assert match.events.get(seq=1).digest != laid.digest


def test_pressing_the_opening_link_twice_opens_one_match(ann):
    plan = planned(ann)
    assert opening.open_match(plan, ann, now=NOON) == opening.open_match(plan, ann, now=NOON)
    assert Match.objects.count() == 1


def test_declining_frees_the_seat_for_another_player():
    match = gather()
    joining.decline(match.places.get(player__name="Bob"), now=NOON)
    assert [place.seat for place in match.places.all()] == [0, 2]
    assert joining.invite_instead(match.pk, "dora@example.org", now=NOON).seat == 1
    with pytest.raises(ValidationError):
        joining.invite_instead(match.pk, "emil@example.org", now=NOON)


def test_a_keeper_who_declines_calls_the_match_off():
    match = gather()
    joining.decline(match.places.get(player=match.keeper), now=NOON)
    match.refresh_from_db()
    assert match.phase == "called off"


def test_a_player_cannot_have_two_seats():
    match = gather()
    joining.decline(match.places.get(seat=2), now=NOON)
    with pytest.raises(ValidationError):
        joining.invite_instead(match.pk, "BOB@example.org ", now=NOON)


def test_a_visitor_may_join_an_open_table_and_it_starts_when_full(ann):
    match = opening.open_match(planned(ann, open_to_all=True, addresses=[]), ann, now=NOON)
    for name in ("bob", "cleo"):
        joining.join(match.pk, accounts.get_or_create_player(f"{name}@example.org", now=NOON), now=NOON)
    match.refresh_from_db()
    assert match.phase == "running"
    with pytest.raises(ValidationError):
        joining.join(match.pk, accounts.get_or_create_player("dora@example.org", now=NOON), now=NOON)


def test_a_table_that_is_not_open_cannot_be_joined():
    match = gather()
    joining.decline(match.places.get(seat=2), now=NOON)
    with pytest.raises(ValidationError):
        joining.join(match.pk, accounts.get_or_create_player("dora@example.org", now=NOON), now=NOON)


@pytest.mark.parametrize(
    "wish",
    [
        {"addresses": ["ann@example.org", "bob@example.org"]},
        {"addresses": ["bob@example.org"]},
        {"addresses": ["bob@example.org", "cleo@example.org", "dora@example.org"]},
        {"addresses": ["bob@example.org", "no address"]},
        {"pace": "hasty"},
    ],
)
def test_an_unplayable_plan_is_refused(ann, wish):
    with pytest.raises(ValidationError):
        planned(ann, **wish)


@pytest.mark.parametrize("wish", [{"game": "chess"}, {"variant": "blitz"}, {"seats": 9}])
def test_an_unknown_game_is_refused(ann, wish):
    with pytest.raises(games.RulesError):
        planned(ann, **wish)


def test_invitations_are_limited_per_day(ann):
    for n in range(10):
        opening.open_match(planned(ann, addresses=[f"a{n}@example.org", f"b{n}@example.org"]), ann, now=NOON)
    with pytest.raises(ValidationError):
        opening.open_match(planned(ann), ann, now=NOON)
    opening.open_match(planned(ann), ann, now=NOON + timedelta(days=1, seconds=1))


def test_a_newcomer_in_a_seat_does_not_count_as_invited_by_the_keeper(monkeypatch):
    match = seat_friends()
    tomorrow = NOON + timedelta(days=1)
    absence.resign(match.places.get(seat=1), now=tomorrow)
    proposal = votes.offer_seat(match.pk, 1, "zoe@example.org", now=tomorrow)
    takeover.take_over(proposal, proposal.player, now=tomorrow)
    monkeypatch.setattr(joining, "INVITATIONS_A_DAY", 2)
    opening.open_match(planned(match.keeper), match.keeper, now=tomorrow)


def test_a_person_proposed_for_a_seat_counts_towards_the_invitation_limit(monkeypatch):
    match = seat_friends()
    tomorrow = NOON + timedelta(days=1)
    absence.resign(match.places.get(seat=1), now=tomorrow)
    ann, _bob, cleo = match.places.select_related("player")
    monkeypatch.setattr(joining, "INVITATIONS_A_DAY", 2)
    for address in ("yan@example.org", "zoe@example.org"):
        proposal = votes.propose(ann, "give", seat=1, address=address, now=tomorrow)
        votes.vote(cleo, proposal.pk, now=tomorrow)
    for place in (ann, cleo):
        with pytest.raises(ValidationError, match="You can invite up to 2 people a day"):
            votes.propose(place, "give", seat=1, address="xan@example.org", now=tomorrow)
    with pytest.raises(ValidationError, match="You can invite up to 2 people a day"):
        opening.open_match(planned(ann.player), ann.player, now=tomorrow)


def test_no_code_looks_like_a_command_line_option(monkeypatch):
    monkeypatch.setattr(secrets, "token_urlsafe", lambda _: "-ab-cd_ef12")
    assert random_codes.make_code() == "_ab_cd_ef12"
