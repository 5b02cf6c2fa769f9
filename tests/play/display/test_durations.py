"""How long a match takes: told in invitations and on the rules pages, from what `make pace` measured."""

from dataclasses import replace

import pytest
from django.utils import translation

import games
from beanpost.play.display.durations import choose_variant, describe_duration, suggest_variants
from tests.friends import gather
from tests.post.gallery import deliver
from tools.proof.pace.goals import OTHER_SEATS, WITH_GOALS


@pytest.mark.parametrize("slug", games.GAMES)
def test_the_card_of_each_of_our_games_has_days_for_every_variant(slug):
    game = games.get(slug)
    assert {variant for variant, _ in game.durations} == set(game.variants)


def test_every_figure_is_of_a_match_that_is_measured():
    played = {(kind.game, kind.variant, kind.seats) for kind in WITH_GOALS + OTHER_SEATS}
    assert {(slug, *kind) for slug, game in games.GAMES.items() for kind in game.durations} <= played


def test_a_duration_names_the_number_of_players_it_was_measured_with():
    text = "about 37 days with 4 players, or about 7 days if everyone plans ahead"
    assert describe_duration("haricots", "advanced", 4) == describe_duration("haricots", "advanced", 5) == text
    assert describe_duration("bohnanza", "standard", 2) == "about 8 days with 2 players"
    with translation.override("fr"):
        assert describe_duration("bohnanza", "standard", 2) == "environ 8 jours à 2 joueurs"


def test_a_slower_pace_takes_as_many_times_more_days_as_it_gives_for_a_move():
    text = "about 259 days with 4 players, or about 49 days if everyone plans ahead"
    assert describe_duration("haricots", "advanced", 4, "weekly") == text
    assert describe_duration("bohnanza", "standard", 2, "brisk") == "about 4 days with 2 players"
    assert describe_duration("fagioli", "standard", 4, "10m") == "about 1 day with 4 players"


def test_pages_say_nothing_about_a_game_that_was_not_measured(monkeypatch):
    monkeypatch.setitem(games.GAMES, "fagioli", replace(games.get("fagioli"), durations={}))
    assert describe_duration("fagioli", "standard", 4) == suggest_variants("fagioli") == ""
    assert choose_variant("fagioli", "weekly") == "standard"
    assert describe_duration("not installed", "standard", 4) == ""


@pytest.mark.parametrize(
    ("slug", "pace", "variant"),
    [
        ("haricots", "daily", "advanced"),
        ("haricots", "weekly", "sprint"),
        ("haricots", "60d", "sprint"),
        ("pas_de_haricots", "relaxed", "one"),
        ("bohnanza", "weekly", "standard"),
    ],
)
def test_the_proposed_variant_fits_the_pace(slug, pace, variant):
    assert choose_variant(slug, pace) == variant


@pytest.mark.django_db
@pytest.mark.parametrize(("pace", "days"), [("daily", 37), ("weekly", 259)])
def test_an_invitation_and_its_page_say_how_long_the_match_takes(client, pace, days):
    match = gather("haricots", "advanced", seats=4, pace=pace)
    deliver()
    letter = match.letters.filter(kind="invitation").first()
    for body in (letter.text, letter.html):
        assert f"about {days} days with 4 players" in " ".join(body.split())
    link = letter.text.split("Answer the invitation:\n")[1].split("\n")[0]
    assert f"about {days} days with 4 players" in client.get(link).content.decode()


@pytest.mark.django_db
@pytest.mark.parametrize("slug", games.GAMES)
def test_the_rules_say_how_long_a_match_takes(client, slug):
    page = client.get(f"/rules/{slug}/").content.decode()
    for variant in games.get(slug).variants:
        assert describe_duration(slug, variant, 4) in page
    for variant, seats in games.get(slug).durations:  # the duel takes other days than the game for four
        assert describe_duration(slug, variant, seats) in page


# ── the start page ──


@pytest.mark.django_db
def test_the_start_page_proposes_the_variant_that_fits_and_says_how_long_each_takes(client):
    page = client.get("/?game=haricots").content.decode()
    assert '<option value="haricots/advanced" selected>advanced (7 to 37 days)</option>' in page
    assert '<option value="haricots/sprint">sprint (2 to 10 days)</option>' in page
    assert "At one day per move a match takes about 37 days with 4 players" in page
    assert "For “Weekly: seven days per move” we suggest: sprint." in page


@pytest.mark.django_db
def test_the_start_page_proposes_the_long_form_of_pas_de_haricots_at_the_daily_pace(client):
    page = client.get("/?game=pas_de_haricots").content.decode()
    assert 'value="pas_de_haricots/three" selected' in page or 'value="pas_de_haricots/one" selected' in page
    assert "a match takes about" in page


def test_there_is_no_advice_where_every_pace_has_the_same_variant():
    assert suggest_variants("bohnanza") == ""
