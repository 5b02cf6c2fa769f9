"""Bodies of letters are deleted after a while; their outcome is kept."""

import zlib
from datetime import timedelta

import pytest

from beanpost.play import moves
from beanpost.play.models import Match
from beanpost.players import accounts
from beanpost.post.models import Body, Letter, Reply
from beanpost.post.outbox import addresses, claims, queue, retention
from beanpost.post.receive import inbox
from tests.friends import NOON, welcome
from tests.post.gallery import deliver

pytestmark = pytest.mark.django_db


def test_bodies_are_deleted_a_month_after_the_end_and_envelopes_are_kept(match):
    deliver()
    Match.objects.filter(pk=match.pk).update(ended_at=NOON, phase=Match.Phase.ENDED)
    assert retention.erase_contents(NOON + timedelta(days=29)) == 0
    written = Body.objects.count()
    assert written
    assert retention.find_oldest_text(NOON + timedelta(days=31)) == NOON + timedelta(days=30)
    assert retention.erase_contents(NOON + timedelta(days=31)) == 1
    assert retention.find_oldest_text(NOON + timedelta(days=31)) is None
    assert not Body.objects.exists()
    for letter in Letter.objects.all():
        assert (letter.text, letter.html, bytes(letter.source), letter.options, letter.values) == ("", "", b"", [], {})
    assert Letter.objects.filter(state=Letter.State.SENT, address__contains="@").count() == written
    assert retention.erase_contents(NOON + timedelta(days=31)) == 0


def test_a_letter_whose_body_was_deleted_is_not_resent(match):
    Letter.objects.update(state=Letter.State.FAILED)  # never written: a resend would write it now
    Match.objects.filter(pk=match.pk).update(ended_at=NOON)
    later = NOON + timedelta(days=31)
    retention.erase_contents(later)
    assert claims.resend(Letter.objects.all(), later) == 0
    assert set(Letter.objects.values_list("state", flat=True)) == {Letter.State.FAILED}


def test_a_letter_without_a_match_is_deleted_in_time_and_not_resent(db):
    ann = accounts.get_or_create_player("ann@example.org", name="Ann", now=NOON)
    queue.queue(ann, "settings", "settings/1", now=NOON)
    deliver()
    assert claims.resend(Letter.objects.all(), NOON + timedelta(days=31)) == 0
    assert claims.resend(Letter.objects.all(), NOON + timedelta(days=29)) == 1


def test_contents_of_letters_of_a_running_match_are_kept(match):
    deliver()
    assert retention.erase_contents(NOON + timedelta(days=300)) == 0


def test_bytes_are_deleted_days_after_sending_but_not_of_open_questions(match):
    deliver()
    asked = match.waits.get()
    player = match.places.get(seat=asked.seat).player
    others = Body.objects.exclude(letter__recipient=player).count()
    assert others
    assert retention.erase_bytes(NOON + timedelta(days=4)) == 0
    assert retention.erase_bytes(NOON + timedelta(days=8)) == others
    turn = Letter.objects.get(recipient=player, kind="turn")
    assert turn.source
    moves.play(match.pk, asked.seat, "pass", origin="player", question=asked.opened, now=NOON + timedelta(days=8))
    retention.erase_bytes(NOON + timedelta(days=8))
    turn = Letter.objects.get(pk=turn.pk)
    assert not turn.source
    assert turn.options
    assert turn.asked  # the answer to a late reply still says that its question was answered


def test_a_letter_on_the_way_keeps_its_bytes(match):
    deliver()
    match.waits.all().delete()
    Letter.objects.update(state=Letter.State.RETRY)
    assert retention.erase_bytes(NOON + timedelta(days=90)) == 0


def test_a_sent_letter_without_its_bytes_is_not_resent(match):
    deliver()
    match.waits.all().delete()
    retention.erase_bytes(NOON + timedelta(days=8))
    assert not Body.objects.exists()
    assert claims.resend(Letter.objects.filter(sent_at__isnull=False), NOON + timedelta(days=8)) == 0


def test_a_letter_stored_by_an_earlier_version_is_still_read(match):
    deliver()
    body = Body.objects.first()
    source = body.source
    Body.objects.filter(pk=body.pk).update(packed=zlib.compress(source, 9))
    assert Body.objects.get(pk=body.pk).source == source


def test_contents_are_erased_batch_after_batch(match, monkeypatch):
    deliver()
    monkeypatch.setattr(retention, "BATCH", 1)
    Match.objects.filter(pk=match.pk).update(ended_at=NOON, phase=Match.Phase.ENDED)
    assert Body.objects.count() > 1
    retention.erase_contents(NOON + timedelta(days=31))
    assert Body.objects.count() == 0


def test_envelopes_are_deleted_a_year_after_the_end(match, settings, monkeypatch):
    deliver()
    monkeypatch.setattr(retention, "BATCH", 1)
    queue.queue(match.places.first().player, "settings", "settings/1", now=NOON)
    Match.objects.filter(pk=match.pk).update(ended_at=NOON, phase=Match.Phase.ENDED)
    of_match = Letter.objects.filter(match=match)
    letter, written = of_match.filter(body__isnull=False).first(), Body.objects.count()
    letter.replies.create(fingerprint="x", received_at=NOON, due_at=NOON, state="played")
    a_year_later = NOON + timedelta(days=366)
    retention.prune(a_year_later)
    assert Body.objects.count() == written > 1  # the contents go first
    retention.erase_contents(a_year_later)
    assert retention.prune(NOON + timedelta(days=364)) == 0
    assert retention.prune(a_year_later) == 1
    assert retention.prune(a_year_later) == 0
    assert not of_match.exists()
    assert Letter.objects.get().kind == "settings"
    assert Match.objects.get().events.exists()


def test_the_host_decides_how_long_envelopes_are_kept(match, settings):
    deliver()
    Match.objects.filter(pk=match.pk).update(ended_at=NOON, phase=Match.Phase.ENDED)
    retention.erase_contents(NOON + timedelta(days=61))
    settings.ENVELOPES_KEPT_DAYS = 60
    assert retention.prune(NOON + timedelta(days=61)) > 0


def test_a_letter_on_its_way_keeps_its_envelope(match):
    Match.objects.filter(pk=match.pk).update(ended_at=NOON, phase=Match.Phase.ENDED)
    assert retention.prune(NOON + timedelta(days=400)) == 0
    assert Letter.objects.exists()


def test_a_reply_that_comes_in_during_erasure_is_read(db, monkeypatch):
    letter, later = stored_letter_without_a_match(), NOON + timedelta(days=31)
    erase = retention.erase_letter

    def take_in_and_erase(number):
        Reply.objects.create(letter=letter, fingerprint="1", received_at=later, due_at=later, source=b"pass")
        retention.keep_again(letter)
        return erase(number)

    monkeypatch.setattr(retention, "erase_letter", take_in_and_erase)
    assert retention.erase_contents(later) == 0
    assert bytes(Reply.objects.get().source) == b"pass"
    letter.refresh_from_db()
    assert not letter.is_erased


def test_a_letter_that_is_written_after_its_erasure_is_erased_again(db):
    letter = stored_letter_without_a_match(kind="lost", key="renewed/0", state="withheld")
    later = NOON + timedelta(days=31)
    retention.erase_contents(later)
    claims.release_delayed(letter.recipient, now=later)
    deliver(later)
    letter = Letter.objects.select_related("body").get()
    assert (letter.state, letter.is_erased, bool(letter.source)) == ("sent", False, True)
    retention.erase_contents(later + timedelta(days=31))
    letter = Letter.objects.get()
    assert (letter.is_erased, letter.subject) == (True, "")
    assert not Body.objects.exists()


def stored_letter_without_a_match(**differing):
    values = {"kind": "digest", "key": "1", "subject": "Your games", "state": "sent", "sent_at": NOON} | differing
    return Letter.objects.create(recipient=welcome("Ann"), created_at=NOON, due_at=NOON, **values)


def test_a_letter_about_an_erased_match_is_erased_too(match):
    deliver()
    Match.objects.filter(pk=match.pk).update(ended_at=NOON, phase=Match.Phase.ENDED)
    later = NOON + timedelta(days=31)
    match = Match.objects.get(pk=match.pk)  # as it was before
    retention.erase_contents(later)
    queue.queue(match.places.first().player, "lost", "again", {"note": "bean"}, now=later, match=match)
    assert retention.erase_contents(later) == 0  # it is on the way
    Letter.objects.filter(key="again").update(state=Letter.State.SENT)
    assert retention.erase_contents(later) == 1
    assert Letter.objects.get(key="again").values == {}


@pytest.mark.parametrize("has_match", [True, False])
def test_a_late_reply_to_an_erased_letter_is_erased_too(match, settings, has_match):
    settings.INBOUND_DOMAIN = "in.beans.example"
    later = NOON + timedelta(days=31)
    Match.objects.filter(pk=match.pk).update(ended_at=NOON, phase=Match.Phase.ENDED)
    queue.queue(match.places.first().player, "settings", "settings/1", now=NOON)
    Letter.objects.update(state=Letter.State.SENT)
    while retention.erase_contents(later):
        pass
    letter = Letter.objects.filter(match__isnull=not has_match).first()
    source = b"Message-ID: <late@players.example>\n\nHello"
    assert inbox.receive(source, addresses.build_address(addresses.TURN, letter.pk), sender="", now=later)
    assert retention.erase_contents(later) == 0  # not read yet
    Reply.objects.update(state=Reply.State.LEFT)
    assert retention.erase_contents(later) == 1
    assert bytes(Reply.objects.get().source) == b""
