"""The texts that each reader gets in Bohnanza."""

import pytest

import games
from games.bohnanza.actions import VOCABULARY
from games.contract.asks import Step
from games.contract.game import Costly, Ruinous
from games.contract.notation import read
from tests.games.bohnanza.people import anybody
from tests.games.bohnanza.tables import after, laid_out, tables_of, with_farm

PILE = "soy chili blue eye wax " + "wax " * 10


def describe(table, line, reader):
    """Return what a reader is told of a line, as one text."""
    later = after(table, line)
    who, _, move = line.partition(": ")
    seat = games.DEALER if who == "dealer" else "ABCDEFG".index(who)
    step = Step(table.state, seat, read(move, VOCABULARY), later.state)
    return " ".join(map(str, table.rules.words.tell(step, later.state, reader)))


def market():
    return after(laid_out("wax red soy", "blue green", "eye", "eye", pile=PILE), "A: plant wax in 1", "A: reveal")


def test_planting_is_described_with_its_harvest():
    table = with_farm(laid_out("wax red", "blue", "eye", "eye", pile=PILE), 0, fields="stink 5, ")
    assert describe(table, "A: plant wax in 2", 0) == "You planted a wax bean in field 2."
    over = describe(table, "A: plant wax in 1", 1)
    assert over == "A harvested 5 stink beans from field 1 and got 2 coins. A planted a wax bean in field 1."
    assert describe(table, "A: harvest 1", 0) == "You harvested 5 stink beans from field 1 and got 2 coins."


def test_turning_up_is_described_to_all():
    table = after(laid_out("wax red", "blue", "eye", "eye", pile=PILE), "A: plant wax in 1")
    assert (
        describe(table, "A: reveal", 0) == "You didn’t plant a second card. You turned up a soy bean and a chili bean."
    )
    assert (
        describe(table, "A: reveal", None) == "A didn’t plant a second card. A turned up a soy bean and a chili bean."
    )


def test_an_offer_is_described_from_each_side():
    line = "A: offer red@1 *soy for blue to B"
    assert describe(market(), line, 0) == "Offer 1: you offered B a red bean and a soy bean (face up) for a blue bean."
    assert describe(market(), line, 1) == "Offer 1: A offered you a red bean and a soy bean (face up) for a blue bean."
    assert describe(market(), line, 2) == "Offer 1: A offered B a red bean and a soy bean (face up) for a blue bean."
    line = "A: offer red for nothing to all"
    assert describe(market(), line, 0) == "Offer 1: you offered everyone a red bean for nothing."
    assert describe(market(), line, None) == "Offer 1: A offered everyone a red bean for nothing."


def test_a_counter_offer_names_the_offer_it_answers():
    table = after(market(), "A: offer *soy for green to B", "A: offer *chili for nothing to all")
    counter = "B: offer blue for *soy to A"
    assert describe(table, counter, 0) == (
        "Offer 3: B offered you a blue bean for a soy bean (face up). It’s a reply to offer 1."
    )
    assert describe(after(table, "B: decline 1"), counter, 2).endswith("It’s a reply to offer 1.")
    assert "a reply to offer" not in describe(after(table, "A: withdraw 1"), counter, 0)
    assert "a reply to offer" not in describe(table, "B: offer blue for wax to A", 0)
    assert describe(table, "C: offer eye for *chili to A", 0).endswith("It’s a reply to offer 2.")
    assert describe(after(table, counter), "A: offer *soy for blue green to B", 1).endswith("It’s a reply to offer 3.")


def test_the_maker_of_an_offer_is_told_that_it_lapses():
    table = after(market(), "A: offer *soy for nothing to all", "B: offer blue for *soy to A")
    assert describe(table, "C: accept 1", 1).endswith("Your offer 2 is off: its cards are gone.")
    assert "is off" not in describe(table, "C: accept 1", 0)


def test_a_deal_is_described_from_each_side():
    table = after(market(), "A: offer red *soy for blue to B")
    line = "B: accept 1 giving blue@1"
    assert (
        describe(table, line, 1)
        == "You accepted offer 1: you got a red bean and a soy bean (face up) from A for a blue bean."
    )
    assert (
        describe(table, line, 0)
        == "B accepted your offer 1: you got a blue bean for a red bean and a soy bean (face up)."
    )
    assert describe(table, line, None) == (
        "B accepted offer 1 and got a red bean and a soy bean (face up) from A for a blue bean."
    )
    assert describe(table, "B: decline 1", 1) == "You declined offer 1."
    assert describe(table, "B: decline 1", 0) == "B declined offer 1."
    assert describe(table, "A: withdraw 1", 1) == "A withdrew offer 1."
    assert describe(table, "B: no deal", 0) == "B said “no deal”."


def test_only_their_owner_is_told_the_drawn_cards():
    table = after(laid_out("wax", "blue", "eye", "eye", pile=PILE), "A: plant wax in 1", "A: done", "A: plant soy in 2")
    line = "A: plant chili in 1"
    assert describe(table, line, 0).endswith("You drew a blue bean, a black-eyed bean and a wax bean.")
    assert describe(table, line, 1).endswith("A drew 3 cards.")


def test_everybody_is_told_that_the_pile_ran_out_and_that_the_game_ended():
    table = laid_out("wax red", "blue", "eye", "eye", pile="soy", discard="chili chili")
    assert describe(table, "A: plant wax in 1", 1) == "A planted a wax bean in field 1."
    table = after(table, "A: plant wax in 1")
    assert describe(table, "A: reveal", 0) == "You didn’t plant a second card. The draw pile has run out once."
    table = after(table, "A: reveal")
    shuffled = "The discard pile was shuffled into a new draw pile. A turned up a soy bean and a chili bean."
    assert describe(table, "dealer: shuffle chili chili", 1) == shuffled
    table = after(laid_out("wax", "blue", "eye", pile="soy", exhaustions=1), "A: plant wax in 1", "A: done")
    end = "You planted a soy bean in field 2. The game is over, and all fields have been harvested."
    assert describe(table, "A: plant soy in 2", 0) == end


def test_the_moves_of_the_duel_are_described():
    table = after(laid_out("blue wax red", "red", pile=PILE), "A: plant blue in 1")
    assert describe(table, "A: discard red@2", 1).startswith(
        "A discarded a red bean. A turned up a soy bean, a chili bean and a blue bean."
    )
    assert describe(table, "A: go", 0).startswith("You discarded nothing. You turned up")
    table = after(table, "A: go")
    assert describe(table, "A: go", 1) == "A left a soy bean, a chili bean and a blue bean. A drew 2 cards."


def test_cards_from_the_discard_pile_are_told_apart_from_those_turned_up():
    table = after(laid_out("blue", "red", pile=PILE, discard="wax soy chili"), "A: plant blue in 1")
    assert describe(table, "A: go", 0) == (
        "You discarded nothing. You turned up a soy bean, a chili bean and a blue bean. "
        "The discard pile added a chili bean and a soy bean."
    )


def test_a_player_of_the_duel_is_told_that_everything_is_planted():
    table = after(laid_out("blue", "red", pile=PILE), "A: plant blue in 1", "A: go")
    table = after(table, "A: plant blue in 1", "A: plant soy in 2", "A: plant chili in 1")
    assert asked(table, 0)[0] == "Everything is planted. Continue when you’re ready."
    assert str(table.rules.words.otherwise(table.view(0), table.ask(0))) == "we continue for you"


def asked(table, seat):
    view, words, ask = table.view(seat), table.rules.words, table.ask(seat)
    return str(words.question(view, ask)), [str(words.label(view, answer)) for answer in ask.menu]


def test_a_button_says_what_it_does():
    table = with_farm(laid_out("wax red", "blue", "eye", "eye", pile=PILE), 0, fields="stink 5, ", coins="red red red")
    assert asked(table, 0) == (
        "Plant the front card of your hand: a wax bean.",
        [
            "Harvest 5 stink beans for 2 coins and plant a wax bean in field 1",
            "Plant a wax bean in field 2",
            "Harvest field 1: 5 stink beans for 2 coins",
            "Buy a third field for 3 coins",
        ],
    )
    table = after(market(), "A: offer red for blue to B")
    assert asked(table, 1) == (
        "A’s market is open. Face up: a soy bean and a chili bean. Make or answer an offer, or say “no deal”.",
        [
            "Accept A’s offer 1: get a red bean for a blue bean",
            "Decline A’s offer 1: a red bean for a blue bean",
            "No deal",
        ],
    )


def test_a_button_names_the_beans_that_it_loses():
    table = with_farm(laid_out("wax red", "blue", "eye", "eye", pile=PILE), 0, fields="stink 2, eye 2")
    assert asked(table, 0)[1] == [
        "Plant a wax bean in field 1: lose 2 stink beans",
        "Harvest 2 black-eyed beans for 1 coin and plant a wax bean in field 2",
        "Harvest field 1 for nothing: lose 2 stink beans",
        "Harvest field 2: 2 black-eyed beans for 1 coin",
    ]


def test_planting_over_a_worthless_crop_is_costly_and_harvesting_it_for_nothing_is_ruinous():
    table = with_farm(laid_out("wax red", "blue", "eye", "eye", pile=PILE), 0, fields="stink 2, eye 2")
    view, ask = table.view(0), table.ask(0)
    planted, paid, harvested, sold = [table.rules.menus.find_danger(view, answer) for answer in ask.menu]
    assert (paid, sold) == (None, None)
    assert str(planted.warning) == "You get nothing for 2 stink beans. At 3 cards this field pays 1 coin."
    assert type(planted) is Costly
    assert isinstance(harvested, Ruinous)
    assert str(harvested.heading) == "Harvests that pay nothing"


def test_a_seat_that_said_no_deal_is_not_asked_to_say_it_again():
    table = after(market(), "B: no deal")
    assert asked(table, 1) == (
        "A’s market is open. Face up: a soy bean and a chili bean. "
        "You’ve said “no deal”, but you can still make or answer offers.",
        [],
    )
    question, labels = asked(after(table, "B: offer blue for *soy to A"), 1)
    assert question.endswith("or say “no deal”.")
    assert labels[-1] == "No deal"


def test_the_default_is_described_with_its_reason():
    table = with_farm(laid_out("wax red", "blue", "eye", "eye", pile=PILE), 0, fields="stink 5, eye 3")
    words = table.rules.words
    assert str(words.otherwise(table.view(0), table.ask(0))) == (
        "we harvest 5 stink beans for 2 coins and plant a wax bean in field 1, because no other harvest pays more"
    )
    assert str(words.otherwise(market().view(0), market().ask(0))) == "we close your market"
    only = with_farm(laid_out("wax red", "blue", "eye", "eye", pile=PILE), 0, fields="coffee 2, eye 1")
    assert str(words.otherwise(only.view(0), only.ask(0))) == (
        "we harvest 2 coffee beans for nothing and plant a wax bean in field 1, the only field you may harvest"
    )


@pytest.mark.parametrize("seats", [2, 3, 4, 6])
def test_every_text_is_a_whole_sentence_and_no_label_repeats(seats):
    bots = [anybody(seat) for seat in range(seats)]
    for table in tables_of(games.open("bohnanza", seats=seats), bots, b"words"):
        for ask in table.asks:
            if ask.seat == games.DEALER:
                continue
            view, words = table.view(ask.seat), table.rules.words
            assert str(words.question(view, ask)).endswith(".")
            assert not str(words.otherwise(view, ask)).endswith(".")
            labels = [str(words.label(view, answer)) for answer in ask.menu]
            assert len(set(labels)) == len(labels)
