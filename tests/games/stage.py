"""Perform scenario scripts: logs with stage directions, one per line (docs/adding-a-game.md lists them)."""

from __future__ import annotations

import json
import re
from importlib import import_module
from typing import Any

import pytest

import games
from games.contract.asks import Step
from games.contract.cards import without
from games.contract.seats import LETTERS
from games.engine.table import Table
from games.engine.table import replay as go_on


class Stage:
    """A table, and the script performed on it."""

    def __init__(self, script: str) -> None:
        header, *self.directions = [line for raw in script.splitlines() if (line := raw.split("#")[0].strip())]
        self.slug, variant, *seats = header.split()
        self.table: Table[Any, Any] = games.open(self.slug, seats=len(seats), variant=variant)
        self.last: Step[Any] | None = None

    def perform(self) -> None:
        for direction in self.directions:
            try:
                self.follow(direction)
            except Exception as error:
                error.add_note(f"at: {direction}\nafter: {self.table.lines[-3:]}")
                raise

    def follow(self, direction: str) -> None:
        match re.match(r"(\w+|=|\?)([:!]| sees\b| hears\b)? ?(.*)", direction):
            case re.Match() as found:
                who, verb, rest = found[1], (found[2] or "").strip(), found[3]
        match who, verb:
            case "?", _:
                assert self.waited_for() == rest.split()
            case "=", _:
                self.check_result(rest)
            case "clock", ":":
                self.time_is_up(rest)
            case "house", _:
                self.house_answers(verb, rest)
            case _, ":":
                self.say(self.seat(who), self.completed(rest))
            case _, "!":
                self.refuse(self.seat(who), self.completed(rest))
            case _, "sees":
                path, _, value = rest.partition(" ")
                assert self.fact(self.seat(who), path) == read_value(value)
            case _, "hears":
                assert self.last is not None
                assert self.table.rules.secrecy.redact(self.last, self.table.state, self.seat(who)) == rest
            case _:
                raise ValueError(f"No such direction: {direction}")

    def seat(self, who: str) -> Any:
        return {"dealer": games.DEALER, "nobody": None}.get(who, LETTERS.find(who))

    def say(self, seat: int, line: str) -> None:
        before = self.table
        self.table = before.says(seat, line)
        self.last = Step(before.state, seat, before.read(seat, line), self.table.state)
        assert go_on(before, self.table.lines[len(before.lines) :]) == self.table

    def refuse(self, seat: int, line: str) -> None:
        with pytest.raises(games.RulesError):
            self.table.says(seat, line)

    def time_is_up(self, who: str) -> None:
        ask = self.table.ask(self.seat(who))
        assert ask is not None
        assert ask.default is not None
        self.say(ask.seat, str(ask.default))

    def house_answers(self, verb: str, expected: str) -> None:
        assert bool(self.table.forced) == (verb == ":")  # with `house!` the house has nothing to answer
        if expected:
            who, line = expected.split(" ", 1)
            assert (self.seat(who), line) == self.table.forced[0]
            self.say(*self.table.forced[0])
            return
        while self.table.forced:
            self.say(*self.table.forced[0])

    def waited_for(self) -> list[str]:
        if self.table.ask(games.DEALER):
            return ["dealer"]
        return [LETTERS[ask.seat] for ask in sorted(self.table.asks, key=lambda ask: ask.seat) if ask.default]

    def completed(self, line: str) -> str:
        """Complete a shuffle that ends in `…` with the cards not named, in the order of the box."""
        if not line.endswith("…"):
            return line
        verb, *named = line.removesuffix("…").split()
        pile = import_module(f"tests.games.{self.slug}.pile").to_shuffle(self.table.state)
        lower = [card.lower() for card in pile]
        left = without(range(len(pile)), places(lower, [card.lower() for card in named]))
        return " ".join([verb, *named, *(pile[n] for n in left)])

    def fact(self, seat: int | None, path: str) -> Any:
        value = games.plain(self.table.view(seat))
        for key in path.split("."):
            value = value[int(key)] if isinstance(value, list) else value[key]
        return value

    def check_result(self, text: str) -> None:
        result = self.table.result
        assert result is not None
        if text.startswith("ranks"):
            assert list(result.ranks) == list(map(int, text.split()[1:]))
        else:
            scores = dict(part.split() for part in text.split(","))
            assert {LETTERS[seat]: str(score) for seat, score in enumerate(result.scores)} == scores


def places(pile: list[str], named: list[str]) -> list[int]:
    """Return where the named cards are in the pile, each copy once. Cards not in it are left to the rules to refuse."""
    found: list[int] = []
    for card in named:
        found += [n for n, other in enumerate(pile) if other == card and n not in found][:1]
    return found


def read_value(text: str) -> Any:
    try:
        return json.loads(text)
    except ValueError:
        return text
