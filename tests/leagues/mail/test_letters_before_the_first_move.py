"""A player of a league gets three letters up to the first turn: an invitation, their table, and the turn."""

from datetime import timedelta

import pytest
from django.core.exceptions import ValidationError
from django.urls import reverse

from beanpost.leagues.actions import recipients
from beanpost.leagues.models import Entry, Fixture, Round, Season
from beanpost.leagues.seasons import dealing, rounds
from beanpost.play.models import Match, Place
from beanpost.play.seats import joining
from beanpost.play.tickets import SeatTicket, sign
from beanpost.players.models import Player
from beanpost.post.compose.letter import compose
from beanpost.post.mime import split_parts
from beanpost.post.models import Letter
from tests.friends import NOON
from tests.leagues.office import do, entry_link, fill_season, invent_results, play_moves

pytestmark = pytest.mark.django_db
DAY = timedelta(hours=24)
PEOPLE = "Name,Email\nAnn,ann@example.org\nBob,bob@example.org\nCleo,cleo@example.org"


@pytest.fixture
def table(league):
    """A table that has just been opened, and when."""
    season = fill_season(league, 3, size=3, rounds=1)
    rounds.draw(season.divisions.get(), by=None, now=NOON)
    rounds.publish(season.divisions.get().rounds.get(), now=NOON)
    return Fixture.objects.get()


def body(kind="invitation"):
    return " ".join(split_parts(compose(Letter.objects.filter(kind=kind).first(), NOON).source).text.split())


def test_three_letters_from_the_invitation_to_the_first_turn(at_olgas, client, league):
    season = Season.objects.create(league=league, name="Autumn", size=3, rounds=1)
    for action, answers in (("import", {"people": PEOPLE}), ("invite", {})):
        assert do(at_olgas, season, action, **answers).status_code == 302
    for entry in Entry.objects.all():
        client.post(entry_link(entry), {"enter": "1"})
    assert Entry.objects.filter(state="entered").count() == 3
    for action in ("close-entries", "draw", "start", "begin"):
        season.refresh_from_db()
        assert do(at_olgas, season, action).status_code == 302, action
    match = Match.objects.get()
    asked = match.waits.get(due_at__isnull=False).seat
    for place in match.places.all():
        queued = [letter.kind for letter in Letter.objects.filter(recipient=place.player).order_by("pk")]
        assert queued == ["league_invite", "invitation"] + ["turn"] * (place.seat == asked)
    play_moves(match, 8)  # three players have had a turn
    for player in Player.objects.filter(places__match=match):
        queued = list(Letter.objects.filter(recipient=player).order_by("pk").values_list("kind", flat=True))
        assert queued[:3] == ["league_invite", "invitation", "turn"]


def test_the_letter_about_a_table_names_seats_commitment_word_and_deal(table):
    text = body()
    seats = ", ".join(place.name for place in table.match.places.order_by("seat"))
    assert "Your table in Bean League: Autumn" in text
    assert f"Seats: {seats}" in text
    assert table.match.commitment in text
    assert "Add your word:" in text
    assert "Can’t you play at this table?" in text
    assert "once everyone is ready, by Tue 17 Nov, 12:00 (UTC) at the latest." in text


def test_a_table_is_dealt_after_a_day_with_the_words_that_are_there(table):
    ann = table.match.places.get(seat=0)
    joining.accept_invitation(ann, name=ann.player.name, word="sunflower", now=NOON)
    assert dealing.deal_due_tables(NOON + DAY - timedelta(minutes=1)) == 0
    assert dealing.deal_due_tables(NOON + DAY) == 1
    assert dealing.deal_due_tables(NOON + DAY) == 0
    match = Match.objects.get()
    assert match.phase == "running"
    assert list(match.places.order_by("seat").values_list("word_of_house", flat=True)) == [False, True, True]


def test_a_player_who_cannot_play_says_so_and_the_table_waits(client, table):
    place = table.match.places.get(seat=1)
    url = reverse("ready", args=[sign(SeatTicket(place.match_id, place.seat, place.occupant))])
    assert "I can’t play at this table" in client.get(url).text
    client.post(url, {"decline": "1"})
    assert not Place.objects.filter(pk=place.pk).exists()
    assert dealing.deal_due_tables(NOON + 3 * DAY) == 0
    assert Match.objects.get().phase == "gathering"


def test_a_substitute_has_a_day_too(table):
    Place.objects.filter(match=table.match, seat=2).update(invited_at=NOON + timedelta(hours=20))
    assert dealing.find_deal_time(table.match) == NOON + timedelta(hours=44)
    assert dealing.deal_due_tables(NOON + DAY) == 0


@pytest.mark.parametrize("state", ["invited", "declined"])
def test_a_person_who_has_not_accepted_the_season_is_never_dealt_in(table, state):
    Entry.objects.filter(chairs__fixture=table, chairs__seat=1).update(state=state)
    assert dealing.deal_due_tables(NOON + 3 * DAY) == 0
    assert "Answer the invitation:" in body()


def test_a_paused_division_deals_nothing(table):
    table.round.division.paused_at = NOON
    table.round.division.save()
    assert dealing.deal_due_tables(NOON + 3 * DAY) == 0


def next_round(division):
    """Draw and start a division's next round, and play it."""
    rounds.draw(division, by=None, now=NOON)
    round_ = division.rounds.order_by("number").last()
    rounds.publish(round_, now=NOON)
    invent_results(round_)
    return round_


def test_players_knocked_out_get_no_letter_about_a_later_round(league):
    season = fill_season(league, 8, size=4, rounds=1, format="knock_out")
    division = season.divisions.get()
    for count in (8, 4):
        round_ = next_round(division)
        assert len(recipients.find_players_in_round(Round.objects.get(pk=round_.pk))) == count
        rounds.close_round(round_, now=NOON)


def test_players_knocked_out_hear_of_later_rounds_if_they_follow(at_olgas, league):
    season = fill_season(league, 8, size=4, rounds=1, format="knock_out")
    division = season.divisions.get()
    rounds.close_round(next_round(division), now=NOON)
    round_ = next_round(division)
    out = Player.objects.filter(entries__season=season).exclude(chairs__fixture__round=round_)
    follower, left, *_others = out
    Player.objects.filter(pk__in=(follower.pk, left.pk)).update(follows_rounds=True)
    Entry.objects.filter(player=left).update(state="left")
    assert follower in recipients.find_players_in_round(Round.objects.get(pk=round_.pk))
    do(at_olgas, season, "close-round", announce="on")
    recipient_ids = Letter.objects.filter(kind="announcement").values_list("recipient", flat=True)
    assert set(recipient_ids) == {*round_.fixtures.values_list("chairs__sitter", flat=True), follower.pk}


def test_a_dealt_table_cannot_be_declined(table):
    dealing.deal_due_tables(NOON + DAY)
    with pytest.raises(ValidationError):
        joining.decline(Match.objects.get().places.get(seat=0), now=NOON + DAY)
