"""The duel: Bohnanza for two, without trading. Each player must plant or discard the cards the other left."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from games.bohnanza import fields
from games.bohnanza.actions import Discard, Go, Plant, bean_of, is_face_up
from games.bohnanza.beans import SETTINGS
from games.bohnanza.pile import draw_cards, nothing_left, runs_out_for_good
from games.bohnanza.state import Beans, Duel, Farmer, Finished, Layout, Offered, Picking, Tending
from games.bohnanza.trading import find_places
from games.contract.asks import Ask
from games.contract.cards import without
from games.contract.errors import Illegal
from games.contract.notation import Action

SETTING = SETTINGS[fields.DUEL]
MAX_PLANTED = 2  # cards from the hand in one turn


def start_turn(layout: Layout, offer: Beans = ()) -> Duel | Finished:
    if nothing_left(layout, offer):
        return finish(layout)
    return Offered(layout, offer) if offer else Tending(layout)


def play(state: Duel, action: Action) -> Duel | Finished:
    match state, action:
        case Offered(), Plant():
            return answer_offer(state, plant(state.layout, action), action.bean)
        case Offered(), Discard():
            layout = replace(state.layout, discard=(*state.layout.discard, action.card))
            return answer_offer(state, layout, action.card)
        case Tending(), Plant():
            layout = fields.replace_hand(state.layout, active_farmer(state.layout).hand[1:])
            return Tending(plant(layout, action), state.planted + 1)
        case Tending(), Discard():
            return reveal(discard(state.layout, action.card))
        case Tending(), Go():
            return reveal(state.layout)
        case Picking(), Plant():
            return Picking(plant(state.layout, action), without(state.up, (action.bean,)))
        case Picking(), Go():
            return leave_offer(state)
    raise Illegal("You can’t do “{line}” now.", line=str(action))


def answer_offer(state: Offered, layout: Layout, card: str) -> Duel:
    """End step 1 with the last offered card."""
    left = without(state.offer, (card,))
    return Offered(layout, left) if left else Tending(layout)


def plant(layout: Layout, action: Plant) -> Layout:
    return fields.plant(layout, layout.seat, action.bean, action.field)


def discard(layout: Layout, card: str) -> Layout:
    """Discard one card from anywhere in the hand, face up."""
    if is_face_up(card):
        raise Illegal("You can only discard cards from your hand.")
    hand = active_farmer(layout).hand
    [at] = find_places(hand, (card,))
    layout = fields.replace_hand(layout, hand[:at] + hand[at + 1 :])
    return replace(layout, discard=(*layout.discard, bean_of(card)))


def reveal(layout: Layout) -> Picking:
    """Turn up three cards, and add the top of the discard pile while it matches one of the three."""
    drawn, _, layout = draw_cards(layout, SETTING.turned_up)
    kept = len(layout.discard)
    while kept and layout.discard[kept - 1] in drawn:
        kept -= 1
    matched = layout.discard[kept:][::-1]
    return Picking(replace(layout, discard=layout.discard[:kept]), drawn + matched)


def leave_offer(state: Picking) -> Duel | Finished:
    """Leave the other cards to the opponent and draw two, unless the pile has run out."""
    if runs_out_for_good(state.layout):
        return finish(state.layout, lost=state.up)
    drawn, _, layout = draw_cards(state.layout, SETTING.drawn)
    layout = fields.replace_hand(layout, active_farmer(layout).hand + drawn)
    if runs_out_for_good(layout):
        return finish(layout, lost=state.up)
    return start_turn(replace(layout, turn=layout.turn + 1, seat=1 - layout.seat), state.up)


def finish(layout: Layout, lost: Beans = ()) -> Finished:
    return Finished(fields.harvest_all(layout), lost)


def active_farmer(layout: Layout) -> Farmer:
    return layout.farmers[layout.seat]


# ── what can be said ─────────────────────────────────────────────────────────────────────────────


def ask(state: Duel) -> Ask:
    layout, farmer = state.layout, active_farmer(state.layout)
    always = fields.list_sales_and_purchase(layout, layout.seat)
    match state:
        case Offered(_, offer):
            menu = [*fields.list_plantings(farmer.fields, offer), *map(Discard, dict.fromkeys(offer)), *always]
            return make_ask(layout, f"offer, {len(offer)} left", menu, default_for_offered(farmer, offer[0]))
        case Tending() if must_plant_first_card(state):
            front = farmer.hand[0]
            default = Plant(front, fields.default_field(farmer.fields, front))
            return make_ask(layout, "first card", [*fields.list_plantings(farmer.fields, (front,)), *always], default)
        case Tending():
            return ask_for_more(state, always)
        case Picking(_, up):
            menu = [*fields.list_plantings(farmer.fields, up), Go(), *always]
            return make_ask(layout, f"face up, {len(up)} left", menu, Go())


def must_plant_first_card(state: Tending) -> bool:
    """Return whether the first card must be planted; with an empty hand, none is."""
    return not state.planted and bool(active_farmer(state.layout).hand)


def ask_for_more(state: Tending, always: tuple[Action, ...]) -> Ask:
    """Ask about a second card to plant and at most one to discard."""
    farmer = active_farmer(state.layout)
    again = farmer.hand[:1] if state.planted < MAX_PLANTED else ()
    menu = [*fields.list_plantings(farmer.fields, again), *list_discards(farmer.hand), Go(), *always]
    about = "second card" if state.planted < MAX_PLANTED else "discard"
    ask = make_ask(state.layout, about, menu, Go())
    return replace(ask, free=(Discard,)) if farmer.hand else ask


def make_ask(layout: Layout, about: str, menu: Iterable[Action], default: Action) -> Ask:
    return Ask(layout.seat, f"turn {layout.turn} {about}", menu=tuple(menu), default=default)


def default_for_offered(farmer: Farmer, card: str) -> Action:
    number = fields.field_without_harvest(farmer.fields, card)
    return Plant(card, number) if number else Discard(card)


def list_discards(hand: Beans) -> list[Action]:
    """Return each hand card once: the copy nearest the front without its place, the others with it."""
    return [Discard(card if card not in hand[: at - 1] else f"{card}@{at}") for at, card in enumerate(hand, start=1)]
