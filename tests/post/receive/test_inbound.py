"""Replies that a provider receives for us, over its webhook."""

import hashlib
import hmac
import json
import time
from base64 import b64encode
from email import message_from_bytes
from itertools import product
from types import SimpleNamespace

import pytest
from django.db import OperationalError

from beanpost.pages.hosts.provider_mail import Cutter
from beanpost.pages.hosts.webhooks import list_webhooks
from beanpost.post.models import Reply, Report
from beanpost.post.receive import inbox, replies
from beanpost.urls import urlpatterns as site_urls
from tests.post.answering import DOMAIN, address, bobs_first_letter, nested, outcome, with_replies

PROVIDERS = ["postmark", "mailgun", "sparkpost", "mailjet", "sendgrid", "brevo"]
urlpatterns = [*site_urls, *list_webhooks(PROVIDERS)]
pytestmark = [
    pytest.mark.django_db,
    pytest.mark.urls(__name__),
    pytest.mark.filterwarnings("ignore:django-anymail has dropped official support"),
]
SECRET = "post:a-password-nobody-guesses"


@pytest.fixture
def letter(settings):
    settings.ANYMAIL = {"WEBHOOK_SECRET": SECRET}
    with with_replies():
        yield bobs_first_letter()


def post(client, provider, body, *, secret=SECRET):
    key = b64encode(secret.encode()).decode()
    where, kind = f"/anymail/{provider}/", "application/json"
    return client.post(where, body, content_type=kind, headers={"Authorization": f"Basic {key}"})


def post_reply(client, letter, *, secret=SECRET, to="", text="pass", sender="bob@example.org", **more):
    """Post an email as Postmark does, and return our response."""
    event = {
        "FromFull": {"Email": "bob@example.org", "Name": "Bob"},
        "ToFull": [{"Email": to or address(letter), "Name": ""}],
        "Subject": "Re: Haricots",
        "TextBody": text,
        "Headers": [
            {"Name": "Return-Path", "Value": f"<{sender}>"},
            {"Name": "Message-ID", "Value": "<1@mail.example>"},
        ],
    } | more
    return post(client, "postmark/inbound", json.dumps(event), secret=secret)


def read() -> str:

    replies.read_waiting(lambda: Reply.objects.get().due_at)
    return outcome(Reply.objects.get())


def test_a_reply_is_stored_once_and_plays(client, letter):
    assert post_reply(client, letter).status_code == 200
    assert post_reply(client, letter).status_code == 200
    assert not letter.match.events.filter(seat=1).exists()  # it is read afterwards
    assert read() == "say pass"


def test_the_envelope_recipient_takes_precedence(client, letter):
    post_reply(client, letter, to="table@beans.example", OriginalRecipient=address(letter))
    assert read() == "say pass"


@pytest.mark.parametrize("provider", ["amazon_ses", "mailtrap", "resend"])
def test_no_mail_comes_in_that_would_be_parsed_before_it_is_cut(provider):
    [doors] = list_webhooks([provider])
    assert [str(door.pattern) for door in doors.url_patterns] == [f"{provider}/tracking/"]


def test_a_mail_from_nobody_is_left_alone(client, letter):
    post_reply(client, letter, sender="")
    assert read() == "leave automatic"


def test_a_forged_webhook_is_refused(client, letter):
    assert post_reply(client, letter, secret="post:guessed").status_code == 400
    assert not Reply.objects.exists()


@pytest.mark.parametrize("to", [f"turn+{'a' * 39}@{DOMAIN}", "ann@example.org"])
def test_an_email_that_answers_no_letter_is_dropped(client, letter, to):
    assert post_reply(client, letter, to=to).status_code == 200
    assert not Reply.objects.exists()


def test_an_oversized_email_is_dropped(client, letter, settings):
    settings.DATA_UPLOAD_MAX_MEMORY_SIZE = 10_000_000
    assert post_reply(client, letter, text="x" * (inbox.LARGEST + 1)).status_code == 200
    assert not Reply.objects.exists()


def test_an_oversized_webhook_is_dropped_and_never_retried(client, letter, settings):
    response = post_reply(client, letter, text="x" * (settings.DATA_UPLOAD_MAX_MEMORY_SIZE + 1))
    assert (response.status_code, response.content) == (200, b"Too large: it was dropped.")
    assert not Reply.objects.exists()


def test_an_email_too_deeply_nested_to_be_serialised_is_stored_without_its_contents(letter):
    source = nested(letter, 400)
    inbox.receive_from_provider(SimpleNamespace(message=message_from_bytes(source)))
    assert Reply.objects.get().fingerprint == inbox.compute_fingerprint(source)
    assert read() == "answer unread"


# ── hostile mail ──


HOSTILE = {
    "a slow charset": ("Content-Type", "text/plain; charset=punycode"),
    "comments in comments": ("Cc", "(" * 500),
    "many addresses": ("Cc", "a@b," * 6_000),
    "many names": ("To", '"' * 24_000),
    "semicolons": ("Content-Type", 'text/plain; x="' + ";" * 150_000),
    "quotes": ("Content-Type", '"' * 50_000),
    "comments in a type": ("Content-Type", "(" * 900),
    "a long header": ("X-Text", "a " * 100_000),
    "a header called like a body": ("Text", "a " * 100_000),
    "a disposition": ("Content-Disposition", "a@b," * 6_000),
    "addresses again and again": ("Resent-To", "a@b," * 240),
}
TIMES = {"addresses again and again": 200}


def headers_of(letter, attack):
    name, value = HOSTILE[attack]
    headers = [("From", "bob@example.org"), ("Message-ID", "<1@mail.example>"), ("Subject", "Re: Haricots")]
    return [*headers, *[(name, value)] * TIMES.get(attack, 1), *([] if name == "To" else [("To", address(letter))])]


def raw(letter, attack):
    more = "é" + "z9" * 90_000 if attack == "a slow charset" else ""
    return "".join(f"{name}: {value}\n" for name, value in headers_of(letter, attack)) + "\npass\n" + more


def by_postmark(client, letter, attack):
    rows = headers_of(letter, attack)
    copied = [{"Email": one, "Name": ""} for name, value in rows if name == "Cc" for one in value.split(",")]
    rows = [{"Name": name, "Value": value} for name, value in rows if name not in ("From", "To", "Cc", "Subject")]
    return post_reply(client, letter, OriginalRecipient=address(letter), Headers=rows, CcFull=copied, BccFull=copied)


def by_postmark_raw(client, letter, attack):
    return post_reply(client, letter, OriginalRecipient=address(letter), RawEmail=raw(letter, attack))


def by_postmark_attached(client, letter, attack):
    content = b64encode(raw(letter, attack).encode()).decode()
    attached = [{"ContentType": "message/rfc822", "Content": content, "Name": "it.eml"}]
    return post_reply(client, letter, OriginalRecipient=address(letter), Attachments=attached)


def by_sparkpost(client, letter, attack):
    content = {"email_rfc822": b64encode(raw(letter, attack).encode()).decode(), "email_rfc822_is_base64": True}
    relayed = {"content": content, "protocol": "smtp", "rcpt_to": address(letter), "msg_from": "bob@example.org"}
    return post(client, "sparkpost/inbound", json.dumps([{"msys": {"relay_message": relayed}}]))


def by_mailjet(client, letter, attack):
    payload = {"Headers": dict(headers_of(letter, attack)), "Text-part": "pass", "Recipient": address(letter)}
    return post(client, "mailjet/inbound", json.dumps(payload | {"Sender": "bob@example.org"}))


def by_brevo(client, letter, attack):
    payload = {"Headers": dict(headers_of(letter, attack)) | {"Delivered-To": address(letter)}, "RawTextBody": "pass"}
    return post(client, "brevo/inbound", json.dumps({"items": [payload]}))


def by_sendgrid(client, letter, attack):
    head = raw(letter, attack).partition("\n\n")[0]
    envelope = json.dumps({"to": [address(letter)], "from": "bob@example.org"})
    return post_form(client, "sendgrid/inbound", {"headers": head, "text": "pass", "envelope": envelope})


def by_sendgrid_raw(client, letter, attack):
    envelope = json.dumps({"to": [address(letter)], "from": "bob@example.org"})
    return post_form(client, "sendgrid/inbound", {"email": raw(letter, attack), "envelope": envelope})


def by_mailgun(client, letter, attack):
    payload = {"message-headers": json.dumps(headers_of(letter, attack)), "body-plain": "pass", "timestamp": "1"}
    return post_form(
        client, "mailgun/inbound", payload | signed() | {"recipient": address(letter), "sender": "bob@example.org"}
    )


def by_mailgun_raw(client, letter, attack):
    payload = {"body-mime": raw(letter, attack), "recipient": address(letter), "sender": "bob@example.org"}
    return post_form(client, "mailgun/inbound", payload | signed())


def signed():
    token = hmac.new(b"beans", b"1" + b"token", hashlib.sha256).hexdigest()
    return {"timestamp": "1", "token": "token", "signature": token}


def post_form(client, provider, fields):
    key = b64encode(SECRET.encode()).decode()
    return client.post(f"/anymail/{provider}/", fields, headers={"Authorization": f"Basic {key}"})


WAYS = [
    by_postmark, by_postmark_raw, by_postmark_attached, by_sparkpost, by_mailjet, by_brevo, by_sendgrid,
    by_sendgrid_raw, by_mailgun, by_mailgun_raw,
]  # fmt: skip


@pytest.mark.parametrize("way", WAYS, ids=lambda way: way.__name__)
@pytest.mark.parametrize("attack", HOSTILE)
def test_no_email_from_a_provider_is_slow_or_an_error(client, letter, settings, way, attack):
    settings.ANYMAIL |= {"MAILGUN_WEBHOOK_SIGNING_KEY": "beans", "BREVO_API_KEY": "beans"}
    began = time.thread_time()
    assert way(client, letter, attack).status_code == 200
    assert time.thread_time() - began < 0.5


def test_an_email_from_a_provider_is_read_in_charsets_of_mail_only(client, letter):
    """SendGrid names the charset that its fields are in, as the writer's mail program has named it."""
    envelope = json.dumps({"to": [address(letter)], "from": "bob@example.org"})
    for charset, text in (("punycode", "z9" * 90_000), ("iso-8859-1", "pass")):
        began = time.thread_time()
        fields = {"headers": f"Message-ID: <{charset}>", "text": text, "envelope": envelope}
        answer = post_form(client, "sendgrid/inbound", fields | {"charsets": json.dumps({"text": charset})})
        assert (answer.status_code, time.thread_time() - began < 0.2) == (200, True)
    assert Reply.objects.count() == 2


@pytest.mark.parametrize("way", WAYS, ids=lambda way: way.__name__)
def test_an_email_to_many_people_is_still_read(client, letter, settings, way):
    settings.ANYMAIL |= {"MAILGUN_WEBHOOK_SIGNING_KEY": "beans", "BREVO_API_KEY": "beans"}
    assert way(client, letter, "many addresses").status_code == 200
    assert read() == "say pass"


def test_many_events_in_one_webhook_are_all_kept():
    events = [{"msg": {"metadata": {"letter": n}}} for n in range(1_000)]
    assert Cutter().value(events) == Cutter().value(events, "mandrill_events") == events


def test_the_payload_of_an_ordinary_email_is_not_cut():
    payload = {"Headers": [{"Name": "X-Spam", "Value": "No"}], "TextBody": "pass\n" * 900, "Date": "", "Score": 1.5}
    assert Cutter().value(payload) == payload


@pytest.mark.parametrize("subject", ["Réponse automatique", "Re: Haricots"])
def test_a_subject_in_any_language_is_kept(client, letter, subject):
    assert post_reply(client, letter, Subject=subject).status_code == 200
    assert read() == ("leave away" if "auto" in subject else "say pass")


def test_headers_are_not_parsed_if_the_envelope_names_us(letter, monkeypatch):
    monkeypatch.setattr(inbox, "parse_headers", lambda source: pytest.fail("looked"))
    assert next(inbox.iter_recipients(address(letter), b"To: x@y.example\n\n")) == address(letter)


def test_our_address_is_found_among_others_without_parsing_them(letter):
    head = f"To: Ann <ann@example.org>, {'(' * 900} <{address(letter).upper()}>.\n\n"
    assert address(letter).upper() in list(inbox.iter_recipients("", head.encode()))


@pytest.mark.parametrize("body", [b"", b"{", b"[]", b"[1]", b"null", b'"x"', b"{}", b'{"x": []}', b"\xff\x00", b"a=b"])
def test_no_payload_causes_an_error_or_is_trusted(client, letter, settings, body):
    settings.ANYMAIL |= {"MAILGUN_WEBHOOK_SIGNING_KEY": "beans"}
    for provider, door in product(PROVIDERS[:4], ("inbound", "tracking")):
        assert post(client, f"{provider}/{door}", body).status_code in (200, 400)
    assert not Reply.objects.exists()
    assert not Report.objects.exists()


@pytest.mark.parametrize(
    ("door", "event"),
    [
        ("postmark/tracking", {"RecordType": "Inbound"}),
        ("postmark/inbound", {"RecordType": "Bounce"}),
        ("postmark/tracking", {"RecordType": "Bounce", "ID": [], "Metadata": ["letter"], "Email": {}}),
        ("sparkpost/tracking", [{"msys": {"message_event": {"type": "bounce", "rcpt_meta": "letter"}}}]),
        ("sendgrid/tracking", [{"event": "bounce", "email": 7, "letter": {}}]),
        ("brevo/inbound", {"event": "hard_bounce"}),
        ("mailjet/tracking", {"event": "bounce", "Payload": "[1]"}),
    ],
)
def test_an_event_of_a_wrong_shape_or_for_another_webhook_is_dropped(client, letter, settings, door, event):
    settings.ANYMAIL |= {"BREVO_API_KEY": "beans"}
    assert post(client, door, json.dumps(event)).status_code == 200
    assert not Report.objects.exists()


@pytest.mark.parametrize("door", ["mailgun/tracking", "mailgun/inbound", "brevo/inbound"])
def test_a_provider_without_its_key_has_no_webhooks(client, letter, door):
    assert post(client, door, b"{}").status_code == 404


def test_a_broken_form_from_a_provider_is_dropped(client, letter, settings):
    settings.ANYMAIL |= {"MAILGUN_WEBHOOK_SIGNING_KEY": "beans"}
    client.cookies["csrftoken"] = "c" * 32
    headers = {"Authorization": f"Basic {b64encode(SECRET.encode()).decode()}"}
    for door in ("sendgrid/inbound", "mailgun/inbound", "postmark/nothing"):
        answer = client.generic(
            "POST", f"/anymail/{door}/", b"--x\r\n\xff", "multipart/form-data; boundary=", headers=headers
        )
        assert answer.status_code in (200, 400, 404)


def test_an_error_of_our_own_makes_the_provider_retry(client, letter, monkeypatch):
    monkeypatch.setattr(inbox, "receive", full)
    assert post_reply(client, letter).status_code == 503


def full(*_, **__):
    raise OperationalError("database or disk is full")


def test_attachments_given_by_reference_are_left_out():
    """Brevo lists attachments under the key that Postmark uses, with a token in place of the content."""
    payload = {"Attachments": [{"ContentType": "message/rfc822", "DownloadToken": "x"}], "RawTextBody": "7"}
    assert Cutter().value(payload) == {"RawTextBody": "7", "Attachments": []}
