"""An organiser's actions at a running table: previewed, with a reason, announced by letter, kept in the log."""

import json
import os
import re
from datetime import timedelta

import pytest
from django.contrib import admin
from django.core.exceptions import ValidationError
from django.test import RequestFactory
from django.urls import reverse

from beanpost.leagues import periodic
from beanpost.leagues.actions import registry
from beanpost.leagues.actions.table_actions import TABLE_ACTIONS
from beanpost.leagues.admin.action_form import ActionForm, read_answers
from beanpost.leagues.models import Chair, Fixture, LeagueEvent, Rating
from beanpost.leagues.people import entries
from beanpost.leagues.records import exports, ratings, season_records
from beanpost.leagues.seasons import phases, results, rounds
from beanpost.play import clock
from beanpost.play.display import scene
from beanpost.play.display.story import tell_story
from beanpost.play.log import audit
from beanpost.play.log.export import export_match
from beanpost.play.models import Match, Proposal
from beanpost.play.seats import joining, takeover, votes
from beanpost.play.tickets import SeatTicket, sign
from beanpost.play.timekeeping import absence
from beanpost.players import accounts
from beanpost.players.models import Player
from beanpost.post.compose.letter import compose
from beanpost.post.models import Letter
from beanpost.privacy import erasure, match_data
from games.verification.verify import verify
from tests.friends import NOON
from tests.leagues.conftest import signed_in
from tests.leagues.office import do, do_url, fill_season, play_moves, play_out, start_round
from tests.post.gallery import deliver
from tests.restored import find_rows

pytestmark = pytest.mark.django_db
REASON = {"reason": "The cat sat on the keys.", "announce": "on"}


@pytest.fixture(autouse=True)
def at_noon(monkeypatch):
    monkeypatch.setattr(clock, "now", lambda: NOON + timedelta(hours=1))


@pytest.fixture
def fixture(league):
    """A table of three, just started."""
    start_round(fill_season(league, 3, size=3, rounds=1), begin=True)
    return Fixture.objects.get()


def asked(fixture):
    """The chair the table waits for."""
    return fixture.chairs.get(seat=fixture.match.waits.exclude(due_at=None).first().seat)


def last_line(fixture):
    event = fixture.match.events.filter(seat=-2).last()
    return event.line, event.origin


def carry_out(client, fixture, action, **answers):
    answer = do(client, fixture, action, **REASON, **answers)
    assert answer.status_code == 302, answer.context["form"].errors
    fixture.refresh_from_db()


def test_looking_at_an_action_before_it_is_confirmed_changes_nothing(at_olgas, fixture):
    spare = entries.add_entry(fixture.round.division.season, "spare@example.org", name="Spare", now=NOON)
    entries.accept(spare, as_substitute=True, now=NOON)
    play_moves(fixture.match, 2)
    places = {f"chair{chair.pk}": n for n, chair in enumerate(fixture.chairs.all(), 1)}
    answers = {"chair": asked(fixture).pk, "days": 3, "incoming": spare.pk, "line": 3, **places, **REASON}
    before = find_rows()
    for action in TABLE_ACTIONS:
        url = do_url(fixture, action.name)
        assert at_olgas.get(url).status_code == 200
        assert at_olgas.post(url, {"look": "1", **answers}).status_code == 200
    assert find_rows() == before


def test_the_player_a_table_waits_for_can_get_more_time(at_olgas, fixture):
    chair = asked(fixture)
    due = fixture.match.waits.get().due_at
    carry_out(at_olgas, fixture, "extend", chair=chair.pk, days=3)
    until = fixture.match.waits.get().due_at
    assert until >= due + timedelta(days=3)
    assert last_line(fixture) == (f"extend {'ABC'[chair.seat]} to {until:%Y-%m-%dT%H:%MZ}", "organiser")
    letters = Letter.objects.filter(kind="announcement")
    assert letters.count() == 3
    assert letters.first().values["reason"] == REASON["reason"]
    other = fixture.chairs.exclude(pk=chair.pk).first()
    answer = do(at_olgas, fixture, "extend", chair=other.pk, days=3, **REASON)
    assert "The table isn’t waiting for" in answer.content.decode()


def test_a_double_press_gives_more_time_once(at_olgas, fixture, monkeypatch):
    chair = asked(fixture)
    carry_out(at_olgas, fixture, "extend", chair=chair.pk, days=3)
    until = fixture.match.waits.get().due_at
    refused = do(at_olgas, fixture, "extend", chair=chair.pk, days=3, **REASON)
    assert f"{chair.sitter} was given more time a moment ago, until " in refused.content.decode()
    assert fixture.match.waits.get().due_at == until
    assert Letter.objects.filter(kind="announcement").count() == 3
    monkeypatch.setattr(clock, "now", lambda: NOON + timedelta(hours=2))
    carry_out(at_olgas, fixture, "extend", chair=chair.pk, days=3)
    assert fixture.match.waits.get().due_at > until


def test_a_player_is_reminded_at_most_once_a_day(at_olgas, fixture):
    chair = asked(fixture)
    carry_out(at_olgas, fixture, "remind", chair=chair.pk)
    assert last_line(fixture) == (f"remind {'ABC'[chair.seat]}", "organiser")
    assert Letter.objects.get(kind="reminder").recipient == chair.sitter
    answer = do(at_olgas, fixture, "remind", chair=chair.pk, **REASON)
    assert "was reminded less than a day ago." in answer.content.decode()


def test_a_match_can_be_paused_and_continued(at_olgas, fixture):
    carry_out(at_olgas, fixture, "pause")
    assert last_line(fixture) == ("pause", "organiser")
    assert "The match is already paused." in do(at_olgas, fixture, "pause", **REASON).content.decode()
    carry_out(at_olgas, fixture, "resume")
    assert last_line(fixture) == ("resume", "organiser")
    assert fixture.match.waits.get().due_at


def test_everyone_at_the_table_is_told_when_and_why_the_organiser_pauses_or_continues(at_olgas, fixture):
    Player.objects.filter(name="Player 2").update(language="fr")
    sentences = {
        "pause": ("The organiser paused the match. The clock", "L’organisateur met la partie en pause : l’horloge"),
        "resume": ("The organiser ended the pause. The clock", "L’organisateur met fin à la pause : l’horloge"),
    }
    for action, (english, french) in sentences.items():
        carry_out(at_olgas, fixture, action)
        line = fixture.match.events.get(seat=-2, line=action).seq
        deliver(clock.now())
        letters = Letter.objects.filter(kind="decided", key=f"m/{fixture.match_id}/{line}").order_by("recipient__name")
        assert [letter.recipient.name for letter in letters] == ["Player 0", "Player 1", "Player 2"]
        ours, _others, theirs = letters
        for body in (ours.text, ours.html):
            assert english in body
            assert f"The organiser says: {REASON['reason']}" in body
        for body in (theirs.text.replace("\xa0", " "), theirs.html.replace("&nbsp;", " ")):
            assert french in body
            assert f"L’organisateur dit : {REASON['reason']}" in body
    assert not Letter.objects.filter(kind="announcement").exists()  # which would tell it twice


def test_the_admin_of_a_paused_match_names_the_player_it_will_wait_for(at_olgas, fixture):
    chair = fixture.chairs.get(seat=asked(fixture).seat)
    carry_out(at_olgas, fixture, "pause")
    sentence = f"When play resumes, the table will be waiting for {chair.sitter}."
    listed = at_olgas.get(reverse("admin:leagues_fixture_changelist")).text
    assert re.search(rf"field-waits_for[^>]*>\s*{chair.sitter} \(paused\)", listed)
    assert sentence in at_olgas.get(reverse("admin:leagues_fixture_change", args=[fixture.pk])).text
    bot = at_olgas.get(reverse("admin:leagues_fixture_do", args=[fixture.pk, "bot"]))
    assert sentence in bot.text
    assert bot.context["form"].fields["chair"].initial == chair
    for action in ("remind", "extend"):
        answer = do(at_olgas, fixture, action, chair=chair.pk, days=1, **REASON)
        assert "The match is paused and the clock is stopped." in answer.context["form"].non_field_errors()


def test_players_who_vote_on_going_back_read_the_organisers_reason(at_olgas, client, fixture):
    play_moves(fixture.match, 2)
    carry_out(at_olgas, fixture, "rewind", line=fixture.match.events.filter(seat__gte=0).first().seq)
    deliver(clock.now())
    letters = Letter.objects.filter(kind="decide", state="sent")
    assert letters.count() == 3
    assert not Letter.objects.filter(kind="announcement").exists()
    why = f"The organiser says: {REASON['reason']}"
    assert all(why in body for letter in letters for body in (letter.text, letter.html))
    door = reverse("seat", args=[sign(SeatTicket(fixture.match_id, 0, fixture.match.places.get(seat=0).occupant))])
    assert why in client.get(door).text


def test_a_reason_in_a_match_does_not_name_a_player_deleted_since(at_olgas, fixture):
    do(at_olgas, fixture, "pause", reason="Player 2 is ill, Player 22 is not.")
    gone = Player.objects.get(name="Player 2")
    absence.resign(fixture.match.places.get(player=gone), now=NOON)
    erasure.erase(gone, now=NOON)
    stayed = fixture.match.places.exclude(player=gone).first()
    (paused,) = (line for line in tell_story(fixture.match, stayed.seat) if line.note)
    assert paused.note.text == f"{match_data.make_pseudonym(gone)} is ill, Player 22 is not."


def test_a_reason_does_not_name_a_deleted_player_by_their_former_name(at_olgas, fixture):
    gone = Player.objects.get(name="Player 2")
    do(at_olgas, fixture, "annul", reason="Player 2, now called Player 2 the Great, was ill.")
    Player.objects.filter(pk=gone.pk).update(name="Player 2 the Great")
    erasure.erase(gone, now=NOON)
    fixture.refresh_from_db()
    assert fixture.reason == "{0}, now called {0}, was ill.".format(match_data.make_pseudonym(gone))


def test_a_reason_on_league_pages_does_not_name_a_deleted_player(at_olgas, client, fixture):
    do(at_olgas, fixture, "annul", reason="Player 2 was ill.")
    season, gone = fixture.round.division.season, Player.objects.get(name="Player 2")
    season.divisions.get().draws.update(reason="Player 2 came later.")
    erasure.erase(gone, now=NOON)
    page = client.get(reverse("season", args=[season.league.slug, season.pk])).text
    for ending in ("was ill.", "came later."):
        assert f"{match_data.make_pseudonym(gone)} {ending}" in page
    assert "Player 2" not in page


def test_a_reason_in_the_admin_history_does_not_name_a_deleted_player(at_olgas, fixture):
    do(at_olgas, fixture, "annul", reason="Player 2 was ill, Player 22 was not.")
    season, gone = fixture.round.division.season, Player.objects.get(name="Player 2")
    entry = season.entries.get(player=gone)
    url = reverse("admin:leagues_entry_do", args=[entry.pk, "withdraw"])
    at_olgas.post(url, {"do": "1", "reason": "For Player 2’s sake."})
    before = list_office_texts(fixture, entry)
    assert sum("Player 2" in words for words in before) >= 5
    erasure.erase(gone, now=NOON)
    name = re.compile(r"Player 2(?!2)")
    assert list_office_texts(fixture, entry) == [name.sub(match_data.make_pseudonym(gone), words) for words in before]


def list_office_texts(fixture, entry):
    rows = LeagueEvent.objects.order_by("pk").values_list("about", "told", "reason", "changes")
    return [json.dumps(words) for row in rows for words in row if words]


def test_a_bot_plays_until_its_player_takes_the_seat_back(at_olgas, fixture):
    chair = asked(fixture)
    carry_out(at_olgas, fixture, "bot", chair=chair.pk)
    assert (f"seat {'ABC'[chair.seat]} bot", "organiser") in list(
        fixture.match.events.filter(seat=-2).values_list("line", "origin")
    )
    assert Letter.objects.get(kind="stand_in").recipient == chair.sitter
    absence.return_to_seat(fixture.match.places.get(seat=chair.seat), now=NOON + timedelta(hours=2))
    assert last_line(fixture)[0] == f"seat {'ABC'[chair.seat]} person"


def test_a_substitute_is_asked_and_takes_the_seat_through_a_link(at_olgas, fixture):
    season = fixture.round.division.season
    spare = entries.add_entry(season, "spare@example.org", name="Spare", now=NOON)
    entries.accept(spare, as_substitute=True, now=NOON)
    chair = asked(fixture)
    outgoing = chair.sitter
    carry_out(at_olgas, fixture, "substitute", chair=chair.pk, incoming=spare.pk)
    proposal = Proposal.objects.get()
    assert Letter.objects.get(kind="takeover").recipient == spare.player
    assert Letter.objects.get(kind="stand_in").recipient == outgoing
    assert Chair.objects.get(pk=chair.pk).sitter == outgoing
    takeover.take_over(proposal, spare.player, now=NOON + timedelta(hours=2))
    assert Chair.objects.get(pk=chair.pk).sitter == spare.player
    assert Letter.objects.get(kind="replaced").recipient == outgoing
    match = play_out(fixture.match)
    assert list(audit.find_differences(match)) == []
    assert not Rating.objects.filter(player__in=(outgoing, spare.player)).exists()  # the seat changed hands


def test_a_substitute_who_is_asked_twice_has_one_offer(at_olgas, fixture, monkeypatch):
    """The link in the first letter stays valid; a second request after a while sends a second letter."""
    spare = entries.add_entry(fixture.round.division.season, "spare@example.org", name="Spare", now=NOON)
    entries.accept(spare, as_substitute=True, now=NOON)
    chair = asked(fixture)
    carry_out(at_olgas, fixture, "substitute", chair=chair.pk, incoming=spare.pk)
    letter_count = Letter.objects.count()
    refused = do(at_olgas, fixture, "substitute", chair=chair.pk, incoming=spare.pk, **REASON)
    assert "Spare was asked a moment ago." in refused.content.decode()
    assert Letter.objects.count() == letter_count
    monkeypatch.setattr(clock, "now", lambda: NOON + timedelta(days=1))
    carry_out(at_olgas, fixture, "substitute", chair=chair.pk, incoming=spare.pk)
    assert Letter.objects.filter(kind="takeover", recipient=spare.player).count() == 2
    assert Proposal.objects.get().closed_at is None
    takeover.take_over(Proposal.objects.get(), spare.player, now=NOON + timedelta(days=1))
    assert Chair.objects.get(pk=chair.pk).sitter == spare.player


def test_an_organiser_is_never_a_substitute(at_olgas, fixture):
    season = fixture.round.division.season
    entry = entries.add_entry(season, "olga@example.org", name="Olga", now=NOON)
    entries.accept(entry, as_substitute=True, now=NOON)
    answer = do(at_olgas, fixture, "substitute", chair=asked(fixture).pk, incoming=entry.pk, **REASON)
    assert "An organiser of this league can’t be a substitute." in answer.content.decode()
    assert not Proposal.objects.exists()


def test_league_players_cannot_give_seats_away_by_vote(at_olgas, fixture):
    chair = asked(fixture)
    carry_out(at_olgas, fixture, "bot", chair=chair.pk)
    voter = fixture.match.places.exclude(seat=chair.seat).first()
    with pytest.raises(ValidationError, match="In a league, the organiser decides"):
        votes.propose(voter, "give", seat=chair.seat, address="zoe@example.org", now=NOON)
    assert not Proposal.objects.exists()


def test_a_player_who_became_an_organiser_meanwhile_cannot_take_over_a_seat(at_olgas, olga, fixture):
    chair = asked(fixture)
    carry_out(at_olgas, fixture, "bot", chair=chair.pk)
    proposal = votes.offer_seat(fixture.match.pk, chair.seat, "olga@example.org", now=NOON)
    with pytest.raises(ValidationError, match="An organiser of this league can’t be a substitute"):
        takeover.take_over(proposal, proposal.player, now=NOON)
    assert fixture.match.places.get(seat=chair.seat).player == chair.sitter


def test_a_forfeited_player_gets_no_points_and_is_rated_last(at_olgas, fixture):
    chair = asked(fixture)
    carry_out(at_olgas, fixture, "forfeit", chair=chair.pk)
    lines = list(fixture.match.events.filter(seat=-2).values_list("line", "origin"))
    assert (f"forfeit {'ABC'[chair.seat]}", "organiser") in lines
    play_out(fixture.match)
    chair.refresh_from_db()
    assert (chair.forfeited, chair.by_bot) == (True, True)
    line = next(
        line for line in season_records.compute_standings(fixture.round.division) if line.entry.pk == chair.entry_id
    )
    assert (line.row.tally.points, line.row.tally.forfeits) == (0, 1)
    lowest = Rating.objects.filter(game="").order_by("mu").first()
    assert lowest.player == chair.sitter
    assert ratings.recompute_ratings()[1] == 0


def test_a_seat_is_forfeited_once_and_everyone_is_told_once(at_olgas, fixture):
    play_out(fixture.match)
    chair = fixture.chairs.get(rank=1)
    for status in (302, 400):
        answer = do(at_olgas, fixture, "forfeit", chair=chair.pk, **REASON)
        assert answer.status_code == status
        assert Letter.objects.filter(kind="announcement").count() == 3
    assert f"{chair.sitter} has already forfeited this seat." in answer.content.decode()


def test_a_player_whose_seat_a_bot_finished_is_not_rated(at_olgas, fixture):
    chair = asked(fixture)
    carry_out(at_olgas, fixture, "bot", chair=chair.pk)
    play_out(fixture.match)
    chair.refresh_from_db()
    assert (chair.forfeited, chair.by_bot) == (False, True)
    assert set(Rating.objects.values_list("player", flat=True)) == {
        other.sitter_id for other in fixture.chairs.exclude(pk=chair.pk)
    }
    assert ratings.recompute_ratings()[1] == 0


def test_a_running_match_is_decided_in_its_log(at_olgas, fixture):
    chairs = list(fixture.chairs.all())
    places = {f"chair{chair.pk}": n for n, chair in enumerate(reversed(chairs), 1)}
    carry_out(at_olgas, fixture, "adjudicate", **places)
    match = Match.objects.get()
    assert last_line(fixture) == ("adjudicate C B A", "organiser")
    assert (fixture.ending, fixture.reason) == ("adjudicated", REASON["reason"])
    assert list(fixture.chairs.values_list("rank", "score")) == [(3, None), (2, None), (1, None)]
    exported = export_match(match, None)
    assert exported["result"] == {"scores": None, "ranks": [3, 2, 1]}
    assert "The organiser decided the result." in str(verify(exported))
    assert Letter.objects.filter(kind="finished").count() == 3
    assert not Rating.objects.exists()
    rounds.close_round(fixture.round, now=NOON)


@pytest.mark.parametrize("running", [True, False])
def test_a_result_is_decided_with_ties(at_olgas, gathering, running):
    if running:
        rounds.begin_tables(gathering.round, now=NOON)
    chairs = list(gathering.chairs.all())
    places = {f"chair{chair.pk}": place for chair, place in zip(chairs, (2, 1, 1), strict=True)}
    carry_out(at_olgas, gathering, "adjudicate", **places)
    assert (gathering.ending, gathering.reason) == ("adjudicated", REASON["reason"])
    assert [chair.rank for chair in gathering.chairs.all()] == [3, 1, 1]
    if running:
        assert last_line(gathering) == ("adjudicate B C A", "organiser")
    news = Letter.objects.filter(kind="announcement").first()
    names = [chair.public_sitter_name for chair in chairs]
    assert f": 1. {names[1]}, 1. {names[2]}, 3. {names[0]}" in news.values["headline"]


def test_a_match_decided_by_an_organiser_has_no_winner(at_olgas, client, fixture):
    chairs = list(fixture.chairs.all())
    carry_out(at_olgas, fixture, "adjudicate", **{f"chair{chair.pk}": n for n, chair in enumerate(chairs, 1)})
    deliver(NOON + timedelta(hours=1))
    sentence = f"The organiser decided the match: {chairs[0].sitter} comes first"
    letters = Letter.objects.filter(kind="finished", state="sent")
    assert len(letters) == 3
    shown = [letter.text for letter in letters] + [letter.html for letter in letters]
    shown.append(client.get(reverse("match", args=[fixture.match.code])).text)
    assert all(sentence in page and not re.search(r"\bwon[.,!]", page) for page in shown)


def test_a_running_match_is_annulled_in_its_log(at_olgas, fixture):
    carry_out(at_olgas, fixture, "annul")
    refused = do(at_olgas, fixture, "annul", **REASON)
    assert refused.status_code == 400
    assert "This table has already been annulled." in refused.content.decode()
    assert last_line(fixture) == ("annul", "organiser")
    assert (fixture.ending, fixture.reason) == ("annulled", REASON["reason"])
    assert "The match was annulled." in str(verify(export_match(Match.objects.get(), None)))
    tallies = [line.row.tally for line in season_records.compute_standings(fixture.round.division)]
    assert {(tally.played, tally.byes, tally.points) for tally in tallies} == {(0, 1, 6)}  # as if everybody sat out


def test_an_annulled_table_that_has_not_started_never_starts(at_olgas, league):
    start_round(fill_season(league, 3, size=3, rounds=1))
    fixture = Fixture.objects.get()
    do(at_olgas, fixture, "annul", **REASON)
    assert Match.objects.get().phase == "called off"
    assert rounds.begin_tables(fixture.round, now=NOON) == 0


def test_a_rewind_by_an_organiser_lists_seen_cards_and_waits_for_everyone(at_olgas, fixture):
    play_moves(fixture.match, 2)
    line = fixture.match.events.filter(seat__gte=0).first()
    url = reverse("admin:leagues_fixture_do", args=[fixture.pk, "rewind"])
    shown = at_olgas.post(url, {"look": "1", "line": line.seq}).content.decode()
    assert "Cards have been seen, so these moves are undone only if everyone at the table agrees." in shown
    carry_out(at_olgas, fixture, "rewind", line=line.seq)
    assert not fixture.match.events.filter(line__startswith="rewind").exists()
    proposal = Proposal.objects.get()
    page = reverse("admin:leagues_fixture_change", args=[fixture.pk])
    assert "Everyone is being asked whether to undo. No one has agreed yet." in at_olgas.get(page).content.decode()
    votes.vote(fixture.match.places.get(seat=0), proposal.pk, now=NOON + timedelta(hours=1))
    agreed = f"Agreed so far: {fixture.chairs.get(seat=0).sitter}."
    assert agreed in at_olgas.get(page).content.decode()
    for place in fixture.match.places.all():
        votes.vote(place, proposal.pk, now=NOON + timedelta(hours=2))
    assert last_line(fixture) == (f"rewind to {line.seq - 1}", "organiser")
    match = play_out(fixture.match)
    assert "every move check out" in str(verify(export_match(match, None)))


def test_an_organiser_who_plays_or_has_played_at_the_table_cannot_act(at_olgas, fixture):
    olga = accounts.get_or_create_player("olga@example.org", now=NOON)
    fixture.match.departures.create(match=fixture.match, seat=1, player=olga, name="Olga", seq=3, left_at=NOON)
    before = fixture.match.events.count()
    for action in TABLE_ACTIONS:
        answer = do(at_olgas, fixture, action.name, chair=asked(fixture).pk, days=1, line=3, **REASON)
        assert answer.status_code == 403, action.name
    assert fixture.match.events.count() == before


def test_an_impossible_action_is_refused_with_a_sentence(at_olgas, fixture):
    play_out(fixture.match)
    before = fixture.match.events.count()
    for action in ("remind", "extend", "bot", "rewind", "pause", "resume", "substitute", "adjudicate"):
        answer = do(at_olgas, fixture, action, chair=fixture.chairs.first().pk, days=400, line="99", **REASON)
        assert answer.status_code == 400, action
    assert fixture.match.events.count() == before


def test_the_first_of_two_simultaneous_decisions_wins(at_olgas, fixture):
    chairs = list(fixture.chairs.all())
    stale = Fixture.objects.get(pk=fixture.pk)  # as the other organiser's page showed it
    carry_out(at_olgas, fixture, "adjudicate", **{f"chair{chair.pk}": n for n, chair in enumerate(chairs, 1)})
    with pytest.raises(ValidationError, match="already has a result"):
        results.adjudicate(stale, {chair.pk: 3 - n for n, chair in enumerate(chairs)}, reason="No.", now=NOON)
    fixture.refresh_from_db()
    assert [chair.rank for chair in fixture.chairs.all()] == [1, 2, 3]
    assert fixture.reason == REASON["reason"]


def test_an_unavailable_action_is_not_carried_out(at_olgas, league):
    season = fill_season(league, 3, size=3, rounds=1)
    rounds.draw(season.divisions.get(), by=None, now=NOON)
    fixture = Fixture.objects.get()  # drawn, but not published
    for action in ("annul", "forfeit"):
        answer = do(at_olgas, fixture, action, chair=fixture.chairs.first().pk, **REASON)
        assert answer.status_code == 400
        assert "You can’t do that now." in answer.content.decode()
    fixture.refresh_from_db()
    assert fixture.ending == Fixture.Ending.OPEN
    assert not fixture.chairs.filter(forfeited=True).exists()


@pytest.mark.parametrize(("action", "is_open"), [("pause", True), ("resume", False)])
def test_the_page_of_an_unavailable_action_says_so_before_it_is_pressed(at_olgas, fixture, action, is_open):
    page = at_olgas.get(reverse("admin:leagues_fixture_do", args=[fixture.pk, action])).content.decode()
    assert ("You can’t do that now." in page) is not is_open
    assert ('name="do"' in page) is is_open


def test_a_match_annulled_after_its_end_counts_for_no_rating(at_olgas, fixture):
    play_out(fixture.match)
    assert Rating.objects.exists()
    assert not periodic.recompute_ratings_if_needed()
    fixture.refresh_from_db()
    url = reverse("admin:leagues_fixture_do", args=[fixture.pk, "annul"])
    assert "Ratings will be recalculated without it" in at_olgas.get(url).content.decode()
    carry_out(at_olgas, fixture, "annul")
    assert periodic.recompute_ratings_if_needed()
    assert not Rating.objects.exists()
    assert ratings.recompute_ratings() == (0, 0)


@pytest.mark.parametrize("action", ["forfeit", "annul"])
def test_the_winner_of_an_ended_season_stays_the_winner(at_olgas, fixture, action):
    play_out(fixture.match)
    rounds.close_round(fixture.round, now=NOON)
    phases.close_season(fixture.round.division.season)
    before = [(line.row.rank, line.points) for line in season_records.compute_standings(fixture.round.division)]
    url = reverse("admin:leagues_fixture_do", args=[fixture.pk, action])
    assert url not in at_olgas.get(reverse("admin:leagues_fixture_change", args=[fixture.pk])).content.decode()
    refused = do(at_olgas, fixture, action, chair=fixture.chairs.get(rank=1).pk, **REASON)
    assert (refused.status_code, "This season is over." in refused.content.decode()) == (400, True)
    assert [(line.row.rank, line.points) for line in season_records.compute_standings(fixture.round.division)] == before
    assert not Letter.objects.filter(kind="announcement").exists()


def test_an_organiser_is_also_recognised_by_their_user_name(fixture, django_user_model):
    root = django_user_model.objects.create_superuser("P001@example.org", email="root@beans.example")
    client = signed_in(root)
    assert do(client, fixture, "annul", **REASON).status_code == 403
    fixture.refresh_from_db()
    assert fixture.ending == Fixture.Ending.OPEN


ALL_JUNK = ("", "0", "-1", "²", "9" * 400, "x' OR 1=1 --", "\x00", "\ud7ff🥔" * 90, "1e9", "2026-13-45")
JUNK = ALL_JUNK if "FUZZ" in os.environ else ALL_JUNK[::3]  # all of it with `make fuzz`


@pytest.mark.parametrize("stage", ["running", "over"])
def test_junk_in_any_field_of_any_action_is_refused_without_an_error(olga, fixture, stage):
    if stage == "over":
        play_out(fixture.match)
    round_, division = fixture.round, fixture.round.division
    before = fixture.match.events.count()
    for row in (fixture, round_, division, division.season, division.season.entries.first()):
        for action in registry.ACTIONS[type(row)]:
            for junk in JUNK if action.fields(row) else ():
                assert refuses(olga, row, action, junk), (action, junk)
    assert fixture.match.events.count() == before


def refuses(user, row, action, junk):
    """Show an action with this in each of its fields, and try it as its page does."""
    request = RequestFactory().post("/", {"do": "1", "reason": junk, **dict.fromkeys(action.fields(row), junk)})
    request.user, answers = user, read_answers(request)
    picks = action.dependent_fields(answers) if action.dependent_fields else {}
    form = ActionForm(action, [row], answers, picks)
    assert "".join(map(str, [form, *action.preview(row, form.initial)]))
    # A season and the organiser's own words may be any text, and rounds need no deadline. A list is previewed first.
    if action.name in ("next", "deadline", "weekly", "import"):
        return True
    page, is_open = admin.site.get_model_admin(type(row)), action.is_open(row)
    if not form.is_valid():
        return True
    try:
        page.carry_out(request, row, action, form.cleaned_data, is_open)
    except ValidationError:
        return True
    return False


# ── a seat forfeited before the match starts ──


@pytest.fixture
def gathering(league):
    """A table of three whose invitations are out."""
    start_round(fill_season(league, 3, size=3, rounds=1))
    return Fixture.objects.get()


def get_everybody_ready(fixture, *, but):
    for place in fixture.match.places.exclude(seat=but.seat):
        joining.accept_invitation(place, name=place.name, word="", now=NOON)


@pytest.mark.parametrize("seat", range(3))
def test_a_no_show_forfeited_before_the_match_starts_is_played_by_a_bot_and_comes_last(at_olgas, gathering, seat):
    chair = gathering.chairs.get(seat=seat)
    get_everybody_ready(gathering, but=chair)
    carry_out(at_olgas, gathering, "forfeit", chair=chair.pk)
    match = Match.objects.get()
    assert (match.phase, match.places.get(seat=seat).is_bot) == ("running", True)
    assert not match.waits.filter(seat=seat, due_at__gt=NOON + timedelta(hours=1)).exists()
    assert not Letter.objects.filter(recipient=chair.sitter, kind__in=("turn", "reminder")).exists()
    assert match.events.first().line == f"forfeit {'ABC'[seat]}"
    match = play_out(match)
    assert match.phase == "ended"
    ranks = {row.seat: (row.rank, row.forfeited) for row in gathering.chairs.all()}
    assert ranks[seat] == (3, True)
    assert min(ranks.values()) == (1, False)
    assert [row.place.seat for row in scene.build_scene(match, None).standings][-1] == seat
    assert "every move check out" in str(verify(export_match(match, None)))
    assert list(audit.find_differences(match)) == []
    assert Rating.objects.filter(game="").order_by("mu").first().player == chair.sitter
    assert ratings.recompute_ratings()[1] == 0
    assert exports.list_fixtures(gathering.round.division.season)[seat]["rank"] == 3
    winner = next(line for line in season_records.compute_standings(gathering.round.division) if line.row.rank == 1)
    assert winner.row.tally.points in {12, 9}  # alone, or shared
    assert winner.entry != chair.entry


def test_the_others_at_the_table_are_told_how_it_started(at_olgas, gathering):
    chair = gathering.chairs.get(seat=1)
    get_everybody_ready(gathering, but=chair)
    carry_out(at_olgas, gathering, "forfeit", chair=chair.pk)
    story = [line.text for line in tell_story(Match.objects.get(), None)]
    assert chair.sitter.name in story[0]
    for letter in Letter.objects.filter(kind__in=("turn", "started")):
        compose(letter, NOON)


def test_a_match_still_waits_for_the_others_after_a_seat_was_forfeited(at_olgas, gathering):
    chair, other = gathering.chairs.all()[:2]
    invited = gathering.match.places.get(seat=chair.seat)
    carry_out(at_olgas, gathering, "forfeit", chair=chair.pk)
    assert Match.objects.get().phase == "gathering"
    for action in (lambda: joining.decline(invited, now=NOON), lambda: joining.set_word(invited, "bean")):
        with pytest.raises(ValidationError, match="no longer reserved for you"):
            action()
    assert rounds.begin_tables(gathering.round, now=NOON) == 1
    assert not Match.objects.get().places.get(seat=other.seat).is_bot


def test_a_forfeited_empty_seat_is_played_by_a_bot_without_a_player(at_olgas, gathering):
    chair = gathering.chairs.get(seat=2)
    joining.decline(gathering.match.places.get(seat=2), now=NOON)
    get_everybody_ready(gathering, but=chair)
    carry_out(at_olgas, gathering, "forfeit", chair=chair.pk)
    match = play_out(Match.objects.get())
    chair.refresh_from_db()
    assert (match.phase, match.places.get(seat=2).player, chair.rank) == ("ended", None, 3)
    assert not Rating.objects.filter(player=chair.sitter).exists()


def test_a_substitute_for_a_forfeited_seat_plays_for_points(at_olgas, gathering):
    chair, season = gathering.chairs.get(seat=0), gathering.round.division.season
    carry_out(at_olgas, gathering, "forfeit", chair=chair.pk)
    zoe = entries.accept(entries.add_entry(season, "zoe@example.org", now=NOON), as_substitute=True, now=NOON)
    carry_out(at_olgas, gathering, "substitute", chair=chair.pk, incoming=zoe.pk)
    chair.refresh_from_db()
    assert (chair.forfeited, chair.sitter) == (False, zoe.player)
    assert not Match.objects.get().places.get(seat=0).is_bot


def test_a_forfeit_after_the_end_moves_the_others_up_and_keeps_ratings(at_olgas, fixture):
    play_out(fixture.match)
    winner, *others = fixture.chairs.order_by("rank", "seat")
    before = list(Rating.objects.order_by("pk").values_list("mu", flat=True))
    carry_out(at_olgas, fixture, "forfeit", chair=winner.pk)
    after = list(fixture.chairs.order_by("rank", "seat"))
    assert [chair.entry for chair in after] == [*(chair.entry for chair in others), winner.entry]
    assert (after[0].rank, after[-1].rank) == (1, 3)
    assert list(Rating.objects.order_by("pk").values_list("mu", flat=True)) == before


@pytest.mark.parametrize("running", [True, False])
def test_a_player_who_resigned_cannot_be_put_first_by_a_decision(at_olgas, gathering, running):
    chair = gathering.chairs.get(seat=0)
    carry_out(at_olgas, gathering, "forfeit", chair=chair.pk)
    if running:
        rounds.begin_tables(gathering.round, now=NOON)
    places = {f"chair{one.pk}": n for n, one in enumerate(gathering.chairs.all(), 1)}
    url = reverse("admin:leagues_fixture_do", args=[gathering.pk, "adjudicate"])
    assert "comes last, wherever you put them" in at_olgas.get(url).content.decode()
    carry_out(at_olgas, gathering, "adjudicate", **places)
    assert [one.rank for one in gathering.chairs.all()] == [3, 1, 2]
