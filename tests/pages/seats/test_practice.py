"""Practice: one press, no account, and each turn's letter one press away."""

import re

import pytest
from django.conf import settings
from django.test import Client
from django.urls import reverse

import games
from beanpost.play import automatic_players, practice
from beanpost.play.display import scene
from beanpost.play.models import Match
from beanpost.post.models import Letter
from tests.friends import seat_friends

pytestmark = pytest.mark.django_db
TRY = "/try/"


def text(response) -> str:
    return response.content.decode()


def test_one_press_on_the_front_page_leads_to_a_table(client):
    assert f'action="{TRY}"' in text(client.get("/"))
    page = client.post(TRY, {"game": "haricots"}, follow=True)
    assert page.redirect_chain == [(TRY, 302)]
    assert "Your hand" in text(page)
    assert not Letter.objects.exists()


def test_the_letter_of_a_turn_is_one_press_away(client):
    page = text(client.post(TRY, {"game": "fagioli"}, follow=True))
    letter = page[page.index("See this turn’s letter</summary>") :]
    assert "Fagioli" in letter
    assert re.search(r'href="[^"]*/move/[^"]+"', letter)


@pytest.mark.parametrize("game", practice.find_offered_games())
def test_the_page_has_one_first_level_heading_and_the_letters_headings_are_below(client, game):
    page = text(client.post(TRY, {"game": game}, follow=True))
    before, letter = page.split('id="as-a-letter"')
    assert before.count("<h1") == 1
    levels = re.findall(r"<h(\d)", letter)
    assert levels[0] == "3"
    assert set(levels) <= {"3", "4"}
    assert "\nh3 {" in letter  # it looks as it would in the mail


@pytest.mark.parametrize("game", practice.find_offered_games())
def test_the_letter_is_shown_on_a_site_with_replies_too(client, settings, game):
    settings.INBOUND_DOMAIN = "in.beans.example"
    page = client.post(TRY, {"game": game}, follow=True)
    assert page.status_code == 200
    assert "<template shadowrootmode" in text(page)


@pytest.mark.parametrize("game", practice.find_offered_games())
def test_a_guest_is_offered_no_standing_orders_and_no_notes(client, game):
    page = text(client.post(TRY, {"game": game}, follow=True))
    assert 'class="plans"' not in page
    assert "Add a note to the table" not in page


def test_a_move_leads_back_to_the_table(client):
    deals = (text(client.post(TRY, {"game": "haricots"}, follow=True)) for _ in range(practice.MAX_AN_HOUR))
    page = next(page for page in deals if 'value="play ' in page)  # sometimes nothing beats a bot's cards
    action = re.search(r'<form id="answer" method="post" action="(/move/[^"]+)"', page)[1]
    line = re.search(r'name="line" value="(play [^"]+)"', page)[1]
    assert client.post(action, {"line": line}).headers["Location"] == TRY
    assert f"You played {line.removeprefix('play ')}" in text(client.get(TRY))


def test_one_press_lets_paused_bots_continue(client, monkeypatch):
    with monkeypatch.context() as silent:
        silent.setattr(automatic_players, "MAX_AUTOMATIC", 0)
        silent.setattr(practice, "MAX_PAUSES", 0)
        deals = (text(client.post(TRY, {"game": "haricots"}, follow=True)) for _ in range(practice.MAX_AN_HOUR))
        assert any("Let them play" in page for page in deals)  # a bot starts in most of them
    dealt = Match.objects.count()
    assert "Your moves" in text(client.post(TRY, {"on": "1"}, follow=True))
    assert Match.objects.count() == dealt


def test_another_browser_does_not_see_the_practice_match(client):
    client.post(TRY, {"game": "haricots"})
    assert "Your hand" not in text(Client().get(TRY))


def test_the_code_of_a_real_match_opens_nothing_here(client):
    session = client.session
    session["practice"] = seat_friends().code
    session.save()
    assert "Your hand" not in text(client.get(TRY))


def test_opening_the_page_deals_nothing(client):
    assert client.get(TRY).status_code == 200
    assert not Match.objects.exists()


@pytest.mark.parametrize("game", ["", "chess", "x" * 10_000, "\0"])
def test_an_unknown_game_gets_a_clear_page(game, client):
    page = client.post(TRY, {"game": game})
    assert page.status_code == 429
    assert "Choose one of the games." in text(page)


def test_a_deleted_practice_match_leads_to_a_new_choice(client):
    client.post(TRY, {"game": "haricots"})
    practice.remove(Match.objects.get().pk)
    assert "Try a round now" in text(client.get(TRY))


@pytest.mark.parametrize("slug", games.GAMES)
@pytest.mark.parametrize("language", dict(settings.LANGUAGES))
def test_every_game_has_its_rules_in_both_languages(slug, language, client):
    page = text(client.get(reverse("rules", args=[slug]), headers={"accept-language": language}))
    assert f'<html lang="{language}">' in page
    assert page.count("<svg") >= 2
    assert ("<summary><h2>Par correspondance</h2></summary>" in page) == (language == "fr")


@pytest.mark.parametrize(
    ("slug", "language", "sentence"),
    [
        ("haricots", "en", "In the basic game there is no folding and nobody pays"),
        ("haricots", "fr", "Avec les règles de base, on ne se couche pas et on ne paie rien"),
        ("bohnanza", "en", "Two play a <strong>duel</strong>, without trading"),
        ("bohnanza", "fr", "À deux, on joue un <strong>duel</strong>, sans échanges"),
    ],
)
def test_the_short_rules_mention_differences_of_our_tables(slug, language, sentence, client):
    page = text(client.get(reverse("rules", args=[slug]), headers={"accept-language": language}))
    assert sentence in page


@pytest.mark.parametrize(
    ("slug", "language", "sentence"),
    [
        ("haricot_magique", "en", "In the expert game you don’t have your own axe."),
        ("haricot_magique", "fr", "Dans le jeu expert, personne n’a sa propre hache."),
        ("haricot_magique", "en", "on a treasure or on a trunk, and none is left, you place the castle."),
        ("haricot_magique", "fr", "S’il faut poser un cylindre et qu’il n’en reste plus, posez le château."),
        ("haricot_magique", "fr", "un sac pour chacun de leurs jetons qui s’y trouvaient"),
        ("haricot_magique", "fr", "un pour chacun de leurs trésors qui s’y trouvaient"),
        ("haricot_magique", "en", "If nothing stands there, over the top or under the base, it misses and is gone"),
        ("haricot_magique", "fr", "plus haut que le sommet ou plus bas que la base, elle manque sa cible"),
        ("haricots", "en", "in the basic game, passing then puts you out of the round"),
        ("haricots", "fr", "avec les règles de base, passer vous fait alors sortir de la manche"),
        ("fagioli", "en", "The player with the lowest total of penalties gets one more"),
        ("bohnanza", "en", "If you have to make room, we ask you, and the table waits"),
        ("bohnanza", "fr", "S’il faut faire de la place, la question vous est posée, et la table attend"),
    ],
)
def test_the_rules_describe_what_the_table_does(slug, language, sentence, client):
    page = text(client.get(reverse("rules", args=[slug]), headers={"accept-language": language}))
    assert sentence in page


def test_the_rulebook_lists_exactly_our_games(client):
    shelf = text(client.get(reverse("rulebook")))
    assert all(rules.title.replace("'", "&#x27;") in shelf for rules in games.GAMES.values())
    assert client.get("/rules/chess/").status_code == 404


def turns_with_advice(client, most: int) -> list[bool]:
    """Play a round with the first move offered each time. Return for each turn whether the page explained it."""
    client.post(TRY, {"game": "haricots"})
    match = Match.objects.latest("pk")
    place = match.places.get(player__guest=True)
    explained = []
    while len(explained) < most and match.waits.filter(seat=place.seat).exists():
        page = text(client.get(TRY))
        explained.append('class="advice"' in page)
        line = re.search(r'name="line" value="((?:play|pass)[^"]*)"', page)[1]
        client.post(reverse("move", args=[scene.build_scene(match, place.seat).question.ticket]), {"line": line})
        match.refresh_from_db()
    return explained


def test_an_ipv6_household_deals_as_few_tables_as_any_visitor(client, monkeypatch):
    monkeypatch.setattr(practice, "MAX_AN_HOUR", 2)
    addresses = ["2001:db8::1", "2001:db8::2:1", "2001:db8:0:0:ffff::1", "2001:db8:0:1::1"]
    answers = [Client(REMOTE_ADDR=address).post(TRY, {"game": "fagioli"}).status_code for address in addresses]
    assert answers == [302, 302, 429, 302]


def test_the_first_three_turns_of_haricots_are_explained():
    most = practice.GUIDED_TURNS + 2
    for _deal in range(practice.MAX_AN_HOUR):
        explained = turns_with_advice(Client(), most)
        assert explained == [turn < practice.GUIDED_TURNS for turn in range(len(explained))]
        if len(explained) == most:  # some deals end before
            return
    pytest.fail("No deal lasted long enough.")


def test_other_games_and_matches_between_people_are_not_explained(client):
    client.post(TRY, {"game": "fagioli"})
    assert 'class="advice"' not in text(client.get(TRY))
