"""Properties of every game, checked on random games."""

from __future__ import annotations

import json
import random
from functools import cache
from importlib import import_module, util
from typing import Any

import pytest

import games
from games.contract.asks import SaidLine, Step
from games.contract.notation import read
from games.contract.orders import Lapse, StandingOrder
from games.engine.bots import Bot, play_to_end
from games.engine.table import Table, take

KINDS = [
    pytest.param(slug, seats, variant, id=f"{slug}-{variant}-{seats}")
    for slug, rules in games.GAMES.items()
    for variant in rules.variants
    for seats in rules.seats
]
EXTREMES = [kind for kind in KINDS if kind.values[1] in {games.get(kind.values[0]).seats[end] for end in (0, -1)}]
MAX_ORDERS = 12  # per seat, the latest ones
over_all_games = pytest.mark.parametrize(("slug", "seats", "variant"), KINDS)


def people(slug: str, seed: int) -> Bot:
    """Return a random player, who also composes sentences if the game has a composer."""
    chance = random.Random(seed)
    composes = util.find_spec(f"tests.games.{slug}.composer")
    compose = import_module(f"tests.games.{slug}.composer").compose if composes else None

    def say(view: Any, ask: games.Ask) -> Any:
        if ask.default is None and chance.random() < 0.8:
            return None
        composed = compose(view, ask, chance) if compose and ask.free and chance.random() < 0.3 else None
        return composed or (chance.choice(ask.menu) if ask.menu else None)

    return say


@cache
def played(slug: str, seats: int, variant: str, seed: int = 1) -> Table[Any, Any]:
    table = games.open(slug, seats=seats, variant=variant)
    return play_to_end(table, games.Seeded(f"{slug} {seed}".encode()), [people(slug, seed + n) for n in range(seats)])


@cache
def walk(slug: str, seats: int, variant: str) -> tuple[tuple[Table[Any, Any], SaidLine], ...]:
    """Return every table of a played game, each with the next line."""
    table = games.open(slug, seats=seats, variant=variant)
    way = []
    for said in played(slug, seats, variant).lines:
        way.append((table, said))
        table = table.says(*said)
    return tuple(way)


def glimpses(slug: str, seats: int, variant: str, many: int = 40) -> tuple[tuple[Table[Any, Any], SaidLine], ...]:
    """Return about this many tables of that game, from beginning to end, for slow checks."""
    way = walk(slug, seats, variant)
    return way[:: max(1, len(way) // many)]


@over_all_games
def test_random_play_ends_with_a_result(slug, seats, variant):
    for seed in (1, 2):  # `make endurance` plays many more
        game = played(slug, seats, variant, seed)
        assert not game.asks
        assert game.result is not None
        assert len(game.result.scores) == len(game.result.ranks) == seats
        assert min(game.result.ranks) == 1


@over_all_games
def test_every_line_reads_back(slug, seats, variant):
    vocabulary = games.get(slug).vocabulary
    for table, (_, line) in walk(slug, seats, variant):
        assert str(read(line, vocabulary)) == line
        assert str(read(f"  {line.upper()} ".replace(" ", "  "), vocabulary)) == line
        for ask in table.asks:
            assert all(read(str(action), vocabulary) == action for action in ask.menu)


@over_all_games
def test_replay_equals_saying_the_lines(slug, seats, variant):
    game = played(slug, seats, variant)
    assert games.replay(slug, seats, variant, game.lines) == game


@over_all_games
def test_every_remembered_table_is_recalled_equal(slug, seats, variant):
    for table, _ in walk(slug, seats, variant):
        assert games.recall(games.remember(table)) == table


@over_all_games
def test_a_seat_has_one_question_and_every_default_is_legal(slug, seats, variant):
    for table, _ in walk(slug, seats, variant):
        asked = [ask.seat for ask in table.asks]
        assert len(asked) == len(set(asked))
        for ask in table.asks:
            assert len(set(ask.menu)) == len(ask.menu)
            if ask.default is not None:
                take(table, ask.seat, ask.default)


@over_all_games
def test_every_button_is_legal_and_appears_once(slug, seats, variant):
    for table, _ in walk(slug, seats, variant):
        for ask in table.asks:
            if ask.seat >= 0:
                ready = table.rules.menus.ready_answers(table.view(ask.seat), ask)
                assert len(set(ready)) == len(ready)
                for answer in ready if ready != ask.menu else ():  # random play tries the menus themselves
                    take(table, ask.seat, answer)


@over_all_games
def test_no_question_is_asked_twice(slug, seats, variant):
    seen: set[tuple[int, str]] = set()
    was: set[tuple[int, str]] = set()
    for table, _ in walk(slug, seats, variant):
        now = {(ask.seat, ask.about) for ask in table.asks}
        assert not (now - was) & seen
        seen |= now
        was = now


@over_all_games
def test_a_game_of_defaults_ends(slug, seats, variant):
    table = games.open(slug, seats=seats, variant=variant)
    game = play_to_end(table, games.Seeded(b"nobody answers"), [lambda view, ask: ask.default] * seats)
    assert game.result is not None


@pytest.mark.parametrize(("slug", "seats", "variant"), EXTREMES)  # `make endurance` covers every number of seats
def test_a_game_of_bots_ends(slug, seats, variant):
    table = games.open(slug, seats=seats, variant=variant)
    assert play_to_end(table, games.Seeded(b"bots"), [table.rules.bot] * seats).result is not None


@over_all_games
def test_a_refused_line_changes_nothing(slug, seats, variant):
    for table, _ in glimpses(slug, seats, variant):
        before = games.remember(table)
        for seat in (*range(seats), games.DEALER, games.HOUSE):
            with pytest.raises(games.RulesError):
                table.says(seat, "juggle beans")
        assert games.remember(table) == before


@over_all_games
def test_views_are_plain_json(slug, seats, variant):
    for table, _ in glimpses(slug, seats, variant):
        for reader in (None, *range(seats)):
            json.dumps(games.plain(table.view(reader)))


@over_all_games
def test_secrets_change_nothing_that_a_seat_receives(slug, seats, variant):
    """Deal anew everything a seat may not know: its view, its menu and all its texts stay the same."""
    world = import_module(f"tests.games.{slug}.twin")
    chance = random.Random(7)
    differed = False
    for table, said in glimpses(slug, seats, variant):
        for reader in (None, *range(seats)):
            other = Table(table.rules, seats, variant, world.twin(table.state, reader, chance))
            differed |= other != table
            assert received(other, reader) == received(table, reader)
            reveals = isinstance(read(said.line, table.rules.vocabulary), getattr(world, "REVEALS", ()))
            if not reveals and said.seat not in (reader, games.DEALER):
                assert is_described_alike(table, other, said, reader)
    assert differed


@over_all_games
def test_answers_under_headings_are_distinct_and_keep_their_order(slug, seats, variant):
    for table, _ in glimpses(slug, seats, variant):
        for ask in table.asks:
            if ask.seat >= 0:
                view, menus = table.view(ask.seat), table.rules.menus
                if menus.find_place is None:
                    continue
                found = [f for f in (menus.find_place(view, answer) for answer in menus.ready_answers(view, ask)) if f]
                headings = [str(heading) for heading, _ in found]
                assert headings == [h for unique in dict.fromkeys(headings) for h in headings if h == unique]
                assert len({(str(heading), str(brief)) for heading, brief in found}) == len(found)


def test_every_order_has_a_text():
    kinds = [kind for rules in games.GAMES.values() for kind in rules.orders.kinds]
    assert [kind for kind in kinds if kind.describe is StandingOrder.describe] == []


@over_all_games
def test_suggested_orders_read_back_and_give_only_legal_answers(slug, seats, variant):
    for table, _ in glimpses(slug, seats, variant):
        for reader in range(seats):
            view, ask = table.view(reader), table.ask(reader)
            suggested = table.rules.orders.suggest(view)
            assert len({str(order.describe(view)) for order in suggested}) == len(suggested)
            for order in suggested:
                assert read(str(order), table.rules.orders.kinds) == order
                assert str(type(order).about)
                opinion = order.respond(view, ask) if ask else None
                assert opinion is None or isinstance(opinion, Lapse) or take(table, reader, opinion)


@over_all_games
def test_orders_see_only_what_their_owner_sees(slug, seats, variant):
    """Keep the orders suggested so far: in a state that looks the same to their owner, their opinions are the same."""
    world = import_module(f"tests.games.{slug}.twin")
    chance, glance = random.Random(8), random.Random(9)
    standing: dict[int, list[StandingOrder]] = {seat: [] for seat in range(seats)}
    for table, _ in glimpses(slug, seats, variant):
        for ask in table.asks:
            if ask.seat < 0 or (not ask.default and glance.random() < 0.8):  # for speed
                continue
            given = dict.fromkeys((*table.rules.orders.suggest(table.view(ask.seat)), *standing[ask.seat]))
            standing[ask.seat] = list(given)[:MAX_ORDERS]
            other = Table(table.rules, seats, variant, world.twin(table.state, ask.seat, chance))
            assert opinions(other, standing[ask.seat], ask.seat) == opinions(table, standing[ask.seat], ask.seat)


def opinions(table: Table[Any, Any], orders: list[StandingOrder], seat: int) -> list[tuple[str, Any]]:
    ask = table.ask(seat)
    assert ask is not None
    return [(str(order), order.respond(table.view(seat), ask)) for order in orders]


def received(table: Table[Any, Any], reader: int | None) -> Any:
    """Return everything a table shows a reader."""
    view, words = table.view(reader), table.rules.words
    public = [(ask.seat, ask.about, ask.default is not None) for ask in table.asks]
    ask = None if reader is None else table.ask(reader)
    if ask is None:
        return view, public
    menus = table.rules.menus
    ready = menus.ready_answers(view, ask)
    labels = [(str(action), str(words.label(view, action))) for action in ready]
    labels += [(str(action), str(menus.find_place(view, action))) for action in ready if menus.find_place]
    labels += [(str(action), str(menus.find_danger(view, action))) for action in ready]
    return view, public, ask, labels, str(words.question(view, ask)), str(words.otherwise(view, ask))


def is_described_alike(table: Table[Any, Any], other: Table[Any, Any], said: SaidLine, reader: int | None) -> bool:
    """Return whether a line that reveals nothing to the reader is told alike in both states."""
    try:
        after, other_after = table.says(*said), other.says(*said)
    except games.RulesError:  # the line is not legal in the other state
        return True
    if after.view(reader) != other_after.view(reader):  # it revealed something
        return True
    return describe_to_reader(table, after, said, reader) == describe_to_reader(other, other_after, said, reader)


def describe_to_reader(table: Table[Any, Any], after: Table[Any, Any], said: SaidLine, reader: int | None) -> Any:
    step = Step(table.state, said.seat, table.read(*said), after.state)
    texts = [str(phrase) for phrase in table.rules.words.tell(step, after.state, reader)]
    picture = table.rules.words.show_picture
    return texts, table.rules.secrecy.redact(step, after.state, reader), picture(step) if picture else None


@over_all_games
def test_every_step_has_a_text_for_every_reader(slug, seats, variant):
    """Every reader gets a text for every move, and nobody reads a shuffle."""
    rules = games.get(slug)
    for table, said in glimpses(slug, seats, variant, many=120):
        after = table.says(*said)
        step = Step(table.state, said.seat, table.read(*said), after.state)
        for reader in (None, *range(seats)):
            phrases = rules.words.tell(step, after.state, reader)
            assert all(str(phrase) for phrase in phrases)
            if said.seat >= 0:
                assert phrases
            if said.line.startswith("shuffle"):
                assert rules.secrecy.redact(step, after.state, reader) != said.line
