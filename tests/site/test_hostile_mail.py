"""Made-up and mutated emails through every way in: none causes an error, and none takes long.
A few here, more with `make fuzz`, 200,000 with `make fuzz-mail`. A failure names the email by its number:
`hostile_mail.made(number)` builds the same email again.
"""

import json
import os
from base64 import b64encode
from collections import Counter
from random import Random

import pytest
import time_machine
from aiosmtpd.smtp import Envelope
from django.db import transaction

from beanpost.pages.hosts.webhooks import list_webhooks
from beanpost.play.display import scene
from beanpost.post.deliver import reports
from beanpost.post.models import Letter, Reply
from beanpost.post.outbox import addresses
from beanpost.post.receive import mail_server, replies
from beanpost.post.receive.open_questions import find_price
from beanpost.urls import urlpatterns as site_urls
from tests.browser import Browser
from tests.post.answering import LATER, TABLES, answer, newest, outcome, processor_seconds, with_replies
from tests.post.gallery import deliver
from tests.site import hostile_mail

MAILS = int(os.environ.get("MAILS") or 20 * int(os.environ.get("FUZZ", "8")))
SKIPPED = int(os.environ.get("MAILS_SKIPPED", "0"))  # to continue where another run ended
MAX_SECONDS = 1.0  # of processor time, for one email: house and child together, twice what they need
SECRET = "post:a-password-nobody-guesses"
KEY = {"Authorization": "Basic " + b64encode(SECRET.encode()).decode()}
urlpatterns = [*site_urls, *list_webhooks(["postmark", "sparkpost", "mailjet"])]
pytestmark = [pytest.mark.django_db, pytest.mark.urls(__name__)]


def by_mail_server(letter: Letter, source: bytes, some: Random) -> None:
    envelope = Envelope()
    envelope.mail_from = some.choices(("bob@example.org", "", "<>"), (8, 1, 1))[0]
    [purpose] = some.choices((addresses.TURN, addresses.RETURN), (5, 1))
    envelope.rcpt_tos = [addresses.build_address(purpose, letter.pk)]
    envelope.original_content = source
    assert mail_server.MailHandler(lambda: LATER).store_or_defer(envelope) == mail_server.TAKEN


def by_postmark_raw(letter: Letter, source: bytes, some: Random) -> None:
    payload = {"RawEmail": source.decode("utf-8", "replace"), "Headers": [], "OriginalRecipient": address(letter)}
    post("postmark", payload)


def by_postmark(letter: Letter, source: bytes, some: Random) -> None:
    head, _, body = source.decode("utf-8", "replace").partition("\n\n")
    pairs = [line.partition(":") for line in head.replace("\n ", " ").split("\n")]
    payload = {
        "Headers": [{"Name": name, "Value": value.strip()} for name, _, value in pairs],
        "ToFull": [{"Email": address(letter), "Name": body[:80]}],
        "CcFull": [{"Email": value, "Name": name} for name, _, value in pairs],
        "TextBody": body,
        "HtmlBody": body if some.random() < 0.5 else "",
        "OriginalRecipient": some.choice((address(letter), "")),
    }
    post("postmark", payload)


def by_sparkpost(letter: Letter, source: bytes, some: Random) -> None:
    content = {"email_rfc822": b64encode(source).decode(), "email_rfc822_is_base64": True}
    payload = {"content": content, "protocol": "smtp", "rcpt_to": address(letter), "msg_from": "bob@example.org"}
    post("sparkpost", [{"msys": {"relay_message": payload}}])


def by_mailjet(letter: Letter, source: bytes, some: Random) -> None:
    head, _, body = source.decode("utf-8", "replace").partition("\n\n")
    headers = {name: value.strip() for name, _, value in (line.partition(":") for line in head.split("\n"))}
    post("mailjet", {"Headers": headers, "Text-part": body, "Recipient": address(letter), "Sender": ""})


def post(provider: str, payload: object) -> None:
    answer = Browser().post(
        f"/anymail/{provider}/inbound/", json.dumps(payload), content_type="application/json", headers=KEY
    )
    assert answer.status_code == 200


def address(letter: Letter) -> str:
    return addresses.build_address(addresses.TURN, letter.pk)


WAYS = (by_mail_server, by_postmark_raw, by_postmark, by_sparkpost, by_mailjet)


@pytest.fixture
def letter(request, settings):
    settings.ANYMAIL = {"WEBHOOK_SECRET": SECRET}
    with with_replies(), time_machine.travel(LATER, tick=False):
        yield newest(*TABLES[request.param]())


@pytest.mark.parametrize(("letter", "first"), [(table, n) for n, table in enumerate(TABLES)], indirect=["letter"])
def test_no_email_causes_an_error_or_takes_long(letter, first, monkeypatch):
    monkeypatch.setattr(mail_server, "close_old_connections", lambda: None)  # the test is in a transaction
    question = ask_to_confirm(letter)
    slowest, ways, found = (0.0, -1), Counter(), Counter()
    for number in range(SKIPPED + first, MAILS, len(TABLES)):
        source, some = hostile_mail.made(number), Random(number)
        way = some.choices(WAYS, (8, 1, 1, 1, 1))[0]
        with transaction.atomic():
            took = seconds_of(way, some.choice((letter, question)), source, some, number)
            found.update(findings_of(number, way))
            transaction.set_rollback(True)
        ways[way.__name__] += 1
        slowest = max(slowest, (took, number))
        assert took < MAX_SECONDS, f"Mail {number} took {took:.2f} s, {way.__name__}."
    print(f"{ways.total()} mails, slowest {slowest[0]:.3f} s: number {slowest[1]}. {dict(ways)} {dict(found)}")
    assert ways.total() < 1_000 or found["move"]  # some must be readable, or the test tries too little


def ask_to_confirm(letter):
    """Return our question about a costly move, which "yes" answers; the letter itself if no move in it is costly."""
    shown = scene.build_scene(letter.match, letter.asked["seat"])
    costly = [option["mark"] for option in letter.options if find_price(shown, option["line"])]
    if not costly:
        return letter
    assert outcome(answer(letter, costly[0])) == "answer costly"
    deliver(LATER)
    Reply.objects.all().delete()
    return Letter.objects.filter(kind="answer", state=Letter.State.SENT).latest("pk")


def seconds_of(way, letter, source, some, number):
    """Return the processor time an email takes from its arrival until it was read."""

    def read_in():
        way(letter, source, some)
        replies.read_waiting(lambda: LATER)
        reports.process_reports(lambda: LATER)

    try:
        return processor_seconds(read_in)
    except Exception as trouble:
        raise AssertionError(f"Mail {number} was a fault, {way.__name__}.") from trouble


def findings_of(number, way):
    """Return the kind of an email that was stored as a reply and not as a bounce report."""
    for state, finding, error in Reply.objects.values_list("state", "finding", "error"):
        assert (state == Reply.State.WAITING, error) == (False, ""), f"Mail {number}: {error}, {way.__name__}."
        yield finding


def test_the_same_number_makes_the_same_email():
    assert [hostile_mail.made(n) for n in range(50)] == [hostile_mail.made(n) for n in range(50)]
    assert len({hostile_mail.made(n) for n in range(50)}) > 45
