"""The find-my-games letter: everything that is open for a player, in all matches."""

from __future__ import annotations

from beanpost.play.display import my_games
from beanpost.play.models import Match
from beanpost.players.models import Player
from beanpost.post.compose.contents import KINDS, Contents, invited, title
from beanpost.post.compose.digests import MOST, open_for, with_room
from beanpost.post.models import Letter


def lost(letter: Letter) -> Contents:
    questions, more = open_for(letter.recipient)
    places = letter.recipient.places.filter(match__phase=Match.Phase.GATHERING).select_related("match__keeper")
    gathering = places.order_by("match_id")
    own_tables = gathering.filter(match__keeper=letter.recipient, match__placed=False)
    return {
        "questions": with_room(questions, 0, MOST),
        "more": more,
        "quiet": quiet(letter.recipient),
        "invitations": [invited(place) for place in gathering.filter(confirmed_at=None)[:MOST]],
        "kept": [invited(place) for place in own_tables[:MOST]],
    }


def quiet(player: Player) -> list[Contents]:
    """Return the running matches that wait for somebody else."""
    waiting = [table for table in my_games.find_running_seats(player) if not table.wait]
    return [{"table": table, "title": title(table.match)} for table in waiting[:MOST]]


KINDS["lost"] = lost
