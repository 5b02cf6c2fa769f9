"""The daily letter can be answered by email: a mark tells which table is meant."""

import re
from datetime import timedelta

import pytest

from beanpost.play import moves
from beanpost.play.models import Event, Match
from beanpost.play.seats import own_seat
from beanpost.play.tickets import MoveTicket, OrderTicket, redeem
from beanpost.players import accounts
from beanpost.post.models import Letter
from beanpost.post.outbox import queue, retention
from tests.friends import NOON, seat_friends
from tests.post.answering import BOB, LATER, answer, long_menu, newest, outcome, say, with_replies
from tests.post.gallery import deliver, printed_moves

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def accept_replies():
    with with_replies():
        yield


def daily(*matches) -> Letter:
    """Send Bob the daily letter about these matches, all of which ask him the same."""
    bob = matches[0].places.get(seat=BOB).player
    queue.queue(bob, "digest", "day/1", now=NOON)
    deliver()
    return Letter.objects.get(kind="digest")


def mark(letter, match, line) -> str:
    """Return the mark printed beside a move."""
    [found] = [o["mark"] for o in printed_moves(letter) if o["asked"]["match"] == match.pk and o["line"] == line]
    return found


def list_moves(match) -> list[str]:
    return [event.line for event in match.events.filter(seat=BOB, origin=Event.Origin.PLAYER)]


def written(kind: str) -> list[Letter]:
    deliver(LATER)
    return list(Letter.objects.filter(kind=kind, state="sent"))


def test_marks_run_through_the_whole_letter():
    first, second = seat_friends(), seat_friends()
    letter = daily(first, second)
    marks = [option["mark"] for option in letter.options]
    assert len(set(marks)) == len(marks)
    assert {option["asked"]["match"] for option in letter.options} == {first.pk, second.pk}
    for option in letter.options:
        assert f"{option['mark']}. {option['label']} " in " ".join(letter.text.split())
        assert re.search(rf">{option['mark']}</span>", letter.html)
    assert "the marks of your moves at the top" in " ".join(letter.text.split())


def test_marks_have_no_gaps_between_tables_when_moves_are_left_out():
    first, second = long_menu(), long_menu()
    letter = daily(first, second)
    marks = [option["mark"] for option in letter.options]
    assert marks == [f"m{n}" for n in range(1, len(marks) + 1)]
    assert len(printed_moves(letter)) == 40
    assert re.findall(r"^(m\d+)\. ", letter.text, re.MULTILINE) == marks
    last = printed_moves(letter)[-1]
    assert outcome(answer(letter, last["mark"])) == "answer costly"
    [question] = written("answer")
    assert (question.match, question.values["lines"]) == (second, [last["line"]])


def test_one_mark_plays_at_its_table_only():
    first, second = seat_friends(), seat_friends()
    letter = daily(first, second)
    assert answer(letter, f"{mark(letter, second, 'play 7 7')}\n\nThank you!").state == "played"
    assert (list_moves(first), list_moves(second)) == ([], ["play 7 7"])


@pytest.mark.parametrize("between", ["\n", ", ", " et ", "\n\n"])
def test_several_marks_play_at_several_tables(between):
    first, second = seat_friends(), seat_friends()
    letter = daily(first, second)
    marks = [mark(letter, second, "play 3"), mark(letter, first, "pass")]
    assert answer(letter, between.join(marks)).state == "played"
    assert (list_moves(first), list_moves(second)) == (["pass"], ["play 3"])


@pytest.mark.parametrize(
    ("above", "is_played"),
    [("After Ann:", False), ("I'll answer tonight.", False), ("Haricots:", True)],
)
def test_a_mark_that_is_put_off_is_asked_about(above, is_played):
    first, second = seat_friends(), seat_friends()
    letter = daily(first, second)
    reply = answer(letter, f"{above}\n{mark(letter, second, 'play 3')}")
    assert (reply.state, reply.finding) == (("played", "move") if is_played else ("answered", "unclear"))
    assert list_moves(second) == (["play 3"] if is_played else [])


def test_a_line_copied_with_its_mark_is_understood():
    first, second = seat_friends(), seat_friends()
    letter = daily(first, second)
    option = next(option for option in letter.options if option["mark"] == mark(letter, second, "play 3"))
    assert answer(letter, f"{option['mark']}. {option['label']}").state == "played"
    assert list_moves(second) == ["play 3"]


def test_words_without_a_mark_are_answered_with_all_options():
    first, second = seat_friends(), seat_friends()
    assert outcome(answer(daily(first, second), "pass")) == "answer unread"
    assert (list_moves(first), list_moves(second)) == ([], [])
    [kind_answer] = written("which")
    assert "You wrote: “pass”" in kind_answer.text
    assert {option["asked"]["match"] for option in kind_answer.options} == {first.pk, second.pk}
    assert answer(kind_answer, mark(kind_answer, first, "pass")).state == "played"


def test_a_reply_when_no_question_is_open_is_answered_with_that_fact():
    first, second = seat_friends(), seat_friends()
    letter = daily(first, second)
    assert answer(letter, f"{mark(letter, first, 'pass')}, {mark(letter, second, 'pass')}").state == "played"
    answer(letter, "And pass again")
    [notice] = written("which")
    assert "No tables are waiting for you." in notice.text
    assert notice.options == []


def test_two_marks_for_one_table_play_nothing_there():
    first, second = seat_friends(), seat_friends()
    letter = daily(first, second)
    two = [mark(letter, first, "pass"), mark(letter, first, "play 3")]
    assert answer(letter, f"{two[0]}\n{two[1]}\n{mark(letter, second, 'pass')}").state == "played"
    assert (list_moves(first), list_moves(second)) == ([], ["pass"])
    [kind_answer] = written("answer")
    assert (kind_answer.match, "more than one move" in kind_answer.text) == (first, True)


@pytest.mark.parametrize("order", [1, -1])
def test_a_mark_that_contradicts_itself_plays_nothing(order):
    first, second = seat_friends(), seat_friends()
    letter = daily(first, second)
    named = mark(letter, first, "pass")
    lines = [named, f"{named} - play 6 6", mark(letter, second, "pass")]
    assert answer(letter, "\n".join(lines[::order])).state == "played"
    assert (list_moves(first), list_moves(second)) == ([], ["pass"])


def test_two_marks_for_a_table_that_has_moved_on_are_answered_as_too_late():
    first, second = seat_friends(), seat_friends()
    letter = daily(first, second)
    say(first, BOB, "pass")
    assert outcome(answer(letter, f"{mark(letter, first, 'play 1')}\n{mark(letter, first, 'play 3')}")) == (
        "answer repeated"
    )
    [notice] = written("unheard")
    assert "You’ve already answered that letter." in notice.text


@pytest.mark.parametrize(
    ("language", "subject", "why"),
    [
        ("en", "Some of your marks didn’t make a move", "The letter you replied to doesn’t have that mark."),
        ("fr", "Certains de vos repères ne correspondent à aucun coup", "ne contient pas ce repère."),
    ],
)
def test_an_unknown_mark_is_reported_beside_one_that_plays(language, subject, why):
    first, second = seat_friends(), seat_friends()
    accounts.change(first.places.get(seat=BOB).player, language=language)
    letter = daily(first, second)
    assert answer(letter, f"{mark(letter, first, 'pass')}, m999").state == "played"
    assert (list_moves(first), list_moves(second)) == (["pass"], [])
    [notice] = written("which")
    assert notice.subject == subject
    for words in (" ".join(notice.text.split()), " ".join(notice.html.split())):
        assert re.search("(?:“|«\\s)m999(?:\\s»|”)", words.replace("&nbsp;", " "))
        assert why in words
    assert answer(notice, mark(notice, second, "pass")).state == "played"


def test_an_already_answered_table_is_reported_and_the_others_are_played():
    first, second = seat_friends(), seat_friends()
    letter = daily(first, second)
    seat = first.places.get(seat=BOB)
    moves.play_ticket(moves_ticket(letter, first), "play 1", now=NOON)
    text = f"{mark(letter, first, 'pass')}\n{mark(letter, second, 'pass')}"
    assert answer(letter, text).state == "played"
    assert (list_moves(first), list_moves(second)) == (["play 1"], ["pass"])
    [notice] = written("unheard")
    assert (notice.match, notice.recipient) == (first, seat.player)


def moves_ticket(letter, match):
    return MoveTicket(**next(o["asked"] for o in letter.options if o["asked"]["match"] == match.pk))


def test_an_old_letter_does_not_move_a_seat_whose_links_were_renewed():
    first, second = seat_friends(), seat_friends()
    letter = daily(first, second)
    own_seat.renew_links(first.places.get(seat=BOB))
    assert outcome(answer(letter, mark(letter, first, "pass"))) == "answer void"
    assert list_moves(first) == []


def test_a_daily_letter_about_one_table_is_answered_like_its_turn_letter():
    match = seat_friends()
    assert answer(daily(match), "Play two sixes, please").state == "played"
    assert list_moves(match) == ["play 6 6"]


# ── standing orders ──

ORDER, IN_WORDS = "pass until someone plays below 9", "Pass until somebody plays below 9."
IN_FRENCH = "Passer jusqu’à ce que quelqu’un joue moins de 9, s’il vous plaît."


def given(match) -> list[str]:
    return [order.line for order in match.orders.filter(seat=BOB)]


def test_an_order_is_given_if_the_letter_is_about_one_table():
    match = seat_friends()
    assert outcome(answer(daily(match), IN_WORDS)) == "answer unread"
    assert given(match) == [ORDER]


def test_an_order_is_given_at_the_only_table_that_understands_it():
    first, second = seat_friends("fagioli", "standard"), seat_friends()
    reply = answer(daily(first, second), f"Hello,\n\n{IN_WORDS}\n\nThank you!")
    assert outcome(reply) == "answer unread"  # everything the admin shows
    assert (given(first), given(second)) == ([], [ORDER])
    [notice] = written("answer")
    assert (notice.match, notice.recipient.name) == (second, "Bob")
    assert "We’ve got your order, Bob" in notice.text
    assert not any("below 9" in letter.text for letter in Letter.objects.exclude(recipient=notice.recipient))


def test_an_order_in_french_is_given_too():
    first, second = seat_friends("fagioli", "standard"), seat_friends()
    accounts.change(first.places.get(seat=BOB).player, language="fr")
    answer(daily(first, second), IN_FRENCH)
    assert given(second) == [ORDER]


def test_an_order_that_two_tables_understand_is_asked_about():
    first, second = seat_friends(), seat_friends()
    assert outcome(answer(daily(first, second), IN_WORDS)) == "answer unread"
    assert (given(first), given(second)) == ([], [])
    [notice] = written("which")
    words = " ".join(notice.text.split())
    assert f"You wrote: “{IN_WORDS}” That’s a standing order, but we can’t tell which table it’s for." in words
    for body in (notice.text, notice.html):
        tickets = [redeem(OrderTicket, ticket) for ticket in re.findall(r"/orders/([^/]+)/", body)]
        # First where the order can be given, then below each question.
        assert [(ticket.match, ticket.seat) for ticket in tickets] == [(first.pk, BOB), (second.pk, BOB)] * 2


def test_an_order_that_a_table_outside_the_letter_understands_is_asked_about():
    first, second, third = seat_friends("fagioli", "standard"), seat_friends(), seat_friends()
    say(third, BOB, "pass")
    answer(daily(first, second), IN_WORDS)
    assert (given(second), given(third)) == ([], [])
    [notice] = written("which")
    assert its_own_orders(notice, second, third)
    for match in (second, third):
        assert f"Haricots with Ann and Cleo · 16 November · no. {match.pk}" in " ".join(notice.text.split())


def its_own_orders(letter, *matches) -> bool:
    """Return whether both bodies say where the order can be given, with a link."""
    where = "table’s orders page:|Go to their orders:"
    after = [re.split(where, body)[1] for body in (letter.text, letter.html)]
    links = [re.findall(r"/orders/([^/]+)/", body)[: len(matches)] for body in after]
    asked = [[redeem(OrderTicket, ticket).match for ticket in tickets] for tickets in links]
    return asked == [[match.pk for match in matches]] * 2


def test_an_order_for_a_table_that_does_not_ask_is_answered_with_a_link():
    first, second, third = seat_friends("fagioli", "standard"), seat_friends("fagioli", "standard"), seat_friends()
    say(third, BOB, "pass")
    assert outcome(answer(daily(first, second), IN_WORDS)) == "answer unread"
    assert given(third) == []
    [notice] = written("which")
    words = " ".join(notice.text.split())
    assert f"You wrote: “{IN_WORDS}” That’s a standing order for a table that wasn’t in the letter" in words
    assert "we can’t tell" not in words
    assert its_own_orders(notice, third)
    assert f"Haricots with Ann and Cleo · 16 November · no. {third.pk}" in words


def test_the_answer_about_an_order_elsewhere_is_in_french_too():
    first, second, third = seat_friends("fagioli", "standard"), seat_friends("fagioli", "standard"), seat_friends()
    say(third, BOB, "pass")
    accounts.change(first.places.get(seat=BOB).player, language="fr")
    answer(daily(first, second), IN_FRENCH)
    [notice] = written("which")
    words = " ".join(notice.text.split())
    assert "C’est une consigne pour une table dont les coups ne figuraient pas dans la lettre" in words
    assert "sur la page des consignes de cette table : - Haricots avec Ann et Cleo" in words


def test_an_order_for_a_table_that_asked_later_is_answered_with_a_link():
    first, second = seat_friends("fagioli", "standard"), seat_friends("fagioli", "standard")
    letter = daily(first, second)
    third = seat_friends()
    answer(letter, IN_WORDS)
    assert given(third) == []
    [notice] = written("which")
    assert its_own_orders(notice, third)


def test_an_order_for_a_table_that_has_ended_is_answered_without_a_link():
    first, second, third = seat_friends("fagioli", "standard"), seat_friends("fagioli", "standard"), seat_friends()
    say(third, BOB, "pass")
    answer(daily(first, second), IN_WORDS)
    Match.objects.filter(pk=third.pk).update(phase=Match.Phase.ENDED)
    [notice] = written("which")
    assert "that wasn’t in the letter" in " ".join(notice.text.split())
    assert "table’s orders page" not in notice.text + notice.html


def test_an_order_for_a_table_that_has_moved_on_is_not_given():
    first, second = seat_friends("fagioli", "standard"), seat_friends()
    letter = daily(first, second)
    say(second, BOB, "pass")
    assert outcome(answer(letter, IN_WORDS)) == "answer repeated"
    assert given(second) == []


def test_marks_take_precedence_over_orders():
    first, second = seat_friends("fagioli", "standard"), seat_friends()
    letter = daily(first, second)
    assert answer(letter, f"{mark(letter, second, 'pass')}\n{IN_WORDS}").state == "played"
    assert (given(second), list_moves(second)) == ([], ["pass"])
    [notice] = written("which")
    words = " ".join(notice.text.split())
    assert notice.subject == "We didn’t take your order"
    wrote = f"We didn’t take your order, Bob You wrote: “{IN_WORDS}”"
    assert f"{wrote} That’s a standing order, and your email also has" in words
    assert its_own_orders(notice, second)
    for sentence in ("Nothing has been played", "No tables are waiting", "didn’t make a move"):
        assert sentence not in words + notice.html
    assert notice.options == []


def test_an_order_beside_a_mark_that_plays_nothing_is_reported_too():
    first, second = seat_friends("fagioli", "standard"), seat_friends()
    letter = daily(first, second)
    two = [mark(letter, second, "pass"), mark(letter, second, "play 3")]
    assert outcome(answer(letter, f"{two[0]}\n{two[1]}\n{IN_WORDS}")) == "answer unclear"
    assert (given(second), list_moves(second)) == ([], [])
    assert [letter.match for letter in (*written("answer"), *written("which"))] == [second, None]


def test_an_order_beside_a_mark_is_answered_with_all_tables_that_understand_it():
    first, second = seat_friends(), seat_friends()
    letter = daily(first, second)
    answer(letter, f"{mark(letter, second, 'pass')}\n{IN_WORDS}")
    [notice] = written("which")
    assert its_own_orders(notice, first, second)


def test_an_order_beside_a_move_is_not_given_in_a_reply_about_one_table_either():
    match, other = seat_friends(), seat_friends()
    letter = newest(match, BOB)
    say(other, BOB, "pass")
    assert outcome(answer(letter, f"Play two sixes, please\n{IN_WORDS}")) == "say play 6 6"
    assert (given(match), given(other)) == ([], [])
    [notice] = written("which")
    assert its_own_orders(notice, match)
    assert notice.match is None


# ── the rest ──


def test_a_mailbox_that_answers_the_daily_letter_automatically_is_noticed():
    first, second = seat_friends(), seat_friends()
    reply = answer(daily(first, second), "I am away.", Auto_Submitted="auto-replied", Subject="Out of office")
    assert outcome(reply) == "leave away"
    assert Letter.objects.filter(kind="away_offer").count() == 1


def test_the_find_my_games_letter_is_answered_the_same_way():
    first, second = seat_friends(), seat_friends()
    queue.queue(first.places.get(seat=BOB).player, "lost", "lost/1", now=NOON)
    [letter] = written("lost")
    assert "the marks of your moves at the top" in " ".join(letter.text.split())
    assert answer(letter, mark(letter, second, "play 7 7")).state == "played"
    assert (list_moves(first), list_moves(second)) == ([], ["play 7 7"])


def test_a_daily_letter_is_answered_in_french():
    first, second = seat_friends(), seat_friends()
    accounts.change(first.places.get(seat=BOB).player, language="fr")
    letter = daily(first, second)
    assert answer(letter, f"Le coup {mark(letter, first, 'pass')}, s'il vous plaît").state == "played"
    assert list_moves(first) == ["pass"]


def test_the_text_of_a_reply_is_deleted_in_the_end():
    reply = answer(daily(seat_friends(), seat_friends()), "pass")
    assert retention.erase_contents(NOON + retention.KEPT) == 0
    assert retention.erase_contents(LATER + retention.KEPT + timedelta(seconds=1)) == 1
    reply.refresh_from_db()
    assert (bytes(reply.source), reply.sender) == (b"", "")


def test_the_example_move_is_in_the_readers_language_and_can_be_played():
    match = seat_friends()
    accounts.change(match.places.get(seat=BOB).player, language="fr")
    letter = newest(match, BOB)
    example = re.search(r"par exemple « (.+?) »", " ".join(letter.text.split()))
    assert example
    assert example[1] == letter.options[0]["label"] == "Jouer 1"
    assert outcome(answer(letter, example[1])) == "say play 1"
