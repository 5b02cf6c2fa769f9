"""No forgotten seat: who looks after a table, offers of seats, and people who can't be asked."""

import pytest
from django.contrib.auth import get_user_model
from django.core.exceptions import ValidationError
from django.urls import reverse

from beanpost.leagues.models import League
from beanpost.play import load
from beanpost.play.models import Match, Proposal
from beanpost.play.seats import own_seat, rematch, takeover, votes
from beanpost.play.tickets import TakeoverTicket, sign
from beanpost.play.timekeeping import absence
from beanpost.play.turns import endings, house_lines
from beanpost.players import accounts
from beanpost.players.models import Player
from beanpost.post.compose.letter import compose
from beanpost.post.models import Letter
from beanpost.post.notify import absence_letters
from beanpost.privacy import erasure
from tests.friends import NOON, seat_friends
from tests.leagues.office import put_in_league
from tests.pages.table import asked, press, seat_link
from tests.play.seats.test_rewind import first_wait, play_as_bot
from tests.post.gallery import deliver

pytestmark = pytest.mark.django_db


@pytest.fixture
def match():
    return seat_friends(seats=4, variant="basic")


def seat(match, number):
    return match.places.select_related("player").get(seat=number)


def leave_to_bot(match, number):
    house_lines.substitute_bot(load.lock_match(match.pk), seat(match, number), "clock", NOON)


def hand_over(match, number, name="zoe"):
    absence.resign(seat(match, number), now=NOON)
    offered = votes.offer_seat(match.pk, number, f"{name}@example.org", now=NOON)
    takeover.take_over(offered, offered.player, now=NOON)


def report(match):
    """Let the player who is asked write a note, and another report it. Return the author and who is told."""
    author = asked(match).place
    press(match, note="You fools")
    note = match.notes.latest("pk")
    reader = next(place for place in match.places.filter(resigned_at=None) if place.seat != author.seat)
    assert own_seat.report_note(reader, note.pk, now=NOON)
    return author.player, Player.objects.filter(letters__kind="reported")


# ── who looks after a table ──


def test_an_organiser_who_keeps_a_leagues_match_hears_of_it_although_others_play(match):
    league = put_in_league(match).league
    League.objects.filter(pk=league.pk).update(keeper=None)
    match.keeper = accounts.get_or_create_player("olga@example.org", now=NOON)
    match.save()
    _author, told = report(match)
    assert [player.address for player in told] == ["olga@example.org"]


def test_nobody_is_told_of_their_own_report_and_between_two_the_host_hears_of_it():
    get_user_model().objects.create_superuser("console", email="")
    get_user_model().objects.create_superuser("host", email="Host@example.org")
    match = seat_friends("fagioli", "standard", seats=2)
    while asked(match).place.player != match.keeper:
        press(match)
    author, told = report(match)
    assert author == match.keeper
    assert [player.address for player in told] == ["host@example.org"]


def test_a_former_player_reads_no_report_of_their_own_note(match):
    league = put_in_league(match).league
    hand_over(match, 1)
    League.objects.filter(pk=league.pk).update(keeper=match.departures.get().player)
    absence.resign(seat(match, 0), now=NOON)
    assert own_seat.find_caretaker(match, 1, now=NOON) == seat(match, 2).player
    assert own_seat.find_caretaker(match, 2, now=NOON) == match.departures.get().player


@pytest.mark.parametrize("is_erased", [False, True])
def test_a_report_goes_to_another_player_once_the_keeper_has_left(match, is_erased):
    keeper = match.keeper
    hand_over(match, 0)
    if is_erased:
        erasure.erase(keeper, now=NOON)
    author, told = report(match)
    assert told.count() == 1
    assert told[0] not in (keeper, author)
    deliver()
    assert "You look after this" in Letter.objects.get(kind="reported").text


def test_nobody_reads_a_report_of_their_own_note(match):
    assert own_seat.find_caretaker(match, 0, now=NOON) == seat(match, 1).player
    assert own_seat.find_caretaker(match, 1, now=NOON) == match.keeper
    absence.resign(seat(match, 0), now=NOON)
    assert own_seat.find_caretaker(match, 1, now=NOON) == seat(match, 2).player


def test_people_who_refuse_letters_look_after_no_table(match):
    accounts.refuse_letters(match.keeper, now=NOON)
    assert own_seat.find_caretaker(match, 2, now=NOON) == seat(match, 1).player


def test_the_leagues_keeper_looks_after_its_tables(match):
    league = put_in_league(match).league
    hand_over(match, 0)
    assert own_seat.find_caretaker(match, 1, now=NOON) == league.keeper
    league.keeper = seat(match, 3).player
    league.save()
    assert own_seat.find_caretaker(match, 1, now=NOON) == league.keeper
    assert own_seat.find_caretaker(match, 3, now=NOON) == seat(match, 0).player  # never of their own seat


def test_the_host_looks_after_a_table_that_everyone_has_left(match):
    get_user_model().objects.create_superuser("host", email="host@example.org")
    host = accounts.get_or_create_player("host@example.org", now=NOON)
    for number in range(3):
        absence.resign(seat(match, number), now=NOON)
    assert own_seat.find_caretaker(match, 3, now=NOON) == host
    assert own_seat.find_caretaker(match, 2, now=NOON) == seat(match, 3).player


def test_the_caretaker_hears_of_an_automatic_reply(match):
    absence.resign(seat(match, 0), now=NOON)
    absence_letters.tell_caretaker_of_absence(match, seat(match, 2), NOON)
    assert Letter.objects.get(kind="away_seen").recipient == seat(match, 1).player


# ── offers ──


def test_taking_a_seat_closes_offers_of_other_seats_at_the_table(match):
    for number in (1, 2):
        leave_to_bot(match, number)
    first, second = (votes.offer_seat(match.pk, number, "zoe@example.org", now=NOON) for number in (1, 2))
    takeover.take_over(first, first.player, now=NOON)
    second.refresh_from_db()
    assert second.closed_at
    assert [compose(letter, NOON) for letter in Letter.objects.filter(kind="takeover")] == [None, None]


def test_the_erasure_of_a_candidate_closes_the_offer_and_another_name_is_accepted(match):
    leave_to_bot(match, 1)
    ann = seat(match, 0)
    votes.propose(ann, "give", seat=1, address="zoe@example.org", now=NOON)
    erasure.erase(Player.objects.get(address="zoe@example.org"), now=NOON)
    assert votes.find_undecided(match) == []
    assert votes.propose(ann, "give", seat=1, address="yan@example.org", now=NOON).player.name == "yan"


def test_a_person_can_decline_an_offered_seat(client, match):
    leave_to_bot(match, 1)
    offer = votes.offer_seat(match.pk, 1, "zoe@example.org", now=NOON)
    page = reverse("takeover", args=[sign(TakeoverTicket(offer.player_id, offer.player.sessions, offer.pk))])
    assert "No, thank you" in client.get(page).text
    assert not Proposal.objects.get().closed_at
    answer = client.post(page, {"no": "1"})
    assert answer.status_code == 200
    assert "You’ve declined this seat" in answer.text
    assert Proposal.objects.get().closed_at
    assert client.post(page).status_code == 409
    assert votes.offer_seat(match.pk, 1, "yan@example.org", now=NOON).player.name == "yan"


@pytest.mark.parametrize("act", [votes.offer_seat, votes.rewind_for_organiser])
def test_an_organiser_offers_no_seat_and_undoes_nothing_once_the_match_is_over(match, act):
    event = play_as_bot(match, first_wait(match))
    leave_to_bot(match, 1)
    endings.annul(load.lock_match(match.pk), "organiser", NOON)
    arguments = (1, "zoe@example.org") if act is votes.offer_seat else (event.seq,)
    with pytest.raises(ValidationError, match="isn’t in progress"):
        act(match.pk, *arguments, now=NOON)
    assert not Proposal.objects.exists()
    assert not Player.objects.filter(address="zoe@example.org").exists()


# ── people who can't be asked ──


def test_an_undo_does_not_wait_for_a_player_who_refuses_letters(match):
    event = play_as_bot(match, first_wait(match))
    accounts.refuse_letters(seat(match, 3).player, now=NOON)
    proposal = votes.rewind_for_organiser(match.pk, event.seq, now=NOON)
    for number in range(3):
        assert Match.objects.get().length == event.seq
        votes.vote(seat(match, number), proposal.pk, now=NOON)
    assert Match.objects.get().events.last().line == f"rewind to {event.seq - 1}"


def test_an_undo_is_done_when_the_last_silent_player_refuses_letters(match):
    event = play_as_bot(match, first_wait(match))
    proposal = votes.rewind_for_organiser(match.pk, event.seq, now=NOON)
    for number in range(3):
        votes.vote(seat(match, number), proposal.pk, now=NOON)
    assert votes.decide_without_absent(NOON) == 0
    accounts.refuse_letters(seat(match, 3).player, now=NOON)
    assert votes.decide_without_absent(NOON) == 1
    assert Match.objects.get().length > event.seq


def test_a_rematch_leaves_the_seat_of_a_player_who_refuses_letters_to_others(client, match):
    endings.annul(load.lock_match(match.pk), "organiser", NOON)
    silent = seat(match, 3).player
    accounts.refuse_letters(silent, now=NOON)
    page = client.get(seat_link("again", seat(match, 0))).text
    assert "One seat is free." in page
    assert silent.name not in page.split("<form")[0].partition("<main")[2]
    following = rematch.open_rematch(match.pk, match.keeper, now=NOON)
    assert (following.open_to_all, following.places.count()) == (True, 3)
    assert not following.places.filter(player=silent).exists()
