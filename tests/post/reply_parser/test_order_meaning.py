"""Orders in words: every wording that a page or a letter uses for an order can be typed or sent back."""

import pytest
from django.conf import settings
from django.utils import translation

import games
from beanpost.play.display.wording import say
from beanpost.post.reply_parser.order_meaning import parse_order
from games.contract.notation import describe_form, read

NAMES = ("Ann", "Bob", "Cleo", "Dora")
ORDERS = {
    "haricots": (
        "pass until someone plays below 9",
        "always pass in round 2",
        "fold in round 2 when nothing can be played",
        "beat it cheaply else pass in round 2",
        "beat it cheaply up to 12 else pass in round 2",
    ),
    "fagioli": (
        "in turn 8 if left counts 7 play 5",
        "in turn 8 if right counts 7 play 5 down plant 3 4",
        "play equal until the hand has 3 cards",
        "play steadily until turn 9",
        "play soundly in turn 9",
    ),
    "haricot_magique": ("play soundly in round 3", "play soundly on at most 6 levels in round 3"),
    "pas_de_haricots": (
        "take highest S else lowest minus else from B else best in round 2 turn 3",
        "take KD in round 2",
        "play simple else D else 10H in round 1 turn 4",
        "play highest simple in round 1",
        "play unwanted and take best else first in round 2 turn 3",
        "play unwanted else KD and take highest S else first in round 2 turn 3 to 4",
        "play unwanted and take highest S else best else wanted else first in round 2 turn 3 to 4",
    ),
    "bohnanza": (
        "give coffee for stink or chili until I plant it",
        *(f"accept any gift of {bean} or red" for bean in ("wax", "blue", "green", "soy", "eye", "cocoa")),
        "hide offers that ask for garden from me",
        "no deal until turn 9",
        "no deal until turn 9 unless a trade pays",
        "plant well through turn 9",
        "play on through turn 9",
        "close when everybody is through",
        "close in turn 8 when everybody is through",
        "in turn 8 plant stink in 2 over 3 wax then red in 1",
        "in turn 8 plant received stink in 2 over 3 wax",
    ),
}


def parse(game: str, text: str) -> str:
    return parse_order(text, games.get(game).replies, games.get(game).orders.for_seats(4), NAMES)


@pytest.mark.parametrize("language", dict(settings.LANGUAGES))
@pytest.mark.parametrize("game", ORDERS)
def test_an_order_is_understood_in_the_words_that_describe_it(game, language):
    kinds = games.get(game).orders.for_seats(4)
    assert {type(read(line, kinds)) for line in ORDERS[game]} == set(kinds)
    with translation.override(language):
        for line in ORDERS[game]:
            assert parse(game, line.upper()) == line
            assert parse(game, f"{say(read(line, kinds).describe(), NAMES)}.") == line


@pytest.mark.parametrize("text", ["Au tour 3 de la manche 1, jouer D♠", "In turn 3 of round 1 play Q♠"])
def test_a_card_is_understood_by_its_sign(text):
    assert parse("pas_de_haricots", text) == "play QS in round 1 turn 3"


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("Accept any gift of red", "accept any gift of red"),
        ("Accepte tout cadeau rouge", "accept any gift of red"),
        ("Give a coffee for a stink or a chili, until I plant it", "give coffee for stink or chili until I plant it"),
        ("Hide offers that ask me for garden beans", "hide offers that ask for garden from me"),
        ("Close my market of turn 8 when everyone is through", "close in turn 8 when everybody is through"),
    ],
)
def test_players_may_word_an_order_more_freely(text, line):
    assert parse("bohnanza", text) == line


@pytest.mark.parametrize(
    "text",
    ["Never accept any gift of red", "Accept any gift of trees", "Accept any gift of red and soy beans",
     "Accept any gift", "accept 1", "plant coffee in 2", "Give 2 coffee beans for 1 stink bean, until I plant it",
     "accept any gift of " + "red or " * 80 + "red", ""],
)  # fmt: skip
def test_other_text_is_no_order(text):
    assert parse("bohnanza", text) == ""


def test_a_table_without_orders_understands_none():
    duel = games.get("bohnanza").orders.for_seats(2)
    assert parse_order("Accept any gift of red beans", games.get("bohnanza").replies, duel, NAMES[:2]) == ""
    assert [describe_form(kind) for kind in duel] == []
