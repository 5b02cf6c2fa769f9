"""The daily letter: everything that is open for a player, to be answered from that one letter."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from django.db import transaction

from beanpost.play import clock, scene, stumbling
from beanpost.play.models import Match
from beanpost.play.scene import Scene
from beanpost.players.models import Player
from beanpost.post.contents import KINDS, Contents, of_scene
from beanpost.post.menus import on_paper
from beanpost.post.models import Letter
from beanpost.post.outbox import queue
from beanpost.post.wishes import open_questions

BATCH = 200
MOST_TABLES = 4  # drawn in one letter
MOST = 20  # questions in one letter; the others are among the reader's games


# ── when it is queued ──


def write_due(now: datetime) -> int:
    """Queue the daily letters that are due; how many. Safe to repeat, and on several machines at once."""
    due = Player.objects.filter(digest_at__lte=now).order_by("digest_at")
    return sum(stumbling.done(f"The daily letter of {player.pk}", write_one, player, now) for player in due[:BATCH])


@transaction.atomic
def write_one(player: Player, now: datetime) -> bool:
    """The letter of one day. Nobody whom no table asks is written to."""
    assert player.digest_at is not None
    day = player.digest_at.astimezone(player.tz).date()
    following = clock.next_at(player.digest_hour, player.tz, now, not_on=day)
    ours = Player.objects.filter(pk=player.pk, digest_at=player.digest_at)
    if not ours.update(digest_at=following, digest_on=day):  # another machine was quicker, or they wish otherwise now
        return False
    if player.how_often != Player.HowOften.DAILY or not open_questions(player):
        return False
    queue(player, "digest", f"day/{day}", now=now)
    return True


# ── what stands in it ──


def digest(letter: Letter) -> Contents | None:
    """All questions that are open when it is written; nothing if none is."""
    questions, more = open_for(letter.recipient)
    return {"questions": with_room(questions, MOST_TABLES, MOST), "more": more, "why": ""} if questions else None


def open_for(player: Player) -> tuple[list[Contents], int]:
    """What tables ask a player, as far as a letter has room for it, and how many questions there are beside."""
    asked = open_questions(player)
    said = [told(place.match, place.seat) for place, _ in asked[:MOST]]
    return [one for one in said if one["scene"].wait], len(asked[MOST:])  # some may have been answered while we wrote


def told(match: Match, seat: int) -> Contents:
    """One of the questions; to who has not spoken yet it tells how the match was dealt."""
    said = of_scene(scene.of(match, seat))
    silent = not any(line.seat == seat and line.by_hand for line in said["scene"].story)
    return said | {"match": match, "first": silent}


def with_room(questions: list[Contents], tables: int, menus: int) -> list[Contents]:
    """The first ones with their tables, and more of them with their moves; the others with a link to their page.

    Moves are numbered through the whole letter, so that a number says at which table it is meant.
    """
    lengths = [len(on_paper(said["scene"].options)) for said in questions]
    return [
        said | {"drawn": nth < tables, "printed": nth < menus, "before": sum(lengths[:nth])}
        for nth, said in enumerate(questions)
    ]


def shortened(said: Mapping[str, Any]) -> Contents | None:
    """The same letter with fewer tables, or with none and fewer moves; nothing if it cannot be shorter."""
    questions = said.get("questions", [])
    tables, menus = (sum(one[room] for one in questions) for room in ("drawn", "printed"))
    if not menus:
        return None
    fewer = (tables // 2, menus) if tables else (0, menus * 3 // 4)
    return {**said, "questions": with_room(questions, *fewer)}


def which(letter: Letter) -> Contents:
    """The same once more, for who answered it with something that names no table; also if nothing is open now.

    Who made a move and wrote an order beside it is only told where the order can be given.
    """
    told = {"heard": letter.values.get("heard", ""), "why": letter.values.get("why", "")}
    said = (digest(letter) if told["why"] != "beside" else None) or {"questions": [], "more": 0}
    return said | told | {"followers": followers(letter)}


def followers(letter: Letter) -> list[Scene]:
    """The tables that can follow the order somebody wrote, whether they ask now or not."""
    running = Match.objects.filter(phase=Match.Phase.RUNNING, pk__in=letter.values.get("tables", ()))
    shown = (scene.of_player(match, letter.recipient) for match in running.order_by("pk"))
    return [one for one in shown if one]


KINDS |= {"digest": digest, "which": which}
