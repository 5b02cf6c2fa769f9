"""The texts of Haricots. Each appears here once, in English, with gaps to fill."""

from __future__ import annotations

from games.contract.asks import Ask, Step
from games.contract.game import Costly
from games.contract.notation import Action
from games.contract.phrases import Phrase, Plural, Who
from games.contract.seats import Seat
from games.haricots.actions import Fold, Pass, Play, Shuffle, Start
from games.haricots.rules import cost_of_folding, worth
from games.haricots.state import Cards, Dealing, Finished, Playing, State
from games.haricots.view import View


def tell(step: Step[State], now: State, reader: Seat | None) -> tuple[Phrase, ...]:
    """Return the sentences that tell one reader what happened in a step."""
    mine = step.seat == reader
    match step.before, step.action:
        case _, Start(seat):
            return (Phrase("You go first.") if seat == reader else Phrase("{who} goes first.", who=Who(seat)),)
        case _, Shuffle():
            return (Phrase("A new round was dealt."),)
        case Playing() as before, Play(cards):
            return (describe_play(before, cards, step.seat, mine), *describe_consequences(step, reader))
        case Playing() as before, Pass() if before.farmers[step.seat].deck:
            drawn = before.farmers[step.seat].deck[0]
            sentence = Phrase("You passed and drew {card}.", card=drawn) if mine else describe_pass(step.seat)
            return (sentence, *describe_consequences(step, reader))
        case _, Pass():
            who = Who(step.seat)
            sentence = Phrase("You’re out of this round.") if mine else Phrase("{who} is out of this round.", who=who)
            return (sentence, *describe_consequences(step, reader))
        case Playing() as before, Fold():
            return (
                describe_fold(before.farmers[step.seat].hand, step.seat, mine),
                *describe_consequences(step, reader),
            )
    return ()


def describe_play(before: Playing, cards: Cards, seat: Seat, mine: bool) -> Phrase:
    value = worth(cards, before.lying.to_beat)
    if value == cards[0]:  # a single card at face value needs no sum
        return (
            Phrase("You played {cards}.", cards=cards)
            if mine
            else Phrase("{who} played {cards}.", who=Who(seat), cards=cards)
        )
    if mine:
        return Phrase("You played {cards}, worth {value}.", cards=cards, value=value)
    return Phrase("{who} played {cards}, worth {value}.", who=Who(seat), cards=cards, value=value)


def describe_pass(seat: Seat) -> Phrase:
    return Phrase("{who} passed and drew a card.", who=Who(seat))


def describe_fold(hand: Cards, seat: Seat, mine: bool) -> Phrase:
    cost = cost_of_folding(hand)
    if mine:
        return Phrase("You folded, showing {hand}, and paid {cost}.", hand=hand, cost=cost)
    return Phrase("{who} folded, showing {hand}, and paid {cost}.", who=Who(seat), hand=hand, cost=cost)


def tell_forced(step: Step[State], reader: Seat | None) -> Phrase | None:
    """Return why the house folded for a seat."""
    assert isinstance(step.before, Playing)
    hand, value, who = step.before.farmers[step.seat].hand, step.before.lying.to_beat, Who(step.seat)
    if step.seat == reader:
        return Phrase("We folded for you: your deck was empty and nothing beat {value}. "
                      "You showed {hand} and paid {cost}.",
                      value=value, hand=hand, cost=cost_of_folding(hand))  # fmt: skip
    return Phrase("We folded for {who}: the deck was empty and nothing beat {value}. "
                  "{who} showed {hand} and paid {cost}.",
                  who=who, value=value, hand=hand, cost=cost_of_folding(hand))  # fmt: skip


def describe_consequences(step: Step[State], reader: Seat | None) -> tuple[Phrase, ...]:
    match step.before, step.after:
        case Playing() as before, Playing() as after:
            cleared = before.lying.cards and not after.lying.cards
            return (describe_clearing(after.seat, reader),) if cleared else ()
        case Playing() as before, (Dealing() | Finished()) as after:
            winner = next(seat for seat, tally in enumerate(after.tallies) if before.round in tally.chips)
            sentences = [describe_round(before.round, winner, reader)]
            if isinstance(step.action, Play) and reader != winner:
                sentences += describe_payment(before, reader)
            if isinstance(after, Finished):
                sentences.append(Phrase("The game is over."))
            return tuple(sentences)
    return ()


def describe_clearing(seat: Seat, reader: Seat | None) -> Phrase:
    if seat == reader:
        return Phrase("No one beat your cards. The table is cleared, and you can play anything.")
    return Phrase("No one beat {who}’s cards, so the table was cleared.", who=Who(seat))


def describe_round(round: int, winner: Seat, reader: Seat | None) -> Phrase:
    if winner == reader:
        return Phrase("You won round {round}.", round=round)
    return Phrase("{who} won round {round}.", who=Who(winner), round=round)


def describe_payment(before: Playing, reader: Seat | None) -> list[Phrase]:
    if reader is None or before.variant == "basic" or not before.farmers[reader].inside:
        return []
    left = len(before.farmers[reader].hand)
    return [
        Plural(
            "You paid 1 for the card left in your hand.",
            "You paid {count} for the cards left in your hand.",
            count=left,
        )
    ]


def question(view: View, ask: Ask) -> Phrase:
    if not view.to_beat:
        return Phrase("The table is empty: play anything you like.")
    if view.mighty:
        return Phrase("Beat {value}. Small beans are mighty now: a 1 counts as 17 and a 2 as 16.", value=view.to_beat)
    return Phrase("Beat {value}.", value=view.to_beat)


def label(view: View, action: Action) -> Phrase:
    match action:
        case Play(cards) if worth(cards, view.to_beat) == cards[0]:
            return Phrase("Play {cards}", cards=cards)
        case Play(cards):
            return Phrase("Play {cards} (worth {value})", cards=cards, value=worth(cards, view.to_beat))
        case Pass() if view.me is not None and view.seats[view.me].deck:
            return Phrase("Pass and draw a card")
        case Pass():
            return Phrase("Pass and drop out of this round")
    return Phrase("Fold and pay {cost}", cost=cost_of_folding(view.hand))


def find_danger(view: View, action: Action) -> Costly | None:
    """Return a warning of a move that ends the round for its player: folding, or passing with an empty deck."""
    match action:
        case Fold() if cost := cost_of_folding(view.hand):
            return Costly(Phrase("You’re out of this round and pay {cost} for the cards outside your run.", cost=cost))
        case Fold():
            return Costly(Phrase("You’re out of this round. It costs you nothing."))
        case Pass() if view.me is not None and not view.seats[view.me].deck:
            return Costly(Phrase("Your deck is empty, so passing puts you out of this round."))
    return None


def otherwise(view: View, ask: Ask) -> Phrase:
    match ask.default:
        case Pass() if view.me is not None and view.seats[view.me].deck:
            return Phrase("we pass for you and you draw a card")
        case Pass():
            return Phrase("we pass for you, and you’re out of this round because your deck is empty")
    return Phrase("we fold for you, because your deck is empty")
