"""Any input from strangers gets a readable answer. Hypothesis makes it up: a little here, much with `make fuzz`.
docs/attacks.md lists every attack and the test for it.
"""

import copy
import json
import os
import re
import time
from dataclasses import fields
from pathlib import Path

import pytest
from django.urls import reverse
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import games
from beanpost.leagues.people import import_entries
from beanpost.play import tickets
from beanpost.play.display import scene
from beanpost.post.reply_parser.mail import Mail, parse_mail
from games.contract.notation import read
from games.verification.verify import verify
from tests.browser import Browser
from tests.friends import seat_friends
from tests.games.exporter import Match

ROOT = Path(__file__).parents[2]
EXAMPLES = int(os.environ.get("FUZZ", "25"))
often = settings(max_examples=EXAMPLES)
with_rows = settings(
    max_examples=max(10, EXAMPLES // 3), deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)

KINDS = [kind for kind in vars(tickets).values() if isinstance(kind, type) and issubclass(kind, tickets.Ticket)]
WORDS = sorted({word for rules in games.GAMES.values() for kind in rules.vocabulary for word in kind.says.split()})
almost = st.lists(st.sampled_from([*WORDS, "7", "0", "-1", "A", "7S", "stink@4", "9999999", "…", "\0"]), max_size=12)
lines = st.text(max_size=200) | almost.map(" ".join)


@pytest.mark.parametrize("slug", games.GAMES)
@often
@given(lines)
def test_any_line_is_read_or_refused_with_a_sentence(slug, line):
    vocabulary = games.get(slug).vocabulary
    try:
        action = read(line, vocabulary)
    except games.Unreadable:
        return
    assert read(str(action), vocabulary) == action


@pytest.mark.parametrize("slug", games.GAMES)
@often
@given(lines, st.integers(-2, 6))
def test_any_line_from_any_seat_is_accepted_or_refused(slug, line, seat):
    table = fresh(slug)
    try:
        after = table.says(seat, line)
    except games.RulesError:
        return
    assert after.lines[-1].seat == seat


def fresh(slug):
    table = games.open(slug, seats=games.get(slug).seats[-1])
    dealer, nth = games.Seeded(b"fuzz"), 0
    while table.ask(games.DEALER):
        table, nth = table.says(games.DEALER, dealer.answer(table, nth)), nth + 1
    return table


@pytest.mark.parametrize("kind", [kind for kind in KINDS if hasattr(kind, "purpose")], ids=lambda kind: kind.__name__)
@often
@given(st.data())
def test_a_string_is_a_ticket_of_ours_or_none(kind, data):
    good = tickets.sign(kind(*(1 for _ in fields(kind))))
    at = data.draw(st.integers(0, len(good) - 1))
    put = data.draw(st.text(max_size=3) | st.sampled_from([":", ".", "=", "/"]))
    for text in (data.draw(st.text()), good[:at] + put + good[at + 1 :], good[:at] + put + good[at:]):
        if text != good:
            with pytest.raises(tickets.BadTicket):
                tickets.redeem(kind, text)


heads = st.sampled_from(
    [b"", b"Content-Type: text/html; charset=nonsense\n", b"Content-Transfer-Encoding: base64\n",
     b"Content-Type: multipart/mixed; boundary=x\n", b"Subject: =?utf-8?b?////?=\n", b"Message-ID: <a\0b>\n"]
)  # fmt: skip


@often
@given(heads, st.binary(max_size=400) | lines.map(lambda line: line.encode("utf-8", "replace")))
def test_any_bytes_can_be_opened_as_an_email(head, body):
    assert isinstance(parse_mail(head + b"\n" + body), Mail)
    assert isinstance(parse_mail(head + b"\n--x\n" + head + b"\n" + body + b"\n--x--\n"), Mail)


cells = st.text(max_size=30) | st.sampled_from(["ann@example.org", '"', "=cmd()", "\0", "a@b", "<x@y.zz>", "\ufeff"])
rows = st.lists(st.lists(cells, max_size=4).map(",".join), max_size=8).map("\n".join)


@often
@given(rows)
def test_any_list_of_people_is_read_line_by_line(text):
    for person in import_entries.read_list(text):
        assert bool(person.address) != bool(person.trouble)
        assert str(person)


@pytest.mark.parametrize("cell", ["(" * 3000 + "@", "(a" * 9000 + "@x.org", "<" * 3000 + "@>", '"' * 9000 + "@"])
@pytest.mark.parametrize("heading", ["", "Name;Email\nAnn;"])
def test_a_list_with_nested_comments_is_refused_with_a_sentence(heading, cell):
    """The standard library reads nested comments of an address by calling itself."""
    people = import_entries.read_list(heading + cell)
    assert people
    assert all(person.trouble for person in people)


@pytest.mark.parametrize(
    "line", ["@\n", "x\n", "\n", "@;", "a,\n", "\t\n", "a@b.cc\n", "a@b.cc,", '"a\n', "x;@\n", "(@\n", "x;", "é,"]
)
def test_any_list_of_60_000_letters_is_read_quickly(line):
    import_entries.read_list("Ann <ann@example.org>")
    text = (line * 60_000)[:60_000]
    best = min(timed(text) for _ in range(3))
    assert best < 0.1  # seconds of the processor; a quarter of it on a machine that does nothing else


def timed(text):
    began = time.thread_time()
    import_entries.read_list(text)
    return time.thread_time() - began


def test_a_list_with_one_enormous_cell_is_refused_with_a_sentence():
    [person] = import_entries.read_list('"' + "x" * 300_000)
    assert person.trouble


@pytest.fixture(scope="module")
def export():
    match = Match("haricots", 3)
    match.play(12)
    return json.loads(json.dumps(match.export()))


@often
@given(st.data())
def test_any_export_is_verified_or_refused_with_a_sentence(export, data):
    changed = copy.deepcopy(export)
    part = changed
    while isinstance(part, dict | list) and part:
        keys = list(part) if isinstance(part, dict) else range(len(part))
        key = data.draw(st.sampled_from(list(keys)))
        if not isinstance(part[key], dict | list) or data.draw(st.booleans()):
            part[key] = data.draw(st.none() | st.integers() | st.text(max_size=5) | st.just([]) | st.just({}))
            break
        part = part[key]
    try:
        sentence = str(verify(changed))
    except games.RulesError as doubt:
        sentence = str(doubt)
    assert sentence.endswith(".")


@pytest.fixture
def page(db):
    match = seat_friends()
    return reverse("move", args=[scene.build_scene(match, match.waits.get().seat).question.ticket])


@with_rows
@given(line=lines, note=st.text(max_size=300))
def test_any_form_gets_a_page(page, line, note):
    answer = Browser().post(page, {"line": line, "note": note})
    assert answer.status_code in (200, 400, 409, 422)
    assert b"<h1>" in answer.content


def test_every_attack_names_an_existing_test():
    table = (ROOT / "docs/attacks.md").read_text()
    named = re.findall(r"`(tests/[\w/]+\.py)::(test_\w+)`", table)
    assert len(named) > 20
    for file, name in named:
        assert f"def {name}(" in (ROOT / file).read_text(), f"{file}::{name}"
