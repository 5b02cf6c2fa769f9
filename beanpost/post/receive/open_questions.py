"""The possible meanings of a reply: the moves of its letter's question, and standing orders at the reader's tables."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType
from typing import Any

import games
from beanpost.i18n.reply_language import get_reply_language
from beanpost.play import moves
from beanpost.play.display.orders.offers import describe_sensible_orders
from beanpost.play.display.question import join_plan, split_plan
from beanpost.play.display.scene import Scene
from beanpost.play.display.wording import say
from beanpost.play.models import Match, Place
from beanpost.players.models import Player
from beanpost.post.models import Letter, Reply
from beanpost.post.reply_parser.move_meaning import Question
from beanpost.post.reply_parser.order_meaning import parse_order
from games.contract.notation import read
from games.engine import catalogue


def build_question(letter: Letter, shown: Scene) -> Question:
    """Return the letter's question as printed, with the moves that are possible now."""
    assert shown.question is not None
    ask = shown.question.ask
    kinds = [type(action) for action in ask.menu] + list(ask.free)
    printed = build_printed_question(letter, shown.match, shown.names)
    return replace(
        printed,
        menu={option.line: build_notation_label(shown, option.line) for option in shown.question.options},
        vocabulary=tuple(dict.fromkeys(kinds)),
        is_legal=lambda line: moves.find_refusal(shown.match, ask.seat, split_plan(line)[0]) is None,
        order=build_order_reader(shown.match, shown.names, describe_sensible_orders(shown)),
        proposed=find_proposed(letter),
    )


def find_proposed(letter: Letter) -> str:
    """Return the one move that an answer asks about, in words that “yes” can answer; "" if it asks about none."""
    lines = letter.values.get("lines", [])
    asks = letter.values.get("why") in (Reply.Finding.COSTLY, Reply.Finding.UNCLEAR)
    return str(lines[0]) if asks and len(lines) == 1 else ""


def build_notation_label(shown: Scene, line: str) -> str:
    """Return the label of a move with its cards in notation, which players write in replies: "Take Bob's QS"."""
    return say(shown.rules.words.label(shown.view, read(line, shown.rules.vocabulary)), shown.names)


def find_price(shown: Scene, line: str) -> str:
    """Return what a legal line costs the reader, as a sentence; "" if it costs nothing."""
    danger = shown.rules.menus.find_danger(shown.view, read(line, shown.rules.vocabulary))
    return shown.say(danger.warning) if danger else ""


def build_printed_question(letter: Letter, match: Match, names: Sequence[str]) -> Question:
    """Return the letter's question as printed. No move is legal in it, but moves are still recognised."""
    options = [option for option in letter.options if option.get("asked", {}).get("match", match.pk) == match.pk]
    return Question(
        replies=get_reply_language().add_words(games.get(match.game, match.edition).replies, match.game),
        names=names,
        printed={option["mark"]: join_option(option) for option in options},
        menu={},
        labels={option["label"]: join_option(option) for option in options},
        vocabulary=games.get(match.game, match.edition).vocabulary,
        is_legal=lambda line: False,
        order=build_order_reader(match, names),
    )


def join_option(option: dict[str, Any]) -> str:
    """Return the move of a printed option, joined with the order that the option gives as well, if any."""
    return join_plan(option["line"], option.get("order", ""))


def build_order_readers(player: Player, at: Collection[int] | None = None) -> dict[int, Callable[[str], str]]:
    """Return a function that parses standing orders, for each of a player's tables, or for those in `at`.

    A table need not be asking the player now.
    """
    seats = Place.objects.filter(player=player, resigned_at=None, match__phase=Match.Phase.RUNNING)
    seats = seats if at is None else seats.filter(match__in=at)
    matches = [place.match for place in seats.select_related("match").prefetch_related("match__places__player")]
    # A match whose game is missing takes no orders, and must not keep the others from theirs.
    matches = [match for match in matches if catalogue.is_installed(match.game, match.edition)]
    return {match.pk: build_order_reader(match, [place.name for place in match.places.all()]) for match in matches}


def build_order_reader(
    match: Match, names: Sequence[str], sensible: Mapping[str, str] = MappingProxyType({})
) -> Callable[[str], str]:
    """Return a function that returns the standing order that a text means at this table, or ""."""
    rules = games.get(match.game, match.edition)
    kinds = rules.orders.for_seats(match.seats)
    replies = get_reply_language().add_words(rules.replies, match.game)
    return lambda text: parse_order(text, replies, kinds, names, sensible)
