"""The question that a reader is asked right now: its ready answers, the tickets that give them, and its deadline."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import timedelta
from itertools import groupby
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from beanpost.play.display.wording import format_span, say, say_with_signs, spell_number
from beanpost.play.models import Event, Match, Place, Wait
from beanpost.play.perspective import Perspective
from beanpost.play.tickets import MoveTicket, PlanTicket, sign
from games.contract.asks import Ask
from games.contract.game import Game, Ruinous
from games.contract.house_lines import VOCABULARY, Extend
from games.contract.notation import Action, describe_form, read
from games.contract.orders import drop_hidden
from games.contract.phrases import Phrase
from games.contract.seats import HOUSE

HOUR = timedelta(hours=1)
MIN_RESERVE = timedelta(minutes=30)  # less is not mentioned
MAX_ROUNDING = timedelta(hours=12)  # with more between the time given and the deadline, the two don't go together


@dataclass(frozen=True)
class Option:
    """A ready answer: its number on the page, its line, the line in words, and the ticket of the link that plays it."""

    number: int
    line: str
    label: str
    unsigned: MoveTicket | PlanTicket
    heading: str = ""  # the heading it goes under in a long menu …
    brief: str = ""  # … and its label there, without what the heading says
    reason: str = ""  # what it brings, as a sentence
    warning: str = ""  # the price, as a sentence, if it costs the player something: ask before playing it
    ruin: str = ""  # the heading over all ruinous moves, if it is one of them
    order: str = ""  # the standing order that is given with it …
    then: str = ""  # … and that order in words

    @property
    def ticket(self) -> str:
        """The signed ticket. Signing fifty options takes a millisecond, and on a page with buttons nobody needs it."""
        return sign(self.unsigned)


@dataclass(frozen=True)
class Group:
    """Ready answers with the same heading, or about the same card."""

    heading: str
    options: Sequence[Option]

    @property
    def is_ruinous(self) -> bool:
        return bool(self.options[0].ruin)

    @property
    def anchor(self) -> str:
        """The group's id on the page."""
        return f"move-{self.options[0].number}"


@dataclass(frozen=True, repr=False)  # its answers must not get into a log
class Question:
    """What a seat is asked, and what it can answer."""

    ask: Ask
    visible_ask: Ask  # without the ready answers that an order hides from the reader
    text: str
    opportunity: str  # what the reader may do although nobody waits for them: "You can trade now"
    default_clause: str  # the default that is played when time is up, as a clause: "you pass, since …"
    ticket: str  # for the page that answers it
    options: list[Option]  # the ready answers
    groups: list[Group]
    lines: Mapping[Hashable, str]  # the lines of the ready answers, by what equal answers have in common
    forms: list[str]  # of lines that the player may compose
    compose_label: str  # the button that leads to the form for such a line, if the game has a label for it
    example: str  # such a line, as a player might write it in a reply
    drafts: list[tuple[int, str]]  # to start composing from: the number of the offer to answer, and a label
    time_given: str  # how the deadline is made up: "one day, plus 2 days in reserve"; "" if it was set another way
    deadline_notes: list[str]


def build_question(seen: Perspective, wait: Wait) -> Question | None:
    """Return the question of the seat; None if the match has gone on while it was being loaded."""
    ask, place, rules, view = seen.table.ask(wait.seat), seen.place, seen.rules, seen.view
    menus = rules.menus
    if ask is None or place is None:
        return None

    def word(phrase: Phrase | None) -> str:
        return say_with_signs(phrase, seen.names, rules.look) if phrase else ""

    visible = replace(ask, menu=tuple(drop_hidden(seen.standing_orders, view, ask.menu)))
    ready = drop_hidden(seen.standing_orders, view, menus.ready_answers(view, ask))
    answers = drop_equal_answers(rules, view, ready)
    move = MoveTicket(seen.match.pk, wait.seat, place.occupant, wait.opened)
    options = arrange_options([build_option(rules, view, word, action, move) for action in answers.values()])
    drafts = menus.drafts(view, visible) if menus.drafts else ()
    labels = [one.label for one in rules.composers if one.says in ask.free and one.label]
    return Question(
        ask=ask,
        visible_ask=visible,
        text=word(rules.words.question(view, ask)),
        opportunity=word(rules.words.opportunity(view, ask)) if ask.default is None else "",
        default_clause=word(rules.words.otherwise(view, ask)),
        ticket=sign(replace(move, since=seen.match.length)),
        options=options,
        groups=group_options(options),
        lines={key: str(action) for key, action in answers.items()},
        forms=[describe_form(kind) for kind in ask.free],
        compose_label=word(labels[0] if labels else None),
        example=word(menus.example(view, ask) if menus.example else None),
        drafts=[(draft.number, word(draft.label)) for draft in drafts],
        time_given=describe_time_given(seen.match, place, wait, seen.loaded.events),
        deadline_notes=describe_deadline(seen.match, place, wait, rules),
    )


# ── ready answers ──


def drop_equal_answers(rules: Game[Any, Any], view: Any, answers: Iterable[Action]) -> dict[Hashable, Action]:
    """Return the answers without those that are equal to an earlier one, by what equal answers have in common.

    A reply may still name any of them.
    """
    shown: dict[Hashable, Action] = {}
    for action in answers:
        shown.setdefault(find_key(rules, view, action), action)
    return shown


def find_key(rules: Game[Any, Any], view: Any, action: Action) -> Hashable:
    """Return what equal answers have in common."""
    group_key = rules.menus.group_key
    key = group_key(view, action) if group_key else None
    return action if key is None else key


def build_option(
    rules: Game[Any, Any], view: Any, word: Callable[[Phrase], str], action: Action, move: MoveTicket
) -> Option:
    menus, line, label = rules.menus, str(action), word(rules.words.label(view, action))
    option = Option(0, line, label, replace(move, line=line), brief=label)
    if menus.find_place and (found := menus.find_place(view, action)):
        option = replace(option, heading=word(found.heading), brief=word(found.brief))
    if menus.explain and (reason := menus.explain(view, action)):
        option = replace(option, reason=word(reason))
    if danger := menus.find_danger(view, action):
        ruin = word(danger.heading) if isinstance(danger, Ruinous) else ""
        option = replace(option, warning=word(danger.warning), ruin=ruin)
    return option


def arrange_options(found: list[Option]) -> list[Option]:
    """Number the answers as letters and pages list them: by heading, under each the harmless ones first, and those
    that ruin the player last of all.
    """
    if all(option.ruin for option in found):  # there is nothing better
        found = [replace(option, ruin="") for option in found]
    headings = list(dict.fromkeys(option.heading for option in found))
    found.sort(key=lambda option: (option.ruin, headings.index(option.heading), bool(option.warning)))
    return [replace(option, number=number) for number, option in enumerate(found, 1)]


def group_options(options: Iterable[Option]) -> list[Group]:
    """Return the answers by heading; without headings, by their first two words: "play 6" and "play 6 6"."""
    together = groupby(options, key=lambda option: option.ruin or option.heading or option.line.split()[:2])
    rows = [list(alike) for _heading, alike in together]
    return [Group(row[0].ruin or row[0].heading, row) for row in rows]


# ── a move and a standing order as one text ──


def join_plan(line: str, order: str) -> str:
    """Return a move and the standing order that is given with it as one text; without an order, the move alone."""
    return f"{line}\n{order}" if order else line


def split_plan(text: str) -> tuple[str, str]:
    """Return the move and the order of such a text.

    >>> split_plan(join_plan("pass", "always pass in round 2")), split_plan("pass")
    (('pass', 'always pass in round 2'), ('pass', ''))
    """
    line, _newline, order = text.partition("\n")
    return line, order


# ── the deadline ──


def describe_deadline(match: Match, place: Place, wait: Wait, rules: Game[Any, Any]) -> list[str]:
    """Return sentences about a deadline: the pause, a question's own deadline, the grace periods left."""
    if match.paused_at:
        return [_("The match is paused and the clock is stopped.")]
    if wait.due_at is None:
        return []
    if wait.window:
        return [say(rules.words.own_deadline, ())]
    if not place.excuses:
        return []
    left = ngettext(
        "You have one grace period left in this match.",
        "You have %(count)s grace periods left in this match.",
        place.excuses,
    )
    return [left % {"count": spell_number(place.excuses)}]


def describe_time_given(match: Match, place: Place, wait: Wait, log: Sequence[Event]) -> str:
    """Return the time to answer in words, with the reserve named separately; "" where it does not explain the deadline.

    It does not in a market or a grace period, nor if days that don't count or time given back lie before the deadline.
    """
    if match.paused_at or wait.due_at is None or wait.window or is_excused(wait, log):
        return ""
    if wait.due_at - wait.since > match.allowance + place.bank + MAX_ROUNDING:
        return ""
    allowed = format_span(match.allowance)
    if place.bank < MIN_RESERVE:
        return allowed
    reserve = round(place.bank / HOUR) * HOUR if place.bank > HOUR else place.bank
    return _("%(allowed)s, plus %(reserve)s in reserve") % {"allowed": allowed, "reserve": format_span(reserve)}


def is_excused(wait: Wait, log: Sequence[Event]) -> bool:
    """Return whether a grace period was used since the table began to wait for the seat."""
    by_clock = (event for event in log if event.seat == HOUSE and event.origin == Event.Origin.CLOCK)
    lately = [read(event.line, VOCABULARY) for event in by_clock if event.said_at >= wait.since]
    return any(isinstance(action, Extend) and action.seat == wait.seat for action in lately)
