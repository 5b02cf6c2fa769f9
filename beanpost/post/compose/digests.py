"""Letters about all tables of a player.

They are the daily letter, whose questions can be answered from it, the answer to a reply that named no table, and the
find-my-games letter.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext_lazy as _

from beanpost.play.display import scene
from beanpost.play.display.lists import my_games
from beanpost.play.display.scene import Scene
from beanpost.play.display.story import tell_story
from beanpost.play.models import Match
from beanpost.players.models import Player
from beanpost.post.compose.acknowledgements import find_for_daily_letter
from beanpost.post.compose.contents import (
    Contents,
    build_scene_contents,
    concerns_reader,
    describe_invitation,
    find_title,
)
from beanpost.post.kinds import Kind
from beanpost.post.models import Letter
from beanpost.post.preferences import disable_daily_letter, find_open_questions
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
    lengths = [len(question["menu"].options) + len(question["menu"].plans) for question in questions]
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


# ── the find-my-games letter ──


def build_lost(letter: Letter) -> Contents:
    questions, more = find_questions_for(letter.recipient)
    places = letter.recipient.places.filter(match__phase=Match.Phase.GATHERING).select_related("match__keeper")
    gathering = places.order_by("match_id")
    own_tables = gathering.filter(match__keeper=letter.recipient, match__placed=False)
    return {
        "questions": allot_space(questions, 0, MAX_QUESTIONS),
        "more": more,
        "quiet": find_quiet_matches(letter.recipient),
        "invitations": [describe_invitation(place) for place in gathering.filter(confirmed_at=None)[:MAX_QUESTIONS]],
        "kept": [describe_invitation(place) for place in own_tables[:MAX_QUESTIONS]],
    }


def find_quiet_matches(player: Player) -> list[Contents]:
    """Return the running matches that wait for somebody else."""
    waiting = [table for table in my_games.find_running_seats(player) if not table.wait]
    return [{"table": table, "title": find_title(table.match)} for table in waiting[:MAX_QUESTIONS]]


KINDS = (
    Kind("digest", _("Your daily letter"), build_digest, about_all=True, stops_with=disable_daily_letter),
    Kind("which", _("About your reply"), build_which, about_all=True, answers=True),
    Kind("lost", _("Waiting for you"), build_lost, about_all=True),  # to a player who asked for it on the home page
)
