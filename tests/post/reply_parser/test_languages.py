"""Another language is read from its data alone. German, for example."""

import pytest
from django.conf import settings
from django.utils import translation

from beanpost.i18n.reply_language import get_reply_language, load_reply_language
from beanpost.post.reply_parser.move_meaning import Question, find_meaning, find_number
from beanpost.post.reply_parser.which_table import find_chosen_marks
from tests.post.reply_parser.test_move_meaning import question
from tests.post.reply_parser.test_order_meaning import parse

GERMAN = """
also_read = ["en"]
verb_last = true

[letters]
"ß" = "ss"
"ü" = "ue"

[numbers]
1 = "eins ein eine einen"
2 = "zwei zwo"
3 = "drei"
5 = "fünf"
6 = "sechs"
9 = "neun"

[ordinals]
2 = "zweite zweites"
3 = "dritte drittes"

[plurals]
6 = "sechsen"

[multiples]
2 = "paar"

[joining]
and = "und"
also = "dann mit"
not = "nicht, nie"
article = "ein eine einen"
elided = ""
contracted = ""

[polite]
anywhere = "ich wir also bitte danke viele grüße möchte will hallo gern jetzt"
small = "der die das den ein eine einen in ins auf karte feld zug von"
before_order = "bitte"
after_order = "bitte, danke"
thanks = "danke dank"
counted = ""
after_number = "bitte danke ist"
together = "ihr euch beide"

[options]
names = "zug nummer antwort wahl"
beside = "der die das mein ist"
before_number = "der die das karte nehme"
never_before_number = "am um noch"

[marks]
verbs = "mache mit"
takes = "nehme"
articles = "der die das"
roads = "auf zur"

[consent]
yes = "ja gern"
doubts = "aber warte"

[courtesy]
thanks = "danke, vielen dank"
wishes = "gut gespielt, schönen abend"
to_all = "alle"

[verbs]
play = "spiele spielen lege legen"
pass = "passe passen"

[games.fagioli]
plant = "pflanze pflanzen"
left = "links"
right = "rechts"

[games.bohnanza]
plant = "pflanze pflanzen"
coffee = "kaffee"
"""


@pytest.fixture(autouse=True)
def german(tmp_path, settings):
    folder = tmp_path / "de"
    folder.mkdir()
    (folder / "replies.toml").write_text(GERMAN)
    settings.LOCALE_PATHS = [tmp_path, *settings.LOCALE_PATHS]
    with translation.override("de"):
        yield


def ask(game: str, *menu: str) -> Question:
    asked = question(game, *menu)
    return Question(**{**vars(asked), "replies": get_reply_language().add_words(asked.replies, game)})


def test_numbers_courtesy_joints_and_a_verb_at_the_end_are_read():
    haricots = ask("haricots", "play 6", "play 6 6", "play 9", "pass")
    meant = {
        "Zwei Sechsen": "play 6 6", "ein Paar Sechsen bitte": "play 6 6", "6 6 spielen": "play 6 6",
        "Ich möchte zwei Sechsen spielen, bitte": "play 6 6", "6 und 6 spielen": "play 6 6",
        "Passe, danke und viele Grüße": "pass", "Passe, viele Gruesse": "pass", "Also passe ich": "pass",
        "also die 6 spielen": "play 6", "eine Neun spielen": "play 9", "I pass": "pass",
    }  # fmt: skip
    assert {text: find_meaning(text, haricots).legal for text in meant} == {t: (line,) for t, line in meant.items()}


def test_a_third_language_understands_its_words_for_one_games_things():
    market = ask("bohnanza", "plant coffee in 2", "plant coffee in 3")
    assert find_meaning("Kaffee ins dritte Feld pflanzen", market).legal == ("plant coffee in 3",)
    piles = ask("fagioli", "play 2 left plant 5", "play 5 left plant 2")
    for text in ("2 links spielen und 5 pflanzen", "5 pflanzen und 2 links spielen", "spiele 2 links, pflanze 5"):
        assert find_meaning(text, piles).legal == ("play 2 left plant 5",)


def test_what_negates_or_counts_is_no_move():
    haricots = ask("haricots", "play 6", "play 6 6", "play 9", "pass")
    for text in (
        "ich passe nicht",
        "6 6 nicht spielen",
        "Fünf Bohnen",
        "Zwei: danke",
        "ihr zwei",
        "ein Danke",
        "spielen",
    ):
        assert not find_meaning(text, haricots)
    german = get_reply_language()
    assert find_number("fünf", german) == find_number("Fuenf bitte", german) == (5, "")
    assert find_chosen_marks(["m3 und m14"], ["m3", "m14"], german) == {"m3": ["m3"], "m14": ["m14"]}


def test_marks_consent_and_courtesy_are_read():
    haricots = ask("haricots", "play 6", "play 6 6", "play 9", "pass")
    for text in ("m4, bitte", "Ich spiele m4", "Passe, gut gespielt", "Ich passe, vielen Dank Ann"):
        assert find_meaning(text, haricots).legal == ("pass",)
    assert get_reply_language().agrees("Ja, gern!")
    assert not get_reply_language().agrees("Ja, aber warte")


def test_a_courtesy_may_precede_or_follow_an_order():
    assert parse("haricots", "Bitte pass until someone plays below 9, danke") == "pass until someone plays below 9"


def test_german_is_not_read_in_the_languages_of_the_site():
    for code in dict(settings.LANGUAGES):
        with translation.override(code):
            assert not find_meaning("zwei Sechsen", question("haricots", "play 6 6"))
            assert not find_meaning("6 6 play", question("haricots", "play 6 6"))
            assert load_reply_language(code).counting["also"] == ("&",)


def test_a_language_without_words_is_read_in_english():
    with translation.override("eo"):
        assert get_reply_language() is load_reply_language("en")
        assert find_meaning("two sixes please", question("haricots", "play 6 6")).legal == ("play 6 6",)
