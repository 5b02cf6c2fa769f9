"""Filters and functions for the templates of letters."""

from __future__ import annotations

import re
from collections.abc import Callable
from itertools import groupby
from operator import attrgetter
from typing import Any

from django.utils.safestring import SafeString

from beanpost.play.display.parts import Group, Option
from beanpost.play.display.scene import Scene
from beanpost.post.compose.menus import are_all_on_paper, on_paper
from beanpost.post.outbox.addresses import MARKER
from beanpost.site_urls import link
from games.contract.seats import HOUSE

HEADINGS = re.compile(r"<style>.*?</style>|</?h[1-4]\b", re.S)
LEVEL = re.compile(r"\bh([1-4])\b")


def blank() -> SafeString:
    """Fill the preview line beside the subject, so that mail programs do not show the letter's first words there."""
    return SafeString("\u200c&nbsp;" * 60)


def marker() -> str:
    """The first line of a letter that can be answered. Replies are written above it."""
    return MARKER


def below(letter: str, level: int) -> str:
    """Lower the headings of a letter, and the style rules for them, by `level` levels.

    >>> below("<style>h1 { margin: 0 }</style><h1>It is your turn.</h1><h2>Your hand of h1</h2>", 1)
    '<style>h2 { margin: 0 }</style><h2>It’s your turn.</h2><h3>Your hand of h1</h3>'
    """
    return HEADINGS.sub(lambda part: LEVEL.sub(lambda own: f"h{int(own[1]) + level}", part[0]), letter)


def printed(groups: list[Group]) -> list[Group]:
    """Return the moves that a letter prints, in their groups."""
    chosen = chosen_of(groups)
    cut = [[chosen[option.line] for option in group.options if option.line in chosen] for group in groups]
    return [Group(group.heading, options) for group, options in zip(groups, cut, strict=True) if options]


def in_paragraphs(groups: list[Group]) -> list[tuple[str, list[Group]]]:
    """Join consecutive groups that have the same heading."""
    return [(heading, list(under)) for heading, under in groupby(groups, key=attrgetter("heading"))]


def left_to_the_page(groups: list[Group]) -> list[Group]:
    """Return the groups that hold more moves than a letter prints."""
    chosen = chosen_of(groups)
    return [group for group in groups if group.heading and any(option.line not in chosen for option in group.options)]


def chosen_of(groups: list[Group]) -> dict[str, Option]:
    """Return the printed moves by their line: their numbers in a letter differ from those on the page."""
    return {option.line: option for option in on_paper([option for group in groups for option in group.options])}


def has_notes_of_others(scene: Scene) -> bool:
    return any(line.note and line.seat not in (scene.reader, HOUSE) for line in scene.news)


FILTERS: dict[str, Callable[..., Any]] = {
    "are_all_printed": are_all_on_paper,
    "below": below,
    "has_notes_of_others": has_notes_of_others,
    "in_paragraphs": in_paragraphs,
    "left_to_the_page": left_to_the_page,
    "printed": printed,
}
FUNCTIONS: dict[str, Callable[..., Any]] = {
    "blank": blank,
    "link": link,
    "marker": marker,
}
