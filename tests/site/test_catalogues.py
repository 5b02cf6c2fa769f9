"""The message catalogues: complete, with the same placeholders, and compiled from the current source."""

import re
from collections.abc import Iterator
from io import BytesIO
from itertools import zip_longest
from pathlib import Path

import pytest
from babel.messages.extract import extract_python
from django.utils.translation import override
from django.utils.translation.template import templatize

import games
from beanpost.leagues.actions.registry import ACTIONS
from beanpost.play.display.wording import name_variant
from games.contract.errors import RulesError
from games.verification import export
from tools import catalogues

ROOT = Path(__file__).parents[2]
FILES = sorted(
    [*ROOT.glob("beanpost/locale/*/LC_MESSAGES/django.po"), *ROOT.glob("games/*/locale/*/LC_MESSAGES/django.po")]
)
# Every text, and what is missing in each language; readers see it in English.
ALL = [(catalogues.find_language(file), text) for file in FILES for text in catalogues.read_catalogue(file) if text.id]
MISSING = [(language, text.id) for language, text in ALL if catalogues.is_missing(text)]
TEXTS = [text for language, text in ALL if (language, text.id) not in MISSING]
FRENCH = [text for language, text in ALL if language == "fr"]
ASKED_FOR = {"gettext", "gettext_lazy", "gettext_noop", "ngettext", "_", "_l", "Phrase", "Plural", *catalogues.REFUSALS}
PLURALS = {"ngettext", "Plural"}
GAP = re.compile(r"%\(\w+\)[sd]|\{\w+\}")


def forms(text: str | tuple[str, ...]) -> tuple[str, ...]:
    """Return one text, or one for each plural form."""
    return (text,) if isinstance(text, str) else text


def gaps(*texts: str) -> set[str]:
    return {gap for text in texts for gap in GAP.findall(text)}


@pytest.mark.parametrize("file", FILES, ids=lambda file: f"{file.parts[-5]} {catalogues.find_language(file)}")
def test_the_compiled_catalogue_matches_its_source(file):
    assert file.with_suffix(".mo").read_bytes() == catalogues.compile_catalogue(file)


@pytest.mark.parametrize("file", FILES, ids=lambda file: f"{file.parts[-5]} {catalogues.find_language(file)}")
def test_rewriting_a_catalogue_does_not_change_it(file):
    assert file.read_bytes() == catalogues.format_catalogue(catalogues.read_catalogue(file))


def test_each_of_our_games_has_its_texts_in_its_own_folder(monkeypatch):
    monkeypatch.chdir(ROOT)
    assert {folder.name for folder in catalogues.list_game_folders()} == {*games.GAMES}
    languages = {language for language, _ in ALL}
    for folder in (catalogues.SERVICE, *catalogues.list_game_folders()):
        texts = {text for text, _ in catalogues.find_texts(folder)}
        for file in (catalogues.find_catalogue(folder, language) for language in languages):
            assert {message.id for message in catalogues.read_catalogue(file) if message.id} == texts


def test_every_text_is_in_french_and_none_is_fuzzy():
    assert FRENCH
    assert [text for language, text in MISSING if language == "fr"] == []


def test_no_french_line_can_begin_with_punctuation():
    """French puts a space before some punctuation and inside quotation marks; it must be a non-breaking one."""
    assert FILES
    texts = [text for message in FRENCH for text in forms(message.string)]
    assert [text for text in texts if re.search(r" [:;?!»]|« ", text)] == []


def test_french_punctuation_has_the_right_kind_of_space():
    """A narrow space before ; ? and !, a full one before a colon and inside quotation marks."""
    texts = [text for message in FRENCH for text in forms(message.string)]
    assert [text for text in texts if re.search("\xa0[;?!]|\u202f[:»]|«\u202f", text)] == []


def test_no_french_name_follows_a_word_that_might_be_elided():
    """“De Ann” would have to be “d’Ann”."""
    people = "name|names|author|former|newcomer|incoming|keeper|whose|who|whom|owner|victim|season|fixture"
    name = rf"%\((?:{people})\)s|{{(?:{people})}}"
    texts = [text for message in FRENCH for text in forms(message.string)]
    assert [text for text in texts if re.search(rf"\b(?:de|que) (?:{name})", text, re.IGNORECASE)] == []


def test_every_text_in_the_sources_is_in_the_catalogue():
    collected = {text for message in TEXTS for text in forms(message.id)}
    assert "You won!" in collected
    assert {text: place for text, place in texts_of_the_sources() if text not in collected} == {}


def texts_of_the_sources() -> Iterator[tuple[str, str]]:
    """Yield every text that is marked for translation, with its file, without using `make messages`."""
    for file in [*ROOT.glob("games/**/*.py"), *ROOT.glob("beanpost/**/*.py")]:
        yield from ((text, file.name) for text in texts_of(file.read_text()))
    for file in ROOT.glob("beanpost/**/templates/**/*.*"):
        code = templatize(file.read_text()).splitlines()
        yield from ((text, file.name) for text in texts_of("\n".join(map(str.strip, code))))
    for file in [*ROOT.glob("templates/**/*.*"), *ROOT.glob("games/*/jinja2/**/*.*")]:
        yield from ((text, str(file)) for text in texts_of_template(file.read_text()))


def texts_of_template(source: str) -> Iterator[str]:
    """Yield the texts of a Jinja2 template.
    >>> list(texts_of_template("{{ _('So far') }}{% trans n=2 %}one{% pluralize %}{{ n }} beans{% endtrans %}"))
    ['So far', 'one', '%(n)s beans']
    """
    yield from (text for _, text in re.findall(r"""\b_\((["'])(.+?)\1\)""", source))
    for block in re.findall(r"{%[-+]? trans\b[^%]*%}(.*?){% endtrans [-+]?%}", source, re.DOTALL):
        for text in block.split("{% pluralize %}"):
            yield re.sub(r"{{ (\w+) }}", r"%(\1)s", " ".join(re.split(r"\s*\n\s*", text.strip())))


def texts_of(code: str) -> Iterator[str]:
    for _, asked, words, _ in extract_python(BytesIO(code.encode()), ASKED_FOR, (), {"encoding": "utf-8"}):
        texts = words if isinstance(words, tuple) else (words,)
        yield from filter(None, texts[: 2 if asked in PLURALS else 1])


def test_every_error_of_the_rules_is_extracted_for_translation():
    assert export.HashMismatch in set(family(RulesError))
    assert {kind.__name__ for kind in family(RulesError)} <= set(catalogues.KEYWORDS)


def family(kind: type) -> Iterator[type]:
    yield kind
    for child in kind.__subclasses__():
        yield from family(child)


def test_every_organiser_action_is_in_the_catalogue():
    collected = {text for message in TEXTS for text in forms(message.id)}
    assert {str(action.label) for actions in ACTIONS.values() for action in actions} <= collected


def test_a_translation_has_the_placeholders_of_its_text():
    single = [message for message in TEXTS if not message.pluralizable]
    assert [message.id for message in single if gaps(message.string) != gaps(message.id)] == []


def test_a_plural_has_the_placeholders_of_its_texts():
    """French uses the singular for zero too, so it must show the number that the English singular leaves out."""
    for message in TEXTS:
        if message.pluralizable:
            (one, many), (first, *others) = message.id, message.string
            assert gaps(one) <= gaps(first) <= gaps(one, many), message.id
            assert all(gaps(other) == gaps(many) for other in others), message.id


def test_a_translation_keeps_the_final_punctuation_of_its_text():
    """Punctuation shows whether a text is a sentence, the heading of a list, or a part of either."""
    for message in TEXTS:
        many = forms(message.id)[-1]  # of languages with more plural forms
        for text, translation in zip_longest(forms(message.id), forms(message.string), fillvalue=many):
            assert ends(text) == ends(translation), message.id


def ends(text: str) -> str:
    """Return the final punctuation mark and the surrounding white space.
    >>> ends("Your time was up."), ends("Or choose on a page:")
    ('.', ':')
    """
    before, mark = re.match(r"\s*", text), re.search(r"[.:?!]?\s*$", text)
    assert before
    assert mark
    return before[0] + mark[0]


def test_every_variant_has_a_name():
    assert all(set(rules.variants) == rules.variant_names.keys() for rules in games.GAMES.values())
    with override("en"):
        assert name_variant("pas_de_haricots", "three") == "three rounds"
