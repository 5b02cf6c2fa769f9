"""A slow game never stalls and never bullies: what happens, step by step, when a player is absent."""

from datetime import date, timedelta

import pytest
from django.core.exceptions import ValidationError
from django.db import transaction

from beanpost.database import batches
from beanpost.play import load, moves
from beanpost.play.deadlines import days_away, outages
from beanpost.play.display import scene
from beanpost.play.display.story import tell_story
from beanpost.play.log import audit
from beanpost.play.models import Departure, Event, Match, Note, Place, Proposal, Pulse, Wait
from beanpost.play.seats import joining, own_seat, takeover, votes
from beanpost.play.tickets import MoveTicket, redeem
from beanpost.play.timekeeping import absence, due_questions, mail_credits, reminders, sweep, timeouts
from beanpost.play.turns import house_lines
from beanpost.players import accounts
from beanpost.players.models import Player
from beanpost.post.models import Letter
from tests.friends import NOON, gather, seat_friends

pytestmark = pytest.mark.django_db
HOUR, DAY = timedelta(hours=1), timedelta(days=1)
FRIDAY, MONDAY = NOON + 3.5 * DAY, NOON + 6.5 * DAY  # their first moments


def waited_for(match: Match) -> Place:
    return match.places.select_related("player", "match").get(seat=match.waits.get().seat)


def list_house_lines(match: Match) -> list[tuple[str, str]]:
    return list(match.events.filter(seat=-2).values_list("line", "origin"))


def move(match: Match, now, line: str = "pass") -> None:
    wait = match.waits.get()
    moves.play(match.pk, wait.seat, line, origin="player", question=wait.opened, now=now)


def sweep_until(match: Match, until, *, since=NOON) -> None:
    """Sweep every three hours, with a heartbeat before each sweep but the first."""
    now = since
    while now <= until:
        sweep.sweep(now)
        now += 3 * HOUR
        Pulse.objects.update(beat_at=now)
    match.refresh_from_db()


# ── reserve time, and one deadline per turn ──


def test_a_player_who_answers_in_time_gains_reserve_time_up_to_the_cap():
    match = seat_friends(pace="1d bank 10h gain 6h")
    first = waited_for(match)
    for turn in range(6):
        move(match, NOON + turn * HOUR)
    first.refresh_from_db()
    assert first.bank == 10 * HOUR
    assert match.waits.get().due_at == NOON + 5 * HOUR + DAY + 10 * HOUR


def test_a_player_who_exceeds_the_allowance_uses_reserve_time():
    match = seat_friends(pace="1d bank 10h gain 6h")
    place = waited_for(match)
    place.bank = 8 * HOUR
    place.save()
    Wait.objects.update(due_at=NOON + 32 * HOUR)
    move(match, NOON + 29 * HOUR)
    place.refresh_from_db()
    assert place.bank == 3 * HOUR


def test_the_next_question_of_a_turn_keeps_the_first_deadline():
    match = seat_friends("bohnanza", "standard", seats=3)
    wait = match.waits.get(due_at__isnull=False)
    moves.play(
        match.pk, wait.seat, str(menu(match, wait.seat)[0]), origin="player", question=wait.opened, now=NOON + HOUR
    )
    again = match.waits.get(due_at__isnull=False)
    assert (again.seat, again.due_at, again.since) == (wait.seat, wait.due_at, NOON)
    assert again.opened > wait.opened


def menu(match, seat):
    return scene.build_scene(Match.objects.get(pk=match.pk), seat).question.ask.menu


def test_a_market_has_its_own_limit_and_uses_none_of_the_turns_time():
    match = seat_friends("bohnanza", "standard", seats=3, pace="1d window 6h")
    for hour in range(1, 4):
        wait = match.waits.get(due_at__isnull=False)
        if wait.window:
            break
        line = next((str(a) for a in menu(match, wait.seat) if str(a) == "reveal"), str(menu(match, wait.seat)[0]))
        moves.play(match.pk, wait.seat, line, origin="player", question=wait.opened, now=NOON + hour * HOUR)
    assert wait.about.endswith("market")
    assert wait.due_at - wait.asked_at == 6 * HOUR


def test_a_timeout_answers_every_question_until_another_player_is_asked():
    match = seat_friends("bohnanza", "standard", seats=3, pace="1d window 6h")
    seat = match.waits.get(due_at__isnull=False).seat
    assert timeouts.time_out_all(NOON + DAY) == 1
    seats = list(match.events.filter(origin="clock").values_list("seat", flat=True))
    assert len(seats) >= 2
    assert set(seats) == {seat}
    assert match.waits.get(due_at__isnull=False).due_at > NOON + DAY


# ── the steps ──


def test_a_missed_deadline_escalates_in_steps_that_everyone_can_read():
    match = seat_friends(excuses=1)
    name = waited_for(match).name
    sweep_until(match, NOON + 2 * DAY)
    assert list_house_lines(match)[:2] == [("remind B", "clock"), ("extend B to 2026-11-18T08:00Z", "clock")]
    sentences = [line.text for line in tell_story(match, None)]
    assert f"{name} got a reminder." in sentences
    assert f"{name} ran out of time, used a grace period and now has until Wed 18 Nov, 08:00 (UTC)." in sentences
    assert match.events.filter(origin="clock", seat=1).count() == 1


def test_a_bot_plays_at_once_after_three_missed_deadlines_in_a_row():
    match = seat_friends()
    seat = match.waits.get().seat
    now = NOON
    while not match.places.get(seat=seat).stand_in:
        now += DAY
        timeouts.time_out_all(now) if match.waits.get().seat == seat else move(match, now)
    assert match.places.get(seat=seat).misses == 3
    assert ("seat B bot", "clock") in list_house_lines(match)
    assert f"{match.places.get(seat=seat).name} is absent, so a bot is playing for them." in [
        line.text for line in tell_story(Match.objects.get(pk=match.pk), None)
    ]
    assert match.waits.get().seat != seat


def test_a_players_own_move_resets_the_missed_deadlines():
    match = seat_friends()
    match.places.update(misses=2)
    place = waited_for(match)
    move(match, NOON + HOUR)
    place.refresh_from_db()
    assert place.misses == 0


def absent(match: Match, seat: int = 1) -> Place:
    """Let a bot play for a player; return the player's seat."""
    place = match.places.select_related("player", "match").get(seat=seat)
    house_lines.substitute_bot(load.lock_match(match.pk), place, Event.Origin.CLOCK, NOON)
    match.refresh_from_db()
    return place


def test_a_player_takes_the_seat_back_with_one_press():
    match = seat_friends()
    place = absent(match)
    absence.return_to_seat(place, now=NOON + HOUR)
    absence.return_to_seat(place, now=NOON + HOUR)
    assert not match.places.get(seat=1).stand_in
    assert list_house_lines(match) == [("seat B bot", "clock"), ("seat B person", "player")]


def test_a_player_who_takes_the_seat_back_when_asked_has_time_from_now():
    match = seat_friends()
    place = waited_for(match)
    Place.objects.filter(pk=place.pk).update(stand_in=True)
    absence.return_to_seat(place, now=NOON + 5 * HOUR)
    wait = match.waits.get()
    assert (wait.since, wait.due_at) == (NOON + 5 * HOUR, NOON + 29 * HOUR)


def test_a_resigned_players_match_continues_and_the_player_cannot_come_back():
    match = seat_friends()
    place = waited_for(match)
    absence.resign(place, now=NOON)
    absence.resign(place, now=NOON)
    assert list_house_lines(match) == [("forfeit B", "player")]
    assert match.waits.get().seat != place.seat
    with pytest.raises(ValidationError):
        absence.return_to_seat(place, now=NOON)


def test_a_former_player_of_a_seat_that_was_given_away_resigns_nothing():
    match = seat_friends()
    shown = waited_for(match)
    Place.objects.filter(pk=shown.pk).update(occupant=shown.occupant + 1)  # another player has the seat now
    for verb in (absence.resign, absence.return_to_seat, absence.confirm_still_playing):
        with pytest.raises(ValidationError, match="no longer reserved for you"):
            verb(shown, now=NOON)
    assert list_house_lines(match) == []


def test_a_match_that_everyone_resigned_is_played_to_its_end():
    match = seat_friends()
    for place in match.places.all():
        absence.resign(place, now=NOON)
    for minute in range(30):
        sweep.sweep(NOON + timedelta(minutes=minute))
    match.refresh_from_db()
    assert match.phase == "ended"
    assert list(audit.find_differences(match)) == []


# ── votes ──


def test_the_players_give_an_absent_players_seat_to_a_stranger():
    match = seat_friends(seats=4)
    former = absent(match)
    ann, _, cleo, _dora = match.places.all()
    proposal = votes.propose(ann, "give", seat=1, address="zoe@example.org", now=NOON)
    assert proposal.passed_at is None
    with pytest.raises(ValidationError):
        votes.vote(former, proposal.pk, now=NOON)
    proposal = votes.vote(cleo, proposal.pk, now=NOON)
    assert proposal.passed_at
    zoe = proposal.player
    place = takeover.take_over(proposal, zoe, now=NOON + HOUR)
    assert (place.player, place.name, place.card_name) == (zoe, "zoe", "Bob")
    assert place.occupant == former.occupant + 1
    assert Departure.objects.get().player == former.player
    match.refresh_from_db()
    story = [line.text for line in tell_story(match, None)]
    assert "zoe took over Bob’s seat." in story
    assert list(audit.find_differences(match)) == []
    assert scene.build_scene(match, 1).story.news == tell_story(match, 1)


def test_a_newcomer_inherits_nothing_but_the_reserve_time():
    match = seat_friends()
    former = absent(match)
    spent = {
        "unreached": mail_credits.MAX_UNREACHED,
        "excuses": 0,
        "misses": 2,
        "hears_notes": False,
        "bank": 5 * HOUR,
    }
    Place.objects.filter(pk=former.pk).update(**spent, wants_reminders=False, nudged=True)
    proposal = votes.offer_seat(match.pk, 1, "zoe@example.org", now=NOON + HOUR)
    takeover.take_over(proposal, proposal.player, now=NOON + 2 * HOUR)
    newcomer = match.places.get(seat=1)
    assert (newcomer.unreached, newcomer.excuses, newcomer.misses) == (0 * HOUR, match.parsed_pace.excuses, 0)
    assert (newcomer.hears_notes, newcomer.wants_reminders, newcomer.nudged) == (True, True, False)
    assert (newcomer.invited_at, newcomer.confirmed_at) == (NOON + HOUR, NOON + 2 * HOUR)
    assert newcomer.bank == 5 * HOUR


def test_events_before_a_newcomer_sat_down_name_the_former_player():
    match = seat_friends()
    reminders.remind_players(NOON + 18 * HOUR)
    timeouts.time_out_all(NOON + DAY)
    Note.objects.create(match=match, seat=1, seq=4, text="Sorry.", said_at=NOON + DAY)
    absent(match)
    ann, _, cleo = match.places.all()
    votes.propose(ann, "give", seat=1, address="zoe@example.org", now=NOON + DAY)
    proposal = votes.propose(cleo, "give", seat=1, address="", now=NOON + DAY)
    takeover.take_over(proposal, proposal.player, now=NOON + DAY)
    match.refresh_from_db()
    for reader in (None, 0, 1):
        story = [line.text for line in tell_story(match, reader)]
        assert "Bob got a reminder." in story
        assert "Bob ran out of time, so we played. Bob passed and drew a card." in story
        assert story[-1] == "zoe took over Bob’s seat."
        assert not any("zoe" in line or "You" in line for line in story[:-1])
    assert [(name, note.text) for name, note in own_seat.find_readable_notes(ann)] == [("Bob", "Sorry.")]
    assert own_seat.find_readable_notes(match.places.get(seat=1)) == []


def test_a_player_who_knows_the_table_cannot_take_over_a_seat():
    match = seat_friends(seats=4)
    absent(match)
    ann = match.places.get(seat=0)
    for address in ("cleo@example.org", "ann@example.org", "bob@example.org"):
        with pytest.raises(ValidationError):
            votes.propose(ann, "give", seat=1, address=address, now=NOON)


def test_a_player_who_left_a_table_cannot_return_in_another_seat():
    match = seat_friends(seats=3)
    absent(match)
    ann, _bob, cleo = match.places.all()
    votes.propose(ann, "give", seat=1, address="zoe@example.org", now=NOON)
    proposal = votes.propose(cleo, "give", seat=1, address="", now=NOON)
    takeover.take_over(proposal, proposal.player, now=NOON)
    absent(match, seat=2)
    with pytest.raises(ValidationError):
        votes.propose(ann, "give", seat=2, address="bob@example.org", now=NOON)


def test_a_player_who_comes_back_keeps_the_seat():
    match = seat_friends(seats=3)
    bob = absent(match)
    proposal = votes.offer_seat(match.pk, 1, "zoe@example.org", now=NOON)
    absence.return_to_seat(bob, now=NOON)
    assert votes.find_undecided(match) == []
    absent(match)  # away again: the earlier offer stays withdrawn
    with pytest.raises(ValidationError):
        takeover.take_over(proposal, proposal.player, now=NOON)


def test_a_seat_is_offered_to_another_person_if_the_first_does_not_come():
    match = seat_friends()
    absent(match)
    ann, _, cleo = match.places.all()
    for address in ("zoe@example.org", "yan@example.org"):
        proposal = votes.propose(ann, "give", seat=1, address=address, now=NOON)
        votes.vote(cleo, proposal.pk, now=NOON)
    zoe, yan = Proposal.objects.order_by("pk")
    with pytest.raises(ValidationError, match="no longer free"):
        takeover.take_over(zoe, zoe.player, now=NOON)
    assert takeover.take_over(yan, yan.player, now=NOON).name == "yan"


def test_naming_another_person_for_a_seat_is_not_agreeing_to_the_first():
    match = seat_friends()
    absent(match)
    ann, _, cleo = match.places.all()
    proposal = votes.propose(ann, "give", seat=1, address="zoe@example.org", now=NOON)
    with pytest.raises(ValidationError, match="already been suggested for this seat"):
        votes.propose(cleo, "give", seat=1, address="yan@example.org", now=NOON)
    proposal.refresh_from_db()
    assert proposal.passed_at is None


def test_a_vote_passes_without_a_player_who_fell_silent():
    match = seat_friends()
    ann, _, cleo = match.places.all()
    proposal = votes.propose(ann, "pause", now=NOON)
    votes.vote(cleo, proposal.pk, now=NOON)
    sweep.sweep(NOON)
    match.refresh_from_db()
    assert match.paused_at is None
    absent(match)
    sweep.sweep(NOON + HOUR / 100)
    match.refresh_from_db()
    assert match.paused_at
    assert list_house_lines(match)[-1] == ("pause", "player")


def test_a_player_who_comes_back_is_asked_to_vote_on_open_proposals():
    match = seat_friends()
    bob = absent(match)
    proposal = votes.propose(match.places.get(seat=0), "pause", now=NOON)
    absence.return_to_seat(bob, now=NOON)
    assert bob.player.letters.filter(kind="decide", key=f"p/{proposal.pk}").exists()


def give_away_alone(bots: int = 0) -> tuple[Match, Proposal]:
    """Ann alone gives Bob's seat to Zoe."""
    match = gather("fagioli", "standard", seats=2 + bots, bots=bots)
    bob = match.places.get(name="Bob")
    joining.accept_invitation(bob, name="Bob", word="broad", now=NOON)
    absent(match, bob.seat)
    ann = match.places.get(name="Ann")
    proposal = votes.propose(ann, "give", seat=bob.seat, address="zoe@example.org", now=NOON)
    return Match.objects.get(), proposal


@pytest.mark.parametrize("bots", [0, 2])
def test_one_vote_alone_seats_nobody_for_three_days(bots):
    match, proposal = give_away_alone(bots)
    assert proposal.free_at == NOON + 3 * DAY
    bob = match.places.get(seat=proposal.seat).player
    assert bob.letters.filter(kind="veto").exists()
    for hours in (0, 71):
        assert takeover.take_over(proposal, proposal.player, now=NOON + hours * HOUR).player == bob
        sweep.sweep(NOON + hours * HOUR)
    assert match.places.get(seat=proposal.seat).player == bob
    sweep.sweep(NOON + 72 * HOUR)
    place = match.places.get(seat=proposal.seat)
    assert (place.player, place.stand_in) == (proposal.player, False)
    assert list(audit.find_differences(Match.objects.get())) == []


def test_a_vote_that_becomes_unanimous_because_the_others_fall_silent_seats_nobody_at_once():
    match = seat_friends()
    absent(match)
    proposal = votes.propose(match.places.get(seat=0), "give", seat=1, address="zoe@example.org", now=NOON)
    absent(match, seat=2)
    sweep.sweep(NOON + HOUR / 100)
    proposal.refresh_from_db()
    assert proposal.free_at == NOON + HOUR / 100 + 3 * DAY


def test_two_votes_seat_a_newcomer_at_once():
    match = seat_friends()
    absent(match)
    ann, _, cleo = match.places.all()
    proposal = votes.propose(ann, "give", seat=1, address="zoe@example.org", now=NOON)
    proposal = votes.vote(cleo, proposal.pk, now=NOON)
    assert proposal.free_at is None
    assert takeover.take_over(proposal, proposal.player, now=NOON).player == proposal.player
    assert not Letter.objects.filter(kind="veto").exists()


def test_a_newcomer_who_answers_after_the_three_days_sits_down_at_once():
    match, proposal = give_away_alone()
    sweep.sweep(NOON + 4 * DAY)
    assert match.places.get(seat=1).stand_in
    assert takeover.take_over(proposal, proposal.player, now=NOON + 4 * DAY).player == proposal.player


@pytest.mark.parametrize("keep", ["veto", "return"])
def test_an_absent_player_keeps_the_seat_that_one_vote_would_give_away(keep):
    match, proposal = give_away_alone()
    bob = match.places.select_related("player").get(seat=1)
    takeover.take_over(proposal, proposal.player, now=NOON)
    if keep == "veto":
        assert votes.veto(proposal, bob.player, now=NOON + DAY)
    else:
        absence.return_to_seat(bob, now=NOON + DAY)
    sweep.sweep(NOON + 4 * DAY)
    with pytest.raises(ValidationError, match="no longer free"):
        takeover.take_over(proposal, proposal.player, now=NOON + 4 * DAY)
    assert match.places.get(seat=1).player == bob.player


def test_nobody_else_can_veto():
    match, proposal = give_away_alone()
    assert not votes.veto(proposal, match.places.get(seat=0).player, now=NOON)
    proposal.refresh_from_db()
    assert proposal.closed_at is None


def test_after_a_veto_the_seat_is_not_suggested_again_for_thirty_days():
    match, proposal = give_away_alone()
    ann, bob = match.places.select_related("player")
    votes.veto(proposal, bob.player, now=NOON)
    with pytest.raises(ValidationError, match="keeping their seat"):
        votes.propose(ann, "give", seat=1, address="yan@example.org", now=NOON + 29 * DAY)
    assert votes.propose(ann, "give", seat=1, address="yan@example.org", now=NOON + 31 * DAY).free_at


def test_a_veto_also_closes_a_suggestion_that_is_still_being_voted_on():
    match = seat_friends()
    absent(match)
    absent(match, seat=2)
    ann, bob, cleo = match.places.select_related("player")
    alone = votes.propose(ann, "give", seat=1, address="zoe@example.org", now=NOON)
    absence.return_to_seat(cleo, now=NOON)
    second = votes.propose(ann, "give", seat=1, address="yan@example.org", now=NOON)
    assert (alone.free_at, second.passed_at) == (NOON + 3 * DAY, None)
    votes.veto(alone, bob.player, now=NOON)
    assert votes.vote(cleo, second.pk, now=NOON).passed_at is None
    assert not match.proposals.filter(closed_at=None).exists()


def test_an_organiser_gives_the_seat_away_at_once_although_one_vote_waits_three_days():
    match, proposal = give_away_alone()
    offered = votes.offer_seat(match.pk, 1, proposal.player.address, now=NOON + DAY)
    assert (offered.origin, offered.free_at) == ("organiser", None)
    assert takeover.take_over(offered, proposal.player, now=NOON + DAY).player == proposal.player


def test_a_newcomer_who_refuses_letters_while_waiting_is_not_seated():
    match, proposal = give_away_alone()
    takeover.take_over(proposal, proposal.player, now=NOON)
    accounts.refuse_letters(proposal.player, now=NOON)
    sweep.sweep(NOON + 4 * DAY)
    proposal.refresh_from_db()
    assert proposal.closed_at
    assert match.places.get(seat=1).player != proposal.player


def test_a_seat_with_an_active_player_is_not_given_away():
    match = seat_friends()
    with pytest.raises(ValidationError):
        votes.offer_seat(match.pk, 1, "zoe@example.org", now=NOON)


def test_a_pause_needs_everyones_agreement_and_stops_the_clock():
    match = seat_friends()
    due = match.waits.get().due_at
    ann, bob, cleo = match.places.all()
    proposal = votes.propose(ann, "pause", now=NOON + HOUR)
    votes.vote(bob, proposal.pk, now=NOON + HOUR)
    match.refresh_from_db()
    assert match.paused_at is None
    votes.vote(cleo, proposal.pk, now=NOON + HOUR)
    sweep_until(match, NOON + 3 * DAY)
    assert match.paused_at == NOON + HOUR
    assert match.events.filter(origin="clock").count() == 0
    for place in (ann, bob, cleo):
        votes.propose(place, "resume", now=NOON + 3 * DAY + HOUR)
    match.refresh_from_db()
    assert match.paused_at is None
    assert match.waits.get().due_at == due + 3 * DAY
    assert list_house_lines(match) == [("pause", "player"), ("resume", "player")]


def test_a_move_during_a_pause_starts_a_turn_whose_clock_is_stopped():
    match = seat_friends()
    house_lines.pause(load.lock_match(match.pk), Event.Origin.ORGANISER, NOON)
    move(match, NOON + HOUR)
    wait = match.waits.get()
    assert (wait.due_at, wait.left) == (None, DAY)
    house_lines.resume(load.lock_match(match.pk), Event.Origin.ORGANISER, NOON + DAY)
    assert match.waits.get().due_at == NOON + 2 * DAY


def test_a_move_during_a_pause_uses_no_reserve_time():
    match = seat_friends(pace="1d bank 10h gain 6h")
    place = waited_for(match)
    Place.objects.filter(pk=place.pk).update(bank=2 * HOUR)
    house_lines.pause(load.lock_match(match.pk), Event.Origin.ORGANISER, NOON + HOUR)
    move(match, NOON + 10 * DAY)
    place.refresh_from_db()
    assert place.bank == 8 * HOUR


@pytest.mark.parametrize(
    ("paused", "resumes", "reminded", "due"),
    [
        (NOON + DAY / 2, FRIDAY + 20 * HOUR, MONDAY + 2 * HOUR, MONDAY + 8 * HOUR),  # the weekend comes after the pause
        (FRIDAY, MONDAY + 8 * HOUR, MONDAY + 14 * HOUR, MONDAY + 20 * HOUR),  # … or falls into it
    ],
)
def test_a_pause_keeps_the_remaining_time_on_days_that_count(paused, resumes, reminded, due):
    match = seat_friends(pace="1d bank 1d gain 6h days 12345", now=paused - 12 * HOUR)
    house_lines.pause(load.lock_match(match.pk), Event.Origin.ORGANISER, paused)
    house_lines.resume(load.lock_match(match.pk), Event.Origin.ORGANISER, resumes)
    wait = match.waits.get()
    assert (wait.remind_at, wait.due_at) == (reminded, due)
    asked = waited_for(match)
    move(match, due)
    asked.refresh_from_db()
    assert asked.bank == 6 * HOUR  # no more than the allowance was used


def test_a_player_in_a_market_is_reminded_after_a_pause_too():
    match = seat_friends("bohnanza", "standard")
    while not match.waits.filter(window=True).exists():
        seat = match.waits.exclude(due_at=None).get().seat
        ticket = redeem(MoveTicket, scene.build_scene(match, seat).question.options[0].ticket)
        moves.play_ticket(ticket, ticket.line, now=NOON)
        match.refresh_from_db()
    reminded = match.waits.get(window=True).remind_at
    house_lines.pause(load.lock_match(match.pk), Event.Origin.ORGANISER, NOON + HOUR)
    house_lines.resume(load.lock_match(match.pk), Event.Origin.ORGANISER, NOON + 2 * HOUR)
    assert match.waits.get(window=True).remind_at == reminded + HOUR


def test_a_forgotten_pause_ends_automatically():
    match = seat_friends()
    house_lines.pause(load.lock_match(match.pk), Event.Origin.ORGANISER, NOON)
    assert house_lines.end_long_pauses(NOON + 29 * DAY) == 0
    assert house_lines.end_long_pauses(NOON + 30 * DAY) == 1
    assert list_house_lines(match)[-1] == ("resume", "clock")


# ── away days ──


def test_a_table_waits_for_an_absent_player_who_pays_only_the_days_needed():
    match = seat_friends()
    place = waited_for(match)
    away = absence.announce_days_away(place.player, date(2026, 11, 16), date(2026, 11, 20), now=NOON)
    sweep_until(match, NOON + 2 * DAY)
    assert list_house_lines(match) == [("extend B to 2026-11-22T08:00Z", "player")]
    away.refresh_from_db()
    assert away.days_used == 4  # from the 17th, when the question fell due
    assert days_away.count_days_left(place.player, NOON) == days_away.STOCK - 4
    assert "is away. The table is waiting until" in tell_story(match, None)[-1].text
    assert scene.describe_absences(load.load_match(match.pk), None, NOON + 2 * DAY) != []


@pytest.mark.parametrize(
    ("zone", "day", "later"), [("Pacific/Kiritimati", 17, HOUR), ("Pacific/Honolulu", 16, 18 * HOUR)]
)
def test_days_away_are_those_of_the_players_own_calendar(zone, day, later):
    match = seat_friends()
    match.waits.update(due_at=NOON, remind_at=None)
    Player.objects.update(zone=zone)
    absence.announce_days_away(waited_for(match).player, date(2026, 11, day), date(2026, 11, day), now=NOON)
    assert timeouts.time_out_all(NOON + later) == 1
    assert list_house_lines(match)[-1][1] == "player"  # the table waits


def test_an_absence_without_a_due_question_costs_nothing():
    match = seat_friends()
    place = waited_for(match)
    absence.announce_days_away(place.player, date(2026, 11, 16), date(2026, 11, 20), now=NOON)
    move(match, NOON + HOUR)
    assert days_away.count_days_left(place.player, NOON) == days_away.STOCK


def test_the_number_of_away_days_is_limited():
    match = seat_friends()
    place = waited_for(match)
    absence.announce_days_away(place.player, date(2026, 11, 16), date(2027, 1, 10), now=NOON)
    timeouts.time_out_all(NOON + DAY)
    assert match.waits.get().due_at.date() == date(2026, 11, 17) + timedelta(days=days_away.STOCK + 1)
    timeouts.time_out_all(match.waits.get().due_at)
    assert match.events.filter(seat=place.seat, origin="clock").exists()


def test_a_player_back_from_away_days_is_reminded_before_the_deadline():
    match = seat_friends()
    place = waited_for(match)
    absence.announce_days_away(place.player, date(2026, 11, 16), date(2026, 11, 18), now=NOON)
    sweep_until(match, NOON + 2 * DAY)
    wait = match.waits.get()
    assert [line for line, _ in list_house_lines(match)] == ["extend B to 2026-11-20T08:00Z"]
    sweep_until(match, NOON + 3 * DAY, since=NOON + 2 * DAY)
    assert [line for line, _ in list_house_lines(match)] == ["extend B to 2026-11-20T08:00Z", "remind B"]
    reminded = match.events.get(line="remind B").said_at
    assert reminded.date() == date(2026, 11, 19)
    assert reminded < wait.due_at


def test_a_reminder_due_during_an_absence_comes_after_it():
    match = seat_friends(pace="relaxed")  # the reminder would come on the 18th, and the deadline is on the 19th
    place = waited_for(match)
    absence.announce_days_away(place.player, date(2026, 11, 17), date(2026, 11, 18), now=NOON)
    sweep_until(match, NOON + 2.5 * DAY)
    assert list_house_lines(match) == []
    sweep_until(match, NOON + 3 * DAY - HOUR, since=NOON + 2.5 * DAY)
    assert list_house_lines(match) == [("remind B", "clock")]
    assert match.events.get(line="remind B").said_at == NOON + 2.75 * DAY


@pytest.mark.parametrize("how_often", ["reminders", "once"])
def test_a_player_who_may_get_no_letter_but_the_reminder_gets_it_on_days_away_too(how_often):
    match = seat_friends(pace="relaxed")
    place = waited_for(match)
    accounts.change(place.player, how_often=how_often)
    absence.announce_days_away(place.player, date(2026, 11, 17), date(2026, 11, 18), now=NOON)
    sweep_until(match, NOON + 2.5 * DAY)
    assert list_house_lines(match) == [("remind B", "clock")]


def test_an_absence_is_shown_to_the_player_and_by_name_to_the_others():
    match = seat_friends()
    place = waited_for(match)
    absence.announce_days_away(place.player, date(2026, 11, 16), date(2026, 11, 20), now=NOON)
    own, others = (absences_read(match, reader) for reader in (place.seat, None))
    assert own[0].startswith("You’re away until Fri 20 Nov. If your time runs out, the table waits")
    assert others == [f"{place.name} is away until Fri 20 Nov."]
    with transaction.atomic():
        house_lines.substitute_bot(load.lock_match(match.pk), place, "clock", NOON)
    assert absences_read(match, place.seat) == ["A bot is playing for you."]


def absences_read(match: Match, reader: int | None) -> list[str]:
    return scene.describe_absences(load.load_match(match.pk), reader, NOON)


def test_reserve_time_is_not_promised_again_after_a_grace_period():
    match = seat_friends(pace="1d bank 10h gain 6h", excuses=1)
    place = waited_for(match)
    place.bank = 8 * HOUR
    place.save()
    Wait.objects.update(due_at=NOON + 32 * HOUR)
    assert scene.build_scene(match, place.seat).question.time_given == "one day, plus 8 hours in reserve"
    timeouts.time_out_all(NOON + 32 * HOUR)
    match.refresh_from_db()
    assert [line for line, _ in list_house_lines(match)] == ["extend B to 2026-11-18T08:00Z"]
    assert (
        scene.build_scene(match, place.seat).question.deadline_notes,
        scene.build_scene(match, place.seat).question.time_given,
    ) == ([], "")


def test_a_league_may_forbid_away_days_and_the_player_is_told_where():
    match = seat_friends()
    Match.objects.update(away_days=0)
    place = waited_for(match)
    absence.announce_days_away(place.player, date(2026, 11, 16), date(2026, 11, 20), now=NOON)
    assert days_away.find_stricter_matches(place.player, []) == [match]
    timeouts.time_out_all(NOON + DAY)
    assert match.events.filter(seat=place.seat, origin="clock").exists()


def test_a_player_who_comes_back_early_gets_the_remaining_days_back():
    match = seat_friends()
    place = waited_for(match)
    absence.announce_days_away(place.player, date(2026, 11, 16), date(2026, 11, 20), now=NOON)
    timeouts.time_out_all(NOON + DAY)
    absence.come_back(place.player, now=NOON + 2 * DAY)
    assert days_away.count_days_left(place.player, NOON) == days_away.STOCK - 1
    assert days_away.find_absence(place.player, NOON + 2 * DAY) is None


@pytest.mark.parametrize(("first", "last"), [((11, 20), (11, 18)), ((11, 1), (11, 3)), ((11, 16), (2, 28))])
def test_impossible_away_days_are_refused(first, last):
    ann = accounts.get_or_create_player("ann@example.org", now=NOON)
    with pytest.raises(ValidationError):
        absence.announce_days_away(ann, date(2026, *first), date(2027 if last[0] < 11 else 2026, *last), now=NOON)


@pytest.mark.parametrize("first", [date(2026, 11, 16), date(9999, 12, 31)])
def test_away_days_until_the_end_of_the_calendar_are_refused(first):
    ann = accounts.get_or_create_player("ann@example.org", now=NOON)
    with pytest.raises(ValidationError, match="up to 60 days"):
        absence.announce_days_away(ann, first, date(9999, 12, 31), now=NOON)


def test_adjacent_away_days_are_one_absence():
    ann = accounts.get_or_create_player("ann@example.org", now=NOON)
    absence.announce_days_away(ann, date(2026, 11, 20), date(2026, 11, 22), now=NOON)
    joined = absence.announce_days_away(ann, date(2026, 11, 23), date(2026, 11, 25), now=NOON)
    assert (joined.first, joined.last) == (date(2026, 11, 20), date(2026, 11, 25))
    assert ann.absences.count() == 1


def test_days_between_two_absences_join_all_three():
    ann = accounts.get_or_create_player("ann@example.org", now=NOON)
    absence.announce_days_away(ann, date(2026, 11, 16), date(2026, 11, 18), now=NOON)
    absence.announce_days_away(ann, date(2026, 11, 24), date(2026, 11, 26), now=NOON)
    ann.absences.filter(first=date(2026, 11, 16)).update(used_from=date(2026, 11, 17), used_until=date(2026, 11, 18))
    joined = absence.announce_days_away(ann, date(2026, 11, 19), date(2026, 11, 25), now=NOON)
    assert (joined.first, joined.last) == (date(2026, 11, 16), date(2026, 11, 26))
    assert list(ann.absences.values_list("first", "last")) == [(joined.first, joined.last)]
    assert ann.absences.get().days_used == 2


def test_joined_absences_have_the_same_maximum_length():
    ann = accounts.get_or_create_player("ann@example.org", now=NOON)
    absence.announce_days_away(ann, date(2026, 11, 16), date(2026, 12, 31), now=NOON)
    with pytest.raises(ValidationError, match="up to 60 days"):
        absence.announce_days_away(ann, date(2027, 1, 1), date(2027, 1, 15), now=NOON)  # 61 with the days before
    assert absence.announce_days_away(ann, date(2027, 1, 1), date(2027, 1, 14), now=NOON).days == 60


# ── silence, and tables that never filled ──


def test_a_silent_player_is_asked_once_and_answers_with_one_press():
    match = seat_friends(pace="60d")
    place = match.places.get(seat=1)
    assert absence.ask_silent_players(NOON + 13 * DAY) == 0
    assert absence.ask_silent_players(NOON + 14 * DAY) == 3
    assert absence.ask_silent_players(NOON + 14 * DAY) == 0
    absence.confirm_still_playing(place, now=NOON + 15 * DAY)
    assert absence.ask_silent_players(NOON + 21 * DAY) == 2
    assert list(match.places.values_list("misses", flat=True)) == [2, 0, 2]


def test_a_table_that_never_filled_is_called_off():
    match = gather()
    assert sweep.sweep(NOON + 20 * DAY) == 0
    assert sweep.sweep(NOON + 21 * DAY) == 1
    match.refresh_from_db()
    assert (match.phase, match.ending) == ("called off", "expired")


# ── outages and bounced letters ──


def test_an_outage_extends_deadlines_and_causes_no_burst_of_timeouts():
    match = seat_friends()
    sweep.sweep(NOON + HOUR)
    back = NOON + 2 * DAY
    sweep.sweep(back)
    match.refresh_from_db()
    assert match.events.filter(origin="clock").count() == 0
    assert list_house_lines(match) == [("extend B to 2026-11-19T11:00Z", "house")]
    sweep_until(match, back + 3 * HOUR, since=back)
    assert len(list_house_lines(match)) == 1


def test_an_outage_uses_no_reserve_time():
    match = seat_friends(pace="1d bank 10h gain 6h")
    place = waited_for(match)
    sweep.sweep(NOON + HOUR)
    sweep.sweep(NOON + 30 * HOUR)
    move(match, NOON + 31 * HOUR)
    place.refresh_from_db()
    assert place.bank == 6 * HOUR


def test_a_slightly_late_sweep_is_no_outage():
    sweep.sweep(NOON)
    assert outages.record_heartbeat(NOON + timedelta(minutes=4)) is None
    assert outages.record_heartbeat(NOON + timedelta(minutes=10)) is not None


def test_a_corrected_clock_hides_no_outage():
    sweep.sweep(NOON + DAY)
    assert outages.record_heartbeat(NOON) is None
    assert outages.find_last_heartbeat() == NOON
    assert outages.record_heartbeat(NOON + timedelta(minutes=10)) is not None


def test_small_clock_differences_between_machines_are_no_outage():
    sweep.sweep(NOON + timedelta(minutes=7))
    assert outages.record_heartbeat(NOON) is None
    assert outages.record_heartbeat(NOON + timedelta(minutes=8)) is None


def test_a_letter_that_was_sent_late_extends_the_deadline():
    match = seat_friends()
    place, wait = waited_for(match), match.waits.get()
    assert not mail_credits.credit_late_letter(
        match, place.player, wait.opened, promised=NOON, now=NOON + timedelta(minutes=2)
    )
    assert mail_credits.credit_late_letter(match, place.player, wait.opened, promised=NOON, now=NOON + 3 * HOUR)
    assert match.waits.get().due_at == NOON + DAY + 3 * HOUR


def test_a_bounced_letter_stops_the_clock_for_three_days_at_most():
    match = seat_friends()
    place = waited_for(match)
    assert [mail_credits.credit_bounce(match, place.player, now=NOON) for _ in range(4)] == [True, True, True, False]
    assert match.waits.get().due_at == NOON + 4 * DAY


def test_a_player_who_complains_gets_no_letters_and_a_bot_plays_for_them():
    match = seat_friends()
    place = waited_for(match)
    assert absence.stop_letters_and_seats(place.player, now=NOON) == 1
    assert match.places.get(seat=place.seat).stand_in
    place.player.refresh_from_db()
    assert place.player.unwanted_at


# ── the sweep ──


def test_a_failing_row_does_not_stop_the_others_and_is_retried_later():
    bad, good = seat_friends(), seat_friends()
    Wait.objects.filter(match=bad).update(about="nonsense", seat=2)  # a seat that is not asked
    due = NOON + DAY
    assert timeouts.time_out_all(due) == 1
    assert good.events.filter(origin="clock").count() == 1
    assert due_questions.check_health(due).stalled == 1
    assert due_questions.release_stalled(due + timedelta(minutes=9)) == 0
    assert due_questions.release_stalled(due + timedelta(minutes=10)) == 1


def test_a_question_is_not_postponed_because_the_one_before_it_failed(monkeypatch):
    match = seat_friends()
    wait = match.waits.get()

    def answers_just_then(*_told, **_more):
        moves.play(match.pk, wait.seat, "pass", origin="player", question=wait.opened, now=NOON + DAY)

    monkeypatch.setattr(timeouts, "take_next_step", lambda *_given, **_more: 1 / 0)
    monkeypatch.setattr(batches.log, "error", answers_just_then)
    assert timeouts.time_out_all(NOON + DAY) == 0
    assert match.waits.get().opened > wait.opened
    assert due_questions.check_health(NOON + DAY).stalled == 0


def test_an_overdue_question_raises_an_alarm():
    seat_friends()
    assert due_questions.check_health(NOON + DAY).is_well
    assert due_questions.check_health(NOON + DAY + timedelta(minutes=10)).overdue == 1


def test_a_late_sweep_causes_no_timeout_at_night():
    match = seat_friends()
    Wait.objects.update(due_at=NOON + 9 * HOUR, remind_at=None)
    timeouts.time_out_all(NOON + 11 * HOUR)
    assert match.waits.get().due_at == NOON + 20 * HOUR
    assert Proposal.objects.count() == match.events.filter(origin="clock").count() == 0
