"""The find-my-games letter: everything that is open for a player, in all matches."""

from __future__ import annotations

from beanpost.play.display.lists import my_games
from beanpost.play.models import Match
from beanpost.players.models import Player
from beanpost.post.compose.contents import KINDS, Contents, describe_invitation, find_title
from beanpost.post.compose.digests import MAX_QUESTIONS, allot_space, find_questions_for
from beanpost.post.models import Letter


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


KINDS["lost"] = build_lost
