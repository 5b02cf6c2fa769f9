"""Players' words for Bohnanza, in English and French."""

from __future__ import annotations

import re
from collections.abc import Iterator

from games.contract.replies.words import (
    MAX_COPIES,
    ReplyWords,
    Wording,
    Words,
    compile_orders,
    map_phrases,
    map_synonyms,
    map_words,
)
from games.contract.seats import LETTERS

FACE_UP = "^"
ADDRESSEES = (*"abcdefg", "all")
VERBS = {"accept", "all", "buy", "deal", "decline", "discard", "done", "for", "giving", "go", "harvest", "in", "no",
         "nothing", "offer", "plant", "reveal", "to", "withdraw", *"abcdefg"}  # fmt: skip
MARKED = re.compile(r"(?=.*[*@])(\*?)([a-z]+)((?:@[0-9]+)?)")  # *soy, red@2
WORDS_BEFORE_NUMBERS = ("in", "accept", "decline", "withdraw", "harvest")  # the number after them is not a count


# ── the order of words ──


def arrange_deal(words: Words) -> Iterator[Words]:
    """Put the addressee of an offer last, or try all of them if none is named.

    A "to" behind the verb must name one: "to a" may be the seat or the beginning of a name, and is not read.
    """
    row = repeat_counted_beans(words)
    if row[:2] == ["to", "offer"]:  # "I'd like to offer"
        row = row[1:]
    if row[:1] != ["offer"]:
        yield [word for word in row if word != "to"]
        return
    at = next((n for n in range(len(row) - 1) if row[n] == "to" and row[n + 1] in ADDRESSEES), None)
    if at is not None:
        yield [*row[:at], *row[at + 2 :], "to", row[at + 1]]
    elif "to" not in row:
        yield from ([*row, "to", somebody] for somebody in ADDRESSEES)


def repeat_counted_beans(words: Words) -> list[str]:
    """Repeat a thing as often as the number before it says. `^` before or after a thing marks it as lying face up.

    >>> repeat_counted_beans(["offer", "2", "soy", "^", "for", "red"])
    ['offer', '*soy', '*soy', 'for', 'red']
    >>> repeat_counted_beans(["plant", "coffee", "in", "2"])
    ['plant', 'coffee', 'in', '2']
    """
    row: list[str] = []
    times, starred = 1, False
    last: list[int] = []  # positions of the things named last
    for word in words:
        if word == FACE_UP:
            starred = not last
            for place in last:
                row[place] = "*" + row[place].lstrip("*")
        elif is_thing(word):
            last = list(range(len(row), len(row) + times))
            row += ["*" + word.lstrip("*") if starred else word] * times
            times, starred = 1, False
            continue
        elif word.isdigit() and not (row and row[-1] in WORDS_BEFORE_NUMBERS):
            times = min(int(word), MAX_COPIES)
            row.append(word)
            last = []
            continue
        else:
            row.append(word)
        times, last = 1, []
    return without_counts(row)


def without_counts(row: list[str]) -> list[str]:
    """Drop the numbers that were counts of the next word."""
    return [
        word for word, follower in zip(row, [*row, ""][1:], strict=True) if not (word.isdigit() and is_thing(follower))
    ]


def is_thing(word: str) -> bool:
    return word not in VERBS and word.lstrip("*").partition("@")[0].isalpha()


# ── gaps of orders ──


def read_bean(text: str, wording: Wording) -> str:
    """Return the one bean that a text names, or ""."""
    meant = [way for word in wording.split_words(text) for way in wording.known(word)[:1] or (word,)]
    named = [name for name in meant if name not in ("", "1", "to")]
    return named[0] if len(named) == 1 and named[0] in BEANS else ""


def read_beans(text: str, wording: Wording) -> str:
    return " or ".join(read_bean(one, wording) for one in re.split(r" (?:or|ou) ", text))


SPOT = re.compile(
    r"(.+) (?:in|dans)(?: the| le)?(?: field| champ)? ([1-9])"
    r"(?: (?:over|en vendant|a la place de) ([0-9]+|an?|une?) (.+))?"
)


def read_spot(text: str, wording: Wording) -> str:
    """Return a place to plant in notation, or ""."""
    if not (found := SPOT.fullmatch(text)):
        return ""
    planted, field, many, crop = found.groups()
    return f"{read_bean(planted, wording)} in {field}" + (
        f" over {many if many.isdigit() else 1} {read_bean(crop, wording)}" if crop else ""
    )


def read_spots(text: str, wording: Wording) -> str:
    return " then ".join(read_spot(one, wording) for one in re.split(r" (?:then|puis) ", text))


# ── the words ──

BEANS = map_synonyms(
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
EVERYBODY = r"(?:when (?:everybody|everyone) is through|once (?:everybody|everyone) has answered)"
EVERYBODY_FR = "quand tout le monde a repondu"
NOTHING_BEHIND = r"(?=\W*(?:$|for\b|contre\b|pour\b|please\b|to\b|a\b))"
SEAT = re.compile(rf"\b(?:seat|player|joueur|joueuse) ([a-g])\b{NOTHING_BEHIND}")  # "player a red bean" is no seat
BARE_A = re.compile(rf"\ba\b{NOTHING_BEHIND}")  # no article: nothing follows that it could belong to

REPLIES = ReplyWords(
    map_synonyms(
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
    | map_words("seat player joueur joueuse bean beans haricot haricots harry field fields champ champs pile piles tas")
    | {"black": ("",), "noir": ("",), "noirs": ("",), "up": ("^",), "visible": ("^",), "face": ("",)}
    | dict.fromkeys(("offer", "offers", "offre", "offrir", "propose", "proposer"), ("offer", ""))
    | dict.fromkeys(("for", "contre", "pour"), ("for",))
    | dict.fromkeys(("to", "au"), ("to",))
    | {"a": ("to", "")}  # French “à”, or the English article
    | dict.fromkeys(("all", "everyone", "everybody", "tous"), ("all", "")),
    map_phrases(
        no_deal=r"no (?:deal|trade)|nothing to trade|pas d'(?:echange|affaire)|aucun echange|rien a echanger",
        done=r"close (?:the |my )?market|(?:je )?ferme(?:r)? le marche",
        buy=r"buy (?:a |the )?(?:third )?field|achete(?:r)? (?:un |le )?(?:troisieme )?champ",
        reveal=r"turn(?:ing)? up (?:the |two )?cards|turn up",
    ),
    arrange=arrange_deal,
    marked=MARKED,
    patterns=((SEAT, lambda found: f"seat@{LETTERS.index(found[1].upper())}"), (BARE_A, lambda found: "to")),
    needs_object=frozenset({"plant", "offer", "no"}),
    may_go_unsaid=frozenset({"plant"}),
    numbers={"field fields champ champs": re.compile(r"(?:plant \S+ in|harvest) ([0-9])")},
    orders=compile_orders(
        ("(?:give|trade) {bean} for {beans} until (?:i|you) plant it", "give {bean} for {beans} until I plant it"),
        (
            "donner? {bean} (?:contre|pour) {beans} jusqu'a ce que (?:je plante|vous plantiez) cette carte",
            "give {bean} for {beans} until I plant it",
        ),
        ("accept (?:any|every) gift of {beans}", "accept any gift of {beans}"),
        ("accepter? (?:en|tout) cadeau {beans}", "accept any gift of {beans}"),
        ("hide (?:all |any )?offers that ask (?:(?:me|you) )?for {beans}", "hide offers that ask for {beans} from me"),
        ("hide (?:all |any )?offers asking for (?:my |your )?{beans}", "hide offers that ask for {beans} from me"),
        ("cacher? les offres qui (?:me|vous) demandent {beans}", "hide offers that ask for {beans} from me"),
        ("no deal until turn {turn} unless a trade would pay", "no deal until turn {turn} unless a trade pays"),
        (
            "ne rien echanger jusqu'au tour {turn} sauf si un echange rapporte",
            "no deal until turn {turn} unless a trade pays",
        ),
        ("through turn {turn} plant (?:for (?:me|you) )?where it pays best", "plant well through turn {turn}"),
        (
            "jusqu'au tour {turn} compris planter? (?:pour (?:moi|vous) )?la ou cela rapporte le plus",
            "plant well through turn {turn}",
        ),
        (
            "through turn {turn} plant and trade (?:for (?:me|you) )?where it pays",
            "play on through turn {turn}",
        ),
        (
            "jusqu'au tour {turn} compris planter? et echanger? (?:pour (?:moi|vous) )?la ou cela rapporte",
            "play on through turn {turn}",
        ),
        ("(?:have )?no deal until turn {turn}", "no deal until turn {turn}"),
        ("ne rien echanger jusqu'au tour {turn}", "no deal until turn {turn}"),
        (f"close (?:my|your|the) markets? {EVERYBODY}", "close when everybody is through"),
        (f"fermer? (?:mes|vos|les) marches {EVERYBODY_FR}", "close when everybody is through"),
        (
            f"close (?:my|your|the) market of turn {{turn}} {EVERYBODY}",
            "close in turn {turn} when everybody is through",
        ),
        (
            f"in turn {{turn}} close (?:my|your|the) market {EVERYBODY}",
            "close in turn {turn} when everybody is through",
        ),
        (
            f"au tour {{turn}} fermer? (?:mon|votre|le) marche {EVERYBODY_FR}",
            "close in turn {turn} when everybody is through",
        ),
        ("in turn {turn} plant (?:of )?what (?:i|you) get {spots}", "in turn {turn} plant received {spots}"),
        (
            "au tour {turn} planter? de ce que (?:je recois|vous recevez) {spots}",
            "in turn {turn} plant received {spots}",
        ),
        ("in turn {turn} plant {spots}", "in turn {turn} plant {spots}"),
        ("au tour {turn} planter? {spots}", "in turn {turn} plant {spots}"),
    ),
    gaps={"bean": read_beans, "beans": read_beans, "spots": read_spots},
)
