"""Parse the export of a match into frozen values. `docs/export.md` describes the file.

    RulesError
    └── VerificationFailed    the export fails verification
        ├── MalformedExport   something is missing, or has the wrong type
        ├── HashMismatch      a hash does not match
        └── RulesViolated     the hashes match, but the match was not played by the rules

Each carries a sentence that names the faulty line or part.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection
from dataclasses import dataclass
from typing import Any

from games.contract.errors import RulesError
from games.contract.phrases import Phrase
from games.contract.seats import DEALER, HOUSE, Seat
from games.verification.witness import Card

FORMAT = "beanpost/1"
ORIGINS = ("player", "bot", "clock", "house", "dealer", "organiser")
ENDINGS = ("finished", "annulled", "adjudicated", "expired")
HASH = re.compile("[0-9a-f]{64}")
MOMENT = re.compile("[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z")


class VerificationFailed(RulesError):
    """The export fails verification."""


class MalformedExport(VerificationFailed):
    """Something is missing from the file, or has the wrong type."""


class HashMismatch(VerificationFailed):
    """A hash does not match."""


class RulesViolated(VerificationFailed):
    """The hashes match, but the match was not played by the rules."""


@dataclass(frozen=True)
class ExportedEntry:
    seq: int
    seat: Seat
    origin: str | None
    said_at: str
    seal: str
    digest: str
    line: str | None  # None, like the nonce and perhaps the origin, while the line is sealed to this reader
    nonce: str | None


@dataclass(frozen=True)
class Outcome:
    scores: tuple[int, ...] | None  # None: the house decided the ranks
    ranks: tuple[int, ...]


@dataclass(frozen=True)
class Export:
    card: Card
    card_digest: str
    erased: bool  # a player had their name erased from the card; only the digest is unchanged
    entries: tuple[ExportedEntry, ...]
    head: tuple[int, str]
    ended: str | None
    result: Outcome | None
    secret: bytes | None


class Part:
    """A part of the file, with a name for error messages."""

    def __init__(self, value: Any, where: Phrase) -> None:
        if not isinstance(value, dict):
            raise MalformedExport("We found nothing readable in {where}.", where=where)
        self.value = value
        self.where = where

    def get(self, name: str, is_valid: Callable[[Any], bool], kind: Phrase) -> Any:
        if name not in self.value:
            raise MalformedExport("“{name}” is missing from {where}.", name=name, where=self.where)
        if not is_valid(self.value[name]):
            raise MalformedExport("“{name}” in {where} isn’t {kind}.", name=name, where=self.where, kind=kind)
        return self.value[name]

    def has(self, name: str) -> bool:
        return self.value.get(name) is not None

    def number(self, name: str) -> int:
        number: int = self.get(name, is_number, Phrase("a whole number"))
        return number

    def numbers(self, name: str) -> tuple[int, ...]:
        return tuple(self.get(name, is_list_of(is_number), Phrase("a list of whole numbers")))

    def text(self, name: str) -> str:
        text: str = self.get(name, is_text, Phrase("text"))
        return text

    def texts(self, name: str) -> tuple[str, ...]:
        return tuple(self.get(name, is_list_of(is_text), Phrase("a list of texts")))

    def hash(self, name: str) -> str:
        digits: str = self.get(name, matches(HASH), Phrase("64 hexadecimal digits in lower case"))
        return digits

    def one_of(self, name: str, words: Collection[str]) -> str:
        word: str = self.get(name, lambda value: value in words, Phrase("one of: {words}", words=" · ".join(words)))
        return word


def is_number(value: Any) -> bool:
    return type(value) is int  # not isinstance: a bool is an int too


def is_text(value: Any) -> bool:
    """Return whether a value is text. JSON can escape a lone surrogate, which cannot be encoded and hashed."""
    return isinstance(value, str) and not re.search("[\ud800-\udfff]", value)


def is_list_of(is_valid: Callable[[Any], bool]) -> Callable[[Any], bool]:
    return lambda value: isinstance(value, list) and all(map(is_valid, value))


def matches(pattern: re.Pattern[str]) -> Callable[[Any], bool]:
    return lambda value: isinstance(value, str) and bool(pattern.fullmatch(value))


def read(export: Any) -> Export:
    """Return an export as frozen values, or raise MalformedExport."""
    whole = Part(export, Phrase("the export"))
    whole.one_of("format", [FORMAT])
    part = Part(whole.value.get("card"), Phrase("the card"))
    card = read_card(part)
    entries = whole.get("entries", lambda value: isinstance(value, list), Phrase("a list of lines"))
    return Export(
        card=card,
        card_digest=part.hash("digest"),
        erased=part.has("erased"),
        entries=tuple(read_entry(entry, seq, len(card.seats)) for seq, entry in enumerate(entries, start=1)),
        head=read_head(Part(whole.value.get("head"), Phrase("the head"))),
        ended=whole.one_of("ended", ENDINGS) if whole.has("ended") else None,
        result=read_outcome(whole.value["result"]) if whole.has("result") else None,
        secret=bytes.fromhex(whole.hash("secret")) if whole.has("secret") else None,
    )


def read_card(part: Part) -> Card:
    return Card(
        match=part.text("match"),
        game=part.text("game"),
        edition=part.number("edition"),
        variant=part.text("variant"),
        seats=part.texts("seats"),
        commitment=part.hash("commitment"),
        words=part.texts("words"),
    )


def read_entry(value: Any, seq: int, seats: int) -> ExportedEntry:
    part = Part(value, Phrase("line {seq}", seq=seq))
    is_open = part.has("line") or part.has("nonce")
    entry = ExportedEntry(
        seq=part.number("seq"),
        seat=part.get("seat", lambda seat: is_number(seat) and HOUSE <= seat < seats, Phrase("a seat in this match")),
        origin=part.one_of("origin", ORIGINS) if is_open or part.has("origin") else None,
        said_at=part.get("said_at", matches(MOMENT), Phrase("a time like 2026-12-01T18:00:07Z")),
        seal=part.hash("seal"),
        digest=part.hash("digest"),
        line=part.text("line") if is_open else None,
        nonce=part.hash("nonce") if is_open else None,
    )
    if not is_open:
        part.text("heard")
    if entry.origin and (entry.seat == DEALER) != (entry.origin == "dealer"):
        raise MalformedExport("The seat and origin of line {seq} don’t match.", seq=seq)
    return entry


def read_head(part: Part) -> tuple[int, str]:
    return part.number("seq"), part.hash("digest")


def read_outcome(value: Any) -> Outcome:
    part = Part(value, Phrase("the result"))
    return Outcome(part.numbers("scores") if part.has("scores") else None, part.numbers("ranks"))
