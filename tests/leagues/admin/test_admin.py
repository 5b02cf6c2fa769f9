"""The admin: every row has its page, an action shows a preview before it runs, and nobody reaches another's league."""

import re
from codecs import BOM_UTF8
from html import unescape
from io import BytesIO
from zipfile import ZipFile

import pytest
from django.conf import settings
from django.contrib.admin.models import LogEntry
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import get_resolver, reverse
from django.utils.html import strip_tags

import games
from beanpost.leagues import organiser_accounts
from beanpost.leagues.actions import registry
from beanpost.leagues.models import Division, Draw, Entry, Fixture, League, LeagueEvent, Round, Season
from beanpost.leagues.people import entries as season_entries
from beanpost.leagues.records import exports
from beanpost.leagues.seasons import rounds
from beanpost.play.display import scene
from beanpost.play.models import Match, Vault
from beanpost.play.seats import league_tables
from beanpost.players import accounts
from beanpost.post.models import Letter
from beanpost.privacy import erasure
from games.pas_de_haricots.deck import DECK
from tests.copies import multiply
from tests.friends import NOON, welcome
from tests.leagues.office import NO_WEBHOOKS, do, fill_season, found_league, play_moves, play_out, start_round
from tests.restored import find_rows

pytestmark = pytest.mark.django_db


@pytest.fixture
def season(league):
    """A season with one round being played and another drawn."""
    return start_round(fill_season(league, 6, size=3, rounds=2, name="Autumn"), begin=True)


ROWS = {
    "leagues": [League, Season, Division, Entry, Round, Fixture],
    "play": [Match],
}


def pages_of(season):
    """Return every admin page on which a season appears."""
    names = [f"admin:{model._meta.app_label}_{model._meta.model_name}" for models in ROWS.values() for model in models]
    yield reverse("admin:index")
    yield reverse("admin:leagues_season_cockpit", args=[season.pk])
    yield reverse("admin:leagues_season_story", args=[season.pk])
    yield reverse("admin:leagues_season_follow_up", args=[season.pk])
    for name, model in zip(names, [m for models in ROWS.values() for m in models], strict=True):
        yield reverse(f"{name}_changelist")
        yield reverse(f"{name}_changelist") + "?q=a"
        for row in [row for row in model.objects.all()[:2] if str(row) != "Pea League"]:
            yield reverse(f"{name}_change", args=[row.pk])
            yield reverse(f"{name}_history", args=[row.pk])
    division = season.divisions.get()
    fixture = Fixture.objects.exclude(match=None).first()
    for row in (season, division, division.rounds.first(), fixture, Entry.objects.first()):
        for action in registry.ACTIONS[type(row)]:
            yield reverse(f"admin:leagues_{row._meta.model_name}_do", args=[row.pk, action.name])
    for what in ("standings", "fixtures", "entries", "ratings"):
        yield reverse("admin:leagues_season_export", args=[season.pk, what, "csv"])
    yield reverse("admin:leagues_season_export", args=[season.pk, "season", "json"])
    for model in (Letter,):
        yield reverse("admin:post_letter_changelist")
        yield reverse("admin:post_letter_change", args=[model.objects.first().pk])
    yield reverse("admin:players_player_changelist")
    yield reverse("admin:players_player_change", args=[Entry.objects.first().player_id])


def test_every_page_of_an_organisers_league_opens_and_shows_no_secret_of_a_running_match(at_olgas, season):
    hidden = []
    for match in Match.objects.filter(phase="running"):
        vault = Vault.objects.get(match=match)
        shuffles = [event.line for event in match.events.filter(seat=-1) if "shuffle" in event.line]
        hidden += [bytes(vault.secret).hex(), vault.memory, *shuffles]
        hidden += [line.removeprefix("shuffle ")[:40] for line in shuffles]
    assert len(hidden) >= 8
    for url in pages_of(season):
        answer = at_olgas.get(url)
        assert answer.status_code == 200, url
        shown = answer.content.decode()
        assert not [secret for secret in hidden if secret in shown], url


@pytest.fixture
def cards_in_hand(league):
    """A season whose running match has uniquely named cards; some are sealed, most are in a player's hand."""
    league.games = {"pas_de_haricots": "one"}
    league.save()
    season = fill_season(league, 3, size=3, rounds=1)
    rounds.draw(season.divisions.get(), by=None, now=NOON)
    first = season.divisions.get().rounds.first()
    rounds.publish(first, now=NOON)
    rounds.begin_tables(first, now=NOON)
    play_moves(Match.objects.get(), 8)
    return Season.objects.get(pk=season.pk)


def test_no_admin_page_shows_a_superuser_an_unseen_card(admin_client, cards_in_hand):
    match = Match.objects.get()
    assert match.phase == "running"
    shown = scene.build_scene(match, None)
    open_cards = cards_on(" ".join(line.text for line in shown.story.news)) | cards_on(str(games.plain(shown.view)))
    hidden = cards_on(match.events.filter(seat=-1).last().line) - open_cards
    assert len(hidden) > 8
    for url in pages_of(cards_in_hand):
        answer = admin_client.get(url)
        assert answer.status_code == 200, url
        assert not hidden & cards_on(strip_tags(answer.content.decode())), url


def cards_on(text):
    return set(re.findall(r"\w+", text)) & set(DECK)


def test_another_leagues_organiser_gets_nowhere(at_ottos, other_league, season):
    """Walk every page the league's organiser can open, and find none of its names on those that open for another."""
    names = ["Bean League", "Autumn", "Player 1", "p001@example.org"]
    for url in pages_of(season):
        answer = at_ottos.get(url)
        assert answer.status_code in {200, 302, 403, 404}, url
        shown = answer.content.decode()
        assert not [name for name in names if name in shown], url
        if answer.status_code == 200:
            assert "/change" not in url
        if "/do/" in url:
            assert answer.status_code == 404
            assert at_ottos.post(url, {"do": "1", "reason": "I want to."}).status_code == 404
        if "/export/" in url:
            assert answer.status_code == 404


def test_no_action_is_carried_out_by_a_forged_press(at_olgas, season):
    forger = Client(enforce_csrf_checks=True)
    forger.cookies[settings.SESSION_COOKIE_NAME] = at_olgas.cookies[settings.SESSION_COOKIE_NAME].value
    before = find_rows()
    for url in filter(lambda url: "/do/" in url, pages_of(season)):
        assert forger.post(url, {"do": "1", "reason": "I want to."}).status_code == 403
    assert find_rows() == before


def test_another_leagues_rows_cannot_be_changed_chosen_or_found(at_ottos, other_league, season):
    before = Season.objects.get(pk=season.pk)
    change = reverse("admin:leagues_season_change", args=[season.pk])
    assert at_ottos.post(change, {"name": "Mine"}).status_code in {302, 403}
    assert Season.objects.get(pk=season.pk).name == before.name
    added = at_ottos.post(
        reverse("admin:leagues_season_add"), {"league": season.league_id, "name": "Mine", "format": "swiss", "size": 3}
    )
    assert added.status_code == 200  # the form again: that league is not among the choices
    assert not Season.objects.filter(name="Mine").exists()
    found = at_ottos.get(
        reverse("admin:autocomplete"),
        {"term": "Player", "app_label": "leagues", "model_name": "league", "field_name": "keeper"},
    )
    assert found.json()["results"] == []


def test_no_handwritten_filter_reveals_a_hidden_card_or_a_password_by_guessing(at_olgas, season):
    for model, lookup in (
        ("season", "league__seasons__divisions__rounds__fixtures__match__vault__memory__contains"),
        ("entry", "season__league__organisers__password__startswith"),
        ("round", "division__season__divisions__rounds__fixtures__match__events__line__contains"),
        ("fixture", "round__division__season__entries__player__places__match__orders__line__contains"),
    ):
        assert at_olgas.get(reverse(f"admin:leagues_{model}_changelist"), {lookup: "a"}).status_code == 400, lookup


def test_every_filter_link_on_a_page_works(at_olgas, season, league):
    fill_season(league, 6, name="Winter")
    for model in ("season", "division", "entry", "round", "fixture", "rating"):
        page = reverse(f"admin:leagues_{model}_changelist")
        offered = set(re.findall(r'href="(\?[^"]+__[^"]+)"', at_olgas.get(page).content.decode()))
        assert offered
        assert [link for link in offered if at_olgas.get(page + unescape(link)).status_code != 200] == []


def test_the_walk_covers_every_admin_url(season):
    """A new page must be walked too: every named URL of our own models is one of these kinds."""
    kinds = {"changelist", "change", "history", "do", "export", "add", "delete"}
    kinds |= {"cockpit", "story", "follow_up", "keeper"}
    ours = ("leagues_", "play_", "players_", "post_")
    names = [name for name in get_resolver().namespace_dict["admin"][1].reverse_dict if isinstance(name, str)]
    for name in names:
        if name.startswith(ours):
            assert name.split("_", 2)[2] in kinds, name


def test_a_staff_user_without_a_league_sees_nothing(client, season, django_user_model):
    nobody = django_user_model.objects.create_user("nobody", password="beans", is_staff=True)
    client.force_login(nobody, backend="django.contrib.auth.backends.ModelBackend")
    assert client.get(reverse("admin:leagues_season_changelist")).status_code == 403
    assert client.get(reverse("admin:play_match_changelist")).status_code == 403


def test_a_preview_changes_nothing_and_an_action_tells_everyone_why(at_olgas, league):
    season = fill_season(league, 6, size=3, rounds=1)
    division = season.divisions.get()
    url = reverse("admin:leagues_division_do", args=[division.pk, "draw"])
    shown = at_olgas.get(url).content.decode()
    assert "6 people are playing in Division 1." in shown
    assert "players affected" not in shown  # a draw is secret until its round starts
    at_olgas.post(url, {"look": "1"})
    assert not Draw.objects.exists()
    assert do(at_olgas, division, "draw", reason="Here we go.").status_code == 302
    assert Draw.objects.get().drawn_by.username == "olga"
    assert not Letter.objects.filter(kind="announcement").exists()
    for action, letter_count in (("start", 0), ("extend", 6)):
        shown = at_olgas.get(reverse("admin:leagues_season_do", args=[season.pk, action])).content.decode()
        assert ("Write to the 6 players affected" in shown) == bool(letter_count)
        assert do(at_olgas, season, action, reason="Here we go.", announce="on", days=2).status_code == 302
        rounds.begin_tables(division.rounds.get(), now=NOON)
        letters = Letter.objects.filter(kind="announcement")
        assert [letter.values["reason"] for letter in letters] == ["Here we go."] * letter_count


def test_a_refused_action_says_why_and_changes_nothing(at_olgas, season):
    answer = do(at_olgas, season.divisions.get().rounds.first(), "close")
    assert answer.status_code == 400
    assert "No result yet at table 1, 2." in answer.content.decode()


def test_an_import_of_a_pasted_list_answers_each_line(at_olgas, league):
    season = Season.objects.create(league=league, name="Spring")
    url = reverse("admin:leagues_season_do", args=[season.pk, "import"])
    people = "Ann <ann@example.org>\nbob at example\nCleo,cleo@example.org\nann@example.org"
    shown = at_olgas.post(url, {"look": "1", "people": people}).content.decode()
    assert "Line 1: Ann &lt;ann@example.org&gt;" in shown
    assert "Line 2: there’s no email address." in shown
    assert "Line 4: ann@example.org is on the list twice. We take the first line." in shown
    refused = do(at_olgas, season, "import", people=people)
    assert refused.status_code == 400
    assert "No one has been added yet. Please correct or remove these lines." in refused.content.decode()
    assert not season.entries.exists()
    assert do(at_olgas, season, "import", people=people.replace("bob at example", "")).status_code == 302
    assert sorted(entry.player.name for entry in season.entries.all()) == ["Ann", "Cleo"]


def test_several_addresses_on_one_line_are_imported_as_several_people(at_olgas, league):
    season = Season.objects.create(league=league, name="Spring")
    friends = [f"friend{n:02}@a-rather-long-name.example" for n in range(40)]
    people = ", ".join(friends) + '\nAnn <ann@example.org>; "Lee, Bob" <bob@example.org>'
    assert do(at_olgas, season, "import", people=people).status_code == 302
    assert season.entries.count() == 42
    assert {"friend39", "Ann", "Lee, Bob"} <= {entry.player.name for entry in season.entries.all()}


def test_an_invalid_line_says_what_is_wrong_with_it(at_olgas, league):
    season = Season.objects.create(league=league, name="Spring")
    gone = season_entries.add_entry(season, "gone@example.org", now=NOON).player
    erasure.erase(gone, now=NOON)
    gone.refresh_from_db()
    people = f"Ann,ann@example.org,bob@example.org\n{'A' * 41},ann@example.org\n{gone.address}"
    refused = do(at_olgas, Season.objects.create(league=league, name="Autumn"), "import", people=people)
    shown = refused.content.decode()
    assert "Line 1: there’s more than one email address." in shown
    assert f"Line 2: “{'A' * 41}”: Use 40 characters or fewer." in shown
    assert "Line 3: this player’s data has been deleted." in shown


def test_an_import_skips_people_who_are_in_the_season_already(at_olgas, league):
    season = Season.objects.create(league=league, name="Spring")
    assert do(at_olgas, season, "import", people="ann@example.org").status_code == 302
    url = reverse("admin:leagues_season_do", args=[season.pk, "import"])
    longer = "ann@example.org\nbob@example.org"
    shown = at_olgas.post(url, {"look": "1", "people": longer}).content.decode()
    assert "Line 1: ann@example.org is already in this season." in shown
    assert do(at_olgas, season, "import", people=longer).status_code == 302
    assert season.entries.count() == 2
    refused = do(at_olgas, season, "import", people=longer)
    assert refused.status_code == 400
    assert "Everyone on this list is already in the season." in refused.content.decode()


def test_an_organiser_who_plays_at_a_table_sees_no_letters_from_it(at_olgas, olga, season):
    letter = Letter.objects.filter(match__fixture__isnull=False).first()
    pages = reverse("admin:post_letter_changelist"), reverse("admin:post_letter_change", args=[letter.pk])
    assert f"/{letter.pk}/change/" in at_olgas.get(pages[0]).content.decode()
    assert at_olgas.get(pages[1]).status_code == 200
    neighbour = letter.match.places.exclude(player=letter.recipient).first().player
    type(neighbour).objects.filter(pk=neighbour.pk).update(address=olga.email)
    assert f"/{letter.pk}/change/" not in at_olgas.get(pages[0]).content.decode()
    assert at_olgas.get(pages[1]).status_code == 302  # the letter is not found


def test_an_organiser_who_plays_at_a_table_cannot_decide_it(at_olgas, olga, league):
    season = fill_season(league, 2, size=3, rounds=1)
    olga = accounts.get_or_create_player("olga@example.org", now=NOON)
    entry = Entry.objects.create(season=season, player=olga, division=season.divisions.get(), state="entered", rung=9)
    rounds.draw(season.divisions.get(), by=None, now=NOON)
    rounds.publish(season.divisions.get().rounds.get(), now=NOON)
    fixture = Fixture.objects.get()
    assert fixture.chairs.filter(entry=entry).exists()
    for action in ("annul", "forfeit", "adjudicate", "substitute"):
        assert do(at_olgas, fixture, action, reason="Because.").status_code == 403


def test_a_table_is_decided_or_annulled_with_a_reason(at_olgas, league):
    season = fill_season(league, 6, size=3, rounds=1)
    rounds.draw(season.divisions.get(), by=None, now=NOON)
    rounds.publish(season.divisions.get().rounds.get(), now=NOON)
    one, other = Fixture.objects.all()
    assert do(at_olgas, one, "annul").status_code == 400
    do(at_olgas, one, "annul", reason="Nobody could play.")
    chairs = list(other.chairs.all())
    places = {f"chair{chair.pk}": n for n, chair in enumerate(reversed(chairs), 1)}
    do(at_olgas, other, "adjudicate", reason="As it stood.", **places)
    assert list(Fixture.objects.values_list("ending", flat=True)) == ["annulled", "adjudicated"]
    assert [chair.rank for chair in other.chairs.all()] == [3, 2, 1]


def test_lists_make_the_same_number_of_queries_for_many_rows_as_for_few(
    at_olgas, league, django_assert_max_num_queries
):
    fill_season(league, 12, size=3, rounds=3, divisions=2)
    season = Season.objects.get()
    for division in season.divisions.all():
        rounds.draw(division, by=None, now=NOON)
    for model in ("season", "entry", "round", "fixture", "division", "league"):
        with django_assert_max_num_queries(26):
            assert at_olgas.get(reverse(f"admin:leagues_{model}_changelist")).status_code == 200, model


def test_the_dashboard_lists_what_needs_an_organiser_with_an_action_beside_it(at_olgas, at_ottos, other_league, season):
    shown = at_olgas.get(reverse("admin:index")).content.decode()
    assert "Start without waiting" not in shown
    first = season.divisions.get().rounds.first()
    for match in Match.objects.filter(fixture__round=first):
        play_out(match)
    shown = at_olgas.get(reverse("admin:index")).content.decode()
    assert "All results are in." in shown
    assert reverse("admin:leagues_season_do", args=[season.pk, "close-round"]) in shown
    assert "Autumn" not in at_ottos.get(reverse("admin:index")).content.decode()


def test_an_organisers_changes_can_be_read_later(at_olgas, league):
    url = reverse("admin:leagues_league_change", args=[league.pk])
    form = at_olgas.get(url).context["adminform"].form
    values = {name: form.initial.get(name) for name in form.fields if form.initial.get(name) is not None}
    values |= {"about": "Beans for all.", **NO_WEBHOOKS}
    assert at_olgas.post(url, values).status_code == 302
    assert League.objects.get(pk=league.pk).about == "Beans for all."
    event = league.events.get()
    assert (event.done_by.username, event.changes["about"]) == ("olga", ["", "Beans for all."])
    shown = at_olgas.get(reverse("admin:leagues_league_history", args=[league.pk])).content.decode()
    assert "olga" in shown


def test_scoring_options_cannot_be_changed_after_the_draw(at_olgas, season):
    url = reverse("admin:leagues_season_change", args=[season.pk])
    fields = at_olgas.get(url).context["adminform"].form.fields
    assert not {"points", "tie_breaks", "moving", "substitutes_score"} & set(fields)


def test_the_history_of_a_row_shows_the_reason(at_olgas, league):
    season = Season.objects.create(league=league, name="Spring")
    do(at_olgas, season, "open", reason="The beans are ripe.")
    shown = at_olgas.get(reverse("admin:leagues_season_history", args=[season.pk])).content.decode()
    assert "The beans are ripe." in shown


def test_the_history_uses_the_words_of_the_page(at_olgas, league):
    season = Season.objects.create(league=league, name="Spring", rounds=3)
    do(at_olgas, season, "open", reason="The beans are ripe.")
    shown = unescape(at_olgas.get(reverse("admin:leagues_season_history", args=[season.pk])).content.decode())
    assert f"{Season.Phase.PLANNED.label} → open for entries" in shown
    form = at_olgas.get(reverse("admin:leagues_league_change", args=[league.pk])).context["adminform"].form
    values = {name: form.initial.get(name) for name in form.fields if form.initial.get(name) is not None}
    values |= {"games": "fagioli/standard", "sign_up": "on", **NO_WEBHOOKS}
    assert at_olgas.post(reverse("admin:leagues_league_change", args=[league.pk]), values).status_code == 302
    shown = unescape(at_olgas.get(reverse("admin:leagues_league_history", args=[league.pk])).content.decode())
    assert "no → yes" in shown
    assert "→ Fagioli" in shown
    assert "fagioli" not in shown


def test_the_history_names_the_division_that_a_person_was_moved_to(at_olgas, league):
    season = fill_season(league, 6, divisions=2, size=3)
    entry, home = season.divisions.first().entries.first(), season.divisions.last()
    url = reverse("admin:leagues_entry_change", args=[entry.pk])
    assert at_olgas.post(url, {"division": home.pk}).status_code == 302
    shown = unescape(at_olgas.get(reverse("admin:leagues_entry_history", args=[entry.pk])).content.decode())
    assert f"Division: {entry.division} → {home}" in shown


def test_the_history_says_who_was_appointed_and_no_row_goes_to_djangos_log(admin_client, league, otto):
    url = reverse("admin:leagues_league_change", args=[league.pk])
    form = admin_client.get(url).context["adminform"].form
    values = {name: form.initial.get(name) for name in form.fields if form.initial.get(name) is not None}
    values |= {"organisers": [otto.pk], **NO_WEBHOOKS}
    assert admin_client.post(url, values).status_code == 302
    shown = unescape(admin_client.get(reverse("admin:leagues_league_history", args=[league.pk])).content.decode())
    assert "Organisers: olga → otto" in shown
    assert not LogEntry.objects.exists()


def test_an_erased_organiser_is_nameless_in_the_history_of_a_league_they_left(admin_client, league, olga, otto):
    player = welcome("Otto")
    organiser_accounts.link(otto, player)
    url = reverse("admin:leagues_league_change", args=[league.pk])
    form = admin_client.get(url).context["adminform"].form
    values = {name: form.initial.get(name) for name in form.fields if form.initial.get(name) is not None}
    for organisers in ([olga.pk, otto.pk], [olga.pk]):
        assert admin_client.post(url, values | {"organisers": organisers, **NO_WEBHOOKS}).status_code == 302
    page = reverse("admin:leagues_league_history", args=[league.pk])
    assert "olga → olga and otto" in unescape(admin_client.get(page).content.decode())
    erasure.erase_for_host(player, now=NOON)
    shown = unescape(admin_client.get(page).content.decode())
    assert "→ olga and Bean " in shown
    assert "olga and otto" not in shown
    assert "otto" not in str(list(LeagueEvent.objects.values()))


@pytest.mark.parametrize("what", exports.COLUMNS)
def test_an_export_without_rows_still_has_a_header(at_olgas, league, what):
    season = Season.objects.create(league=league, name="Spring")
    url = reverse("admin:leagues_season_export", args=[season.pk, what, "csv"])
    assert at_olgas.get(url).content.decode("utf-8-sig").split() == [",".join(exports.COLUMNS[what])]


def test_a_csv_export_declares_its_encoding_and_can_be_imported_again(at_olgas, league):
    season, later = (Season.objects.create(league=league, name=name) for name in ("Spring", "Summer"))
    season_entries.add_entry(season, "zoe@example.org", name="Zoé", now=NOON)
    url = reverse("admin:leagues_season_export", args=[season.pk, "entries", "csv"])
    file = at_olgas.get(url).content
    assert file.startswith(BOM_UTF8)
    assert do(at_olgas, later, "import", people=file.decode()).status_code == 302
    assert later.entries.get().player.name == "Zoé"


def test_a_whole_season_is_exported_as_one_archive(at_olgas, at_ottos, season):
    url = reverse("admin:leagues_season_export", args=[season.pk, "season", "zip"])
    with ZipFile(BytesIO(at_olgas.get(url).content)) as files:
        assert set(files.namelist()) == {f"{what}.csv" for what in exports.COLUMNS}
        entries = files.read("entries.csv").decode().splitlines()
    assert len(entries) == 1 + season.entries.count() > 1
    assert at_ottos.get(url).status_code == 404


def test_the_season_export_shows_who_is_drawn_where(at_olgas, season):
    url = reverse("admin:leagues_season_export", args=[season.pk, "season", "json"])
    taken = at_olgas.get(url).json()
    named = {entry["number"]: entry["name"] for entry in taken["entries"]}
    drawn = {tuple(named[number] for number in table) for table in taken["draws"][-1]["rounds"][0]["tables"]}
    fixtures = Fixture.objects.filter(round__number=1).order_by("table")
    assert drawn == {tuple(chair.entry.player.name for chair in fixture.chairs.all()) for fixture in fixtures}


def test_points_are_exported_as_numbers(at_olgas, season):
    url = reverse("admin:leagues_season_export", args=[season.pk, "standings", "json"])
    points = [row["points"] for row in at_olgas.get(url).json()]
    assert points
    assert all(isinstance(number, float) for number in points)


@pytest.mark.parametrize("sign", "=+-@＝＋－＠﹦﹢﹣﹫")
def test_names_that_look_like_formulas_do_no_harm_in_a_spreadsheet(sign, at_olgas, league):
    season = Season.objects.create(league=league, name="Spring")
    season_entries.add_entry(season, "a@example.org", name=f"{sign}HYPERLINK(1)", now=NOON)
    url = reverse("admin:leagues_season_export", args=[season.pk, "entries", "csv"])
    assert f"\n'{sign}HYPERLINK(1),a@example.org" in at_olgas.get(url).content.decode()


def test_other_names_are_exported_unchanged(at_olgas, league):
    season = Season.objects.create(league=league, name="Spring")
    season_entries.add_entry(season, "a@example.org", name="Ａnn ＝ ½", now=NOON)
    url = reverse("admin:leagues_season_export", args=[season.pk, "entries", "csv"])
    assert "\nＡnn ＝ ½,a@example.org" in at_olgas.get(url).content.decode()


def test_a_superuser_sees_every_league(admin_client, season):
    found_league("Lentil League")
    shown = admin_client.get(reverse("admin:leagues_league_changelist")).content.decode()
    assert "Bean League" in shown
    assert "Lentil League" in shown


def test_the_list_of_matches_makes_no_more_queries_for_100_000_matches(admin_client, league):
    """Queries depend on the page, not on the size of the site: count them with many times the matches a page shows."""
    few = len(queries_of(admin_client))
    match = league_tables.open_league_table(
        league.keeper, people(3), game="haricots", variant="basic", pace="daily", now=NOON
    )
    multiply(match, 100_000, code="'m' || n")
    assert len(queries_of(admin_client)) <= few + 1
    assert Match.objects.count() == 100_001


def people(count):
    return [accounts.get_or_create_player(f"p{n}@example.org", now=NOON) for n in range(count)]


def queries_of(client):
    with CaptureQueriesContext(connection) as queries:
        assert client.get(reverse("admin:play_match_changelist")).status_code == 200
    return queries
