"""The admin as an organiser sees it: names instead of codes, previews, and letters in each player's language."""

import re
from datetime import timedelta

import pytest
from django.contrib.messages import get_messages
from django.core.exceptions import ValidationError
from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import reverse

from beanpost.leagues.actions import registry
from beanpost.leagues.actions.action import ActionCall
from beanpost.leagues.models import Chair, Division, Entry, Fixture, League, Round, Season
from beanpost.leagues.people import entries as season_entries
from beanpost.leagues.records import history, season_records
from beanpost.leagues.seasons import next_rounds, results, rounds, substitutes
from beanpost.leagues.standings import labels, scoring
from beanpost.play import pace
from beanpost.play.display import wording
from beanpost.play.models import Match
from beanpost.play.seats import joining, takeover
from beanpost.play.timekeeping import absence
from beanpost.players.models import Player
from beanpost.post.compose.letter import compose
from beanpost.post.mime import split_parts
from beanpost.post.models import Letter
from tests.friends import NOON
from tests.leagues.office import (
    NO_WEBHOOKS,
    do,
    fill_season,
    find_concerns,
    found_league,
    list_needs,
    play_out,
    start_round,
)

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("in_the_afternoon")]


@pytest.fixture
def season(league):
    """A season whose first round is being played."""
    return start_round(fill_season(league, 6, size=3, rounds=2), begin=True)


def seen(client, name, *args):
    return client.get(reverse(f"admin:{name}", args=args)).content.decode()


def test_games_and_durations_are_shown_by_name(at_olgas, season):
    match = Match.objects.first()
    pages = [
        seen(at_olgas, "play_match_changelist"),
        seen(at_olgas, "play_match_change", match.pk),
        seen(at_olgas, "leagues_round_changelist"),
        seen(at_olgas, "leagues_division_change", season.divisions.get().pk),
        seen(at_olgas, "leagues_division_do", season.divisions.get().pk, "draw"),
    ]
    assert all("Haricots" in page and ">haricots" not in page for page in pages)
    assert "one day" in pages[1]
    assert "1 day, 0:00:00" not in pages[1]


def test_a_player_who_left_a_running_table_is_listed_until_replaced(at_olgas, olga, season):
    chair = Chair.objects.filter(fixture__match__phase="running").first()
    named = f"{chair.fixture}: {chair.sitter} has left the season but still has a seat."
    assert named not in list_needs(olga)
    do(at_olgas, chair.entry, "withdraw", reason="Moved away.")
    assert named in list_needs(olga)
    do(at_olgas, chair.fixture, "bot", chair=chair.pk, reason="Moved away.")
    assert named not in list_needs(olga)


def test_a_player_who_left_before_the_start_is_listed_until_replaced(at_olgas, olga, season):
    rounds.publish(season.divisions.get().rounds.last(), now=NOON)
    first, other = Fixture.objects.filter(match__phase="gathering")
    chair = first.chairs.last()
    named = f"{first}: {chair.sitter} has left the season but still has a seat."
    late = NOON + timedelta(days=3)
    begin = f"{first.round}: some players haven’t answered yet."
    do(at_olgas, chair.entry, "withdraw", reason="Moved away.")
    assert named in list_needs(olga)
    assert f'<option value="{chair.pk}" selected>' in preview(at_olgas, first, "substitute")
    assert begin in list_needs(olga, late)  # the other table can start
    shown = preview(at_olgas, first.round, "begin")
    not_begun = f"Table {first.table} can’t start: these players have left and have no substitute yet: {chair.sitter}."
    assert not_begun in shown
    assert "Write to the 3 players affected" in shown
    assert do(at_olgas, first.round, "begin").status_code == 302
    assert [Match.objects.get(pk=table.match_id).phase for table in (first, other)] == ["gathering", "running"]
    assert "a seat is empty or was given up." in do(at_olgas, first.round, "begin").content.decode()
    assert begin not in list_needs(olga, late)
    joining.decline(first.match.places.get(seat=chair.seat), now=NOON)
    assert [what for what in list_needs(olga) if str(first) in what] == [f"{first} has an empty seat."]
    spare = season_entries.add_entry(season, "spare@example.org", name="Spare", now=NOON)
    season_entries.accept(spare, as_substitute=True, now=NOON)
    do(at_olgas, first, "substitute", chair=chair.pk, incoming=spare.pk, reason="Moved away.")
    assert [what for what in list_needs(olga) if str(first) in what] == []
    assert begin in list_needs(olga, late)


def test_an_organiser_without_a_league_is_told_so(client, django_user_model):
    client.force_login(django_user_model.objects.create_user("nora", is_staff=True))
    page = client.get(reverse("admin:index")).content.decode()
    assert "You aren’t an organiser of any league yet." in page


def test_every_admin_page_has_one_first_level_heading(at_olgas, season):
    pages = [seen(at_olgas, "leagues_season_do", season.pk, "import"), at_olgas.get("/admin/second-factor/").text]
    assert [page.count("<h1") for page in pages] == [1, 1]


def test_a_table_that_has_not_started_shows_the_missing_players(at_olgas, season):
    rounds.publish(season.divisions.get().rounds.last(), now=NOON)
    fixture = Fixture.objects.filter(match__phase="gathering").first()
    names = ", ".join(chair.sitter.name for chair in fixture.chairs.all())
    assert re.search(rf"field-waits_for[^>]*>\s*{names}", seen(at_olgas, "leagues_fixture_changelist"))


def test_rounds_and_tables_are_listed_season_by_season(admin_client, season, league):
    later = Season.objects.create(league=league, name="Later")
    division = Division.objects.create(season=later, name="Later division")
    for number in (1, 2):
        round_ = Round.objects.create(division=division, number=number, game="haricots", variant="basic")
        round_.fixtures.create(table=1)
    rows = admin_client.get(reverse("admin:leagues_round_changelist")).context["cl"].result_list
    assert [row.division.season for row in rows] == [later] * 2 + [season] * 2
    rows = admin_client.get(reverse("admin:leagues_fixture_changelist")).context["cl"].result_list
    assert [row.round.division.season for row in rows] == [later] * 2 + [season] * 4


def test_dates_and_times_are_formatted_as_on_the_public_pages(at_olgas, season):
    round_ = season.divisions.get().rounds.first()
    assert "16 November 2026, 12:00" in seen(at_olgas, "leagues_round_change", round_.pk)
    french = at_olgas.get(reverse("admin:leagues_round_change", args=[round_.pk]), headers={"accept-language": "fr"})
    assert "16 novembre 2026 à 12\u00a0h\u00a000" in french.content.decode()


@pytest.mark.parametrize(
    ("language", "sentence"),
    [
        ("en", "Times are in UTC. Deadlines follow each player’s own time zone."),
        ("fr", "Les heures sont en UTC\u202f; celles d’un rythme sont celles de chaque joueur."),
    ],
)
def test_every_admin_page_names_its_time_zone_once(admin_client, season, language, sentence):
    pages = [
        reverse("admin:index"),
        reverse("watching"),
        *(reverse("admin:app_list", args=[room]) for room in ("auth", "leagues", "play", "players", "post")),
        reverse("admin:leagues_round_changelist"),
        reverse("admin:leagues_round_change", args=[season.divisions.get().rounds.first().pk]),
        reverse("admin:leagues_season_history", args=[season.pk]),
        reverse("admin:leagues_season_do", args=[season.pk, "weekly"]),
        reverse("admin:leagues_league_add"),
    ]
    shown = [admin_client.get(page, headers={"accept-language": language}).content.decode() for page in pages]
    assert [page.count(sentence) for page in shown] == [1] * len(pages)


def test_points_tie_breaks_and_paces_are_shown_in_words(at_olgas, season):
    season.league.pace = "3d at 19"
    season.league.save()
    shown = seen(at_olgas, "leagues_season_change", season.pk)
    assert "twelve for beating everyone at the table" in shown
    assert "head-to-head results, wins, opponents’ points" in shown
    assert "3 days per move; time runs out at 19:00" in seen(at_olgas, "leagues_league_changelist")
    changes = {"points": [season.points, "10 6 3"], "tie_breaks": [season.tie_breaks, ["lot"]]}
    history.record(season, history.Kind.SETTINGS, "", changes=changes, by=None, now=NOON)
    changes = {"pace": ["daily", "3d at 19"]}
    history.record(season.league, history.Kind.SETTINGS, "", changes=changes, by=None, now=NOON)
    shown = seen(at_olgas, "leagues_season_history", season.pk) + seen(
        at_olgas, "leagues_league_history", season.league.pk
    )
    assert "10, 6, 3 for first, second and so on" in shown
    assert "drawing lots" in shown
    assert "Daily: one day per move" in shown


def test_every_tie_break_and_every_pace_has_a_name():
    assert set(labels.TIE_BREAKS) == set(scoring.MEASURES) - {"points"}
    assert set(wording.PACE_NAMES) == set(pace.PACES)


def season_asked(league, **more):
    fresh = {"league": league.pk, "name": "Spring", "format": "swiss", "size": 4, "rounds": 5, "moving": 2}
    below = {"divisions-TOTAL_FORMS": 0, "divisions-INITIAL_FORMS": 0}
    return fresh | {f"tie_breaks_{n}": "" for n in range(6)} | below | more


def test_tie_breaks_are_chosen_in_order_and_points_may_be_left_out(at_olgas, league):
    add = reverse("admin:leagues_season_add")
    chosen = {"tie_breaks_0": "lot", "tie_breaks_2": "wins", "tie_breaks_3": "lot"}
    assert at_olgas.post(add, season_asked(league, points="", **chosen)).status_code == 302
    season = Season.objects.get()
    assert (season.points, season.tie_breaks) == ("share", ["lot", "wins"])
    form = at_olgas.get(reverse("admin:leagues_season_change", args=[season.pk])).context["adminform"].form
    assert (form["points"].value(), form["tie_breaks"].value()) == ("", ["lot", "wins"])
    assert form.fields["tie_breaks"].has_changed(["lot"], ["lot", "wins", "", "", "", ""])
    assert not form.fields["tie_breaks"].has_changed(["lot"], ["lot", "", "", "", "", ""])
    refused = at_olgas.post(add, season_asked(league, name="Summer", points="3 6 10")).content.decode()
    assert "Enter points from highest to lowest" in refused


def test_a_league_has_a_named_pace_or_a_custom_one(at_olgas, olga):
    league = found_league("Pea League", olga, pace="36h quiet 22-6")
    change = reverse("admin:leagues_league_change", args=[league.pk])
    form = at_olgas.get(change).context["adminform"].form
    assert (form["pace"].value(), form["own_pace"].value()) == ("", "36h quiet 22-6")
    for fields, pace_then in (
        ({"pace": "weekly"}, "weekly"),
        ({"pace": "", "own_pace": "2d  At 19"}, "2d at 19"),
        ({"pace": "weekly", "own_pace": "2d"}, None),
        ({"pace": "", "own_pace": ""}, None),
        ({"pace": "", "own_pace": "soon"}, None),
    ):
        answer = at_olgas.post(change, league_asked(**fields))
        assert answer.status_code == (302 if pace_then else 200)
        assert pace_then in (None, League.objects.get(pk=league.pk).pace)


def test_matches_can_be_filtered_by_game(at_olgas, season):
    everything = reverse("admin:play_match_changelist")
    assert "Le Haricot Magique" in at_olgas.get(everything).content.decode()
    code = Match.objects.first().code
    assert code in at_olgas.get(everything, {"game__exact": "haricots"}).content.decode()
    assert code not in at_olgas.get(everything, {"game__exact": "fagioli"}).content.decode()


def league_asked(**more):
    return {
        "name": "Pea League",
        "slug": "pea-league",
        "keeper_address": "kim@example.org",
        "language": "fr",
        "games": ["fagioli/standard", "haricots/sprint"],
        "pace": "daily",
        "absence": "usual",
        "weekly": "never",
        **NO_WEBHOOKS,
    } | more


def test_the_host_creates_a_league_before_anyone_has_played(admin_client, olga):
    add = reverse("admin:leagues_league_add")
    twice = admin_client.post(add, league_asked(games=["haricots/basic", "haricots/sprint"]))
    assert "Choose one variant of each game." in twice.content.decode()
    assert not Player.objects.exists()  # the form was only checked
    assert admin_client.post(add, league_asked(organisers=[olga.pk])).status_code == 302
    league = League.objects.get()
    assert (league.keeper, league.typed_keeper) == (None, "kim@example.org")  # the keeper has not accepted yet
    assert league.games == {"fagioli": "standard", "haricots": "sprint"}
    assert list(league.organisers.all()) == [olga]


def test_an_organiser_changes_the_games_of_a_league_and_they_alternate_in_catalogue_order(at_olgas, olga):
    league = found_league("Pea League", olga, games={"haricots": "basic", "fagioli": "standard"})
    url = reverse("admin:leagues_league_change", args=[league.pk])
    chosen = ["bohnanza/standard", "fagioli/standard", "haricots/sprint"]
    assert at_olgas.post(url, league_asked(games=chosen)).status_code == 302
    league = League.objects.get()
    assert league.games == {"haricots": "sprint", "fagioli": "standard", "bohnanza": "standard"}
    season = fill_season(league, 6, size=3, rounds=4)
    assert next_rounds.list_games(season) == ("haricots", "bohnanza", "fagioli", "haricots")
    assert list(League.objects.get().organisers.all()) == [olga]


def test_a_user_added_by_the_host_can_sign_in_and_sees_nothing_yet(admin_client, client):
    typed = {"username": "pia", "password1": "runner beans 7", "password2": "runner beans 7"}
    assert admin_client.post(reverse("admin:auth_user_add"), typed).status_code == 302
    client.post(reverse("admin:login"), {"username": "pia", "password": "runner beans 7"})
    assert client.get(reverse("admin:index")).status_code == 200
    assert client.get(reverse("admin:auth_user_changelist")).status_code == 403
    assert client.get(reverse("admin:leagues_league_changelist")).status_code == 403


def test_every_action_has_a_preview(season):
    rows = [season, *Division.objects.all(), *Round.objects.all(), *Fixture.objects.all(), *Entry.objects.all()]
    for phase in Season.Phase.values:
        season.phase = phase
        rows.append(season)
    for row in rows:
        for action in registry.list_open_actions(row):
            assert action.preview(row, {}), action.name


def test_an_organisers_action_is_announced_in_each_players_language(at_olgas, season):
    fixture = Fixture.objects.exclude(match=None).first()
    reader = fixture.chairs.first().sitter
    Player.objects.filter(pk=reader.pk).update(language="fr")
    do(at_olgas, fixture, "annul", reason="Holidays.", announce="on")
    headlines = dict(Letter.objects.filter(kind="announcement").values_list("recipient", "values__headline"))
    assert "ne compte pas" in headlines.pop(reader.pk)
    assert all("no longer counts" in headline for headline in headlines.values())
    assert len(headlines) == 2


def test_an_announcement_links_to_its_table_or_season(at_olgas, season):
    fixture = Fixture.objects.exclude(match=None).first()
    do(at_olgas, fixture, "annul", reason="Holidays.", announce="on")
    do(at_olgas, season.entries.first(), "withdraw", reason="A slip of the pen.", announce="on")
    about_table, *_others, about_person = (
        split_parts(compose(letter, NOON).source)
        for letter in Letter.objects.filter(kind="announcement").order_by("pk")
    )
    match_page, season_page = (
        reverse("match", args=[fixture.match.code]),
        reverse("season", args=["bean-league", season.pk]),
    )
    assert all(match_page in body for body in about_table[:2])
    assert all(season_page in body for body in about_person[:2])


def preview(client, row, action):
    url = reverse(f"admin:leagues_{row._meta.model_name}_do", args=[row.pk, action])
    return client.get(url).content.decode()


def test_an_action_without_anything_to_do_says_so(at_olgas, season):
    fixture = Fixture.objects.exclude(match=None).first()
    assert "This season has no substitutes." in preview(at_olgas, fixture, "substitute")
    assert "There’s nothing to undo yet." in preview(at_olgas, fixture, "rewind")
    assert "No tables are waiting." in preview(at_olgas, fixture.round, "begin")
    assert "No table was started" in do(at_olgas, fixture.round, "begin").content.decode()
    Season.objects.update(phase="entering")
    for action, sentence in (("invite", "Everyone on the list has been"), ("remind", "Everyone has answered or")):
        assert sentence in preview(at_olgas, season, action)
        refused = do(at_olgas, season, action)
        assert refused.status_code == 400
        assert sentence in refused.content.decode()


def test_a_player_is_told_when_entered_made_a_substitute_or_withdrawn(at_olgas, season):
    ann = season_entries.accept(season_entries.add_entry(season, "ann@example.org", name="Ann", now=NOON), now=NOON)
    for action, headline in (
        ("enter", "You’re playing in Autumn from the next draw."),
        ("substitute", "You’re a substitute in Autumn: you step in when a player is missing."),
        ("withdraw", "You’re no longer playing in Autumn."),
    ):
        do(at_olgas, ann, action, reason="As you wished.", announce="on")
        assert Letter.objects.filter(kind="announcement", recipient=ann.player).last().values["headline"] == headline


def test_a_reinstated_player_continues_at_their_running_table(at_olgas, season):
    entry = Chair.objects.filter(fixture__match__phase="running").first().entry
    do(at_olgas, entry, "withdraw", reason="Wrong line.")
    do(at_olgas, entry, "enter", announce="on")
    headline = "You’re still playing in Autumn, including at tables already drawn."
    assert Letter.objects.filter(kind="announcement", recipient=entry.player).last().values["headline"] == headline


def let_back(client, entry):
    """Withdraw an entry and reinstate it; return the headline of the player's letter, and the preview before it."""
    do(client, entry, "withdraw", reason="Wrong line.")
    shown = preview(client, entry, "enter")
    do(client, entry, "enter", announce="on")
    return Letter.objects.filter(kind="announcement", recipient=entry.player).last().values["headline"], shown


def test_a_reinstated_player_who_resigned_plays_from_the_next_draw(at_olgas, season):
    Chair.objects.filter(fixture__round__phase="drawn").delete()
    chair = Chair.objects.filter(fixture__match__phase="running").first()
    absence.resign(chair.fixture.match.places.get(seat=chair.seat), now=NOON)
    headline, shown = let_back(at_olgas, chair.entry)
    assert headline == "You’re playing in Autumn from the next draw."
    assert "They’ll play from the next draw on." in shown


def test_a_reinstated_player_is_not_in_rounds_drawn_without_them(at_olgas, season):
    Chair.objects.filter(fixture__round__phase="drawn").delete()
    chair = Chair.objects.filter(fixture__match__phase="running").first()
    absence.resign(chair.fixture.match.places.get(seat=chair.seat), now=NOON)
    _told, shown = let_back(at_olgas, chair.entry)
    assert "Rounds that are already drawn don’t include them. Draw again, with a reason, if they should." in shown
    assert Entry.objects.get(pk=chair.entry_id).answered_at == chair.entry.answered_at == NOON
    do(at_olgas, season.divisions.get(), "draw", reason="They are back.")
    assert Chair.objects.filter(entry=chair.entry, fixture__round__phase="drawn").exists()


def test_a_player_reinstated_after_the_last_draw_is_in_no_draw(at_olgas, season):
    rounds.publish(season.divisions.get().rounds.last(), now=NOON)
    chair = Chair.objects.filter(fixture__match__phase="gathering").first()
    joining.decline(chair.fixture.match.places.get(seat=chair.seat), now=NOON)
    Fixture.objects.filter(match__phase="running").update(ending="annulled")
    headline, shown = let_back(at_olgas, chair.entry)
    assert headline == "You’re in Autumn, but you won’t be drawn for any more tables."
    assert "They’ll be in the season but won’t be drawn for any more tables." in shown


def test_an_entry_after_the_last_draw_says_that_it_is_in_none(at_olgas, season):
    rounds.publish(season.divisions.get().rounds.last(), now=NOON)
    late = season_entries.accept(season_entries.add_entry(season, "late@example.org", name="Late", now=NOON), now=NOON)
    assert "They’ll be in the season but won’t be drawn for any more tables." in preview(at_olgas, late, "enter")
    do(at_olgas, late, "enter", announce="on")
    headline = "You’re in Autumn, but you won’t be drawn for any more tables."
    assert Letter.objects.filter(kind="announcement", recipient=late.player).last().values["headline"] == headline


def test_an_uninvited_entry_is_not_shown_as_invited(at_olgas, league):
    season = Season.objects.create(league=league, name="Spring")
    entry = season_entries.add_entry(season, "ann@example.org", now=NOON)
    pages = [("leagues_entry_change", entry.pk), ("leagues_entry_changelist",)]
    assert all("not invited yet" in seen(at_olgas, *page) for page in pages)
    season_entries.invite_all(season, now=NOON)
    assert not any("not invited yet" in seen(at_olgas, *page) for page in pages)


def test_the_dashboard_names_a_substitute_who_has_not_taken_the_seat(at_olgas, olga, season):
    chair = Chair.objects.filter(fixture__match__phase="running").first()
    spare = season_entries.add_entry(season, "spare@example.org", name="Spare", now=NOON)
    season_entries.accept(spare, as_substitute=True, now=NOON)
    do(at_olgas, chair.fixture, "substitute", chair=chair.pk, incoming=spare.pk, reason="Moved away.")
    asked = f"Spare was asked to substitute for {chair.sitter}, Mon 16 Nov, 14:00 (UTC), and hasn’t accepted yet."
    assert asked in seen(at_olgas, "leagues_fixture_change", chair.fixture_id)
    named = f"{chair.fixture}: Spare was asked to substitute and hasn’t accepted yet."
    assert named not in list_needs(olga)
    assert named in list_needs(olga, NOON + timedelta(days=3))
    proposal = chair.fixture.match.proposals.get()
    takeover.take_over(proposal, spare.player, now=NOON + timedelta(days=3))
    assert named not in list_needs(olga, NOON + timedelta(days=3))


def test_an_empty_or_abandoned_seat_is_preselected_for_a_substitute(at_olgas, season):
    fixture = Fixture.objects.filter(match__phase="running").first()
    chair = fixture.chairs.exclude(seat=fixture.match.waits.get().seat).first()  # the table waits for another player
    substitutes.withdraw(chair.entry)
    chosen = f'<option value="{chair.pk}" selected>'
    assert chosen in preview(at_olgas, chair.fixture, "substitute")
    substitutes.set_sitter(chair, season_entries.add_entry(season, "spare@example.org", name="Spare", now=NOON).player)
    assert chosen not in preview(at_olgas, chair.fixture, "substitute")
    Match.objects.filter(pk=chair.fixture.match_id).update(phase="gathering")
    chair.fixture.match.places.filter(seat=chair.seat).delete()
    assert chosen in preview(at_olgas, chair.fixture, "substitute")
    assert "Table 1 has an empty seat and can’t start." in preview(at_olgas, chair.fixture.round, "begin").replace(
        f"Table {chair.fixture.table}", "Table 1"
    )


def test_players_with_equal_results_share_first_place(at_olgas, season):
    assert "share first place." not in preview(at_olgas, season, "close")  # nothing was played
    Chair.objects.update(rank=1)
    assert "share first place." in preview(at_olgas, season, "close")


def test_the_longest_waiting_entry_gets_a_withdrawn_players_place(at_olgas, league):
    season = Season.objects.create(league=league, name="Spring", most_entries=1, phase="entering")
    entries = [season_entries.add_entry(season, f"p{n}@example.org", now=NOON) for n in range(2)]
    states = [season_entries.accept(entry, now=NOON).state for entry in entries]
    assert states == ["entered", "waiting"]
    assert do(at_olgas, entries[0], "withdraw", reason="Added by mistake.").status_code == 302
    assert Entry.objects.get(pk=entries[1].pk).state == "entered"
    assert Letter.objects.get(kind="announcement").recipient == entries[1].player


@pytest.mark.parametrize("most", ["2", ""])
def test_waiting_entries_move_up_when_a_season_grows(at_olgas, league, most):
    season = Season.objects.create(league=league, name="Spring", most_entries=1)
    ann, bob, cleo = (
        season_entries.add_entry(season, f"{name}@example.org", now=NOON) for name in ("ann", "bob", "cleo")
    )
    assert [season_entries.accept(entry, now=NOON).state for entry in (ann, bob)] == ["entered", "waiting"]
    typed = {"league": league.pk, "name": "Spring", "format": "swiss", "size": 4, "rounds": 5, "moving": 2}
    inline = {f"{rows}-{kind}_FORMS": 0 for rows in ("divisions", "entries") for kind in ("TOTAL", "INITIAL")}
    page = reverse("admin:leagues_season_change", args=[season.pk])
    assert at_olgas.post(page, {**typed, "most_entries": most, **inline}).status_code == 302
    assert Entry.objects.get(pk=bob.pk).state == "entered"
    assert Letter.objects.get(kind="announcement").recipient == bob.player
    assert season_entries.accept(cleo, now=NOON).state == ("waiting" if most else "entered")


def test_the_letter_about_a_closed_season_names_the_winner(at_olgas, league):
    season = fill_season(league, 3, size=3, rounds=1)
    rounds.draw(season.divisions.get(), by=None, now=NOON)
    round_ = season.divisions.get().rounds.get()
    rounds.publish(round_, now=NOON)
    best_first = list(round_.fixtures.get().chairs.order_by("-seat"))
    order = [chair.entry_id for chair in best_first]
    places = {chair.pk: place for place, chair in enumerate(best_first, 1)}
    results.adjudicate(round_.fixtures.get(), places, reason="A test.", now=NOON)
    rounds.close_round(Round.objects.get(), now=NOON)
    Player.objects.filter(entries=order[0]).update(language="fr")
    assert do(at_olgas, season, "close", announce="on").status_code == 302
    winner = Entry.objects.get(pk=order[0]).player
    headlines = {letter.values["headline"] for letter in Letter.objects.filter(kind="announcement")}
    assert f"Autumn is over. Division 1: {winner} wins." in headlines
    assert any(winner.name in headline and "terminée" in headline for headline in headlines)
    names = [Entry.objects.get(pk=pk).player.name for pk in order]
    assert f"Division 1: {names[0]}, {names[1]} and {names[2]}." in preview(at_olgas, season, "next")


def test_the_weekly_letter_can_be_sent_by_hand_once_a_week(at_olgas, season):
    assert "This week’s letter has already been sent." not in preview(at_olgas, season, "weekly")
    assert do(at_olgas, season, "weekly").status_code == 302
    assert "This week’s letter has already been sent." in preview(at_olgas, season, "weekly")
    assert do(at_olgas, season, "weekly").status_code == 400
    assert Letter.objects.filter(kind="weekly").count() == 6


def test_a_season_links_to_its_divisions(at_olgas, season):
    division = reverse("admin:leagues_division_change", args=[season.divisions.get().pk])
    assert f'<a class="underline" href="{division}">View</a>' in seen(at_olgas, "leagues_season_change", season.pk)


def test_people_can_be_imported_from_a_file(at_olgas, league):
    season = Season.objects.create(league=league, name="Spring")
    url = reverse("admin:leagues_season_do", args=[season.pk, "import"])
    chosen = SimpleUploadedFile("people.csv", "\ufeffname;address\nZoé;zoe@example.org\n".encode())
    shown = at_olgas.post(url, {"look": "1", "file": chosen}).content.decode()
    assert "Line 2: Zoé &lt;zoe@example.org&gt;" in shown
    assert not season.entries.exists()
    chosen.seek(0)
    assert at_olgas.post(url, {"do": "1", "file": chosen}).status_code == 200  # the preview can't be skipped
    assert not season.entries.exists()
    assert do(at_olgas, season, "import", people="name;address\nZoé;zoe@example.org\n").status_code == 302
    assert season.entries.get().player.name == "Zoé"


def test_a_file_in_an_old_encoding_is_read_and_a_binary_one_is_refused(at_olgas, league):
    season = Season.objects.create(league=league, name="Spring")
    url = reverse("admin:leagues_season_do", args=[season.pk, "import"])
    older = SimpleUploadedFile("people.csv", "Zoé;zoe@example.org\n".encode("cp1252"))
    assert "Line 1: Zoé &lt;zoe@example.org&gt;" in at_olgas.post(url, {"look": "1", "file": older}).content.decode()
    sheet = SimpleUploadedFile("people.xlsx", b"PK\x03\x04\x14\0\n\0ann@example.org\n")
    refused = at_olgas.post(url, {"look": "1", "file": sheet})
    assert "This file isn’t text. Save your list as a CSV file and choose that." in refused.content.decode()
    assert not season.entries.exists()


@pytest.mark.parametrize("letters", ["utf-8", "utf-16", "cp1252"])
def test_a_file_that_is_too_long_is_refused_as_a_whole(at_olgas, league, letters):
    season = Season.objects.create(league=league, name="Spring")
    url = reverse("admin:leagues_season_do", args=[season.pk, "import"])
    lines = "".join(f"Zoé;zoe{n}@example.org;{'é' * 290}\n" for n in range(200))
    refused = at_olgas.post(url, {"look": "1", "file": SimpleUploadedFile("people.csv", lines.encode(letters))})
    assert "at most 60000 characters" in refused.content.decode()
    assert not season.entries.exists()


def test_the_option_for_a_substitutes_points_is_explained(at_olgas, league):
    sentence = "Substitutes keep the points they win. If unticked, that table counts for nothing in their own score."
    assert sentence in seen(at_olgas, "leagues_season_add")


def test_a_season_cannot_end_before_it_starts(at_olgas, league):
    season = Season.objects.create(league=league, name="Spring")
    dates = {"starts_on": "2026-05-02", "ends_on": "2026-05-01"}
    page = at_olgas.post(reverse("admin:leagues_season_change", args=[season.pk]), dates).content.decode()
    assert "A season can’t end before it starts." in page


def test_a_waiting_entry_gets_the_place_of_a_player_who_becomes_a_substitute(at_olgas, league):
    season = Season.objects.create(league=league, name="Spring", most_entries=1)
    ann, bob = (season_entries.add_entry(season, f"{name}@example.org", now=NOON) for name in ("ann", "bob"))
    assert [season_entries.accept(entry, now=NOON).state for entry in (ann, bob)] == ["entered", "waiting"]
    do(at_olgas, ann, "substitute")
    assert [Entry.objects.get(pk=entry.pk).state for entry in (ann, bob)] == ["substitute", "entered"]
    assert Letter.objects.get(kind="announcement").recipient == bob.player


@pytest.mark.parametrize("name", ["enter", "substitute", "withdraw"])
def test_an_action_on_an_entry_is_refused_when_the_season_has_just_closed(olga, league, name):
    season = Season.objects.create(league=league, name="Spring")
    entry = season_entries.add_entry(season, "ann@example.org", now=NOON)
    Season.objects.update(phase="ended")  # the loaded entry does not know this
    (action,) = (one for one in registry.ACTIONS[Entry] if one.name == name)
    with pytest.raises(ValidationError, match=r"This season is over\."):
        action.act(entry, ActionCall(olga, "A test.", NOON))


def test_an_entry_let_in_twice_at_once_is_let_in_once(olga, league):
    season = Season.objects.create(league=league, name="Spring")
    entry = season_entries.add_entry(season, "ann@example.org", now=NOON)
    (action,) = (one for one in registry.ACTIONS[Entry] if one.name == "enter")
    Entry.objects.update(state="entered")
    with pytest.raises(ValidationError, match=r"You can’t do that now\."):
        action.act(entry, ActionCall(olga, "A test.", NOON))


def draw_and_read_message(client, division, reason):
    *_earlier, message = get_messages(do(client, division, "draw", reason=reason).wsgi_request)
    return str(message)


def test_a_draw_is_announced_as_a_redraw_only_after_an_earlier_draw(at_olgas, league):
    division = fill_season(league, 6, size=3, rounds=2, format="swiss").divisions.get()
    assert draw_and_read_message(at_olgas, division, "The hall is free now.") == "Division 1 was drawn."
    assert draw_and_read_message(at_olgas, division, "Somebody was forgotten.") == "Division 1 was redrawn."
    rounds.publish(division.rounds.get(), now=NOON)
    Fixture.objects.update(ending="annulled", decided_at=NOON)
    rounds.close_round(division.rounds.get(), now=NOON)
    assert draw_and_read_message(at_olgas, division, "Nobody met anybody yet.") == "Division 1 was drawn."
    assert draw_and_read_message(at_olgas, division, "Somebody was forgotten again.") == "Division 1 was redrawn."


def test_later_rounds_can_be_redrawn_after_the_first_was_published(at_olgas, season):
    message = draw_and_read_message(at_olgas, season.divisions.get(), "Somebody was forgotten.")
    assert message == "Division 1 was redrawn."


def test_a_taken_name_or_level_is_refused_with_a_sentence_after_the_draw_too(at_olgas, league):
    season = fill_season(league, 6, divisions=2)
    Season.objects.create(league=league, name="Winter")
    lower = season.divisions.last()
    inline = {"divisions-TOTAL_FORMS": 0, "divisions-INITIAL_FORMS": 0}
    renamed = at_olgas.post(reverse("admin:leagues_season_change", args=[season.pk]), {"name": "Winter", **inline})
    assert "This league already has a season with that name." in renamed.content.decode()
    moved = at_olgas.post(reverse("admin:leagues_division_change", args=[lower.pk]), {"name": "Upper", "level": 1})
    assert "Another division already has that level." in moved.content.decode()


def test_a_new_league_has_the_daily_pace_by_default(admin_client):
    page = admin_client.get(reverse("admin:leagues_league_add")).content.decode()
    assert '<option value="daily" selected>' in page


def test_an_entry_added_by_mistake_can_be_removed(at_olgas, league):
    season = Season.objects.create(league=league, name="Spring")
    entry = season_entries.add_entry(season, "nobody@example.org", now=NOON)
    assert do(at_olgas, entry, "withdraw", reason="A slip of the pen.").status_code == 302
    assert not season_entries.find_people_to_invite(season).exists()


def test_the_dashboard_suggests_inviting_and_reminding_while_that_helps(olga, league):
    assert list_needs(olga) == ["Bean League has no season yet."]
    season = Season.objects.create(league=league, name="Spring", phase="entering")
    assert list_needs(olga) == ["No one is on the list yet."]
    season_entries.add_entry(season, "ann@example.org", now=NOON)
    assert list_needs(olga) == ["One person hasn’t been invited yet."]
    season_entries.invite_all(season, now=NOON)
    assert list_actions(olga) == []  # reminders go once, and not before people had time to answer
    later = NOON + timedelta(days=2, hours=1)
    assert list_actions(olga, later) == ["remind"]
    season_entries.remind_all(season, now=later)
    assert list_actions(olga, later) == ["import"]


def list_actions(user, now=NOON):
    return [way.action for concern in find_concerns(user, now) for way in concern.ways]


def test_the_dashboard_links_bounced_letters_to_the_entry_to_withdraw(at_olgas, olga, season):
    player = season.entries.first().player
    Player.objects.filter(pk=player.pk).update(unreached_at=NOON)
    Letter.objects.filter(pk=Letter.objects.filter(match__isnull=False).first().pk).update(state="failed")
    _step, failed, back, *_rest = find_concerns(olga, NOON)
    assert re.match(r"A letter to Player \d couldn’t be delivered: .*\(Division 1, round 1, table", failed.what)
    assert back.what.startswith(f"Letters to {player.name} are bouncing.")
    assert [way.action for way in back.ways] == ["", "withdraw"]  # nobody is ready to substitute


def test_the_dashboard_names_a_player_who_complained_while_a_bot_plays(at_olgas, olga, season):
    player = season.entries.first().player
    absence.stop_letters_and_seats(player, now=NOON)
    sentence = f"{player.name} has unsubscribed, so a bot is playing for them."
    Player.objects.filter(pk=player.pk).update(unreached_at=NOON)
    assert [what for what in list_needs(olga) if player.name in what] == [sentence]
    found = next(item for item in find_concerns(olga, NOON) if item.what == sentence)
    assert at_olgas.get(found.ways[0].url).status_code == 200
    Match.objects.filter(places__player=player).update(phase=Match.Phase.ENDED)
    assert sentence not in list_needs(olga)


@pytest.mark.parametrize("action", ["withdraw", "substitute"])
def test_a_drawn_round_with_a_withdrawn_player_is_redrawn_before_publishing(at_olgas, olga, season, action):
    first, second = season.divisions.get().rounds.all()
    for match in Match.objects.all():
        play_out(match)
    rounds.close_round(first, now=NOON)
    assert "The tables are drawn. Players see them once you start the round." in list_needs(olga)
    gone = second.fixtures.first().chairs.first().entry
    do(at_olgas, gone, action, reason="No time.")
    assert "A drawn round includes a player who has left, so it has to be redrawn." in list_needs(olga)
    with pytest.raises(ValidationError, match=rf"No longer in the draw: {gone.player.name}\."):
        rounds.publish(second, now=NOON)
    rounds.draw(second.division, by=olga, reason="Somebody plays no more.", now=NOON)
    assert "The tables are drawn. Players see them once you start the round." in list_needs(olga)
    assert rounds.publish(second.division.rounds.last(), now=NOON) > 0


def test_a_player_moved_to_another_division_is_removed_from_drawn_rounds(at_olgas, olga, league):
    upper, lower = fill_season(league, 6, size=3, rounds=1, divisions=2).divisions.all()
    rounds.draw(upper, by=None, now=NOON)
    moved = upper.entries.first()
    at_olgas.post(reverse("admin:leagues_entry_change", args=[moved.pk]), {"division": lower.pk, "rung": 0})
    with pytest.raises(ValidationError, match=rf"No longer in the draw: {moved.player.name}\."):
        rounds.publish(upper.rounds.get(), now=NOON)
    assert "Division 1 needs one more person for a table." in list_needs(olga)


def test_a_player_who_was_in_a_round_keeps_their_row_in_its_division(at_olgas, league):
    upper, lower = fill_season(league, 6, size=3, rounds=1, divisions=2, format="ladder").divisions.all()
    rounds.draw(upper, by=None, now=NOON)
    only = upper.rounds.get()
    rounds.publish(only, now=NOON)
    play_out(Match.objects.get())
    first = season_records.compute_standings(upper)[0].entry
    at_olgas.post(reverse("admin:leagues_entry_change", args=[first.pk]), {"division": lower.pk, "rung": 0})
    assert season_records.compute_standings(upper)[0].entry == first
    rounds.close_round(only, now=NOON)


def test_the_dashboard_says_how_many_players_a_division_lacks(at_olgas, olga, league):
    season = fill_season(league, 2, size=4, rounds=2)
    assert list_ways(olga) == [("Division 1 needs one more person for a table.", "Add people")]
    page = preview(at_olgas, season.divisions.get(), "draw")
    assert "Division 1 needs one more person for a table." in page
    assert "Add a player from the season’s list to the draw, or add new people." in page
    assert "games for fewer players" in page
    assert "needs one more person" in do(at_olgas, season.divisions.get(), "draw").content.decode()
    assert "You can ask them to play" in preview(at_olgas, season, "import")
    assert do(at_olgas, season, "import", people="zoe@example.org").status_code == 302
    (item,) = [each for each in find_concerns(olga) if not each.is_step]
    assert item.ways[0].label == "Add a player to the draw"
    zoe = Entry.objects.get(player__address="zoe@example.org")
    assert reverse("admin:leagues_entry_do", args=[zoe.pk, "enter"]) in at_olgas.get(item.ways[0].url).content.decode()
    assert do(at_olgas, zoe, "enter").status_code == 302
    assert list_ways(olga) == [("Division 1 needs one more person for a table.", "Add people")]
    season_entries.accept(zoe, now=NOON)
    assert list_ways(olga) == [("The next round can be drawn.", "Draw")]
    assert do(at_olgas, season.divisions.get(), "draw").status_code == 302
    assert Chair.objects.filter(entry=zoe).exists()


def list_ways(user):
    return [(concern.what, way.label) for concern in find_concerns(user) for way in concern.ways]


def test_the_preview_of_closing_entries_says_how_many_players_are_missing(at_olgas, league):
    season = Season.objects.create(league=league, name="Spring", phase="entering")
    season_entries.accept(season_entries.add_entry(season, "ann@example.org", now=NOON), now=NOON)
    season_entries.add_entry(season, "dora@example.org", now=NOON)
    shown = preview(at_olgas, season, "close-entries")
    sentences = ("One player is in.", "One person hasn’t answered.", "You need 2 more people for a table.")
    assert all(sentence in shown for sentence in sentences)
    assert "on the waiting list" not in shown
    league.games = {"haricots": "sprint", "fagioli": "standard"}
    league.save()
    Season.objects.update(format="classic", rounds=1)  # which of the two games it plays is not drawn yet
    assert "You need one more person for a table." in preview(at_olgas, season, "close-entries")
    season_entries.accept(season_entries.add_entry(season, "bob@example.org", now=NOON), now=NOON)
    assert "for a table." not in preview(at_olgas, season, "close-entries")


def test_a_drawn_round_with_too_few_players_is_not_redrawn(at_olgas, olga, season):
    first, _second = season.divisions.get().rounds.all()
    for match in Match.objects.all():
        play_out(match)
    rounds.close_round(first, now=NOON)
    for entry in season.entries.all()[:4]:
        substitutes.withdraw(entry)
    assert "Division 1 needs one more person for a table." in list_needs(olga)
    assert not [what for what in list_needs(olga) if "is drawn" in what]
    assert "You could also close the season now." in preview(at_olgas, season.divisions.get(), "draw")


def test_the_weekly_letter_has_a_preview_and_is_suggested_once_a_week(at_olgas, olga, season):
    play_out(Match.objects.first())
    assert "This week’s letter is ready to send." in list_needs(olga)
    shown = seen(at_olgas, "leagues_season_do", season.pk, "weekly")
    assert re.search(r"<li>Division 1:</li><li>1\. [^<]+: 12</li>", shown)
    assert "A close game: Haricots with " in shown
    do(at_olgas, season, "weekly")
    assert Letter.objects.filter(kind="weekly").count() == 6


def test_an_ended_season_publishes_no_more_rounds(at_olgas, olga, season):
    for match in Match.objects.all():
        play_out(match)
    first, second = season.divisions.get().rounds.all()
    rounds.close_round(first, now=NOON)
    assert "One round has been drawn but won’t be played." in seen(at_olgas, "leagues_season_do", season.pk, "close")
    do(at_olgas, season, "close")
    assert not [what for what in list_needs(olga) if "is drawn" in what]
    assert "This season is over." in do(at_olgas, second, "publish").content.decode()
