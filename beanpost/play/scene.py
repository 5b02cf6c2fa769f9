"""What one reader may see of a match right now: all that letters and pages are made from.

Built from views and phrases alone. A state never leaves this room, so nothing hidden can slip into a template.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime
from functools import cached_property
from itertools import groupby
from typing import Any

from django.utils.translation import gettext as _
from django.views.decorators.debug import sensitive_variables

from beanpost.play import absence, history, notices, provisos
from beanpost.play.models import Event, Match, Note, Order, Place, Vault, Wait
from beanpost.play.orders import last_word
from beanpost.play.pace import Pace
from beanpost.play.pieces import Group, Option, Standing, Told
from beanpost.play.telling import told
from beanpost.play.tickets import MoveTicket, OrderTicket, SeatTicket, sign
from beanpost.players.models import Away
from games.chairs import HOUSE, Seat
from games.errors import RulesError
from games.notation import Action, form
from games.phrases import Phrase
from games.rules import Ask, Result, Rules, Step, Table, is_sealed

SUMMARY = 25  # lines of the story that somebody is told who has just taken over a seat


@dataclass(frozen=True)
class Scene:
    """A match, seen by one seat (None: a bystander)."""

    match: Match
    places: Sequence[Place]
    reader: Seat | None
    table: Table[Any, Any] = field(repr=False)
    wait: Wait | None  # the question this reader is asked

    @property
    def rules(self) -> Rules[Any, Any]:
        return self.table.rules

    @property
    def place(self) -> Place | None:
        return None if self.reader is None else self.places[self.reader]

    @cached_property
    def names(self) -> list[str]:
        return [place.name for place in self.places]

    @cached_property
    def view(self) -> Any:
        return self.table.view(self.reader)

    @property
    def fragment(self) -> str:
        """The template that draws this game's table."""
        return f"games/{self.rules.slug}/table.html"

    @property
    def result(self) -> Result | None:
        return self.table.result

    @cached_property
    def standings(self) -> list[Standing]:
        """Everybody with rank and score, the winners first; nobody while the game lasts."""
        if self.result is None:
            return []
        rows = zip(self.result.ranks, self.places, self.result.scores, strict=True)
        return sorted((Standing(*row) for row in rows), key=lambda row: (row.rank, row.place.seat))

    @property
    def winners(self) -> list[Place]:
        return [row.place for row in self.standings if row.rank == 1]

    @property
    def others(self) -> list[str]:
        """The names of those whom this reader plays with."""
        return [place.name for place in self.places if place.seat != self.reader]

    @property
    def waiting_for(self) -> list[Place]:
        """Whom the table stands still for."""
        return [self.places[ask.seat] for ask in self.table.asks if ask.seat >= 0 and ask.default is not None]

    @property
    def open_until(self) -> datetime | None:
        """By when the table goes on, whoever has spoken."""
        return max((wait.due_at for wait in self.match.waits.all() if wait.due_at), default=None)

    # ── the question ──

    @cached_property
    def ask(self) -> Ask | None:
        return None if self.wait is None else self.table.ask(self.wait.seat)

    @property
    def question(self) -> str:
        return self.told(self.rules.words.question(self.view, self.ask)) if self.ask else ""

    @property
    def otherwise(self) -> str:
        """What will be said when time is up, as a clause: "you pass, since …"."""
        return self.told(self.rules.words.otherwise(self.view, self.ask)) if self.ask else ""

    @cached_property
    def options(self) -> list[Option]:
        if self.ask is None:
            return []
        return [self.option(number, action) for number, action in enumerate(self.ask.menu, 1)]

    def option(self, number: int, action: Action) -> Option:
        label = self.told(self.rules.words.label(self.view, action))
        found = self.rules.words.find(self.view, action)
        heading, brief = (self.told(found.heading), self.told(found.brief)) if found else ("", label)
        return Option(number, str(action), label, self.ticket(str(action)), heading, brief)

    @cached_property
    def groups(self) -> list[Group]:
        """The ready answers under their headings; without headings, "play 6" and "play 6 6" belong together."""
        together = groupby(self.options, key=lambda option: option.heading or option.line.split()[:2])
        rows = [list(options) for _, options in together]
        return [Group(options[0].heading, options) for options in rows]

    @property
    def forms(self) -> list[str]:
        """The shapes of sentences one may compose."""
        return [form(kind) for kind in self.ask.free] if self.ask else []

    def label(self, line: str) -> str:
        """What saying a line would do, in words."""
        assert self.wait is not None
        return self.told(self.rules.words.label(self.view, self.table.read(self.wait.seat, line)))

    def why_not(self, line: str) -> RulesError | None:
        """Why this reader cannot say a line now, if it cannot."""
        assert self.wait is not None
        try:
            self.table.says(self.wait.seat, line)
        except RulesError as refusal:
            return refusal
        return None

    def ticket(self, line: str = "") -> str:
        """The ticket that answers this reader's question: with a line, or with whatever its page offers."""
        assert self.wait is not None
        assert self.place is not None
        since = 0 if line else self.match.length
        return sign(MoveTicket(self.match.pk, self.wait.seat, self.place.occupant, self.wait.opened, line, since))

    @property
    def seat_ticket(self) -> str:
        assert self.place is not None
        return sign(SeatTicket(self.match.pk, self.place.seat, self.place.occupant))

    # ── time ──

    @property
    def rhythm(self) -> Pace:
        return self.match.rhythm

    @property
    def is_new_here(self) -> bool:
        """Whether the reader took over this seat and has not spoken yet: the letter begins with what was so far."""
        seated = self.place.seated if self.place else 0
        return bool(seated) and not any(line.seat == self.reader and line.seq > seated for line in self.story)

    @property
    def absentees(self) -> list[Place]:
        """Those for whom a bot sits in."""
        return [place for place in self.places if place.player and place.stand_in]

    @property
    def provisos(self) -> list[str]:
        """What there is to know about the reader's deadline beside the instant itself."""
        return provisos.of(self.match, self.place, self.wait) if self.place and self.wait else []

    def away(self, now: datetime) -> list[tuple[Place, Away]]:
        """Who is away at the moment, and how long."""
        return absence.at_table(self.match, self.places, now)

    # ── standing orders, which nobody else hears of ──

    @cached_property
    def all_orders(self) -> list[Order]:
        """Every order the reader has given."""
        return [] if self.reader is None else list(self.match.orders.filter(seat=self.reader))

    @cached_property
    def orders(self) -> list[Order]:
        """The reader's orders that stand, and those that lapsed since the last news."""
        return [order for order in self.all_orders if self.is_news(order)]

    def is_news(self, order: Order) -> bool:
        return order.lapsed_at is None or not self.news or order.lapsed_at >= self.news[0].said_at

    def why_lapsed(self, order: Order) -> str:
        return self.told(Phrase(order.reason, **order.values))

    @property
    def suggestions(self) -> list[str]:
        """Orders that could be given with one press."""
        standing = {order.line for order in self.orders if order.lapsed_at is None}
        return [line for line in map(str, self.rules.suggest(self.view)) if line not in standing]

    @property
    def order_kinds(self) -> list[tuple[str, str]]:
        """The shapes of the orders one may give, and what they do."""
        return [(form(kind), self.told(kind.about)) for kind in self.rules.orders]

    @cached_property
    def order_ticket(self) -> str:
        assert self.place is not None
        since = last_word(self.match.pk, self.place.seat)
        return sign(OrderTicket(self.match.pk, self.place.seat, self.place.occupant, since))

    @cached_property
    def said_by_order(self) -> dict[int, str]:
        """Which of the reader's orders said which line. Others are told the lines alone."""
        return {seq: order.line for order in self.all_orders for seq in order.answered}

    # ── the story ──

    @cached_property
    def story(self) -> list[Told]:
        """Every move that stands, told to this reader; what tells nothing is left out."""
        notes = {note.seq: note for note in self.match.notes.all()} if self.hears_notes else {}
        lines = [self.told_step(event, step, notes.get(event.seq)) for event, step in history.standing(self.match)]
        lines += map(self.told_notice, self.match.events.filter(seat=HOUSE))
        return sorted((line for line in lines if line.sentences), key=lambda line: line.seq)

    @property
    def hears_notes(self) -> bool:
        """Notes are for the table: a bystander hears none, nor does who has muted them."""
        return self.place is not None and self.place.hears_notes

    def line(self, seq: int) -> Told | None:
        """One line of the story, if there is anything to tell of it."""
        return next((line for line in self.story if line.seq == seq), None)

    @property
    def news(self) -> list[Told]:
        """The story since this reader last spoke, that line included; the whole of it for who has not yet spoken."""
        seated = self.place.seated if self.place else 0
        own = [line.seq for line in self.story if line.seat == self.reader and line.by_hand and line.seq > seated]
        if seated and not own:
            return self.story[-SUMMARY:]
        since = [line for line in own if self.wait is None or line <= self.wait.opened]
        return [line for line in self.story if not since or line.seq >= since[-1]]

    @sensitive_variables("step")
    def told_step(self, event: Event, step: Step[Any], note: Note | None) -> Told:
        sentences = [self.told(phrase) for phrase in self.rules.words.tell(step, self.table.state, self.reader)]
        # That the clock answered a sealed question is told when the answer is.
        if event.origin == Event.Origin.CLOCK and not is_sealed(self.rules.hears(step, self.table.state, self.reader)):
            sentences.insert(0, self.time_was_up(event.seat))
        order = self.said_by_order.get(event.seq)
        if order:
            sentences.append(_("That was by your order “%(order)s”.") % {"order": order})
        by_hand = not order and event.origin != Event.Origin.HOUSE
        return Told(event.seq, event.seat, event.origin, event.said_at, sentences, note, by_hand)

    def told_notice(self, event: Event) -> Told:
        """What the house has done, to the table as a whole."""
        sentence = notices.told(event, self.names, self.reader, self.left)
        return Told(event.seq, event.seat, event.origin, event.said_at, [sentence])

    @cached_property
    def left(self) -> dict[int, str]:
        """Who gave up a seat to somebody else, by the line with which that happened."""
        return dict(self.match.departures.values_list("seq", "name"))

    def time_was_up(self, seat: Seat) -> str:
        if seat == self.reader:
            return _("Your time was up.")
        return _("Time was up for %(name)s.") % {"name": self.names[seat]}

    def told(self, phrase: Phrase) -> str:
        return told(phrase, self.names)


@sensitive_variables("vault")
def of(match: Match, reader: Seat | None) -> Scene:
    """The scene of a match that has begun, for one reader."""
    vault = Vault.objects.get(match=match)
    wait = None if reader is None else match.waits.filter(seat=reader).first()
    return Scene(match, list(match.places.select_related("player")), reader, history.table(match, vault), wait)
