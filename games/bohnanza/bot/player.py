"""A steady player of Bohnanza. It sees only a view and a question."""

from __future__ import annotations

from games.bohnanza.actions import Buy, Discard, Go, Harvest, Plant, Reveal, bean
from games.bohnanza.bot.haggling import haggle, likes
from games.bohnanza.prospects import fields_of, gain, ripe
from games.bohnanza.view import View
from games.contract.asks import Ask
from games.contract.notation import Action
from games.contract.seats import Seat

WORTHWHILE = 0.05  # what an optional planting must bring
NUISANCE = -0.2  # a card worth less than this had better leave the hand
EARLY = 1  # after this many exhaustions a third field no longer pays for itself


def choose(view: View, ask: Ask) -> Action | None:
    """Answer a question. When nobody waits for it, the bot speaks only in the market."""
    if view.me is None:
        return ask.default
    if view.phase == "market":
        return haggle(view, view.me, ask)
    if ask.default is None:
        return None
    if number := ripe(fields_of(view.seats[view.me])):
        return Harvest(number)
    return plant_or_go_on(view, view.me, ask)


def plant_or_go_on(view: View, me: Seat, ask: Ask) -> Action:
    """Return the planting that brings most, unless there is a better answer."""
    fields = fields_of(view.seats[me])
    plantings = {answer: gain(fields, answer.bean, answer.field) for answer in ask.menu if isinstance(answer, Plant)}
    best = max(plantings, key=lambda answer: plantings[answer], default=None)
    if best and plantings[best] > WORTHWHILE:
        return best
    if Buy() in ask.menu and best and plantings[best] < 0 and view.exhaustions < EARLY:
        return Buy()
    return instead_of_planting(view, me, ask) or best or ask.menu[0]


def instead_of_planting(view: View, me: Seat, ask: Ask) -> Action | None:
    """Turn up cards, discard a nuisance, or go on."""
    if Reveal() in ask.menu:
        return Reveal()
    discards = [answer for answer in ask.menu if isinstance(answer, Discard)]
    worst = min(discards, key=lambda answer: likes(view, me, bean(answer.card)), default=None)
    if worst and (view.phase == "offered" or likes(view, me, bean(worst.card)) < NUISANCE):
        return worst
    return Go() if Go() in ask.menu else None
