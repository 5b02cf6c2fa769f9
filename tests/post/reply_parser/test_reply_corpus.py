"""Emails as people's programs write them, in tests/post/replies: the first lines of each say what it must do."""

import re
from collections import defaultdict
from email import message_from_bytes
from pathlib import Path

import pytest
from django.conf import settings
from django.db import transaction
from django.utils import translation

from beanpost.play.display import scene
from beanpost.players.models import Player
from beanpost.post.receive.open_questions import build_question, join_option
from beanpost.post.reply_parser.move_meaning import find_meaning
from tests.post.answering import (
    BOB,
    DOMAIN,
    DORA,
    TABLES,
    address,
    market,
    newest,
    outcome,
    put_in,
    say,
    with_replies,
)

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("replies_come_in")]

CORPUS = Path(__file__).parents[1] / "replies"
MAILS = {path.stem: path.read_bytes() for path in sorted(CORPUS.glob("*.eml"))}
NAMES: dict[tuple[str, str], list[str]] = defaultdict(list)
for name, source in MAILS.items():
    head = message_from_bytes(source)
    NAMES[head["X-Table"], head["X-Language"]].append(name)


@pytest.fixture
def replies_come_in():
    with with_replies():
        yield


def test_the_corpus_is_large_enough():
    assert len(MAILS) >= 40
    assert {table for table, _ in NAMES} < set(TABLES)
    assert {message_from_bytes(mail)["X-Must"].split()[0] for mail in MAILS.values()} == {"say", "answer", "leave"}


@pytest.mark.parametrize(("table", "language"), NAMES)
def test_every_email_does_what_it_must(table, language):
    match, seat = TABLES[table]()
    Player.objects.update(language=language)
    letter = newest(match, seat)
    done = {name: tried(MAILS[name], letter) for name in NAMES[table, language]}
    assert done == {name: message_from_bytes(MAILS[name])["X-Must"] for name in done}


def tried(source: bytes, letter) -> str:
    """Return the outcome of an email, and roll it back."""
    sender = "<>" if message_from_bytes(source)["Return-Path"] == "<>" else "bob@example.org"
    with transaction.atomic():
        became = outcome(put_in(letter, addressed(source, address(letter)), sender=sender))
        transaction.set_rollback(True)
    return became


def addressed(source: bytes, to: str) -> bytes:
    """Return the email as it was sent, without our lines about it."""
    preface, _, rest = source.partition(b"From: ")
    assert preface.count(b"\n") == 3
    assert DOMAIN in to
    return b"From: " + rest.replace(b"To: TURN\n", f"To: {to}\n".encode(), 1)


def test_each_offer_in_a_market_is_accepted_or_declined_by_a_mark():
    match, _ = market()
    newest(match, BOB)
    say(match, BOB, "offer soy for *eye to D")
    letter = newest(match, DORA)
    assert {option["line"] for option in letter.options} >= {"accept 1", "decline 1"}
    assert set(re.findall(r"^ *(m\d+)\. ", letter.text, re.M)) == {option["mark"] for option in letter.options}


@pytest.mark.parametrize("language", dict(settings.LANGUAGES))
@pytest.mark.parametrize("table", TABLES)
def test_every_printed_move_can_be_sent_back_by_mark_line_and_label(table, language):
    match, seat = TABLES[table]()
    Player.objects.update(language=language)
    letter = newest(match, seat)
    with translation.override(language):
        asked = build_question(letter, scene.build_scene(match, seat))
        for option in letter.options:
            words = [option["mark"], option["label"], *([] if "order" in option else [option["line"].upper()])]
            for text in words:
                assert find_meaning(text, asked).legal == (join_option(option),)
