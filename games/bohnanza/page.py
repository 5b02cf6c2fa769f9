"""Functions that Bohnanza's templates call, and the form in which players compose an offer."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import NamedTuple

from games.bohnanza import names
from games.bohnanza.actions import Offer, bean_of, hand_cards, is_face_up
from games.bohnanza.beans import BOX, METERS
from games.bohnanza.state import State
from games.bohnanza.view import Proposal, View, view
from games.bohnanza.words.telling import describe_offer, describe_thread
from games.contract.asks import Step
from games.contract.composer import Composer, Count, Field, Ticks, Values
from games.contract.look import DEFAULT_PIECES, Look, draw_by_name
from games.contract.notation import SEAT
from games.contract.phrases import Phrase, Term
from games.contract.seats import Seat, seat_label

MAX_WANTED = 9  # of one bean; players who want more can type the line
EVERYONE = "all"
STYLESHEET = Path(__file__).parent / "static/games/bohnanza/table.css"
NAMES = {
    "coffee": Term("bean", "Coffee"),
    "wax": Term("bean", "Wax"),
    "blue": Term("bean", "Blue"),
    "chili": Term("bean", "Chili"),
    "stink": Term("bean", "Stink"),
    "green": Term("bean", "Green"),
    "soy": Term("bean", "Soy"),
    "eye": Term("bean", "Black-eyed"),
    "red": Term("bean", "Red"),
    "garden": Term("bean", "Garden"),
    "cocoa": Term("bean", "Cocoa"),
}


# ── what templates call ──


def bean_name(bean: str) -> Phrase:
    """Return a bean's name as printed on its card.

    >>> str(bean_name("eye"))
    'Black-eyed'
    """
    return NAMES[bean]


@cache
def bean_colours() -> str:
    """Return the rules of the pages' stylesheet that give each bean its colour: letters use the same."""
    return "\n".join(line for line in STYLESHEET.read_text().splitlines() if line.startswith(".seed-"))


class Kind(NamedTuple):
    """A kind of bean: its number of cards, and how many of them pay one, two, three and four coins."""

    bean: str
    cards: int
    needed: list[int | None]


def list_kinds() -> list[Kind]:
    """Return all kinds of beans in the box.

    >>> list_kinds()[-2]
    Kind(bean='garden', cards=6, needed=[None, 2, 3, None])
    """
    pay = {bean: {coins: cards for cards, coins in meter} for bean, meter in METERS.items()}
    return [Kind(bean, BOX["beans"][bean]["cards"], [pay[bean].get(coins) for coins in range(1, 5)]) for bean in pay]


def tap_group(phase: str, phases: str) -> str:
    """Return the group of tappable pieces for beans that can be planted in the given phases only.

    >>> tap_group("sowing", "sowing tending"), tap_group("market", "sowing tending")
    ('hand', '')
    """
    return "hand" if phase in phases else ""


def list_cards(cards: Sequence[str]) -> Phrase:
    """Return cards as named in a sentence.

    >>> str(list_cards(("red", "*soy", "red")))
    '2 red beans and a soy bean (face up)'
    """
    return names.name_cards(tuple(cards))


def describe_proposal(offer: Proposal, reader: Seat | None) -> tuple[Phrase, ...]:
    """Describe an offer: who offers what to whom, its number, and the number of the offer it answers."""
    return (describe_offer(offer, reader), *describe_thread(offer))


def note_key(step: Step[State]) -> tuple[int, int] | None:
    """Return the turn and number of the offer that a note goes with."""
    if not isinstance(step.action, Offer):
        return None
    after = view(step.after, None)
    return after.turn, len(after.offers)


# ── composing an offer ──


def offer_fields(view: View, names: Sequence[str], line: str, draft: str) -> tuple[Field, ...]:
    """Return cards of the hand and face-up ones to give, beans to want, and one player or several to offer to."""
    is_active = view.me == view.active
    hand = [(f"{bean}@{place}", label_hand_card(bean, place)) for place, bean in enumerate(view.hand, 1)]
    face_up = [(f"*{bean}", Phrase("{bean}, face up", bean=bean_name(bean))) for bean in view.up]
    own, wanted = (face_up + hand, []) if is_active else (hand, face_up)
    others = list_partners(view, names)
    answered = next((offer for offer in view.offers if str(offer.number) == draft and may_counter(offer, view)), None)
    counts = Counter(hand_cards(answered.gives)) if answered else Counter[str]()
    to_whom = Phrase("Who to (each gets the same offer)") if is_active else Phrase("Who to")
    return (
        Ticks("gives", Phrase("You give"), own, match_own_cards(view.hand, answered.wants) if answered else ()),
        Ticks("up", Phrase("Face-up cards you want"), wanted,
              [card for card in answered.gives if is_face_up(card)] if answered else ()),
        *(Count(f"want_{bean}", bean_name(bean), MAX_WANTED, counts.get(bean)) for bean in view.beans),
        Ticks("to", to_whom, others, [seat_label(answered.by) if answered else others[0][0]], required=True),
    )  # fmt: skip


def may_counter(offer: Proposal, view: View) -> bool:
    """Return whether this seat may counter an offer."""
    return offer.by != view.me and offer.to in (None, view.me)


def list_partners(view: View, names: Sequence[str]) -> list[tuple[str, Phrase | str]]:
    """Return the possible partners: the active player, who alone may also offer to all."""
    if view.me != view.active:
        assert view.active is not None
        return [(seat_label(view.active), names[view.active])]
    others = [(seat_label(seat.seat), names[seat.seat]) for seat in view.seats if seat.seat != view.me]
    return [(EVERYONE, Phrase("everyone: first to accept gets it")), *others]


def match_own_cards(hand: tuple[str, ...], wanted: tuple[str, ...]) -> list[str]:
    """Return the wanted cards the player holds: face-up cards as they are, hand cards nearest the front."""
    ticked = [card for card in wanted if is_face_up(card)]
    for card in hand_cards(wanted):
        places = (f"{bean}@{place}" for place, bean in enumerate(hand, 1) if bean == card)
        ticked += [place for place in places if place not in ticked][:1]
    return ticked


def label_hand_card(bean: str, place: int) -> Phrase:
    """Name a card of the hand; “2 Stink” would be read as two of them."""
    return Phrase("{bean}, card {place}", bean=bean_name(bean), place=place)


def offer_lines(view: View, values: Values) -> tuple[str, ...]:
    wants = [bean for bean in view.beans for _nth in range(values[f"want_{bean}"] or 0)]
    seats = [None if to == EVERYONE else SEAT.read(to) for to in values["to"]]
    return tuple(str(Offer(tuple(values["gives"]), (*values["up"], *wants), seat)) for seat in seats)


OFFER = Composer(
    Offer, "games/bohnanza/offer.html", offer_fields, offer_lines, label=Phrase("Make an offer"), takes_note=True
)
LOOK = Look(
    functions={
        "bean_colours": bean_colours,
        "bean_name": bean_name,
        "bean_of": bean_of,
        "list_cards": list_cards,
        "list_kinds": list_kinds,
        "describe_proposal": describe_proposal,
        "tap_group": tap_group,
    },
    drawings=draw_by_name(NAMES),
    pieces={**DEFAULT_PIECES, "bean": "hand"},
)
