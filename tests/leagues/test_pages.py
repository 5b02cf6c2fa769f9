"""The public pages of a league, and how people enter through a link."""

import re
from datetime import date

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from icalendar import Calendar

from beanpost.leagues.actions import round_actions, table_fields
from beanpost.leagues.mail import invitations
from beanpost.leagues.mail import letters as league_letters
from beanpost.leagues.models import Chair, Entry, Fixture, Season
from beanpost.leagues.people import entries
from beanpost.leagues.records import exports, namesakes, season_records
from beanpost.leagues.seasons import rounds, substitutes
from beanpost.pages.leagues.public_pages import MAX_LEADERS
from beanpost.play import clock
from beanpost.players import accounts
from beanpost.players.models import Player
from beanpost.post.compose.letter import compose
from beanpost.post.mime import split_parts
from beanpost.post.models import Letter
from tests.friends import NOON
from tests.leagues.office import entry_link, fill_season, found_league, invent_results
from tests.post.gallery import deliver

pytestmark = pytest.mark.django_db


@pytest.fixture
def season():
    season = fill_season(found_league(), 6, size=3, rounds=2, name="Autumn")
    rounds.draw(season.divisions.get(), by=None, now=NOON)
    rounds.draw(season.divisions.get(), by=None, reason="The cat sat on the list.", now=NOON)
    rounds.publish(season.divisions.get().rounds.first(), now=NOON)
    invent_results(season.divisions.get().rounds.first())
    return Season.objects.get(pk=season.pk)


def text(client, name, *args):
    answer = client.get(reverse(name, args=args))
    assert answer.status_code == 200
    return answer.content.decode()


def test_a_season_page_shows_standings_fixtures_and_draws_with_their_reasons(client, season):
    shown = text(client, "season", season.league.slug, season.pk)
    assert "First place." in shown
    assert "The cat sat on the list." in shown
    assert season.seed in shown
    assert "Table 1:" in shown
    assert "<svg" in shown
    assert "style=" not in shown  # our content security policy would drop it
    assert "@example.org" not in shown


def test_a_division_that_no_organiser_named_is_named_in_the_readers_language(client, season):
    season = fill_season(season.league, 4, divisions=0, name="Winter")
    page = reverse("season", args=[season.league.slug, season.pk])
    for language, name in {"en": "Main division", "fr": "Division principale"}.items():
        assert f">{name}</h2>" in client.get(page, headers={"Accept-Language": language}).text


def test_namesakes_at_one_table_are_told_apart_in_every_list_of_tables(client, season):
    fixture = Fixture.objects.exclude(match=None).first()
    namesakes = [chair.sitter_id for chair in fixture.chairs.all()[:2]]
    Player.objects.filter(pk__in=namesakes).update(name="Ann")
    Fixture.objects.filter(pk=fixture.pk).update(decided_at=NOON)
    lists = {
        "feed": text(client, "league-feed", season.league.slug),
        "export": str(exports.list_fixtures(season)),
        "preview": str(round_actions.describe_tables(fixture.round)),
        "choice": str(list(table_fields.ChairField(table_fields.load_chairs(fixture)).choices)),
        "closest games": str(
            [
                chair.sitter_name
                for best in league_letters.summarise_week(season, NOON)["best"]
                for chair in best.chairs.all()
            ]
        ),
    }
    assert [where for where, names in lists.items() if "Ann (A)" not in names or "Ann (B)" not in names] == []


def test_namesakes_in_a_league_are_told_apart_by_a_number_wherever_they_have_no_seat(client, admin_client, season):
    chairs = Fixture.objects.exclude(match=None).first().chairs.order_by("entry")[:2]
    one, other = (chair.sitter for chair in chairs)
    Player.objects.filter(pk=one.pk).update(name="Ann")
    Player.objects.filter(pk=other.pk).update(name="\u0410nn")  # with a Cyrillic letter
    league, slug = season.league, season.league.slug
    invited = entries.add_entry(season, "third@example.org", name="Ann", now=NOON)
    both = {
        "standings": text(client, "season", slug, season.pk),
        "between them": text(client, "head-to-head", slug, one.pk, other.pk),
        "export": str(exports.list_standings(season)),
        "weekly letter": str(
            [
                line.name
                for _division, lines in league_letters.summarise_week(season, NOON)["divisions"]
                for line in lines
            ]
        ),
        "cockpit": admin_client.get(reverse("admin:leagues_season_cockpit", args=[season.pk])).content.decode(),
    }
    assert [where for where, names in both.items() if "Ann (1)" not in names or "\u0410nn (2)" not in names] == []
    assert "<h1>Ann (1)</h1>" in text(client, "league-player", slug, one.pk)
    assert "\u0410nn (2)</a>" in text(client, "league-player", slug, one.pk)  # whom they have met
    assert not any("(3)" in names for names in both.values())  # nobody learns of a person who was only invited
    assert namesakes.load_names(league).name_player(invited.player) == "Ann"


def test_a_decision_is_shown_with_its_reason_in_full_sentences(client, season):
    fixture = Fixture.objects.exclude(match=None).first()
    Fixture.objects.filter(pk=fixture.pk).update(ending="adjudicated", reason="They agreed on it.")
    fixture.chairs.filter(seat=0).update(forfeited=True, by_bot=True)
    shown = text(client, "season", season.league.slug, season.pk)
    assert "Decided by the organiser: They agreed on it. <a" in shown
    assert re.search(r"\(place \d, forfeited, played by a bot\)", shown)
    assert shown.count("one played by a bot") == 1


def test_a_bot_playing_for_someone_is_shown_while_the_match_is_played(client, season):
    chair = Chair.objects.filter(fixture__match__isnull=False).first()
    Chair.objects.filter(fixture=chair.fixture).update(rank=None)
    assert "(bot playing)" not in text(client, "season", season.league.slug, season.pk)
    chair.fixture.match.places.filter(seat=chair.seat).update(stand_in=True)
    assert f"{chair.sitter.name} (bot playing)" in text(client, "season", season.league.slug, season.pk)
    chair.fixture.match.places.filter(seat=chair.seat).update(resigned_at=NOON)
    assert f"{chair.sitter.name} (forfeited, played by a bot)" in text(client, "season", season.league.slug, season.pk)


def test_a_substitute_is_shown_with_the_player_they_replace(client, season):
    chair = Chair.objects.filter(fixture__match__isnull=False).first()
    spare = entries.add_entry(season, "spare@example.org", name="Spare", now=NOON).player
    substitutes.set_sitter(chair, spare)
    shown = re.sub(r"<[^>]+>", "", text(client, "season", season.league.slug, season.pk))
    assert f"Spare for {chair.entry.player.name} (place" in shown
    assert shown.count(" for Player") == 1


def listed(shown, *names):
    """Whether the rows of the standings name these players, in this order."""
    rows = re.findall(r'<td>(\d+)</td><th scope="row">.*?>([^<]+)</a>', shown)
    return rows == [(str(rank), name) for rank, name in enumerate(names, 1)]


def test_a_ladder_page_shows_each_players_rung_before_and_after_the_first_result(client):
    season = fill_season(found_league(), 3, size=3, rounds=1, format="ladder")
    Entry.objects.filter(player__name="Player 2").update(rung=0)
    Entry.objects.filter(player__name="Player 0").update(rung=2)
    shown = text(client, "season", season.league.slug, season.pk)
    assert listed(shown, "Player 2", "Player 1", "Player 0")
    assert "Top of the ladder." not in shown  # nobody leads yet
    embed = text(client, "season-embed", season.league.slug, season.pk)
    assert embed.index("Player 2") < embed.index("Player 1") < embed.index("Player 0")
    rounds.draw(season.divisions.get(), by=None, now=NOON)
    invent_results(season.divisions.get().rounds.get())
    shown = text(client, "season", season.league.slug, season.pk)
    assert "Top of the ladder." in shown
    assert listed(shown, "Player 2", "Player 1", "Player 0")


def test_a_match_links_to_its_season(client, season):
    match = Fixture.objects.exclude(match=None)[0].match
    match.started_at = NOON
    match.save()
    there = reverse("season", args=[season.league.slug, season.pk])
    assert f'<a href="{there}">{season}</a>' in text(client, "match", match.code)


def test_a_season_page_makes_a_bounded_number_of_queries(client, django_assert_max_num_queries):
    season = fill_season(found_league(), 24, size=4, rounds=5, name="Big")
    rounds.draw(season.divisions.get(), by=None, now=NOON)
    for round_ in season.divisions.get().rounds.all():
        rounds.publish(round_, now=NOON)
        invent_results(round_)
    with django_assert_max_num_queries(30):
        text(client, "season", season.league.slug, season.pk)


def test_a_league_page_makes_no_more_queries_for_many_seasons(client, season, django_assert_max_num_queries):
    def begin(numbers, phase):
        for n in numbers:
            fresh = fill_season(season.league, 3, size=3, rounds=1, name=f"{phase} {n}")
            Season.objects.filter(pk=fresh.pk).update(phase=phase)

    begin(range(MAX_LEADERS), "running")
    begin(range(MAX_LEADERS), "ended")
    with CaptureQueriesContext(connection) as asked:
        text(client, "league", season.league.slug)
    begin(range(MAX_LEADERS, MAX_LEADERS + 3), "running")
    begin(range(MAX_LEADERS, MAX_LEADERS + 3), "ended")
    with django_assert_max_num_queries(len(asked)):
        assert "ended 2" in text(client, "league", season.league.slug)


def test_a_player_in_two_seasons_of_a_league_has_one_page(client, season):
    player = Chair.objects.first().sitter
    later = Season.objects.create(league=season.league, name="Winter")
    entries.add_entry(later, player.address, now=NOON)
    assert player.name in text(client, "league-player", season.league.slug, player.pk)


def test_a_player_has_a_record_and_two_players_have_a_shared_page(client, season):
    one, other = [chair.sitter for chair in Fixture.objects.first().chairs.all()[:2]]
    assert "One match" in text(client, "league-player", season.league.slug, one.pk)
    shown = text(client, "head-to-head", season.league.slug, one.pk, other.pk)
    ranks = dict(Chair.objects.filter(fixture=Fixture.objects.first()).values_list("sitter", "rank"))
    first = one if ranks[one.pk] < ranks[other.pk] else other
    assert f"{first.name} finished ahead: 1." in shown


def test_two_players_who_have_not_met_are_told_so(client, season):
    here, there = Fixture.objects.filter(match__isnull=False).order_by("table")
    one, other = here.chairs.first().sitter, there.chairs.first().sitter
    shown = text(client, "head-to-head", season.league.slug, one.pk, other.pk)
    assert "They haven’t met in this league yet." in shown
    assert "finished ahead" not in shown


def test_a_record_counts_every_opponent_and_links_to_their_matches(client, season):
    fixture = Fixture.objects.filter(match__isnull=False).first()
    winner, second, _last = [chair.sitter for chair in fixture.chairs.order_by("rank")]
    record = text(client, "league-player", season.league.slug, winner.pk)
    assert f"{second.name}</a></th><td>1</td><td>0</td><td>0</td>" in record
    met = text(client, "head-to-head", season.league.slug, second.pk, winner.pk)
    assert reverse("match", args=[fixture.match.code]) in met
    assert f"{second.name}: place 2, {winner.name}: place 1." in met


def test_a_league_page_shows_the_leader_and_later_the_winner(client, season):
    Chair.objects.filter(rank=1).exclude(fixture__table=1).update(rank=2)
    first = Chair.objects.get(rank=1).sitter
    home = text(client, "league", season.league.slug)
    assert "Past seasons" not in home
    assert f"{first.name}</a> <span>12</span>" in home
    Season.objects.update(phase="ended")
    assert f"Division 1: {first.name}</span>" in text(client, "league", season.league.slug)
    assert f"{first.name} won." in text(client, "season", season.league.slug, season.pk)


def test_a_season_without_matches_has_no_winner(client, league):
    season = fill_season(league, 6, divisions=2, size=3, rounds=1)
    rounds.draw(season.divisions.first(), by=None, now=NOON)
    Season.objects.update(phase="ended")
    assert season_records.find_leaders(season) == []
    assert "share first place" not in text(client, "season", league.slug, season.pk)


def test_a_season_without_results_shows_no_leader_and_no_relegation(client):
    season = fill_season(found_league(), 6, divisions=2, size=3, rounds=1, moving=1)
    for division in season.divisions.all():
        rounds.draw(division, by=None, now=NOON)
        rounds.publish(division.rounds.get(), now=NOON)
    shown = text(client, "season", season.league.slug, season.pk)
    assert "Player 0" in shown
    assert not any(words in shown for words in ("First place.", "promoted", "relegated", "decided by lot"))
    assert "podium" not in text(client, "league", season.league.slug)


def test_a_player_of_another_league_has_no_page_here(client, season):
    stranger = accounts.get_or_create_player("stranger@example.org", now=NOON)
    assert client.get(reverse("league-player", args=[season.league.slug, stranger.pk])).status_code == 404


def test_the_calendar_can_be_parsed(client, season):
    days = Calendar.from_ical(client.get(reverse("league-calendar", args=[season.league.slug])).content)
    assert [str(event["summary"]) for event in days.walk("VEVENT")] == ["Bean League: Autumn, Division 1, round 1"]


def test_a_season_in_the_calendar_includes_its_last_day(client, season):
    Season.objects.update(starts_on=date(2026, 11, 20), ends_on=date(2026, 12, 20))
    days = Calendar.from_ical(client.get(reverse("league-calendar", args=[season.league.slug])).content)
    assert days.walk("VEVENT")[0]["dtend"].dt == date(2026, 12, 21)  # the first day after it


def test_a_league_page_and_the_list_of_leagues_open(client, season):
    assert "Autumn" in text(client, "league", season.league.slug)
    assert "Bean League" in text(client, "leagues")


def test_opening_an_invitation_changes_nothing_and_pressing_enters(client):
    season = Season.objects.create(league=found_league(), name="Spring")
    entry = entries.add_entry(season, "ann@example.org", name="Ann", now=NOON)
    url = entry_link(entry)
    assert "Will you play, Ann?" in client.get(url).content.decode()
    assert Entry.objects.get().state == "invited"
    assert "You’re in." in client.post(url, {"enter": "1"}).content.decode()
    assert Entry.objects.get().state == "entered"
    assert "You’re in." in client.post(url, {"enter": "1"}).content.decode()


@pytest.mark.parametrize(("button", "state"), [("decline", "declined"), ("substitute", "substitute")])
def test_an_invited_player_can_decline_or_be_a_substitute_only(client, button, state):
    season = Season.objects.create(league=found_league(), name="Spring")
    entry = entries.add_entry(season, "ann@example.org", now=NOON)
    client.post(entry_link(entry), {button: "1"})
    assert Entry.objects.get().state == state


def test_an_invitation_to_an_ended_season_is_refused(client):
    season = Season.objects.create(league=found_league(), name="Spring", phase="running")
    entry = entries.add_entry(season, "ann@example.org", now=NOON)
    url = entry_link(entry)
    assert "If you say yes now, you’ll go on the waiting list" in client.get(url).text
    Season.objects.update(phase="ended")
    for page in (client.get(url), client.post(url, {"enter": "1"})):
        assert "This season is over." in page.text
        assert "<button" not in page.text
    assert Entry.objects.get().state == "invited"


def test_an_entered_player_can_decline_until_entries_close(client):
    season = Season.objects.create(league=found_league(), name="Spring", phase="entering")
    entry = entries.add_entry(season, "ann@example.org", now=NOON)
    url = entry_link(entry)
    assert "I can’t play after all" in client.post(url, {"enter": "1"}).content.decode()
    Season.objects.update(phase="closed")
    assert "I can’t play after all" not in client.get(url).content.decode()
    client.post(url, {"decline": "1"})
    assert Entry.objects.get().state == "entered"
    Season.objects.update(phase="entering")
    assert "You’ve declined." in client.post(url, {"decline": "1"}).content.decode()


def test_a_torn_link_gets_a_sentence(client):
    assert client.get(reverse("entering", args=["torn"])).status_code == 404


def test_visitors_can_sign_up_only_if_the_organiser_allows_it(client):
    league = found_league()
    season = Season.objects.create(league=league, name="Spring", phase="entering")
    typed = {"address": "new@example.org", "name": "New"}
    assert client.post(reverse("league", args=[league.slug]), typed).status_code == 404
    league.sign_up = True
    league.save()
    assert "Check your email" in client.post(reverse("league", args=[league.slug]), typed).content.decode()
    assert season.entries.get().state == "invited"
    assert Letter.objects.get(kind="league_invite").recipient.address == "new@example.org"


@pytest.fixture
def ann(monkeypatch):
    """Ann, listed in a season that anyone can enter on the league's page."""
    monkeypatch.setattr(clock, "now", lambda: NOON)
    season = Season.objects.create(league=found_league(sign_up=True), name="Spring", phase="entering")
    return entries.add_entry(season, "ann@example.org", name="Ann", now=NOON)


def sign_up(client, entry):
    """Sign up and return the letters that are sent; the page says the same to everyone."""
    before = list(Letter.objects.values_list("pk", flat=True))
    typed = {"address": entry.player.address, "name": entry.player.name}
    answer = client.post(reverse("league", args=[entry.season.league.slug]), typed)
    deliver()
    assert "We’ve sent a letter to ann@example.org." in answer.content.decode()
    return Letter.objects.exclude(pk__in=before).filter(state="sent")


def test_a_player_who_declined_and_signs_up_again_gets_the_promised_letter(client, ann):
    entries.decline(ann, now=NOON)
    letter = sign_up(client, ann).get()
    assert (letter.kind, letter.recipient) == ("league_invite", ann.player)
    assert "You’ve declined. You can still change your mind." in " ".join(letter.text.split())
    assert "we’ll ask once more" not in letter.text
    assert Entry.objects.get().state == "declined"  # anyone may have typed the address
    client.post(entering_link(letter), {"enter": "1"})
    assert Entry.objects.get().state == "entered"


def entering_link(letter):
    return re.search(r"https?://[^/]+(/entering/\S+)", letter.text)[1]


def test_a_player_who_declines_gets_no_invitation_queued_before(client, ann):
    entries.invite_all(ann.season, now=NOON)
    entries.decline(ann, now=NOON)
    deliver()
    assert not Letter.objects.filter(state="sent").exists()


@pytest.mark.parametrize(
    ("state", "sentence"),
    [
        ("entered", "You’re already playing in Spring."),
        ("waiting", "You’re already on the waiting list for Spring."),
        ("substitute", "You’re a substitute in Spring: you step in when a player is missing."),
        ("left", "You’re no longer playing in Spring."),
    ],
)
def test_an_entered_player_who_signs_up_again_is_told_so_once_an_hour(client, ann, state, sentence):
    Entry.objects.update(state=state)
    letter = sign_up(client, ann).get()
    assert sentence.rstrip(".") in letter.text  # a heading
    assert not sign_up(client, ann)
    assert Entry.objects.get().state == state


def test_an_invitation_to_a_league_table_says_so_and_a_declined_seat_is_left_to_the_organiser(client):
    season = fill_season(found_league(), 3, size=3, rounds=1, name="Autumn")
    rounds.draw(season.divisions.get(), by=None, now=NOON)
    rounds.publish(season.divisions.get().rounds.get(), now=NOON)
    deliver()
    letter = Letter.objects.filter(kind="invitation", state="sent").first()
    title = "Bean League: Autumn · Division 1, round 1, table 1"
    door = re.search(r"/ready/\S+/", letter.text)[0]
    assert title in letter.text
    assert title in letter.html
    assert title in client.get(door).text
    assert "and the organiser will look for someone else" in client.post(door, {"decline": "1"}).text


def test_a_headline_may_be_longer_than_a_subject(season):
    readers = [entries.add_entry(season, "late@example.org", name="Late", now=NOON).player]
    about, headline = {"season": season.pk}, "Ann has won. " * 40
    league_letters.announce(season.league, readers, lambda: headline, "", page=about, key="x", now=NOON)
    deliver(NOON)
    letter = Letter.objects.get(kind="announcement")
    assert (letter.state, len(letter.subject)) == (Letter.State.SENT, 400)
    assert letter.subject.endswith("…")
    assert " ".join(letter.text.split()).count("Ann has won.") == 40


def test_every_letter_of_a_league_can_be_rendered(season):
    invited = entries.add_entry(season, "late@example.org", name="Late", now=NOON)
    invitations.queue_invitation(invited, now=NOON)
    about = {"season": season.pk}
    league_letters.announce(
        season.league, [invited.player], lambda: "Round 1 has begun.", "At last.", page=about, key="x", now=NOON
    )
    league_letters.send_weekly(season, now=NOON)
    for kind, words in {
        "league_invite": "Games: Haricots.",
        "announcement": "The organiser says: At last.",
        "weekly": "This week in Autumn",
    }.items():
        written = split_parts(compose(Letter.objects.filter(kind=kind).first(), NOON).source)
        assert words in " ".join(written.text.split())
        assert words in " ".join(written.html.split())
        assert max(map(len, [line for line in written.text.splitlines() if "http" not in line])) <= 76


def test_the_weekly_letter_goes_once_a_week(season):
    league_letters.send_weekly(season, now=NOON)
    league_letters.send_weekly(season, now=NOON)
    assert Letter.objects.filter(kind="weekly").count() == 6


def test_a_league_without_a_season_is_listed(client):
    assert found_league().name in client.get(reverse("leagues")).content.decode()


def test_standings_leave_out_a_person_who_is_moved_while_they_are_computed(season):
    division = season.divisions.get()
    ranking = season_records.rank_entries(division)
    moved = ranking.rows[0].tally.entrant
    Entry.objects.filter(pk=moved).update(division=None)
    lines = season_records.describe_rows(division, ranking, namesakes.Names({}))
    assert [line.entry.pk for line in lines] == [row.tally.entrant for row in ranking.rows[1:]]
