"""Functions that the templates of Pas de Haricots call, and the look of its cards in a sentence."""

from __future__ import annotations

from games.contract.look import Glyph, Layers, Look
from games.contract.phrases import Phrase, Term
from games.pas_de_haricots.deck import DECK, RANKS, SIMPLE, SUITS, rank, suit

COURT = {"J": Term("card", "J"), "N": Term("card", "N"), "Q": Term("card", "Q"), "K": Term("card", "K")}
BELOW_A_HAT = (7, 13, 50, 50)
SIGNS = {
    "S": ("♠", Phrase("of spades")),
    "H": ("♥", Phrase("of hearts")),
    "D": ("♦", Phrase("of diamonds")),
    "C": ("♣", Phrase("of clubs")),
}


def layers(card: str) -> Layers:
    """Return the symbols that draw a card: the bean of its suit, with the hat of its rank unless that is a number.

    >>> layers("7S"), layers("KH")
    ((('suit-S', ()),), (('suit-H', (7, 13, 50, 50)), ('rank-K', ())))
    """
    body, name = f"suit-{suit(card)}", rank(card)
    if name in SIMPLE:
        return ((body, ()),)
    return ((body, () if name == "0" else BELOW_A_HAT), (f"rank-{name}", ()))


LOOK = Look(
    functions={"layers": layers},
    glyphs={card: Glyph(COURT.get(rank(card), rank(card)), *SIGNS[suit(card)]) for card in DECK},
    drawings={card: layers(card) for card in DECK},
    card_names=rf".*\b(?:{'|'.join(RANKS)})[{''.join(SUITS)}]\b.*",
)
