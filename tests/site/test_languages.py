"""Languages are found by their catalogues."""

from django.conf import settings

from beanpost.i18n.languages import find_languages
from beanpost.players.models import Player


def test_a_language_is_found_by_its_compiled_catalogue(tmp_path):
    for folder, file in (("de", "django.mo"), ("it", "django.po"), ("en", "django.mo")):
        catalogue = tmp_path / folder / "LC_MESSAGES"
        catalogue.mkdir(parents=True)
        (catalogue / file).touch()
    assert find_languages([tmp_path]) == [("en", "English"), ("de", "Deutsch")]


def test_our_languages_are_offered():
    assert settings.LANGUAGES[0] == ("en", "English")
    assert ("fr", "Français") in settings.LANGUAGES
    assert list(Player._meta.get_field("language").choices) == settings.LANGUAGES


def test_a_site_without_catalogues_is_in_english(tmp_path):
    assert find_languages([tmp_path / "none"]) == [("en", "English")]
