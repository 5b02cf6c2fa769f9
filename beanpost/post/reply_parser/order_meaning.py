"""Standing orders in words: read the sentences with which pages and letters describe orders, in English and French.

Notation is tried first. Nothing is guessed: a text must match one of the sentences below completely.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from beanpost.play.display.wording import say
from beanpost.post.reply_parser.common_words import BEANS, BOHNANZA
from beanpost.post.reply_parser.spelling import normalise, words
from games.contract.errors import Unreadable
from games.contract.notation import Vocabulary, read
from games.contract.seats import called
from games.pas_de_haricots.card_preferences import TOLD, told_wish

MOST_LETTERS = 300
ORNAMENT = re.compile(r"[,;:.!“”«»\"]")
POLITE = re.compile(r"^(?:please|svp) | (?:please|svp|stp|s'il (?:vous|te) plait|thanks|thank you|merci)$")


def understood(text: str, game: str, vocabulary: Vocabulary, names: Sequence[str]) -> str:
    """Return the order that a text means, in notation, or ""."""
    if len(text) > MOST_LETTERS:
        return ""
    said = POLITE.sub("", plain(text))
    for line in (said, *in_notation(said, game, names)):
        try:
            return str(read(line, vocabulary))
        except Unreadable:
            continue
    return ""


def plain(text: str) -> str:
    """Normalise a text, and drop its punctuation.

    >>> plain("Donner 1 Harry Cogné, jusqu’à demain.")
    "donner 1 harry cogne jusqu'a demain"
    """
    return " ".join(ORNAMENT.sub(" ", normalise(text)).split())


def in_notation(text: str, game: str, names: Sequence[str]) -> Iterator[str]:
    for sentence in SENTENCES.get(game, ()):
        if found := sentence.pattern.fullmatch(text):
            gaps = {gap: value(gap, said or "", names) for gap, said in found.groupdict().items()}
            yield " ".join(sentence.says.format(**gaps).split())


# ── values of gaps ──


def value(gap: str, said: str, names: Sequence[str]) -> str:
    match gap:
        case "bean" | "beans":
            return " or ".join(map(bean, re.split(r" (?:or|ou) ", said)))
        case "spots":
            return " then ".join(map(spot, re.split(r" (?:then|puis) ", said)))
        case "wishes":
            known = wishes(names)
            return " else ".join(known.get(one, one) for one in re.split(r" (?:else|sinon) ", said))
        case "pile":
            return {"gauche": "left", "droite": "right"}.get(said, said)
        case "down":
            return "down" if said else ""
        case "plant":
            return f"plant {said}" if said else ""
    return said


def bean(said: str) -> str:
    """Return the one bean that a text names, or "".

    >>> bean("1 coffee bean"), bean("des harry cogne"), bean("black-eyed beans"), bean("a tree")
    ('coffee', 'coffee', 'eye', '')
    """
    meant = [way for word in words(said) for way in BOHNANZA.known(word)[:1] or (word,)]
    named = [name for name in meant if name not in ("", "1", "to")]
    return named[0] if len(named) == 1 and named[0] in BEANS else ""


SPOT = re.compile(r"(.+) (?:in|dans)(?: the| le)?(?: field| champ)? ([1-9])(?: (?:over|a la place de) ([0-9]+) (.+))?")


def spot(said: str) -> str:
    """Return a place to plant in notation, or "".

    >>> spot("1 stink bean in field 2 over 3 wax beans"), spot("harry cochon dans le champ 1")
    ('stink in 2 over 3 wax', 'stink in 1')
    """
    if not (found := SPOT.fullmatch(said)):
        return ""
    planted, field, many, crop = found.groups()
    return f"{bean(planted)} in {field}" + (f" over {many} {bean(crop)}" if crop else "")


def wishes(names: Sequence[str]) -> dict[str, str]:
    """Map the card preferences of Pas de Haricots, as worded in the reader's language, to notation."""
    seats = [f"from {called(seat)}" for seat in range(len(names))]
    return {plain(say(told_wish(wish), names)): wish for wish in reversed((*TOLD, *seats))}


# ── the sentences ──


@dataclass(frozen=True)
class OrderSentence:
    """A pattern that matches the wording of an order, and the order in notation, with gaps in braces."""

    pattern: re.Pattern[str]
    says: str


def sentences(*pairs: tuple[str, str]) -> tuple[OrderSentence, ...]:
    return tuple(OrderSentence(re.compile(re.sub(r"{(\w+)}", gap, told)), says) for told, says in pairs)


def gap(found: re.Match[str]) -> str:
    number = found[1] in ("turn", "round", "value", "card", "cards")
    return f"(?P<{found[1]}>{'[0-9]{1,4}' if number else '.+'})"


EVERYBODY = r"(?:everybody|everyone) is through"
TOUS = "quand tout le monde a repondu"
DOWN, AND_PLANT = "(?: (?P<down>face down|face cachee))?", "(?: (?:and plant|et planter?) (?P<plant>[0-9 ]+))?"
IF_IT_COUNTS = "in turn {turn} if {pile} counts {value} play {card} {down} {plant}"

SENTENCES = {
    "haricots": sentences(
        ("pass until some(?:body|one) plays below {value}", "pass until someone plays below {value}"),
        ("passer? jusqu'a ce que quelqu'un joue moins de {value}", "pass until someone plays below {value}"),
        ("pass on every turn of round {round}", "always pass in round {round}"),
        ("passer? a chaque tour de la manche {round}", "always pass in round {round}"),
        ("(?:se |me )?coucher? a la manche {round} quand rien ne peut etre joue",
         "fold in round {round} when nothing can be played"),
    ),
    "fagioli": sentences(
        (f"in turn {{turn}} if the {{pile}} pile counts {{value}} play {{card}}{DOWN}{AND_PLANT}", IF_IT_COUNTS),
        (f"au tour {{turn}} si la pile de {{pile}} compte {{value}} jouer? {{card}}{DOWN}{AND_PLANT}", IF_IT_COUNTS),
        ("play what equals a top until (?:my|your) hand has shrunk to {cards}",
         "play equal until the hand has {cards} cards"),
        ("jouer? ce qui egale une carte du dessus jusqu'a ce que (?:ma|votre) main soit reduite a {cards}",
         "play equal until the hand has {cards} cards"),
        ("play what would be played when time is up until turn {turn}", "play steadily until turn {turn}"),
        ("jouer? ce qui serait joue une fois le temps ecoule jusqu'au tour {turn}", "play steadily until turn {turn}"),
    ),
    "pas_de_haricots": sentences(
        ("in turn {turn} of round {round} take {wishes}", "take {wishes} in round {round} turn {turn}"),
        ("au tour {turn} de la manche {round} prend(?:re|s) {wishes}", "take {wishes} in round {round} turn {turn}"),
        ("in every turn of round {round} take {wishes}", "take {wishes} in round {round}"),
        ("a chaque tour de la manche {round} prend(?:re|s) {wishes}", "take {wishes} in round {round}"),
        ("in turn {turn} of round {round} play {wishes}", "play {wishes} in round {round} turn {turn}"),
        ("au tour {turn} de la manche {round} jouer? {wishes}", "play {wishes} in round {round} turn {turn}"),
        ("in every turn of round {round} play {wishes}", "play {wishes} in round {round}"),
        ("a chaque tour de la manche {round} jouer? {wishes}", "play {wishes} in round {round}"),
    ),
    "bohnanza": sentences(
        ("give {bean} for {beans} until (?:i|you) plant it", "give {bean} for {beans} until I plant it"),
        ("donner? {bean} (?:contre|pour) {beans} jusqu'a ce que (?:je plante|vous plantiez) cette carte",
         "give {bean} for {beans} until I plant it"),
        ("accept (?:any|every) gift of {beans}", "accept any gift of {beans}"),
        ("accepter? (?:en|tout) cadeau {beans}", "accept any gift of {beans}"),
        ("hide (?:all |any )?offers that ask (?:(?:me|you) )?for {beans}", "hide offers that ask for {beans} from me"),
        ("cacher? les offres qui (?:me|vous) demandent {beans}", "hide offers that ask for {beans} from me"),
        ("have no deal until turn {turn}", "no deal until turn {turn}"),
        ("ne rien echanger jusqu'au tour {turn}", "no deal until turn {turn}"),
        (f"close (?:my|your|the) markets? when {EVERYBODY}", "close when everybody is through"),
        (f"fermer? (?:mes|vos|les) marches {TOUS}", "close when everybody is through"),
        (f"close (?:my|your|the) market of turn {{turn}} when {EVERYBODY}",
         "close in turn {turn} when everybody is through"),
        (f"fermer? (?:mon|votre|le) marche du tour {{turn}} {TOUS}", "close in turn {turn} when everybody is through"),
        ("in turn {turn} plant of what (?:i|you) get {spots}", "in turn {turn} plant received {spots}"),
        ("au tour {turn} planter? de ce que (?:je recois|vous recevez) {spots}",
         "in turn {turn} plant received {spots}"),
        ("in turn {turn} plant {spots}", "in turn {turn} plant {spots}"),
        ("au tour {turn} planter? {spots}", "in turn {turn} plant {spots}"),
    ),
}  # fmt: skip
