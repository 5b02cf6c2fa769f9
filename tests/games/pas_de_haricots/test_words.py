"""The texts of Pas de Haricots."""

import games
from games.contract.asks import Step
from games.engine.bots import play_to_end
from tests.games.pas_de_haricots.three import FIRST, LEAD, SECOND, A, B, C, describe, step, table

WORDS, MENUS = games.get("pas_de_haricots").words, games.get("pas_de_haricots").menus


def asked(now, seat):
    view, ask = now.view(seat), now.ask(seat)
    return str(WORDS.question(view, ask)), str(WORDS.otherwise(view, ask))


def labels(now, seat):
    return [str(WORDS.label(now.view(seat), action)) for action in now.ask(seat).menu]


def test_the_holder_is_asked_to_lead():
    assert asked(table(), A) == (
        "You have the bean: play a card face up.",
        "we play 1S for you, since it’s your lowest number card",
    )


def test_the_others_are_told_the_card_that_was_led():
    assert asked(table(LEAD), B) == (
        "A leads 7S. Choose a card; it stays face down until all have chosen.",
        "we play 1D for you, since it’s your lowest number card",
    )


def test_texts_say_what_special_cards_do_and_when_no_simple_card_is_left():
    state = table(LEAD)
    assert labels(table(), A)[9:15] == [
        "Play 10S",
        "Play JS (flips its suit between plus and minus)",
        "Play NS (flips its suit between plus and minus)",
        "Play QS (flips its suit between plus and minus)",
        "Play KS (doubles its suit)",
        "Play 0S (its suit scores nothing)",
    ]
    ask = games.Ask(B, "round 1 turn 9 card", default=state.read(B, "play JH"))
    assert str(WORDS.otherwise(state.view(B), ask)) == "we play JH for you, since you have no number card left"


def test_a_taker_sees_what_each_card_brings():
    now = table(LEAD, FIRST, SECOND)
    assert labels(now, A) == ["Take B’s 3D (your score: +3)", "Take C’s KC (your score: +0)"]
    assert asked(now, A) == (
        "Take one of the cards. Its owner takes next.",
        "we take 3D from B for you, since no other card is worth more to you",
    )


def test_a_taker_without_a_choice_is_told_so():
    assert asked(table(LEAD, FIRST, SECOND, (A, "take B")), B) == (
        "There’s one card left for you to take.",
        "we take KC from C for you, since no other card is left",
    )


def test_a_take_is_described_to_taker_owner_and_others():
    lines = (LEAD, FIRST, SECOND, (A, "take C"))
    readers = {reader: describe(step(*lines), table(*lines), reader) for reader in (A, B, C)}
    assert readers == {A: ["You took KC from C."], B: ["A took KC from C."], C: ["A took your KC."]}


def test_the_bean_card_is_described_to_taker_holder_and_others():
    lines = (LEAD, FIRST, SECOND, (A, "take C"), (C, "take B"), (B, "take A"))
    readers = {reader: describe(step(*lines), table(*lines), reader) for reader in (A, B, C)}
    assert readers == {
        A: ["B got your bean card, 7S, and the bean with it."],
        B: ["You got the bean card, 7S, and the bean with it."],
        C: ["B got the bean card, 7S, and the bean with it."],
    }


def test_the_start_and_a_lead_are_described():
    assert describe(step(LEAD), table(LEAD), A) == ["You led 7S and put the bean on it."]
    assert describe(step(LEAD), table(LEAD), B) == ["A led 7S and put the bean on it."]


def test_the_end_of_a_round_is_described_with_everybodys_score():
    game = play_to_end(
        games.open("pas_de_haricots", seats=3, variant="one"),
        games.Seeded(b"words"),
        [lambda view, ask: ask.default] * 3,
    )
    *before, (seat, line) = game.lines
    was = games.replay("pas_de_haricots", 3, "one", before)
    last = Step(was.state, seat, was.read(seat, line), game.state)
    _, over, *scores, end = describe(last, game, A)
    sheet = [neighbour.sheet[0] for neighbour in game.view(None).seats]
    assert (over, end) == ("Round 1 is over.", "The game is over.")
    assert scores == [
        f"{who} {s.sum}: {s.plus} plus points and {s.minus} minus points."
        for who, s in zip(["You scored", "B scored", "C scored"], sheet, strict=True)
    ]


def test_cards_to_play_have_short_labels_and_cards_to_take_have_not():
    now = table()
    found = [MENUS.find_place(now.view(A), action) for action in now.ask(A).menu]
    assert {str(answer.heading) for answer in found if answer} == {"Choose your card"}
    briefly = [str(answer.brief) for answer in found if answer]
    assert briefly[9:11] + briefly[13:15] == [
        "10S",
        "JS (flips)",
        "KS (twice)",
        "0S (zero)",
    ]
    taking = table(LEAD, FIRST, SECOND)
    assert [MENUS.find_place(taking.view(A), action) for action in taking.ask(A).menu] == [None, None]


def test_taking_a_card_that_lowers_the_score_is_costly():
    warned = 0
    start = games.open("pas_de_haricots", seats=3, variant="one")
    for entry in play_to_end(start, games.Seeded(b"costly"), [start.rules.bot] * 3).lines:
        for ask in start.asks:
            for answer in ask.menu if ask.seat >= 0 else ():
                view = start.view(ask.seat)
                lost = str(WORDS.label(view, answer)).partition("(your score: -")[2].rstrip(")")
                danger = MENUS.find_danger(view, answer)
                assert (str(danger.warning) if danger else "") == (
                    f"This card lowers your score by {lost}." if lost else ""
                )
                warned += bool(danger)
        start = start.says(*entry)
    assert warned
