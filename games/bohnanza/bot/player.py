"""A steady player of Bohnanza. It sees only a view and a question."""

from __future__ import annotations

from games.bohnanza.actions import Buy, Discard, Go, Harvest, Plant, Reveal, bean_of
from games.bohnanza.bot.haggling import estimate_value, haggle
from games.bohnanza.prospects import estimate_gain, fields_of, find_ripe_field
from games.bohnanza.view import View
from games.contract.asks import Ask
from games.contract.notation import Action
from games.contract.seats import Seat

MIN_GAIN = 0.05  # what an optional planting must bring
NUISANCE_VALUE = -0.2  # a card worth less than this had better leave the hand
LATE_EXHAUSTIONS = 1  # after this many exhaustions a third field no longer pays for itself


def choose(view: View, ask: Ask) -> Action | None:
    """Answer a question. When nobody waits for it, the bot speaks only in the market."""
    if view.me is None:
        return ask.default
    if view.phase == "market":
        return haggle(view, view.me, ask)
    if ask.default is None:
        return None
    if number := find_ripe_field(fields_of(view.seats[view.me])):
        return Harvest(number)
    return plant_or_go_on(view, view.me, ask)


def plant_or_go_on(view: View, me: Seat, ask: Ask) -> Action:
    """Return the planting that brings most, unless there is a better answer."""
    fields = fields_of(view.seats[me])
    plantings = {
        answer: estimate_gain(fields, answer.bean, answer.field) for answer in ask.menu if isinstance(answer, Plant)
    }
    best = max(plantings, key=lambda answer: plantings[answer], default=None)
    if best and plantings[best] > MIN_GAIN:
        return best
    if Buy() in ask.menu and best and plantings[best] < 0 and view.exhaustions < LATE_EXHAUSTIONS:
        return Buy()
    return choose_instead_of_planting(view, me, ask) or best or ask.menu[0]


def choose_instead_of_planting(view: View, me: Seat, ask: Ask) -> Action | None:
    """Turn up cards, discard a nuisance, or go on."""
    if Reveal() in ask.menu:
        return Reveal()
    discards = [answer for answer in ask.menu if isinstance(answer, Discard)]
    worst = min(discards, key=lambda answer: estimate_value(view, me, bean_of(answer.card)), default=None)
    if worst and (view.phase == "offered" or estimate_value(view, me, bean_of(worst.card)) < NUISANCE_VALUE):
        return worst
    return Go() if Go() in ask.menu else None
