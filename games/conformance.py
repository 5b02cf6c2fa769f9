"""Checks that every game must pass.

    from games.conformance import check
    from race_to_ten import GAME

    def test_it_keeps_the_promises_of_every_game():
        check(GAME, twin=twin)

`twin(state, seat, chance)` returns another state that differs only in what this seat (None: a bystander) may not know.
Without it, only the secrecy of lines is checked. A failed check raises an AssertionError that names it.
"""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Iterator, Sequence
from typing import Any, TypeAlias

from games.contract.asks import Ask, SaidLine, Step
from games.contract.errors import RulesError
from games.contract.game import Game, take_default
from games.contract.notation import read
from games.contract.seats import DEALER, HOUSE, Seat
from games.engine import memory
from games.engine.bots import play_to_end
from games.engine.dealer import Seeded
from games.engine.table import Table, replay, take

Twin: TypeAlias = Callable[[Any, Seat | None, random.Random], Any]
Walk: TypeAlias = Sequence[tuple[Table[Any, Any], SaidLine]]  # every table of a game, with the line said at it

MAX_LINES = 5_000  # a random game that has not ended by then never will
SAMPLE_SIZE = 40  # tables of a game that slow checks look at


def check(game: Game[Any, Any], *, twin: Twin | None = None, games: int = 3) -> None:
    """Play random games with every number of seats and every variant, and check all promises."""
    for variant in game.variants:
        for seats in game.seats:
            for seed in range(games):
                walk, end = play_at_random(game, seats, variant, seed)
                check_end(walk, end, seats)
                check_lines(walk, game)
                check_questions(walk)
                check_memory(walk)
                check_replay(walk, end)
                check_views(walk, seats)
                check_texts(walk, seats)
                if twin:
                    check_secrecy(walk, seats, twin, random.Random(seed))
            check_bots(game, seats, variant)


def play_at_random(game: Game[Any, Any], seats: int, variant: str, seed: int) -> tuple[Walk, Table[Any, Any]]:
    table, chance, dealer = (
        open_table(game, seats, variant),
        random.Random(seed),
        Seeded(f"conformance {seed}".encode()),
    )
    walk: list[tuple[Table[Any, Any], SaidLine]] = []
    dealt = 0
    while table.asks and len(walk) < MAX_LINES:
        ask = chance.choice([ask for ask in table.asks if ask.seat < 0 or ask.default or ask.menu])
        if ask.seat == DEALER:
            line, dealt = dealer.answer(table, dealt), dealt + 1
        else:
            line = str(chance.choice(ask.menu) if ask.menu else ask.default)
        walk.append((table, SaidLine(ask.seat, line)))
        table = table.says(ask.seat, line)
    return walk, table


def open_table(game: Game[Any, Any], seats: int, variant: str) -> Table[Any, Any]:
    return Table(game, seats, variant, game.play.setup(seats, variant))


def sample_tables(walk: Walk) -> Walk:
    """Return some tables from beginning to end, for slow checks."""
    return walk[:: max(1, len(walk) // SAMPLE_SIZE)]


# ── the promises ──


def check_end(walk: Walk, end: Table[Any, Any], seats: int) -> None:
    assert not end.asks, f"A game at random ends; this one still asks after {len(walk)} lines."
    assert end.result is not None, "A game that is over has a result."
    assert all(table.result is None for table, _ in walk), "A game that still asks has no result."
    assert len(end.result.scores) == len(end.result.ranks) == seats, "Every seat has a score and a rank."
    assert min(end.result.ranks) == 1, "Somebody is first."


def check_lines(walk: Walk, game: Game[Any, Any]) -> None:
    for table, (_, line) in walk:
        assert str(read(line, game.vocabulary)) == line, f"A line reads back as itself; “{line}” does not."
        for action in (action for ask in table.asks for action in ask.menu):
            assert read(str(action), game.vocabulary) == action, f"An answer reads back as itself; {action} does not."


def check_questions(walk: Walk) -> None:
    """Check that no seat is asked twice at once, no closed question comes again, and every default is legal."""
    seen: set[tuple[Seat, str]] = set()
    before: set[tuple[Seat, str]] = set()
    for table, _ in walk:
        asked = [ask.seat for ask in table.asks]
        assert len(asked) == len(set(asked)), "A seat has one question at a time."
        now = {(ask.seat, ask.about) for ask in table.asks}
        assert not (now - before) & seen, f"A question never comes twice: {now & seen}."
        seen, before = seen | now, now
        for ask in table.asks:
            assert len(set(ask.menu)) == len(ask.menu), f"An answer is on the menu once: {ask.about}."
            if ask.default is not None:
                take(table, ask.seat, ask.default)


def check_memory(walk: Walk) -> None:
    for table, _ in walk:
        game, text = table.rules, memory.remember(table)
        recalled = memory.recall(text, game)
        assert recalled == table, f"A table is recalled as it was; this one is not: {text}"


def check_replay(walk: Walk, end: Table[Any, Any]) -> None:
    first, _ = walk[0]
    assert replay(first, end.lines) == end, "A replay leads to the same table."
    for table, _ in sample_tables(walk):
        before = memory.remember(table)
        for seat in (*range(table.seats), DEALER, HOUSE):
            assert is_refused(table, seat, "juggle beans"), "A line that nobody can read is refused."
        assert memory.remember(table) == before, "A refused line changes nothing."


def is_refused(table: Table[Any, Any], seat: Seat, line: str) -> bool:
    try:
        table.says(seat, line)
    except RulesError:
        return True
    return False


def check_views(walk: Walk, seats: int) -> None:
    for table, _ in sample_tables(walk):
        for reader in (None, *range(seats)):
            json.dumps(memory.plain(table.view(reader)))


def check_texts(walk: Walk, seats: int) -> None:
    """Check that every move is described to every reader, and every question, answer and default has a text."""
    for table, said in sample_tables(walk):
        step = make_step(table, said)
        for reader in (None, *range(seats)):
            sentences = table.rules.words.tell(step, step.after, reader)
            assert all(map(str, sentences)), "A sentence is not empty."
            assert sentences or said.seat < 0, f"Every reader is told of every move: {said.line}."
        for ask in table.asks:
            if ask.seat >= 0:
                labels = [label for _, label in collect_texts(table, ask)]
                assert all(labels), "Every answer has a label."
                assert len(set(labels)) == len(labels), f"No two answers are called alike: {labels}."


def collect_texts(table: Table[Any, Any], ask: Ask) -> list[tuple[str, str]]:
    view, words = table.view(ask.seat), table.rules.words
    assert str(words.question(view, ask)), "Every question has a text."
    assert ask.default is None or str(words.otherwise(view, ask)), "Every default has a text."
    return [(str(action), str(words.label(view, action))) for action in table.rules.menus.ready_answers(view, ask)]


def check_secrecy(walk: Walk, seats: int, twin: Twin, chance: random.Random) -> None:
    """Check that a seat's view, menu and texts stay the same when everything it may not know is dealt anew."""
    for table, _ in sample_tables(walk):
        for reader in (None, *range(seats)):
            other = Table(table.rules, seats, table.variant, twin(table.state, reader, chance))
            assert collect_everything_shown(other, reader) == collect_everything_shown(table, reader), (
                f"Seat {reader} sees what it may not know."
            )


def collect_everything_shown(table: Table[Any, Any], reader: Seat | None) -> Any:
    """Return everything that a table shows a reader."""
    public = [(ask.seat, ask.about, ask.default is not None) for ask in table.asks]
    ask = None if reader is None else table.ask(reader)
    return table.view(reader), public, ask, collect_texts(table, ask) if ask else []


def check_bots(game: Game[Any, Any], seats: int, variant: str) -> None:
    for player in (game.bot, take_default):
        end = play_to_end(open_table(game, seats, variant), Seeded(b"conformance"), [player] * seats)
        assert end.result is not None, "A game of bots ends, and so does one in which nobody answers."


def make_step(table: Table[Any, Any], said: SaidLine) -> Step[Any]:
    return Step(table.state, said.seat, table.read(*said), table.says(*said).state)


def random_walks(game: Game[Any, Any]) -> Iterator[Walk]:
    """Yield one random game for every number of seats and every variant, for checks of your own."""
    for variant in game.variants:
        for seats in game.seats:
            yield play_at_random(game, seats, variant, seed=0)[0]
