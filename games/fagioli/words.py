"""The texts of Fagioli. Each appears here once, in English, with gaps to fill."""

from __future__ import annotations

from games.contract.asks import Ask, Step
from games.contract.cards import without
from games.contract.game import Found
from games.contract.notation import Action
from games.contract.phrases import Phrase, Plural, Who
from games.contract.seats import Seat
from games.fagioli.actions import Play, Shuffle, Start
from games.fagioli.bursts import MOST, bursts
from games.fagioli.plays import compared, top
from games.fagioli.state import Cards, Dealing, Dealt, Finished, Playing, Reshuffling, State
from games.fagioli.view import View, difference

LEFT, RIGHT = Phrase("the left pile"), Phrase("the right pile")


def tell(step: Step[State], now: State, reader: Seat | None) -> tuple[Phrase, ...]:
    """Return the sentences that tell one reader what happened in a step."""
    match step.before, step.action, step.after:
        case _, Start(seat), _:
            return (Phrase("You go first.") if seat == reader else Phrase("{who} goes first.", who=Who(seat)),)
        case Dealing(), Shuffle(), _:
            return (Phrase("The cards have been dealt."),)
        case Reshuffling() as before, Shuffle(), (Playing() | Finished()) as after:
            return told_reshuffle(before, after, reader)
        case Playing() as before, Play() as play, (Playing() | Reshuffling() | Finished()) as after:
            return (told_play(play, before.seat, reader), *consequences(before, play, after, reader))
    return ()


def told_play(play: Play, seat: Seat, reader: Seat | None) -> Phrase:
    if seat == reader:
        return Phrase("You played {card} on {pile}.", card=named(play), pile=where(play))
    card = Phrase("a card face down") if play.down else play.card
    return Phrase("{who} played {card} on {pile}.", who=Who(seat), card=card, pile=where(play))


def named(play: Play) -> Phrase | int:
    """Return the card of a play as its owner reads it."""
    return Phrase("{card} face down", card=play.card) if play.down else play.card


def where(play: Play) -> Phrase:
    return LEFT if play.pile == "left" else RIGHT


# ── consequences ─────────────────────────────────────────────────────────────────────────────────


def consequences(before: Playing, play: Play, after: Dealt, reader: Seat | None) -> tuple[Phrase, ...]:
    seat, left = before.seat, len(before.farmers[before.seat].hand) - 1
    rest = without(before.farmers[seat].hand, (play.card, *play.plant))
    change = compared(play, *map(top, before.market.piles))
    told = [told_plant(play.plant, seat, reader)] if play.plant else []
    if bursts(left, change):
        told += told_burst(left, change), told_token(after.farmers[seat].tokens[-1], seat, reader)
        told += told_new_hand(rest, after, seat, reader)
    elif change > 0:
        told += told_draw(without(after.farmers[seat].hand, rest), seat, reader)
    elif change == 0:
        told.append(Phrase("Same value as the top card: nothing happened."))
    return (*told, *told_pile(before, after))


def told_plant(cards: Cards, seat: Seat, reader: Seat | None) -> Phrase:
    if seat == reader:
        return Phrase("You planted {cards}.", cards=cards)
    return Plural("{who} planted one card.", "{who} planted {count} cards.", count=len(cards), who=Who(seat))


def told_draw(cards: Cards, seat: Seat, reader: Seat | None) -> list[Phrase]:
    if not cards:
        return []
    if seat == reader:
        return [Phrase("You drew {cards}.", cards=cards)]
    return [Plural("{who} drew one card.", "{who} drew {count} cards.", count=len(cards), who=Who(seat))]


def told_burst(left: int, change: int) -> Phrase:
    """Say why a hand burst: too large, empty, or too few cards to plant."""
    if left + change > MOST:
        return Phrase("The hand would have grown to {count} cards: a burst.", count=left + change)
    if left + change == 0:
        return Phrase("The hand was empty at the end of the turn: a burst.")
    return Plural(
        "There was a card to plant and none left: a burst.",
        "There were {count} cards to plant and not enough left: a burst.",
        count=-change,
    )


def told_token(penalty: int, seat: Seat, reader: Seat | None) -> Phrase:
    if seat == reader:
        return Phrase("You took a −{penalty} token.", penalty=penalty)
    return Phrase("{who} took a −{penalty} token.", who=Who(seat), penalty=penalty)


def told_new_hand(aside: Cards, after: Dealt, seat: Seat, reader: Seat | None) -> list[Phrase]:
    """Tell of the new hand; there is none after the last token."""
    if isinstance(after, Finished):
        return []
    return [*told_aside(aside, seat, reader), *told_draw(after.farmers[seat].hand, seat, reader)]


def told_aside(cards: Cards, seat: Seat, reader: Seat | None) -> list[Phrase]:
    if not cards:
        return []
    if seat == reader:
        return [Phrase("You set {cards} aside.", cards=cards)]
    return [Plural("{who} set one card aside.", "{who} set {count} cards aside.", count=len(cards), who=Who(seat))]


def told_reshuffle(before: Reshuffling, after: Playing | Finished, reader: Seat | None) -> tuple[Phrase, ...]:
    drawn = without(after.farmers[before.seat].hand, before.farmers[before.seat].hand)
    return (
        Phrase("Both piles and all cards set aside were shuffled into a new draw pile."),
        Phrase("A −{penalty} token left the game.", penalty=before.market.tokens[0]),
        *told_draw(drawn, before.seat, reader),
        *told_pile(before, after),
    )


def told_pile(before: Playing | Reshuffling, after: Dealt) -> list[Phrase]:
    match after:
        case Finished():
            return [Phrase("That was the last token, so the game is over.")]
        case Reshuffling():
            return [Phrase("The draw pile has run out.")]
        case Playing() if isinstance(before, Reshuffling) and not after.market.draw_pile:
            return [Phrase("The draw pile is empty, and there’s nothing to shuffle yet.")]
    return []


# ── what a seat is asked ─────────────────────────────────────────────────────────────────────────


def question(view: View, ask: Ask) -> Phrase:
    return Phrase(
        "Play a card on the left pile (counts {left}) or the right pile (counts {right}).",
        left=view.left.counts, right=view.right.counts,
    )  # fmt: skip


def label(view: View, action: Action) -> Phrase:
    assert isinstance(action, Play)
    change = difference(view, action)
    card, pile = named(action), where(action)
    match bursts(len(view.hand) - 1, change), action.plant:
        case True, ():
            return Phrase("Play {card} on {pile}: you burst, take the −{penalty} token",
                          card=card, pile=pile, penalty=next_penalty(view))  # fmt: skip
        case True, plant:
            return Phrase("Play {card} on {pile} and plant {plant}: you burst, take the −{penalty} token",
                          card=card, pile=pile, plant=plant, penalty=next_penalty(view))  # fmt: skip
        case False, () if change > 0:
            return Phrase("Play {card} on {pile} and draw {count}", card=card, pile=pile, count=change)
        case False, ():
            return Phrase("Play {card} on {pile} (same value: nothing happens)", card=card, pile=pile)
    return Phrase("Play {card} on {pile} and plant {plant}", card=card, pile=pile, plant=action.plant)


def next_penalty(view: View) -> int:
    """Return the value of the token that the next burst costs."""
    return view.tokens[0]


def hurts(view: View, action: Action) -> bool:
    return isinstance(action, Play) and bursts(len(view.hand) - 1, difference(view, action))


def find(view: View, action: Action) -> Found:
    """Group plays by card and pile. The side up and the planted cards are left to choose."""
    assert isinstance(action, Play)
    what = outcome(view, action)
    heading = Phrase("Play {card} on {pile}", card=action.card, pile=where(action))
    return Found(heading, Phrase("face down: {what}", what=what) if action.down else what)


def outcome(view: View, play: Play) -> Phrase:
    change = difference(view, play)
    match bursts(len(view.hand) - 1, change), play.plant:
        case True, ():
            return Phrase("you burst, take the −{penalty} token", penalty=next_penalty(view))
        case True, plant:
            return Phrase("plant {plant}: you burst, take the −{penalty} token",
                          plant=plant, penalty=next_penalty(view))  # fmt: skip
        case False, () if change > 0:
            return Phrase("draw {count}", count=change)
        case False, ():
            return Phrase("same value: nothing happens")
    return Phrase("plant {plant}", plant=play.plant)


def otherwise(view: View, ask: Ask) -> Phrase:
    play = ask.default
    assert isinstance(play, Play)
    change = difference(view, play)
    card, pile = named(play), where(play)
    match bursts(len(view.hand) - 1, change), play.plant:
        case True, ():
            return Phrase("we play {card} on {pile} for you, because every play bursts", card=card, pile=pile)
        case True, plant:
            return Phrase("we play {card} on {pile} and plant {plant} for you, because every play bursts",
                          card=card, pile=pile, plant=plant)  # fmt: skip
        case False, () if change > 0:
            return Phrase("we play {card} on {pile} for you and you draw {count}: "
                          "the play that changes your hand least",
                          card=card, pile=pile, count=change)  # fmt: skip
        case False, ():
            return Phrase(
                "we play {card} on {pile} for you: the play that changes your hand least", card=card, pile=pile
            )
    return Phrase("we play {card} on {pile} and plant {plant} for you: the play that changes your hand least",
                  card=card, pile=pile, plant=play.plant)  # fmt: skip
