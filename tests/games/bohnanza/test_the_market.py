"""The market reveals nothing about another player's hand, and waits only for players whom it concerns."""

import pytest

import games
from games.bohnanza import asking, trading
from games.bohnanza.state import Market
from tests.games.bohnanza.tables import after, laid_out, tables_of, with_farm

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
    refusals = {refusal(market("wax red", other, "soy soy"), 0, line) for other in ("blue blue", "eye red", "wax wax")}
    assert len(refusals) == 1


@pytest.mark.parametrize(
    ("seat", "line", "reason"),
    [
        (0, "offer nothing for nothing to B", "An offer needs at least one card."),
        (0, "offer red for coffee to B", "This game has no “coffee”."),
        (0, "offer red for blue@1 to B",
         "You can’t ask for a card by its place in someone else’s hand."),
        (0, "offer *soy@1 for blue to B", "A face-up card has no place in a hand."),
        (0, "offer red for *soy to B",
         "The face-up cards are all yours, so you can only ask for cards from other players’ hands."),
        (1, "offer *soy for red to A", "The face-up cards aren’t yours, so you can only give cards from your hand."),
        (0, "offer *eye for blue to B", "That card isn’t face up."),
        (0, "offer red for blue to A", "You can’t make yourself an offer."),
        (0, "offer red for blue to G", "That seat is empty."),
        (1, "offer blue for red to all", "Only the player whose turn it is can make an offer to everyone."),
        (1, "offer blue for red to C", "You can only trade with A, whose turn it is."),
        (0, "offer red@2 for blue to B", "There’s no “red” in place 2 of your hand."),
        (0, "offer red red for blue to B", "You don’t have that many “red” in your hand."),
        (0, "offer red@1 red@1 for blue to B", "You can name each card only once."),
        (1, "accept 1", "There’s no offer 1 this turn."),
        (1, "done", "Only the player whose turn it is can close the market."),
        (1, "harvest 1", "Field 1 is empty."),
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
    assert refusal(table, 1, "accept 1") == "Offer 1 has already been accepted."
    assert refusal(table, 1, "accept 2") == "Offer 2 was withdrawn."
    assert refusal(table, 2, "accept 3") == "Offer 3 is off: its cards are gone."
    assert refusal(table, 3, "accept 4") == "Offer 4 was declined."


def test_a_refused_acceptance_gets_a_reason():
    table = after(market("wax red soy", "blue eye", "eye", "eye"), "A: offer red for blue blue to B")
    assert refusal(table, 1, "accept 1") == "You don’t have that many “blue” in your hand."
    assert refusal(table, 2, "accept 1") == "Offer 1 isn’t for you."
    table = after(table, "A: offer red for eye to all", "B: decline 2")
    assert refusal(table, 1, "accept 2") == "You’ve already declined offer 2."
    assert refusal(table, 1, "accept 2 giving eye") == "You’ve already declined offer 2."
    table = after(table, "A: offer red for nothing to C")
    assert refusal(table, 2, "accept 3 giving eye") == "Offer 3 is a gift: you give nothing for it."
    assert refusal(table, 2, "accept 2 giving red") == "For offer 2, you give eye."


def test_a_refused_planting_gets_a_reason():
    table = with_farm(laid_out("wax red", "blue", "eye", "eye", pile=PILE), 0, fields="wax 1, stink 2")
    assert refusal(table, 0, "plant wax in 2") == "“wax” is already growing in field 1, so it has to go there."
    assert refusal(table, 0, "plant red in 2") == "You can plant: wax."
    assert refusal(table, 0, "reveal") == "Plant the front card of your hand first."
    assert refusal(table, 0, "harvest 4") == "You don’t have a field 4."
    protected = "You can harvest a single bean only when every one of your fields holds exactly one."
    assert refusal(table, 0, "harvest 1") == protected
    table = after(table, "A: plant wax in 1", "A: harvest 2", "A: plant red in 2", "A: done")
    assert refusal(table, 0, "plant soy in 3") == "You don’t have a field 3."
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


# ── whom it concerns ──


def with_full_fields():
    """Return A's market with soy and chili face up. D grows chili; no face-up card fits the fields of B and C."""
    table = market("wax red", "blue", "eye", "eye")
    for seat, fields in ((1, "red 1, stink 2"), (2, "red 1, stink 2"), (3, "red 1, chili 2")):
        table = with_farm(table, seat, fields=fields)
    return table


def test_nobody_waits_for_players_whom_neither_an_offer_nor_a_card_concerns():
    table = with_full_fields()
    assert not table.ask(0).through
    assert after(table, "D: no deal").ask(0).through
    offered = after(table, "D: no deal", "A: offer *soy for nothing to B")
    assert not offered.ask(0).through
    assert after(offered, "B: decline 1").ask(0).through


def test_a_market_concerns_players_whom_an_offer_names_or_a_card_fits():
    def concerned(table):
        return [seat for seat in (1, 2, 3) if table.rules.concerns(table.view(seat), table.ask(seat))]

    assert concerned(with_full_fields()) == [3]
    assert concerned(after(with_full_fields(), "A: offer *soy for nothing to B")) == [1, 3]
    assert concerned(after(with_full_fields(), "C: harvest 2")) == [2, 3]  # any card fits an empty field


def test_players_are_waited_for_exactly_if_the_market_concerns_them():
    """Letters ask a player's own view, and the active player's question asks the state: both must say the same."""
    seen = set()
    for table in tables_of(games.open("bohnanza", seats=4), [games.get("bohnanza").bot] * 4, b"concern"):
        if isinstance(table.state, Market):
            offers = trading.list_open_offers(table.state)
            for seat in asking.other_seats(table.state):
                if table.state.heard[seat] < 0:
                    waited_for = not trading.is_through(table.state, seat, offers)
                    assert table.rules.concerns(table.view(seat), table.ask(seat)) is waited_for
                    seen.add(waited_for)
    assert seen == {True, False}
