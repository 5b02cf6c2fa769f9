"""Nobody plays in a league without having accepted by pressing the button themselves."""

from datetime import timedelta

import pytest
from django.core.exceptions import ValidationError
from django.urls import reverse

from beanpost.leagues import periodic
from beanpost.leagues.models import Chair, Entry, Fixture, Season
from beanpost.leagues.people import entries
from beanpost.leagues.seasons import rounds, substitutes
from beanpost.post.models import Letter
from tests.friends import NOON
from tests.leagues.office import do, entry_link, fill_season

pytestmark = pytest.mark.django_db
LATER = NOON + timedelta(days=4)


def own_link(entry):
    return entry_link(entry)


def letters_to(entry):
    return list(Letter.objects.filter(recipient=entry.player).order_by("pk").values_list("kind", flat=True))


@pytest.fixture
def season(league):
    """A season whose entries are closed, with three accepted entries."""
    return fill_season(league, 3, size=3, rounds=2)


@pytest.fixture
def zoe(season):
    """A person on the list who was never asked."""
    return entries.add_entry(season, "zoe@example.org", name="Zoe", now=NOON)


def test_a_person_who_was_never_asked_is_invited_first_and_drawn_after_accepting(at_olgas, client, season, zoe):
    shown = at_olgas.get(reverse("admin:leagues_entry_do", args=[zoe.pk, "enter"])).text
    assert "No one plays without accepting. We’ll ask them by letter." in shown
    assert do(at_olgas, zoe, "enter", announce="on").status_code == 302
    zoe.refresh_from_db()
    assert (zoe.state, zoe.on_acceptance, letters_to(zoe)) == ("invited", "entered", ["league_invite"])
    division = season.divisions.get()
    rounds.draw(division, by=None, now=NOON)
    assert not Chair.objects.filter(entry=zoe).exists()
    for round_ in division.rounds.all():
        rounds.publish(round_, now=NOON)
    rounds.begin_tables(division.rounds.first(), now=NOON)
    assert letters_to(zoe) == ["league_invite"]
    assert "There’s a place for you" in client.get(own_link(zoe)).text
    assert "You’re in." in client.post(own_link(zoe), {"enter": "1"}).text
    zoe.refresh_from_db()
    assert (zoe.state, zoe.division, zoe.on_acceptance) == ("entered", division, "")


def test_a_person_becomes_a_substitute_only_by_accepting(at_olgas, client, season, zoe):
    assert do(at_olgas, zoe, "substitute", announce="on").status_code == 302
    zoe.refresh_from_db()
    assert (zoe.state, letters_to(zoe)) == ("invited", ["league_invite"])
    rounds.draw(season.divisions.get(), by=None, now=NOON)
    rounds.publish(season.divisions.get().rounds.first(), now=NOON)
    chair = Fixture.objects.first().chairs.first()
    with pytest.raises(ValidationError, match="isn’t a substitute"):
        substitutes.substitute(chair, zoe, now=NOON)
    client.post(own_link(zoe), {"enter": "1"})
    zoe.refresh_from_db()
    assert zoe.state == "substitute"


def test_an_organiser_can_have_a_person_asked_twice_at_most(at_olgas, zoe):
    for action in ("enter", "substitute", "enter", "substitute"):
        assert do(at_olgas, zoe, action).status_code == 302
    assert letters_to(zoe) == ["league_invite"] * 2
    assert do(at_olgas, zoe, "substitute").status_code == 400  # already asked to be one


def test_a_person_who_declined_comes_back_only_by_their_own_press(at_olgas, client, zoe):
    do(at_olgas, zoe, "enter")
    client.post(own_link(zoe), {"decline": "1"})
    for action in ("enter", "substitute"):
        refused = do(at_olgas, zoe, action)
        assert refused.status_code == 400
        assert "Zoe declined. Only they can change that" in refused.text
    client.post(own_link(zoe), {"enter": "1"})
    zoe.refresh_from_db()
    assert zoe.state == "waiting"


def test_a_person_withdrawn_before_answering_is_asked_again_before_they_play(at_olgas, zoe):
    do(at_olgas, zoe, "withdraw", reason="A mistake.", announce="on")
    assert letters_to(zoe) == []  # a person who was never asked gets no letter about it
    do(at_olgas, zoe, "enter")
    zoe.refresh_from_db()
    assert (zoe.state, zoe.on_acceptance) == ("invited", "entered")


def test_a_person_who_accepted_and_was_withdrawn_by_mistake_plays_on(at_olgas, season):
    entry = season.entries.first()
    do(at_olgas, entry, "withdraw", reason="A mistake.")
    do(at_olgas, entry, "enter")
    entry.refresh_from_db()
    assert entry.state == "entered"


def test_a_silent_person_who_was_asked_by_name_is_reminded_once(at_olgas, zoe):
    do(at_olgas, zoe, "enter")
    Entry.objects.filter(pk=zoe.pk).update(invited_at=NOON)
    assert periodic.remind_silent_people(LATER) == 1
    assert periodic.remind_silent_people(LATER + timedelta(days=4)) == 0


def test_a_late_acceptance_does_not_enter_a_started_knock_out(league, zoe):
    entries.ask_person(zoe, "entered", now=NOON)
    Season.objects.update(format="knock_out")
    division = zoe.season.divisions.get()
    rounds.draw(division, by=None, now=NOON)
    rounds.publish(division.rounds.first(), now=NOON)
    zoe.season.refresh_from_db()
    assert entries.accept(zoe, now=NOON).state == "waiting"


def test_the_invitation_page_says_before_the_answer_that_a_season_is_full(client, league):
    season = Season.objects.create(league=league, name="Spring", most_entries=1, phase="entering")
    ann, bob = (entries.add_entry(season, f"{name}@example.org", now=NOON) for name in ("ann", "bob"))
    assert "waiting list" not in client.get(own_link(bob)).text
    entries.accept(ann, now=NOON)
    assert "If you say yes now, you’ll go on the waiting list." in client.get(own_link(bob)).text
    client.post(own_link(bob), {"enter": "1"})
    assert Entry.objects.get(pk=bob.pk).state == "waiting"


def test_a_person_asked_to_be_a_substitute_is_not_offered_a_place(client, season, zoe):
    entries.ask_person(zoe, Entry.State.SUBSTITUTE, now=NOON)
    shown = client.get(own_link(zoe)).text
    assert "We’re asking you to be a substitute" in shown
    assert 'name="enter"' not in shown
    assert "waiting list" not in shown
    client.post(own_link(zoe), {"substitute": "1"})
    assert Entry.objects.get(pk=zoe.pk).state == "substitute"
