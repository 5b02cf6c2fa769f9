"""Players' words for Haricots, in English and French."""

import re

from games.contract.replies.words import (
    ReplyWords,
    arrange_numbers,
    compile_orders,
    map_phrases,
    map_synonyms,
    map_words,
)

REPLIES = ReplyWords(
    map_synonyms(play="", **{"pass": "skip"}, fold="folds folding couche coucher")
    | map_words("bean beans haricot haricots pile piles tas"),
    verbs={"play": "play", "pass": "pass"},
    phrases=map_phrases(
        **{"pass": r"pass(?:e|er)?,? (?:et|and) (?:je |i |i'll )?(?:pioche|piocher|tire|draw)(?: an? card| une carte)?"}
    ),
    cards_are_numbers=True,
    arrange=arrange_numbers,
    needs_object=frozenset({"play"}),
    may_go_unsaid=frozenset({"play"}),
    numbers={"": re.compile(r"play ([0-9]+)\b.*")},
    orders=compile_orders(
        ("pass until some(?:body|one) plays below {value}", "pass until someone plays below {value}"),
        ("pass until the value to beat is below {value}", "pass until someone plays below {value}"),
        ("passer? jusqu'a ce que quelqu'un joue moins de {value}", "pass until someone plays below {value}"),
        (
            "in round {round} beat the table as cheaply as (?:i|you) can or else pass",
            "beat it cheaply else pass in round {round}",
        ),
        (
            "in round {round} beat the table as cheaply as (?:i|you) can up to {value} or else pass",
            "beat it cheaply up to {value} else pass in round {round}",
        ),
        (
            "a la manche {round} surencherir? au plus juste sinon passer?",
            "beat it cheaply else pass in round {round}",
        ),
        (
            "a la manche {round} surencherir? au plus juste jusqu'a {value} sinon passer?",
            "beat it cheaply up to {value} else pass in round {round}",
        ),
        ("pass on every turn of round {round}", "always pass in round {round}"),
        ("passer? a chaque tour de la manche {round}", "always pass in round {round}"),
        ("in round {round} fold as soon as (?:i|you) can't play", "fold in round {round} when nothing can be played"),
        (
            "(?:se |me )?coucher? a la manche {round} quand rien ne peut etre joue",
            "fold in round {round} when nothing can be played",
        ),
    ),
)
