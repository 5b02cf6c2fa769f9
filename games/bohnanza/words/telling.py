"""Describe the lines of Bohnanza to one reader. Each text appears here once, in English, with gaps to fill."""

from __future__ import annotations

from games.bohnanza.actions import (
    Accept,
    Buy,
    Decline,
    Discard,
    Done,
    Harvest,
    NoDeal,
    Offer,
    Plant,
    Reveal,
    Shuffle,
    Start,
    Withdraw,
    bean_of,
)
from games.bohnanza.fields import field_worth, third_field_price
from games.bohnanza.names import name_beans, name_cards, name_coins
from games.bohnanza.pile import runs_out_for_good
from games.bohnanza.state import (
    Choosing,
    Deal,
    Dealing,
    Field,
    Finished,
    Layout,
    Market,
    Picking,
    Planting,
    State,
    Tending,
)
from games.bohnanza.trading import find_fate
from games.bohnanza.view import Proposal
from games.contract.asks import Step
from games.contract.phrases import Phrase, Plural, Who
from games.contract.seats import Seat


def tell(step: Step[State], now: State, reader: Seat | None) -> tuple[Phrase, ...]:
    """Return the sentences that tell one reader what happened in a step."""
    match step.before, step.action, step.after:
        case _, Start(seat), _:
            return (Phrase("You go first.") if seat == reader else Phrase("{who} goes first.", who=Who(seat)),)
        case Dealing(), Shuffle(), _:
            return (Phrase("The cards have been dealt."),)
        case ((Choosing() | Dealing() | Finished()), _, _):
            return ()
        case Market(), Offer(), Market(offers=(*_, deal)):
            return (describe_offer(deal, reader), *describe_thread(deal))
        case Market() as market, (Accept(number) | Decline(number) | Withdraw(number)), _:
            return (
                describe_answer(step, market.offers[number - 1], reader),
                *describe_lapses(market, step.after, reader),
            )
        case before, _, after:
            return (
                *describe_line(step, before.layout, reader),
                *describe_consequences(step, before.layout, after, reader),
            )


def describe_line(step: Step[State], layout: Layout, reader: Seat | None) -> tuple[Phrase, ...]:
    """Describe a line that is neither an offer nor an answer to one."""
    seat, mine, who = step.seat, step.seat == reader, Who(step.seat)
    match step.action:
        case Shuffle():
            return (Phrase("The discard pile was shuffled into a new draw pile."),)
        case Plant(bean, number):
            return describe_planting(seat, bean, number, layout.farmers[seat].fields[number - 1], mine)
        case Harvest(number):
            return (describe_harvest(seat, number, layout.farmers[seat].fields[number - 1], mine),)
        case Buy():
            return (describe_purchase(seat, name_coins(third_field_price(layout, seat) or 0), mine),)
        case Discard(card):
            return (describe_discard(seat, card, mine),)
        case NoDeal():
            return (Phrase("You said “no deal”.") if mine else Phrase("{who} said “no deal”.", who=who),)
        case Done():
            return (Phrase("You closed the market.") if mine else Phrase("{who} closed the market.", who=who),)
    return (describe_end_of_step(step, mine),)


def tell_forced(step: Step[State], reader: Seat | None) -> Phrase | None:
    """Return where the house planted a card of a trade, if it fitted without a harvest."""
    match step.before, step.action:
        case Planting(), Plant(bean, number) if step.seat == reader:
            return Phrase("We planted {beans} in field {number} for you, where there was room.",
                          beans=name_beans(bean, 1), number=number)  # fmt: skip
        case Planting(), Plant(bean, number):
            return Phrase("We planted {beans} in field {number} for {who}, where there was room.",
                          beans=name_beans(bean, 1), number=number, who=Who(step.seat))  # fmt: skip
    return None


# ── in the fields ────────────────────────────────────────────────────────────────────────────────


def describe_planting(seat: Seat, bean: str, number: int, field: Field, mine: bool) -> tuple[Phrase, ...]:
    if field.bean not in (None, bean):
        return (describe_harvest(seat, number, field, mine), *describe_planting(seat, bean, number, Field(), mine))
    if mine:
        return (Phrase("You planted {beans} in field {number}.", beans=name_beans(bean, 1), number=number),)
    return (
        Phrase("{who} planted {beans} in field {number}.", who=Who(seat), beans=name_beans(bean, 1), number=number),
    )


def describe_harvest(seat: Seat, number: int, field: Field, mine: bool) -> Phrase:
    crop, gain = name_beans(field.bean or "", field.count), name_coins(field_worth(field))
    if mine:
        return Phrase(
            "You harvested {beans} from field {number} and got {coins}.", beans=crop, number=number, coins=gain
        )
    return Phrase("{who} harvested {beans} from field {number} and got {coins}.",
                  who=Who(seat), beans=crop, number=number, coins=gain)  # fmt: skip


def describe_purchase(seat: Seat, cost: Phrase, mine: bool) -> Phrase:
    if mine:
        return Phrase("You bought a third field for {coins}.", coins=cost)
    return Phrase("{who} bought a third field for {coins}.", who=Who(seat), coins=cost)


def describe_discard(seat: Seat, card: str, mine: bool) -> Phrase:
    if mine:
        return Phrase("You discarded {beans}.", beans=name_beans(bean_of(card), 1))
    return Phrase("{who} discarded {beans}.", who=Who(seat), beans=name_beans(bean_of(card), 1))


def describe_end_of_step(step: Step[State], mine: bool) -> Phrase:
    who = Who(step.seat)
    match step.before, step.action:
        case _, Reveal():
            return (
                Phrase("You didn’t plant a second card.")
                if mine
                else Phrase("{who} didn’t plant a second card.", who=who)
            )
        case Picking(up=up), _ if mine:
            return Phrase("You left {cards}.", cards=name_cards(up))
        case Picking(up=up), _:
            return Phrase("{who} left {cards}.", who=who, cards=name_cards(up))
    return Phrase("You discarded nothing.") if mine else Phrase("{who} discarded nothing.", who=who)


# ── in the market ────────────────────────────────────────────────────────────────────────────────


def describe_offer(deal: Deal | Proposal, reader: Seat | None) -> Phrase:
    number, who, gives, wants = deal.number, Who(deal.by), name_cards(deal.gives), name_cards(deal.wants)
    if deal.to is None and deal.by == reader:
        return Phrase(
            "Offer {number}: you offered everyone {gives} for {wants}.", number=number, gives=gives, wants=wants
        )
    if deal.to is None:
        return Phrase("Offer {number}: {who} offered everyone {gives} for {wants}.",
                      number=number, who=who, gives=gives, wants=wants)  # fmt: skip
    if deal.by == reader:
        return Phrase("Offer {number}: you offered {whom} {gives} for {wants}.",
                      number=number, whom=Who(deal.to), gives=gives, wants=wants)  # fmt: skip
    if deal.to == reader:
        return Phrase("Offer {number}: {who} offered you {gives} for {wants}.",
                      number=number, who=who, gives=gives, wants=wants)  # fmt: skip
    return Phrase("Offer {number}: {who} offered {whom} {gives} for {wants}.",
                  number=number, who=who, whom=Who(deal.to), gives=gives, wants=wants)  # fmt: skip


def describe_thread(deal: Deal | Proposal) -> tuple[Phrase, ...]:
    return () if deal.answers is None else (Phrase("It’s a reply to offer {number}.", number=deal.answers),)


def describe_lapses(before: Market, after: State, reader: Seat | None) -> list[Phrase]:
    """Describe which offers of the reader have lapsed because a deal took the cards."""
    own = [deal for deal in before.offers if deal.by == reader and find_fate(before, deal) == "open"]
    return [
        Phrase("Your offer {number} is off: its cards are gone.", number=deal.number)
        for deal in own
        if isinstance(after, Market) and find_fate(after, after.offers[deal.number - 1]) == "lapsed"
    ]


def describe_answer(step: Step[State], deal: Deal, reader: Seat | None) -> Phrase:
    number, mine, who = deal.number, step.seat == reader, Who(step.seat)
    match step.action:
        case Accept():
            return describe_deal(deal, step.seat, reader)
        case Decline():
            return (Phrase("You declined offer {number}.", number=number) if mine
                    else Phrase("{who} declined offer {number}.", who=who, number=number))  # fmt: skip
    return (Phrase("You withdrew offer {number}.", number=number) if mine
            else Phrase("{who} withdrew offer {number}.", who=who, number=number))  # fmt: skip


def describe_deal(deal: Deal, seat: Seat, reader: Seat | None) -> Phrase:
    number, gives, wants = deal.number, name_cards(deal.gives), name_cards(deal.wants)
    if seat == reader:
        return Phrase("You accepted offer {number}: you got {gives} from {whom} for {wants}.",
                      number=number, gives=gives, whom=Who(deal.by), wants=wants)  # fmt: skip
    if deal.by == reader:
        return Phrase("{who} accepted your offer {number}: you got {wants} for {gives}.",
                      who=Who(seat), number=number, wants=wants, gives=gives)  # fmt: skip
    return Phrase("{who} accepted offer {number} and got {gives} from {whom} for {wants}.",
                  who=Who(seat), number=number, gives=gives, whom=Who(deal.by), wants=wants)  # fmt: skip


# ── consequences ─────────────────────────────────────────────────────────────────────────────────


def describe_consequences(step: Step[State], before: Layout, after: State, reader: Seat | None) -> list[Phrase]:
    if isinstance(after, (Choosing, Dealing)):
        return []
    sentences = describe_draw(before, after.layout, reader)
    if after.layout.exhaustions > before.exhaustions:
        sentences.append(describe_exhaustion(after.layout))
    match step.before, after:
        case Market(), Market():
            pass
        case _, Market(layout, up):
            sentences.append(describe_turning_up(layout.seat, name_cards(up), layout.seat == reader))
        case Tending(), Picking(layout, up):
            drawn = len(before.pile) - len(layout.pile)
            sentences.append(describe_turning_up(layout.seat, name_cards(up[:drawn]), layout.seat == reader))
            sentences += [Phrase("The discard pile added {cards}.", cards=name_cards(up[drawn:]))] if up[drawn:] else []
        case _, Finished():
            sentences.append(Phrase("The game is over, and all fields have been harvested."))
    return sentences


def describe_draw(before: Layout, after: Layout, reader: Seat | None) -> list[Phrase]:
    """Describe the cards drawn, which are at the back of the active hand."""
    seat = before.seat
    drawn = after.farmers[seat].hand[len(before.farmers[seat].hand) :]
    if not drawn:
        return []
    if seat == reader:
        return [Phrase("You drew {cards}.", cards=name_cards(drawn))]
    return [Plural("{who} drew a card.", "{who} drew {count} cards.", count=len(drawn), who=Who(seat))]


def describe_exhaustion(layout: Layout) -> Phrase:
    if runs_out_for_good(layout):
        return Phrase("The draw pile has run out for the last time.")
    if layout.exhaustions == 1:
        return Phrase("The draw pile has run out once.")
    return Phrase("The draw pile has run out twice.")  # a third time is always the last


def describe_turning_up(seat: Seat, cards: Phrase, mine: bool) -> Phrase:
    if mine:
        return Phrase("You turned up {cards}.", cards=cards)
    return Phrase("{who} turned up {cards}.", who=Who(seat), cards=cards)
