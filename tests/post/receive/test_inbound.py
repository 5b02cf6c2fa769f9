"""Replies that a provider receives for us, over its webhook."""

import hashlib
import hmac
import json
import time
import tracemalloc
from base64 import b64encode
from email import message_from_bytes
from itertools import product
from random import Random
from threading import BoundedSemaphore
from types import SimpleNamespace

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import OperationalError

from beanpost.pages.hosts import webhooks
from beanpost.pages.hosts.provider_mail import Trimmer
from beanpost.pages.hosts.webhooks import list_webhooks
from beanpost.post import metrics
from beanpost.post.models import Letter, Reply, Report
from beanpost.post.receive import inbox, replies
from beanpost.post.reply_parser.limits import MAX_BYTES
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


# ── large mail ──


PICTURE = b64encode(Random(44).randbytes(3_000_000)).decode()
LINES = "\r\n".join(PICTURE[at : at + 76] for at in range(0, len(PICTURE), 76))
FILE = {"Name": "IMG_2041.jpeg", "ContentType": "image/jpeg", "Content": PICTURE}
MIXED = 'MIME-Version: 1.0\r\nContent-Type: multipart/mixed; boundary="x"'
PICTURE_PART = f"--x\r\nContent-Type: image/jpeg\r\nContent-Transfer-Encoding: base64\r\n\r\n{LINES}\r\n"
PASS_PART = "--x\r\nContent-Type: text/plain\r\n\r\npass\r\n"


def with_picture(letter, times=1):
    """A mail of 4 MB, or several times as much, whose picture comes before its text."""
    head = f"From: bob@example.org\r\nTo: {address(letter)}\r\nMessage-ID: <1@mail.example>\r\n"
    return f"{head}{MIXED}\r\n\r\n{PICTURE_PART * times}{PASS_PART}--x--\r\n"


def large_by_postmark(client, letter):
    return post_reply(client, letter, Attachments=[FILE])


def large_by_sparkpost(client, letter):
    content = {"email_rfc822": b64encode(with_picture(letter).encode()).decode(), "email_rfc822_is_base64": True}
    relayed = {"content": content, "protocol": "smtp", "rcpt_to": address(letter), "msg_from": "bob@example.org"}
    return post(client, "sparkpost/inbound", json.dumps([{"msys": {"relay_message": relayed}}]))


def large_by_mailgun(client, letter):
    headers = json.dumps([["From", "bob@example.org"], ["To", address(letter)], ["Message-ID", "<1@mail.example>"]])
    fields = {"message-headers": headers, "body-plain": "pass", "recipient": address(letter)} | signed()
    file = SimpleUploadedFile("IMG_2041.jpeg", PICTURE.encode(), "image/jpeg")
    return post_form(client, "mailgun/inbound", {"attachment-count": "1", "attachment-1": file, **fields})


def large_by_mailgun_raw(client, letter):
    fields = {"body-mime": with_picture(letter), "recipient": address(letter), "sender": "bob@example.org"}
    return post_form(client, "mailgun/inbound", fields | signed())


def large_by_sendgrid(client, letter):
    envelope = json.dumps({"to": [address(letter)], "from": "bob@example.org"})
    file = SimpleUploadedFile("IMG_2041.jpeg", PICTURE.encode(), "image/jpeg")
    fields = {"attachment1": file, "headers": "Message-ID: <1@mail.example>", "text": "pass", "envelope": envelope}
    return post_form(client, "sendgrid/inbound", fields | {"charsets": '{"text": "iso-8859-1"}'})


def large_by_sendgrid_raw(client, letter):
    envelope = json.dumps({"to": [address(letter)], "from": "bob@example.org"})
    return post_form(client, "sendgrid/inbound", {"email": with_picture(letter), "envelope": envelope})


LARGE = [
    large_by_postmark, large_by_sparkpost, large_by_mailgun, large_by_mailgun_raw, large_by_sendgrid,
    large_by_sendgrid_raw,
]  # fmt: skip


@pytest.mark.parametrize("way", LARGE, ids=lambda way: way.__name__)
def test_a_picture_of_3_mb_does_not_cost_the_move(client, letter, settings, way):
    settings.ANYMAIL |= {"MAILGUN_WEBHOOK_SIGNING_KEY": "beans"}
    assert way(client, letter).status_code == 200
    assert read() == "say pass"
    assert len(bytes(Reply.objects.get().source)) < MAX_BYTES


def test_a_mail_of_25_mb_is_read_within_seconds_and_bounded_memory(client, letter):
    body = json.dumps({"RawEmail": with_picture(letter, 6), "OriginalRecipient": address(letter)})
    tracemalloc.start()
    began = time.thread_time()
    try:
        assert post(client, "postmark/inbound", body).status_code == 200
        most = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert read() == "say pass"
    assert time.thread_time() - began < 3  # with tracemalloc
    assert most < 7 * len(body)


def test_a_text_of_25_mb_is_read_from_its_beginning(client, letter):
    assert post_reply(client, letter, text="pass\n\n" + "x" * inbox.MAX_EMAIL_BYTES).status_code == 200
    assert read() == "say pass"


def test_a_fifth_large_mail_at_once_is_to_come_again(client, letter, monkeypatch):
    monkeypatch.setattr(webhooks, "LARGE_CALLS", BoundedSemaphore(4))
    for _ in range(4):
        webhooks.LARGE_CALLS.acquire()
    answer = large_by_postmark(client, letter)
    assert (answer.status_code, answer["Retry-After"]) == (503, "60")
    assert not Reply.objects.exists()
    assert post_reply(client, letter).status_code == 200  # a small one needs no place
    webhooks.LARGE_CALLS.release()
    assert large_by_postmark(client, letter).status_code == 200
    assert webhooks.LARGE_CALLS.acquire(blocking=False)  # its place is free again


@pytest.mark.parametrize("sign", ["+", "%2B", "\\u002b"])
def test_the_writer_of_a_mail_that_is_too_large_is_told_and_the_host_too(client, letter, settings, caplog, sign):
    settings.DATA_UPLOAD_MAX_MEMORY_SIZE = 3_000_000
    body = json.dumps({"To": address(letter).replace("+", "SIGN"), "Subject": "x" * 3_000_000}).replace("SIGN", sign)
    for _ in range(2):
        assert post(client, "postmark/inbound", body).status_code == 200
    assert f"answers letter {letter.pk} is too large" in caplog.text
    assert read() == "answer fault"
    assert Letter.objects.filter(kind="answer", values__why="fault").count() == 1
    assert metrics.check_unreadable_replies(Reply.objects.get().received_at).value == 1


def test_a_mail_that_is_too_large_and_names_no_letter_is_told_to_the_host(client, letter, settings, caplog):
    settings.DATA_UPLOAD_MAX_MEMORY_SIZE = 3_000_000
    assert post(client, "postmark/inbound", "x" * 3_000_001).status_code == 200
    assert "its letter is not known" in caplog.text


def test_a_stranger_has_a_large_body_refused_unread(client, letter):
    answer = post(client, "postmark/inbound", b"x" * 4_000_000, secret="post:guessed")
    assert answer.status_code == 400
    assert answer.wsgi_request._read_started is False


def test_an_oversized_report_is_dropped_and_never_retried(client, letter):
    response = post(client, "postmark/tracking", b"x" * 2_700_000)
    assert (response.status_code, response.content) == (200, b"Too large to be read.")


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
    assert Trimmer().value(events) == Trimmer().value(events, "mandrill_events") == events


def test_the_payload_of_an_ordinary_email_is_not_cut():
    payload = {"Headers": [{"Name": "X-Spam", "Value": "No"}], "TextBody": "pass\n" * 900, "Date": "", "Score": 1.5}
    assert Trimmer().value(payload) == payload


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
    assert Trimmer().value(payload) == {"RawTextBody": "7", "Attachments": []}
