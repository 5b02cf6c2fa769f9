"""A mail with a move and an order: one of them is taken, and what becomes of the other is told."""

import pytest

from beanpost.play.models import Match
from beanpost.players import book
from tests.friends import seat_friends
from tests.post.answering import BOB, answer, newest, outcome, say, with_replies
from tests.post.test_daily_replies import IN_FRENCH, IN_WORDS, daily, given, its_own_orders, number, said, written

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def house():
    with with_replies():
        yield


# ── too late ──


@pytest.mark.parametrize("move", ["3", "Play two sixes, please", "play 6 6", "I pass"])
def test_beside_a_move_that_came_too_late_the_order_is_led_to_its_page(move):
    match = seat_friends()
    letter = newest(match, BOB)
    say(match, BOB, "pass")
    for text in (f"{move}\n{IN_WORDS}", f"{IN_WORDS}\n\n{move}"):
        assert outcome(answer(letter, text)) == "answer repeated"
    assert (given(match), said(match)) == ([], ["pass"])
    late, _late = written("unheard")
    assert "The letter you answered has been answered before." in late.text
    for told in written("which"):
        assert f"Your order was not given, Bob. You wrote: “{IN_WORDS}”" in " ".join(told.text.split())
        assert its_own_orders(told, match)
    assert len(written("which")) == 2


def test_so_it_is_beside_the_number_of_a_daily_letter():
    first, second = seat_friends("fagioli", "standard"), seat_friends()
    letter = daily(first, second)
    say(second, BOB, "pass")
    assert outcome(answer(letter, f"{number(letter, second, 'play 3')}\n{IN_WORDS}")) == "answer repeated"
    [told] = written("which")
    assert its_own_orders(told, second)


def test_and_in_french():
    match = seat_friends()
    book.change(match.places.get(seat=BOB).player, language="fr")
    letter = newest(match, BOB)
    say(match, BOB, "pass")
    answer(letter, f"Je passe\n{IN_FRENCH}")
    [told] = written("which")
    assert told.subject == "Votre consigne n’a pas été donnée"
    assert f"Vous avez écrit : « {IN_FRENCH} »" in " ".join(told.text.split())


@pytest.mark.parametrize("text", [IN_WORDS, "I pass", f"Hello,\n{IN_WORDS}\nBob", "Thank you"])
def test_of_one_of_them_alone_only_the_lateness_is_told(text):
    match = seat_friends()
    letter = newest(match, BOB)
    say(match, BOB, "pass")
    answer(letter, text)
    assert [len(written(kind)) for kind in ("unheard", "which")] == [1, 0]


def test_where_the_match_is_over_no_order_can_be_given_any_more():
    match = seat_friends()
    letter = newest(match, BOB)
    Match.objects.filter(pk=match.pk).update(phase=Match.Phase.ENDED)
    assert outcome(answer(letter, f"I pass\n{IN_WORDS}")) == "answer over"
    assert written("which") == []
