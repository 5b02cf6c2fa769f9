"""An email with a move and an order: one is taken, the other reported. And an email with two moves."""

import re

import pytest

from beanpost.play.models import Match
from beanpost.play.tickets import OrderTicket, redeem
from beanpost.play.turns import standing_orders
from beanpost.players import accounts
from tests.friends import seat_friends
from tests.post.answering import BOB, LATER, answer, fagioli, market, newest, outcome, say, with_replies
from tests.post.receive.test_daily_replies import (
    IN_FRENCH,
    IN_WORDS,
    ORDER,
    daily,
    given,
    its_own_orders,
    list_moves,
    mark,
    written,
)

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def accept_replies():
    with with_replies():
        yield


# ── the order first ──


@pytest.mark.parametrize(
    ("move", "made"),
    [("play 6 6", "say play 6 6"), ("Play two sixes, please", "say play 6 6"), ("m3", "say play 4")],
)
def test_a_move_below_an_order_is_not_made_but_offered_in_the_answer(move, made):
    match = seat_friends()
    assert outcome(answer(newest(match, BOB), f"{IN_WORDS}\n\n{move}\n\nThank you!")) == "answer unread"
    assert (given(match), list_moves(match)) == ([ORDER], [])
    [notice] = written("answer")
    words = " ".join(notice.text.split())
    assert f"We’ve got your order, Bob You wrote: “{IN_WORDS}”" in words
    not_made = f"You also wrote “{move}”, which is a move. We take only one of them from an email, so we didn’t play it"
    assert not_made in words
    assert not_made in " ".join(notice.html.split())
    assert outcome(answer(notice, move)) == made


def test_an_illegal_move_below_an_order_is_named_but_not_made():
    match = seat_friends()
    answer(newest(match, BOB), f"{IN_WORDS}\nplay 13 13")
    [notice] = written("answer")
    words = " ".join(notice.text.split())
    assert "You also wrote “play 13 13”, which is a move." in words
    assert (given(match), list_moves(match)) == ([ORDER], [])
    assert "It’s still your turn: move below, or send your move in a separate email." in words


@pytest.mark.parametrize("text", [f"{IN_WORDS}\nplay 6 6", f"play 6 6\n{IN_WORDS}"])
def test_a_move_without_a_mark_below_an_order_is_reported_for_a_daily_letter_too(text):
    first, second = seat_friends("fagioli", "standard"), seat_friends()
    assert outcome(answer(daily(first, second), text)) == "answer unread"
    assert (given(second), list_moves(second)) == ([ORDER], [])
    [notice] = written("answer")
    assert "You also wrote “play 6 6”, which is a move." in " ".join(notice.text.split())


def test_the_answer_about_a_move_below_an_order_is_in_french_too():
    match = seat_friends()
    accounts.change(match.places.get(seat=BOB).player, language="fr")
    answer(newest(match, BOB), f"{IN_FRENCH}\nJouer 6 6")
    [notice] = written("answer")
    words = " ".join(notice.text.split())
    assert "Vous avez aussi écrit « Jouer 6 6 », qui est un coup." in words


@pytest.mark.parametrize("below", ["", "Thank you!", "Bob", "On Monday I wrote:\n> play 6 6"])
def test_an_order_alone_is_answered_without_mentioning_a_move(below):
    match = seat_friends()
    answer(newest(match, BOB), f"{IN_WORDS}\n\n{below}")
    [notice] = written("answer")
    assert given(match) == [ORDER]
    assert "which is a move" not in notice.text


def test_an_order_wrapped_over_two_lines_is_no_move_beside_itself():
    match, bob = fagioli()
    answer(newest(match, bob), "In turn 12, if the left pile counts 9, play 9 and plant\n2\n\nThank you!")
    [notice] = written("answer")
    assert given(match) == ["in turn 12 if left counts 9 play 9 plant 2"]
    assert "which is a move" not in notice.text


# ── the order moves at once ──

AT_ONCE, AT_ONCE_IN_WORDS = "always pass in round 1", "Pass on every turn of round 1"


def test_an_order_that_moves_at_once_is_reported_with_the_move_that_was_not_made():
    match = seat_friends()
    assert outcome(answer(newest(match, BOB), f"{AT_ONCE_IN_WORDS}\n\nplay 6 6")) == "answer unread"
    assert (given(match), list_moves(match)) == ([AT_ONCE], ["pass"])
    [notice] = written("unheard")
    not_made = (
        "You also wrote “play 6 6”, which is a move. We take only one of them from an email, so we didn’t play it."
    )
    for words in (" ".join(notice.text.split()), " ".join(notice.html.split())):
        assert "We’ve got your order, Bob" in words
        assert f"You wrote: “{AT_ONCE_IN_WORDS}”" in words
        assert "We followed it straight away. No one else can see it." in words
        assert "You passed and drew" in words
        assert not_made in words
        assert "We’re now waiting for Cleo." in words
        assert "didn’t make a move" not in words
    assert "It’s still your turn" not in notice.text
    assert "Give or cancel an order:" in notice.text


def test_an_order_that_moves_at_once_is_reported_without_a_move_beside_it():
    match = seat_friends()
    answer(newest(match, BOB), AT_ONCE_IN_WORDS)
    [notice] = written("unheard")
    assert "We’ve got your order, Bob" in notice.text
    assert "which is a move" not in notice.text


def test_the_answer_about_an_order_that_moves_at_once_is_in_french_too():
    match = seat_friends()
    accounts.change(match.places.get(seat=BOB).player, language="fr")
    answer(newest(match, BOB), f"{AT_ONCE}\nJouer 6 6")
    [notice] = written("unheard")
    words = " ".join(notice.text.split())
    assert "Consigne bien reçue, Bob" in words
    assert "Elle a été suivie aussitôt, et personne d’autre ne la lit." in words
    assert "Vous avez aussi écrit « Jouer 6 6 », qui est un coup." in words


# ── two orders ──


@pytest.mark.parametrize("text", [f"{IN_WORDS}\n{AT_ONCE_IN_WORDS}", f"{AT_ONCE}\n\nplay 6 6\n\n{IN_WORDS}"])
def test_a_player_who_writes_two_orders_gives_none_and_is_asked_which(text):
    match = seat_friends()
    assert outcome(answer(newest(match, BOB), text)) == "answer unread"
    assert (given(match), list_moves(match)) == ([], [])
    [notice] = written("answer")
    for words in (" ".join(notice.text.split()), " ".join(notice.html.split())):
        assert "Your email has more than one standing order, so we didn’t take any of them." in words
        assert f"“{IN_WORDS}”" in words
        assert f"“{AT_ONCE}”" in words or f"“{AT_ONCE_IN_WORDS}”" in words
        assert "Nothing has been played. It’s still your turn." in words
    answer(notice, IN_WORDS)
    assert given(match) == [ORDER]


def test_one_order_written_twice_is_one_order():
    match = seat_friends()
    answer(newest(match, BOB), f"{IN_WORDS}\n\n{ORDER}")
    assert given(match) == [ORDER]


def test_two_orders_for_two_tables_of_a_daily_letter_give_none():
    first, second = seat_friends("fagioli", "standard"), seat_friends()
    assert outcome(answer(daily(first, second), f"{IN_WORDS}\nPlay steadily until turn 9")) == "answer unread"
    assert (given(first), given(second)) == ([], [])
    [notice] = written("which")
    words = " ".join(notice.text.split())
    assert "more than one standing order" in words
    assert f"“{IN_WORDS} / Play steadily until turn 9”" in words
    assert its_own_orders(notice, first, second)


# ── two moves ──


@pytest.mark.parametrize(
    ("text", "first", "second"),
    [
        ("I pass\n\nor play 6 6?\nplay 7 7", ("I pass", "Pass and draw a card"), ("play 7 7", "Play 7 7 (worth 14)")),
        ("m7\nm9", ("m7", "Play 6 6 (worth 12)"), ("m9", "Play 7")),
        ("play two sixes\nm9", ("play two sixes", "Play 6 6 (worth 12)"), ("m9", "Play 7")),
        ("m7\n\nplay 5", ("m7", "Play 6 6 (worth 12)"), ("play 5", "Play 5")),
    ],
)
def test_a_player_who_writes_two_moves_makes_none_and_is_asked_which(text, first, second):
    match = seat_friends()
    assert outcome(answer(newest(match, BOB), text)) == "answer unclear"
    assert list_moves(match) == []
    [notice] = written("answer")
    for words in (" ".join(notice.text.split()), " ".join(notice.html.split())):
        assert "Your reply didn’t make a move, Bob" in words
        assert "Your email names more than one move. Please send back just the one you mean:" in words
        for wrote, label in (first, second):
            assert f"“{wrote}”: {label}" in words
        assert "Nothing has been played. It’s still your turn." in words
    assert outcome(answer(notice, second[0])) == f"say {list_moves(match)[0]}"


def test_a_player_who_makes_two_offers_is_asked_which():
    match, bob = market()
    reply = answer(newest(match, bob), "offer soy for *eye to Dora\noffer chili for *green to Dora")
    assert outcome(reply) == "answer unclear"
    text = " ".join(written("answer")[0].text.split())
    assert "“offer soy for *eye to Dora”:" in text
    assert "“offer chili for *green to Dora”:" in text


def test_a_player_is_asked_in_their_own_language():
    match = seat_friends()
    accounts.change(match.places.get(seat=BOB).player, language="fr")
    answer(newest(match, BOB), "Je passe\nJouer 6 6")
    words = " ".join(written("answer")[0].text.split())
    assert "Votre e-mail contient plusieurs coups." in words
    assert "« Je passe » : Passer et piocher une carte" in words
    assert "« Jouer 6 6 » : Jouer 6 6 (valeur 12)" in words


@pytest.mark.parametrize(
    "text", ["m7\nm7", "m7\n\nplay 6 6", "Play two sixes\nm7.", "m7 - play 6 6", "m7: play sixes", "Play 6 6 m7"]
)
def test_one_move_written_twice_is_one_move(text):
    match = seat_friends()
    assert outcome(answer(newest(match, BOB), text)) == "say play 6 6"


@pytest.mark.parametrize(
    "text", ["m7 - play 5", "m7. Play 5", "m7: pass", "12:30", "m7 - play 13", "m7\nm7 - pass", "7. Play 5"]
)
def test_a_mark_with_a_contradicting_text_makes_no_move(text):
    match = seat_friends()
    answer(newest(match, BOB), text)
    assert list_moves(match) == []


@pytest.mark.parametrize(
    "below", ["Bob\n2", "pass", "Thank you", "11\n12 rue des Lilas", "play 13 13", "Shall I play 7?"]
)
def test_a_move_is_made_whatever_other_text_is_below_it(below):
    match = seat_friends()
    assert outcome(answer(newest(match, BOB), f"I pass\n\n{below}")) == "say pass"
    assert written("answer") == []


# ── too late ──


@pytest.mark.parametrize("move", ["3", "Play two sixes, please", "play 6 6", "I pass"])
def test_an_order_beside_a_late_move_is_answered_with_a_link(move):
    match = seat_friends()
    letter = newest(match, BOB)
    say(match, BOB, "pass")
    for text in (f"{move}\n{IN_WORDS}", f"{IN_WORDS}\n\n{move}"):
        assert outcome(answer(letter, text)) == "answer repeated"
    assert (given(match), list_moves(match)) == ([], ["pass"])
    late, _late = written("unheard")
    assert "You’ve already answered that letter." in late.text
    for notice in written("which"):
        assert f"We didn’t take your order, Bob You wrote: “{IN_WORDS}”" in " ".join(notice.text.split())
        assert its_own_orders(notice, match)
    assert len(written("which")) == 2


def test_an_order_beside_a_late_mark_of_a_daily_letter_is_answered_with_a_link():
    first, second = seat_friends("fagioli", "standard"), seat_friends()
    letter = daily(first, second)
    say(second, BOB, "pass")
    assert outcome(answer(letter, f"{mark(letter, second, 'play 3')}\n{IN_WORDS}")) == "answer repeated"
    [notice] = written("which")
    assert its_own_orders(notice, second)


def test_the_answer_about_an_order_beside_a_late_move_is_in_french_too():
    match = seat_friends()
    accounts.change(match.places.get(seat=BOB).player, language="fr")
    letter = newest(match, BOB)
    say(match, BOB, "pass")
    answer(letter, f"Je passe\n{IN_FRENCH}")
    [notice] = written("which")
    assert notice.subject == "Votre consigne n’a pas été enregistrée"
    assert f"Vous avez écrit : « {IN_FRENCH} »" in " ".join(notice.text.split())


@pytest.mark.parametrize("text", ["I pass", "Thank you"])
def test_a_late_move_alone_is_only_answered_as_late(text):
    match = seat_friends()
    letter = newest(match, BOB)
    say(match, BOB, "pass")
    answer(letter, text)
    assert [len(written(kind)) for kind in ("unheard", "which")] == [1, 0]
    assert "standing order, and" not in written("unheard")[0].text


@pytest.mark.parametrize("text", [IN_WORDS, f"Hello,\n{IN_WORDS}\nBob"])
@pytest.mark.parametrize("sent", [newest, lambda match, seat: daily(match, seat_friends("fagioli", "standard"))])
def test_a_late_order_is_not_given_and_answered_with_a_link(text, sent):
    match = seat_friends()
    letter = sent(match, BOB)
    say(match, BOB, "pass")
    assert outcome(answer(letter, text)) == "answer repeated"
    assert [len(written(kind)) for kind in ("unheard", "which")] == [1, 0]
    [notice] = written("unheard")
    for words in (" ".join(notice.text.split()), " ".join(notice.html.split())):
        assert f"You wrote: “{IN_WORDS}”" in words
        assert "That’s a standing order, and we didn’t take it." in words
        assert "Let a standing order play for you" in words
    link = re.search(r"/orders/([^/]+)/", notice.text)[1]
    standing_orders.give_by_ticket(redeem(OrderTicket, link), ORDER, now=LATER)
    assert given(match) == [ORDER]


def test_the_answer_about_a_late_order_is_in_french_too():
    match = seat_friends()
    accounts.change(match.places.get(seat=BOB).player, language="fr")
    letter = newest(match, BOB)
    say(match, BOB, "pass")
    answer(letter, IN_FRENCH)
    assert "C’est une consigne, et elle n’a pas été enregistrée." in " ".join(written("unheard")[0].text.split())


def test_an_ended_match_takes_no_order():
    match = seat_friends()
    letter = newest(match, BOB)
    Match.objects.filter(pk=match.pk).update(phase=Match.Phase.ENDED)
    assert outcome(answer(letter, f"I pass\n{IN_WORDS}")) == "answer over"
    assert written("which") == []
