"""The moves that a letter prints, and their order. `make endurance` checks questions of MATCHES random matches, a fifth
of each game; each other run checks one of each.
"""

from __future__ import annotations

import os
import random
import re
from collections.abc import Iterator
from functools import partial
from typing import Any

import pytest
from django.db import transaction
from django.template.loader import render_to_string

import games
from beanpost.i18n import translations
from beanpost.play import load
from beanpost.play.display.orders.offers import find_planned_moves
from beanpost.play.display.question import Option, find_key
from beanpost.play.display.scene import Scene, fill_scene
from beanpost.play.display.story import Story
from beanpost.play.models import Match, Wait
from beanpost.play.perspective import Perspective
from beanpost.play.tickets import MoveTicket, redeem
from beanpost.post.compose import menus
from games.contract.asks import Ask
from games.contract.game import Ruinous
from games.contract.notation import read
from games.engine.table import Table
from tests.friends import NOON, seat_friends
from tests.games.test_properties import people

pytestmark = pytest.mark.django_db

MATCHES = int(os.environ.get("MATCHES", "5")) // 5  # of each game
KINDS = {slug: [(v, seats) for v in rules.variants for seats in rules.seats] for slug, rules in games.GAMES.items()}
BOT_PLAYS, CHECKED, RENDERED = 0.5, 0.25, 0.05  # probabilities: that the bot moves, that a question is checked
over_all_games = pytest.mark.parametrize("slug", list(games.GAMES))
LEVELS = ("harmless", "costly", "ruinous")


def questions(match: Match, seed: int) -> Iterator[Scene]:
    """Play the match's game without its log, half at random and half as the bot would. Yield one question in four, as
    its reader would see it.
    """
    rows, chance = load.load_match(match.pk), random.Random(seed)
    table: Table[Any, Any] = games.open(match.game, seats=match.seats, variant=match.variant)
    dealer, anybody, dealt = games.Seeded(f"{seed}".encode()), people(match.game, seed), 0
    for place in rows.places:
        place.has_played_before = True  # so that plans are offered from the first turn on
    while table.asks:
        ask = chance.choice([ask for ask in table.asks if ask.default or ask.seat < 0] or table.asks)
        if ask.seat < 0:
            table, dealt = table.says(ask.seat, str(dealer.answer(table, dealt))), dealt + 1
            continue
        for asked in table.asks:
            if asked.menu and chance.random() < CHECKED:
                wait = Wait(match=match, seat=asked.seat, opened=1, since=NOON, due_at=NOON if asked.default else None)
                yield fill_scene(Perspective(rows.match, asked.seat, table), wait, Story([], [], {}))
        table = answer_somebody(table, ask, anybody, chance)


def answer_somebody(table: Table[Any, Any], ask: Ask, anybody: Any, chance: random.Random) -> Table[Any, Any]:
    """Let a seat answer that nobody waits for, now and then: so offers gather in a market."""
    ask = chance.choice(table.asks) if ask.free and chance.random() < 0.7 else ask
    player = table.rules.bot if chance.random() < BOT_PLAYS else anybody
    answer = player(table.view(ask.seat), ask) or ask.default
    return table.says(ask.seat, str(answer)) if answer else table


@over_all_games
def test_a_letter_prints_every_move_that_anybody_would_recommend(slug):
    chance = random.Random(slug)
    for seed in range(MATCHES):
        variant, seats = chance.choice(KINDS[slug])
        with transaction.atomic():
            for shown in questions(seat_friends(slug, variant, seats=seats), seed):
                printed = menus.build_menu(shown).options
                check_nothing_wanted_is_missing(shown, printed)
                check_order(shown, printed)
                if chance.random() < RENDERED:
                    check_rendering(shown)
            transaction.set_rollback(True)


def check_nothing_wanted_is_missing(shown: Scene, printed: list[Option]) -> None:
    assert shown.question is not None
    assert len(printed) == min(len(shown.question.options), menus.MAX_PRINTED)
    ask, key = shown.question.ask, partial(find_key, shown.rules, shown.view)
    on_paper = {key(read(option.line, shown.rules.vocabulary)) for option in printed}
    recommended = [read(option.line, shown.rules.vocabulary) for option in find_planned_moves(shown)]
    for wanted in (shown.rules.bot(shown.view, ask), ask.default, *recommended):
        assert wanted not in ask.menu or key(wanted) in on_paper, wanted


def check_order(shown: Scene, printed: list[Option]) -> None:
    """Check that the first move is not ruinous unless all are, ruinous ones come last, and costly ones come last under
    their heading.
    """
    levels = [rate(shown, option) for option in printed]
    if set(levels) != {"ruinous"}:
        assert levels[0] != "ruinous"
        assert ("ruinous" in levels) == any(option.ruin for option in printed)
        assert levels == sorted(levels, key="ruinous".__eq__)
        for heading in {option.heading for option in printed}:
            under = [level for option, level in zip(printed, levels, strict=True) if option.heading == heading]
            assert under == sorted(under, key=LEVELS.index)
    assert [option.number for option in printed] == list(range(1, len(printed) + 1))


def rate(shown: Scene, option: Option) -> str:
    danger = shown.rules.menus.find_danger(shown.view, read(option.line, shown.rules.vocabulary))
    return "ruinous" if isinstance(danger, Ruinous) else "costly" if danger else "harmless"


def check_rendering(shown: Scene) -> None:
    """Check that both parts of the letter link the printed moves, in the order of their marks."""
    menu = menus.build_menu(shown)
    marked = menus.list_marked_moves(menu)
    plain = [move["line"] for move in marked if "order" not in move]
    for part in ("html", "txt"):
        values = {"scene": shown, "menu": menu, "before": 0, "answerable": True, **translations.functions()}
        letter = render_to_string(f"letters/moves.{part}", values, using="jinja2")
        linked = [redeem(MoveTicket, ticket).line for ticket in re.findall(r"/move/([^/\"]+)/", letter)]
        assert [line for line in linked if line] == plain
    assert re.findall(r"^(m\d+)\. ", letter, re.MULTILINE) == [move["mark"] for move in marked]
