"""The daily letter: all open questions of a player, each of which can be answered from it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from beanpost.play.display import scene
from beanpost.play.display.scene import Scene
from beanpost.play.display.story import tell_story
from beanpost.play.models import Match
from beanpost.players.models import Player
from beanpost.post.compose.acknowledgements import find_for_daily_letter
from beanpost.post.compose.contents import KINDS, Contents, build_scene_contents, concerns_reader
from beanpost.post.compose.menus import count_printed
from beanpost.post.models import Letter
from beanpost.post.preferences import find_open_questions
from games.engine import catalogue

MAX_TABLES = 4  # drawn in one letter
MAX_QUESTIONS = 20  # questions in one letter; the others are on the player's page


# ── contents ──


def build_digest(letter: Letter) -> Contents | None:
    """Return all open questions that concern their reader, and their moves by reply; nothing if there are none."""
    asked, more = find_questions_for(letter.recipient)
    questions = [one for one in asked if concerns_reader(one["scene"])]
    told = find_for_daily_letter(letter.recipient)
    drawn = {"questions": allot_space(questions, MAX_TABLES, MAX_QUESTIONS), "more": more, "why": ""}
    return drawn | {"acknowledged": told} if questions or told else None


def find_questions_for(player: Player) -> tuple[list[Contents], int]:
    """Return the open questions of a player, as many as fit into a letter, and the number of further ones."""
    asked = find_open_questions(player)
    questions = [
        build_question(place.match, place.seat)
        for place, _ in asked[:MAX_QUESTIONS]
        if catalogue.is_installed(place.match.game, place.match.edition)
    ]
    still_open = [question for question in questions if question["scene"].wait]  # some may have been answered since
    return still_open, len(asked[MAX_QUESTIONS:])


def build_question(match: Match, seat: int) -> Contents:
    """Return one question. `first` makes the letter describe the deal, until the player has moved by hand."""
    context = build_scene_contents(scene.build_scene(match, seat))
    silent = not any(line.seat == seat and line.by_hand for line in tell_story(context["scene"].match, seat))
    return context | {"match": match, "first": silent}


def allot_space(questions: list[Contents], tables: int, menus: int) -> list[Contents]:
    """Draw the tables of the first questions, print the moves of more of them, and leave the others with a link.

    Marks run through the whole letter, so that a mark also names the table.
    """
    lengths = [count_printed(question["scene"]) for question in questions]
    return [
        question | {"drawn": nth < tables, "printed": nth < menus, "before": sum(lengths[:nth])}
        for nth, question in enumerate(questions)
    ]


def shorten(context: Mapping[str, Any]) -> Contents | None:
    """Return the letter with fewer tables or, once it draws none, fewer moves. None if it cannot be shortened."""
    questions = context.get("questions", [])
    tables, menus = (sum(one[room] for one in questions) for room in ("drawn", "printed"))
    if not menus:
        return None
    fewer = (tables // 2, menus) if tables else (0, menus * 3 // 4)
    return {**context, "questions": allot_space(questions, *fewer)}


def build_which(letter: Letter) -> Contents:
    """Repeat the questions for a player whose reply named no table, even if nothing is open now.

    A player who made a move and wrote an order beside it is told only which tables can take the order.
    """
    values = {"heard": letter.values.get("heard", ""), "why": letter.values.get("why", "")}
    context = (build_digest(letter) if values["why"] != "beside" else None) or {
        "questions": [],
        "more": 0,
        "acknowledged": find_for_daily_letter(letter.recipient),
    }
    return context | values | {"followers": find_tables_for_order(letter)}


def find_tables_for_order(letter: Letter) -> list[Scene]:
    """Return the player's tables at which the order makes sense, whether or not they are asked now."""
    running = Match.objects.filter(phase=Match.Phase.RUNNING, pk__in=letter.values.get("tables", ()))
    shown = (
        scene.build_scene_for_player(match, letter.recipient)
        for match in running.order_by("pk")
        if catalogue.is_installed(match.game, match.edition)
    )
    return [one for one in shown if one]


KINDS |= {"digest": build_digest, "which": build_which}
