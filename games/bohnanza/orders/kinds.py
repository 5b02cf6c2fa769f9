"""Standing orders for Bohnanza: trading while away, planting in advance, markets that close by themselves.

>>> str(Give("coffee", ("stink", "chili")))
'give coffee for stink or chili until I plant it'
>>> str(CloseWhenThrough()), str(CloseWhenThrough(8))
('close when everybody is through', 'close in turn 8 when everybody is through')

No order declines an offer or makes the same offer twice in a turn.
"""

from __future__ import annotations

from typing import Annotated, TypeAlias

from games.bohnanza.actions import BEAN, Accept, Bean, Decline, Done, NoDeal, Offer, Plant, Reveal, Withdraw, bean_of
from games.bohnanza.names import KINDS, join_with_or, name_beans
from games.bohnanza.orders.spots import Spot, Spots, describe_spots
from games.bohnanza.prospects import fields_of
from games.bohnanza.state import Beans
from games.bohnanza.view import Proposal, View
from games.contract.asks import Ask
from games.contract.notation import Action, Number, several
from games.contract.orders import Lapse, Response, StandingOrder, count_own_turns, name_end, name_turn
from games.contract.phrases import Phrase
from games.contract.seats import Seat

Choice: TypeAlias = Annotated[tuple[str, ...], several(BEAN, " or ")]
DONE = Lapse(Phrase("it did its job"))


class OrderForThreeOrMore(StandingOrder):
    """Orders for three or more players. The duel has nothing to trade and no market to wait for."""

    min_seats = 3


def next_own_turn(view: View, me: Seat) -> int:
    return view.turn + ((me - (view.active or 0)) % view.players or view.players)


def own_turns_to(turn: int, view: View | None) -> int | None:
    """Return how many turns of the viewer's own from now that turn is; None if it is not theirs, or is over."""
    if view is None or view.me is None or view.active is None:
        return None
    return count_own_turns(turn, now=view.turn, following=next_own_turn(view, view.me), seats=view.players)


class Give(OrderForThreeOrMore):
    """Give one bean of your hand for one of those named: accept such an offer, and make one in each market."""

    says = "give {bean} for {wishes} until I plant it"
    tells_hand = True
    about = Phrase(
        "Accepts any offer of exactly this trade, and makes the offer itself once per market, for a face-up card if "
        "there is one. Ends when the trade is made or the bean has left your hand."
    )
    bean: Bean
    wishes: Choice

    def describe(self, view: View | None = None) -> Phrase:
        wishes = join_with_or(name_beans(wish, 1) for wish in self.wishes)
        return Phrase("Trade {beans} for {wishes}, until you plant it", beans=name_beans(self.bean, 1), wishes=wishes)

    def respond(self, view: View, ask: Ask) -> Response:
        if any(self.is_made(view, offer) for offer in view.offers):
            return Lapse(Phrase("you made the trade"))
        if self.bean not in view.hand:
            return Lapse(Phrase("the bean has left your hand"))
        if view.phase != "market":
            return None
        return self.find_acceptance(view, ask) or self.make_offer(view)

    def is_made(self, view: View, offer: Proposal) -> bool:
        if offer.accepted is None:
            return False
        mine = offer.by == view.me and self.matches(gives=offer.gives, gets=offer.wants)
        return mine or (offer.accepted == view.me and self.matches(gives=offer.wants, gets=offer.gives))

    def matches(self, *, gives: Beans, gets: Beans) -> bool:
        return gives == (self.bean,) and len(gets) == 1 and bean_of(gets[0]) in self.wishes

    def find_acceptance(self, view: View, ask: Ask) -> Accept | None:
        offers = ((answer, view.offers[answer.offer - 1]) for answer in ask.menu if isinstance(answer, Accept))
        return next((answer for answer, offer in offers if self.matches(gives=offer.wants, gets=offer.gives)), None)

    def make_offer(self, view: View) -> Offer | None:
        """Make one offer per turn, unless the owner has said "no deal"."""
        mine = [offer for offer in view.offers if offer.by == view.me]
        action = any(self.matches(gives=offer.gives, gets=offer.wants) for offer in mine)
        if action or view.me is None or view.seats[view.me].no_deal:
            return None
        if view.me == view.active:
            return Offer((self.bean,), self.wishes[:1], None)
        face_up = [f"*{wish}" for wish in self.wishes if wish in view.up]
        return Offer((self.bean,), (*face_up, *self.wishes)[:1], view.active)


class AcceptGifts(OrderForThreeOrMore):
    """Accept every gift that holds nothing but these beans."""

    says = "accept any gift of {beans}"
    about = Phrase("Accepts every gift of just these beans.")
    beans: Choice

    def describe(self, view: View | None = None) -> Phrase:
        return Phrase("Accept any gift of {beans}", beans=join_with_or(KINDS[name] for name in self.beans))

    def respond(self, view: View, ask: Ask) -> Response:
        accepts = (answer for answer in ask.menu if isinstance(answer, Accept))
        return next((answer for answer in accepts if self.is_wanted(view.offers[answer.offer - 1])), None)

    def is_wanted(self, offer: Proposal) -> bool:
        return not offer.wants and set(map(bean_of, offer.gives)) <= set(self.beans)


class HideOffers(OrderForThreeOrMore):
    """Hide offers that ask you for one of these beans. The order says nothing to anyone."""

    says = "hide offers that ask for {beans} from me"
    about = Phrase("Keeps offers asking for these beans out of your letters and pages. No one is told.")
    beans: Choice

    def describe(self, view: View | None = None) -> Phrase:
        return Phrase("Hide offers asking for your {beans}", beans=join_with_or(KINDS[name] for name in self.beans))

    def hides(self, view: View, answer: Action) -> bool:
        if not isinstance(answer, Accept | Decline) or view.phase != "market":
            return False
        offer = view.offers[answer.offer - 1]
        to_me = offer.by != view.me and offer.to in (None, view.me)
        return to_me and not set(map(bean_of, offer.wants)).isdisjoint(self.beans)

    def silences(self, view: View, seat: Seat, action: Action) -> bool:
        """Silence that such an offer was made or came to nothing, but not a deal that others made of it."""
        match action:
            case Offer():
                return self.hides(view, Accept(len(view.offers)))
            case Decline(number) | Withdraw(number) if seat != view.me:
                return self.hides(view, Accept(number))
        return False


class NoDealUntil(OrderForThreeOrMore):
    """Say "no deal" in every market before this turn, unless you have made an offer or one to you is open."""

    says = "no deal until turn {turn}"
    about = Phrase("Says “no deal” for you in every market before that turn. Other players can still make you offers.")
    turn: Number

    def describe(self, view: View | None = None) -> Phrase:
        return Phrase("No deal {until}", until=name_end(self.turn, own_turns_to(self.turn, view)))

    def respond(self, view: View, ask: Ask) -> Response:
        if view.turn >= self.turn:
            return Lapse(Phrase("turn {turn} has started", turn=self.turn))
        busy = any(isinstance(answer, Decline) for answer in ask.menu) or any(o.by == view.me for o in view.offers)
        return NoDeal() if NoDeal() in ask.menu and not busy else None

    def handles(self, view: View, ask: Ask) -> bool:
        return view.turn < self.turn and has_nothing_to_answer(view, ask)


class CloseWhenThrough(OrderForThreeOrMore):
    """Close your own market, in one turn or in every turn, as soon as the others have all answered."""

    says = "close[ in turn {turn}] when everybody is through"
    about = Phrase(
        "Closes your market once everyone has answered and no offer to you is open. It doesn’t wait for players who "
        "were offered nothing and have no field for a face-up card. If you don’t name a turn, it applies to all your "
        "markets, and may close one before you’ve offered anything."
    )
    turn: Number = 0  # every turn

    def describe(self, view: View | None = None) -> Phrase:
        if self.turn:
            own = own_turns_to(self.turn, view)
            return Phrase("{when}: close your market once everyone has answered", when=name_turn(self.turn, own))
        return Phrase("Close your markets once everyone has answered")

    def respond(self, view: View, ask: Ask) -> Response:
        if self.turn and view.turn > self.turn:
            return Lapse(Phrase("turn {turn} is over", turn=self.turn))
        return Done() if ask.through and self.handles(view, ask) else None

    def handles(self, view: View, ask: Ask) -> bool:
        """Return whether the order handles the market: open offers to its owner are the owner's to answer."""
        mine = view.phase == "market" and view.me == view.active and self.turn in (0, view.turn)
        return mine and not any(isinstance(answer, Decline) for answer in ask.menu)


class Sow(OrderForThreeOrMore):
    """Phase 1 of one turn, decided in advance: which cards to plant from the front of the hand, and where."""

    says = "in turn {turn} plant {spots}"
    tells_hand = True
    about = Phrase(
        "Plants one or two cards from the front of your hand at the start of that turn, then turns up cards. “over 3 "
        "wax” harvests what’s growing there first. Ends if your hand or fields have changed by then."
    )
    turn: Number
    spots: Spots

    def describe(self, view: View | None = None) -> Phrase:
        when = name_turn(self.turn, own_turns_to(self.turn, view))
        return Phrase("{when}: plant {spots}", when=when, spots=describe_spots(self.spots))

    def respond(self, view: View, ask: Ask) -> Response:
        if view.turn > self.turn or (view.turn == self.turn and view.phase not in ("sowing", "turning up")):
            return DONE if view.turn == self.turn else Lapse(Phrase("turn {turn} is over", turn=self.turn))
        if view.turn < self.turn or view.me != view.active:
            return None
        if view.planted == len(self.spots) and Reveal() in ask.menu:
            return Reveal()
        spot = self.spots[view.planted] if view.planted < len(self.spots) else None
        if spot is None or spot.bean not in view.hand[:1]:
            return Lapse(Phrase("your hand has changed"))
        return plant_at_spot(spot, view, ask)


class PlantReceived(OrderForThreeOrMore):
    """Phase 3 of one turn, decided in advance: where to plant the cards received or kept."""

    says = "in turn {turn} plant received {spots}"
    about = Phrase(
        "Plants what you get or keep in that turn’s market, so no one has to wait. “over 3 wax” harvests what’s "
        "growing there first. You can name a bean twice; we use whichever fits your fields by then. If neither fits, "
        "the order ends."
    )
    turn: Number
    spots: Spots

    def describe(self, view: View | None = None) -> Phrase:
        is_now = view is not None and view.turn == self.turn  # cards of another player's market come in their turn
        when = name_turn(self.turn, 0 if is_now else own_turns_to(self.turn, view))
        return Phrase("{when}, plant what you get: {spots}", when=when, spots=describe_spots(self.spots))

    def respond(self, view: View, ask: Ask) -> Response:
        if view.turn > self.turn:
            return Lapse(Phrase("turn {turn} is over", turn=self.turn))
        if view.turn < self.turn or view.phase != "planting" or view.me is None:
            return None
        named = [spot for spot in self.spots if spot.bean in view.seats[view.me].aside]
        responses = [plant_at_spot(spot, view, ask) for spot in named]
        return next((found for found in responses if isinstance(found, Plant)), responses[0] if responses else None)


def has_nothing_to_answer(view: View, ask: Ask) -> bool:
    """Return whether the owner has said "no deal" in another's market, and no offer waits for them."""
    if view.phase != "market" or view.me is None or view.me == view.active:
        return False
    return view.seats[view.me].no_deal and not any(isinstance(answer, Decline) for answer in ask.menu)


def plant_at_spot(spot: Spot, view: View, ask: Ask) -> Response:
    known = view.me is not None and spot.is_unchanged(fields_of(view.seats[view.me]))
    if not known or spot.planting not in ask.menu:
        return Lapse(Phrase("your fields have changed"))
    return spot.planting
