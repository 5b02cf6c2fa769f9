"""Polite and small words that players of all games write, in English and French. Each game has words of its own.

A word that may be left out maps to an empty reading; an ambiguous word maps to all its readings. A word that is in no
list makes a line unreadable: "I do not pass" must never be read as "pass".
"""

from __future__ import annotations

from games.contract.replies.spelling import read_number
from games.contract.replies.words import ReplyWords, map_words

POLITE = """
    i we je j on nous me m will would like want wish am going to let us lets s il vous te toi plait veux voudrais vais
    aimerais aimerait souhaite please plz pls svp stp thanks thank you thx merci beaucoup bien bonjour bonsoir
    salut hello hi hey dear cheers ok okay yes oui alors well so bon donc then puis now maintenant again encore just
    sorry desole desolee simply simplement beanpost everyone everybody all tous tout monde coucou
"""
SMALL = """
    the a an le la les l un une des de du d of my mon ma mes this that ce cet cette ces celle celui turn tour round
    manche time fois card cards carte cartes from with avec and et also aussi on onto sur at by my move answer
    reply coup reponse is est choice choose choisis choisir
"""
OPTION = "option number numero no n choice choix choose choisis choisir move coup answer reponse"
BESIDE_OPTION = "the le la l my mon ma is est"  # "the number 2"; but "the nine" may be a card
AFTER_NUMBER = (
    "please pls plz thanks thank thx merci svp stp s is est"  # "two please"; a noun would be what "two" counts
)
TOGETHER = "we us you nous vous all tous toutes"  # "you two", "tous deux"

COMMON = {
    **map_words(POLITE),
    **map_words(SMALL),
    "un": ("", "1"),
    "une": ("", "1"),
}


def find_readings(replies: ReplyWords, word: str) -> tuple[str, ...]:
    """Return the readings of a word: the game's own or else those of all games. Return () for an unknown word."""
    if replies.cards.fullmatch(word):
        return (word,)
    if marked := replies.marked.fullmatch(word):
        before, name, after = marked.groups()
        return tuple(f"{before}{thing}{after}" for thing in replies.words.get(name, ()))
    return replies.words.get(word) or COMMON.get(word) or (read_number(word),) * bool(read_number(word))
