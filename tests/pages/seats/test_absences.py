"""The pages for time and absence: GET changes nothing, POST acts, pressing twice acts once."""

import re
from datetime import timedelta

import pytest
import time_machine
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from beanpost.play import load
from beanpost.play.display import scene
from beanpost.play.display.lists import my_games
from beanpost.play.models import Match, Place
from beanpost.play.seats import votes
from beanpost.play.seats.takeover import take_over
from beanpost.play.tickets import SeatTicket, TakeoverTicket, VetoTicket, sign
from beanpost.play.timekeeping import absence, reminders, sweep
from beanpost.play.turns import house_lines
from beanpost.players.models import Player
from beanpost.post.models import Letter
from beanpost.post.outbox import queue
from tests.friends import NOON, seat_friends
from tests.pages.gallery import deliver
from tests.pages.table import play_to_the_end, press

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def noon():
    with time_machine.travel(NOON, tick=False):
        yield


def door(name: str, place: Place) -> str:
    return reverse(name, args=[sign(SeatTicket(place.match_id, place.seat, place.occupant))])


def seat(match: Match, number: int) -> Place:
    return match.places.select_related("player").get(seat=number)


def absent(match: Match, number: int = 1) -> Place:
    house_lines.substitute_bot(load.lock_match(match.pk), seat(match, number), "clock", NOON)
    return seat(match, number)


@pytest.mark.parametrize("name", ["away", "back", "still", "seat"])
def test_opening_a_page_changes_nothing(client, name):
    match = seat_friends()
    place = absent(match)
    before = Match.objects.values().get(), list(Place.objects.values())
    assert client.get(door(name, place)).status_code == 200
    assert client.head(door(name, place)).status_code == 200
    assert (Match.objects.values().get(), list(Place.objects.values())) == before


@pytest.mark.parametrize(("number", "leads_to"), [(0, "away"), (1, "back")])
def test_a_seat_page_links_with_the_ticket_it_was_opened_by_and_none_that_lasts_longer(client, number, leads_to):
    match = seat_friends()
    absent(match)
    came_by = door("seat", seat(match, number))
    with time_machine.travel(NOON + timedelta(days=399), tick=False):
        page = client.get(came_by).text
    assert reverse(leads_to, args=[came_by.split("/")[-2]]) in page


def test_away_days_are_stored_and_shown_to_the_table(client):
    match = seat_friends()
    page = client.post(door("away", seat(match, 0)), {"first": "2026-11-16", "last": "2026-11-23"})
    assert "from 16 November to 23 November" in page.text
    assert "28 away days left" in page.text
    assert 'value="2026-11-16"' not in page.text  # an absence is not suggested again
    assert "Ann is away until Mon 23 Nov." in client.get(reverse("match", args=[match.code])).text
    client.post(door("away", seat(match, 0)), {"back": "1"})
    assert "is away" not in client.get(reverse("match", args=[match.code])).text


@pytest.mark.parametrize("typed", [{}, {"first": "x", "last": "y"}, {"first": "2026-11-20", "last": "2026-11-18"}])
def test_impossible_away_days_are_refused_with_a_sentence(client, typed):
    page = client.post(door("away", seat(seat_friends(), 0)), typed | {"first": typed.get("first", "")})
    assert page.status_code == 400


def test_matches_that_do_not_wait_are_named(client):
    match = seat_friends()
    Match.objects.update(away_days=0)
    page = client.get(door("away", seat(match, 0))).text
    assert f'<a href="{reverse("match", args=[match.code])}">Haricots with Bob and Cleo</a>:' in page


def test_a_player_takes_a_seat_back_with_one_press(client):
    match = seat_friends()
    place = absent(match)
    assert "Take my seat back" in client.get(door("back", place)).text
    for _ in range(2):
        assert "The seat is yours" in client.post(door("back", place)).text
    assert not seat(match, 1).stand_in


def test_a_seat_page_with_a_bot_playing_links_to_taking_it_back(client):
    match = seat_friends()
    place = absent(match)
    page = client.get(door("seat", place)).text
    assert "Take my seat back" in page
    client.post(re.search(r'action="(/back/[^"]+)"', page)[1])
    assert not seat(match, 1).stand_in


def test_a_player_confirms_with_one_press_that_they_still_play(client):
    match = seat_friends()
    Place.objects.update(nudged=True)
    assert "Good to hear from you" in client.post(door("still", seat(match, 0))).text
    assert not seat(match, 0).nudged


def test_a_resigned_player_is_not_asked_whether_they_still_play(client):
    match = seat_friends()
    absence.resign(seat(match, 0), now=NOON)
    for page in (client.get(door("still", seat(match, 0))), client.post(door("still", seat(match, 0)))):
        assert "You’ve resigned." in page.text
        assert "still playing" not in page.text
        assert "The seat is yours" not in page.text


@pytest.mark.parametrize("name", ["still", "back"])
@pytest.mark.parametrize("gave_up", [False, True])
def test_the_pages_of_a_finished_match_say_nothing_about_playing_on(client, name, gave_up):
    match = seat_friends()
    if gave_up:
        absence.resign(seat(match, 0), now=NOON)
    play_to_the_end(match)
    for page in (client.get(door(name, seat(match, 0))), client.post(door(name, seat(match, 0)))):
        assert "This match is over" in page.text
        for untrue in ("The seat is yours", "A bot is playing", "You’re playing again"):
            assert untrue not in page.text


@pytest.mark.parametrize(("stands", "asked", "offered"), [(False, "pause", "resume"), (True, "resume", "pause")])
def test_a_pause_decided_meanwhile_is_no_longer_voted_on_and_its_opposite_is_offered(client, stands, asked, offered):
    match = seat_friends()
    if stands:
        house_lines.pause(load.lock_match(match.pk), "organiser", NOON)
    votes.propose(seat(match, 0), asked, now=NOON)
    turn = house_lines.resume if stands else house_lines.pause
    turn(load.lock_match(match.pk), "organiser", NOON)
    page = client.get(door("seat", seat(match, 1))).text
    assert "I agree" not in page
    assert f'name="propose" value="{offered}"' in page


def test_a_pause_is_proposed_and_agreed_to_by_everyone(client):
    match = seat_friends()
    proposed = client.post(door("seat", seat(match, 0)), {"propose": "pause"})
    assert "You’ve agreed. We’ve asked the others by letter." in proposed.text
    for number in (1, 2):
        page = client.get(door("seat", seat(match, number)))
        assert "Pause the match?" in page.text
        assert "You’ve agreed" not in page.text
        assert "Suggest a pause" not in page.text
        client.post(door("seat", seat(match, number)), {"agree": match.proposals.get().pk})
    match.refresh_from_db()
    assert match.paused_at
    assert "The match is paused and the clock is stopped." in client.get(reverse("match", args=[match.code])).text
    assert "the clock is stopped" in " ".join(scene.build_scene(match, match.waits.get().seat).question.deadline_notes)


def test_a_player_who_resigns_is_told_what_follows(client):
    match = seat_friends()
    shown = client.get(door("seat", seat(match, 0))).text
    assert shown.index("<details") < shown.index("Resign from this match") < shown.index("</details>")  # no slip
    page = client.post(door("seat", seat(match, 0)), {"resign": "1"})
    assert "You’ve resigned." in page.text
    assert "You’ve resigned." in client.get(door("back", seat(match, 0))).text
    assert client.post(door("back", seat(match, 0))).status_code == 409


@pytest.mark.parametrize(
    ("language", "sits_in", "plays_on"),
    [
        ("en", "A bot is playing for Bob", "Bob resigned; a bot is playing for them"),
        ("fr", "Un robot remplace Bob", "Bob a abandonné\N{NARROW NO-BREAK SPACE}; un robot continue"),
    ],
)
def test_the_others_see_whether_a_player_is_absent_or_has_resigned(client, language, sits_in, plays_on):
    match = seat_friends()
    Player.objects.update(language=language)
    addresses = [door("seat", seat(match, 0)), reverse("match", args=[match.code])]

    def shown():
        client.cookies["django_language"] = language
        return [client.get(address, headers={"accept-language": language}).text for address in addresses]

    bob = absent(match)
    assert all(sits_in in page and plays_on not in page for page in shown())
    absence.resign(bob, now=NOON)
    assert all(plays_on in page and sits_in not in page for page in shown())
    votes.propose(seat(match, 0), "give", seat=1, address="dora@example.org", now=NOON)
    deliver()
    letters = Letter.objects.filter(kind="decide", state="sent")
    assert letters
    assert all(plays_on in letter.text and plays_on in letter.html for letter in letters)


def test_a_resigned_player_neither_sees_nor_plays_the_cards(client):
    match = seat_friends("bohnanza", "standard")
    while not (may_speak := match.waits.filter(due_at=None).first()):
        press(match)
    place, shown = seat(match, may_speak.seat), scene.build_scene(match, may_speak.seat)
    doors = [reverse("move", args=[shown.question.ticket]), reverse("orders", args=[shown.order_ticket])]
    assert [client.get(address).status_code for address in doors] == [200, 200]
    absence.resign(place, now=NOON)
    assert match.waits.filter(pk=may_speak.pk, opened=may_speak.opened).exists()  # the bot may move in that market
    assert [client.get(address).status_code for address in doors] == [410, 410]
    assert all("You’ve resigned from this match" in client.get(address).text for address in doors)
    assert [client.post(address, {"line": "pass"}).status_code for address in doors] == [410, 410]
    assert my_games.find_asked_seats(place.player) == []
    queue.queue_current(match, place, now=NOON)
    deliver()
    assert not Letter.objects.filter(recipient=place.player, key__contains="again", state="sent").exists()


def test_a_resigned_player_reads_that_the_match_has_ended(client):
    match = seat_friends()
    wait = match.waits.get()
    old_link = reverse("move", args=[scene.build_scene(match, wait.seat).question.ticket])
    absence.resign(seat(match, wait.seat), now=NOON)
    play_to_the_end(match)
    assert [client.get(old_link).status_code, client.post(old_link, {"line": "pass"}).status_code] == [200, 409]


def test_the_players_find_a_replacement_who_takes_over(client):
    match = seat_friends()
    absent(match)
    old_door = door("back", seat(match, 1))
    client.post(door("seat", seat(match, 0)), {"seat": 1, "address": "Zoe@example.org"})
    proposal = match.proposals.get()
    client.post(door("seat", seat(match, 2)), {"agree": proposal.pk})
    takeover = reverse(
        "takeover", args=[sign(TakeoverTicket(proposal.player_id, proposal.player.sessions, proposal.pk))]
    )
    assert "Would you take over a seat" in client.get(takeover).text
    assert seat(match, 1).name == "Bob"
    for _ in range(2):
        assert "Welcome to the table, zoe!" in client.post(takeover).text
    assert seat(match, 1).name == "zoe"
    assert "Welcome to the table, zoe!" in client.get(takeover).text
    assert client.get(old_door).status_code == 410


def test_a_vote_on_a_seat_shows_its_progress_to_its_player_and_the_others(client):
    match = seat_friends()
    bob = absent(match)
    own = door("seat", bob)
    proposed = client.post(door("seat", seat(match, 0)), {"seat": 1, "address": "zoe@example.org"}).text
    assert "Suggest this person" not in proposed  # already proposed
    assert "They’re deciding whether a new player takes over your cards." in client.get(own).text
    agreed = client.post(door("seat", seat(match, 2)), {"agree": match.proposals.get().pk}).text
    assert "Someone has been asked to take over the seat and hasn’t accepted yet." in agreed
    assert "Suggest this person" in agreed
    assert "zoe@example.org" not in agreed + proposed
    shown = client.get(own).text
    assert "Someone has been asked to take over your cards. The seat is yours until they accept." in shown
    assert "You’ve agreed on this" not in shown


def test_a_seat_that_one_vote_gives_away_is_kept_with_one_press(client):
    match = seat_friends("fagioli", "standard", seats=2)
    absent(match)
    page = client.post(door("seat", seat(match, 0)), {"seat": 1, "address": "zoe@example.org"}).text
    assert "A single vote decided this, so Bob can keep the seat until Thu 19 Nov, 12:00 (UTC)." in page
    assert "Thu 19 Nov" in client.get(door("seat", seat(match, 1))).text
    deliver()
    letter = Letter.objects.get(kind="veto")
    assert letter.recipient == seat(match, 1).player
    veto = re.search(r"/veto/[^/]+/", letter.text)[0]
    assert "May someone else take over your cards, Bob?" in client.get(veto).text
    assert match.proposals.get().closed_at is None
    for _ in range(2):
        assert "The seat stays yours" in client.post(veto).text
    assert match.proposals.get().vetoed_at
    page = client.get(door("seat", seat(match, 0))).text
    assert "This player is keeping their seat, and a bot plays on." in page
    assert "Suggest this person" not in page


def test_a_newcomer_sees_the_spectators_page_until_the_absent_player_can_no_longer_veto(client):
    match = seat_friends("fagioli", "standard", seats=2)
    absent(match)
    proposal = votes.propose(seat(match, 0), "give", seat=1, address="zoe@example.org", now=NOON)
    deliver()
    assert "can still keep it until Thu 19 Nov" in Letter.objects.get(kind="takeover").text
    zoe = proposal.player
    takeover = reverse("takeover", args=[sign(TakeoverTicket(zoe.pk, zoe.sessions, proposal.pk))])
    assert "can still keep it until" in client.get(takeover).text
    client.post(takeover)
    bystander = scene.build_scene(match, None)
    for page in (client.get(takeover), client.post(takeover)):
        assert "You’ve accepted" in page.text
        assert page.status_code == 200
    assert not Letter.objects.filter(recipient=zoe, kind__in=("turn", "started")).exists()
    assert scene.build_scene_for_player(match, zoe) is None
    assert bystander.place is None
    with time_machine.travel(NOON + timedelta(days=3), tick=False):
        sweep.sweep(NOON + timedelta(days=3))
        assert "Welcome to the table, zoe!" in client.get(takeover).text
    assert Letter.objects.filter(recipient=zoe, kind__in=("turn", "started")).exists()


def test_a_veto_by_an_older_letter_is_about_the_newcomer_suggested_since(client):
    match = seat_friends("fagioli", "standard", seats=2)
    bob = absent(match).player
    first, second = (
        votes.propose(seat(match, 0), "give", seat=1, address=address, now=NOON)
        for address in ("zoe@example.org", "yan@example.org")
    )
    veto = reverse("veto", args=[sign(VetoTicket(bob.pk, bob.sessions, first.pk))])
    assert "May someone else take over your cards, Bob?" in client.get(veto).text
    assert "A bot plays on with your cards" in client.post(veto).text
    second.refresh_from_db()
    assert second.vetoed_at
    votes.offer_seat(match.pk, 1, "xena@example.org", now=NOON)
    assert "Someone has been asked to take over your cards" in client.get(veto).text


def test_a_veto_after_the_seat_was_taken_says_so(client):
    match = seat_friends("fagioli", "standard", seats=2)
    bob = absent(match).player
    proposal = votes.propose(seat(match, 0), "give", seat=1, address="zoe@example.org", now=NOON)
    take_over(proposal, proposal.player, now=NOON + timedelta(days=3))
    veto = reverse("veto", args=[sign(VetoTicket(bob.pk, bob.sessions, proposal.pk))])
    assert "Someone else has this seat now" in client.post(veto).text
    assert seat(match, 1).player == proposal.player


def test_a_player_who_resigned_may_refuse_too(client):
    match = seat_friends("fagioli", "standard", seats=2)
    absence.resign(seat(match, 1), now=NOON)
    votes.propose(seat(match, 0), "give", seat=1, address="zoe@example.org", now=NOON)
    deliver()
    text = Letter.objects.get(kind="veto").text
    assert "Take my seat back" not in text
    assert "The seat stays yours" in client.post(re.search(r"/veto/[^/]+/", text)[0]).text


def test_a_paused_match_still_says_whose_turn_it_is(client):
    match = seat_friends()
    for number in range(3):
        votes.propose(seat(match, number), "pause", now=NOON)
    match.refresh_from_db()
    client.post(reverse("move", args=[scene.build_scene(match, match.waits.get().seat).question.options[0].ticket]))
    match.refresh_from_db()
    asked = match.waits.get().seat
    page = client.get(reverse("move", args=[scene.build_scene(match, asked).question.ticket])).text
    assert f"Your turn, {seat(match, asked).name}" in page
    assert "The match is paused and the clock is stopped." in page
    deliver()
    letter = Letter.objects.filter(kind="turn", state="sent", recipient=seat(match, asked).player).last()
    for text in (letter.text, letter.html):
        assert "Your turn" in text
        assert "You can harvest or buy now" not in text


def test_a_player_about_to_move_is_told_of_a_proposal_to_go_back(client):
    match = seat_friends()
    press(match)
    ticket = scene.build_scene(match, match.waits.get().seat).question.ticket
    asked = "Your table is deciding whether to undo some moves"
    assert asked not in client.get(reverse("move", args=[ticket])).text
    votes.rewind_for_organiser(match.pk, match.length, now=NOON)
    assert asked in client.get(reverse("move", args=[ticket])).text


def test_the_last_player_to_agree_sees_the_outcome(client):
    match = seat_friends()
    for number, is_last in ((0, False), (1, False), (2, True)):
        page = client.post(door("seat", seat(match, number)), {"propose": "pause"}).text
        assert ("Everyone agreed to pause. The clock is stopped." in page) == is_last


def test_a_player_who_agrees_too_late_sees_the_outcome_of_that_vote(client):
    match = seat_friends()
    for number in range(3):
        votes.propose(seat(match, number), "pause", now=NOON)
    agreed, late = "Everyone agreed to pause. The clock is stopped.", {"agree": match.proposals.get().pk}
    assert f"{agreed}</p>" in client.post(door("seat", seat(match, 1)), late).text
    house_lines.resume(load.lock_match(match.pk), "organiser", NOON + timedelta(days=1))
    page = client.post(door("seat", seat(match, 1)), late).text
    assert f"On Mon 16 Nov, 12:00 (UTC): “{agreed}”" in page
    assert "The organiser ended the pause" not in page


def test_a_player_who_agrees_to_give_away_a_seat_taken_back_is_told_so(client):
    match = seat_friends()
    bob = absent(match)
    proposal = votes.propose(seat(match, 0), "give", seat=1, address="dora@example.org", now=NOON)
    absence.return_to_seat(bob, now=NOON)
    page = client.post(door("seat", seat(match, 2)), {"agree": proposal.pk}).text
    assert "Bob is back.</p>" in page


def test_a_player_who_agrees_to_a_replaced_proposal_is_told_so(client):
    match = seat_friends()
    for _ in range(2):
        press(match, "play")
    moved = match.events.filter(seat__gte=0).values_list("seq", flat=True)
    first, _second = (votes.rewind_for_organiser(match.pk, seq, now=NOON) for seq in reversed(moved))
    house_lines.pause(load.lock_match(match.pk), "organiser", NOON)
    page = client.post(door("seat", seat(match, 2)), {"agree": first.pk}).text
    assert "This is no longer being decided.</p>" in page
    assert "The organiser paused" not in page


def test_a_player_at_the_table_cannot_be_proposed_for_a_seat(client):
    match = seat_friends()
    absent(match)
    page = client.post(door("seat", seat(match, 0)), {"seat": 1, "address": "cleo@example.org"})
    assert page.status_code == 400
    assert "must not have sat at this table before" in page.text


@pytest.mark.parametrize(
    "data",
    [
        {"agree": "999"},
        {"agree": "x"},
        {"agree": "²"},
        {"agree": "9" * 5000},
        {"propose": "x"},
        {"seat": "9", "address": "junk" * 2500},
    ],
)
def test_junk_changes_nothing(client, data):
    match = seat_friends()
    assert client.post(door("seat", seat(match, 0)), data).status_code in (200, 400)
    assert match.proposals.count() == 0


def test_a_takeover_of_a_seat_that_was_taken_back_is_refused(client):
    match = seat_friends()
    bob = absent(match)
    proposal = votes.offer_seat(match.pk, 1, "zoe@example.org", now=NOON)
    client.post(door("back", bob))
    takeover = reverse(
        "takeover", args=[sign(TakeoverTicket(proposal.player_id, proposal.player.sessions, proposal.pk))]
    )
    shown = client.get(takeover).text
    assert "This seat is taken" in shown
    assert "<button" not in shown
    assert client.post(takeover).status_code == 409


def test_an_overdue_question_is_an_alarm_on_the_health_page(client):
    seat_friends()
    assert "Overdue questions: 0." in client.get(reverse("readyz")).text
    with time_machine.travel(NOON + timedelta(days=2)):
        page = client.get(reverse("readyz"))
    assert page.status_code == 503
    assert "BAD  Overdue questions: 1." in page.text


def test_a_deadline_shows_the_reserve_time_and_the_grace_periods(client):
    match = seat_friends(excuses=2)
    Place.objects.update(bank=timedelta(hours=5))
    match.refresh_from_db()
    shown = scene.build_scene(match, match.waits.get().seat)
    page = client.get(reverse("move", args=[shown.question.ticket])).text
    assert "Your time: one day, plus 5 hours in reserve." in page
    assert "You have two grace periods left in this match." in page


def test_the_match_page_shows_a_reminder_to_everyone(client):
    match = seat_friends()
    reminders.remind_players(match.waits.get().remind_at)
    assert "got a reminder." in client.get(reverse("match", args=[match.code])).text


def test_matches_that_do_not_wait_take_a_bounded_number_of_queries(client, django_assert_max_num_queries):
    tables = [seat_friends(now=NOON + timedelta(days=n)) for n in range(4)]
    Match.objects.update(away_days=1)
    with CaptureQueriesContext(connection) as asked:
        assert client.get(door("away", seat(tables[0], 1))).content.decode().count("/match/") >= len(tables)
    for n in range(4, 8):
        seat_friends(now=NOON + timedelta(days=n))
    Match.objects.update(away_days=1)
    with django_assert_max_num_queries(len(asked)):
        client.get(door("away", seat(tables[0], 1)))
