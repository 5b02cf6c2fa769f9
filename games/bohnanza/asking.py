"""The questions to each seat, the answers the house gives at once, and the reasons for refusals."""

from __future__ import annotations

from collections.abc import Iterable

from games.bohnanza import duel, fields, trading
from games.bohnanza.actions import (
    Accept,
    Buy,
    Decline,
    Done,
    Harvest,
    NoDeal,
    Offer,
    Plant,
    Reveal,
    Shuffle,
    Start,
    Withdraw,
)
from games.bohnanza.state import (
    Choosing,
    Deal,
    Dealing,
    Drawing,
    Farmer,
    Finished,
    Layout,
    Market,
    Offered,
    Picking,
    Planting,
    Sowing,
    State,
    Tending,
    TurningUp,
)
from games.contract.asks import Ask
from games.contract.cards import ask_first_player, without
from games.contract.errors import Illegal, RulesError
from games.contract.game import only_answer
from games.contract.notation import Action
from games.contract.seats import DEALER, Seat


def asks(state: State) -> tuple[Ask, ...]:
    match state:
        case Choosing():
            return (ask_first_player(Start, state.seats),)
        case Dealing():
            return (Ask(DEALER, "shuffle", free=(Shuffle,)),)
        case TurningUp() | Drawing():
            return (Ask(DEALER, f"shuffle after exhaustion {state.layout.exhaustions}", free=(Shuffle,)),)
        case Sowing():
            return ask_sower(state)
        case Market():
            offers = trading.list_open_offers(state)
            return tuple(ask_trader(state, seat, offers) for seat in range(len(state.places)))
        case Planting():
            return ask_planters(state)
        case Offered() | Tending() | Picking():
            return (duel.ask(state),)
        case Finished():
            return ()


def ask_sower(state: Sowing) -> tuple[Ask, ...]:
    layout, active = state.layout, state.layout.seat
    farmer = layout.farmers[active]
    reveal = [Reveal()] if state.planted else []
    menu = (
        *fields.list_plantings(farmer.fields, farmer.hand[:1]),
        *reveal,
        *fields.list_sales_and_purchase(layout, active),
    )
    about = f"turn {layout.turn} {'second' if state.planted else 'first'} card"
    default = Reveal() if state.planted else default_planting(farmer, farmer.hand[0])
    others = ask_others(layout, without(range(len(layout.farmers)), (active,)), "before the market")
    return (Ask(active, about, menu=menu, default=default), *others)


def ask_trader(state: Market, seat: Seat, offers: list[Deal]) -> Ask:
    """Ask a seat in the market. Everybody is asked, but only the active seat is waited for."""
    active = seat == state.layout.seat
    answers = [answer for deal in offers for answer in list_answers(deal, state, seat)]
    bargains = any(isinstance(answer, Accept) and state.offers[answer.offer - 1].wants for answer in answers)
    if active or seat not in state.no_deal:
        answers.append(Done() if active else NoDeal())
    return Ask(
        seat,
        about=f"turn {state.layout.turn} market",
        menu=(*answers, *fields.list_sales_and_purchase(state.layout, seat)),
        free=(Offer, Accept) if bargains else (Offer,),  # a seat that accepts may name the copies it gives
        default=Done() if active else None,
        through=active and all(trading.is_through(state, other, offers) for other in other_seats(state)),
    )


def other_seats(state: Market) -> list[Seat]:
    return [seat for seat in range(len(state.places)) if seat != state.layout.seat]


def list_answers(deal: Deal, state: Market, seat: Seat) -> list[Action]:
    """Return what a seat could say to an open offer."""
    if deal.by == seat:
        return [Withdraw(deal.number)]
    if seat not in trading.list_addressees(state, deal):
        return []
    return [Accept(deal.number)] * trading.can_pay(state, seat, deal) + [Decline(deal.number)]


def ask_planters(state: Planting) -> tuple[Ask, ...]:
    through = [seat for seat, cards in enumerate(state.aside) if not cards]
    planters = [ask_planter(state, seat) for seat, cards in enumerate(state.aside) if cards]
    return (*planters, *ask_others(state.layout, through, "after the market"))


def ask_planter(state: Planting, seat: Seat) -> Ask:
    farmer, cards = state.layout.farmers[seat], state.aside[seat]
    menu = (*fields.list_plantings(farmer.fields, cards), *fields.list_sales_and_purchase(state.layout, seat))
    about = f"turn {state.layout.turn} planting, {len(cards)} left"
    return Ask(seat, about, menu=menu, default=default_planting(farmer, cards[0]))


def ask_others(layout: Layout, seats: Iterable[Seat], when: str) -> list[Ask]:
    """Ask seats that have nothing to plant: they may harvest and buy at any time, and nobody waits for them."""
    about = f"turn {layout.turn} {when}"
    menus = [(seat, fields.list_sales_and_purchase(layout, seat)) for seat in seats]
    return [Ask(seat, about, menu=menu) for seat, menu in menus if menu]


def default_planting(farmer: Farmer, bean: str) -> Plant:
    return fields.make_planting(bean, fields.default_field(farmer.fields, bean))


def forced(state: State, ask: Ask) -> Action | None:
    """Let the house plant all set-aside cards of a seat, in the order received, if they fit without a harvest."""
    if isinstance(state, Planting) and ask.default is not None and ask.seat not in state.choosers:
        return ask.default
    return only_answer(state, ask)


# ── why an answer is refused ─────────────────────────────────────────────────────────────────────


def why_not(state: State, ask: Ask, action: Action) -> RulesError | None:
    """Return a reason the player can act on. Only the asked seat reads it, so it may name cards of the hand."""
    match state, action:
        case ((Choosing() | Dealing() | TurningUp() | Drawing() | Finished()), _):
            return None
        case _, Harvest(field):
            return why_no_harvest(state.layout.farmers[ask.seat], field)
        case _, Buy():
            return why_no_purchase(state.layout, ask.seat)
        case _, Plant(bean, field):
            return why_no_planting(state, ask, bean, field)
        case Market(), (Accept() | Decline() | Withdraw()):
            return find_refusal(state, ask.seat, action)
        case Market(), NoDeal() if ask.seat in state.no_deal:
            return Illegal("You’ve already said “no deal”. You can still accept offers or make one.")
        case Market(), Done():
            return Illegal("Only the player whose turn it is can close the market.")
        case Sowing(), Reveal() if ask.seat == state.layout.seat:
            return Illegal("Plant the front card of your hand first.")
    return None


def find_refusal(state: Market, seat: Seat, action: Action) -> RulesError | None:
    try:
        trading.trade(state, seat, action)
    except RulesError as error:
        return error
    return None


def why_no_harvest(farmer: Farmer, number: int) -> RulesError:
    if not 1 <= number <= len(farmer.fields):
        return Illegal("You don’t have a field {number}.", number=number)
    if not farmer.fields[number - 1].count:
        return Illegal("Field {number} is empty.", number=number)
    return Illegal("You can harvest a single bean only when every one of your fields holds exactly one.")


def why_no_purchase(layout: Layout, seat: Seat) -> RulesError:
    cost = fields.third_field_price(layout, seat)
    if cost is None:
        return Illegal("You already have all the fields you can have.")
    return Illegal("A third field costs {price} coins, and you have {coins}.",
                   price=cost, coins=len(layout.farmers[seat].coins))  # fmt: skip


def why_no_planting(state: State, ask: Ask, bean: str, number: int) -> RulesError | None:
    """Return why this bean cannot be planted there, if some bean can be planted now."""
    beans = [answer.bean for answer in ask.menu if isinstance(answer, Plant)]
    if not beans or isinstance(state, (Choosing, Dealing, Finished)):
        return None
    if bean not in beans:
        return Illegal("You can plant: {beans}.", beans=tuple(dict.fromkeys(beans)))
    plots = state.layout.farmers[ask.seat].fields
    if not 1 <= number <= len(plots):
        return Illegal("You don’t have a field {number}.", number=number)
    if home := fields.find_matching_field(plots, bean):
        return Illegal("“{bean}” is already growing in field {number}, so it has to go there.", bean=bean, number=home)
    return Illegal("You can harvest a single bean only when every one of your fields holds exactly one.")
