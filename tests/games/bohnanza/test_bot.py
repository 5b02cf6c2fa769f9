"""How well the bot of Bohnanza plays; `make bench` measures it over more games."""

import games
from games.bohnanza.actions import Accept
from games.contract.notation import read
from games.engine.bots import measure_strength, play_to_end, random_player
from tests.games.bohnanza.tables import after, laid_out, tables_of, with_farm

BOT = games.get("bohnanza").bot
PILE = "soy chili " + "wax " * 10


def test_the_bot_beats_three_random_players_who_never_trade():
    assert measure_strength("bohnanza", 4, "standard", 16) >= 0.75  # pure chance would give a quarter


def test_four_bots_trade_in_more_than_half_of_the_turns():
    turns, with_trade = 0, set()
    for n in range(2):
        for table in tables_of(games.open("bohnanza", seats=4), [BOT] * 4, b"trade %d" % n):
            if table.lines and isinstance(read(table.lines[-1].line, table.rules.vocabulary), Accept):
                with_trade.add((n, table.state.layout.turn))
        turns += table.state.layout.turn
    assert len(with_trade) > turns / 2


def test_the_bot_gives_the_same_answer_twice():
    for seats in (2, 4):
        for table in tables_of(games.open("bohnanza", seats=seats), [BOT] * seats, b"twice"):
            for ask in table.asks:
                if ask.seat >= 0:
                    assert BOT(table.view(ask.seat), ask) == BOT(table.view(ask.seat), ask)


def test_the_bot_wins_the_duel_too():
    wins = 0
    for n in range(20):
        bots = [BOT, random_player(n)] if n % 2 else [random_player(n), BOT]
        result = play_to_end(games.open("bohnanza", seats=2), games.Seeded(b"duel %d" % n), bots).result
        assert result is not None
        wins += result.ranks[1 - n % 2] == 1
    assert wins >= 16


def answer(table, seat):
    return str(BOT(table.view(seat), table.ask(seat)))


def test_the_bot_sells_a_field_that_can_pay_no_more():
    table = with_farm(laid_out("wax red", "blue", "eye", "eye", pile=PILE), 0, fields="stink 8, red 1")
    assert answer(table, 0) == "harvest 1"


def test_the_bot_stays_silent_outside_the_market_when_nobody_waits():
    table = with_farm(laid_out("wax red", "blue", "eye", "eye", pile=PILE), 1, fields="stink 8, red 1")
    assert table.ask(1)
    assert answer(table, 1) == "None"


def test_the_bot_accepts_a_gift_it_grows_and_declines_one_it_has_no_room_for():
    table = laid_out("wax red soy", "blue", "eye", "eye", pile="chili chili wax wax wax")
    table = with_farm(table, 1, fields="soy 5, stink 4")
    table = after(table, "A: plant wax in 1", "A: reveal", "A: offer *chili for nothing to B")
    assert answer(table, 1) == "decline 1"
    assert answer(after(table, "A: offer soy for nothing to B"), 1) == "accept 2"


def test_the_bot_offers_a_card_it_has_no_room_for_to_a_seat_that_grows_it():
    table = laid_out("wax eye red red", "blue", "eye", "eye", pile="chili chili wax wax wax")
    table = with_farm(with_farm(table, 0, fields="wax 5, stink 4"), 2, fields="chili 3, red 3")
    table = after(table, "A: plant wax in 1", "A: reveal")
    assert answer(table, 0) == "offer *chili for stink to C"
    table = after(table, "A: offer *chili for stink to C", "C: decline 1")
    assert answer(table, 0) == "offer *chili for nothing to C"


def test_the_bot_closes_its_market_once_seats_it_refused_say_no_deal():
    table = laid_out("wax wax", "blue eye", "eye", "eye", pile="wax wax soy soy soy soy")
    table = after(table, "A: plant wax in 1", "A: reveal", "C: no deal", "D: no deal")
    assert answer(table, 0) == "None"
    table = after(table, "B: offer nothing for *wax to A")
    assert answer(table, 0) == "decline 1"
    table = after(table, "A: decline 1")
    assert answer(table, 0) == "None"
    assert answer(after(table, "B: no deal"), 0) == "done"
