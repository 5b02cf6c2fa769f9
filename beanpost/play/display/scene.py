"""A match as one reader may see it right now, as plain values. Letters and pages are rendered from it.

The whole state stays in `build_scene`: a scene holds a view, words and tickets, so no template can show a hidden card.
`tests/site/test_secrets.py` checks what every reader gets.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.template.defaultfilters import date
from django.utils.translation import gettext as _

from beanpost.play import clock, load
from beanpost.play.deadlines import days_away
from beanpost.play.display.question import Question, build_question
from beanpost.play.display.story import Story, tell_news
from beanpost.play.display.wording import say_with_signs
from beanpost.play.load import LoadedMatch
from beanpost.play.log import outcome
from beanpost.play.models import Event, Match, Order, Place, Wait
from beanpost.play.perspective import Perspective
from beanpost.play.tickets import OrderTicket, SeatTicket, sign
from beanpost.play.turns.standing_orders import MAX_ORDERS
from beanpost.players.models import Player
from games.contract.game import Game
from games.contract.notation import read
from games.contract.orders import StandingOrder
from games.contract.phrases import Phrase
from games.contract.seats import Seat
from games.verification.export import Outcome


@dataclass(frozen=True)
class Standing:
    """A player's final rank and score."""

    rank: int
    place: Place
    score: int | None  # None: the match was adjudicated


@dataclass(frozen=True, repr=False)  # a hand must not get into a log
class Scene:
    """A match as one seat sees it, or a bystander (`reader` is None)."""

    match: Match
    rules: Game[Any, Any]
    places: Sequence[Place]
    reader: Seat | None
    place: Place | None
    names: Sequence[str]
    others: list[str]  # the names of the other players
    all_names: Sequence[str]  # the names of all present and former players
    view: Any
    waiting_for: Sequence[Place]
    open_until: datetime | None  # the latest deadline: by then the table goes on
    absences: Sequence[str]  # sentences about players who are away or replaced by a bot
    result: Outcome | None
    standings: Sequence[Standing]  # the winners first; empty while the game lasts
    winners: Sequence[Place]
    all_orders: Sequence[Order]  # that the reader has given
    orders: Sequence[Order]  # the same without those that lapsed before the news
    standing_orders: Sequence[StandingOrder]  # those that have not lapsed, parsed
    order_types: tuple[type[StandingOrder], ...]
    may_give_order: bool  # False: the reader has as many orders as a seat may have
    last_own_line: int  # the reader's last line that came from neither an order nor the house; 0 if there is none
    moves_made: int  # lines of the reader's seat
    wait: Wait | None  # the row of the question; None exactly if `question` is
    question: Question | None
    story: Story

    def say(self, phrase: Phrase) -> str:
        """Return a phrase of the game as a sentence, with signs for cards."""
        return say_with_signs(phrase, self.names, self.rules.look)

    def describe_order(self, line: str) -> str:
        """Return an order of this game in words."""
        order = read(line, self.rules.orders.kinds)
        return self.say(order.describe(self.view)) if isinstance(order, StandingOrder) else line

    @property
    def seat_ticket(self) -> str:
        assert self.place is not None
        return sign(SeatTicket(self.match.pk, self.place.seat, self.place.occupant))

    @property
    def order_ticket(self) -> str:
        """The ticket for the page of the reader's standing orders."""
        assert self.place is not None
        return sign(OrderTicket(self.match.pk, self.place.seat, self.place.occupant, self.last_own_line))


def build_scene(match: Match, reader: Seat | None) -> Scene:
    """Return the scene of a match that has begun, for one reader."""
    seen = Perspective(match, reader)
    wait = None if reader is None else seen.loaded.waits.get(reader)
    return fill_scene(seen, wait, tell_news(seen, wait.opened if wait else None))


def fill_scene(seen: Perspective, wait: Wait | None, story: Story) -> Scene:
    """Return the scene of this reader, who is asked the question `wait`."""
    places, events, reader = seen.loaded.places, seen.loaded.events, seen.reader
    question = build_question(seen, wait) if wait else None
    result = outcome.find_outcome(seen.match, seen.table) if seen.match.phase == Match.Phase.ENDED else None
    standings = rank_players(seen.match, places, result) if result else []
    own = [event for event in events if event.seat == reader]
    by_hand = [event.seq for event in own if event.origin != Event.Origin.HOUSE]
    return Scene(
        match=seen.match,
        rules=seen.rules,
        places=places,
        reader=reader,
        place=seen.place,
        names=seen.names,
        others=[place.name for place in places if place.seat != reader],
        all_names=[*seen.names, *(left.name for left in seen.departures)],
        view=seen.view,
        waiting_for=[places[ask.seat] for ask in seen.table.asks if ask.seat >= 0 and ask.default is not None],
        open_until=max((wait.due_at for wait in seen.loaded.waits.values() if wait.due_at), default=None),
        absences=describe_absences(seen.loaded, reader, clock.now()),
        result=result,
        standings=standings,
        # Nobody wins by giving up, not even if everybody did.
        winners=[row.place for row in standings if row.rank == 1 and not row.place.resigned_at],
        all_orders=seen.orders,
        orders=[order for order in seen.orders if is_news(order, story)],
        standing_orders=seen.standing_orders,
        order_types=seen.rules.orders.for_seats(len(places)),
        may_give_order=len(seen.standing_orders) < MAX_ORDERS,
        last_own_line=max((seq for seq in by_hand if seq not in seen.orders_by_line), default=0),
        moves_made=len(own),
        wait=wait if question else None,
        question=question,
        story=story,
    )


def rank_players(match: Match, places: Sequence[Place], result: Outcome) -> list[Standing]:
    """Return all players with rank and score, the winners first."""
    scores = result.scores or [None] * len(places)
    rows = zip(outcome.rank_seats(match, result.ranks, places), places, scores, strict=True)
    return sorted((Standing(*row) for row in rows), key=lambda row: (row.rank, row.place.seat))


def is_news(order: Order, story: Story) -> bool:
    return order.lapsed_at is None or not story.news or order.lapsed_at >= story.news[0].said_at


def build_scene_for_player(match: Match, player: Player) -> Scene | None:
    """Return the scene for a player; None if they have no seat there, or have resigned while the match runs."""
    loaded = match.loaded or load.load_match(match.pk)
    own = next((place for place in loaded.places if place.player_id == player.pk), None)
    if own is None or (own.resigned_at and match.phase == Match.Phase.RUNNING):
        return None
    return build_scene(loaded.match, own.seat)


# ── who is away ──


def describe_absences(loaded: LoadedMatch, reader: Seat | None, now: datetime) -> list[str]:
    """Return sentences about players who are away and players for whom a bot plays."""
    honoured = days_away.filter_honoured(loaded.match, loaded.absences) if loaded.absences else []
    away = days_away.find_absent_seats(loaded.places, honoured, now) if honoured else []
    days = [
        (say_you_are_away() if place.seat == reader else _("%(name)s is away until %(day)s."))
        % {"name": place.name, "day": date(gone.last, _("D j M"))}
        for place, gone in away
    ]
    absentees = [place for place in loaded.places if place.player and place.stand_in]
    return days + [
        _("A bot is playing for you.") if place.seat == reader else explain_bot(place) for place in absentees
    ]


def say_you_are_away() -> str:
    return _("You’re away until %(day)s. If your time runs out, the table waits as long as you have away days.")


def explain_bot(place: Place) -> str:
    """Return why a bot plays there: the player has resigned, or is absent."""
    if place.resigned_at:
        return _("%(name)s resigned; a bot is playing for them.") % {"name": place.name}
    return _("A bot is playing for %(name)s.") % {"name": place.name}
