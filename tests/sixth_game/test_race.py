"""Race to Ten, installed by pip: no line of Beanpost knows it. tests/site/test_sixth_game.py runs these tests."""

from dataclasses import replace

import pytest
from django.urls import reverse
from django.utils import translation

import games
from beanpost.pages.forms.start import list_game_choices
from beanpost.play.log import audit, export
from beanpost.play.models import Match
from beanpost.players.models import Player
from games.conformance import check
from games.verification.verify import verify
from tests.friends import seat_friends
from tests.pages.table import asked, press, table_link
from tests.post.answering import answer, newest, outcome, with_replies


def twin(state, seat, chance):
    """Deal the hidden cards of all other seats anew."""
    if hasattr(state, "race"):
        return replace(state, race=twin(state.race, seat, chance))
    if not hasattr(state, "cards"):
        return state
    cards = (card and (card if n == seat else chance.randint(1, 6)) for n, card in enumerate(state.cards))
    return replace(state, cards=tuple(cards))


@pytest.fixture
def match(db) -> Match:
    return seat_friends("race", "standard", seats=2)


def test_the_game_comes_after_ours():
    assert list(games.GAMES)[-1] == "race"
    assert len(games.GAMES) == 6


def test_it_keeps_the_promises_of_every_game():
    check(games.get("race"), twin=twin)


def test_the_game_is_offered():
    assert ("race/standard", "Race to Ten, standard: 2 to 4 players") in list_game_choices()


@with_replies()
def test_the_game_is_played_by_letters_and_replies_replayed_and_verified(match, client):
    letter = newest(match, asked(match).reader)
    assert "Roll, or play your card?" in letter.text
    assert "PLACES: 0 0" in letter.text.upper()
    assert outcome(answer(letter, "Bonjour, je lance les dés !")) == "say roll"
    match.refresh_from_db()
    while match.phase == Match.Phase.RUNNING:
        press(match)
    assert list(audit.find_differences(match)) == []
    assert verify(export.export_match(match, None)).ended
    for page in ("match", "replay", "verify"):
        assert client.get(reverse(page, args=[match.code])).status_code == 200


@pytest.mark.parametrize(("language", "label"), [("en", "Roll the dice"), ("fr", "Lancer les dés")])
def test_the_game_is_shown_in_both_languages(match, client, language, label):
    Player.objects.update(language=language)
    page = client.get(table_link(match)).content.decode()
    assert label in page
    assert {"en": "Places", "fr": "Cases"}[language].lower() in page.lower()
    with translation.override(language):
        letter = newest(match, asked(match).reader)
    assert label in letter.text
    assert label in letter.html


@pytest.mark.django_db
def test_a_guest_can_try_it(client):
    assert "Race to Ten" in client.get(reverse("try")).content.decode()
    client.post(reverse("try"), {"game": "race"})
    assert "Roll the dice" in client.get(reverse("try")).content.decode()


@pytest.mark.django_db
@pytest.mark.parametrize(("language", "sentence"), [("en", "reaches ten first wins"), ("fr", "arrivé à dix gagne")])
def test_its_rules_are_in_the_rulebook(client, language, sentence):
    page = client.get(reverse("rules", args=["race"]), headers={"Accept-Language": language}).content.decode()
    assert sentence in page
