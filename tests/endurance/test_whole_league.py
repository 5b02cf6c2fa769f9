"""A whole season through the admin's own URLs: 24 players, three divisions, five rounds of all five games, two
dropouts,
one substitute, and promotion. Bots play: under the players' names, and in long games as bots."""

import pytest
from django.urls import reverse

import games
from beanpost.leagues.models import Entry, Fixture, Round, Season
from beanpost.leagues.people import entries
from beanpost.leagues.records import ratings, season_records
from beanpost.play.models import Match
from beanpost.post.models import Letter
from tests.friends import NOON
from tests.leagues.conftest import organiser, signed_in
from tests.leagues.office import LONG, QUICK, found_league, leave_to_bots, play_out, previewed

pytestmark = pytest.mark.django_db


def do(client, row, action, **answers):
    url = reverse(f"admin:leagues_{row._meta.model_name}_do", args=[row.pk, action])
    assert client.get(url).status_code == 200
    if action == "import":
        answers = previewed(client, url, answers)
    answer = client.post(url, {"do": "1", "reason": "As agreed.", "announce": "on", **answers})
    assert answer.status_code == 302, answer.context["form"].errors
    return answer


def fresh(row):
    return type(row).objects.get(pk=row.pk)


def test_an_organiser_runs_a_whole_season_in_the_admin():
    olga = organiser("olga")
    league, at_olgas = found_league("Bean League", olga), signed_in(olga)
    league.games = QUICK | LONG
    league.save()
    added = at_olgas.post(reverse("admin:leagues_season_add"), season_form(league))
    assert added.status_code == 302, added.context["errors"]
    season = Season.objects.get()
    assert season.tie_breaks == ["direct", "wins"]
    people = "\n".join(f"Player {n},p{n:02}@example.org" for n in range(25))
    do(at_olgas, season, "open")
    do(at_olgas, season, "import", people=people)
    do(at_olgas, season, "invite")
    assert Letter.objects.filter(kind="league_invite").count() == 25
    for entry in season.entries.all()[:24]:
        entries.accept(entry, now=NOON)
    spare = season.entries.last()
    entries.accept(spare, as_substitute=True, now=NOON)
    do(at_olgas, fresh(season), "close-entries")
    divisions = list(season.divisions.all())
    assert [division.entries.count() for division in divisions] == [8, 8, 8]
    for division in divisions:
        do(at_olgas, division, "draw")
    for number in range(1, 6):
        for division in divisions:
            if number == 3 and division == divisions[0]:
                drop_out(at_olgas, division)
            play_one_round(at_olgas, division.rounds.get(number=number), spare if number == 2 else None)
    assert Match.objects.filter(fixture__isnull=False).exclude(phase="ended").count() == 0
    assert {round_.game for round_ in Round.objects.all()} == set(games.GAMES)
    assert Letter.objects.filter(kind="stand_in").exists()
    check_standings_and_promotion(at_olgas, fresh(season), divisions)


def season_form(league):
    return {
        "league": league.pk, "name": "Autumn", "format": "classic", "size": 4, "rounds": 5, "points": "10 6 3 1",
        "tie_breaks_0": "direct", "tie_breaks_1": "wins", "moving": 2, "substitutes_score": "on",
        "divisions-TOTAL_FORMS": 3, "divisions-INITIAL_FORMS": 0,
        **{f"divisions-{n}-level": n + 1 for n in range(3)},
        **{f"divisions-{n}-name": f"Division {n + 1}" for n in range(3)},
    }  # fmt: skip


def drop_out(client, division):
    """Withdraw two players after two rounds; redraw their later rounds, with a reason."""
    for entry in division.entries.filter(state="entered")[:2]:
        do(client, entry, "withdraw")
    do(client, division, "draw", reason="Two have left.")
    assert division.draws.count() == 2
    assert division.rounds.count() == 5


def play_one_round(client, round_, spare):
    do(client, round_, "publish")
    if spare and round_.division.level == 2:
        fixture = round_.fixtures.first()
        do(client, fixture, "substitute", chair=fixture.chairs.first().pk, incoming=spare.pk)
        assert fixture.match.places.get(seat=0).player_id == spare.player_id
    do(client, fresh(round_), "begin")
    if round_.game in LONG:
        fixture = round_.fixtures.first()
        do(client, fixture, "bot", chair=fixture.chairs.first().pk)
        leave_to_bots(round_)
    for match in Match.objects.filter(fixture__round=round_):
        assert play_out(match).phase == "ended"
    do(client, fresh(round_), "close")


def check_standings_and_promotion(client, season, divisions):
    tables = [season_records.compute_standings(division) for division in divisions]
    assert [len(lines) for lines in tables] == [8, 8, 8]
    assert all(line.why.endswith(".") for lines in tables for line in lines)
    assert [line.row.line for line in tables[1]] == ["up", "up", "", "", "", "", "down", "down"]
    assert Fixture.objects.filter(chairs__sitter__entries__state="substitute", ending="played").count() == 1
    assert ratings.recompute_ratings()[1] == 0
    do(client, season, "weekly")
    do(client, season, "close")
    do(client, fresh(season), "next", name="Winter")
    winter = Season.objects.get(name="Winter")
    top = set(winter.divisions.first().entries.values_list("player_id", flat=True))
    assert {line.entry.player_id for line in tables[1][:2]} <= top
    assert not {line.entry.player_id for line in tables[0][-2:]} & top
    assert Entry.objects.filter(season=winter).count() == 22  # without the players who left
