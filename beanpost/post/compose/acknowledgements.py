"""Acknowledgements of moves made by reply: "You played 4 4. If that’s not what you meant: …".

It leaves within two minutes. A letter of the match that leaves sooner says the same, and so does the daily letter of
players who get one: `outbox.claims.store` then drops the acknowledgement, in the transaction that stores the letter.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from django.db.models import QuerySet
from django.utils.translation import gettext_lazy as _

from beanpost.play.display.scene import Scene, build_scene_for_player
from beanpost.play.display.story import find_line
from beanpost.play.models import Match
from beanpost.play.seats.votes import sign_undo_ticket
from beanpost.players.models import Player
from beanpost.post.compose.contents import Contents, build_table_contents
from beanpost.post.kinds import PLAYED, Kind
from beanpost.post.models import Letter
from games.engine import catalogue


@dataclass(frozen=True)
class Acknowledgement:
    """A move made by reply, as its player is told."""

    letter: int  # the primary key of the row that says it
    scene: Scene = field(repr=False)
    text: str
    order: str  # the plan given with the move, in words
    undo_ticket: str  # "" if nobody can be asked


def describe_all(letters: Iterable[Letter], shown: Scene) -> list[Acknowledgement]:
    """Describe the moves of these letters that still stand, unless their player wants no such letters."""
    place = shown.place
    if place is None or place.player is None or not (place.player.reply_receipts and place.wants_reminders):
        return []
    lines = [(letter, find_line(shown.match, shown.reader, letter.values["seq"])) for letter in letters]
    return [
        Acknowledgement(
            letter.pk,
            shown,
            line.text,
            shown.describe_order(letter.values["order"]) if "order" in letter.values else "",
            sign_undo_ticket(place, shown.places, line.seq),
        )
        for letter, line in lines
        if line and line.seat == shown.reader
    ]


def find_waiting(player: Player) -> QuerySet[Letter]:
    """Return a player's acknowledgements that are not written yet."""
    own = Letter.objects.filter(recipient=player, kind=PLAYED, state__in=Letter.ON_THE_WAY, body=None)
    return own.order_by("pk")


def find_joined(letter: Letter, shown: Scene) -> list[Acknowledgement]:
    """Return the acknowledgements that this letter of the match can make as well."""
    waiting = find_waiting(letter.recipient).filter(match=letter.match_id).exclude(pk=letter.pk)
    return describe_all(waiting, shown)


def find_for_daily_letter(player: Player) -> list[Acknowledgement]:
    """Return the acknowledgements of all running matches of a player."""
    by_match: dict[Match, list[Letter]] = {}
    for letter in find_waiting(player).filter(match__phase=Match.Phase.RUNNING).select_related("match"):
        if letter.match and catalogue.is_installed(letter.match.game, letter.match.edition):
            by_match.setdefault(letter.match, []).append(letter)
    shown = ((build_scene_for_player(match, player), letters) for match, letters in by_match.items())
    return [one for scene, letters in shown if scene for one in describe_all(letters, scene)]


def build_played(letter: Letter) -> Contents | None:
    """Return nothing if the move was undone meanwhile, or the match has ended: the result was a letter of its own."""
    context = build_table_contents(letter, Match.Phase.RUNNING)
    own = describe_all([letter], context["scene"]) if context else []
    return context and context | {"acknowledged": own} if own else None


KINDS = (Kind(PLAYED, _("Your move by reply"), build_played, stops_with=lambda _: {"reply_receipts": False}),)
