"""Play in a terminal: people share one keyboard, and bots fill the other seats."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Any

from games.console.plain_text import draw_view
from games.contract.asks import Ask, SaidLine, Step
from games.contract.errors import Illegal, RulesError
from games.contract.notation import describe_form
from games.contract.seats import DEALER, Seat, seat_label
from games.engine.bots import Bot, find_first_default
from games.engine.dealer import Dealer
from games.engine.table import Table

HOW_TO_ANSWER = "Answer with a number, or type a line. “table” shows the table again, “quit” ends."


class Goodbye(Exception):
    """Somebody typed “quit”."""


class Terminal:
    """Input and output. Tests pass their own functions."""

    def __init__(self, prompt: Callable[[str], str], show: Callable[[str], None], clear: Callable[[], None]) -> None:
        self.prompt = prompt
        self.show = show
        self.clear = clear


class TerminalGame:
    """One game in a terminal, from the first line to the last."""

    def __init__(self, table: Table[Any, Any], dealer: Dealer, bots: Sequence[Bot | None], terminal: Terminal) -> None:
        self.table = table
        self.dealer = dealer
        self.bots = bots  # by seat; None: a person
        self.terminal = terminal
        self.people = [seat for seat, bot in enumerate(bots) if bot is None]
        self.news: dict[Seat, list[str]] = {seat: [] for seat in self.people}
        self.at_keyboard: Seat | None = self.people[0] if len(self.people) == 1 else None
        self.stayed_silent: set[tuple[Seat, int]] = set()
        self.dealt = 0

    def play(self) -> None:
        while self.table.asks:
            if self.table.ask(DEALER):
                self.say(DEALER, self.dealer.answer(self.table, self.dealt))
                self.dealt += 1
            elif self.table.forced:
                self.say(*self.table.forced[0])
            elif ask := self.find_optional_question():
                self.ask_person(ask)
            elif said := self.ask_bots():
                self.say(*said)
            elif any(ask.default for ask in self.table.asks if ask.seat in self.people):
                self.ask_person(self.find_next_question())
            else:
                self.say_default()
        self.show_result()

    def ask_bots(self) -> SaidLine | None:
        for ask in sorted(self.table.asks, key=lambda ask: (ask.default is not None, ask.seat)):
            bot = self.bots[ask.seat]
            if bot and (action := bot(self.table.view(ask.seat), ask)):
                return SaidLine(ask.seat, str(action))
        return None

    def say_default(self) -> None:
        """Play the default of a bot that the table waits for: nobody has more to say."""
        seat, action = find_first_default(self.table)
        self.say(seat, str(action))

    def find_optional_question(self) -> Ask | None:
        """Return the question of a person who may speak while the table waits only for bots, unless that person has
        stayed silent since the last line.
        """
        asked = [ask for ask in self.table.asks if ask.seat in self.people]
        if any(ask.default for ask in asked):
            return None
        return next((ask for ask in asked if (ask.seat, len(self.table.lines)) not in self.stayed_silent), None)

    def find_next_question(self) -> Ask:
        """Return the next question for a person: first the one at the keyboard, then the others in seat order."""
        open_questions = [ask for ask in self.table.asks if ask.default and ask.seat in self.people]
        return min(open_questions, key=lambda ask: (ask.seat != self.at_keyboard, ask.seat))

    def ask_person(self, ask: Ask) -> None:
        """Ask until the table accepts an answer."""
        self.hand_over(ask.seat)
        self.show_table(ask)
        while not self.try_answer(ask, self.terminal.prompt(f"{seat_label(ask.seat)}> ").strip()):
            pass

    def try_answer(self, ask: Ask, typed: str) -> bool:
        """Return whether the typed text settled the question; show any refusal."""
        try:
            return self.handle_input(ask, typed)
        except RulesError as refusal:
            self.terminal.show(str(refusal))
            return False

    def handle_input(self, ask: Ask, typed: str) -> bool:
        match typed.lower().split():
            case []:
                return self.stay_silent(ask)
            case ["quit"]:
                raise Goodbye
            case ["table"]:
                self.show_table(ask)
                return False
            case ["to", letter] if letter in self.other_questions(ask):
                self.ask_person(self.other_questions(ask)[letter])
                return True
            case _:
                self.say(ask.seat, resolve_answer(ask, typed))
                return True

    def stay_silent(self, ask: Ask) -> bool:
        if ask.default:
            raise Illegal("It’s your move. Type it, or “quit”.")
        self.stayed_silent.add((ask.seat, len(self.table.lines)))
        return True

    def other_questions(self, ask: Ask) -> dict[str, Ask]:
        """Return the questions of the other people who may speak, by the letter to type."""
        others = [other for other in self.table.asks if other.seat in self.people and other.seat != ask.seat]
        return {seat_label(other.seat).lower(): other for other in others}

    def hand_over(self, seat: Seat) -> None:
        """Clear the screen between two people, so that neither reads the other's cards."""
        if seat == self.at_keyboard:
            return
        self.terminal.clear()
        self.terminal.prompt(
            f"The keyboard goes to {seat_label(seat)}. Press Enter when only {seat_label(seat)} is looking. "
        )
        self.at_keyboard = seat

    def show_table(self, ask: Ask) -> None:
        words, view = self.table.rules.words, self.table.view(ask.seat)
        show = self.terminal.show
        self.show_news(ask.seat)
        show(f"\n{draw_view(view)}\n\n{words.question(view, ask)}")
        for number, action in enumerate(ask.menu, start=1):
            show(f"{number:>3}  {words.label(view, action)}")
        for kind in ask.free:
            show(f"  …  {describe_form(kind)}")
        for letter in self.other_questions(ask):
            show(f"{letter.upper()} may speak too: “to {letter}” hands the keyboard over.")
        show(HOW_TO_ANSWER if ask.default else f"{HOW_TO_ANSWER} Enter alone says nothing.")

    def show_news(self, seat: Seat) -> None:
        while self.news[seat]:
            self.terminal.show(self.news[seat].pop(0))

    def say(self, seat: Seat, line: str) -> None:
        before = self.table
        self.table = before.says(seat, line)
        step = Step(before.state, seat, before.read(seat, line), self.table.state)
        for reader in self.people:
            self.news[reader] += self.describe(step, reader)
        if not self.people:
            for sentence in self.describe(step, None):
                self.terminal.show(sentence)

    def describe(self, step: Step[Any], reader: Seat | None) -> list[str]:
        return [str(phrase) for phrase in self.table.rules.words.tell(step, self.table.state, reader)]

    def show_result(self) -> None:
        result = self.table.result
        assert result is not None
        if self.at_keyboard is not None:
            self.show_news(self.at_keyboard)
        self.terminal.show("")
        for seat in sorted(range(self.table.seats), key=lambda seat: result.ranks[seat]):
            self.terminal.show(f"{result.ranks[seat]}. {seat_label(seat)}  {result.scores[seat]}")


def resolve_answer(ask: Ask, typed: str) -> str:
    """Return the line for a number on the menu; any other text is a line already."""
    if not re.fullmatch("[0-9]{1,4}", typed):
        return typed
    if not 1 <= int(typed) <= len(ask.menu):
        raise Illegal("There’s no move {number} on the list.", number=typed)
    return str(ask.menu[int(typed) - 1])
