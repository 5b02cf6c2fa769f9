"""Whether a provider's report is soft: payloads as the providers and anymail document them."""

from datetime import timedelta

import pytest
from anymail.signals import AnymailTrackingEvent, tracking
from anymail.webhooks.brevo import BrevoTrackingWebhookView
from anymail.webhooks.mailersend import MailerSendTrackingWebhookView
from anymail.webhooks.mailgun import MailgunTrackingWebhookView
from anymail.webhooks.mailjet import MailjetTrackingWebhookView
from anymail.webhooks.mandrill import MandrillTrackingWebhookView
from anymail.webhooks.postmark import PostmarkTrackingWebhookView
from anymail.webhooks.resend import ResendTrackingWebhookView
from anymail.webhooks.sendgrid import SendGridTrackingWebhookView
from anymail.webhooks.sparkpost import SparkPostTrackingWebhookView
from anymail.webhooks.unisender_go import UnisenderGoTrackingWebhookView
from django.test import RequestFactory

from beanpost.players.models import Player
from beanpost.post.deliver import reports
from beanpost.post.models import Letter, Report
from beanpost.post.outbox import queue
from tests.friends import NOON
from tests.post.gallery import deliver

HALF_A_DAY = timedelta(hours=12)
A_MOMENT = timedelta(seconds=0.14)
FULL = "552 5.2.2 <bob@example.org>: Recipient address rejected: Mailbox full"
GONE = "550 5.1.1 <bob@example.org>: Recipient address rejected: User unknown"


@pytest.fixture(autouse=True)
def secret(settings):
    settings.ANYMAIL = {"WEBHOOK_SECRET": "post:a-password-nobody-guesses"}


def brevo(event: str, reason: str):
    payload = {
        "event": event, "email": "bob@example.org", "id": 26224, "date": "2026-11-16 12:00:00", "ts": 1794830400,
        "message-id": "<201798300811.5787683@relay.domain.com>", "ts_event": 1794830400, "subject": "Haricots",
        "X-Mailin-custom": '{"letter": 1}', "sending_ip": "203.0.113.1", "reason": reason, "ts_epoch": 1794830400000,
        "tags": [],
    }  # fmt: skip
    return BrevoTrackingWebhookView().esp_to_anymail_event(payload)


def mailersend(kind: str, reason: str):
    email = {
        "object": "email", "id": "62f114f8165fe0d8db0288e5", "from": "post@beans.example", "subject": "Haricots",
        "status": "rejected", "tags": None, "message": {"object": "message", "id": "62fb66bef54a112e920b5493"},
        "recipient": {"object": "recipient", "id": "62c69be104270ee9c6074d32", "email": "bob@example.org"},
    }  # fmt: skip
    morph = {"object": "recipient_bounce", "reason": reason}
    data = {"object": "activity", "id": "62f114f8165fe0d8db0288e3", "type": kind, "email": email, "morph": morph}
    payload = {"type": f"activity.{kind}", "domain_id": "yv69oxl5kl785kw2", "data": data}
    return MailerSendTrackingWebhookView(signing_secret="beans").esp_to_anymail_event(payload)


def postmark(kind: str, details: str):
    payload = {
        "RecordType": "Bounce", "ID": 901542550, "Type": kind, "TypeCode": 4096, "Tag": "Test",
        "MessageID": "2706ee8a-737c-4285-b032-ccd317af53ed", "ServerID": 23, "Name": kind, "Details": details,
        "Description": "The server was unable to deliver your message (ex: unknown user, mailbox not found).",
        "Email": "bob@example.org", "From": "post@beans.example", "BouncedAt": "2026-11-16T12:00:00Z",
        "DumpAvailable": True, "Inactive": kind == "HardBounce", "CanActivate": True, "Subject": "Haricots",
        "Metadata": {"letter": "1"},
    }  # fmt: skip
    return PostmarkTrackingWebhookView().esp_to_anymail_event(payload)


def mailgun(reason: str, answer: str):
    data = {
        "event": "failed", "severity": "permanent", "reason": reason, "id": "pVqXGJWhTzysS9GpwF2hlQ",
        "timestamp": 1794830400.9, "recipient": "bob@example.org", "user-variables": {"letter": "1"},
        "delivery-status": {"attempt-no": 1, "code": 550, "description": "", "message": answer},
    }  # fmt: skip
    view = MailgunTrackingWebhookView(webhook_signing_key="beans")
    return view.esp_to_anymail_event({"signature": {"token": "t"}, "event-data": data})


def mailjet(error: str, *, hard: bool):
    payload = {
        "event": "bounce", "time": 1794830400, "MessageID": 13792286917004336, "email": "bob@example.org",
        "mj_campaign_id": 0, "blocked": False, "hard_bounce": hard, "error_related_to": "recipient", "error": error,
        "comment": "", "Payload": '{"letter": 1}',
    }  # fmt: skip
    return MailjetTrackingWebhookView().esp_to_anymail_event(payload)


def mandrill(event: str, answer: str):
    message = {
        "ts": 1794830400, "subject": "Haricots", "email": "bob@example.org", "tags": [], "metadata": {"letter": 1},
        "state": event, "_id": "exampleaaaaaaaaaaaaaaaaaaaaaaaaaaaaa", "bounce_description": "general",
        "diag": answer,
    }  # fmt: skip
    payload = {"event": event, "msg": message, "_id": message["_id"], "ts": 1794830400}
    return MandrillTrackingWebhookView(webhook_key="beans").esp_to_anymail_event(payload)


def resend(kind: str, sentence: str):
    data = {
        "email_id": "56761188-7520-42d8-8898-ff6fc54ce618", "from": "post@beans.example", "to": ["bob@example.org"],
        "subject": "Haricots", "bounce": {"message": sentence, "type": kind, "subType": "General"}, "headers": [],
    }  # fmt: skip
    payload = {"type": "email.bounced", "created_at": "2026-11-16T12:00:00.000Z", "data": data}
    view = ResendTrackingWebhookView(signing_secret=None)
    return view.esp_to_anymail_event(payload, RequestFactory().post("/"))


def sendgrid(kind: str, answer: str):
    payload = {
        "status": "5.1.1", "sg_event_id": "bounce", "sg_message_id": "wrfRRvF7Q0GgwUo2CvDmEA.filter", "event": "bounce",
        "reason": answer, "email": "bob@example.org", "timestamp": 1794830400, "smtp-id": "<x@y>", "type": kind,
        "letter": 1,
    }  # fmt: skip
    return SendGridTrackingWebhookView().esp_to_anymail_event(payload)


def sparkpost(bounce_class: str):
    event = {
        "type": "bounce", "bounce_class": bounce_class, "error_code": "550", "event_id": "92356927693813856",
        "raw_reason": "MAIL REFUSED - IP (17.99.99.99) is in black list", "rcpt_to": "bob@example.org",
        "rcpt_meta": {"letter": 1}, "timestamp": "1794830400", "transmission_id": "65832150921904138",
    }  # fmt: skip
    raw = {"msys": {"message_event": event}}
    return SparkPostTrackingWebhookView().esp_to_anymail_event("message_event", event, raw)


def unisender(status: str, delivery: str):
    payload = {
        "job_id": "1a3Q2V-0000OZ-S0", "status": status, "event_time": "2026-11-16 12:00:00",
        "email": "bob@example.org", "metadata": {"letter": "1"},
        "delivery_info": {"delivery_status": delivery, "destination_response": "550 Spam rejected"},
    }  # fmt: skip
    return UnisenderGoTrackingWebhookView(api_key="beans").esp_to_anymail_event(payload)


def amazon(kind: str, detail: str):
    bounce = {
        "bounceType": kind, "bounceSubType": detail, "feedbackId": "00000137860315fd",
        "bouncedRecipients": [{"emailAddress": "bob@example.org", "action": "failed", "status": "5.0.0"}],
    }  # fmt: skip
    # As anymail writes it; its own class needs boto3.
    told = {"eventType": "Bounce", "bounce": bounce}
    return AnymailTrackingEvent(event_type="bounced", description=f"{kind}: {detail}", esp_event=told)


@pytest.mark.filterwarnings("ignore:django-anymail has dropped official support")
@pytest.mark.parametrize(
    ("provider", "write", "arguments", "soft"),
    [
        ("Brevo", brevo, ("soft_bounce", "server is down"), True),
        ("Brevo", brevo, ("hard_bounce", GONE), False),
        ("Brevo", brevo, ("hard_bounce", FULL), True),
        ("MailerSend", mailersend, ("soft_bounced", "Host or domain name not found"), True),
        ("MailerSend", mailersend, ("hard_bounced", GONE), False),
        ("MailerSend", mailersend, ("hard_bounced", FULL), True),
        ("Postmark", postmark, ("SoftBounce", "smtp;450 4.2.0 mailbox temporarily unavailable"), True),
        ("Postmark", postmark, ("HardBounce", f"smtp;{GONE}"), False),
        ("Postmark", postmark, ("HardBounce", f"smtp;{FULL}"), True),
        ("Mailgun", mailgun, ("bounce", GONE), False),
        ("Mailgun", mailgun, ("bounce", FULL), True),
        ("Mailgun", mailgun, ("old", "Too old"), True),
        ("Mandrill", mandrill, ("soft_bounce", "smtp;451 try again"), True),
        ("Mandrill", mandrill, ("hard_bounce", f"smtp;{GONE}"), False),
        ("Mandrill", mandrill, ("hard_bounce", f"smtp;{FULL}"), True),
        ("Resend", resend, ("Transient", "The recipient's email provider sent a general bounce message."), True),
        ("Resend", resend, ("Permanent", "The recipient's email provider sent a hard bounce message."), False),
        ("Resend", resend, ("Permanent", "It sent a bounce message because the recipient's inbox was full."), True),
        ("SendGrid", sendgrid, ("blocked", "421 try again"), True),
        ("SendGrid", sendgrid, ("bounce", GONE), False),
        ("SendGrid", sendgrid, ("bounce", FULL), True),
        ("SparkPost", sparkpost, ("20",), True),
        ("SparkPost", sparkpost, ("22",), True),
        ("SparkPost", sparkpost, ("10",), False),
        ("Unisender Go", unisender, ("hard_bounced", "err_user_unknown"), False),
        ("Unisender Go", unisender, ("hard_bounced", "err_mailbox_full"), True),
        ("Amazon SES", amazon, ("Transient", "General"), True),
        ("Amazon SES", amazon, ("Transient", "MailboxFull"), True),
        ("Amazon SES", amazon, ("Permanent", "NoEmail"), False),
    ],
)
def test_a_bounce_is_as_soft_as_the_providers_own_event_says(provider, write, arguments, soft):
    event = write(*arguments)
    assert event.event_type == "bounced"
    assert reports.is_soft(event, provider) is soft


@pytest.mark.parametrize(
    ("error", "hard", "soft"), [("", False, True), ("quota exceeded", True, True), ("", True, False)]
)
def test_mailjet_says_which_bounce_is_hard(error, hard, soft):
    assert reports.is_soft(mailjet(error or "user unknown", hard=hard), "Mailjet") is soft


@pytest.mark.parametrize("event", [None, [], "soft_bounce", {"data": "soft_bounced"}, {"data": {"type": ["x"]}}])
def test_an_event_of_another_shape_is_not_soft(event):
    for provider in {name for name, *_ in reports.SOFT_EVENTS}:
        told = AnymailTrackingEvent(event_type="bounced", esp_event=event, mta_response=[7])
        assert not reports.is_soft(told, provider)


@pytest.fixture
def letters(match):
    """Two letters of one start to Bob."""
    queue.queue(Player.objects.get(name="Bob"), "settings", "another", now=NOON)
    deliver()
    return list(Letter.objects.filter(recipient__name="Bob", state="sent"))


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("later", "unreached"), [(A_MOMENT, False), (HALF_A_DAY - A_MOMENT, False), (HALF_A_DAY, True)]
)
def test_a_second_soft_bounce_counts_twelve_hours_after_the_first(letters, later, unreached):
    for letter, now in zip(letters, (NOON, NOON + later), strict=True):
        payload = {"event": "soft_bounce", "reason": "mailbox full"}
        metadata = {"letter": str(letter.pk)}
        event = AnymailTrackingEvent(event_type="bounced", esp_event=payload, metadata=metadata)
        tracking.send(None, event=event, esp_name="Brevo")
        reports.process_reports(lambda now=now: now)
    assert set(Report.objects.values_list("soft", flat=True)) == {True}
    assert bool(Player.objects.get(name="Bob").unreached_at) is unreached
