"""Every move by reply is acknowledged: by a letter within two minutes, or by a letter that leaves sooner."""

import re
from datetime import timedelta
from smtplib import SMTPServerDisconnected

import pytest
from django.test import Client

from beanpost.play.models import Match, Proposal
from beanpost.play.seats import own_seat, votes
from beanpost.players import accounts
from beanpost.players.models import Player
from beanpost.post import preferences, unsubscribe
from beanpost.post.deliver import sending
from beanpost.post.models import Letter
from beanpost.post.notify import daily_letters
from beanpost.post.outbox import claims
from beanpost.privacy import erasure
from tests.friends import let_have_played_before
from tests.post.answering import (
    ANN,
    BOB,
    CLEO,
    LATER,
    address,
    answer,
    bobs_first_letter,
    haricots,
    head,
    market,
    newest,
    outcome,
    planting,
    say,
    with_replies,
)
from tests.post.gallery import deliver, play_on

pytestmark = pytest.mark.django_db
SOON = LATER + timedelta(minutes=2)
SENT, DROPPED = Letter.State.SENT, Letter.State.DROPPED


@pytest.fixture(autouse=True)
def replies_come_in():
    with with_replies():
        yield


@pytest.fixture
def letter():
    """A letter to Bob, who may play anything."""
    return bobs_first_letter()


def acknowledgements(state: str = SENT) -> list[Letter]:
    return list(Letter.objects.filter(kind="played", state=state).order_by("pk"))


def undo_link(letter: Letter) -> str:
    return re.search(r"^https?://[^/]+(/undo/\S+)$", letter.text, re.M)[1]


def plain(letter: Letter) -> str:
    return " ".join(letter.text.split())


def play_by_reply(letter: Letter, text: str = "play 4 4", **headers: str) -> Match:
    assert outcome(answer(letter, text, **headers)) == f"say {text}"
    return Match.objects.get(pk=letter.match_id)


# ── the letter ──


def test_a_move_by_reply_is_acknowledged_in_its_thread_within_two_minutes(letter):
    match = play_by_reply(letter, Message_ID="<move@mail.example>")
    deliver(LATER + timedelta(minutes=1))
    assert acknowledgements() == []  # a letter that leaves in this time would say it
    deliver(SOON)
    (told,) = acknowledgements()
    assert told.recipient == letter.recipient
    assert "You played 4 4, worth 8." in plain(told)
    assert "You played 4 4, worth 8." in told.html
    assert "If that’s not what you meant" in plain(told)
    assert undo_link(told) in told.html
    assert "We’re now waiting for" in plain(told)
    assert (told.asked, told.options) == ({}, [])
    assert told.subject == letter.subject
    root = head(letter)["References"]
    assert head(told)["References"] == f"{root} <move@mail.example>"
    assert head(told)["Auto-Submitted"] == "auto-replied"
    assert head(told)["Reply-To"] == address(told)
    assert "List-Unsubscribe=One-Click" in head(told)["List-Unsubscribe-Post"]
    assert match.events.filter(origin="player").count() == 1


def test_its_link_asks_the_table_to_undo_the_move_once_it_is_pressed(letter):
    match = play_by_reply(letter)
    deliver(SOON)
    door, browser = undo_link(acknowledgements()[0]), Client()
    assert "Bob played 4 4, worth 8." in browser.get(door).content.decode()
    assert not Proposal.objects.exists()
    assert browser.post(door).status_code == 303
    for place in match.places.exclude(seat=BOB):
        votes.vote(place, Proposal.objects.get().pk, now=SOON)
    assert match.waits.get().seat == BOB


def test_nobody_is_offered_an_undo_that_nobody_can_agree_to(letter):
    match = play_by_reply(letter)
    match.places.exclude(seat=BOB).update(stand_in=True, resigned_at=LATER)
    deliver(SOON)
    (told,) = acknowledgements()
    assert "You played 4 4, worth 8." in plain(told)
    assert "undo" not in told.text + told.html


def test_a_plan_given_with_the_move_is_acknowledged_with_it():
    match, seat = haricots()
    letter = newest(let_have_played_before(match), seat)
    planned = next(option for option in letter.options if option.get("order"))
    assert outcome(answer(letter, planned["label"])).startswith("say ")
    deliver(SOON)
    (told,) = acknowledgements()
    assert "With your plan:" in plain(told)
    assert told.values["order"] == planned["order"]


def test_it_is_written_in_the_readers_language(letter):
    play_by_reply(letter)
    accounts.change(letter.recipient, language="fr")
    deliver(SOON)
    (told,) = acknowledgements()
    assert "Si ce n’est pas ce que vous vouliez" in plain(told)


def test_a_reply_to_it_is_answered_with_the_link_that_undoes_the_move(letter):
    play_by_reply(letter)
    deliver(SOON)
    (told,) = acknowledgements()
    assert outcome(answer(told, "No, I meant 7!", now=SOON)) == "answer links"
    deliver(SOON)
    assert undo_link(Letter.objects.get(kind="links_only")) == undo_link(told)


# ── joined to another letter ──


def test_the_next_letter_of_the_match_says_it_instead(letter):
    match = play_by_reply(letter)
    while match.waits.get().seat != BOB:
        say(match, match.waits.get().seat, "pass")
    turn = newest(match, BOB, LATER + timedelta(minutes=1))
    assert turn.kind == "turn"
    deliver(SOON)
    assert "YOUR REPLY" in turn.text
    assert "If that’s not what you meant" in plain(turn)
    assert undo_link(turn) in turn.html
    assert [row.state for row in Letter.objects.filter(kind="played")] == [DROPPED]


def test_the_next_question_of_the_same_turn_says_it_even_if_both_letters_leave_late():
    match, seat = planting()
    play_by_reply(newest(match, seat), "plant garden in 1")
    turn = newest(match, seat, LATER + timedelta(hours=1))  # no sender ran before
    assert "YOUR REPLY" in turn.text
    assert "You planted" in plain(turn)
    assert [row.state for row in Letter.objects.filter(kind="played")] == [DROPPED]


def test_an_acknowledgement_that_a_sender_has_stored_is_not_dropped(letter):
    play_by_reply(letter)
    deliver(SOON)
    (told,) = acknowledgements()
    Letter.objects.filter(pk=told.pk).update(state="inflight")
    claims.drop_joined(letter, [told.pk])
    assert Letter.objects.get(pk=told.pk).state == "inflight"


def test_two_moves_by_reply_are_acknowledged_together():
    match, seat = market()
    asking = newest(match, seat)
    for offer in ("offer soy for *eye to D", "offer chili for *eye to D"):
        play_by_reply(asking, offer)
    deliver(SOON)
    (told,) = acknowledgements()
    assert told.text.count("/undo/") == 2
    assert "Your turn now:" in plain(told)  # the market is still open
    assert "We’ve played your moves, Bob" in plain(told)
    assert len(acknowledgements(DROPPED)) == 1


def test_the_result_says_it_if_the_move_ends_the_match(letter):
    match = play_by_reply(letter)
    play_on(match, LATER)
    Letter.objects.filter(kind="turn").update(state=DROPPED)
    deliver(LATER + timedelta(minutes=1))
    ended = match.letters.get(kind="finished", recipient=letter.recipient)
    assert "YOUR REPLY You played 4 4, worth 8." in plain(ended)
    assert "/undo/" not in ended.text
    assert acknowledgements() == []


def test_a_sent_acknowledgement_delays_no_other_letter(letter):
    match = play_by_reply(letter)
    deliver(SOON)
    assert acknowledgements()
    place = match.places.get(seat=BOB)
    wait = match.waits.get()
    wait.due_at = None  # the table does not wait for this player
    Letter.objects.filter(recipient=place.player).exclude(kind="played").delete()
    assert preferences.find_earliest_time(wait, place, SOON) == SOON


# ── one letter a day ──


@pytest.mark.parametrize("is_asked", [True, False])
def test_players_who_want_one_letter_a_day_find_it_there(letter, is_asked):
    preferences.change(letter.recipient, {"how_often": "daily"}, now=LATER)
    match = play_by_reply(letter)
    while is_asked and match.waits.get().seat != BOB:
        say(match, match.waits.get().seat, "pass")
    deliver(LATER + timedelta(hours=1))
    assert acknowledgements() == []
    morning = Player.objects.get(pk=letter.recipient_id).digest_at
    assert daily_letters.write_due(morning) == 1
    deliver(morning)
    (daily,) = Letter.objects.filter(kind="digest", state=SENT)
    assert "YOUR REPLIES" in daily.text
    assert "You played 4 4, worth 8." in plain(daily)
    assert undo_link(daily) in daily.html
    assert bool(daily.asked) == is_asked
    assert ("No tables are waiting for you." in plain(daily)) != is_asked
    deliver(morning + timedelta(hours=3))
    assert acknowledgements() == []
    assert len(acknowledgements(DROPPED)) == 1


def test_it_goes_alone_if_the_daily_letter_does_not_leave(letter):
    preferences.change(letter.recipient, {"how_often": "daily"}, now=LATER)
    play_by_reply(letter)
    morning = Player.objects.get(pk=letter.recipient_id).digest_at
    deliver(morning + timedelta(hours=2))
    assert len(acknowledgements()) == 1


# ── players who get none ──


def test_the_wish_and_one_click_switch_it_off(letter):
    play_by_reply(letter)
    deliver(SOON)
    (told,) = acknowledgements()
    way = re.search(r"<https?://[^/]+(/\S+)>", head(told)["List-Unsubscribe"])[1]
    assert "No more confirmations of your moves?" in Client().get(way).content.decode()
    assert Player.objects.get(pk=letter.recipient_id).reply_receipts
    Client().post(way, {"List-Unsubscribe": "One-Click"})
    assert not Player.objects.get(pk=letter.recipient_id).reply_receipts


def test_an_email_to_the_unsubscribe_address_switches_it_off(letter):
    play_by_reply(letter)
    deliver(SOON)
    assert unsubscribe.unsubscribe_by_mail(acknowledgements()[0], SOON)
    assert not Player.objects.get(pk=letter.recipient_id).reply_receipts


def test_players_who_switched_it_off_get_none(letter):
    preferences.change(letter.recipient, {"reply_receipts": False}, now=LATER)
    play_by_reply(letter)
    assert not Letter.objects.filter(kind="played").exists()


def switch_off(letter):
    preferences.change(letter.recipient, {"reply_receipts": False}, now=LATER)


def mute(letter):
    own_seat.stop_reminding(letter.match.places.get(seat=BOB))


def refuse(letter):
    accounts.refuse_letters(letter.recipient, now=LATER)


def erase(letter):
    erasure.erase_for_host(letter.recipient, now=LATER)


def undo(letter):
    match = Match.objects.get(pk=letter.match_id)
    proposal = votes.propose_undo(match.places.get(seat=BOB), match.events.get(origin="player").seq, now=LATER)
    for place in match.places.exclude(seat=BOB):
        votes.vote(place, proposal.pk, now=LATER)


@pytest.mark.parametrize("happens", [switch_off, mute, refuse, erase, undo])
def test_nothing_is_acknowledged_to_players_who_meanwhile_want_or_need_no_letter(letter, happens):
    play_by_reply(letter)
    happens(letter)
    deliver(SOON)
    assert acknowledgements() == []
    assert not any("YOUR REPLY" in sent.text for sent in Letter.objects.filter(state=SENT).exclude(body=None))


def test_a_reply_after_a_press_is_not_acknowledged(letter):
    say(letter.match, BOB, "play 4 4")
    assert outcome(answer(letter, "play 4 4")) == "answer repeated"
    assert not Letter.objects.filter(kind="played").exists()


def test_a_second_reply_to_the_same_question_is_not_acknowledged_again(letter):
    play_by_reply(letter)
    assert outcome(answer(letter, "play 6 6", Message_ID="<again@mail.example>")) == "answer repeated"
    assert Letter.objects.filter(kind="played").count() == 1


def test_automatic_mail_is_never_acknowledged(letter):
    assert outcome(answer(letter, "play 4 4", Auto_Submitted="auto-replied")).startswith("leave ")
    assert not Letter.objects.filter(kind="played").exists()


def test_another_player_at_the_table_gets_none(letter):
    match = play_by_reply(letter)
    cleo = newest(match, CLEO, SOON)
    assert "YOUR REPLY" not in cleo.text


def test_a_reply_to_an_acknowledgement_plays_nothing_although_its_writer_is_asked_again(letter):
    match = play_by_reply(letter)
    say(match, CLEO, "pass")
    say(match, ANN, "pass")
    match.letters.filter(kind="turn").exclude(state=SENT).update(due_at=SOON + timedelta(days=1))
    assert match.waits.get().seat == BOB
    deliver(SOON)
    (told,) = acknowledgements()
    for text in ("Thanks!", "m2"):
        assert outcome(answer(told, text, now=SOON)) == "answer links"


def test_an_acknowledgement_is_sent_alone_if_the_letter_that_makes_it_is_never_sent(letter, monkeypatch):
    match = play_by_reply(letter)
    say(match, CLEO, "pass")
    say(match, ANN, "pass")
    with monkeypatch.context() as down:
        down.setattr(sending.Connection, "send", hang_up)
        match.letters.filter(kind="turn", state=Letter.State.QUEUED).update(due_at=LATER)
        deliver(LATER)
    assert [told.state for told in Letter.objects.filter(kind="played")] == [DROPPED]  # Bob's next question says it
    say(match, BOB, "play 7")  # on its page
    deliver(SOON + timedelta(hours=1))  # drops the letter, which wakes the next sender
    deliver(SOON + timedelta(hours=1))
    (told,) = acknowledgements()
    assert "4 4" in plain(told)


def test_an_acknowledgement_is_sent_alone_if_the_letter_that_makes_it_fails_for_good(letter, monkeypatch):
    match = play_by_reply(letter)
    say(match, CLEO, "pass")
    say(match, ANN, "pass")
    with monkeypatch.context() as down:
        down.setattr(sending.Connection, "send", hang_up)
        last = {"due_at": LATER, "attempts": claims.MAX_ATTEMPTS - 1}
        match.letters.filter(kind="turn", state=Letter.State.QUEUED).update(**last)
        deliver(LATER)
    assert match.letters.filter(recipient=letter.recipient, kind="turn", state=Letter.State.FAILED).exists()
    deliver(SOON + timedelta(hours=1))
    (told,) = acknowledgements()
    assert "4 4" in plain(told)


def hang_up(connection, letter):
    raise SMTPServerDisconnected
