"""One match from its start to its end: the real table, sweep and outbox, and a clock that jumps to the next event.

Letters are rows that are claimed, dropped or sent as in production, but not rendered. Everything happens in one
transaction that is rolled back, so that no row outlives its match and no worker is woken up.
"""

from __future__ import annotations

import heapq
import random
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import partial

from django.db import transaction
from django.db.models import Min

from beanpost.play import load, moves
from beanpost.play.display import scene
from beanpost.play.display.orders import offers
from beanpost.play.models import Match, Place, Pulse, Wait
from beanpost.play.tickets import MoveTicket, OrderTicket, redeem
from beanpost.play.timekeeping import due_questions
from beanpost.play.timekeeping import sweep as sweeping
from beanpost.play.turns import standing_orders
from beanpost.players.models import Player
from beanpost.post.compose import letter as compose
from beanpost.post.deliver import sending
from beanpost.post.kinds import PLAYED
from beanpost.post.models import Letter
from beanpost.post.notify import match_letters
from beanpost.post.outbox import claims, queue
from tests import friends
from tools.proof.pace.goals import Figures, Kind
from tools.proof.pace.habits import ByMail, Evenings, Habit
from tools.proof.pace.planning import Plain, Planner, Press

START = datetime(2026, 11, 16, 20, tzinfo=UTC)  # a Monday, when an evening begins
MAX_DAYS = 250  # a match that takes longer does not end
STOOD_STILL = timedelta(minutes=10)  # a shorter wait is part of a sitting
NEVER = datetime.max.replace(tzinfo=UTC)
SWEEPS_APART = timedelta(seconds=30)
BATCH = 50
PACE = "daily"
ASKING = ("turn", "reminder", "excused")  # letters that ask their reader


class Fault(Exception):
    """A match that did not end, or something in it that must not happen."""


@dataclass
class Person:
    seat: int
    habit: Habit
    manner: Plain | Planner
    replies: bool = False  # answers letters by mail, so that no page shows what follows
    is_coming: bool = False  # whether a look or a press of theirs is on the agenda
    has_pressed: bool = False  # on this visit, so that a page is open before them
    seen: int = -1  # length of the log when they last had nothing to say


def plain(chance: random.Random, seat: int) -> Person:
    return Person(seat, ByMail(chance), Plain())


def by_reply(chance: random.Random, seat: int) -> Person:
    return Person(seat, ByMail(chance), Plain(), replies=True)


def planner(chance: random.Random, seat: int) -> Person:
    return Person(seat, ByMail(chance), Planner())


def evening(chance: random.Random, seat: int) -> Person:
    return Person(seat, Evenings(chance), Plain())


def two_of_four(chance: random.Random, seat: int) -> Person:
    return evening(chance, seat) if seat % 2 else plain(chance, seat)


MODELS: dict[str, Callable[[random.Random, int], Person]] = {
    "plain": plain,
    "planner": planner,
    "by reply": by_reply,
    "evening": evening,
    "two of four": two_of_four,
}


def play(kind: Kind, model: str, seed: int) -> Figures:
    """Play a match to its end. Models share deals and hours of the same seed, so that they can be compared."""
    people = [MODELS[model](random.Random(f"{kind} {seed} {seat}"), seat) for seat in range(kind.seats)]
    with transaction.atomic():
        figures = Correspondence(kind, people, seed).play()
        transaction.set_rollback(True)
    return figures


class PageOfScene:
    """What a planner reads of a scene. Offers that are added there are pressed here."""

    def __init__(self, shown: scene.Scene) -> None:
        self.scene, self.rules, self.view = shown, shown.rules, shown.view
        self.visible_ask = shown.question.visible_ask if shown.question else None

    @property
    def ready_orders(self) -> list[str]:
        return offers.find_ready_orders(self.scene)

    def find_orders_with(self, line: str) -> list[str]:
        return offers.find_orders_with(self.scene, line)


class Correspondence:
    """A match, its people, and everything that is going to happen."""

    def __init__(self, kind: Kind, people: Sequence[Person], seed: int) -> None:
        self.name, self.people = f"{kind}, seed {seed}", people
        self.now = START
        secret = f"pace {kind} {seed}".encode().ljust(32)[:32]
        self.match = friends.seat_friends(
            kind.game, kind.variant, seats=kind.seats, secret=secret, pace=PACE, excuses=2, now=START
        )
        self.players = list(self.match.places.order_by("seat").values_list("player", flat=True))
        self.agenda: list[tuple[datetime, int, Callable[[], None]]] = []
        self.entries = 0
        self.presses: Counter[int] = Counter()
        self.open: dict[tuple[int, int], datetime] = {}  # by seat and opening line: since when the table waits for it
        self.stops: set[int] = set()  # lines after which the table stood still
        for person in people:
            self.come(person, person.habit.first_look(START))
        self.watch()

    def play(self) -> Figures:
        while self.match.phase == Match.Phase.RUNNING:
            self.step()
        self.deliver()  # the result
        sent, count = self.match.letters.filter(state=Letter.State.SENT), len(self.people)
        days, told = (self.now - START) / timedelta(days=1), sent.filter(kind=PLAYED).count()
        return Figures(days, len(self.stops), sent.count() / count, told / count, self.presses.total() / count)

    # ── the course of time ──

    def step(self) -> None:
        """Jump to the next thing that is due: a letter, a deadline, or a person."""
        person = self.agenda[0][0] if self.agenda else NEVER
        at = {self.deliver: self.next_letter(), self.sweep: self.next_sweep(), self.visit: person}
        task = min(at, key=lambda task: at[task])
        self.now = max(self.now, at[task])
        if self.now > START + timedelta(days=MAX_DAYS):
            raise Fault(f"{self.name} does not end within {MAX_DAYS} days.")
        task()

    def next_letter(self) -> datetime:
        waiting = Letter.objects.filter(state__in=Letter.ON_THE_WAY)
        return waiting.aggregate(at=Min("due_at"))["at"] or NEVER

    def next_sweep(self) -> datetime:
        """Return when the sweep has something to do. Sweeps before that would find nothing."""
        waits = Wait.objects.aggregate(due=Min("due_at"), reminder=Min("remind_at"))
        nudge = Place.objects.aggregate(at=Min("nudge_at"))["at"]
        return min(filter(None, (*waits.values(), nudge)), default=NEVER)

    def deliver(self) -> None:
        batch = claims.claim(self.now, BATCH)
        compose.load_matches(batch)
        for letter in batch:
            contents = compose.load_consistent_contents(letter)
            if contents is None:
                claims.mark_dropped(letter)
            else:
                claims.drop_joined(letter, compose.list_joined(letter, contents))
                claims.mark_sent(letter, self.now)
                sending.note_delivery(letter, self.now)

    def sweep(self) -> None:
        # The heartbeat of the sweep before, which was left out: otherwise the pause would count as an outage.
        Pulse.objects.update_or_create(pk=1, defaults={"beat_at": self.now - SWEEPS_APART})
        sweeping.sweep(self.now)
        self.watch()
        if self.next_sweep() <= self.now or not due_questions.check_health(self.now).is_well:
            raise Fault(f"{self.name}: the sweep leaves something undone at {self.now}.")

    def visit(self) -> None:
        heapq.heappop(self.agenda)[2]()

    def watch(self) -> None:
        """Count the times that the table stands still, and let people at a live page see what is new."""
        self.match.refresh_from_db()
        waits = list(self.match.waits.all())
        waited = {(wait.seat, wait.opened): wait.asked_at for wait in waits if wait.is_blocking}
        for question, since in self.open.items():
            if question not in waited and self.now - since > STOOD_STILL:
                self.stops.add(question[1])
        self.open = waited
        asked = {wait.seat for wait in waits}
        for person in self.people:
            is_new = person.seat in asked and person.seen != self.match.length
            if is_new and not person.is_coming and not person.habit.needs_letters:
                self.come(person, person.habit.next_press(self.now))

    # ── people ──

    def come(self, person: Person, at: datetime) -> None:
        self.entries += 1
        person.is_coming = True
        task: Callable[[], None] = partial(self.look, person)
        heapq.heappush(self.agenda, (at, self.entries, task))

    def look(self, person: Person) -> None:
        """Press once on the page that is shown, and stay; or leave, if there is nothing to press."""
        person.is_coming = False
        if self.match.loaded is None:
            load.load_matches([self.match])  # kept until something changes
            for place in scene.build_scene(self.match, None).places:
                place.has_played_before = True  # so that plans are offered from the first turn on
        shown = scene.build_scene(self.match, person.seat)
        if self.is_noticed(person, shown) and (press := person.manner.press(PageOfScene(shown))):
            self.press(person, shown, press)
            person.has_pressed = not person.replies
            self.come(person, person.habit.next_press(self.now))
            self.watch()
            return
        person.has_pressed, person.seen = False, self.match.length
        if person.habit.needs_letters:
            self.come(person, person.habit.next_look(self.now))

    def is_noticed(self, person: Person, shown: scene.Scene) -> bool:
        """Return whether the person sees this page: it is open, or a letter about it has come."""
        if not person.habit.needs_letters or person.has_pressed:
            return True
        if shown.wait is None:
            return False
        own = self.match.letters.filter(recipient=self.players[person.seat], state=Letter.State.SENT)
        return own.filter(kind__in=ASKING, values__opened=shown.wait.opened).exists()

    def press(self, person: Person, shown: scene.Scene, press: Press) -> None:
        self.presses[person.seat] += 1
        if press.line:
            assert shown.question is not None
            ticket = redeem(MoveTicket, shown.question.ticket)
            if press.order:
                made = standing_orders.play_with_order(ticket, press.line, order=press.order, now=self.now)
            else:
                made = moves.play_ticket(ticket, press.line, now=self.now)
            if person.replies:
                player = Player.objects.get(pk=self.players[person.seat])
                match_letters.acknowledge_reply(made.loaded.match, player, made.events[0].seq, now=self.now)
                queue.send_held_letter_now(made.loaded.match, player, now=self.now)
        else:
            standing_orders.give_by_ticket(redeem(OrderTicket, shown.order_ticket), press.order, now=self.now)
