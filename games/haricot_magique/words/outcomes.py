"""Describe the consequences of a step: cards revealed, the giant, gold, the end of a round."""

from __future__ import annotations

from games.contract.asks import Step
from games.contract.phrases import Phrase, Plural, Who
from games.contract.seats import Seat
from games.haricot_magique.actions import Spare
from games.haricot_magique.names import join_with_dots
from games.haricot_magique.state import Choosing, Finished, Garden, Sparing, Stacking, State, Swaying, Turn
from games.haricot_magique.steps.rolling import wakes_giant


def describe_consequences(step: Step[State], reader: Seat | None) -> list[Phrase]:
    before, after = step.before, step.after
    sentences: list[Phrase] = []
    if isinstance(before, Choosing) and isinstance(after, Turn):
        sentences.append(describe_order(after))
    if isinstance(before, Sparing) and isinstance(step.action, Spare) and len(before.dice) == 1:
        sentences.append(Phrase("There are no dice left to stack."))
    if isinstance(after, Stacking) and wakes_giant(after.round, after.dice):
        sentences.append(Phrase("The giant woke up: only the eyes are stacked, and all other dice go back."))
    if isinstance(before, Swaying) and isinstance(after, Turn | Choosing | Finished):
        sentences += describe_gold(before.garden, after.garden, reader)
    if isinstance(before, Turn) and isinstance(after, Choosing):
        sentences.append(describe_holder(before.round.number, after.garden.holder, reader))
    if isinstance(after, Finished):
        sentences.append(describe_end(after))
    return sentences


def describe_order(state: Turn) -> Phrase:
    """Describe the revealed cards in the order of play."""
    climbers = state.garden.climbers
    cards = (Phrase("{who} {card}", who=Who(seat), card=climbers[seat].played[-1]) for seat in state.round.order)
    return Phrase("The cards were revealed. The order of play is {order}.", order=join_with_dots(cards))


def describe_gold(before: Garden, after: Garden, reader: Seat | None) -> list[Phrase]:
    rows = enumerate(zip(before.climbers, after.climbers, strict=True))
    drawn = ((seat, len(now.bags) - len(was.bags)) for seat, (was, now) in rows)
    return [describe_draw(seat, bags, reader) for seat, bags in drawn if bags]


def describe_draw(seat: Seat, bags: int, reader: Seat | None) -> Phrase:
    if seat == reader:
        return Plural("You drew a bag of gold.", "You drew {count} bags of gold.", count=bags)
    return Plural("{who} drew a bag of gold.", "{who} drew {count} bags of gold.", count=bags, who=Who(seat))


def describe_holder(round: int, holder: Seat, reader: Seat | None) -> Phrase:
    if holder == reader:
        return Phrase("Round {round} is over, and you took the Haricot token.", round=round)
    return Phrase("Round {round} is over, and {who} took the Haricot token.", round=round, who=Who(holder))


def describe_end(state: Finished) -> Phrase:
    if state.garden.pile:
        return Phrase("All cards have been played. The bags were opened, and the game is over.")
    return Phrase("The last bag was taken. All bags were opened, and the game is over.")
