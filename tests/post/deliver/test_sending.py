"""Sending over real SMTP: what arrives, which letters form a thread, and what happens on errors."""

import logging
import re
from contextlib import contextmanager
from datetime import timedelta

import pytest
from celery import Celery
from django.core import mail
from django.core.mail.backends.smtp import EmailBackend
from django.test import override_settings

from beanpost import celery_app
from beanpost.play import clock, load
from beanpost.play.log import storage
from beanpost.play.models import Match
from beanpost.play.tickets import SeatTicket, redeem
from beanpost.players import accounts
from beanpost.post import tasks
from beanpost.post.compose import headers
from beanpost.post.compose import letter as compose
from beanpost.post.deliver import reports, sending
from beanpost.post.models import Body, Letter
from beanpost.post.outbox import claims
from beanpost.post.outbox import queue as outbox_queue
from beanpost.privacy import storage_limits
from tests.friends import NOON, seat_friends, welcome_player
from tests.pages.table import press
from tests.post.gallery import asked, deliver, move
from tests.post.postbox import free_port, sending_to

pytestmark = pytest.mark.django_db
THREAD = ("References", "In-Reply-To")
SENT, RETRY, FAILED = Letter.State.SENT, Letter.State.RETRY, Letter.State.FAILED


def send(now=NOON) -> int:
    return sending.deliver(lambda: now)


@pytest.fixture
def ann(db):
    return welcome_player("ann@example.org", "Ann")


def queue(player, count: int, now=NOON) -> None:
    for n in range(count):
        outbox_queue.queue(player, "settings", f"settings/{n}", now=now)


def states() -> list[str]:
    return list(Letter.objects.order_by("pk").values_list("state", flat=True))


# ── at night ──


def test_a_reminder_does_not_leave_in_quiet_hours(match):
    night, morning = NOON + timedelta(hours=15), NOON + timedelta(hours=18)  # 03:00 and 06:00
    Letter.objects.all().delete()
    player = asked(match).player
    outbox_queue.queue(player, "reminder", "k", {"opened": match.waits.get().opened}, now=night, match=match)
    assert deliver(night) == 0
    assert Letter.objects.get().due_at == morning
    assert deliver(morning) == 1


def test_quiet_hours_are_those_where_the_reader_lives_when_the_letter_leaves(match):
    Letter.objects.all().delete()
    player = asked(match).player
    outbox_queue.queue(player, "reminder", "k", {"opened": match.waits.get().opened}, now=NOON, match=match)
    accounts.change(player, zone="Asia/Tokyo")
    assert deliver(NOON + timedelta(hours=1)) == 0  # 22:00
    assert Letter.objects.get().due_at == NOON + timedelta(hours=9)


def test_a_question_leaves_at_night(match):
    assert deliver(NOON + timedelta(hours=15)) >= 1


def test_league_news_waits_for_the_morning(ann):
    outbox_queue.queue(ann, "announcement", "k", {"league": 0}, now=NOON + timedelta(hours=15))
    assert deliver(NOON + timedelta(hours=15)) == 0
    assert Letter.objects.get().due_at == NOON + timedelta(hours=18)


# ── contents ──


def test_the_text_part_comes_first_and_html_beside_it(match, postbox):
    send()
    letter = next(letter for letter in postbox.letters if letter["To"] == "bob@example.org")
    assert letter.get_content_type() == "multipart/alternative"
    text, shown = letter.iter_parts()
    html, *pictures = shown.iter_parts()
    assert [part.get_content_type() for part in (text, html)] == ["text/plain", "text/html"]
    assert {part.get_content_type() for part in pictures} == {"image/png"}
    assert "Your turn, Bob" in text.get_content()
    assert "Your turn, Bob" in html.get_content()


def test_a_letter_is_stored_exactly_as_it_was_sent(match, postbox):
    send()
    kept = {bytes(letter.source).replace(b"\n", b"\r\n") for letter in Letter.objects.filter(state=SENT)}
    assert len(postbox.raw) == 3
    assert {raw.removesuffix(b"\r\n") for raw in postbox.raw} == {source.removesuffix(b"\r\n") for source in kept}


def test_two_matches_of_the_same_people_on_the_same_day_have_different_subjects(match, postbox):
    seat_friends()
    send()
    bob = [letter["Subject"] for letter in postbox.letters if letter["To"] == "bob@example.org"]
    assert len(bob) == len(set(bob)) == 2


def test_a_turn_letter_has_the_right_headers(match, postbox):
    send()
    letter = next(letter for letter in postbox.letters if letter["To"] == "bob@example.org")
    assert letter["From"] == "Beanpost <post@127.0.0.1>"
    assert letter["Subject"] == f"Haricots with Ann and Cleo · 16 November · no. {match.pk}"
    assert letter["Auto-Submitted"] == "auto-generated"
    assert letter["X-Auto-Response-Suppress"] == "OOF, NRN, AutoReply, RN"
    assert letter["List-Id"] == f"<{match.code}.127.0.0.1>"
    assert letter["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
    [ticket] = re.findall(r"^<http://127\.0\.0\.1:8000/unsubscribe/(.+)/>$", letter["List-Unsubscribe"])
    assert redeem(SeatTicket, ticket).seat == 1


def test_three_successive_letters_each_have_all_headers(match, postbox):
    """Byte for byte as they arrive; only the necessary values differ."""
    with override_settings(INBOUND_DOMAIN="in.beans.example"):
        send()
        for n in range(1, 10):
            move(match, "pass")
            send(NOON + timedelta(hours=n))
    three = [letter for letter in postbox.letters if letter["To"] == "cleo@example.org"][1:4]
    first, *_ = three
    for letter in three:
        assert letter["Auto-Submitted"] == "auto-generated"
        assert letter["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
        assert letter["In-Reply-To"] == letter["References"] == first["References"]
        assert (letter["Subject"], letter["List-Id"]) == (first["Subject"], f"<{match.code}.127.0.0.1>")
        https, mailto = letter["List-Unsubscribe"].split(", ")
        assert re.fullmatch(r"<http://127\.0\.0\.1:8000/unsubscribe/[\w:-]+/>", https)
        assert re.fullmatch(r"<mailto:u\+[a-z2-7]{1,62}@in\.beans\.example>", mailto)
        assert "multipart/alternative" in letter["Content-Type"]
        assert all(len(letter.get_all(name)) == 1 for name in ("Message-ID", "Date", "From", "Subject", "MIME-Version"))
    for name in ("Message-ID", "List-Unsubscribe", "Reply-To"):
        assert len({letter[name] for letter in three}) == 3


def test_no_header_starts_with_an_empty_line(match, postbox):
    send()
    for raw in postbox.raw:
        assert not re.search(rb"^[\w-]+: *\r\n", raw.partition(b"\r\n\r\n")[0], re.MULTILINE)


def test_three_letters_of_a_match_form_one_thread_per_reader(match, postbox):
    send()
    for n in range(1, 10):
        move(match, "pass")
        send(NOON + timedelta(hours=n))
    cleo = [letter for letter in postbox.letters if letter["To"] == "cleo@example.org"]
    bob = [letter for letter in postbox.letters if letter["To"] == "bob@example.org"]
    assert len(cleo) > 3
    assert len({letter["Message-ID"] for letter in cleo + bob}) == len(cleo + bob)
    [subject], [root], [answers] = (
        {letter[name] for letter in cleo} for name in ("Subject", "References", "In-Reply-To")
    )
    assert root == answers
    assert root not in {letter["References"] for letter in bob}
    assert root not in {letter["Message-ID"] for letter in cleo}
    assert subject == f"Haricots with Ann and Bob · 16 November · no. {match.pk}"


def test_a_very_long_match_continues_in_a_second_thread(match):
    deliver()
    letter = Letter.objects.get(kind="turn")
    first = thread(letter)
    copies = [Letter(**{**facts(letter), "key": f"old/{n}"}) for n in range(headers.LETTERS_PER_THREAD - 2)]
    Letter.objects.bulk_create(copies)
    assert thread(letter) == first
    Letter.objects.create(**{**facts(letter), "key": "old/last"})
    assert thread(letter) != first


def thread(letter: Letter) -> str:
    return headers.make_thread_id(letter, headers.count_earlier_letters(letter).sent_count)


def facts(letter: Letter) -> dict[str, object]:
    return {name: getattr(letter, name) for name in ("recipient", "match", "kind", "state", "created_at", "due_at")}


def test_a_provider_gets_the_same_letter_in_parts(match):
    """Anymail's own test backend takes a message apart as a provider's would."""
    with override_settings(EMAIL_BACKEND="anymail.backends.test.EmailBackend"):
        assert send() == 3
    [params] = [m.anymail_test_params for m in mail.outbox if m.to == ["bob@example.org"]]
    letter = Letter.objects.get(kind="turn")
    assert params["metadata"] == {"letter": letter.pk}
    assert (params["text_body"], params["html_body"]) == (letter.text, letter.html)
    assert params["extra_headers"]["Message-ID"] == headers.make_message_id(letter)
    assert params["extra_headers"]["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"


def test_a_retry_through_a_provider_has_the_same_contents_as_by_smtp(match, postbox):
    """Anymail's test backend records what a provider's API would get."""
    with override_settings(EMAIL_BACKEND="anymail.backends.test.EmailBackend"):
        send()
        Letter.objects.update(state=Letter.State.INFLIGHT, sent_at=None, due_at=NOON + claims.LEASE)
        send(NOON + claims.LEASE)
    first, again = ([contents(message.anymail_test_params) for message in half] for half in halves(mail.outbox))
    assert len(first) == 3
    assert first == again
    Letter.objects.update(state=Letter.State.INFLIGHT, sent_at=None, due_at=NOON + 2 * claims.LEASE)
    send(NOON + 2 * claims.LEASE)
    by_smtp = {letter["Message-ID"]: letter for letter in postbox.letters}
    for subject, to, text, html, head, attached in first:
        same = by_smtp[head["Message-ID"]]
        assert (same["Subject"], same["To"]) == (subject, *to)
        assert [same.get_body([kind]).get_content().splitlines() for kind in ("plain", "html")] == [
            text.splitlines(),
            html.splitlines(),
        ]
        assert {name: same[name] for name in head} == head
        files = [part for part in same.walk() if part.get_content_disposition()]
        assert attached == [
            (part.get_content_type(), part["Content-ID"], part.get_payload(decode=True)) for part in files
        ]
    assert all(kind == "image/png" for *_, attached in first for kind, _, _ in attached)
    assert any(attached for *_, attached in first)


def halves(sent: list) -> tuple[list, list]:
    return sent[: len(sent) // 2], sent[len(sent) // 2 :]


def contents(params) -> tuple:
    """Return what the provider is told to send: addresses, parts, headers and pictures."""
    attached = [(one.mimetype, one.content_id, one.content) for one in params["attachments"]]
    to = [address.addr_spec for address in params["to"]]
    return params["subject"], to, params["text_body"], params["html_body"], dict(params["extra_headers"]), attached


class Signing(EmailBackend):
    """A backend that a host may configure: it does more than hand a message over."""

    def _send(self, message) -> bool:
        message.extra_headers["DKIM-Signature"] = "signed"
        return super()._send(message)


def test_a_hosts_own_smtp_backend_is_used(ann, postbox):
    queue(ann, 1)
    with override_settings(EMAIL_BACKEND=f"{__name__}.Signing"):
        assert send() == 1
    assert [letter["DKIM-Signature"] for letter in postbox.letters] == ["signed"]


# ── batches ──


def test_many_letters_go_over_one_connection(ann, postbox):
    queue(ann, 45)  # more than two batches
    assert send() == 45
    assert len(set(postbox.peers)) == 1
    assert set(states()) == {SENT}


def test_the_task_sends_due_letters(ann, postbox):
    queue(ann, 2, clock.now())
    tasks.deliver()
    assert states() == [SENT, SENT]
    storage_limits.delete_old_data(clock.now())  # and has nothing to delete yet
    assert Body.objects.count() == 2


def test_an_internationalised_address_is_encoded_for_smtp(postbox):
    to = []
    postbox.answer = lambda envelope: to.extend(envelope.rcpt_tos)
    queue(accounts.get_or_create_player("zoe@bücher.example", name="Zoë", now=NOON), 1)
    with override_settings(DEFAULT_FROM_EMAIL="Böhnchen <post@bücher.example>"):
        assert send() == 1
    assert (postbox.senders, to) == (["post@xn--bcher-kva.example"], ["zoe@xn--bcher-kva.example"])


# ── errors ──


def test_a_letter_of_a_dead_sender_is_resent_with_the_same_bytes_and_message_id(match, postbox):
    send()
    Letter.objects.update(state=Letter.State.INFLIGHT, sent_at=None, due_at=NOON + claims.LEASE)
    assert send(NOON + claims.LEASE) == 3
    first, second = postbox.raw[:3], postbox.raw[3:]
    assert sorted(first) == sorted(second)
    assert len({letter["Message-ID"] for letter in postbox.letters}) == 3


def test_a_letter_refused_for_good_is_given_up_and_the_others_go(ann, postbox):
    queue(ann, 3)
    refusals = iter(["550 5.1.1 No such mailbox"])
    postbox.answer = lambda envelope: next(refusals, None)
    assert send() == 2
    assert states() == [FAILED, SENT, SENT]
    assert Letter.objects.get(state=FAILED).error == "SMTPDataError 550 5.1.1"


def test_a_refusal_that_cannot_be_recorded_is_retried_and_the_others_go(ann, postbox, monkeypatch):
    def stumble(letter, now):
        raise OSError

    queue(ann, 3)
    refusals = iter(["550 5.1.1 No such mailbox"])
    postbox.answer = lambda envelope: next(refusals, None)
    monkeypatch.setattr(reports, "handle_refusal", stumble)
    assert send() == 2
    assert states() == [RETRY, SENT, SENT]


def test_a_letter_refused_for_now_is_retried_with_the_same_bytes(ann, postbox):
    queue(ann, 1)
    postbox.answer = lambda envelope: "451 Come back later"
    assert send() == 0
    letter = Letter.objects.get()
    assert (letter.state, letter.error, letter.due_at) == (RETRY, "SMTPDataError 451", NOON + timedelta(minutes=1))
    postbox.answer = lambda envelope: None
    assert send() == 0
    assert send(NOON + timedelta(minutes=1)) == 1
    assert postbox.raw[0].strip() == bytes(letter.source).replace(b"\n", b"\r\n").strip()


def test_a_broken_connection_is_opened_again(ann, postbox):
    queue(ann, 3)
    breaks = iter(["421 Closing down"])
    postbox.answer = lambda envelope: next(breaks, None)
    assert send() == 2
    assert states() == [RETRY, SENT, SENT]


def test_a_server_that_always_disconnects_gets_two_letters_twice_and_the_others_wait(ann, postbox):
    queue(ann, 8)
    postbox.hangs_up = True
    assert send() == 0
    assert (len(postbox.raw), states()) == (2, [RETRY] * 8)
    postbox.hangs_up = False
    assert send(NOON + timedelta(minutes=2)) == 8
    assert len(postbox.raw) == 10
    assert len(set(postbox.raw)) == 8


def test_a_server_that_disconnects_sometimes_gets_the_other_letters(ann, postbox):
    queue(ann, 6)
    breaks = iter([True, False] * 3)

    def now_and_then(envelope) -> None:
        postbox.hangs_up = next(breaks)

    postbox.answer = now_and_then
    assert send() == 3
    assert states() == [RETRY, SENT] * 3


def test_letters_at_which_a_server_always_disconnects_do_not_block_the_others(ann, postbox):
    queue(ann, 8)
    postbox.hangs_up = True
    send()
    dreaded = list(postbox.raw)

    def at_these(envelope) -> None:
        postbox.hangs_up = envelope.original_content in dreaded

    postbox.answer = at_these
    assert send(NOON + timedelta(minutes=1)) == 6
    assert states() == [RETRY] * 2 + [SENT] * 6


def test_a_server_may_take_a_minute_over_a_letter_and_gets_it_once(ann, postbox, settings):
    queue(ann, 2)
    postbox.pause = 0.5
    assert settings.EMAIL_TIMEOUT == 60
    assert send() == 2
    assert len(postbox.raw) == 2


def test_an_unreachable_server_costs_one_attempt_and_no_letter(ann, postbox):
    queue(ann, 30)
    with sending_to(free_port()):
        assert send() == 0
    assert states() == [RETRY] * sending.BATCH + [Letter.State.QUEUED] * 10
    assert set(Letter.objects.filter(state=RETRY).values_list("error", flat=True)) == {
        "ConnectionRefusedError",
        "NoConnection",
    }
    assert send(NOON + timedelta(minutes=1)) == 30


def test_a_letter_that_cannot_be_rendered_blocks_no_other_and_logs_no_secret(match, postbox, caplog):
    Letter.objects.filter(kind="turn").update(values={"opened": {"a hand of": "9 9 9"}, "to": ["nowhere"]})
    Letter.objects.filter(kind="started", recipient__name="Ann").update(kind="unheard of")
    with caplog.at_level(logging.WARNING):
        send()
    broken = Letter.objects.get(kind="unheard of")
    assert (broken.state, broken.error) == (RETRY, "KeyError")
    assert Letter.objects.get(kind="started").state == SENT
    assert "was not sent: KeyError" in caplog.text
    assert "unheard of" not in caplog.text


def test_the_demo_stores_its_letters_and_sends_none(match):
    assert deliver() == 3
    assert mail.outbox == []
    assert [bool(letter.html) for letter in Letter.objects.filter(state=SENT)] == [True] * 3


def test_a_sent_letter_stays_sent_even_if_recording_it_fails(match, postbox, monkeypatch):
    def stumble(*_told, **_more):
        raise OSError

    monkeypatch.setattr("beanpost.post.deliver.sending.note_reached", stumble)
    assert send() == len(postbox.letters) == 3
    assert states().count(SENT) == 3
    assert not {RETRY, FAILED, Letter.State.INFLIGHT} & set(states())


def test_a_letter_that_cannot_be_stored_does_not_block_the_others(ann):
    """They are stored together; the database refuses a second body for one of them, whoever stored the first."""
    queue(ann, 3)
    batch = claims.claim(NOON, 20)
    Body.from_source(batch[1], b"of somebody else").save()
    batch[1]._state.fields_cache["body"] = None  # as it was when we claimed it
    assert sending.prepare_letters(batch, (), lambda: NOON) == [batch[0], batch[2]]
    assert states() == [Letter.State.INFLIGHT, RETRY, Letter.State.INFLIGHT]
    stored = Letter.objects.exclude(state=RETRY).order_by("pk")
    assert [letter.source for letter in batch[::2]] == [letter.source for letter in stored]


def test_only_the_first_of_two_letters_of_a_match_describes_the_deal(match):
    ann = match.places.get(seat=0).player
    Letter.objects.filter(kind="invitation").delete()
    outbox_queue.queue(ann, "started", "once more", now=NOON, match=match)
    assert Letter.objects.count() < sending.GROUP_SIZE
    deliver()
    first, second = match.letters.filter(recipient=ann, kind="started", state=SENT).order_by("pk")
    assert "The cards are dealt, Ann" in first.text
    assert "Here’s the table, Ann" in second.text


def test_only_letters_that_are_still_ours_are_sent(ann):
    queue(ann, 3)
    batch = claims.claim(NOON, 20)
    [lost] = claims.claim(NOON + claims.LEASE, 1)
    assert lost == batch[0]
    assert sending.prepare_letters(batch, (), lambda: NOON) == batch[1:]
    assert not Body.objects.filter(letter=lost).exists()


# ── several senders ──


def test_a_sender_at_a_slow_mail_server_yields_and_wakes_a_successor(ann):
    """No worker may be kept from the clock for minutes: that would count as an outage."""
    queue(ann, 200)
    seconds = iter(range(100_000))
    with calls() as made:
        sending.deliver(lambda: NOON + timedelta(seconds=next(seconds)))
    assert next(seconds) < 300
    assert made == [{"others": 0}]
    assert Letter.objects.filter(state=Letter.State.QUEUED).exists()


@pytest.mark.parametrize("before", [0, 1])
def test_a_sender_at_a_very_slow_mail_server_returns_untried_letters(ann, monkeypatch, before):
    """As if they had never been claimed: with their old due time and without a counted attempt."""
    now = [NOON]
    monkeypatch.setattr(sending.Connection, "send", lambda line, letter: now.append(now[-1] + timedelta(seconds=12)))
    queue(ann, 15, NOON - timedelta(minutes=1))
    Letter.objects.update(attempts=before)
    with calls() as made:
        assert sending.deliver(lambda: now[-1], 1) == 3
    assert made == [{"others": 1}]
    left = Letter.objects.exclude(state=SENT)
    assert set(left.values_list("attempts", "due_at")) == {(before, NOON - timedelta(minutes=1))}
    assert list(left.order_by("pk").values_list("state", flat=True)) == [RETRY] * 2 + [Letter.State.QUEUED] * 10
    again = claims.claim(now[-1], 20)
    assert [letter.is_written for letter in again] == [True] * 2 + [False] * 10


def test_a_sender_that_drops_letters_for_long_yields_too(ann, monkeypatch):
    """As after days without a mail server: most queued letters are no longer needed."""
    now = [NOON]

    def no_longer_needed(batch, time):
        now.append(now[-1] + timedelta(seconds=20))
        for letter in batch:
            claims.mark_dropped(letter)
        return iter(())

    monkeypatch.setattr(sending, "iterate_ready", no_longer_needed)
    queue(ann, 3 * sending.BATCH)
    with calls() as made:
        assert sending.deliver(lambda: now[-1], 0) == 0
    assert made == [{"others": 0}]
    assert Letter.objects.filter(state=Letter.State.QUEUED).count() == sending.BATCH


def test_a_failing_mail_server_wakes_no_successor_at_once(ann, monkeypatch):
    def takes_no_more(line, letter):
        line.is_dead = True
        raise sending.NoConnection

    monkeypatch.setattr(sending.Connection, "send", takes_no_more)
    queue(ann, 40)
    seconds = iter(range(0, 100_000, 10))
    with calls() as made:
        sending.deliver(lambda: NOON + timedelta(seconds=next(seconds)))
    assert made == []


@pytest.mark.parametrize(("count", "others", "called"), [(19, 1, []), (21, 1, [{"others": 0}]), (21, 0, [])])
def test_many_queued_letters_wake_one_more_sender(ann, count, others, called):
    queue(ann, count)
    with override_settings(EMAIL_BACKEND="django.core.mail.backends.dummy.EmailBackend"), calls() as made:
        assert sending.deliver(lambda: NOON, others) == count
    assert made == called


@pytest.mark.parametrize(("seconds", "occupant"), [(1, 1), (3, 2)])
def test_a_letter_written_late_loads_its_match_again(match, seconds, occupant):
    """All matches of a batch are loaded together; a slow mail server may come between."""
    batch = claims.claim(NOON, 20)
    compose.load_matches(batch)
    match.places.update(occupant=2)
    [letter] = [letter for letter in batch if letter.kind == "turn"]
    assert sending.prepare_letters([letter], (), lambda: NOON + timedelta(seconds=seconds)) == [letter]
    assert letter.asked["occupant"] == occupant


def test_letters_of_one_match_share_one_loading(match):
    batch = claims.claim(NOON, 20)
    compose.load_matches(batch)
    own = [letter for letter in batch if letter.match_id == match.pk]
    assert len(own) > 1
    assert len({id(letter.match) for letter in own}) == 1


def test_the_log_of_a_match_is_replayed_once_for_all_its_letters(match):
    batch = claims.claim(NOON, 20)
    compose.load_matches(batch)
    storage.replay_lines.cache_clear()
    own = [compose.compose(letter, NOON) for letter in batch if letter.match_id == match.pk]
    assert len([letter for letter in own if letter]) > 1
    assert storage.replay_lines.cache_info().misses == 1


def test_refreshing_a_match_discards_what_was_loaded(match):
    load.load_matches([match])
    match.refresh_from_db()
    before = load.load_match(match.pk).table
    press(Match.objects.get(pk=match.pk))
    assert load.load_match(match.pk).table != before


def test_a_letter_of_a_batch_needs_one_query_of_its_own(match, django_assert_max_num_queries):
    """Has the match moved on meanwhile, is it the first letter, and which thread is it in?"""
    batch = claims.claim(NOON, 20)
    compose.load_matches(batch)
    [letter] = [letter for letter in batch if letter.kind == "turn"]
    with django_assert_max_num_queries(1):
        assert compose.compose(letter, NOON)


@contextmanager
def calls():
    """Collect the arguments of the tasks queued within."""
    app, made = Celery("calls", broker="memory://calls", set_as_current=False), []
    app.conf.task_default_queue = "calls"
    app.set_current()
    try:
        yield made
    finally:
        celery_app.set_current()
        with app.connection_for_read() as connection, connection.SimpleQueue("calls") as waiting:
            made += [waiting.get_nowait().payload[1] for _ in range(waiting.qsize())]


def test_a_late_letter_extends_the_deadline_once(match):
    due = match.waits.get().due_at
    deliver(NOON + timedelta(hours=3))
    assert match.waits.get().due_at == due + timedelta(hours=3)
    claims.resend(Letter.objects.filter(kind="turn"), NOON + timedelta(hours=3))
    deliver(NOON + timedelta(hours=6))
    assert match.waits.get().due_at == due + timedelta(hours=3)


# ── changed addresses ──


def turn_of_bob() -> Letter:
    return Letter.objects.select_related("recipient").filter(kind="turn", recipient__name="Bob").latest("pk")


def test_a_letter_waiting_for_a_retry_goes_to_the_readers_new_address(match, postbox):
    postbox.answer = lambda envelope: "451 Come back later"
    send()
    before = turn_of_bob()
    assert (before.state, before.address) == (RETRY, "bob@example.org")
    accounts.change_address(before.recipient, "bob@beans.example")
    postbox.answer = lambda envelope: None
    postbox.raw.clear()
    assert send(NOON + timedelta(minutes=10)) == 3
    assert sorted(letter["To"] for letter in postbox.letters) == [
        "ann@example.org",
        "bob@beans.example",
        "cleo@example.org",
    ]
    letter = turn_of_bob()
    assert (letter.state, letter.address, letter.created_at) == (SENT, "bob@beans.example", before.created_at)
    [to_bob] = [one for one in postbox.letters if one["To"] == "bob@beans.example"]
    assert to_bob["Message-ID"] == headers.make_message_id(letter)
    assert b"bob@example.org" not in letter.source
    assert reports.went_to_current_address(letter)
    before.refresh_from_db()
    assert (before.state, before.address) == (Letter.State.DROPPED, "bob@example.org")


def test_a_letter_resent_to_a_changed_address_is_a_new_letter(match, postbox):
    """The earlier one may still be answered, and a server may still report its fate."""
    send()
    before = turn_of_bob()
    accounts.change_address(before.recipient, "bob@beans.example")
    postbox.raw.clear()
    claims.resend([before], NOON)
    assert send() == 1
    [letter] = postbox.letters
    assert letter["To"] == "bob@beans.example"
    assert letter["Message-ID"] == headers.make_message_id(turn_of_bob()) != headers.make_message_id(before)
    went = Letter.objects.get(pk=before.pk)
    assert (went.state, went.address, went.source) == (SENT, "bob@example.org", before.source)


def test_a_player_who_changes_address_twice_is_written_to_at_each(match, postbox):
    send()
    postbox.raw.clear()
    for address in ("bob@beans.example", "rob@beans.example"):
        accounts.change_address(turn_of_bob().recipient, address)
        claims.resend([turn_of_bob()], NOON)
        send()
    assert [letter["To"] for letter in postbox.letters] == ["bob@beans.example", "rob@beans.example"]


def test_an_old_letter_is_resent_to_a_changed_address_every_time(match, postbox):
    send()
    before = turn_of_bob()
    accounts.change_address(before.recipient, "bob@beans.example")
    postbox.raw.clear()
    for minute in (1, 2):
        claims.resend([before], NOON + timedelta(minutes=minute))
        send(NOON + timedelta(minutes=minute))
        assert len(postbox.letters) == minute
    assert {letter["To"] for letter in postbox.letters} == {"bob@beans.example"}
    assert all(len(letter.key) <= Letter._meta.get_field("key").max_length for letter in Letter.objects.all())


def test_only_the_sender_that_holds_a_letter_writes_to_the_new_address(match):
    send()
    before = turn_of_bob()
    accounts.change_address(before.recipient, "bob@beans.example")
    claims.resend([before], NOON)
    Letter.objects.filter(pk=before.pk).update(state=Letter.State.INFLIGHT, attempts=1)
    held = Letter.objects.select_related("recipient", "match").get(pk=before.pk)
    for second in (1, 2):
        claims.rewrite_for_new_address(held, NOON + timedelta(seconds=second))
    assert Letter.objects.filter(recipient=before.recipient, kind="turn").count() == 2


def test_the_first_letter_resent_to_another_address_describes_the_deal(match):
    send()
    first = turn_of_bob()
    for minute, address in enumerate(("bob@beans.example", "rob@beans.example"), 1):
        accounts.change_address(turn_of_bob().recipient, address)
        claims.resend([first, turn_of_bob()], NOON + timedelta(minutes=minute))
        send(NOON + timedelta(minutes=minute))
    turns = Letter.objects.filter(kind="turn", recipient=first.recipient)
    assert [match.commitment in letter.text for letter in turns] == [True] * 4


def test_a_later_letter_resent_to_another_address_does_not_describe_the_deal(match):
    send()
    while (move(match, "pass") and asked(match).player) != turn_of_bob().recipient:
        pass
    send()
    before = turn_of_bob()
    assert match.commitment not in before.text
    accounts.change_address(before.recipient, "bob@beans.example")
    claims.resend([before], NOON)
    send()
    assert turn_of_bob().pk > before.pk
    assert match.commitment not in turn_of_bob().text


def test_a_letter_to_a_fixed_address_goes_there_however_often_it_is_sent(ann, postbox):
    values = {"to": "ann@example.org", "new": "anne@beans.example"}
    outbox_queue.queue(ann, "moved_address", "moved/1", values, now=NOON)
    accounts.change_address(ann, "anne@beans.example")
    send()
    source = Letter.objects.get().source
    claims.resend(Letter.objects.all(), NOON)
    send()
    assert [letter["To"] for letter in postbox.letters] == ["ann@example.org"] * 2
    assert Letter.objects.get().source == source


def test_a_letter_that_is_no_longer_needed_is_not_sent_to_the_new_address(match, postbox):
    send()
    letter = turn_of_bob()
    accounts.change_address(letter.recipient, "bob@beans.example")
    move(match)
    claims.resend([letter], NOON)
    postbox.raw.clear()
    send()
    assert "bob@beans.example" not in [letter["To"] for letter in postbox.letters]
    assert turn_of_bob().state == Letter.State.DROPPED
