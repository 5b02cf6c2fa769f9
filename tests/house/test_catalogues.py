"""What is said in another language: everything, with the same gaps, and as it was compiled."""

import re
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path

import pytest
from babel.messages.extract import extract_python
from django.utils.translation import override
from django.utils.translation.template import templatize

import games
from beanpost.leagues.verbs import VERBS
from beanpost.variants import CALLED, variant
from games import export
from games.errors import RulesError
from tools import catalogues

ROOT = Path(__file__).parents[2]
FILES = sorted(ROOT.glob("locale/*/LC_MESSAGES/django.po"))
TEXTS = [message for file in FILES for message in catalogues.read(file) if message.id]
ASKED_FOR = {"gettext", "gettext_lazy", "gettext_noop", "ngettext", "_", "_l", "Phrase", "Plural", *catalogues.REFUSALS}
PLURALS = {"ngettext", "Plural"}
GAP = re.compile(r"%\(\w+\)[sd]|\{\w+\}")


def forms(text: str | tuple[str, ...]) -> tuple[str, ...]:
    """One text, or one for each plural form."""
    return (text,) if isinstance(text, str) else text


def gaps(*texts: str) -> set[str]:
    return {gap for text in texts for gap in GAP.findall(text)}


@pytest.mark.parametrize("file", FILES, ids=catalogues.language)
def test_the_compiled_catalogue_is_the_one_people_read(file):
    assert file.with_suffix(".mo").read_bytes() == catalogues.compiled(file)


@pytest.mark.parametrize("file", FILES, ids=catalogues.language)
def test_a_catalogue_written_again_is_the_same(file):
    assert file.read_bytes() == catalogues.written(catalogues.read(file))


def test_every_text_is_translated_and_none_is_doubtful():
    assert FILES
    assert [message.id for message in TEXTS if catalogues.is_missing(message)] == []


def test_no_french_line_begins_with_a_sign():
    """Before a sign, and within quotation marks, stands a space at which no line is broken."""
    assert FILES
    said = [text for message in TEXTS for text in forms(message.string)]
    assert [text for text in said if re.search(r" [:;?!»]|« ", text)] == []


def test_french_signs_have_the_space_they_want():
    """A narrow one before ; ? and !, a whole one before a colon and within quotation marks."""
    said = [text for message in TEXTS for text in forms(message.string)]
    assert [text for text in said if re.search("\xa0[;?!]|\u202f[:»]|«\u202f", text)] == []


def test_no_name_follows_a_french_word_that_it_might_shorten():
    """“De Ann” would have to be “d’Ann”."""
    people = "name|names|author|former|newcomer|incoming|keeper|whose|who|whom|owner|victim|season|fixture"
    name = rf"%\((?:{people})\)s|{{(?:{people})}}"
    said = [text for message in TEXTS for text in forms(message.string)]
    assert [text for text in said if re.search(rf"\b(?:de|que) (?:{name})", text, re.IGNORECASE)] == []


def test_every_text_of_the_sources_is_gathered():
    gathered = {text for message in TEXTS for text in forms(message.id)}
    assert "You have won." in gathered
    assert {text: place for text, place in texts_of_the_sources() if text not in gathered} == {}


def texts_of_the_sources() -> Iterator[tuple[str, str]]:
    """Every text that is marked for translation, and its file; found by other means than `make messages`."""
    for file in [*ROOT.glob("games/**/*.py"), *ROOT.glob("beanpost/**/*.py")]:
        yield from ((text, file.name) for text in texts_of(file.read_text()))
    for file in ROOT.glob("beanpost/**/templates/**/*.*"):
        code = templatize(file.read_text()).splitlines()
        yield from ((text, file.name) for text in texts_of("\n".join(map(str.strip, code))))
    for file in ROOT.glob("templates/**/*.*"):
        yield from ((text, str(file)) for text in texts_of_template(file.read_text()))


def texts_of_template(source: str) -> Iterator[str]:
    """The texts of a Jinja2 template.

    >>> list(texts_of_template("{{ _('So far') }}{% trans n=2 %}one{% pluralize %}{{ n }} beans{% endtrans %}"))
    ['So far', 'one', '%(n)s beans']
    """
    yield from (text for _, text in re.findall(r"""\b_\((["'])(.+?)\1\)""", source))
    for block in re.findall(r"{% trans\b[^%]*%}(.*?){% endtrans %}", source, re.DOTALL):
        yield from (re.sub(r"{{ (\w+) }}", r"%(\1)s", text) for text in block.split("{% pluralize %}"))


def texts_of(code: str) -> Iterator[str]:
    for _, asked, words, _ in extract_python(BytesIO(code.encode()), ASKED_FOR, (), {"encoding": "utf-8"}):
        texts = words if isinstance(words, tuple) else (words,)
        yield from filter(None, texts[: 2 if asked in PLURALS else 1])


def test_every_kind_of_refusal_is_gathered():
    assert export.Broken in set(family(RulesError))
    assert {kind.__name__ for kind in family(RulesError)} <= set(catalogues.KEYWORDS)


def family(kind: type) -> Iterator[type]:
    yield kind
    for child in kind.__subclasses__():
        yield from family(child)


def test_what_an_organiser_can_do_is_gathered():
    gathered = {text for message in TEXTS for text in forms(message.id)}
    assert {str(verb.label) for verbs in VERBS.values() for verb in verbs} <= gathered


def test_a_translation_has_the_gaps_of_its_text():
    single = [message for message in TEXTS if not message.pluralizable]
    assert [message.id for message in single if gaps(message.string) != gaps(message.id)] == []


def test_a_plural_has_the_gaps_of_its_texts_and_may_count_to_one():
    """Where none is like one, as in French, the singular has to name the number that the English one leaves out."""
    for message in TEXTS:
        if message.pluralizable:
            (one, many), (first, *others) = message.id, message.string
            assert gaps(one) <= gaps(first) <= gaps(one, many), message.id
            assert all(gaps(other) == gaps(many) for other in others), message.id


def test_a_translation_keeps_the_marks_around_its_text():
    """Whether it is a sentence, the head of a list, or a part of either."""
    for message in TEXTS:
        for text, translation in zip(forms(message.id), forms(message.string), strict=True):
            assert ends(text) == ends(translation), message.id


def ends(text: str) -> str:
    """The mark at the end, and the white space around.

    >>> ends("Your time was up."), ends("Or choose on a page:")
    ('.', ':')
    """
    before, mark = re.match(r"\s*", text), re.search(r"[.:?!]?\s*$", text)
    assert before
    assert mark
    return before[0] + mark[0]


def test_every_variant_has_a_name():
    assert {kind for rules in games.GAMES.values() for kind in rules.variants} == CALLED.keys()
    with override("en"):
        assert variant("three") == "three rounds"
