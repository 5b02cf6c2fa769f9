"""Players' words for Pas de Haricots, in English and French."""

from __future__ import annotations

import re

from games.contract.replies.words import (
    ReplyWords,
    Wording,
    Words,
    compile_orders,
    map_synonyms,
    map_words,
)
from games.contract.seats import seat_label
from games.pas_de_haricots.card_preferences import BEST, BEST_NAME, WISH_NAMES, describe_wish

SUITS = {
    word: (suit,)
    for suit, text in {
        "/s": "spade spades pique piques ♠",
        "/h": "heart hearts coeur coeurs ♥",
        "/d": "diamond diamonds carreau carreaux ♦",
        "/c": "club clubs trefle trefles ♣",
    }.items()
    for word in text.split()
}
RANKS = {"ace": "1", "as": "1", "king": "k", "roi": "k", "queen": "q", "dame": "q", "knight": "n", "cavalier": "n",
         "jack": "j", "valet": "j", "zero": "0", "k": "k", "q": "q", "n": "n"}  # fmt: skip
SUIT_WORDS = {"/s", "/h", "/d", "/c"}


def arrange_suits(words: Words) -> list[Words]:
    """Join a card's rank and suit. A card without a verb may be played or taken.

    >>> arrange_suits(["play", "7", "/s"]), arrange_suits(["play", "7+"])
    ([['play', '7s']], [['play', '7s']])
    """
    row: list[str] = []
    for word in words:
        if word in SUIT_WORDS and row:
            row[-1] += word[1:]
        else:
            row.append(word.replace("+", "s"))  # "7s" is the seven of spades here, not a plural
    if len(row) == 1 < len(words):  # "the king of diamonds" is a move; a bare "KD" may be a signature
        return [["play", *row], ["take", *row]]
    return [row]


SIGNED = re.compile(r"\b(10|[0-9jnqkvcdr])([♠♥♦♣])")
NOTATION_LETTERS = {
    "v": "j",
    "c": "n",
    "d": "q",
    "r": "k",
    "♠": "s",
    "♥": "h",
    "♦": "d",
    "♣": "c",
}  # on French cards; suits
AT_A_TIE = re.compile(r" (?:if in doubt|if two are equal|en cas de doute|en cas d'egalite) ")
# Orders ask whenever they can't decide.
ASKS_OWNER = re.compile(r" else (?:we ask you|ask me|vous choisissez|la question vous est posee|demandez-moi)$")


def read_wishes(text: str, wording: Wording) -> str:
    """Read card preferences as worded in the reader's language."""
    text = ASKS_OWNER.sub("", AT_A_TIE.sub(" else ", text))
    text = SIGNED.sub(lambda card: NOTATION_LETTERS.get(card[1], card[1]) + NOTATION_LETTERS[card[2]], text)
    seats = range(wording.seats)
    wishes = (*WISH_NAMES, *(f"from {seat_label(seat)}" for seat in seats))
    best = {wording.say(BEST_NAME): " else ".join(BEST)}
    known = best | {wording.say(describe_wish(wish)): wish for wish in reversed(wishes)}
    return " else ".join(known.get(one, one) for one in re.split(r" (?:(?:or )?else|sinon) ", text))


REPLIES = ReplyWords(
    map_synonyms(play="", take="takes taking prends prendre prend pick ramasse")
    | map_words("bean beans haricot haricots")
    | SUITS
    | {word: (rank,) for word, rank in RANKS.items()}
    | {"j": ("", "j")},
    verbs={"play": "play"},
    arrange=arrange_suits,
    patterns=((SIGNED, lambda card: f"{NOTATION_LETTERS.get(card[1], card[1])} {card[2]}"),),
    cards=re.compile(r"(?:10|[0-9jnqk])[shdc]"),
    needs_object=frozenset({"play", "take"}),
    may_go_unsaid=frozenset({"play", "take"}),
    by_label=frozenset({"take"}),
    orders=compile_orders(
        (
            "in turn {turn} of round {round} play {wishes} and take {takes}",
            "play {wishes} and take {takes} in round {round} turn {turn}",
        ),
        (
            "au tour {turn} de la manche {round} jouer? {wishes} et prend(?:re|s) {takes}",
            "play {wishes} and take {takes} in round {round} turn {turn}",
        ),
        (
            "in turns {turn} to {last} of round {round} play {wishes} and take {takes}",
            "play {wishes} and take {takes} in round {round} turn {turn} to {last}",
        ),
        (
            "aux tours {turn} a {last} de la manche {round} jouer? {wishes} et prend(?:re|s) {takes}",
            "play {wishes} and take {takes} in round {round} turn {turn} to {last}",
        ),
        ("in turn {turn} of round {round} take {wishes}", "take {wishes} in round {round} turn {turn}"),
        ("au tour {turn} de la manche {round} prend(?:re|s) {wishes}", "take {wishes} in round {round} turn {turn}"),
        ("in every turn of round {round} take {wishes}", "take {wishes} in round {round}"),
        ("a chaque tour de la manche {round} prend(?:re|s) {wishes}", "take {wishes} in round {round}"),
        ("in turn {turn} of round {round} play {wishes}", "play {wishes} in round {round} turn {turn}"),
        ("au tour {turn} de la manche {round} jouer? {wishes}", "play {wishes} in round {round} turn {turn}"),
        ("in every turn of round {round} play {wishes}", "play {wishes} in round {round}"),
        ("a chaque tour de la manche {round} jouer? {wishes}", "play {wishes} in round {round}"),
    ),
    gaps={"wishes": read_wishes, "takes": read_wishes},
)
