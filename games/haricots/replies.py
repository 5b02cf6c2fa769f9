"""Players' words for Haricots, in English and French."""

from games.contract.reply_words import PASSING, PLAY, ReplyWords, called, sentences, several_of_a_value

REPLIES = ReplyWords(
    called(play=PLAY, **{"pass": PASSING}, fold="folds folding couche coucher"),
    arrange=several_of_a_value,
    needs_object=frozenset({"play"}),
    may_go_unsaid=frozenset({"play"}),
    orders=sentences(
        ("pass until some(?:body|one) plays below {value}", "pass until someone plays below {value}"),
        ("pass until the value to beat is below {value}", "pass until someone plays below {value}"),
        ("passer? jusqu'a ce que quelqu'un joue moins de {value}", "pass until someone plays below {value}"),
        ("pass on every turn of round {round}", "always pass in round {round}"),
        ("passer? a chaque tour de la manche {round}", "always pass in round {round}"),
        ("in round {round} fold as soon as (?:i|you) can't play", "fold in round {round} when nothing can be played"),
        (
            "(?:se |me )?coucher? a la manche {round} quand rien ne peut etre joue",
            "fold in round {round} when nothing can be played",
        ),
    ),
)
