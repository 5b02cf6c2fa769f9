"""Links, reply addresses and letters of earlier versions keep working: a fixture holds some as they were stored."""

import base64
import json
from pathlib import Path

import pytest
import time_machine

from beanpost.leagues.mail import letters as league_letters
from beanpost.play import tickets
from beanpost.post import mime
from beanpost.post.models import Body
from beanpost.post.outbox import addresses

STORED = json.loads((Path(__file__).parent / "stored" / "before-the-libraries.json").read_text())


def ticket_class(name):
    return getattr(tickets, name, None) or getattr(league_letters, name)


@pytest.mark.parametrize("stored", STORED["tickets"], ids=lambda stored: stored["kind"])
@time_machine.travel("2026-11-16T12:01:00Z", tick=False)
def test_a_link_of_an_earlier_version_still_opens(stored):
    ticket = tickets.redeem(ticket_class(stored["kind"]), stored["text"])
    assert json.loads(json.dumps(vars(ticket))) == stored["values"]


@pytest.mark.parametrize(("purpose", "address"), STORED["addresses"].items())
def test_a_reply_address_of_an_earlier_version_still_names_its_letter(purpose, address, settings):
    settings.INBOUND_DOMAIN = "in.beans.example"
    assert addresses.parse_purpose(address) == purpose
    assert addresses.parse_letter_id(purpose, address) == 4711


@pytest.mark.parametrize("stored", STORED["letters"], ids=lambda stored: stored["name"])
def test_a_letter_of_an_earlier_version_can_be_read(stored):
    body = Body(packed=base64.b64decode(stored["packed"]))
    assert mime.split_parts(body.source) == (stored["text"], stored["html"], stored["calendar"])
