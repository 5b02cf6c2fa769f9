"""The sweep, on several machines at once."""

import threading
from datetime import timedelta

import pytest
from django.db import connection, connections, transaction

from beanpost.database import batches
from beanpost.play import load, signals
from beanpost.play.models import Event, Match, Place, Proposal, Vault, Wait
from beanpost.play.seats import lifecycle, votes
from beanpost.play.timekeeping import absence, sweep, timeouts
from beanpost.play.turns import house_lines
from tests.friends import NOON, gather, seat_friends

DUE = NOON + timedelta(days=1)


@pytest.mark.postgres
@pytest.mark.django_db(transaction=True)
def test_several_machines_play_every_default_once():
    matches = [seat_friends() for _ in range(6)]
    done: list[int] = []

    def machine() -> None:
        done.append(timeouts.time_out_all(DUE))
        connections.close_all()

    machines = [threading.Thread(target=machine) for _ in range(4)]
    for thread in machines:
        thread.start()
    for thread in machines:
        thread.join()
    while timeouts.time_out_all(DUE):  # rows skipped because another machine had locked them
        pass
    assert [match.events.filter(origin=Event.Origin.CLOCK).count() for match in matches] == [1] * 6


@pytest.mark.django_db
def test_a_sweep_that_runs_twice_does_everything_once():
    match = seat_friends()
    sweep.sweep(DUE - timedelta(seconds=30))
    first = match.events.count()
    assert sweep.sweep(DUE) == 1
    assert sweep.sweep(DUE) == 0
    assert match.events.count() == first + 1


@pytest.mark.django_db
def test_a_failing_step_of_the_sweep_does_not_stop_the_others():
    forgotten, never_filled = seat_friends(), gather()
    Match.objects.filter(pk=forgotten.pk).update(paused_at=NOON)
    Vault.objects.filter(match=forgotten).delete()  # so that the pause cannot be ended
    sweep.sweep(NOON + timedelta(days=40))
    never_filled.refresh_from_db()
    assert never_filled.phase == Match.Phase.CALLED_OFF


def forgotten_pause() -> Match:
    match = seat_friends()
    with transaction.atomic():
        house_lines.pause(load.lock_match(match.pk), Event.Origin.PLAYER, NOON)
    return match


def agreed_but_for_the_absent() -> Match:
    match = seat_friends()
    ann, bob, cleo = match.places.select_related("player", "match")
    for place in (ann, cleo):
        votes.propose(place, "pause", now=NOON)
    sit_bot_in(match, bob.seat)
    return match


def put_first(match: Match) -> None:
    """Make this match the longest overdue."""
    own, before = Match.objects.filter(pk=match.pk), NOON - timedelta(days=1)
    own.exclude(paused_at=None).update(paused_at=before)
    own.exclude(expires_at=None).update(expires_at=before)
    match.places.exclude(nudge_at=None).update(nudge_at=before)


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("due", "errand", "announced"),
    [
        (forgotten_pause, house_lines.end_long_pauses, signals.decided),
        (seat_friends, absence.ask_silent_players, signals.wondered),
        (gather, lifecycle.expire, signals.expired),
        (agreed_but_for_the_absent, votes.decide_without_absent, signals.decided),
    ],
)
def test_a_failing_match_does_not_block_the_others(due, errand, announced, caplog, monkeypatch):
    monkeypatch.setattr(batches, "BATCH", 1)
    announced_matches: set[int] = set()
    broken, *well = due(), due(), due()
    put_first(broken)

    def listener(match: Match, **_: object) -> None:
        if match == broken:
            raise RuntimeError(match.code)
        announced_matches.add(match.pk)

    announced.connect(listener)
    try:
        errand(NOON + timedelta(days=40))
    finally:
        announced.disconnect(listener)
    assert len(announced_matches) == 1
    assert announced_matches < {match.pk for match in well}
    assert f"match {broken.pk} was put off: RuntimeError" in caplog.text
    assert broken.code not in caplog.text


@pytest.mark.django_db
@pytest.mark.parametrize(("field", "index"), [("due_at", "wait_due"), ("remind_at", "wait_remind")])
def test_due_rows_are_found_by_an_index(field, index):
    due = Wait.objects.filter(**{f"{field}__lte": DUE}, stalled_at=None).order_by(field)[:200]
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute("SET LOCAL enable_seqscan = off")  # otherwise PostgreSQL scans a table this small
    assert index in due.explain()


# ── votes without absent players ──


def sit_bot_in(match: Match, seat: int) -> None:
    with transaction.atomic():
        house_lines.substitute_bot(load.lock_match(match.pk), match.places.get(seat=seat), Event.Origin.CLOCK, NOON)


def asked_to_go_back() -> Match:
    """A match in which everyone has agreed but Bob, who is absent: going back still needs his consent to unsee
    cards."""
    match = seat_friends()
    sit_bot_in(match, 1)
    proposal = votes.rewind_for_organiser(match.pk, 1, now=NOON)
    for seat in (0, 2):
        votes.vote(match.places.get(seat=seat), proposal.pk, now=NOON)
    return match


def asked_to_pause() -> Match:
    match = seat_friends()
    sit_bot_in(match, 1)
    votes.propose(match.places.get(seat=0), "pause", now=NOON)
    return match


def asked_to_give_a_seat_away() -> Match:
    """A match in which one of three others has agreed; two would be a majority."""
    match = seat_friends(seats=4)
    sit_bot_in(match, 1)
    votes.propose(match.places.get(seat=0), "give", seat=1, address="zoe@example.org", now=NOON)
    return match


@pytest.mark.django_db
@pytest.mark.parametrize("undecided", [asked_to_go_back, asked_to_pause, asked_to_give_a_seat_away])
def test_a_match_that_cannot_be_decided_yet_is_not_locked(undecided, django_assert_num_queries):
    match = undecided()
    proposals, voices, places = 1, 1, 1
    with django_assert_num_queries(proposals + voices + places):
        assert votes.decide_without_absent(NOON) == 0
    assert match.proposals.get().passed_at is None


@pytest.mark.django_db
def test_a_sweep_reads_only_the_open_proposals_in_a_short_query(django_assert_num_queries):
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute("SET LOCAL enable_seqscan = off")  # otherwise PostgreSQL scans a table this small
    assert "one_open_proposal" in votes.find_open_proposals().explain()
    with django_assert_num_queries(1) as asked:
        votes.decide_without_absent(NOON)
    assert len(asked[0]["sql"]) < 2_000


@pytest.mark.django_db
def test_a_seat_is_given_away_by_a_majority_of_the_active_players():
    match = asked_to_give_a_seat_away()
    for seat, decided in ((2, 0), (3, 1)):  # one of two is no majority, one of one is
        sit_bot_in(match, seat)
        assert votes.decide_without_absent(NOON) == decided


@pytest.mark.django_db
def test_a_match_goes_back_without_a_resigned_player_unless_it_has_moved_on():
    match, gone_on = asked_to_go_back(), asked_to_go_back()
    Place.objects.filter(match__in=(match, gone_on), seat=1).update(resigned_at=NOON)
    Proposal.objects.filter(match=gone_on).update(length=0)
    assert votes.decide_without_absent(NOON) == 1
    assert [one.proposals.get().passed_at for one in (match, gone_on)] == [NOON, None]
