"""The outbox: each letter is queued once, claimed by one sender, and never lost."""

from datetime import timedelta
from io import StringIO
from threading import Thread

import pytest
from django.core.management import CommandError, call_command
from django.db import connection, transaction

from beanpost.play import moves
from beanpost.play.display import scene
from beanpost.play.tickets import MoveTicket, redeem
from beanpost.play.turns import house_lines
from beanpost.players import accounts
from beanpost.post.models import Letter
from beanpost.post.outbox import claims, wake_up
from beanpost.post.outbox import queue as outbox_queue
from tests.friends import NOON, seat_friends
from tests.post.gallery import deliver, move

MINUTE = timedelta(minutes=1)
pytestmark = pytest.mark.django_db


@pytest.fixture
def ann(db):
    return accounts.get_or_create_player("ann@example.org", name="Ann", now=NOON)


def queue(player, *keys, **options):
    for key in keys:
        outbox_queue.queue(player, "settings", key, now=NOON, **options)


def only() -> Letter:
    return Letter.objects.get()


# ── queueing ──


def test_the_same_news_is_queued_once(ann):
    queue(ann, "settings/1", "settings/1", "settings/2")
    assert Letter.objects.count() == 2


def test_a_player_who_wants_no_letters_gets_none(ann):
    accounts.refuse_letters(ann, now=NOON)
    ann.refresh_from_db()
    queue(ann, "settings/1")
    assert not Letter.objects.exists()


def test_the_host_can_resubscribe_a_player_who_changed_their_mind(ann):
    with pytest.raises(CommandError, match="has not refused letters"):
        call_command("write_again", ann.address)
    accounts.refuse_letters(ann, now=NOON)
    call_command("write_again", ann.address.upper(), stdout=StringIO())
    ann.refresh_from_db()
    queue(ann, "settings/1")
    assert only().recipient == ann


def test_a_player_who_unsubscribes_gets_no_queued_letter_either(ann):
    queue(ann, "settings/1")
    accounts.refuse_letters(ann, now=NOON)
    assert deliver() == 0
    assert only().state == Letter.State.DROPPED


def test_a_move_that_is_rolled_back_takes_its_letters_with_it(match):
    before = Letter.objects.count()
    with transaction.atomic():
        move(match)
        assert Letter.objects.count() > before
        transaction.set_rollback(True)
    assert Letter.objects.count() == before


def test_the_worker_is_woken_after_the_transaction_that_queues_letters(ann, django_capture_on_commit_callbacks):
    with django_capture_on_commit_callbacks() as calls:
        queue(ann, "settings/1", "settings/2", "settings/3")
    assert set(calls) == {wake_up.SENDERS.request}  # which merges requests within a moment


def test_a_rolled_back_savepoint_does_not_cancel_the_wake_up(ann, django_capture_on_commit_callbacks):
    with django_capture_on_commit_callbacks() as calls:
        with transaction.atomic():
            queue(ann, "settings/1")
            transaction.set_rollback(True)
        queue(ann, "settings/2")
    assert calls == [wake_up.SENDERS.request]


def test_a_letter_that_is_held_back_wakes_nobody(ann, django_capture_on_commit_callbacks):
    with django_capture_on_commit_callbacks() as calls:
        queue(ann, "settings/1", after=NOON + MINUTE)
    assert calls == []
    assert deliver(NOON) == 0
    assert deliver(NOON + MINUTE) == 1


def test_a_current_letter_is_sent_once_an_hour(match):
    deliver()
    place = match.places.get(seat=match.waits.get().seat)
    for minutes in (0, 10, 59, 60):
        outbox_queue.queue_current(match, place, now=NOON + minutes * MINUTE)
    assert deliver(NOON + 60 * MINUTE) == 2


@pytest.mark.parametrize("is_paused", [False, True])
def test_a_held_back_letter_goes_at_once_to_a_player_who_asks_for_it(is_paused):
    """Ann plants one of two cards, closes the page, and wants to continue, even within an hour of an earlier
    request."""
    match = seat_friends("bohnanza", "standard", seats=4)
    deliver()
    place = match.places.get(seat=match.waits.get(due_at__isnull=False).seat)
    outbox_queue.queue_current(match, place, now=NOON)
    deliver()
    if is_paused:
        house_lines.pause(match, "player", NOON)
    shown = scene.build_scene(match, place.seat)
    moves.play_ticket(redeem(MoveTicket, shown.question.options[0].ticket), shown.question.options[0].line, now=NOON)
    assert deliver(NOON + MINUTE) == 0
    outbox_queue.queue_current(match, place, now=NOON + MINUTE)
    assert deliver(NOON + MINUTE) == 1


# ── claiming ──


def test_a_claimed_letter_is_not_claimed_again(ann):
    queue(ann, "settings/1", "settings/2")
    assert len(claims.claim(NOON, 10)) == 2
    assert claims.claim(NOON, 10) == []


def test_letters_are_claimed_with_all_related_rows(django_assert_num_queries):
    match = seat_friends()
    deliver()
    Letter.objects.filter(kind="turn").update(state=Letter.State.RETRY, due_at=NOON)  # as it was written
    queue(match.keeper, "settings/1")
    claimed = claims.claim(NOON, 10)
    assert [(bool(letter.match), letter.is_written) for letter in claimed] == [(True, True), (False, False)]
    alone = Letter.objects.select_related("recipient", "match", "body").in_bulk()
    with django_assert_num_queries(0):
        for letter in claimed:
            own, same = read_loaded_fields(letter), read_loaded_fields(alone[letter.pk])
            assert own == {name: same[name] for name in same if name not in claims.DEFERRED_FIELDS}
            assert read_loaded_fields(letter.recipient) == read_loaded_fields(alone[letter.pk].recipient)
    assert read_loaded_fields(claimed[0].match) == read_loaded_fields(match)
    assert claimed[0].source == alone[claimed[0].pk].source
    assert claimed[0].asked["match"] == match.pk


def read_loaded_fields(row):
    return {field.attname: row.__dict__[field.attname] for field in row._meta.fields if field.attname in row.__dict__}


def test_the_longest_waiting_letter_is_claimed_first(ann):
    queue(ann, "settings/1", after=NOON + 2 * MINUTE)
    queue(ann, "settings/2", after=NOON + MINUTE)
    assert [letter.key for letter in claims.claim(NOON + 5 * MINUTE, 1)] == ["settings/2"]


def test_the_letters_of_a_dead_sender_are_claimed_again(ann):
    queue(ann, "settings/1")
    claims.claim(NOON, 10)
    assert claims.claim(NOON + claims.LEASE - MINUTE, 10) == []
    assert [letter.attempts for letter in claims.claim(NOON + claims.LEASE, 10)] == [2]


def test_a_sender_whose_lease_expired_can_mark_nothing(ann):
    queue(ann, "settings/1")
    [lost] = claims.claim(NOON, 10)
    [ours] = claims.claim(NOON + claims.LEASE, 10)
    claims.mark_sent(lost, NOON + claims.LEASE)
    assert only().state == Letter.State.INFLIGHT
    assert not claims.extend_lease(lost, NOON + claims.LEASE)
    assert claims.extend_lease(ours, NOON + claims.LEASE)


def test_a_failing_letter_waits_longer_after_each_attempt_and_is_given_up(ann):
    queue(ann, "settings/1")
    now, pauses = NOON, []
    while only().state in Letter.ON_THE_WAY:
        now = only().due_at
        [letter] = claims.claim(now, 1)
        claims.mark_retry(letter, "SMTPServerDisconnected", now)
        pauses.append((only().due_at - now) // MINUTE)
    assert pauses[:10] == [1, 2, 4, 8, 16, 32, 64, 128, 240, 240]
    assert now - NOON > timedelta(hours=62)  # from Friday evening to Monday morning
    assert (only().state, only().error) == (Letter.State.FAILED, "SMTPServerDisconnected")


def test_a_letter_that_was_given_up_can_be_resent(ann):
    queue(ann, "settings/1")
    [letter] = claims.claim(NOON, 1)
    claims.mark_failed(letter, "SMTPRecipientsRefused 550")
    assert claims.resend([letter], NOON) == 1
    assert deliver() == 1
    assert (only().state, only().error) == (Letter.State.SENT, "")


def test_a_letter_in_flight_cannot_be_resent(ann):
    queue(ann, "settings/1")
    claims.claim(NOON, 1)
    assert claims.resend([only()], NOON) == 0


def test_a_sender_loses_a_letter_whose_recipient_changes_address(ann):
    bob = accounts.get_or_create_player("bob@example.org", name="Bob", now=NOON)
    queue(ann, "settings/1")
    queue(bob, "settings/2")
    to_ann, to_bob = claims.claim(NOON, 2)
    claims.release_unwritten(NOON, to=ann)
    assert [claims.find_held(letter).exists() for letter in (to_ann, to_bob)] == [False, True]
    accounts.change_address(ann, "anne@beans.example")
    [again] = claims.claim(NOON, 2)
    assert (again.pk, again.target_address) == (to_ann.pk, "anne@beans.example")


def test_due_letters_are_found_by_an_index(db):
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute("SET LOCAL enable_seqscan = off")  # otherwise PostgreSQL scans a table this small
    assert "letter_state_due" in claims.find_due(NOON).order_by("due_at", "pk")[:20].explain()


@pytest.mark.postgres
@pytest.mark.django_db(transaction=True)
def test_two_simultaneous_senders_never_get_the_same_letter(ann):
    queue(ann, *(f"settings/{n}" for n in range(60)))
    got: list[int] = []

    def claim_all() -> None:
        while batch := claims.claim(NOON, 7):
            got.extend(letter.pk for letter in batch)
        connection.close()

    senders = [Thread(target=claim_all) for _ in range(3)]
    for sender in senders:
        sender.start()
    for sender in senders:
        sender.join()
    assert sorted(got) == sorted(Letter.objects.values_list("pk", flat=True))


@pytest.mark.postgres
@pytest.mark.django_db(transaction=True)
def test_a_sender_skips_letters_that_another_is_claiming(ann):
    queue(ann, "settings/1", "settings/2")
    theirs: list[str] = []

    def claim_one() -> None:
        theirs.extend(letter.key for letter in claims.claim(NOON, 1))
        connection.close()

    with transaction.atomic():
        ours = [letter.key for letter in claims.claim(NOON, 1)]
        other = Thread(target=claim_one)
        other.start()
        other.join(timeout=120)
        assert not other.is_alive()
    assert (ours, theirs) == (["settings/1"], ["settings/2"])


@pytest.mark.postgres
@pytest.mark.django_db(transaction=True)
def test_a_letter_being_stored_stays_with_its_sender_when_others_are_taken_back(ann):
    queue(ann, "settings/1")
    [letter] = claims.claim(NOON, 1)

    def take_back() -> None:
        claims.release_unwritten(NOON)
        connection.close()

    other = Thread(target=take_back)
    with transaction.atomic():
        claims.store({letter: claims.ComposedLetter("ann@example.org", "Hello", b"", [], {})}, NOON)
        other.start()
        other.join(timeout=2)
        assert other.is_alive()  # it waits for our lock
    other.join(timeout=120)
    claims.mark_sent(letter, NOON)
    assert Letter.objects.get().state == Letter.State.SENT


# ── names ──


def test_a_letters_name_never_shows_its_contents(match):
    deliver()
    letter = Letter.objects.filter(kind="turn").get()
    assert letter.text
    assert f"{letter!r} {letter}" == f"turn letter {letter.pk} Your turn, letter {letter.pk}"


def test_an_unsaved_letter_has_a_name():
    assert str(Letter(kind="turn")) == "Your turn, letter None"
    assert str(Letter(7, kind="turn")) == "Your turn, letter 7"
