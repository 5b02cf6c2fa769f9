"""Signals of a match become letters to the right people, and are dropped when nobody needs them any more."""

import json
import re
from datetime import timedelta
from email import message_from_bytes, policy

import pytest
from django.db import transaction

from beanpost.play import load
from beanpost.play.models import Match
from beanpost.play.seats import joining, own_seat, takeover, votes
from beanpost.play.tickets import SeatTicket, redeem
from beanpost.play.timekeeping import reminders, timeouts
from beanpost.play.turns import house_lines
from beanpost.post.models import Letter
from beanpost.post.outbox import queue
from tests.friends import NOON, gather, seat_friends
from tests.post.gallery import asked, deliver, move, play_on

pytestmark = pytest.mark.django_db
SENT, DROPPED, QUEUED = Letter.State.SENT, Letter.State.DROPPED, Letter.State.QUEUED


def on_the_way(**facts) -> list[tuple[str, str]]:
    """Return the recipient and the kind of each queued letter, in order."""
    letters = Letter.objects.filter(state=QUEUED, **facts).order_by("pk")
    return list(letters.values_list("recipient__name", "kind"))


def last(kind: str) -> Letter:
    letter = Letter.objects.filter(kind=kind).order_by("pk").last()
    assert letter
    return letter


# ── before a match ──


def test_ready_players_are_told_that_the_match_was_called_off():
    match = gather()
    ann, bob, _cleo = match.places.select_related("player")
    joining.accept_invitation(bob, name="Bob", word="", now=NOON)
    Letter.objects.all().delete()
    joining.decline(ann, now=NOON)
    deliver()
    assert [letter.recipient.name for letter in Letter.objects.filter(state=SENT)] == ["Bob"]
    text = " ".join(last("called_off").text.split())
    assert "Your Haricots match was called off Ann called it off before it started" in text
    assert match.code not in text


def test_an_invited_player_gets_an_invitation():
    gather()
    assert on_the_way() == [("Bob", "invitation"), ("Cleo", "invitation")]


def test_an_answered_invitation_is_not_sent():
    match = gather()
    place = match.places.get(seat=1)
    joining.accept_invitation(place, name="Bob", word="broad", now=NOON)
    deliver()
    assert list(Letter.objects.order_by("pk").values_list("state", flat=True)) == [DROPPED, SENT]


def test_the_keeper_is_told_of_every_refusal():
    match = gather()
    joining.decline(match.places.get(seat=2), now=NOON)
    place = joining.invite_instead(match.pk, "cleo@example.org", now=NOON + timedelta(hours=1))
    joining.decline(place, now=NOON + timedelta(hours=1))
    assert on_the_way(kind="declined") == [("Ann", "declined")] * 2


def test_a_refusal_is_not_reported_when_the_match_was_called_off():
    match = gather()
    joining.decline(match.places.get(seat=2), now=NOON)
    joining.decline(match.places.get(seat=0), now=NOON)
    deliver()
    assert last("declined").state == DROPPED


# ── during a match ──


def test_the_first_player_is_asked_and_the_others_are_told(match):
    assert on_the_way() == [
        ("Bob", "invitation"),
        ("Cleo", "invitation"),
        ("Bob", "turn"),
        ("Ann", "started"),
        ("Cleo", "started"),
    ]
    deliver()
    assert on_the_way() == []


def test_a_bot_gets_no_letters():
    match = gather(bots=1)
    joining.accept_invitation(match.places.get(seat=2), name="Bob", word="", now=NOON)
    match.refresh_from_db()
    assert match.phase == Match.Phase.RUNNING
    play_on(match)
    deliver()
    assert set(Letter.objects.values_list("recipient__name", flat=True)) == {"Ann", "Bob"}


def test_a_move_sends_a_letter_only_to_the_next_player(match):
    deliver()
    move(match)
    assert on_the_way() == [("Cleo", "turn")]
    assert last("turn").key == f"m/{match.pk}/2/{match.length}"


def test_a_letter_whose_question_has_closed_is_dropped(match):
    move(match)
    deliver()
    sent = Letter.objects.filter(kind="turn").order_by("pk").values_list("recipient__name", "state")
    assert list(sent) == [("Bob", DROPPED), ("Cleo", SENT)]


def test_a_letter_that_was_written_but_not_sent_is_dropped_too(match):
    deliver()
    move(match)
    Letter.objects.filter(kind="turn", state=SENT).update(state=Letter.State.RETRY, due_at=NOON)
    deliver()
    first = Letter.objects.filter(kind="turn").order_by("pk").first()
    assert first
    assert (first.recipient.name, first.state) == ("Bob", DROPPED)
    assert first.source


def test_a_player_who_is_already_asked_gets_no_letter_about_the_start(match):
    move(match)  # Bob moves; now Cleo is asked
    deliver()
    letters = Letter.objects.filter(kind="started").order_by("pk").values_list("recipient__name", "state")
    assert list(letters) == [("Ann", SENT), ("Cleo", DROPPED)]


def headers_of(letter):
    return message_from_bytes(bytes(letter.source), policy=policy.default)


def test_the_headers_of_letters_witness_the_deal(match):
    deliver()
    first = headers_of(Letter.objects.get(kind="turn"))
    assert first["Beanpost-Head"] == f"{match.code} {match.head}"
    assert first["Beanpost-Commitment"] == f"{match.code} {match.commitment}"
    assert json.loads(first["Beanpost-Seat-B"]) == ["Bob", "broad", False]
    waiting = gather()
    deliver()
    invitation = headers_of(last("invitation"))
    assert invitation["Beanpost-Commitment"] == f"{waiting.code} {waiting.commitment}"
    assert invitation["Beanpost-Head"] is None
    assert not any(re.search(r"[0-9a-f]{64}", letter.html) for letter in Letter.objects.filter(state="sent"))


def test_the_foot_of_a_letter_has_one_quiet_link_about_the_deal_and_the_text_ends_with_the_digest(match):
    deliver()
    letter = Letter.objects.get(kind="turn")
    foot = letter.html[letter.html.index("How we shuffle") :]
    assert "Rules" in foot
    assert match.head[:16] not in letter.html
    body, end = letter.text.split("\n--\n")
    assert match.commitment not in body
    assert end.strip().endswith(f"{match.commitment}\n\nline {match.length} · {match.head}")
    assert end.index("How we shuffle:") < end.index("Rules:") < end.index("How we dealt this match:")


def test_the_first_letter_of_a_match_tells_seats_words_and_commitment(match):
    deliver()
    for letter in Letter.objects.filter(state=SENT):
        for text in ("runner", "broad", "lentil", match.commitment):
            assert text in letter.text
    move(match)
    deliver()
    assert match.commitment not in last("turn").text  # Cleo had it in her turn letter


@pytest.fixture
def asked_again():
    """Ann has moved, the bots have answered at once, and Ann is asked again."""
    match = gather(bots=2)
    match.refresh_from_db()
    deliver()
    move(match)
    return Letter.objects.get(kind="turn", due_at__gt=NOON, state=QUEUED)


def test_a_player_who_is_asked_again_at_once_gets_the_letter_later(asked_again):
    assert asked_again.due_at == NOON + timedelta(minutes=5)
    assert deliver() == 0
    assert deliver(asked_again.due_at) == 1


def test_a_player_who_answers_on_the_page_gets_no_letter(asked_again):
    move(asked_again.match)
    deliver(asked_again.due_at)
    asked_again.refresh_from_db()
    assert asked_again.state == DROPPED


def test_a_player_who_has_answered_or_muted_reminders_gets_none(match):
    wait = match.waits.get()
    reminders.remind_players(wait.remind_at)
    assert on_the_way(kind="reminder") == [("Bob", "reminder")]
    own_seat.stop_reminding(asked(match))
    deliver(wait.remind_at)
    assert last("reminder").state == DROPPED
    Letter.objects.filter(kind="reminder").update(state=QUEUED, due_at=NOON)
    match.places.update(wants_reminders=True)
    move(match)
    deliver(wait.remind_at)
    assert last("reminder").state == DROPPED


def test_a_player_who_timed_out_is_told_which_move_was_made(match):
    deliver()
    due = match.waits.get().due_at
    timeouts.time_out_all(due)
    assert ("Bob", "late") in on_the_way()
    deliver(due)
    assert "Your time ran out, Bob" in last("late").text
    assert "You passed and drew" in last("late").text
    assert "Bob ran out of time, so we played." in last("turn").text


def test_a_player_whose_seat_a_bot_takes_gets_only_that_letter(match):
    match.places.filter(player__name="Bob").update(misses=timeouts.MISSES_BEFORE_BOT - 1)
    timeouts.time_out_all(match.waits.get().due_at)
    assert ("Bob", "stand_in") in on_the_way()
    assert ("Bob", "late") not in on_the_way()


def test_a_newcomer_in_a_seat_gets_a_letter_with_the_log_so_far(match):
    deliver()
    move(match)
    house_lines.substitute_bot(
        load.lock_match(match.pk), match.places.select_related("player").get(seat=1), "clock", NOON
    )
    ann, _, cleo = match.places.select_related("player", "match")
    votes.propose(ann, "give", seat=1, address="zoe@example.org", now=NOON)
    proposal = votes.propose(cleo, "give", seat=1, address="", now=NOON)
    takeover.take_over(proposal, proposal.player, now=NOON)
    deliver()
    letter = Letter.objects.get(recipient=proposal.player, match=match)
    assert letter.text.startswith("Haricots\n\nHere’s the table, zoe")
    assert "SO FAR\n\n- Bob goes first." in letter.text
    assert "- Bob played 1." in letter.text


def test_the_others_are_told_of_a_pause_its_end_and_the_new_deadline(match):
    deliver()
    ann, bob, cleo = match.places.select_related("player", "match")
    for about, days in (("pause", 0), ("resume", 3)):
        for place in (bob, cleo, ann):
            votes.propose(place, about, now=NOON + timedelta(days=days))
        assert [to for to in on_the_way() if to[1] == "decided"] == [("Bob", "decided"), ("Cleo", "decided")]
        deliver(NOON + timedelta(days=days))
    bobs, cleos = (Letter.objects.filter(kind="decided", recipient__name=name).last() for name in ("Bob", "Cleo"))
    assert bobs.text.startswith("Everyone agreed to continue. The clock is running again.")
    assert "You have until Fri 20 Nov, 12:00" in bobs.text  # the match waits for him
    assert "/move/" in bobs.text
    assert "We’re now waiting for Bob." in cleos.text
    assert "/move/" not in cleos.text


@pytest.mark.parametrize(
    ("origin", "why"),
    [("clock", "We haven’t heard from you for a while"), ("organiser", "The organiser has a bot playing for you")],
)
def test_a_player_whose_seat_a_bot_takes_is_told_why(match, origin, why):
    with transaction.atomic():
        house_lines.substitute_bot(
            load.lock_match(match.pk), match.places.select_related("player").get(seat=1), origin, NOON
        )
    deliver()
    assert last("stand_in").text.split("\n\n")[1].startswith(why)
    assert why in last("stand_in").html


@pytest.mark.parametrize(
    ("by", "why"),
    [("the others", "You couldn’t go on, so the others found"), ("organiser", "The organiser found")],
)
def test_a_player_whose_seat_was_given_away_is_told_where_and_by_whom(match, by, why):
    ann, bob, cleo = match.places.select_related("player", "match")
    with transaction.atomic():
        house_lines.substitute_bot(load.lock_match(match.pk), bob, "clock", NOON)
    if by == "organiser":
        proposal = votes.offer_seat(match.pk, 1, "zoe@example.org", now=NOON)
    else:
        votes.propose(ann, "give", seat=1, address="zoe@example.org", now=NOON)
        proposal = votes.propose(cleo, "give", seat=1, address="", now=NOON)
    takeover.take_over(proposal, proposal.player, now=NOON)
    deliver()
    assert "Your seat in Haricots with Ann and Cleo now belongs to someone else" in last("replaced").text
    assert last("replaced").text.split("\n\n")[1].startswith(why)


def test_everyone_is_told_that_a_pause_has_ended_automatically(match):
    deliver()
    with transaction.atomic():
        house_lines.pause(load.lock_match(match.pk), "player", NOON)
    house_lines.end_long_pauses(NOON + house_lines.LONGEST_PAUSE)
    deliver(NOON + house_lines.LONGEST_PAUSE)
    letters = Letter.objects.filter(kind="decided", state=SENT)
    assert {letter.recipient.name for letter in letters} == {"Ann", "Bob", "Cleo"}
    assert all("The pause ran its full length" in letter.text for letter in letters)


def test_everyone_gets_the_result_and_no_turn_letter_afterwards(match):
    play_on(match)
    match.refresh_from_db()
    assert {("Ann", "finished"), ("Bob", "finished"), ("Cleo", "finished")} <= set(on_the_way())
    deliver()
    assert not Letter.objects.filter(kind="turn", state=SENT).exists()
    assert Letter.objects.filter(kind="finished", state=SENT).count() == 3
    secret = b"the same deal in every test".ljust(32).hex()
    for letter in Letter.objects.filter(kind="finished"):
        assert secret in letter.text
        for part in (letter.text, letter.html):
            assert f"/match/{match.code}/verify/" in part
        assert "/again/" in letter.text


def test_a_player_who_renews_their_links_gets_a_fresh_letter_despite_the_hourly_limit(match):
    deliver()
    place = asked(match)
    queue.queue_current(match, place, now=NOON)
    own_seat.renew_links(place)
    queue.queue_current(match, place, now=NOON)
    assert deliver() == 2
    fresh = redeem(SeatTicket, re.findall(r"/renew/(.+)/", last("turn").text)[0])
    assert fresh.occupant == place.occupant == 2


def test_a_reported_note_goes_to_the_keeper(match):
    move(match, note="You fools <3")
    note = match.notes.get()
    own_seat.report_note(asked(match), note.pk, now=NOON)
    deliver()
    assert last("reported").recipient == match.keeper
    assert "“You fools <3”" in last("reported").text
    assert "“You fools &lt;3”" in last("reported").html


def test_a_newcomer_is_not_named_for_an_earlier_note(match):
    move(match, note="You fools")
    house_lines.substitute_bot(load.lock_match(match.pk), match.places.get(player__name="Bob"), "clock", NOON)
    offered = votes.offer_seat(match.pk, 1, "zoe@example.org", now=NOON)
    takeover.take_over(offered, offered.player, now=NOON)
    own_seat.report_note(match.places.get(player__name="Cleo"), match.notes.get().pk, now=NOON)
    deliver()
    assert "thinks Bob shouldn’t have written this" in " ".join(last("reported").text.split())


def test_a_player_who_asks_for_the_current_letter_gets_the_one_that_fits(match):
    deliver()
    ann = match.places.get(player__name="Ann")
    queue.queue_current(match, ann, now=NOON)
    assert on_the_way() == [("Ann", "started")]
    queue.queue_current(match, asked(match), now=NOON)
    assert on_the_way() == [("Ann", "started"), ("Bob", "turn")]
    assert deliver() == 2
    play_on(match)
    deliver()
    queue.queue_current(match, ann, now=NOON + timedelta(hours=2))
    assert on_the_way() == [("Ann", "finished")]


def test_the_find_my_games_letter_has_every_open_question_with_its_links():
    first, second = seat_friends(), seat_friends()
    gather()  # where Bob is invited
    bob = first.places.get(seat=1).player
    assert bob
    queue.queue(bob, "lost", "lost/1", now=NOON)
    deliver()
    letter = last("lost")
    for match in (first, second):
        assert asked(match).player == bob
    assert letter.text.count("/move/") == 2 * 13  # every move, and the page
    assert "/ready/" in letter.text
    assert letter.html.count("/move/") == letter.text.count("/move/")


def test_a_letter_to_a_new_address_goes_there(match):
    bob = match.places.get(seat=1).player
    values = {"to": "bob@beans.example", "ticket": "not-looked-at-here"}
    queue.queue(bob, "address", "address/1", values, now=NOON)
    deliver()
    assert last("address").address == "bob@beans.example"
    assert b"\nTo: bob@beans.example\n" in bytes(last("address").source)
