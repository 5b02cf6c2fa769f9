"""The filters and functions for templates that show a table, in letters and on pages alike.

Pages draw beans as symbols of each game's SVG file, which browsers cache. Letters show boxes instead.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from datetime import date, datetime
from functools import cache
from html import unescape
from types import SimpleNamespace
from typing import Any, NamedTuple

from django.contrib.staticfiles import finders
from django.template import defaultfilters
from django.templatetags.static import static
from django.utils import timezone
from django.utils.html import escape, format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import gettext

import games
from beanpost.play.display import wording
from beanpost.play.display.durations import describe_duration
from beanpost.play.display.orders.offers import (
    describe_effect,
    explain_lapse,
    find_planned_moves,
    find_ready_orders,
    list_plans,
    may_plan,
)
from beanpost.play.display.scene import Scene
from beanpost.play.display.selection import Board
from beanpost.play.display.story import StoryLine, tell_story
from beanpost.play.display.wording import (
    add_colon,
    add_full_stop,
    describe_pace,
    drop_full_stop,
    format_card,
    format_cards_in,
    format_day,
    format_number,
    format_span,
    format_time_left,
    format_times,
    format_your_time,
    join_names,
    name_variant,
    quote,
)
from beanpost.play.models import Order
from games.console.plain_text import build_grid, format_value, is_rows, iter_fields
from games.contract.look import Glyph
from games.contract.notation import Action, read
from games.contract.orders import StandingOrder
from games.contract.phrases import Phrase
from games.contract.seats import seat_label

HIDDEN_PART = re.compile(r'<(\w+)[^>]*\baria-hidden="true"[^>]*>.*?</\1>', re.DOTALL)
TAG = re.compile(r"<[^>]+>")
PRICED = re.compile(r"(?P<move>[^:(]+?)(?:\s?:\s(?P<after>.+)|\s\((?P<within>[^()]+)\))")
AS_TEXT = "\N{VARIATION SELECTOR-15}"  # render as text, not as an emoji


def add_countdown(at: datetime, since: datetime) -> str:
    """Return an exact time, to which a script adds the time left."""
    moment = format_your_time(at, since)
    return format_html('{}<time class="left" datetime="{}" data-left></time>', moment, at.isoformat())


def local_date(at: date | datetime | None, form: str | None = None) -> str:
    """Format a date or time in the reader's time zone and language, like Django's `date` filter."""
    if isinstance(at, datetime) and timezone.is_aware(at):
        at = timezone.localtime(at)
    return str(defaultfilters.date(at, form))


def select_names(names: Sequence[str], seats: Sequence[int]) -> list[str]:
    """Return the names of the players at several seats."""
    return [names[seat] for seat in seats]


def name_variant_of(table: Any) -> str:
    """Return the name of the variant that a match, or a planned one, is played by."""
    return name_variant(table.game, table.variant)


def pad_name(name: str, names: Sequence[str]) -> str:
    """Pad a name to the width of the longest in a column.

    >>> pad_name("Ann", ["Ann", "Cleo"])
    'Ann '
    """
    return name.ljust(max(map(len, names)))


def join_cards(cards: Sequence[object], between: str = " ") -> str:
    """Join cards.

    >>> join_cards((5, 5, 9)), join_cards((2, 3), " + ")
    ('5 5 9', '2 + 3')
    """
    return between.join(map(str, cards))


def format_signed(points: int) -> str:
    """Return a score with its sign.

    >>> format_signed(37), format_signed(-13), format_signed(0)
    ('+37', '−13', '0')
    """
    return f"{points:+d}".replace("-", "−") if points else "0"


def find_lines_of_order(scene: Scene, order: Order) -> list[StoryLine]:
    """Return the lines that an order played, as its owner sees them."""
    if not order.answered:
        return []
    lines = {line.seq: line for line in tell_story(scene.match, scene.reader) if not line.is_note}
    return [lines[seq] for seq in order.answered if seq in lines]


def drop_hidden(things: Sequence[Any], scene: Scene | None, verb: str) -> list[Any]:
    """Return the numbered things that no standing order hides from the reader; without a scene, all.

    An order hides offer 3 if it hides the answer "accept 3": `{{ view.offers|not_hidden(scene, "accept") }}`.
    """
    if scene is None:
        return list(things)
    return [thing for thing in things if not is_hidden(read(f"{verb} {thing.number}", scene.rules.vocabulary), scene)]


def is_hidden(answer: Action, scene: Scene) -> bool:
    """Return whether an order hides a ready answer from the reader."""
    return any(order.hides(scene.view, answer) for order in scene.standing_orders)


def may_tell_hand(order_types: Sequence[type[StandingOrder]]) -> bool:
    """Return whether answers of some of these orders tell something about the hand."""
    return any(kind.tells_hand for kind in order_types)


def say(phrase: Phrase | Sequence[Phrase], names: Sequence[str] = ()) -> str:
    """Return a phrase of a game in the reader's language, or several as one text."""
    phrases = [phrase] if isinstance(phrase, Phrase) else phrase
    return " ".join(wording.say(one, names) for one in phrases)


# ── moves ──


def split_price(label: str) -> tuple[str, str]:
    """Split a label into the move and its price, which a button shows below it.

    >>> split_price("Harvest field 1: 3 green beans for 1 coin")
    ('Harvest field 1', '3 green beans for 1 coin')
    >>> split_price("Play 4 4 (worth 8)"), split_price("Pass and draw a card")
    (('Play 4 4', 'worth 8'), ('Pass and draw a card', ''))
    """
    found = PRICED.fullmatch(label)
    return (found["move"], found["after"] or found["within"]) if found else (label, "")


# ── drawings ──


def draw_symbol(game: str, *words: object) -> SafeString:
    """Return the drawing of that name: `{{ symbol("haricots", 5) }}`. It is hidden from screen readers: the text beside
    it says the same.
    """
    return wrap_drawing(format_html('<use href="{}#{}"/>', find_sprite(game), "-".join(map(str, words))))


def draw_symbols(game: str, layers: Sequence[tuple[str, Sequence[int]]]) -> SafeString:
    """Draw several symbols, the last on top, each over the whole drawing or at a given x, y, width and height."""
    parts = ((find_sprite(game), name, format_box(box)) for name, box in layers)
    return wrap_drawing(format_html_join("", '<use href="{}#{}"{}/>', parts))


def format_box(box: Sequence[int]) -> SafeString:
    return SafeString(' x="{}" y="{}" width="{}" height="{}"'.format(*box) if box else "")


def find_sprite(game: str) -> str:
    return static(f"games/{game}/symbols.svg")


def wrap_drawing(inside: SafeString) -> SafeString:
    return format_html('<svg class="bean" viewBox="0 0 64 64" aria-hidden="true" focusable="false">{}</svg>', inside)


def draw_card(card: str, game: str) -> SafeString:
    """Return a card with its sign, and the sign as a word for screen readers."""
    return draw_glyph(games.get(game).look.glyphs[card])


def draw_glyph(shown: Glyph) -> SafeString:
    text = wording.format_value(shown.text, ())
    seen = format_html('{}<span class="suit" aria-hidden="true">{}</span>', text, shown.sign + AS_TEXT)
    return format_html('{}<span class="unseen"> {}</span>', seen, wording.say(shown.word, ()))


def format_card_sign(card: str, game: str) -> str:
    """Return a card with its sign as plain text: Q♠."""
    return format_card(card, games.get(game).look)


def draw_glyphs(sentence: str, scene: Scene) -> str:
    """Let screen readers say the signs of the cards in a sentence as words."""
    look = scene.rules.look
    if not look.glyphs:
        return sentence
    cards = {format_card(card, look): glyph for card, glyph in look.glyphs.items()}
    pattern = rf"\b(?:{'|'.join(cards)})"
    text = escape(format_cards_in(sentence, look, scene.all_names))
    return SafeString(re.sub(pattern, lambda found: draw_glyph(cards[found[0]]), text))


def read_aloud(html: str) -> str:
    """Return the text of a drawing as a screen reader reads it: without the parts that are hidden from it.

    >>> read_aloud('7<span class="suit" aria-hidden="true">♠</span><span class="unseen"> of spades</span>')
    '7 of spades'
    """
    return " ".join(unescape(TAG.sub(" ", HIDDEN_PART.sub(" ", html))).split())


def group_equal(cards: Sequence[object]) -> list[list[object]]:
    """Group equal cards, in the order in which they are held.

    >>> group_equal((5, 5, 9))
    [[5, 5], [9]]
    """
    return [[card] * cards.count(card) for card in dict.fromkeys(cards)]


@cache
def has_style(game: str) -> bool:
    """Return whether a game brings a stylesheet for pages."""
    return finders.find(f"games/{game}/table.css") is not None


# ── the facts of a view, for a game without templates of its own ──


class Cell(NamedTuple):
    name: str
    value: str


class Facts(NamedTuple):
    """A part of a view with a row for each seat, or for each of something else."""

    name: str
    columns: list[str]
    rows: list[list[Cell]]


def list_facts(view: Any) -> list[Cell]:
    """Return what a view says, by name. The names are translated, as far as the game's catalogue has them."""
    return [Cell(gettext(name), format_value(value)) for name, value in iter_fields(view) if not is_rows(value)]


def build_fact_tables(view: Any) -> list[Facts]:
    return [build_fact_table(name, build_grid(value)) for name, value in iter_fields(view) if is_rows(value)]


def build_fact_table(name: str, cells: list[list[str]]) -> Facts:
    columns = [gettext(column) for column in cells[0]]
    return Facts(gettext(name), columns, [list(map(Cell, columns, row)) for row in cells[1:]])


# ── tapping ──


def find_tap_number(board: Board | None, group: str, value: object) -> int | None:
    """Return the number of a piece on a page where tapping it filters the moves; elsewhere there is no board."""
    return board.find_number(group, value) if board else None


def build_tap_classes(board: Board | None, line: str) -> str:
    """Return the CSS classes of an answer's button: one for each piece it is about."""
    numbers = board.find_numbers(line) if board else ()
    return " ".join(["tap", *(f"t{number}" for number in numbers)]) if numbers else ""


FILTERS: dict[str, Callable[..., Any]] = {
    "as_heading": drop_full_stop,
    "as_sentence": add_full_stop,
    "board": Board,
    "card_sign": format_card_sign,
    "date": local_date,
    "day": format_day,
    "effect": describe_effect,
    "glyph": draw_card,
    "grouped": group_equal,
    "in_figures": format_number,
    "in_quotes": quote,
    "joined": join_cards,
    "lines_of_order": find_lines_of_order,
    "listed": join_names,
    "may_plan": may_plan,
    "move_and_price": split_price,
    "names_of_seats": select_names,
    "not_hidden": drop_hidden,
    "pace_clauses": describe_pace,
    "padded": pad_name,
    "planned_moves": find_planned_moves,
    "plans_with": list_plans,
    "ready_orders": find_ready_orders,
    "say": say,
    "seat_letter": seat_label,
    "span": format_span,
    "spoken": read_aloud,
    "tap_classes": build_tap_classes,
    "tell_hand": may_tell_hand,
    "time_left": format_time_left,
    "times": format_times,
    "variant": name_variant_of,
    "why_lapsed": explain_lapse,
    "with_colon": add_colon,
    "with_countdown": add_countdown,
    "with_glyphs": draw_glyphs,
    "with_sign": format_signed,
    "your_time": format_your_time,
}
FUNCTIONS: dict[str, Any] = {
    "describe_duration": describe_duration,
    "fact_tables": build_fact_tables,
    "facts": list_facts,
    "games": SimpleNamespace(**{slug: SimpleNamespace(**game.look.functions) for slug, game in games.GAMES.items()}),
    "has_style": has_style,
    "symbol": draw_symbol,
    "symbols": draw_symbols,
    "tap_number": find_tap_number,
    "variant_name": name_variant,
}
