"""Replies may still use the labels that moves had before they were reworded."""

from dataclasses import replace

import pytest
from django.conf import settings
from django.utils import translation

import games
from beanpost.play.display import scene
from beanpost.play.display.wording import say
from beanpost.play.models import Match, Vault
from beanpost.post.receive import former_labels
from games.contract.phrases import Phrase, Plural, Term, Who
from tests.post.answering import planting
from tests.site.test_catalogues import TEXTS, forms

NAMES = ("Ann", "Bob")
FORMER = games.get("bohnanza").replies.former_labels


@pytest.mark.parametrize("game", ["bohnanza", "fagioli", "haricot_magique", "pas_de_haricots"])
def test_every_former_label_belongs_to_a_text_of_today(game):
    texts = {text for message in TEXTS for text in (*forms(message.id), *forms(message.string))}
    former = games.get(game).replies.former_labels
    assert former
    assert former.keys() <= texts


@pytest.mark.parametrize("language", dict(settings.LANGUAGES))
def test_a_phrase_that_was_not_reworded_stays_the_same(language):
    phrase = Phrase("Harvest field {number}: {beans} for {coins}", number=1, beans=Phrase("nothing"), coins=2)
    with translation.override(language):
        assert former_labels.format_former(phrase, NAMES, FORMER) == say(phrase, NAMES)


def test_a_label_is_shown_in_its_former_words_with_its_values():
    red = Plural("a red bean", "{count} red beans", count=1)
    text = "Accept {who}’s offer {number}: get {gives} for {wants}"
    phrase = Phrase(text, who=Who(1), number=2, gives=red, wants=Phrase("nothing"))
    assert former_labels.format_former(phrase, NAMES, FORMER) == "Accept offer 2 of Bob: get 1 red bean for nothing"


@pytest.mark.django_db
def test_the_former_labels_of_a_question_name_its_moves():
    match, seat = planting()
    labels = former_labels.find_former_labels(scene.build_scene(match, seat))
    assert labels["Plant 1 garden bean in field 1"] == "plant garden in 1"


@pytest.mark.parametrize("language", dict(settings.LANGUAGES))
def test_a_term_is_found_by_its_context(language):
    red = Term("bean", "Red")
    with translation.override(language):
        label = former_labels.format_former(Phrase("Leave {cards} to your opponent", cards=red), NAMES, FORMER)
        assert say(red, NAMES) in label
        assert (say(red, NAMES) == "Comique") == (language == "fr")


@pytest.mark.django_db
def test_a_game_of_another_package_has_no_former_labels(monkeypatch):
    match, seat = planting()
    plain = replace(games.get("bohnanza").replies, former_labels={})
    monkeypatch.setitem(games.GAMES, "chess", replace(games.get("bohnanza"), slug="chess", replies=plain))
    Match.objects.filter(pk=match.pk).update(game="chess")
    Vault.objects.filter(match=match).update(memory="")
    shown = scene.build_scene(Match.objects.get(pk=match.pk), seat)
    assert "Plant a garden bean in field 1" in {option.label for option in shown.options}
    assert former_labels.find_former_labels(shown) == {}
