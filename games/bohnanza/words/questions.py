"""The questions of Bohnanza, and the labels of ready answers."""

from __future__ import annotations

from collections.abc import Hashable

from games.bohnanza.actions import (
    Accept,
    Buy,
    Decline,
    Discard,
    Done,
    Go,
    Harvest,
    NoDeal,
    Offer,
    Plant,
    Reveal,
    Withdraw,
    bean_of,
    place_of,
)
from games.bohnanza.names import name_beans, name_cards, name_coins
from games.bohnanza.view import Plot, Proposal, View
from games.bohnanza.words.offers import label_offer
from games.contract.asks import Ask
from games.contract.game import Costly, Ruinous
from games.contract.notation import Action
from games.contract.phrases import Phrase, Who


def question(view: View, ask: Ask) -> Phrase:
    match view.phase:
        case "market" if ask.through:
            return Phrase(
                "No one else has to answer. Face up: {cards}. Trade or close the market.", cards=name_cards(view.up)
            )
        case "market" if view.me == view.active:
            return Phrase(
                "Your market is open. Face up: {cards}. Trade or close the market.", cards=name_cards(view.up)
            )
        case "market":
            return question_in_anothers_market(Who(view.active or 0), name_cards(view.up), NoDeal() in ask.menu)
        case _ if ask.default is None:
            return Phrase("You can harvest or buy a field. No one is waiting for you.")
        case "planting":
            return Phrase("Plant the cards you set aside: {cards}.", cards=name_cards(own_aside(view)))
        case "offered":
            return Phrase("Plant or discard the cards left to you: {cards}.", cards=name_cards(view.offer))
        case "picking" if not view.up:
            return Phrase("Everything is planted. Continue when you’re ready.")
        case "picking":
            return Phrase("Plant any of these: {cards}. Your opponent gets the rest.", cards=name_cards(view.up))
    return question_about_the_hand(view)


def opportunity(view: View, ask: Ask) -> Phrase:
    return Phrase("You can trade now") if Offer in ask.free else Phrase("You can harvest or buy now")


def question_in_anothers_market(who: Who, cards: Phrase, may_have_no_deal: bool) -> Phrase:
    """Ask a seat that is not active. One that has said "no deal" is not asked to say it again."""
    if may_have_no_deal:
        return Phrase("{who}’s market is open. Face up: {cards}. Make or answer an offer, or say “no deal”.",
                      who=who, cards=cards)  # fmt: skip
    return Phrase("{who}’s market is open. Face up: {cards}. You’ve said “no deal”, but you can still make or answer "
                  "offers.",
                  who=who, cards=cards)  # fmt: skip


def question_about_the_hand(view: View) -> Phrase:
    front = name_cards(view.hand[:1])
    match view.phase, view.planted:
        case "sowing", 0:
            return Phrase("Plant the front card of your hand: {cards}.", cards=front)
        case "sowing", _:
            return Phrase("Plant a second card, {cards}, or turn up the next cards.", cards=front)
        case _, 0 if view.hand:
            return Phrase("Plant the front card of your hand: {cards}.", cards=front)
        case _, 1 if view.hand:
            return Phrase("Plant a second card, {cards}, discard any card, or continue.", cards=front)
    return (
        Phrase("Discard any card from your hand, or continue.")
        if view.hand
        else Phrase("Your hand is empty. Continue when you’re ready.")
    )


def own_aside(view: View) -> tuple[str, ...]:
    return () if view.me is None else view.seats[view.me].aside


def label(view: View, action: Action) -> Phrase:
    match action:
        case Plant():
            return label_planting(view, action)
        case Harvest(number):
            plot = own_field(view, number)
            if not plot.pays:
                return Phrase("Harvest field {number} for nothing: lose {beans}", number=number, beans=name_crop(plot))
            return Phrase("Harvest field {number}: {beans} for {coins}",
                          number=number, beans=name_crop(plot), coins=name_coins(plot.pays))  # fmt: skip
        case Buy():
            return Phrase("Buy a third field for {coins}", coins=name_coins(view.third_field or 0))
        case Accept() | Decline() | Withdraw():
            return label_answer(view.offers[action.offer - 1], action)
        case Discard(card):
            return label_discard(name_beans(bean_of(card), 1), place_of(card))
        case Offer(gives, wants, to):
            return label_offer(gives, wants, to)
    return label_end_of_step(view, action)


def label_planting(view: View, action: Plant) -> Phrase:
    plot, planted = own_field(view, action.field), name_beans(action.bean, 1)
    if plot.bean in (None, action.bean):
        return Phrase("Plant {beans} in field {number}", beans=planted, number=action.field)
    if not plot.pays:
        return Phrase("Plant {beans} in field {number}: lose {crop}",
                      beans=planted, number=action.field, crop=name_crop(plot))  # fmt: skip
    return Phrase("Harvest {crop} for {coins} and plant {beans} in field {number}",
                  crop=name_crop(plot), coins=name_coins(plot.pays), beans=planted, number=action.field)  # fmt: skip


def label_answer(offer: Proposal, action: Action) -> Phrase:
    gives, wants, who = name_cards(offer.gives), name_cards(offer.wants), Who(offer.by)
    match action:
        case Accept(number):
            return Phrase("Accept {who}’s offer {number}: get {gives} for {wants}",
                          number=number, who=who, gives=gives, wants=wants)  # fmt: skip
        case Decline(number):
            return Phrase("Decline {who}’s offer {number}: {gives} for {wants}",
                          number=number, who=who, gives=gives, wants=wants)  # fmt: skip
    return Phrase("Withdraw offer {number}: {gives} for {wants}", number=offer.number, gives=gives, wants=wants)


def label_discard(card: Phrase, number: int | None) -> Phrase:
    if number is None:
        return Phrase("Discard {beans}", beans=card)
    return Phrase("Discard {beans} (card {place} of your hand)", beans=card, place=number)


def label_end_of_step(view: View, action: Action) -> Phrase:
    match action:
        case Reveal():
            return Phrase("Stop planting and turn up cards")
        case NoDeal():
            return Phrase("No deal")
        case Done():
            return Phrase("Close the market")
        case Go() if view.phase == "tending":
            return Phrase("Discard nothing")
        case Go() if view.up:
            return Phrase("Leave {cards} to your opponent", cards=name_cards(view.up))
    return Phrase("Continue")


def find_danger(view: View, action: Action) -> Costly | None:
    """Return a warning of an answer that gives cards away for nothing: a harvest that pays no coin, or a discard."""
    match action:
        case Discard(card):
            return Costly(Phrase("You get nothing for {beans}.", beans=name_beans(bean_of(card), 1)))
        case Harvest(number) if not (plot := own_field(view, number)).pays:
            return Ruinous(warn_of_harvest(plot), heading=Phrase("Harvests that pay nothing"))
        case Plant(planted, number) if (plot := own_field(view, number)).bean not in (None, planted) and not plot.pays:
            return Costly(warn_of_harvest(plot))
    return None


def warn_of_harvest(plot: Plot) -> Phrase:
    """Say what a worthless field loses, and how far it is from its next coin."""
    if plot.next_at is None:
        return Phrase("You get nothing for {beans}.", beans=name_crop(plot))
    return Phrase("You get nothing for {beans}. At {count} cards this field pays {coins}.",
                  beans=name_crop(plot), count=plot.next_at, coins=name_coins(plot.next_pays or 0))  # fmt: skip


def group_key(view: View, action: Action) -> Hashable | None:
    """Return the same key for answers that lead to the same: one empty field or another, a harvest or its planting."""
    match action:
        case Plant(bean, number) if own_field(view, number).bean is None:
            return "empty", bean
        case Harvest(number) | Plant(field=number) if is_harvested_for_next_bean(view, number):
            return "over", number
    return None


def is_harvested_for_next_bean(view: View, number: int) -> bool:
    """Return whether only one bean can follow this harvest: all fields grow others, and the coins buy no new field."""
    me = view.seats[view.me or 0]
    is_first = view.phase in ("sowing", "tending") and not view.planted
    due = view.hand[:1] if is_first else me.aside if view.phase == "planting" else ()
    price, coins = view.third_field, me.coins + own_field(view, number).pays
    can_buy = price is not None and len(me.fields) == 2 and coins >= price
    return len(set(due)) == 1 and all(plot.bean not in (None, *due) for plot in me.fields) and not can_buy


def own_field(view: View, number: int) -> Plot:
    return view.seats[view.me or 0].fields[number - 1]


def name_crop(plot: Plot) -> Phrase:
    return name_beans(plot.bean or "", plot.count)


def otherwise(view: View, ask: Ask) -> Phrase:
    match ask.default:
        case None:
            return Phrase("nothing happens: no one is waiting for you")
        case Plant():
            return otherwise_plant(view, ask, ask.default)
        case Reveal():
            return Phrase("we turn up cards for you without planting a second one")
        case Done():
            return Phrase("we close your market")
        case Discard(card):
            return Phrase("we discard {beans} for you, because no field is free for it", beans=name_beans(card, 1))
        case Go() if view.phase == "tending":
            return Phrase("we continue without discarding anything")
        case Go() if not view.up:
            return Phrase("we continue for you")
    return Phrase("we leave your opponent the face-up cards")


def otherwise_plant(view: View, ask: Ask, default: Plant) -> Phrase:
    plot, planted = own_field(view, default.field), name_beans(default.bean, 1)
    match plot.bean:
        case default.bean:
            return Phrase("we plant {beans} in field {number}, where the same bean is growing",
                          beans=planted, number=default.field)  # fmt: skip
        case None:
            return Phrase("we plant {beans} in field {number}, your first empty field",
                          beans=planted, number=default.field)  # fmt: skip
    others = [answer for answer in ask.menu if isinstance(answer, Plant) and answer.bean == default.bean]
    why = Phrase("because no other harvest pays more") if len(others) > 1 else Phrase("the only field you may harvest")
    return Phrase("we harvest {crop} for {coins} and plant {beans} in field {number}, {why}",
                  crop=name_crop(plot), coins=name_coins(plot.pays), beans=planted, number=default.field,
                  why=why)  # fmt: skip
