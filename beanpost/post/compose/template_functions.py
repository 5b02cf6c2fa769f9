"""Filters and functions for the templates of letters."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from itertools import groupby
from math import ceil
from operator import attrgetter
from typing import Any, NamedTuple

from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext

from beanpost.play.display.question import Group, Option
from beanpost.play.display.scene import Scene
from beanpost.play.display.story import StoryLine
from beanpost.play.display.template_functions import split_price
from beanpost.play.display.wording import format_day, join_names
from beanpost.play.models import Match
from beanpost.post.compose.album import Album
from beanpost.post.reply_parser.marks import format_mark
from beanpost.post.reply_parser.sent_letter import MARKER
from beanpost.site.links import link
from games.contract.seats import HOUSE

BUTTON = (
    '<table role="presentation" class="moves" cellpadding="0" cellspacing="0" border="0"><tbody><tr>'
    '<td class="{}"><a class="button" href="{}">{}</a></td></tr></tbody></table>'
)
# Fills the preview line beside the subject, which would show the letter's first words otherwise.
BLANK = SafeString("\u200c&nbsp;" * 60)
MAX_NEWS = 6
MAX_LARGE = 12  # with more buttons, a letter has compact ones
# Columns, of which more than two are compact; the most letters of a move, and of the price beside its mark.
SIDE_BY_SIDE = [(3, 7, 7), (2, 10, 14)]
COMPACT = [(4, 4, 5), *SIDE_BY_SIDE]
HEADINGS = re.compile(r"<style>.*?</style>|</?h[1-4]\b", re.S)
PARAGRAPH = re.compile(r"<p(?: [^>]*)?>(?!\s*<a )(.*?)</p>", re.S)
TAG = re.compile(r"<[^>]+>")
LEVEL = re.compile(r"\bh([1-4])\b")


def get_marker() -> str:
    """Return the first line of a letter that can be answered. Replies are written above it."""
    return MARKER


def lower_headings(letter: str, level: int) -> SafeString:
    """Embed a letter in a page: lower its headings, and the style rules for them, by `level` levels.

    The letter is our own HTML: composing escaped it.

    >>> lower_headings("<style>h1 { margin: 0 }</style><h1>It is your turn.</h1><h2>Your hand of h1</h2>", 1)
    '<style>h2 { margin: 0 }</style><h2>It is your turn.</h2><h3>Your hand of h1</h3>'
    """
    return SafeString(HEADINGS.sub(lambda part: LEVEL.sub(lambda own: f"h{int(own[1]) + level}", part[0]), letter))


def find_first_paragraph(body: str) -> SafeString:
    """Return the words of a letter's first paragraph that is more than a link, for the preview line beside the subject.

    >>> find_first_paragraph('<h1>Hello</h1><p class="small"><b>It’s</b> your turn.</p><p>Goodbye</p>')
    'It’s your turn.'
    """
    found = PARAGRAPH.search(body)
    return SafeString(TAG.sub("", found[1]).strip()) if found else SafeString()


def name_match(match: Match, title: str, others: Sequence[Any]) -> str:
    """Return the subject of all letters about a match, so that mail programs group them."""
    values = {"title": title, "names": join_names(others), "day": format_day(match.started_at), "number": match.pk}
    return gettext("%(title)s with %(names)s · %(day)s · no. %(number)s") % values


class Block(NamedTuple):
    """Moves in rows, under one heading; a row's missing move is None."""

    heading: str  # "" if their labels are complete
    rows: list[list[Option | None]]


def arrange_in_blocks(groups: list[Group]) -> list[Block]:
    """Arrange moves for a narrow screen: short labels side by side, long ones one below the other. Ruinous moves are
    links in the text and have no part in it.

    A single move gets no heading: its full label says as much in less space.
    """
    found: list[Block] = []
    buttons = [group for group in groups if not group.is_ruinous]
    widths = COMPACT if sum(len(group.options) for group in buttons) > MAX_LARGE else SIDE_BY_SIDE
    for heading, under in groupby(buttons, key=attrgetter("heading")):
        options = [option for group in under for option in group.options]
        short = heading if len(options) > 1 else ""
        labelled = [(option, option.brief if short else option.label) for option in options]
        found.append(Block(short, arrange_in_rows(labelled, widths)))
    return found


def arrange_in_rows(
    labelled: list[tuple[Option, str]], widths: Sequence[tuple[int, int, int]]
) -> list[list[Option | None]]:
    """Arrange moves in as few rows as their labels allow, in their order. Rows of one length stay together if that
    takes no more of them.
    """
    options = [option for option, _label in labelled]
    fits = [count_columns(label, widths) for _option, label in labelled]
    best: list[list[list[list[Option | None]]]] = [[]]  # for the first n moves: rows, by their length
    for end in range(1, len(options) + 1):
        found = [
            [*best[start], split_into_rows(options[start:end], min(fits[start:end]))] for start in reversed(range(end))
        ]
        best.append(min(found, key=lambda lengths: (sum(map(len, lengths)), len(lengths))))
    return [row for rows in best[-1] for row in rows]


def split_into_rows(options: list[Option], columns: int) -> list[list[Option | None]]:
    """Split the moves into as few rows as possible, all of the same length; fill the last with None."""
    rows = ceil(len(options) / columns)
    columns = ceil(len(options) / rows)  # four moves are two rows of two, not three and one
    filled: list[Option | None] = [*options, *[None] * (-len(options) % columns)]
    return [filled[start : start + columns] for start in range(0, len(filled), columns)]


def count_columns(label: str, widths: Sequence[tuple[int, int, int]]) -> int:
    """Return how many buttons with such a label fit beside each other on a phone."""
    move, price = split_price(label)
    return next((columns for columns, *most in widths if len(move) <= most[0] and len(price) <= most[1]), 1)


def find_first_mark(questions: Sequence[Mapping[str, Any]]) -> str:
    """Return the mark of an example in a letter about several tables; "" if it prints no moves."""
    asked = (one for one in questions if one["printed"] and one["menu"].options)
    return next((format_mark(one["menu"].example.number + one["before"]) for one in asked), "")


def select_latest(news: Sequence[StoryLine]) -> Sequence[StoryLine]:
    """Return the last few lines of the news; the page has all of them."""
    return news[-MAX_NEWS:]


def build_story_link(scene: Scene) -> str:
    """Return the link to all the news: the page of the question, or the match's public page."""
    return link("move", scene.question.ticket) if scene.question else link("match", scene.match.code)


def build_button(href: str, label: str, *, quiet: bool = False, costly: bool = False) -> SafeString:
    """Return a link as a button. It is a table cell, because Outlook for Windows ignores the padding of links."""
    return format_html(BUTTON, "move" + " quiet" * quiet + " hurts" * costly, href, label)


def has_notes_of_others(scene: Scene) -> bool:
    """Return whether the news hold a note of another player."""
    return any((line.note or line.is_note) and line.seat not in (scene.reader, HOUSE) for line in scene.story.news)


FILTERS: dict[str, Callable[..., Any]] = {
    "first_paragraph": find_first_paragraph,
    "first_mark": find_first_mark,
    "has_notes_of_others": has_notes_of_others,
    "in_blocks": arrange_in_blocks,
    "latest": select_latest,
    "lower_headings": lower_headings,
    "mark": format_mark,
    "story_link": build_story_link,
}
FUNCTIONS: dict[str, Any] = {
    "album": Album(shown=False),  # elsewhere than in the HTML of a letter
    "blank": BLANK,
    "button": build_button,
    "link": link,
    "marker": get_marker,
    "name_match": name_match,
}
