"""The sweep, on several machines at once."""

import threading
from datetime import timedelta

import pytest
from django.db import connection, connections, transaction

from beanpost.play import absence, house, late, moves, opening, signals, sweeping, together
from beanpost.play.models import Event, Match, Vault, Wait
from tests.friends import NOON, gather, seat_friends

DUE = NOON + timedelta(days=1)


@pytest.mark.postgres
@pytest.mark.django_db(transaction=True)
def test_several_machines_at_once_say_every_default_once():
    matches = [seat_friends() for _ in range(6)]
    done: list[int] = []

    def machine() -> None:
        done.append(late.time_out(DUE))
        connections.close_all()

    machines = [threading.Thread(target=machine) for _ in range(4)]
    for thread in machines:
        thread.start()
    for thread in machines:
        thread.join()
    while late.time_out(DUE):  # what was passed over because another held it
        pass
    assert [match.events.filter(origin=Event.Origin.CLOCK).count() for match in matches] == [1] * 6


@pytest.mark.django_db
def test_a_sweep_that_is_run_twice_does_everything_once():
    match = seat_friends()
    sweeping.sweep(DUE - timedelta(seconds=30))
    first = match.events.count()
    assert sweeping.sweep(DUE) == 1
    assert sweeping.sweep(DUE) == 0
    assert match.events.count() == first + 1


@pytest.mark.django_db
def test_an_errand_that_stumbles_keeps_the_house_from_no_other():
    forgotten, never_filled = seat_friends(), gather()
    Match.objects.filter(pk=forgotten.pk).update(paused_at=NOON)
    Vault.objects.filter(match=forgotten).delete()  # so that the pause cannot be ended
    sweeping.sweep(NOON + timedelta(days=40))
    never_filled.refresh_from_db()
    assert never_filled.phase == Match.Phase.CALLED_OFF


def forgotten_pause() -> Match:
    match = seat_friends()
    with transaction.atomic():
        house.pause(moves.lock(match.pk), Event.Origin.PLAYER, NOON)
    return match


def agreed_but_for_the_absent() -> Match:
    match = seat_friends()
    ann, bob, cleo = match.places.select_related("player", "match")
    for place in (ann, cleo):
        together.propose(place, "pause", now=NOON)
    with transaction.atomic():
        house.sit_bot_in(moves.lock(match.pk), bob, Event.Origin.CLOCK, NOON)
    return match


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("due", "errand", "announced"),
    [
        (forgotten_pause, house.end_long_pauses, signals.decided),
        (seat_friends, absence.wonder, signals.wondered),
        (gather, opening.expire, signals.expired),
        (agreed_but_for_the_absent, together.decide_without_absent, signals.decided),
    ],
)
def test_a_match_that_the_house_stumbles_over_keeps_an_errand_from_no_other(due, errand, announced, caplog):
    told: set[int] = set()
    broken, well = due(), due()

    def listener(match: Match, **_: object) -> None:
        if match == broken:
            raise RuntimeError(match.code)
        told.add(match.pk)

    announced.connect(listener)
    try:
        errand(NOON + timedelta(days=40))
    finally:
        announced.disconnect(listener)
    assert told == {well.pk}
    assert f"match {broken.pk} was put off: RuntimeError" in caplog.text
    assert broken.code not in caplog.text


@pytest.mark.django_db
@pytest.mark.parametrize(("field", "index"), [("due_at", "wait_due"), ("remind_at", "wait_remind")])
def test_what_is_due_is_found_by_an_index(field, index):
    due = Wait.objects.filter(**{f"{field}__lte": DUE}, stalled_at=None).order_by(field)[:200]
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute("SET LOCAL enable_seqscan = off")  # a table this small is read at once otherwise
    assert index in due.explain()
