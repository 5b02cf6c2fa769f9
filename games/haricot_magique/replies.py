"""Players' words for Le Haricot Magique, in English and French."""

from __future__ import annotations

import re
from collections.abc import Iterator

from games.contract.replies.words import (
    MAX_COPIES,
    ReplyWords,
    Words,
    compile_orders,
    map_synonyms,
    map_words,
)

BEST = "the most promising choices (?:in|of) (?:my|your) turn"
BEST_FR = "faire les choix les plus prometteurs (?:a|de) (?:mon|votre) tour"
MARKED = re.compile(r"()([a-z]+)(@[+-]?[0-9]+)")  # eye@-3
AIM = re.compile(r"\b([a-z]+) ?\(?([0-9]{1,2}) ?mm (?:a )?(left|right|gauche|droite)\)?")


def arrange_faces(words: Words) -> Iterator[Words]:
    """Repeat a face as often as the number before it says, after `stack` only.

    >>> list(arrange_faces(["stack", "2", "eye", "trunk"])), list(arrange_faces(["axe", "2", "roll", "3"]))
    ([['stack', 'eye', 'eye', 'trunk']], [['axe', '2', 'roll', '3']])
    """
    row: list[str] = []
    for word in words:
        if row[:1] == ["stack"] and row[-1].isdigit():
            times = int(row.pop())
            row += [word] * min(times, MAX_COPIES)
        else:
            row.append(word)
    yield row


def read_aim(found: re.Match[str]) -> str:
    """Return "eye 3 mm left" as the notation has it: eye@-3."""
    return f"{found[1]}@{'-' * (found[3] in ('left', 'gauche'))}{found[2]}"


REPLIES = ReplyWords(
    map_synonyms(
        choose="chooses choisis choisir choisit pick",
        roll="rolls lance lancer",
        more="plus",
        enough="assez stop",
        stack="stacks empile empiler",
        eye="eyes oeil yeux",
        treasure="treasures tresor tresors",
        extra="bonus",
        trunk="trunks tronc troncs",
        axe="hache",
        hide="cache cacher",
        steal="steals vole voler",
        spare="remets epargne",
        reroll="relance relancer",
        skip="skips pass",
    )
    | map_words("dice die des de level niveau bean beans haricot haricots")
    | dict.fromkeys(("card", "carte"), ("", "choose")),
    verbs={"pass": "skip"},
    arrange=arrange_faces,
    marked=MARKED,
    patterns=((AIM, read_aim),),
    needs_object=frozenset({"choose", "roll", "stack", "more", "axe"}),
    may_go_unsaid=frozenset({"choose"}),
    numbers={"": re.compile(r"(?:choose|roll|more) ([0-9]+)")},
    orders=compile_orders(
        (f"in round {{round}} make {BEST}", "play soundly in round {round}"),
        (
            f"in round {{round}} make {BEST} while the stalk has at most {{levels}} levels",
            "play soundly on at most {levels} levels in round {round}",
        ),
        (f"a la manche {{round}} {BEST_FR}", "play soundly in round {round}"),
        (
            f"a la manche {{round}} {BEST_FR} tant que (?:la tige|le haricot) a au plus {{levels}} niveaux",
            "play soundly on at most {levels} levels in round {round}",
        ),
    ),
)
