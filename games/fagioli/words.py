"""The texts of Fagioli. Each appears here once, in English, with gaps to fill."""

from __future__ import annotations

from games.contract.asks import Ask, Step
from games.contract.cards import without
from games.contract.game import MenuPlace, Ruinous
from games.contract.notation import Action
from games.contract.phrases import Phrase, Plural, Who
from games.contract.seats import Seat
from games.fagioli.actions import Play, Shuffle, Start
from games.fagioli.bursts import MAX_HAND_SIZE, is_burst
from games.fagioli.plays import HIDDEN_TOP, compare_with_top, top_of
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
            return describe_reshuffle(before, after, reader)
        case Playing() as before, Play() as play, (Playing() | Reshuffling() | Finished()) as after:
            return (describe_play(play, before.seat, reader), *describe_consequences(before, play, after, reader))
    return ()


def describe_play(play: Play, seat: Seat, reader: Seat | None) -> Phrase:
    if seat == reader:
        return Phrase("You played {card} on {pile}.", card=name_card(play), pile=name_pile(play))
    card = Phrase("a card face down") if play.down else play.card
    return Phrase("{who} played {card} on {pile}.", who=Who(seat), card=card, pile=name_pile(play))


def name_card(play: Play) -> Phrase | int:
    """Return the card of a play as its owner reads it."""
    return Phrase("{card} face down", card=play.card) if play.down else play.card


def name_pile(play: Play) -> Phrase:
    return LEFT if play.pile == "left" else RIGHT


# ── consequences ─────────────────────────────────────────────────────────────────────────────────


def describe_consequences(before: Playing, play: Play, after: Dealt, reader: Seat | None) -> tuple[Phrase, ...]:
    seat, left = before.seat, len(before.farmers[before.seat].hand) - 1
    rest = without(before.farmers[seat].hand, (play.card, *play.plant))
    change = compare_with_top(play, *map(top_of, before.market.piles))
    sentences = [describe_planting(play.plant, seat, reader)] if play.plant else []
    if is_burst(left, change):
        sentences += describe_burst(left, change), describe_token(after.farmers[seat].tokens[-1], seat, reader)
        sentences += describe_new_hand(rest, after, seat, reader)
    elif change > 0:
        sentences += describe_draw(without(after.farmers[seat].hand, rest), seat, reader)
    elif change == 0:
        sentences.append(Phrase("Same value as the top card: nothing happened."))
    return (*sentences, *describe_draw_pile(before, after))


def describe_planting(cards: Cards, seat: Seat, reader: Seat | None) -> Phrase:
    if seat == reader:
        return Phrase("You planted {cards}.", cards=cards)
    return Plural("{who} planted one card.", "{who} planted {count} cards.", count=len(cards), who=Who(seat))


def describe_draw(cards: Cards, seat: Seat, reader: Seat | None) -> list[Phrase]:
    if not cards:
        return []
    if seat == reader:
        return [Phrase("You drew {cards}.", cards=cards)]
    return [Plural("{who} drew one card.", "{who} drew {count} cards.", count=len(cards), who=Who(seat))]


def describe_burst(left: int, change: int) -> Phrase:
    """Say why a hand burst: too large, empty, or too few cards to plant."""
    if left + change > MAX_HAND_SIZE:
        return Phrase("The hand would have grown to {count} cards: a burst.", count=left + change)
    if left + change == 0:
        return Phrase("The hand was empty at the end of the turn: a burst.")
    return Plural(
        "There was a card to plant and none left: a burst.",
        "There were {count} cards to plant and not enough left: a burst.",
        count=-change,
    )


def describe_token(penalty: int, seat: Seat, reader: Seat | None) -> Phrase:
    if seat == reader:
        return Phrase("You took a −{penalty} token.", penalty=penalty)
    return Phrase("{who} took a −{penalty} token.", who=Who(seat), penalty=penalty)


def describe_new_hand(aside: Cards, after: Dealt, seat: Seat, reader: Seat | None) -> list[Phrase]:
    """Describe the new hand; there is none after the last token."""
    if isinstance(after, Finished):
        return []
    return [*describe_setting_aside(aside, seat, reader), *describe_draw(after.farmers[seat].hand, seat, reader)]


def describe_setting_aside(cards: Cards, seat: Seat, reader: Seat | None) -> list[Phrase]:
    if not cards:
        return []
    if seat == reader:
        return [Phrase("You set {cards} aside.", cards=cards)]
    return [Plural("{who} set one card aside.", "{who} set {count} cards aside.", count=len(cards), who=Who(seat))]


def describe_reshuffle(before: Reshuffling, after: Playing | Finished, reader: Seat | None) -> tuple[Phrase, ...]:
    drawn = without(after.farmers[before.seat].hand, before.farmers[before.seat].hand)
    return (
        Phrase("Both piles and all cards set aside were shuffled into a new draw pile."),
        Phrase("A −{penalty} token left the game.", penalty=before.market.tokens[0]),
        *describe_draw(drawn, before.seat, reader),
        *describe_draw_pile(before, after),
    )


def describe_draw_pile(before: Playing | Reshuffling, after: Dealt) -> list[Phrase]:
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
    card, pile = name_card(action), name_pile(action)
    match is_burst(len(view.hand) - 1, change), action.plant:
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


def find_danger(view: View, action: Action) -> Ruinous | None:
    if not (isinstance(action, Play) and is_burst(len(view.hand) - 1, difference(view, action))):
        return None
    penalty = next_penalty(view)
    return Ruinous(
        Phrase("You burst: you take the −{penalty} token, and the rest of your hand is set aside.", penalty=penalty),
        heading=Phrase("Moves that burst (−{penalty} token)", penalty=penalty),
    )


def find_place(view: View, action: Action) -> MenuPlace:
    """Group plays by their pile and by the side that is up."""
    assert isinstance(action, Play)
    pile, counts = name_pile(action), (view.left if action.pile == "left" else view.right).counts
    if action.down:
        heading = Phrase("On {pile} ({counts}), face down: counts {hidden}",
                         pile=pile, counts=counts, hidden=HIDDEN_TOP.counts)  # fmt: skip
    else:
        heading = Phrase("On {pile} ({counts})", pile=pile, counts=counts)
    return MenuPlace(heading, Phrase("Play {card}: {what}", card=action.card, what=describe_outcome(view, action)))


def describe_outcome(view: View, play: Play) -> Phrase:
    change = difference(view, play)
    match is_burst(len(view.hand) - 1, change), play.plant:
        case True, _:
            return Phrase("you burst")
        case False, () if change > 0:
            return Phrase("draw {count}", count=change)
        case False, ():
            return Phrase("same value")
    return Phrase("plant {plant}", plant=play.plant)


def arrange_menu(view: View, ask: Ask) -> tuple[Action, ...]:
    """Return all plays, pile by pile: those face up first, the highest card first."""
    plays = [action for action in ask.menu if isinstance(action, Play)]
    return tuple(sorted(plays, key=lambda play: (play.down, play.pile, -play.card)))


def otherwise(view: View, ask: Ask) -> Phrase:
    play = ask.default
    assert isinstance(play, Play)
    change = difference(view, play)
    card, pile = name_card(play), name_pile(play)
    match is_burst(len(view.hand) - 1, change), play.plant:
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
