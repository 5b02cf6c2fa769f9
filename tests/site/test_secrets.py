"""No page, letter or export reveals a secret to a player, not even by its size.
Two worlds differ in nothing but the secret. Everything a reader gets must be identical to the byte, with opaque
values masked.
"""

from __future__ import annotations

import os
import random
import re
from collections.abc import Iterator
from datetime import datetime, timedelta
from importlib import import_module
from itertools import combinations
from typing import Any, NamedTuple

import pytest
import time_machine
from django.db import transaction
from django.db.models import Max
from django.test import Client
from django.urls import reverse

import games
from beanpost.play import moves
from beanpost.play.display import scene
from beanpost.play.display.story import tell_story
from beanpost.play.log import storage
from beanpost.play.models import Event, Match, Order, Pulse, Vault
from beanpost.play.tickets import MoveTicket, OrderTicket, redeem, sign, sign_number
from beanpost.play.timekeeping import sweep
from beanpost.play.turns import standing_orders
from beanpost.post.models import Letter
from games.contract.asks import Step
from games.engine.table import Table
from tests.browser import Browser
from tests.friends import NOON, seat_friends
from tests.leagues.office import put_in_league
from tests.opaque import masked
from tests.play.display.test_tables import LAID_OUT
from tests.post.gallery import deliver
from tests.site.doors import public, received

pytestmark = pytest.mark.django_db

MINUTE, HOUR = timedelta(minutes=1), timedelta(hours=1)
PUBLIC_GAMES = {"haricots", "bohnanza"}  # every move is public


# Each test run compares a moment or two of one kind of each game; SECRETS=40 (`make secrets`) that many of every kind.
MOMENTS = int(os.environ.get("SECRETS", "1"))
KINDS = [
    pytest.param(slug, variant, seats, id=f"{slug}-{variant}-{seats}")
    for slug in LAID_OUT
    for variant in games.get(slug).variants
    for seats in {games.get(slug).seats[0], min(4, games.get(slug).seats[-1])}
]
FEW = [
    pytest.param(slug, games.get(slug).variants[-1], min(4, games.get(slug).seats[-1]), id=slug) for slug in LAID_OUT
]
over_all_kinds = pytest.mark.parametrize(("slug", "variant", "seats"), KINDS if "SECRETS" in os.environ else FEW)


@pytest.fixture(autouse=True)
def _no_time_passes():
    """Stop the clock: the two worlds are read one after the other, and the time must not tell them apart."""
    with time_machine.travel(NOON, tick=False):
        yield


def moments(match: Match, count: int, chance: random.Random) -> Iterator[Table[Any, Any]]:
    """Play a match at random; yield its table before each move."""
    while count and match.phase == Match.Phase.RUNNING:
        count -= 1
        table = storage.restore_table(match, Vault.objects.get(match=match))
        yield table
        wait = chance.choice(
            [wait for wait in match.waits.all() if scene.build_scene(match, wait.seat).question.options]
        )
        press(match, wait.seat, chance.choice(scene.build_scene(match, wait.seat).question.options).line)


def press(match: Match, seat: int, line: str, now: datetime = NOON) -> None:
    option = next(option for option in scene.build_scene(match, seat).question.options if option.line == line)
    ticket = redeem(MoveTicket, option.ticket)
    moves.play_ticket(ticket, ticket.line, now=now)
    match.refresh_from_db()


# ── two worlds ──


class Hidden(NamedTuple):
    """Two lines of one seat that a reader cannot tell apart."""

    seat: int
    lines: tuple[str, str]
    reader: int | None


def hidden(table: Table[Any, Any]) -> Iterator[Hidden]:
    for ask in table.asks:
        for one, other in combinations(ask.menu[:8], 2):
            for reader in (None, *range(table.seats)):
                if reader != ask.seat and show(table, ask.seat, one, reader) == show(table, ask.seat, other, reader):
                    yield Hidden(ask.seat, (str(one), str(other)), reader)


def show(table: Table[Any, Any], seat: int, action: Any, reader: int | None) -> tuple[str, Any]:
    """Return how the log shows a line to a reader, and the reader's view after it."""
    after = table.says(seat, str(action))
    step = Step(table.state, seat, action, after.state)
    return table.rules.secrecy.redact(step, after.state, reader), after.view(reader)


def after(match: Match, choice: Hidden, line: str) -> dict[str, Any]:
    """Return everything the reader gets after a line was played, and roll the move back."""
    with transaction.atomic():
        press(match, choice.seat, line)
        got = received(match, choice.reader)
        transaction.set_rollback(True)
    match.refresh_from_db()
    return got


@over_all_kinds
def test_no_reader_learns_another_players_secret_choice(slug, variant, seats):
    chance = random.Random(5)
    match, compared = seat_friends(slug, variant, seats=seats), 0
    for table in moments(match, 2 * MOMENTS, chance):
        choices = list(hidden(table))
        for choice in chance.sample(choices, min(1, len(choices))):
            one, other = (after(match, choice, line) for line in choice.lines)
            assert one == other
            compared += 1
    assert compared or slug in PUBLIC_GAMES


@over_all_kinds
def test_no_reader_learns_another_players_hand(slug, variant, seats):
    chance = random.Random(6)
    world = import_module(f"tests.games.{slug}.twin")
    match, differed = seat_friends(slug, variant, seats=seats), False
    put_in_league(match)
    for table in moments(match, MOMENTS, chance):
        reader = chance.choice([None, *range(table.seats)])
        with transaction.atomic():
            one = received(match, reader)
            transaction.set_rollback(True)
        twin = Table(table.rules, table.seats, table.variant, world.twin(table.state, reader, chance))
        differed |= twin != table
        with transaction.atomic():
            Vault.objects.filter(match=match).update(memory=games.remember(twin))
            assert received(match, reader) == one
            transaction.set_rollback(True)
    assert differed


# ── times ──

ALLOWED = {  # why two tables that differ only in hidden cards may differ in time, by the name of the exception
    "a forced fold": {"haricots"},  # if nothing else is left; docs/games/haricots.md says so
    "an order that fires": set(games.GAMES),  # the form of an order says so
    "a move that turns up a card": set(games.GAMES),  # by the rules alone, before anything answers: all see the card
}


class Schedule(NamedTuple):
    """When lines, letters, questions and pulses follow from a move, and from the silence after it."""

    lines: list[Any]
    letters: list[Any]
    questions: list[Any]
    pulses: list[bytes]
    exceptions: set[str]


def follow(match: Match, seat: int, line: str) -> Schedule:
    """Play a move and let time pass until shortly before the deadline, whose default may reveal a card. Roll back."""
    with transaction.atomic():
        length, sent = match.length, Letter.objects.aggregate(last=Max("pk"))["last"] or 0
        press(match, seat, line, NOON + MINUTE)
        pulses = [pulse(match)]
        for now in (NOON + hours * HOUR for hours in (6, 18, 23)):
            Pulse.objects.update(beat_at=now)
            with time_machine.travel(now, tick=False):
                sweep.sweep(now)
                pulses.append(pulse(match))
        lines = match.events.filter(seq__gt=length).order_by("seq")
        found = Schedule(
            list(lines.values_list("seat", "origin", "said_at")),
            list(
                Letter.objects.filter(pk__gt=sent)
                .order_by("pk")
                .values_list("recipient", "kind", "created_at", "due_at")
            ),
            list(match.waits.order_by("seat").values_list("seat", "asked_at", "due_at", "remind_at")),
            pulses,
            find_exceptions(match, length),
        )
        transaction.set_rollback(True)
    match.refresh_from_db()
    return found


def pulse(match: Match) -> bytes:
    return Client().get(reverse("pulse", args=[match.code])).content


def find_exceptions(match: Match, length: int) -> set[str]:
    forced = match.events.filter(seq__gt=length, seat__gte=0, origin=Event.Origin.HOUSE, line="fold").exists()
    fired = any(number > length for order in Order.objects.filter(match=match) for number in order.answered)
    return {name for name, happened in (("a forced fold", forced), ("an order that fires", fired)) if happened}


def follow_in_twin(match: Match, table: Table[Any, Any], seat: int, line: str, chance: random.Random) -> Schedule:
    """The same at a table that differs only in what this seat cannot see."""
    hidden = import_module(f"tests.games.{match.game}.twin").twin(table.state, seat, chance)
    twin = Table(table.rules, table.seats, table.variant, hidden)
    with transaction.atomic():
        Vault.objects.filter(match=match).update(memory=games.remember(twin))
        found = follow(match, seat, line)
        transaction.set_rollback(True)
    if table.says(seat, line).view(None) != twin.says(seat, line).view(None):
        found.exceptions.add("a move that turns up a card")
    return found


@over_all_kinds
def test_hidden_cards_change_no_time(slug, variant, seats):
    chance = random.Random(7)
    match, compared = seat_friends(slug, variant, seats=seats), 0
    for table in moments(match, 3 * MOMENTS, chance):
        wait = chance.choice(
            [wait for wait in match.waits.all() if scene.build_scene(match, wait.seat).question.options]
        )
        line = chance.choice(scene.build_scene(match, wait.seat).question.options).line
        one, other = follow(match, wait.seat, line), follow_in_twin(match, table, wait.seat, line, chance)
        if any(slug in ALLOWED[name] for name in one.exceptions | other.exceptions):
            continue
        assert one == other
        compared += 1
    assert compared


def test_an_order_that_depends_on_the_hand_is_an_exception_and_fires_at_once():
    match = seat_friends("haricots", "sprint")
    seat = match.waits.get().seat
    other = match.places.select_related("match", "player").get(seat=(seat + 1) % 3)
    standing_orders.give_order(other, "beat it cheaply else pass in round 1", now=NOON)
    line = next(
        option.line for option in scene.build_scene(match, seat).question.options if option.line.startswith("play")
    )
    schedule = follow(match, seat, line)
    assert schedule.exceptions == {"an order that fires"}
    assert (other.seat, "player", NOON + MINUTE) in schedule.lines


# ── sealed choices ──


def sealing() -> Match:
    """A match of Pas de Haricots in which everyone but the holder of the bean is asked."""
    match = seat_friends("pas_de_haricots", "one", seats=4)
    press(match, match.waits.get().seat, scene.build_scene(match, match.waits.get().seat).question.options[0].line)
    return match


def test_all_players_are_asked_and_sent_letters_at_once():
    match = sealing()
    asked = list(match.waits.all())
    assert len(asked) == match.seats - 1
    assert len({wait.opened for wait in asked}) == len({wait.due_at for wait in asked}) == 1
    queued = Letter.objects.filter(kind="turn", match=match, values__opened=asked[0].opened)
    assert {letter.recipient_id for letter in queued} == {match.places.get(seat=wait.seat).player_id for wait in asked}
    assert len({letter.due_at for letter in queued}) == 1


def test_a_secret_choice_is_not_revealed_by_any_letter_or_page():
    match = sealing()
    deliver()
    sent = Letter.objects.count()
    first, *others = match.waits.all()
    choice = scene.build_scene(match, first.seat).question.options[0]
    press(match, first.seat, choice.line)
    assert scene.build_scene(match, first.seat).wait is None
    assert Letter.objects.count() == sent
    card = choice.line.removeprefix("play ")
    for reader in (None, *(wait.seat for wait in others)):
        text = tell_story(match, reader)[-1].text
        assert text == f"{match.places.get(seat=first.seat).name} has chosen a card."
        got = public(Client(), match) if reader is None else received(match, reader)
        assert [door for door, part in got.items() if re.search(rf"\b{card}\b", str(part))] == []


def test_a_secret_choice_cannot_be_seen_or_changed_through_its_link():
    match = sealing()
    seat = match.waits.first().seat
    one, other = scene.build_scene(match, seat).question.options[:2]
    press(match, seat, one.line)
    for option in (one, other):
        page = masked(Browser().post(reverse("move", args=[option.ticket])).content.decode())
        assert "Already played" in page
        assert one.line.removeprefix("play ") not in page


# ── opaque values ──


def test_tickets_are_signed_and_of_equal_length_under_any_key(settings):
    ticket = OrderTicket(match=1, seat=2, occupant=3, since=4)
    ours = sign(ticket)
    settings.SECRET_KEY = "another"
    assert len(sign(ticket)) == len(ours)
    assert sign(ticket).rpartition(":")[2] != ours.rpartition(":")[2]


def test_reply_tokens_are_signed_and_of_equal_length_under_any_key(settings):
    ours = sign_number("turn", 41)
    settings.SECRET_KEY = "another"
    assert len(sign_number("turn", 41)) == len(sign_number("turn", 2**40)) == len(ours)
    assert sign_number("turn", 41) != ours
    address = f"turn+{ours}@in.example"
    assert masked(address) == f"turn+{'░' * len(ours)}@in.example"


def test_digests_and_commitments_depend_on_the_secret_of_the_match():
    one, other = (seat_friends("haricots", secret=secret * 32) for secret in (b"a", b"b"))
    assert {len(text) for match in (one, other) for text in (match.head, match.commitment)} == {64}
    assert one.head != other.head
    assert one.commitment != other.commitment


def test_a_masked_text_keeps_its_length():
    text = f"line 3 · {'a1' * 32} /move/{sign(MoveTicket(1, 0, 1, 2, 'play 7S'))}/ and /match/abcdefghijkl/"
    assert len(masked(text)) == len(text)
    assert "play" not in masked(text)
    assert masked(text).count("░") > 64
