"""Tracking events of providers: over their webhooks, late, twice and in any order."""

import hmac
import json
from base64 import b64encode
from datetime import timedelta

import pytest
from anymail.signals import AnymailTrackingEvent, tracking
from django.urls import reverse

from beanpost.pages.hosts.webhooks import list_webhooks
from beanpost.play import clock
from beanpost.play.display import scene
from beanpost.play.models import Match
from beanpost.play.tickets import NeverTicket, PlayerTicket, sign
from beanpost.play.timekeeping import mail_credits
from beanpost.players import accounts
from beanpost.players.models import Player
from beanpost.post import tasks
from beanpost.post.deliver import reports, sending
from beanpost.post.models import Letter, Report
from beanpost.post.outbox import claims, queue
from beanpost.privacy import storage_limits
from beanpost.urls import urlpatterns as site_urls
from tests.friends import NOON, gather
from tests.post.gallery import deliver, move

urlpatterns = [*site_urls, *list_webhooks(["postmark", "mailgun"])]
pytestmark = [pytest.mark.django_db, pytest.mark.urls(__name__)]
SECRET = "post:a-password-nobody-guesses"
DAY = timedelta(days=1)


@pytest.fixture(autouse=True)
def known_to_the_provider(settings):
    settings.ANYMAIL = {"WEBHOOK_SECRET": SECRET, "MAILGUN_WEBHOOK_SIGNING_KEY": "beans"}


@pytest.fixture
def turn(match):
    """Bob's first letter, which was sent."""
    deliver()
    return Letter.objects.get(kind="turn")


def bob() -> Player:
    return Player.objects.get(name="Bob")


def read(now=NOON) -> int:
    return reports.process_reports(lambda: now)


def tell(letter: Letter, kind: str, number: str = "") -> None:
    event = AnymailTrackingEvent(event_type=kind, event_id=number, metadata={"letter": str(letter.pk)})
    tracking.send(None, event=event, esp_name="Test")


def due(letter: Letter):
    return letter.match.waits.get().due_at


# ── webhooks ──


def post(client, provider, body, secret=SECRET):
    return client.post(
        f"/anymail/{provider}/tracking/",
        json.dumps(body),
        content_type="application/json",
        headers={"authorization": "Basic " + b64encode(secret.encode()).decode()} if secret else {},
    )


def postmark(letter: Letter, record: str, **more):
    """Return a payload as Postmark writes it."""
    return {
        "RecordType": record, "MessageID": "883953f4-6105-42a2-a16a-77a8eac79483", "Email": letter.address,
        "BouncedAt": "2026-11-16T12:05:00Z", "Metadata": {"letter": str(letter.pk)}, "ID": 42, **more,
    }  # fmt: skip


def mailgun(letter: Letter, event: str, **more):
    """Return a payload as Mailgun writes it."""
    token, timestamp = "token-of-this-call", "1794830700"
    signature = hmac.new(b"beans", f"{timestamp}{token}".encode(), "sha256").hexdigest()
    data = {"event": event, "recipient": letter.address, "user-variables": {"letter": str(letter.pk)}, "timestamp": 1.5}
    return {
        "signature": {"token": token, "timestamp": timestamp, "signature": signature},
        "event-data": data | more,
    }


BOUNCES = [
    ("postmark", lambda letter: postmark(letter, "Bounce", Type="HardBounce")),
    ("mailgun", lambda letter: mailgun(letter, "failed", severity="permanent", reason="bounce")),
]
COMPLAINTS = [
    ("postmark", lambda letter: postmark(letter, "SpamComplaint", Type="SpamComplaint")),
    ("mailgun", lambda letter: mailgun(letter, "complained")),
]


@pytest.mark.parametrize(("provider", "body"), BOUNCES)
def test_a_bounce_reported_by_a_webhook_counts_once_however_often_it_is_sent(client, turn, provider, body):
    before = due(turn)
    for _ in range(3):
        assert post(client, provider, body(turn)).status_code == 200
    assert due(turn) == before  # the webhook only stores
    assert (read(), read()) == (1, 0)
    turn.refresh_from_db()
    assert (turn.fate, turn.returned_at, bob().unreached_at) == ("bounced", NOON, NOON)
    assert due(turn) == before + DAY


@pytest.mark.parametrize(("provider", "body"), COMPLAINTS)
def test_a_complaint_is_final(client, turn, provider, body):
    assert post(client, provider, body(turn)).status_code == 200
    read()
    assert bob().unwanted_at == NOON
    assert turn.match.places.get(seat=1).stand_in
    queue.queue(bob(), "settings", "again", now=NOON)
    deliver(NOON + DAY)
    assert not Letter.objects.filter(recipient=bob(), key="again").exists()


@pytest.mark.parametrize("secret", ["", "post:guessed", "post"])
@pytest.mark.parametrize(("provider", "body"), BOUNCES)
def test_a_webhook_without_the_secret_is_refused(client, turn, provider, body, secret):
    assert post(client, provider, body(turn), secret).status_code == 400
    assert not Report.objects.exists()


def test_a_provider_that_is_not_configured_has_no_webhook(client):
    assert post(client, "mandrill", {}).status_code == 404


def test_a_webhook_accepts_only_post(client):
    assert client.get("/anymail/postmark/tracking/").status_code == 405


# ── effects ──


def test_an_event_about_no_letter_of_ours_is_dropped():
    for metadata in ({}, None, {"letter": "999"}, {"letter": "x' OR 1=1"}, {"letter": None}):
        tracking.send(None, event=AnymailTrackingEvent(event_type="bounced", metadata=metadata), esp_name="Test")
    assert not Report.objects.exists()


def test_an_event_about_an_opened_letter_is_not_stored(turn):
    tell(turn, "opened")
    assert not Report.objects.exists()


def test_a_bounce_stops_the_clock_for_three_days_at_most(turn):
    before = due(turn)
    for n in range(5):
        letter = turn
        if n:
            claims.resend([turn], NOON)
            deliver()
        tell(letter, "bounced", str(n))
        read()
    assert due(turn) == before + 3 * DAY
    assert turn.match.places.get(seat=1).unreached == mail_credits.MAX_UNREACHED


def test_a_soft_bounce_and_the_hard_one_after_it_count_once(turn):
    before = due(turn)
    tell(turn, "bounced", "1")
    tell(turn, "rejected", "2")
    read()
    assert due(turn) == before + DAY


def test_a_bounce_after_days_of_retries_does_not_mark_the_player_unreachable_at_once(turn):
    before = due(turn)
    metadata = {"letter": str(turn.pk)}
    event = AnymailTrackingEvent(event_type="bounced", reject_reason="timed_out", metadata=metadata)
    tracking.send(None, event=event, esp_name="Test")
    read()
    assert (Report.objects.get().soft, bob().unreached_at, due(turn)) == (True, None, before + DAY)


def test_a_report_about_an_answered_question_stops_no_clock(turn):
    move(turn.match)
    before = set(turn.match.waits.values_list("seat", "due_at"))
    tell(turn, "bounced")
    read()
    assert set(turn.match.waits.values_list("seat", "due_at")) == before


def test_a_report_about_a_former_address_is_noted_on_the_letter_only(turn):
    accounts.change_address(bob(), "bob@beans.example")
    tell(turn, "complained")
    tell(turn, "bounced")
    read()
    turn.refresh_from_db()
    assert turn.fate == "complained"
    assert (bob().unwanted_at, bob().unreached_at) == (None, None)
    assert not turn.match.places.filter(stand_in=True).exists()


def test_a_late_report_about_the_old_address_does_not_affect_the_new_one(turn):
    before = due(turn)
    accounts.change_address(bob(), "bob@beans.example")
    claims.resend([turn], NOON)
    deliver()
    assert Letter.objects.filter(address="bob@beans.example", state="sent").exists()
    tell(turn, "bounced")
    read()
    assert (bob().unreached_at, due(turn)) == (None, before)


@pytest.mark.parametrize("order", [("delivered", "bounced"), ("bounced", "delivered"), ("bounced", "deferred")])
def test_the_worst_report_stays_on_the_letter(turn, order):
    for kind in order:
        tell(turn, kind)
    read()
    turn.refresh_from_db()
    assert turn.fate == "bounced"
    assert bob().unreached_at


def test_a_player_who_gets_a_letter_again_is_reachable_again(turn):
    tell(turn, "bounced")
    read()
    claims.resend([turn], NOON)
    deliver(NOON + DAY)
    tell(turn, "delivered")
    read(NOON + DAY)
    assert bob().unreached_at is None


def test_a_new_address_is_reachable_until_reported_otherwise(turn):
    tell(turn, "bounced")
    read()
    accounts.change_address(bob(), "bob@beans.example")
    assert bob().unreached_at is None


def test_a_player_whose_mailbox_answers_automatically_is_asked_whether_they_are_away(turn):
    tell(turn, "autoresponded")
    read()
    assert Letter.objects.filter(kind="away_offer", recipient=bob()).count() == 1
    turn.refresh_from_db()
    assert turn.fate == ""


def test_a_complaint_about_an_invitation_frees_the_seat():
    match = gather()
    deliver()
    tell(Letter.objects.get(kind="invitation", recipient=bob()), "complained")
    read()
    assert not match.places.filter(player=bob()).exists()
    assert Letter.objects.filter(kind="declined").count() == 1


def test_an_unreadable_report_does_not_block_the_others_and_is_retried(turn, match):
    started = Letter.objects.get(kind="started", recipient__name="Ann")
    tell(started, "bounced")
    tell(turn, "bounced")
    Report.objects.filter(letter=started).update(kind="unheard of", told_at=NOON)
    assert read() == 1
    assert Report.objects.filter(read_at=None).count() == 1
    Report.objects.filter(letter=started).update(kind="bounced")
    assert read() == 1


def test_a_report_that_is_unreadable_for_a_day_makes_room_for_others(turn):
    tell(turn, "bounced")
    Report.objects.update(kind="unheard of", told_at=NOON)
    for now, left in ((NOON + DAY, 1), (NOON + DAY + timedelta(minutes=1), 0)):
        assert read(now) == 0
        assert Report.objects.filter(read_at=None).count() == left


def test_the_mail_task_reads_reports_too(turn):
    tell(turn, "bounced")
    tasks.read()
    assert not Report.objects.filter(read_at=None).exists()


def test_reports_are_deleted_after_a_month_and_the_fate_of_the_letter_is_kept(turn):
    now = clock.now()
    for kind, days in (("deferred", 31), ("bounced", 29), ("delivered", None)):
        tell(turn, kind)
        read_at = now - timedelta(days=days) if days else None
        Report.objects.filter(kind=kind).update(told_at=now - timedelta(days=31), read_at=read_at)
    Letter.objects.filter(pk=turn.pk).update(fate="bounced")
    storage_limits.delete_old_data(clock.now())
    assert set(Report.objects.values_list("kind", flat=True)) == {"bounced", "delivered"}
    assert Letter.objects.get(pk=turn.pk).fate == "bounced"


# ── refused at once ──


def test_an_address_the_server_refuses_is_unreachable_until_a_letter_is_accepted(match, postbox):
    postbox.answer = lambda envelope: "550 5.1.1 No such mailbox" if "bob@example.org" in envelope.rcpt_tos else None
    before = match.waits.get().due_at
    sending.deliver(lambda: NOON)
    letter = Letter.objects.get(kind="turn")
    assert (letter.state, letter.fate, bob().unreached_at) == ("failed", "rejected", NOON)
    assert match.waits.get().due_at == before + DAY
    postbox.answer = lambda envelope: None
    claims.resend([letter], NOON)
    sending.deliver(lambda: NOON + DAY)
    assert bob().unreached_at is None


# ── shown ──


def test_only_the_player_is_told_that_they_cannot_be_reached(client, turn):
    link = turn.options[0]["line"]
    page = reverse("move", args=[ticket_of(turn.match, 1, link)])
    assert "We can’t reach you." not in client.get(page).content.decode()
    tell(turn, "bounced")
    read()
    assert "We can’t reach you." in client.get(page).content.decode()
    assert "We can’t reach you." not in client.get(reverse("match", args=[turn.match.code])).content.decode()


def test_a_player_who_complained_is_told_that_no_letters_will_come(client, turn):
    page = reverse("me", args=[sign(PlayerTicket(turn.recipient_id))])
    assert "We no longer write to you." not in client.get(page).content.decode()
    tell(turn, "complained")
    read()
    assert "We no longer write to you." in client.get(page).content.decode()
    never = client.get(
        reverse("never", args=[sign(NeverTicket(turn.recipient_id, turn.recipient.sessions))])
    ).content.decode()
    assert "We won’t write to you again" in never
    assert "We no longer write to you." not in never


def ticket_of(match: Match, seat: int, line: str) -> str:
    return next(option.ticket for option in scene.build_scene(match, seat).question.options if option.line == line)


def test_the_host_sees_which_players_cannot_be_reached(admin_client, turn):
    tell(turn, "bounced")
    read()
    assert "Letters to one player are bouncing." in admin_client.get(reverse("admin:index")).content.decode()
    bouncing = admin_client.get(reverse("admin:players_player_changelist") + "?unreached_at__isnull=False")
    assert [player.name for player in bouncing.context["cl"].result_list] == ["Bob"]
    listed = admin_client.get(reverse("admin:post_letter_changelist") + "?fate__exact=bounced").content.decode()
    assert "bounced" in listed
    assert turn.options[0]["label"] not in listed
