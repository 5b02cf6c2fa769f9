"""Players' words for Fagioli, in English and French."""

from __future__ import annotations

import re
from collections.abc import Iterator

from games.contract.replies.words import (
    ReplyWords,
    Wording,
    Words,
    arrange_numbers,
    compile_orders,
    map_synonyms,
    map_words,
)

DOWN, AND_PLANT = "(?: (?P<down>face down|face cachee))?", "(?: (?:and plant|et planter?) (?P<plant>[0-9 ]+))?"
IF_IT_COUNTS = "in turn {turn} if {pile} counts {value} play {card} {down} {plant}"


def arrange_play(words: Words) -> Iterator[Words]:
    """Arrange a play in any word order: the card, the pile, the side that is up, the planted cards."""
    for row in arrange_numbers(words):
        numbers: dict[str, list[str]] = {"play": [], "plant": []}
        verb = "play"
        for word in row:
            if word in numbers:
                verb = word
            elif word.isdigit():
                numbers[verb].append(word)
        if len(numbers["play"]) == 1:
            sides = [side for side in ("left", "right", "down") if side in row]
            planted = ["plant", *numbers["plant"]] if numbers["plant"] else []
            yield ["play", *numbers["play"], *sides, *planted]


def read_pile(text: str, wording: Wording) -> str:
    return {"gauche": "left", "droite": "right"}.get(text, text)


def read_down(text: str, wording: Wording) -> str:
    return "down" if text else ""


def read_plant(text: str, wording: Wording) -> str:
    return f"plant {text}" if text else ""


REPLIES = ReplyWords(
    map_synonyms(
        play="",
        plant="plants planting plante planter plantant seme semer",
        left="gauche",
        right="droite droit",
        down="cachee cache hidden",
    )
    | map_words("face up visible bean beans haricot haricots field fields champ champs pile piles tas"),
    verbs={"play": "play"},
    cards_are_numbers=True,
    arrange=arrange_play,
    needs_object=frozenset({"play", "plant"}),
    may_go_unsaid=frozenset({"play"}),
    numbers={"": re.compile(r"play ([0-9]+)\b.*")},
    orders=compile_orders(
        (f"in turn {{turn}} if the {{pile}} pile counts {{value}} play {{card}}{DOWN}{AND_PLANT}", IF_IT_COUNTS),
        (f"au tour {{turn}} si la pile de {{pile}} compte {{value}} jouer? {{card}}{DOWN}{AND_PLANT}", IF_IT_COUNTS),
        (
            "match a top card until (?:my|your) hand is down to {cards}",
            "play equal until the hand has {cards} cards",
        ),
        (
            "egaler? une carte du dessus jusqu'a ce que (?:ma|votre) main soit reduite a {cards}",
            "play equal until the hand has {cards} cards",
        ),
        ("in turn {turn} make the most promising play", "play soundly in turn {turn}"),
        ("au tour {turn} jouer? le coup le plus prometteur", "play soundly in turn {turn}"),
        ("play it safe until turn {turn}", "play steadily until turn {turn}"),
        ("until turn {turn} play it safe", "play steadily until turn {turn}"),
        ("jusqu'au tour {turn} jouer? la prudence", "play steadily until turn {turn}"),
        ("jouer? la prudence jusqu'au tour {turn}", "play steadily until turn {turn}"),
    ),
    gaps={"pile": read_pile, "down": read_down, "plant": read_plant},
)
