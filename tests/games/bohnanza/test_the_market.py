"""The market reveals nothing about another player's hand."""

import pytest

import games
from tests.games.bohnanza.tables import after, laid_out, with_farm

PILE = "soy chili " + "wax " * 10
OPEN = ("A: plant wax in 1", "A: reveal")


def market(*hands):
    return after(laid_out(*hands, pile=PILE), *OPEN)


def refusal(table, seat, line):
    with pytest.raises(games.RulesError) as caught:
        table.says(seat, line)
    return str(caught.value)


@pytest.mark.parametrize(
    "line", ["offer red for blue to B", "offer nothing for blue blue to B", "offer *soy for blue to all"]
)
def test_an_offer_is_allowed_whether_or_not_the_other_holds_the_beans(line):
    for other in ("blue blue", "eye eye"):
        assert market("wax red", other, "soy soy").says(0, line).view(2).offers[0].fate == "open"


@pytest.mark.parametrize("line", ["offer blue for red to B", "offer *red for blue to B", "offer red for *blue to B"])
def test_a_refusal_is_worded_alike_whatever_the_other_holds(line):
    told = {refusal(market("wax red", other, "soy soy"), 0, line) for other in ("blue blue", "eye red", "wax wax")}
    assert len(told) == 1


@pytest.mark.parametrize(
    ("seat", "line", "reason"),
    [
        (0, "offer nothing for nothing to B", "An offer names at least one card."),
        (0, "offer red for coffee to B", "There is no “coffee” in this game."),
        (0, "offer red for blue@1 to B",
         "What you ask for carries no place: only its owner knows the order of a hand."),
        (0, "offer *soy@1 for blue to B", "A face-up card has no place."),
        (0, "offer red for *soy to B", "All face-up cards are yours: others can be asked for hand cards only."),
        (1, "offer *soy for red to A", "The face-up cards are not yours: you can give hand cards only."),
        (0, "offer *eye for blue to B", "That card does not lie face up."),
        (0, "offer red for blue to A", "An offer is made to somebody else."),
        (0, "offer red for blue to G", "Nobody sits there."),
        (1, "offer blue for red to all", "Only the active player makes offers to all."),
        (1, "offer blue for red to C", "Every trade is with the active player, A."),
        (0, "offer red@2 for blue to B", "There is no “red” in place 2 of your hand."),
        (0, "offer red red for blue to B", "You do not hold “red” in your hand as often as that."),
        (0, "offer red@1 red@1 for blue to B", "A card can be named only once."),
        (1, "accept 1", "There is no offer 1 in this turn."),
        (1, "done", "Only the active player closes the market."),
        (1, "harvest 1", "Nothing grows in field 1."),
        (1, "buy", "A third field costs 3 coins, and you have 0."),
    ],
)  # fmt: skip
def test_a_refused_offer_gets_a_reason(seat, line, reason):
    table = market("wax red soy", "blue blue", "eye", "eye")
    assert refusal(table, seat, line) == reason


def test_an_answer_that_comes_too_late_gets_a_reason():
    table = after(
        market("wax red soy", "blue blue", "eye", "eye"),
        "A: offer *soy for blue to B",
        "A: offer red for blue to B",
        "A: offer *soy for eye to C",
        "A: offer soy for eye to D",
        "D: decline 4",
        "A: withdraw 2",
        "B: accept 1",
    )
    assert refusal(table, 1, "accept 1") == "Offer 1 has been accepted already."
    assert refusal(table, 1, "accept 2") == "Offer 2 has been withdrawn."
    assert refusal(table, 2, "accept 3") == "Offer 3 has lapsed: its cards are gone."
    assert refusal(table, 3, "accept 4") == "Offer 4 has been declined."


def test_a_refused_acceptance_gets_a_reason():
    table = after(market("wax red soy", "blue eye", "eye", "eye"), "A: offer red for blue blue to B")
    assert refusal(table, 1, "accept 1") == "You do not hold “blue” in your hand as often as that."
    assert refusal(table, 2, "accept 1") == "Offer 1 is not made to you."
    table = after(table, "A: offer red for eye to all", "B: decline 2")
    assert refusal(table, 1, "accept 2") == "You have declined offer 2 already."
    assert refusal(table, 1, "accept 2 giving eye") == "You have declined offer 2 already."
    table = after(table, "A: offer red for nothing to C")
    assert refusal(table, 2, "accept 3 giving eye") == "Offer 3 is a gift: nothing is given for it."
    assert refusal(table, 2, "accept 2 giving red") == "For offer 2 you give: eye."


def test_a_refused_planting_gets_a_reason():
    table = with_farm(laid_out("wax red", "blue", "eye", "eye", pile=PILE), 0, fields="wax 1, stink 2")
    assert refusal(table, 0, "plant wax in 2") == "“wax” grows in field 1 already: it must be planted there."
    assert refusal(table, 0, "plant red in 2") == "You can plant now: wax."
    assert refusal(table, 0, "reveal") == "The front card of your hand must be planted first."
    assert refusal(table, 0, "harvest 4") == "You have no field 4."
    protected = "A single bean may be harvested only when each of your fields holds exactly one."
    assert refusal(table, 0, "harvest 1") == protected
    table = after(table, "A: plant wax in 1", "A: harvest 2", "A: plant red in 2", "A: done")
    assert refusal(table, 0, "plant soy in 3") == "You have no field 3."
    assert refusal(table, 0, "plant soy in 2") == protected


def test_received_cards_are_set_aside_in_the_order_of_the_deals():
    table = after(
        market("wax red soy", "blue green", "eye", "eye"),
        "C: offer eye for soy to A",
        "A: offer *chili red for green blue to B",
        "B: accept 2",
        "A: accept 1",
        "A: done",
    )
    assert table.state.aside == (("green", "blue", "eye", "soy"), ("chili", "red"), ("soy",), ())
