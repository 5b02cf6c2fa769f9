"""The texts of Pas de Haricots. Each appears here once, in English, with gaps to fill."""

from __future__ import annotations

from games.contract.asks import Ask, Step
from games.contract.game import Costly, MenuPlace
from games.contract.notation import Action
from games.contract.phrases import Phrase, Value, Who
from games.contract.seats import Seat
from games.pas_de_haricots.actions import Play, Shuffle, Start, Take
from games.pas_de_haricots.deck import DOUBLE, MINUS, NOTHING, is_simple, rank
from games.pas_de_haricots.rules import is_sealed
from games.pas_de_haricots.scoring import gain
from games.pas_de_haricots.state import Dealing, Finished, Leading, Score, Sealing, State, Taking
from games.pas_de_haricots.taking import card_played_by
from games.pas_de_haricots.view import View, card_on_table, collected_cards


def tell(step: Step[State], now: State, reader: Seat | None) -> tuple[Phrase, ...]:
    """Return the sentences that tell one reader what happened in a step. Only its owner reads a sealed card."""
    mine = step.seat == reader
    match step.before, step.action:
        case _, Start(seat):
            return (describe_start(seat, mine=seat == reader),)
        case Dealing() as before, Shuffle():
            return (Phrase("Round {round} was dealt.", round=before.round),)
        case Leading(), Play(card):
            return (describe_lead(step.seat, card, mine),)
        case Sealing() as before, Play(card) if is_sealed(before, now):
            return (describe_choice(step.seat, card, mine),)
        case Sealing(), Play(card):
            return (describe_play(step, card, mine),)
        case Taking() as before, Take(owner):
            return (describe_take(before, owner, reader), *describe_consequences(step, reader))
    return ()


def describe_start(seat: Seat, mine: bool) -> Phrase:
    return Phrase("You got the bean first.") if mine else Phrase("{who} got the bean first.", who=Who(seat))


def describe_lead(seat: Seat, card: str, mine: bool) -> Phrase:
    if mine:
        return Phrase("You led {card} and put the bean on it.", card=card)
    return Phrase("{who} led {card} and put the bean on it.", who=Who(seat), card=card)


def describe_choice(seat: Seat, card: str, mine: bool) -> Phrase:
    if mine:
        return Phrase("You chose {card}; it stays face down until all have chosen.", card=card)
    return Phrase("{who} has chosen a card.", who=Who(seat))


def describe_play(step: Step[State], card: str, mine: bool) -> Phrase:
    """Describe a card that was chosen face down and is open by now. The last choice revealed all cards."""
    if isinstance(step.after, Taking):
        return describe_reveal(step.after, step.seat, mine)
    if mine:
        return Phrase("You played {card}.", card=card)
    return Phrase("{who} played {card}.", who=Who(step.seat), card=card)


def describe_reveal(after: Taking, last: Seat, mine: bool) -> Phrase:
    cards = list_revealed_cards(after)
    if mine:
        return Phrase("You chose last, and the cards were revealed: {cards}.", cards=cards)
    return Phrase("{who} chose last, and the cards were revealed: {cards}.", who=Who(last), cards=cards)


def list_revealed_cards(after: Taking) -> list[Value]:
    """Return the revealed cards in seat order: A 7S · B KD."""
    played: list[Value] = []
    for seat, card in enumerate(after.lying):
        if card and seat != after.holder:
            played += ["·"] * bool(played) + [Phrase("{who} {card}", who=Who(seat), card=card)]
    return played


def describe_take(before: Taking, owner: Seat, reader: Seat | None) -> Phrase:
    card, who = card_played_by(before, owner), Who(before.taker)
    if owner == before.holder:
        return describe_bean_card(before, card, reader)
    if before.taker == reader:
        return Phrase("You took {card} from {owner}.", card=card, owner=Who(owner))
    if owner == reader:
        return Phrase("{who} took your {card}.", who=who, card=card)
    return Phrase("{who} took {card} from {owner}.", who=who, card=card, owner=Who(owner))


def describe_bean_card(before: Taking, card: str, reader: Seat | None) -> Phrase:
    who = Who(before.taker)
    if before.taker == reader:
        return Phrase("You got the bean card, {card}, and the bean with it.", card=card)
    if before.holder == reader:
        return Phrase("{who} got your bean card, {card}, and the bean with it.", who=who, card=card)
    return Phrase("{who} got the bean card, {card}, and the bean with it.", who=who, card=card)


def tell_forced(step: Step[State], reader: Seat | None) -> Phrase | None:
    """Return what a seat got with the bean card, which is always left to the last one."""
    match step.before, step.action:
        case Taking() as before, Take(owner) if owner == before.holder:
            return describe_bean_card(before, card_played_by(before, owner), reader)
    return None


def describe_consequences(step: Step[State], reader: Seat | None) -> tuple[Phrase, ...]:
    after = step.after
    if not isinstance(after, (Dealing, Finished)):
        return ()
    *_, row = after.sheet
    sentences = [Phrase("Round {round} is over.", round=len(after.sheet))]
    sentences += [describe_score(seat, score, mine=seat == reader) for seat, score in enumerate(row)]
    if isinstance(after, Finished):
        sentences.append(Phrase("The game is over."))
    return tuple(sentences)


def describe_score(seat: Seat, score: Score, mine: bool) -> Phrase:
    plus, minus, total = score.plus, score.minus, score.sum
    if mine:
        return Phrase(
            "You scored {sum}: {plus} plus points and {minus} minus points.",
            sum=total, plus=plus, minus=minus,
        )  # fmt: skip
    return Phrase(
        "{who} scored {sum}: {plus} plus points and {minus} minus points.",
        who=Who(seat), sum=total, plus=plus, minus=minus,
    )  # fmt: skip


def question(view: View, ask: Ask) -> Phrase:
    match view.phase, view.holder:
        case "leading", _:
            return Phrase("You have the bean: play a card face up.")
        case "sealing", int(holder):
            return Phrase(
                "{who} leads {card}. Choose a card; it stays face down until all have chosen.",
                who=Who(holder), card=card_on_table(view, holder),
            )  # fmt: skip
    if len(ask.menu) == 1:
        return Phrase("There’s one card left for you to take.")
    return Phrase("Take one of the cards. Its owner takes next.")


def label(view: View, action: Action) -> Phrase:
    match action:
        case Play(card):
            return label_play(card)
        case Take(owner) if view.me is not None:
            card = card_on_table(view, owner)
            change = f"{gain(collected_cards(view.seats[view.me]), card):+d}"
            return Phrase("Take {who}’s {card} (your score: {change})", card=card, who=Who(owner), change=change)
        case Take(owner):
            return Phrase("Take {who}’s {card}", card=card_on_table(view, owner), who=Who(owner))
    return Phrase("Play “{line}”", line=str(action))


def label_play(card: str) -> Phrase:
    if rank(card) in MINUS:
        return Phrase("Play {card} (flips its suit between plus and minus)", card=card)
    if rank(card) == DOUBLE:
        return Phrase("Play {card} (doubles its suit)", card=card)
    if rank(card) == NOTHING:
        return Phrase("Play {card} (its suit scores nothing)", card=card)
    return Phrase("Play {card}", card=card)


def find_place(view: View, action: Action) -> MenuPlace | None:
    """Shorten the labels of cards to play. The few that can be taken keep theirs."""
    match action:
        case Play(card):
            return MenuPlace(Phrase("Choose your card"), label_briefly(card))
    return None


def label_briefly(card: str) -> Phrase:
    if rank(card) in MINUS:
        return Phrase("{card} (flips)", card=card)
    if rank(card) == DOUBLE:
        return Phrase("{card} (twice)", card=card)
    if rank(card) == NOTHING:
        return Phrase("{card} (zero)", card=card)
    return Phrase("{card}", card=card)


def find_danger(view: View, action: Action) -> Costly | None:
    """Return a warning of a card that lowers the score of the player who takes it."""
    if not isinstance(action, Take) or view.me is None:
        return None
    change = gain(collected_cards(view.seats[view.me]), card_on_table(view, action.seat))
    return Costly(Phrase("This card lowers your score by {points}.", points=-change)) if change < 0 else None


def otherwise(view: View, ask: Ask) -> Phrase:
    match ask.default:
        case Play(card) if is_simple(card):
            return Phrase("we play {card} for you, since it’s your lowest number card", card=card)
        case Play(card):
            return Phrase("we play {card} for you, since you have no number card left", card=card)
        case Take(owner) if len(ask.menu) > 1:
            return Phrase(
                "we take {card} from {who} for you, since no other card is worth more to you",
                card=card_on_table(view, owner), who=Who(owner),
            )  # fmt: skip
        case Take(owner):
            return Phrase(
                "we take {card} from {who} for you, since no other card is left",
                card=card_on_table(view, owner), who=Who(owner),
            )  # fmt: skip
    return Phrase("nothing is played for you")
