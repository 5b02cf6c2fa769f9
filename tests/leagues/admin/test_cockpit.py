"""A season's cockpit: one green button, counts, standings and tables, and actions on all divisions at once."""

import re
from datetime import timedelta
from html import unescape

import pytest
from django.urls import reverse

from beanpost.leagues.actions import registry
from beanpost.leagues.actions.next_step import find_next_step
from beanpost.leagues.admin import cockpit
from beanpost.leagues.models import Chair, Division, Draw, Entry, Fixture, LeagueEvent, Round, Season
from beanpost.leagues.people import entries as season_entries
from beanpost.leagues.seasons import clocks, rounds
from beanpost.play.models import Match, Place, Wait
from beanpost.players.models import Player
from beanpost.post.models import Letter
from tests.friends import NOON
from tests.leagues.office import do, do_url, fill_season, find_concerns, invent_results, previewed

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("in_the_afternoon")]


@pytest.fixture
def season(league):
    """A season of two divisions whose entries are closed."""
    return fill_season(league, 12, size=3, rounds=2, divisions=2)


def page_of(client, season):
    answer = client.get(reverse("admin:leagues_season_cockpit", args=[season.pk]))
    assert answer.status_code == 200
    return unescape(answer.content.decode())


def green_button(client, season):
    found = re.findall(r'<a class="go" href="([^"]+)">([^<]+)</a>', page_of(client, season))
    assert len(found) <= 1
    return found[0] if found else None


def press_green(client, season, **answers):
    """Confirm the action behind the green button; check that it leads back to the cockpit."""
    season = Season.objects.get(pk=season.pk)
    step = find_next_step(season).action
    label = next(action for action in registry.ACTIONS[Season] if action.name == step).label_for(season)
    url = do_url(season, step)
    if label == "Add people":
        answers = previewed(client, url, answers)
    answer = client.post(url, {"do": "1", "reason": "As agreed.", **answers})
    assert answer.status_code == 302, answer.content.decode()
    there = Season.objects.latest("pk") if label == "Plan the next season" else season
    assert answer["location"] == reverse("admin:leagues_season_cockpit", args=[there.pk])
    return label


def test_people_just_invited_are_waited_for_before_a_reminder_is_proposed(at_olgas, league):
    season = Season.objects.create(league=league, name="Spring", size=3, rounds=2)
    people = "name,email\n" + "\n".join(f"Player {n},p{n}@example.org" for n in range(4))
    press_green(at_olgas, season, people=people)
    press_green(at_olgas, season)
    assert "You need 3 more people for a table. 4 people haven’t answered." in page_of(at_olgas, season)
    assert green_button(at_olgas, season) is None
    Entry.objects.update(invited_at=NOON - timedelta(days=3))
    assert "Invite everyone" not in page_of(at_olgas, season)  # no one is left to invite
    assert press_green(at_olgas, season) == "Remind people who haven’t answered"
    assert green_button(at_olgas, season) == (do_url(season, "import"), "Add people")
    assert "Remind people who haven’t answered" not in page_of(at_olgas, season)


def test_the_preview_of_a_draw_names_each_game_once(at_olgas, league):
    league.games = {"haricots": "sprint"}
    league.save()
    season = fill_season(league, 6, size=3, rounds=5)
    shown = unescape(at_olgas.get(reverse("admin:leagues_season_do", args=[season.pk, "draw"])).content.decode())
    assert "Games: Haricots." in shown


def test_the_green_button_leads_through_a_whole_season(at_olgas, league):
    season = Season.objects.create(league=league, name="Spring", size=3, rounds=2)
    people = "name,email,division\n" + "\n".join(f"Player {n},p{n}@example.org,Group {n // 6 + 1}" for n in range(12))
    assert press_green(at_olgas, season, people=people) == "Add people"
    assert [division.name for division in season.divisions.all()] == ["Group 1", "Group 2"]
    assert press_green(at_olgas, season) == "Invite everyone"
    assert Season.objects.get().phase == "entering"
    for entry in season.entries.all()[:10]:
        season_entries.accept(entry, now=NOON)
    shown = page_of(at_olgas, season)
    assert "10 of 12 answered" in shown
    assert re.search(r"No answer yet</h2>\s*<p>Player 10, Player 11", shown)
    assert press_green(at_olgas, season) == "Close entries"
    assert press_green(at_olgas, season) == "Draw"
    for number in (1, 2):
        shown = page_of(at_olgas, season)
        assert "drawn, not public yet" in shown
        assert press_green(at_olgas, season) == f"Start round {number}"
        assert green_button(at_olgas, season) is None  # people need time to answer
        Round.objects.filter(number=number).update(published_at=NOON - timedelta(days=3))
        assert press_green(at_olgas, season) == "Start without waiting"
        assert green_button(at_olgas, season) is None
        for round_ in Round.objects.filter(number=number):
            invent_results(round_)
        assert f"{number} of 2" in page_of(at_olgas, season)
        assert press_green(at_olgas, season) == f"Close round {number}"
    assert press_green(at_olgas, season) == "Close the season"
    assert press_green(at_olgas, season, name="Summer") == "Plan the next season"
    assert green_button(at_olgas, season) is None
    assert Season.objects.latest("pk").name == "Summer"


def test_the_first_page_offers_to_plan_the_next_season_until_it_is_planned(olga, season):
    Season.objects.update(phase="ended")
    (step,) = find_concerns(olga)
    assert [way.url for way in step.ways] == [do_url(season, "next")]
    Season.objects.create(league=season.league, name="Winter")
    assert do_url(season, "next") not in [way.url for concern in find_concerns(olga) for way in concern.ways]


def test_nothing_of_a_draw_is_public_before_its_round_starts(at_olgas, client, season):
    public = reverse("season", args=[season.league.slug, season.pk])
    assert do(at_olgas, season, "draw").status_code == 302
    drawn = client.get(public).content.decode()
    assert "Table 1" not in drawn
    assert Draw.objects.first().seed not in drawn
    assert not Letter.objects.filter(kind="announcement").exists()
    preview = at_olgas.get(reverse("admin:leagues_season_do", args=[season.pk, "start"])).content.decode()
    for fixture in Fixture.objects.filter(round__number=1):
        assert ", ".join(chair.sitter_name for chair in fixture.chairs.all()) in preview
    assert do(at_olgas, season, "start").status_code == 302
    started = client.get(public).content.decode()
    assert started.count("Round 1:") == 2
    assert "Round 2:" not in started
    assert Draw.objects.first().seed in started


def test_one_press_draws_starts_and_closes_a_round_of_all_divisions(at_olgas, season):
    do(at_olgas, season, "draw")
    assert Draw.objects.count() == 2
    do(at_olgas, season, "start")
    assert Match.objects.count() == 4
    upper, lower = season.divisions.all()
    invent_results(upper.rounds.first())
    shown = at_olgas.get(reverse("admin:leagues_season_do", args=[season.pk, "close-round"])).content.decode()
    assert "Division 2, round 1 stays open: no result yet at table 1, 2." in shown
    invent_results(lower.rounds.first())
    do(at_olgas, season, "close-round")
    assert set(Round.objects.filter(number=1).values_list("phase", flat=True)) == {"closed"}


def test_a_division_without_enough_players_does_not_keep_the_others_from_being_drawn(at_olgas, season):
    upper, lower = season.divisions.all()
    lower.entries.update(state="left")
    shown = at_olgas.get(reverse("admin:leagues_season_do", args=[season.pk, "draw"])).content.decode()
    assert "Division 2 needs 3 more people for a table." in shown
    do(at_olgas, season, "draw")
    assert [draw.division for draw in Draw.objects.all()] == [upper]


def test_a_pause_of_the_season_stops_every_clock_also_of_tables_that_start_later(at_olgas, season):
    do(at_olgas, season, "draw")
    do(at_olgas, season, "start")
    first, *others = Round.objects.filter(number=1)
    rounds.begin_tables(first, now=NOON)
    assert do(at_olgas, season, "pause").status_code == 400  # a reason is needed
    do(at_olgas, season, "pause", reason="Christmas.")
    for round_ in others:
        rounds.begin_tables(round_, now=NOON)
    assert Match.objects.filter(phase="running", paused_at__isnull=False).count() == 4
    assert "paused" in page_of(at_olgas, season)
    do(at_olgas, season, "resume", reason="A happy new year.")
    assert Match.objects.filter(phase="running", paused_at=None).count() == 4


def test_an_organiser_cannot_pause_their_own_table_by_pausing_its_division(at_olgas, olga, league):
    season = fill_season(league, 6, size=3, rounds=1, divisions=2, name="Winter")
    upper, lower = season.divisions.all()
    for division in (upper, lower):
        rounds.draw(division, by=None, now=NOON)
        rounds.publish(division.rounds.get(), now=NOON)
        rounds.begin_tables(division.rounds.get(), now=NOON)
    Player.objects.filter(pk=upper.entries.first().player_id).update(address=olga.email)
    refused = do(at_olgas, upper, "pause", reason="I need more time.")
    assert refused.status_code == 400
    assert "another organiser has to decide" in refused.content.decode()
    assert not Match.objects.exclude(paused_at=None).exists()
    assert do(at_olgas, lower, "pause", reason="Christmas.").status_code == 302
    assert do(at_olgas, season, "pause", reason="Christmas.").status_code == 302  # the others’ clocks stop too
    assert do(at_olgas, upper, "resume", reason="I am ready.").status_code == 400


def test_an_organiser_cannot_resume_all_tables_but_their_own(at_olgas, olga, league):
    season = fill_season(league, 9, size=3, rounds=1, divisions=3, name="Winter")
    for division in season.divisions.all():
        rounds.draw(division, by=None, now=NOON)
        rounds.publish(division.rounds.get(), now=NOON)
        rounds.begin_tables(division.rounds.get(), now=NOON)
    own, *others = season.divisions.all()
    Player.objects.filter(pk=own.entries.first().player_id).update(address=olga.email)
    assert do(at_olgas, season, "pause", reason="Christmas.").status_code == 302
    for row in (others[0], others[0].rounds.get().fixtures.get()):
        refused = do(at_olgas, row, "resume", reason="Go on.")
        assert refused.status_code == 400
        assert "Your own table is paused too." in refused.text
    assert Match.objects.exclude(paused_at=None).count() == 3
    assert do(at_olgas, season, "resume", reason="A happy new year.").status_code == 302
    assert not Match.objects.exclude(paused_at=None).exists()
    reasons = list(LeagueEvent.objects.filter(season=season).order_by("pk").values_list("reason", flat=True))
    assert reasons == ["Christmas.", "A happy new year."]
    assert do(at_olgas, others[0], "pause", reason="A wedding.").status_code == 302
    assert do(at_olgas, others[0], "resume", reason="Over.").status_code == 302  # their own table is not paused


def test_a_division_can_be_paused_alone(at_olgas, season):
    do(at_olgas, season, "draw")
    do(at_olgas, season, "start")
    do(at_olgas, season, "begin")
    upper, _lower = season.divisions.all()
    do(at_olgas, upper, "pause", reason="Christmas.")
    paused = Match.objects.filter(paused_at__isnull=False)
    assert {match.fixture.round.division for match in paused} == {upper}
    assert not clocks.is_paused(season)


def test_all_deadlines_are_extended_except_at_the_organisers_own_table(at_olgas, olga, season):
    do(at_olgas, season, "draw")
    do(at_olgas, season, "start")
    do(at_olgas, season, "begin")
    own = Fixture.objects.filter(match__isnull=False).first()
    Player.objects.filter(pk=own.chairs.first().sitter_id).update(address=olga.email)
    before = {wait.pk: wait.due_at for wait in Wait.objects.exclude(due_at=None)}
    assert do(at_olgas, season, "extend", reason="A long weekend.", days=3).status_code == 302
    moved = {wait.match_id for wait in Wait.objects.exclude(due_at=None) if wait.due_at != before[wait.pk]}
    assert moved == set(Match.objects.exclude(pk=own.match_id).values_list("pk", flat=True))


def test_everybody_tables_wait_for_is_reminded_once_a_day(at_olgas, season):
    do(at_olgas, season, "draw")
    do(at_olgas, season, "start")
    do(at_olgas, season, "begin")
    url = do_url(season, "remind-tables")
    assert "table 1 is waiting for" in at_olgas.get(url).content.decode()
    assert do(at_olgas, season, "remind-tables").status_code == 302
    shown = at_olgas.get(url).content.decode()
    assert "table 1 is waiting for" not in shown
    assert "No table is waiting for anyone who could be reminded today." in shown
    assert do(at_olgas, season, "remind-tables").status_code == 400


def test_the_cockpit_of_another_league_is_not_found(at_ottos, other_league, season):
    assert at_ottos.get(reverse("admin:leagues_season_cockpit", args=[season.pk])).status_code == 404


def test_settings_are_a_tab_and_saving_leads_back_to_the_cockpit(at_olgas, league):
    season = Season.objects.create(league=league, name="Spring")
    settings = reverse("admin:leagues_season_change", args=[season.pk])
    there = reverse("admin:leagues_season_cockpit", args=[season.pk])
    assert f'href="{settings}"' in page_of(at_olgas, season)
    assert f'href="{there}"' in at_olgas.get(settings).content.decode()
    typed = {"league": league.pk, "name": "Spring", "format": "swiss", "size": 4, "rounds": 5, "moving": 2}
    inline = {f"divisions-{kind}_FORMS": 0 for kind in ("TOTAL", "INITIAL")}
    assert at_olgas.post(settings, typed | inline)["location"] == there
    assert there in at_olgas.get(reverse("admin:leagues_season_changelist")).content.decode()


def test_unreachable_people_and_late_tables_are_named_in_the_cockpit_of_their_season(at_olgas, season, league):
    do(at_olgas, season, "draw")
    do(at_olgas, season, "start")
    do(at_olgas, season, "begin")
    other = Season.objects.create(league=league, name="Other")
    wait = Wait.objects.exclude(due_at=None).first()
    Wait.objects.filter(pk=wait.pk).update(remind_at=None)
    Player.objects.filter(name="Player 11").update(unreached_at=NOON)
    shown = page_of(at_olgas, season)
    late = Chair.objects.get(fixture__match=wait.match_id, seat=wait.seat)
    assert f"{late.fixture} is waiting for {late.sitter}." in shown
    assert "Letters to Player 11 are bouncing." in shown
    assert "0 of 4 tables done, one late" in shown
    assert "Player 11" not in page_of(at_olgas, other)


def test_final_actions_are_folded_and_the_other_ones_grouped(at_olgas, season):
    do(at_olgas, season, "draw")
    do(at_olgas, season, "start")
    shown = page_of(at_olgas, season)
    other, folded = shown.split("<summary>Final decisions</summary>")
    for action, label in (("close", "Close the season"), ("abandon", "Abandon the season")):
        assert f'<a href="{do_url(season, action)}" class="final">{label}</a>' in folded
        assert do_url(season, action) not in other
    assert [str(heading) for heading in cockpit.GROUPS.values() if f">{heading}</h2>" in shown] == [
        "Rounds",
        "People",
        "All tables",
        "Letters",
    ]


def test_a_redraw_after_a_player_left_is_the_next_step(at_olgas, season):
    do(at_olgas, season, "draw")
    gone = Chair.objects.filter(fixture__round__number=1).first().entry
    do(at_olgas, gone, "withdraw", reason="Moved away.")
    season.refresh_from_db()
    step = find_next_step(season)  # the other division could start, but all should start together
    assert (step.action, "has to be redrawn" in step.sentence) == ("draw", True)
    assert do(at_olgas, season, "draw").status_code == 400  # a redraw needs a reason
    assert do(at_olgas, season, "draw", reason="Somebody left.").status_code == 302
    assert find_next_step(Season.objects.get()).action == "start"


def test_a_redraw_is_the_next_step_also_after_the_other_division_has_started(at_olgas, season):
    do(at_olgas, season, "draw")
    gone = Chair.objects.filter(fixture__round__number=1).first().entry
    do(at_olgas, gone, "withdraw", reason="Moved away.")
    do(at_olgas, season, "start")
    assert find_next_step(Season.objects.get()).action == "draw"


def test_nobody_is_reminded_or_given_time_while_no_table_is_played(at_olgas, season):
    for action in ("draw", "start"):
        do(at_olgas, season, action)
    for action in ("remind-tables", "extend"):
        assert do_url(season, action) not in page_of(at_olgas, season)


# ── people on the list ──


def on_list(client, season, action, entries, **answers):
    chosen = {"action": action, "_selected_action": [entry.pk for entry in entries], **answers}
    return client.post(cockpit.list_url("entry", season=season), chosen)


def test_people_chosen_in_the_list_are_withdrawn_together_with_a_reason(at_olgas, season):
    chosen = list(season.entries.all()[:3])
    asked = on_list(at_olgas, season, "withdraw_all", chosen).content.decode()
    for n in range(3):
        assert f"Player {n}: playing. They won’t be in any more draws." in asked
    assert on_list(at_olgas, season, "withdraw_all", chosen, do="1").status_code == 400
    assert Entry.objects.filter(state="left").count() == 0
    on_list(at_olgas, season, "withdraw_all", chosen, do="1", reason="Moved away.", announce="on")
    assert Entry.objects.filter(state="left").count() == 3
    assert Letter.objects.filter(kind="announcement", values__reason="Moved away.").count() == 3


def test_people_chosen_in_the_list_move_to_a_division_unless_they_have_played(at_olgas, season):
    upper, lower = season.divisions.all()
    chosen = list(upper.entries.all()[:2])
    on_list(at_olgas, season, "move_all", chosen, do="1", division=lower.pk)
    assert lower.entries.count() == 8
    do(at_olgas, season, "draw")
    do(at_olgas, season, "start")
    answer = on_list(at_olgas, season, "move_all", chosen, do="1", division=upper.pk)
    assert answer.status_code == 302
    assert lower.entries.count() == 8


def test_an_organiser_who_plays_moves_nobody_out_of_a_drawn_division(at_olgas, olga, season):
    upper, lower = season.divisions.all()
    do(at_olgas, season, "draw")
    mine, other, *_rest = upper.entries.all()
    Player.objects.filter(pk=mine.player_id).update(address=olga.email)
    on_list(at_olgas, season, "move_all", [other], do="1", division=lower.pk)
    assert upper.entries.count() == 6


def test_organisers_choose_only_people_of_their_own_leagues(at_ottos, other_league, season):
    on_list(at_ottos, season, "withdraw_all", season.entries.all(), do="1", reason="Ha.")
    assert not Entry.objects.filter(state="left").exists()


def test_chosen_people_are_reminded_and_exported(at_olgas, league):
    season = Season.objects.create(league=league, name="Spring", phase="entering")
    for n in range(3):
        season_entries.add_entry(season, f"p{n}@example.org", name=f"Player {n}", now=NOON)
    season_entries.invite_all(season, now=NOON)
    chosen = season.entries.all()[:2]
    on_list(at_olgas, season, "remind_all", chosen, do="1")
    assert Entry.objects.filter(reminded_at__isnull=False).count() == 2
    sheet = on_list(at_olgas, season, "export_all", chosen).content.decode()
    assert "p1@example.org" in sheet
    assert "p2@example.org" not in sheet


def test_people_who_were_never_invited_are_not_reminded(at_olgas, league):
    season = Season.objects.create(league=league, name="Spring")
    entry = season_entries.add_entry(season, "ann@example.org", name="Ann", now=NOON)
    answer = on_list(at_olgas, season, "remind_all", [entry], do="1")
    shown = at_olgas.get(answer.headers["Location"]).content.decode()
    assert "was not invited yet" in shown
    entry.refresh_from_db()
    assert entry.reminded_at is None
    assert not Letter.objects.filter(kind="league_invite").exists()
    assert "Ann: not invited yet." in at_olgas.get(do_url(entry, "withdraw")).content.decode()


def test_everybody_is_placed_on_one_page(at_olgas, league):
    season = Season.objects.create(league=league, name="Spring")
    upper, lower = (Division.objects.create(season=season, name=name, level=n) for n, name in enumerate("AB", 1))
    ann, bob = (season_entries.add_entry(season, f"{name}@example.org", now=NOON) for name in ("ann", "bob"))
    shown = at_olgas.get(reverse("admin:leagues_season_do", args=[season.pk, "place"])).content.decode()
    assert all(f'name="entry{entry.pk}"' in shown for entry in (ann, bob))
    homes = {f"entry{ann.pk}": lower.pk, f"entry{bob.pk}": upper.pk}
    assert do(at_olgas, season, "place", **homes).status_code == 302
    assert [entry.division for entry in Entry.objects.order_by("pk")] == [lower, upper]


def test_an_imported_list_names_divisions_old_and_new(at_olgas, league):
    season = Season.objects.create(league=league, name="Spring")
    Division.objects.create(season=season, name="Gold", level=1)
    people = "E-Mail;Name;Gruppe\nann@example.org;Ann;gold\nbob@example.org;Bob;Tin\ncleo@example.org;Cleo;Silver"
    url = reverse("admin:leagues_season_do", args=[season.pk, "import"])
    assert "New divisions: Silver and Tin." in at_olgas.post(url, {"look": "1", "people": people}).content.decode()
    assert season.divisions.count() == 1
    assert do(at_olgas, season, "import", people=people).status_code == 302
    placed = {entry.player.name: entry.division.name for entry in season.entries.all()}
    assert placed == {"Ann": "Gold", "Bob": "Tin", "Cleo": "Silver"}


def test_a_rung_is_shown_in_a_ladder_only(at_olgas, season):
    listed = cockpit.list_url("entry", season=season)
    entry = reverse("admin:leagues_entry_change", args=[season.entries.first().pk])
    pages = [at_olgas.get(page).content.decode() for page in (listed, entry)]
    assert not any("rung" in page.lower() for page in pages)
    Season.objects.update(format="ladder")
    pages = [at_olgas.get(page).content.decode() for page in (listed, entry)]
    assert all("rung" in page.lower() for page in pages)


def test_failed_sign_ins_are_not_in_the_menu(admin_client):
    assert "axes" not in admin_client.get(reverse("admin:index")).content.decode().lower()


def test_the_history_of_a_round_says_in_words_who_started_it_and_why(at_olgas, season):
    do(at_olgas, season, "draw")
    first = Round.objects.first()
    do(at_olgas, first, "publish", reason="Everybody is ready.")
    history = at_olgas.get(reverse("admin:leagues_round_history", args=[first.pk])).content.decode()
    assert "2 tables are open and their players are invited." in history
    assert "Everybody is ready." in history
    assert "olga" in history
    assert "publish" not in history.lower().replace("published at", "")


def test_a_paused_season_offers_to_resume_and_neither_reminds_nor_extends(at_olgas, season):
    for action in ("draw", "start", "begin"):
        do(at_olgas, season, action)
    do(at_olgas, season, "pause", reason="Christmas.")
    season.refresh_from_db()
    step = find_next_step(season)
    assert (step.sentence, step.action) == ("Everything is paused.", "resume")
    shown = page_of(at_olgas, season)
    assert do_url(season, "resume") in shown
    for action in ("pause", "remind-tables", "extend"):
        assert do_url(season, action) not in shown
    do(at_olgas, season, "resume", reason="A happy new year.")
    assert do_url(season, "extend") in page_of(at_olgas, season)


def test_players_read_by_how_many_days_deadlines_moved(at_olgas, season):
    for action in ("draw", "start", "begin"):
        do(at_olgas, season, action)
    do(at_olgas, season, "extend", reason="A long weekend.", days=3, announce="on")
    headline = Letter.objects.filter(kind="announcement").first().values["headline"]
    assert headline == f"{season.name}: players whose turn it is have 3 more days."


def test_the_office_shows_whole_names_of_players_whom_tables_wait_for(at_olgas, season):
    """Players choose how others see their name; organisers see all of it."""
    Player.objects.filter(name="Player 0").update(name="Ann Long", name_shown="initial")
    do(at_olgas, season, "draw")
    do(at_olgas, season, "start")
    table = Fixture.objects.get(chairs__sitter__name="Ann Long", match__isnull=False)
    Place.objects.filter(match=table.match_id).exclude(player__name="Ann Long").update(confirmed_at=NOON)
    assert "not ready yet: Ann Long" in page_of(at_olgas, season)
    shown = at_olgas.get(reverse("admin:leagues_fixture_change", args=[table.pk])).content.decode()
    assert "or after 24 hours. Not ready yet: Ann Long." in shown
    assert "is waiting for Ann Long." in at_olgas.get(do_url(table.round, "begin")).content.decode()


@pytest.mark.parametrize("model", ["entry", "fixture"])
def test_the_lists_of_a_season_show_its_tabs(at_olgas, at_ottos, other_league, season, model):
    back = f'href="{reverse("admin:leagues_season_cockpit", args=[season.pk])}"'
    url = cockpit.list_url(model, season=season)
    assert back in at_olgas.get(url).content.decode()
    assert back not in at_ottos.get(url).content.decode()  # another organiser's
    everything = reverse(f"admin:leagues_{model}_changelist")
    assert 'class="season-tabs"' not in at_olgas.get(everything).content.decode()


def test_the_cockpit_counts_people_grammatically_in_french(at_olgas, league):
    url = reverse("admin:leagues_season_cockpit", args=[fill_season(league, 6, size=3, rounds=1).pk])
    shown = at_olgas.get(url, headers={"accept-language": "fr"}).content.decode()
    assert "6 inscriptions" in shown
    assert "Réglages" in shown
