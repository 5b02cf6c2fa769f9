"""The question that a reader is asked right now: its ready answers, the tickets that give them, and its deadline."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from functools import cached_property
from itertools import groupby

from beanpost.play.deadlines import days_away
from beanpost.play.display import deadline_notes
from beanpost.play.display.parts import Group, Option
from beanpost.play.display.story import Story
from beanpost.play.models import Place
from beanpost.play.pace import Pace
from beanpost.play.tickets import MoveTicket, SeatTicket, sign
from beanpost.players.models import Away
from games.contract.asks import Ask
from games.contract.errors import RulesError
from games.contract.game import Ruinous
from games.contract.notation import Action, describe_form
from games.contract.orders import drop_hidden


@dataclass(frozen=True)
class PendingQuestion(Story):
    """The story, and the reader's open question."""

    @cached_property
    def ask(self) -> Ask | None:
        return None if self.wait is None else self.table.ask(self.wait.seat)

    @cached_property
    def visible_ask(self) -> Ask | None:
        """The question without the ready answers that an order hides from the reader."""
        return self.ask and replace(self.ask, menu=tuple(drop_hidden(self.parsed_orders, self.view, self.ask.menu)))

    @property
    def concerns_reader(self) -> bool:
        """Whether the reader's question is worth a letter."""
        return self.visible_ask is not None and self.rules.concerns(self.view, self.visible_ask)

    @cached_property
    def question(self) -> str:
        return self.say(self.rules.words.question(self.view, self.ask)) if self.ask else ""

    @cached_property
    def default_clause(self) -> str:
        """The default that is played when time is up, as a clause: "you pass, since …"."""
        return self.say(self.rules.words.otherwise(self.view, self.ask)) if self.ask else ""

    @cached_property
    def options(self) -> list[Option]:
        """The ready answers, as letters and pages list them: by heading, under each the harmless ones first, and those
        that ruin the player last of all.
        """
        found = [self.build_option(action) for action in self.ready_answers.values()]
        if all(option.ruin for option in found):  # there is nothing better
            found = [replace(option, ruin="") for option in found]
        headings = list(dict.fromkeys(option.heading for option in found))
        found.sort(key=lambda option: (option.ruin, headings.index(option.heading), bool(option.warning)))
        return [replace(option, number=number) for number, option in enumerate(found, 1)]

    @cached_property
    def ready_answers(self) -> Mapping[Hashable, Action]:
        """The ready answers that no order hides from the reader; of equal ones the first. By their keys."""
        if self.ask is None:
            return {}
        ready = self.rules.menus.ready_answers(self.view, self.ask)
        return self.drop_equal_answers(drop_hidden(self.parsed_orders, self.view, ready))

    def drop_equal_answers(self, ready: Iterable[Action]) -> dict[Hashable, Action]:
        """Return the answers without those that are equal to an earlier one. A reply may still name any of them."""
        shown: dict[Hashable, Action] = {}
        for action in ready:
            shown.setdefault(self.find_key(action), action)
        return shown

    def find_key(self, action: Action) -> Hashable:
        """Return what equal answers have in common."""
        key = self.rules.menus.group_key(self.view, action)
        return action if key is None else key

    @cached_property
    def sensible_lines(self) -> list[str]:
        """The ready answer that the game's bot would give (it sees no more than the reader), and the default."""
        if self.visible_ask is None:
            return []
        keys = map(self.find_key, filter(None, (self.rules.bot(self.view, self.visible_ask), self.visible_ask.default)))
        return [str(self.ready_answers[key]) for key in dict.fromkeys(keys) if key in self.ready_answers]

    def build_option(self, action: Action) -> Option:
        label = self.say(self.rules.words.label(self.view, action))
        found = self.rules.menus.find_place(self.view, action)
        heading, brief = (self.say(found.heading), self.say(found.brief)) if found else ("", label)
        danger = self.rules.menus.find_danger(self.view, action)
        warning = self.say(danger.warning) if danger else ""
        ruin = self.say(danger.heading) if isinstance(danger, Ruinous) else ""
        return Option(0, str(action), label, self.get_ticket(str(action)), heading, brief, warning, ruin)

    @cached_property
    def groups(self) -> list[Group]:
        """The ready answers by heading; without headings, by their first two words: "play 6" and "play 6 6"."""
        together = groupby(self.options, key=lambda option: option.ruin or option.heading or option.line.split()[:2])
        rows = [list(options) for _, options in together]
        return [Group(options[0].ruin or options[0].heading, options) for options in rows]

    @property
    def forms(self) -> list[str]:
        """The forms of lines that the player may compose."""
        return [describe_form(kind) for kind in self.ask.free] if self.ask else []

    @property
    def opportunity(self) -> str:
        """What the reader may do although nobody waits for them: "You can trade now"."""
        return self.say(self.rules.words.opportunity(self.view, self.ask)) if self.ask else ""

    @property
    def compose_label(self) -> str:
        """The button that leads to the form for such a line, if the game has a label for it."""
        says = self.ask.free if self.ask else ()
        labels = [composer.label for composer in self.rules.composers if composer.says in says and composer.label]
        return self.say(labels[0]) if labels else ""

    @property
    def example(self) -> str:
        """An example of such a line, as a player might write it in a reply."""
        found = self.rules.menus.example(self.view, self.ask) if self.ask else None
        return self.say(found) if found else ""

    @cached_property
    def drafts(self) -> list[tuple[int, str]]:
        """Drafts to start composing from: the number of the offer to answer, and a label."""
        ask = self.visible_ask
        if ask is None:
            return []
        return [(draft.number, self.say(draft.label)) for draft in self.rules.menus.drafts(self.view, ask)]

    def label(self, line: str) -> str:
        """Return in words what a line would do."""
        assert self.wait is not None
        return self.say(self.rules.words.label(self.view, self.table.read(self.wait.seat, line)))

    def find_refusal(self, line: str) -> RulesError | None:
        """Return why this reader cannot play a line now; None if they can."""
        assert self.wait is not None
        try:
            self.table.says(self.wait.seat, line)
        except RulesError as refusal:
            return refusal
        return None

    def find_price(self, line: str) -> str:
        """Return what a legal line costs the reader, as a sentence; "" if it costs nothing."""
        assert self.wait is not None
        danger = self.rules.menus.find_danger(self.view, self.table.read(self.wait.seat, line))
        return self.say(danger.warning) if danger else ""

    def get_ticket(self, line: str = "") -> str:
        """Return the ticket that answers the reader's question: with this line, or on the page."""
        return sign(self.build_ticket(line)) if line else self.page_ticket

    @cached_property
    def page_ticket(self) -> str:
        return sign(self.build_ticket(since=self.match.length))

    def build_ticket(self, line: str = "", since: int = 0) -> MoveTicket:
        assert self.wait is not None
        assert self.place is not None
        return MoveTicket(self.match.pk, self.wait.seat, self.place.occupant, self.wait.opened, line, since)

    @cached_property
    def seat_ticket(self) -> str:
        assert self.place is not None
        return sign(SeatTicket(self.match.pk, self.place.seat, self.place.occupant))

    # ── time ──

    @property
    def parsed_pace(self) -> Pace:
        return self.match.parsed_pace

    @property
    def absentees(self) -> list[Place]:
        """The players for whom a bot sits in."""
        return [place for place in self.places if place.player and place.stand_in]

    @cached_property
    def notes_on_deadline(self) -> list[str]:
        """Notes about the reader's deadline."""
        return (
            deadline_notes.describe_deadline(self.match, self.place, self.wait, self.log)
            if self.place and self.wait
            else []
        )

    @cached_property
    def time_given(self) -> str:
        """How the reader's deadline is made up: "one day, plus 2 days in reserve"; "" if it was set another way."""
        if self.place is None or self.wait is None:
            return ""
        return deadline_notes.describe_time_given(self.match, self.place, self.wait, self.log)

    def find_absent_seats(self, now: datetime) -> list[tuple[Place, Away]]:
        """Return the seats whose players are away now, each with its absence."""
        return days_away.find_absent_seats(self.places, self.days_away, now)

    @cached_property
    def days_away(self) -> list[Away]:
        return days_away.filter_honoured(self.match, self.rows.absences)
