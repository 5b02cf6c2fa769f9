"""Standing orders for Fagioli: a play prepared for the next turn, and quiet play during an absence.

>>> str(PlayIf(14, "right", 7, card=5, plant=(1, 2)))
'in turn 14 if right counts 7 play 5 plant 1 2'
"""

from __future__ import annotations

from games.contract.asks import Ask
from games.contract.notation import Action, Flag, Number
from games.contract.orders import Lapse, Response, StandingOrder, count_own_turns, name_last_turn, name_turn
from games.contract.phrases import Phrase
from games.contract.seats import Seat
from games.fagioli.actions import SIDES, Beans, Play, Side
from games.fagioli.bot import choose
from games.fagioli.bursts import is_burst
from games.fagioli.plays import Top, list_lays, plays_of_lay
from games.fagioli.view import View, difference
from games.fagioli.words import name_card, name_pile


class PlayIf(StandingOrder):
    """Make this play in one turn, if the top of its pile then counts this much."""

    says = "in turn {turn} if {pile} counts {value} play {card}[ {down}][ plant {plant}]"
    about = Phrase("Makes that play in that turn if the pile’s top counts that value by then; otherwise we ask you.")
    once = True
    turn: Number
    pile: Side
    value: Number
    card: Number
    down: Flag = False
    plant: Beans = ()

    @property
    def play(self) -> Play:
        return Play(self.card, self.pile, self.down, self.plant)

    def describe(self, view: View | None = None) -> Phrase:
        when = name_turn(self.turn, own_turns_to(self.turn, view))
        top = Phrase("{when}, if {pile} counts {value}", when=when, pile=name_pile(self.play), value=self.value)
        if not self.plant:
            return Phrase("{top}: play {card}", top=top, card=name_card(self.play))
        return Phrase("{top}: play {card} and plant {cards}", top=top, card=name_card(self.play), cards=self.plant)

    def respond(self, view: View, ask: Ask) -> Response:
        if view.number > self.turn:
            return Lapse(Phrase("turn {turn} is over", turn=self.turn))
        top = view.left if self.pile == "left" else view.right
        if view.number < self.turn or top.counts != self.value:
            return None
        return self.play


class PlayEqual(StandingOrder):
    """Play a card that equals a top, if there is exactly one such play and your hand is larger than this."""

    says = "play equal until the hand has {cards} cards"
    tells_hand = True
    about = Phrase(
        "Plays a card equal to the top of a pile, if there’s exactly one such play and your hand is larger than that."
    )
    cards: Number

    def describe(self, view: View | None = None) -> Phrase:
        return Phrase("Match a top card until your hand is down to {cards}", cards=self.cards)

    def respond(self, view: View, ask: Ask) -> Response:
        if len(view.hand) <= max(self.cards, 1):  # the last card would burst
            return Lapse(Phrase("your hand is down to {cards}", cards=len(view.hand)))
        equal = [play for play in ask.menu if isinstance(play, Play) and difference(view, play) == 0]
        return equal[0] if len(equal) == 1 else None


class PlaySteadily(StandingOrder):
    """Until this turn, make the move that would be made when time is up, as long as it does not burst."""

    says = "play steadily until turn {turn}"
    tells_hand = True
    about = Phrase("Makes the play we’d make if your time ran out. Ends early if every play would burst.")
    turn: Number

    def describe(self, view: View | None = None) -> Phrase:
        """Count the turns it plays: the turn that ends it need not be the owner's."""
        lap = range(self.turn - (len(view.seats) if view else 0), self.turn)
        own = next((own for turn in lap if (own := own_turns_to(turn, view)) is not None), None)
        when = Phrase("Until turn {turn}", turn=self.turn) if own is None else name_last_turn(self.turn, own)
        return Phrase("{when}: play it safe", when=when)

    def respond(self, view: View, ask: Ask) -> Response:
        if view.number >= self.turn:
            return Lapse(Phrase("turn {turn} has started", turn=self.turn))
        if isinstance(ask.default, Play) and is_burst(len(view.hand) - 1, difference(view, ask.default)):
            return Lapse(Phrase("every play would burst"))
        return ask.default


class PlaySoundly(StandingOrder):
    """In one turn, make the play that promises most for this turn and the next; not a play that bursts."""

    says = "play soundly in turn {turn}"
    tells_hand = True
    about = Phrase(
        "In that turn, makes the play that promises most for it and the next. If it would burst, we ask you."
    )
    once = True
    turn: Number

    def describe(self, view: View | None = None) -> Phrase:
        when = name_turn(self.turn, own_turns_to(self.turn, view))
        return Phrase("{when}: make the most promising play", when=when)

    def respond(self, view: View, ask: Ask) -> Response:
        if view.number != self.turn:
            return Lapse(Phrase("turn {turn} is over", turn=self.turn)) if view.number > self.turn else None
        play = choose(view, ask)
        return play if isinstance(play, Play) and not is_burst(len(view.hand) - 1, difference(view, play)) else None

    def supersedes(self, view: View, other: StandingOrder) -> bool:
        return view.number <= self.turn


ORDERS = (PlayIf, PlayEqual, PlaySteadily, PlaySoundly)


# ── suggested orders ─────────────────────────────────────────────────────────────────────────────

TURNS_AHEAD = 6  # the player's own turns to choose from
TURNS_AWAY = 3  # the number of the player's own turns


def suggest(view: View) -> tuple[StandingOrder, ...]:
    """Return the orders that make sense now, each given with one click."""
    if view.me is None or view.phase != "playing":
        return ()
    turn = next_own_turn(view, view.me)
    steadily = PlaySteadily(turn + TURNS_AWAY * len(view.seats))
    if view.turn == view.me:  # the hand will have changed by the next turn
        return PlaySoundly(turn), steadily
    equal = [PlayEqual(len(view.hand) - 1)] if len(view.hand) > 2 else []
    return (PlaySoundly(turn), *suggest_planting(view, turn), *equal, steadily)


def choices(view: View) -> tuple[StandingOrder, ...]:
    """Return the orders to choose from, by kind: for the next turns, and until the hand has so many cards."""
    if view.me is None or view.phase != "playing":
        return ()
    first = next_own_turn(view, view.me)
    turns = [first + own * len(view.seats) for own in range(TURNS_AHEAD)]
    return (*map(PlayEqual, range(1, len(view.hand))), *map(PlaySteadily, turns[1:]), *map(PlaySoundly, turns))


def suggest_beside(view: View, answer: Action) -> tuple[StandingOrder, ...]:
    """Return the order to offer beside a play, for the turn after it."""
    return (PlaySoundly(next_own_turn(view, view.me)),) if view.me is not None and isinstance(answer, Play) else ()


def next_own_turn(view: View, me: Seat) -> int:
    """Return the number of the next turn this seat can prepare for."""
    seats = len(view.seats)
    return view.number + ((me - (view.turn or 0)) % seats or seats)


def own_turns_to(turn: int, view: View | None) -> int | None:
    """Return how many turns of the viewer's own from now that turn is; None if it is not theirs, or is over."""
    if view is None or view.me is None or view.turn is None:
        return None
    return count_own_turns(turn, now=view.number, following=next_own_turn(view, view.me), seats=len(view.seats))


def suggest_planting(view: View, turn: int) -> list[PlayIf]:
    """Return, for each pile, the play that plants most without a burst, in case its top stays the same."""
    tops = [Top(top.counts, top.wallet) for top in (view.left, view.right)]
    sound = [plays_of_lay(lay, view.hand)[0] for lay in list_lays(view.hand, *tops) if lay.planted and not lay.bursts]
    best = []
    for pile, top in zip(SIDES, tops, strict=True):
        if on_this_pile := [play for play in sound if play.pile == pile]:
            play = max(on_this_pile, key=lambda play: len(play.plant))
            best.append(PlayIf(turn, pile, top.counts, play.card, play.down, play.plant))
    return best
