"""A costly move by reply counts once its price was quoted and its player has said yes."""

import re

import pytest
from django.conf import settings
from django.urls import reverse

from beanpost.play.display import scene
from beanpost.play.models import Event, Match
from beanpost.play.tickets import MoveTicket, redeem
from beanpost.players.models import Player
from beanpost.post.models import Letter, Reply
from beanpost.post.receive import child_process
from tests.post.answering import BOB, LATER, answer, fagioli, haricots, newest, outcome, say, with_replies
from tests.post.gallery import deliver

pytestmark = pytest.mark.django_db
PRICE = "You’re out of this round and pay"


@pytest.fixture(autouse=True)
def accept_replies():
    with with_replies():
        yield


def ask_about(text: str, language: str = "en") -> tuple[Match, Letter, Letter]:
    """Send a reply with a costly move. Return the match, the letter it answers and our question."""
    match, _ = haricots()
    Player.objects.update(language=language)
    letter = newest(match, BOB)
    assert outcome(answer(letter, text)) == "answer costly"
    return match, letter, newest_answer()


def newest_answer() -> Letter:
    deliver(LATER)
    return Letter.objects.filter(kind="answer", state=Letter.State.SENT).latest("pk")


def list_moves(match: Match) -> list[str]:
    return [event.line for event in Event.objects.filter(match=match, seat=BOB, origin=Event.Origin.PLAYER)]


@pytest.mark.parametrize("text", ["fold", "I fold.", "m12"])
def test_a_costly_move_is_not_played_before_its_price_was_quoted(text):
    match, _, question = ask_about(text)
    assert list_moves(match) == []
    words = " ".join(question.text.split())
    assert PRICE in words
    assert "reply “yes” to this letter" in words
    assert "Please confirm your move, Bob" in question.html


@pytest.mark.parametrize(
    "yes",
    [
        "yes",
        "Yes!",
        "Yes, please.",
        "ok",
        "Oui",
        "d'accord",
        "yes\n\nThanks\nBob",
        "I confirm",
        "OK :)",
        "Yes\n\nBob Smith\n+33 6 12",
    ],
)
def test_a_yes_to_our_question_plays_it_once(yes):
    match, _, question = ask_about("fold")
    assert outcome(answer(question, yes)) == "say fold"
    assert outcome(answer(question, yes + " ")) == "answer repeated"
    assert list_moves(match) == ["fold"]


@pytest.mark.parametrize("language", dict(settings.LANGUAGES))
def test_the_same_move_named_again_under_its_price_plays_it(language):
    match, _, question = ask_about("fold", language)
    [mark] = [move["mark"] for move in question.options if move["line"] == "fold"]
    assert outcome(answer(question, mark)) == "say fold"
    assert list_moves(match) == ["fold"]


@pytest.mark.parametrize(
    "text",
    [
        "no",
        "Yes?",
        "yes and no",
        "not yes",
        "Yes, but not yet",
        "oui mais non",
        "yes\nNo, wait!",
        "OK.\nLet me think about it.",
        "Sure\n\nI would like to stay in.",
        "Yes.\nForget it",
        "Ok\nCancel.",
        "No!\n\nFold",
        "m12 no",
    ],
)
def test_anything_but_a_plain_yes_plays_nothing(text):
    match, _, question = ask_about("fold")
    answer(question, text)
    assert list_moves(match) == []


def test_a_vague_yes_is_not_answered_as_if_it_were_a_number():
    _, _, question = ask_about("fold")
    assert outcome(answer(question, "OK.\nLet me think about it.")) == "answer unclear"
    words = " ".join(newest_answer().text.split())
    assert "We’re not sure what you meant. Was it this move?" in words
    assert "number" not in words.partition("- m12.")[0]


def test_a_yes_beside_another_move_plays_neither():
    match, _, question = ask_about("fold")
    assert outcome(answer(question, "yes\npass")) == "answer unclear"
    assert list_moves(match) == []


def test_a_yes_to_a_letter_that_asked_nothing_plays_nothing():
    match, letter, _ = ask_about("fold")
    assert outcome(answer(letter, "yes")) == "answer unread"
    assert outcome(answer(letter, "Fold!")) == "answer costly"  # the first letter quoted no price
    assert list_moves(match) == []


def test_a_yes_is_bound_to_its_question():
    match, _, question = ask_about("fold")
    say(match, BOB, "pass")
    assert outcome(answer(question, "yes")) == "answer repeated"
    assert list_moves(match) == ["pass"]


def test_a_yes_is_read_after_a_restart():
    match, _, question = ask_about("fold")
    child_process.CHILD.stop()
    assert outcome(answer(Letter.objects.get(pk=question.pk), "yes")) == "say fold"
    assert list_moves(match) == ["fold"]


def test_the_question_links_to_the_confirming_page(client):
    match, _, question = ask_about("fold")
    ticket = re.search(r"Play it:\n\S+/move/([^/]+)/", question.text)[1]
    assert redeem(MoveTicket, ticket).line == "fold"
    assert PRICE in client.get(reverse("move", args=[ticket])).content.decode()
    assert list_moves(match) == []
    client.post(reverse("move", args=[ticket]))
    assert list_moves(match) == ["fold"]
    assert outcome(answer(question, "yes")) == "answer repeated"


def test_a_price_that_has_risen_is_quoted_again():
    match, _, question = ask_about("fold")
    Letter.objects.filter(pk=question.pk).update(values=question.values | {"price": "It costs nothing."})
    assert outcome(answer(Letter.objects.get(pk=question.pk), "yes")) == "answer costly"
    assert list_moves(match) == []


def test_the_question_is_in_french_too():
    match, _, question = ask_about("Je me couche", "fr")
    words = " ".join(question.text.split())
    assert "Confirmez votre coup, Bob" in words
    assert "répondez « oui » à cette lettre" in words
    assert outcome(answer(question, "Oui, merci")) == "say fold"
    assert list_moves(match) == ["fold"]


@pytest.mark.parametrize("language", dict(settings.LANGUAGES))
def test_a_bursting_play_is_confirmed(language):
    match, seat = fagioli()
    Player.objects.update(language=language)
    ruinous = next(option for option in scene.build_scene(match, seat).question.options if option.ruin)
    letter = newest(match, seat)
    assert outcome(answer(letter, ruinous.line)) == "answer costly"
    question = newest_answer()
    assert outcome(answer(question, "yes")) == f"say {ruinous.line}"


def test_a_number_that_may_be_a_mark_is_confirmed_by_yes():
    match, _ = haricots()
    assert outcome(answer(newest(match, BOB), "8")) == "answer unclear"  # m8 is printed, and no card is an 8
    assert list_moves(match) == []
    question = newest_answer()
    assert outcome(answer(question, "yes")) == "say play 6 6 6"
    assert Reply.objects.count() == 2
