"""Players' words for things, in English and French, and the words of the notation they stand for.

A word that may be left out maps to nothing; an ambiguous word maps to all its readings. A word that is in no list makes
a line unreadable: "I do not pass" must never be read as "pass".
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from beanpost.post.reply_parser import word_order
from beanpost.post.reply_parser.spelling import number

Words: TypeAlias = Sequence[str]
Arrange: TypeAlias = Callable[[Words], Iterable[Words]]

POLITE = """
    i we je j on nous me m will would like want wish am going to let us lets s il vous te toi plait veux voudrais vais
    aimerais aimerait souhaite please plz pls svp stp thanks thank you thx merci beaucoup bien bonjour bonsoir
    salut hello hi hey dear cheers ok okay yes oui alors well so bon donc then puis now maintenant again encore just
    sorry desole desolee simply simplement beanpost everyone everybody all tous tout monde coucou
"""
SMALL = """
    the a an le la les l un une des de du d of my mon ma mes this that ce cet cette ces celle celui turn tour round
    manche time fois card cards carte cartes bean beans haricot haricots harry field fields champ champs pile piles tas
    from with avec and et also aussi on onto sur at by my move answer reply coup reponse is est choice
    choose choisis choisir
"""
OPTION = "option number numero no n choice choix choose choisis choisir move coup answer reponse"
BESIDE_OPTION = "the le la l my mon ma is est"  # "the number 2"; but "the nine" may be a card


def listed(text: str, means: str = "") -> dict[str, tuple[str, ...]]:
    return dict.fromkeys(text.split(), (means,))


def called(**things: str) -> dict[str, tuple[str, ...]]:
    """Map each word of the notation, and its synonyms, to that word."""
    return {word: (means,) for means, text in things.items() for word in (means, *text.split())}


DECORATED = re.compile(r"(?=.*[*@])(\*?)([a-z]+)((?:@[+-]?[0-9]+)?)")  # *soy, eye@-3
COMMON = {
    **listed(POLITE),
    **listed(SMALL),
    "un": ("", "1"),
    "une": ("", "1"),
}
PLAY = "plays playing joue jouer jouons joues jouerai pose poser lay put mets mettre"
PASSING = "passe passes passer passing passons passerai"


@dataclass(frozen=True)
class ReplyWords:
    """The words that players use for one game."""

    words: dict[str, tuple[str, ...]]
    phrases: tuple[tuple[re.Pattern[str], str], ...] = ()  # replacements in the normalised text
    arrange: Arrange = word_order.as_said
    cards: re.Pattern[str] = re.compile(r"(?!)")  # words that stand for themselves

    def known(self, word: str) -> tuple[str, ...]:
        """Return the readings of a word; an empty tuple if it is unknown."""
        if self.cards.fullmatch(word):
            return (word,)
        if decorated := DECORATED.fullmatch(word):
            star, name, place = decorated.groups()
            return tuple(f"{star}{thing}{place}" for thing in self.words.get(name, ()))
        return self.words.get(word) or COMMON.get(word) or (number(word),) * bool(number(word))


def phrases(**said: str) -> tuple[tuple[re.Pattern[str], str], ...]:
    return tuple((re.compile(rf"\b(?:{pattern})(?!\w)"), means.replace("_", " ")) for means, pattern in said.items())


HARICOTS = ReplyWords(
    called(play=PLAY, **{"pass": PASSING}, fold="folds folding couche coucher"),
    arrange=word_order.several_of_a_value,
)

FAGIOLI = ReplyWords(
    called(
        play=PLAY,
        plant="plants planting plante planter plantant seme semer",
        left="gauche",
        right="droite droit",
        down="cachee cache hidden",
    )
    | listed("face up visible"),
    arrange=word_order.played_and_planted,
)

SUITS = {
    word: (suit,)
    for suit, text in {
        "/s": "spade spades pique piques",
        "/h": "heart hearts coeur coeurs",
        "/d": "diamond diamonds carreau carreaux",
        "/c": "club clubs trefle trefles",
    }.items()
    for word in text.split()
}
RANKS = {"ace": "1", "as": "1", "king": "k", "roi": "k", "queen": "q", "dame": "q", "knight": "n", "cavalier": "n",
         "jack": "j", "valet": "j", "zero": "0", "k": "k", "q": "q"}  # fmt: skip
PAS_DE_HARICOTS = ReplyWords(
    called(play=PLAY, take="takes taking prends prendre prend pick ramasse")
    | SUITS
    | {word: (rank,) for word, rank in RANKS.items()},
    arrange=word_order.cards_of_a_suit,
    cards=re.compile(r"(?:10|[0-9jnqk])[shdc]"),
)

BEANS = called(
    coffee="coffees cafe cogne",
    wax="cire cochet",
    blue="bleu bleus blues colt",
    chili="chilli chilis piment cauchemar",
    stink="stinky stinks puant puants cochon",
    green="greens vert verts colique",
    soy="soya soja copain",
    eye="eyed eyes oeil chaos",
    red="reds rouge rouges comique",
    garden="gardens jardin coriace",
    cocoa="cocoas cacao choco",
)
BOHNANZA = ReplyWords(
    called(
        plant="plants planting plante planter seme semer",
        reveal="revele reveler retourne retourner",
        harvest="harvests recolte recolter sell vends vendre",
        buy="achete acheter",
        accept="accepts accepte accepter",
        decline="declines refuse refuser",
        withdraw="retire retirer",
        discard="defausse defausser jette jeter",
        done="termine fini finished",
        go="continue continuer",
        giving="donnant",
        deal="",
        no="",
        nothing="rien",
        **{"in": "into dans"},
    )
    | BEANS
    | {"black": ("",), "noir": ("",), "noirs": ("",), "up": ("^",), "visible": ("^",), "face": ("",)}
    | dict.fromkeys(("offer", "offers", "offre", "offrir", "propose", "proposer"), ("offer", ""))
    | dict.fromkeys(("for", "contre", "pour"), ("for",))
    | dict.fromkeys(("to", "a", "au"), ("to", ""))
    | dict.fromkeys(("all", "everyone", "everybody", "tous"), ("all", "")),
    phrases(
        no_deal=r"no (?:deal|trade)|pas d'(?:echange|affaire)|aucun echange|rien a echanger",
        done=r"close (?:the |my )?market|(?:je )?ferme(?:r)? le marche",
        buy=r"buy (?:a |the )?(?:third )?field|achete(?:r)? (?:un |le )?(?:troisieme )?champ",
        reveal=r"turn(?:ing)? up (?:the |two )?cards|turn up",
    ),
    arrange=word_order.deals,
)

HARICOT_MAGIQUE = ReplyWords(
    called(
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
        skip=f"skips pass {PASSING}",
    )
    | listed("dice die des de level niveau")
    | dict.fromkeys(("card", "carte"), ("", "choose")),
    arrange=word_order.several_faces,
)

TONGUES: dict[str, ReplyWords] = {
    "haricots": HARICOTS,
    "fagioli": FAGIOLI,
    "pas_de_haricots": PAS_DE_HARICOTS,
    "bohnanza": BOHNANZA,
    "haricot_magique": HARICOT_MAGIQUE,
}
PLAIN = ReplyWords({})  # for a game without word lists: only notation is read
