"""Replies that a provider takes in for us, over its own webhook."""

import json
from base64 import b64encode
from email import message_from_bytes
from itertools import product
from types import SimpleNamespace

import pytest
from django.db import OperationalError

from beanpost.pages.webhooks import webhooks
from beanpost.post import inbox, replying
from beanpost.post.models import Reply, Report
from beanpost.urls import urlpatterns as house
from tests.post.answering import DOMAIN, address, haricots, nested, newest, outcome, with_replies

PROVIDERS = ["postmark", "mailgun", "sparkpost", "mailjet"]
urlpatterns = [*house, *webhooks(PROVIDERS)]
pytestmark = [pytest.mark.django_db, pytest.mark.urls(__name__)]
SECRET = "post:a-password-nobody-guesses"


@pytest.fixture
def letter(settings):
    settings.ANYMAIL = {"WEBHOOK_SECRET": SECRET}
    with with_replies():
        yield newest(*haricots())


def post(client, provider, body, *, secret=SECRET):
    key = b64encode(secret.encode()).decode()
    where, kind = f"/anymail/{provider}/", "application/json"
    return client.post(where, body, content_type=kind, headers={"Authorization": f"Basic {key}"})


def told(client, letter, *, secret=SECRET, to="", text="pass", sender="bob@example.org", **more):
    """What Postmark tells of a mail."""
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

    replying.read_waiting(lambda: Reply.objects.get().due_at)
    return outcome(Reply.objects.get())


def test_a_reply_comes_in_is_stored_once_and_plays(client, letter):
    assert told(client, letter).status_code == 200
    assert told(client, letter).status_code == 200
    assert not letter.match.events.filter(seat=1).exists()  # it is read afterwards
    assert read() == "say pass"


def test_the_envelope_counts_where_it_is_told(client, letter):
    told(client, letter, to="table@beans.example", OriginalRecipient=address(letter))
    assert read() == "say pass"


def test_a_mail_from_nobody_is_left_alone(client, letter):
    told(client, letter, sender="")
    assert read() == "leave automatic"


def test_nobody_speaks_in_the_providers_name(client, letter):
    assert told(client, letter, secret="post:guessed").status_code == 400
    assert not Reply.objects.exists()


@pytest.mark.parametrize("to", [f"turn+{'a' * 39}@{DOMAIN}", "ann@example.org"])
def test_what_answers_no_letter_is_dropped(client, letter, to):
    assert told(client, letter, to=to).status_code == 200
    assert not Reply.objects.exists()


def test_too_much_is_dropped(client, letter, settings):
    settings.DATA_UPLOAD_MAX_MEMORY_SIZE = 10_000_000
    assert told(client, letter, text="x" * (inbox.LARGEST + 1)).status_code == 200
    assert not Reply.objects.exists()


def test_what_is_too_large_to_be_looked_at_is_dropped_and_never_sent_again(client, letter, settings):
    said = told(client, letter, text="x" * (settings.DATA_UPLOAD_MAX_MEMORY_SIZE + 1))
    assert (said.status_code, said.content) == (200, b"Too large: it was dropped.")
    assert not Reply.objects.exists()


def test_a_mail_in_more_envelopes_than_can_be_put_together_again_is_stored_without_what_is_in_them(letter):
    source = nested(letter, 400)
    inbox.receive_from_provider(SimpleNamespace(message=message_from_bytes(source)))
    assert Reply.objects.get().fingerprint == inbox.fingerprint(source)
    assert read() == "answer unread"


@pytest.mark.parametrize("body", [b"", b"{", b"[]", b"[1]", b"null", b'"x"', b"{}", b'{"x": []}', b"\xff\x00", b"a=b"])
def test_no_body_makes_us_stumble_nor_is_anything_believed(client, letter, settings, body):
    settings.ANYMAIL |= {"MAILGUN_WEBHOOK_SIGNING_KEY": "beans"}
    for provider, door in product(PROVIDERS, ("inbound", "tracking")):
        assert post(client, f"{provider}/{door}", body).status_code in (200, 400)
    assert not Reply.objects.exists()
    assert not Report.objects.exists()


def test_what_we_stumble_over_ourselves_is_to_be_told_again(client, letter, monkeypatch):
    monkeypatch.setattr(inbox, "receive", full)
    client.raise_request_exception = False
    assert told(client, letter).status_code == 500


def full(*_, **__):
    raise OperationalError("database or disk is full")
