"""Verify an export: check that a match was played as the file says.

While a match runs, check the chain and the seals this reader can open. Once it has ended, the secret opens everything:
replay every line, the dealer's included, and compare.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from games.contract import house_lines
from games.contract.asks import Result
from games.contract.dice import compute_commitment
from games.contract.errors import RulesError
from games.contract.house_lines import Adjudicate, Annul, Forfeit, Sit
from games.contract.notation import Action, read
from games.contract.phrases import Phrase, Plural
from games.contract.seats import DEALER, HOUSE, Seat, seat_label
from games.engine import catalogue
from games.engine.dealer import Seeded
from games.engine.table import Table, resolve_rewind
from games.verification import witness
from games.verification.export import Export, ExportedEntry, HashMismatch, MalformedExport, Outcome, RulesViolated
from games.verification.export import read as read_export

MIN_DIGITS = 16  # as many as the foot of a letter shows

ENDED = {
    "finished": Phrase("The result follows from the rules."),
    "adjudicated": Phrase("The organiser decided the result."),
    "annulled": Phrase("The match was annulled."),
    "expired": Phrase("The match ran out of time and has no result."),
}

ERASED = Phrase("A player’s name was deleted from the card at their request, so we take the card’s digest as given.")


@dataclass(frozen=True)
class Verdict:
    """The facts that an export proves."""

    opened: int
    ended: str | None
    digests: tuple[str, ...]  # the card's digest, then each line's
    erased: bool = False  # a name was erased from the card, so its digest can no longer be compared
    gave_up: tuple[Seat, ...] = ()  # seats whose players gave up and were not replaced

    @property
    def lines(self) -> int:
        return len(self.digests) - 1

    def find_digest(self, digest: str) -> Phrase:
        """Return a sentence that says which line a digest, or its first digits, belongs to, or raise HashMismatch."""
        digest = digest.strip().lower()
        if len(digest) < MIN_DIGITS:
            raise HashMismatch("Please give at least {count} digits of the digest.", count=MIN_DIGITS)
        found = [seq for seq, own in enumerate(self.digests) if own.startswith(digest)]
        if not found:
            raise HashMismatch("This digest doesn’t belong to this match.")
        if len(found) > 1:
            raise HashMismatch("More than one line has a digest that begins like this. Please give the whole digest.")
        return describe_digest(found[0], is_whole=digest in self.digests)

    @property
    def sentences(self) -> tuple[Phrase, ...]:
        return (*self.line_sentences, ERASED) if self.erased else self.line_sentences

    @property
    def line_sentences(self) -> tuple[Phrase, ...]:
        if self.ended is None:
            return (
                Plural(
                    "1 line: {opened} open, {sealed} sealed until the end.",
                    "{count} lines: {opened} open, {sealed} sealed until the end.",
                    count=self.lines, opened=self.opened, sealed=self.lines - self.opened,
                ),
            )  # fmt: skip
        line_count = Plural("1 line, open.", "{count} lines, all open.", count=self.lines)
        checks = Phrase("The commitment, the chain, every dealer line and every move check out.")
        return line_count, checks, ENDED[self.ended], *self.last_places

    @property
    def last_places(self) -> tuple[Phrase, ...]:
        """Players who gave up share the last place, but the result is that of the rules or the organiser's line."""
        if not self.gave_up or self.ended not in {"finished", "adjudicated"}:
            return ()
        seats = ", ".join(map(seat_label, self.gave_up))
        return (
            Plural(
                "Seat {seats} gave up and comes last.", "Seats {seats} gave up and share the last place.",
                count=len(self.gave_up), seats=seats,
            ),
        )  # fmt: skip

    def __str__(self) -> str:
        return " ".join(map(str, self.sentences))


def describe_digest(seq: int, *, is_whole: bool) -> Phrase:
    if is_whole and seq:
        return Phrase("This is the digest of line {seq}.", seq=seq)
    if is_whole:
        return Phrase("This is the digest of the card, before the first line.")
    return Phrase(
        "The digest of line {seq} begins like this. Only the whole digest proves it: it is in the letter’s header "
        "Beanpost-Head, and at the end of its plain text.",
        seq=seq,
    )


def verify(exported: Mapping[str, Any]) -> Verdict:
    """Return what an export proves, or raise a RulesError that names its first fault."""
    export = read_export(exported)
    check_card(export)
    check_secret(export)
    check_chain(export)
    if export.secret is not None:
        check_end(export, replay_export(export, export.secret))
    opened = sum(entry.nonce is not None for entry in export.entries)
    digests = (export.card_digest, *(entry.digest for entry in export.entries))
    return Verdict(opened, export.ended, digests, export.erased, find_gave_up(export))


# ── the hashes ───────────────────────────────────────────────────────────────────────────────────


def check_card(export: Export) -> None:
    if export.card.digest != export.card_digest and not export.erased:
        raise HashMismatch("The card was changed: its digest doesn’t match.")


def check_secret(export: Export) -> None:
    if export.ended is None:
        if export.secret is not None:
            raise MalformedExport("A match in progress doesn’t reveal its secret.")
    elif export.secret is None:
        raise MalformedExport("The match has ended, but its secret is missing.")
    elif compute_commitment(export.secret) != export.card.commitment:
        raise HashMismatch("The secret isn’t the one we committed to.")


def check_chain(export: Export) -> None:
    digest = export.card_digest
    for seq, entry in enumerate(export.entries, start=1):
        if entry.seq != seq:
            raise HashMismatch("Line {seq} is missing: line {other} is in its place.", seq=seq, other=entry.seq)
        digest = witness.chain_digest(digest, entry.seal)
        if entry.digest != digest:
            raise HashMismatch(
                "The chain breaks at line {seq}: its digest doesn’t follow from the line before.", seq=seq
            )
        check_seal(entry, export.secret)
    if export.head != (len(export.entries), digest):
        raise HashMismatch("The head isn’t the digest of the last line: lines were cut or added.")


def check_seal(entry: ExportedEntry, secret: bytes | None) -> None:
    seq = entry.seq
    if secret is not None and entry.nonce is None:
        raise MalformedExport("The match has ended, but line {seq} is still sealed.", seq=seq)
    if secret is not None and entry.nonce != witness.compute_nonce(secret, seq):
        raise HashMismatch("The nonce of line {seq} doesn’t follow from the secret.", seq=seq)
    if entry.nonce is None or entry.line is None or entry.origin is None:
        return
    if witness.compute_seal(entry.nonce, seq, entry.seat, entry.line, entry.origin, entry.said_at) != entry.seal:
        raise HashMismatch("Line {seq} was changed: it doesn’t match its seal.", seq=seq)


# ── replay the match ─────────────────────────────────────────────────────────────────────────────


def replay_export(export: Export, secret: bytes) -> Table[Any, Any]:
    """Replay the log, checking every line, and return the table at its end."""
    dealer, dealt = Seeded(secret, export.card.words), 0
    tables = [open_table(export)]  # tables[n] is the table after line n, for rewinds
    for entry in export.entries:
        if entry.seat == DEALER:
            check_dealer(entry, tables[-1], dealer, dealt)
            dealt += 1  # a rewind does not reset the count, so nobody knows a roll in advance
        after = apply_house_line(entry, tables, export) if entry.seat == HOUSE else replay_line(entry, tables[-1])
        tables.append(after)
    return tables[-1]


def open_table(export: Export) -> Table[Any, Any]:
    card = export.card
    table = catalogue.open(card.game, seats=len(card.seats), variant=card.variant, edition=card.edition)
    if len(card.words) != len(card.seats):
        raise RulesViolated("There isn’t one word for each seat.")
    return table


def check_dealer(entry: ExportedEntry, table: Table[Any, Any], dealer: Seeded, nth: int) -> None:
    if table.ask(DEALER) and entry.line != dealer.answer(table, nth):
        raise RulesViolated("Line {seq} isn’t what the secret and the words make the dealer say.", seq=entry.seq)


def replay_line(entry: ExportedEntry, table: Table[Any, Any]) -> Table[Any, Any]:
    try:
        after = table.says(entry.seat, str(entry.line))
    except RulesError as error:
        raise rules_violated(entry, error) from error
    if after.lines[-1].line != entry.line:
        raise RulesViolated("Line {seq} isn’t in the stored format.", seq=entry.seq)
    return replace(after, lines=())  # the export has the log: no need to carry it along


def apply_house_line(entry: ExportedEntry, tables: list[Table[Any, Any]], export: Export) -> Table[Any, Any]:
    """Return the table after a line of the house. Only a rewind changes the game."""
    try:
        action = read(str(entry.line), house_lines.VOCABULARY)
        after = tables[resolve_rewind(entry.seq, action)]
    except RulesError as error:
        raise rules_violated(entry, error) from error
    if isinstance(action, Adjudicate | Annul) and entry.seq != len(export.entries):
        raise RulesViolated("Line {seq} ends the match, but more lines follow.", seq=entry.seq)
    return after


def rules_violated(entry: ExportedEntry, error: RulesError) -> RulesViolated:
    return RulesViolated("Line {seq}, “{line}” by {who}, breaks the rules: {reason}",
                  seq=entry.seq, line=str(entry.line), who=seat_label(entry.seat), reason=error.phrase)  # fmt: skip


# ── how it ended ─────────────────────────────────────────────────────────────────────────────────


def check_end(export: Export, table: Table[Any, Any]) -> None:
    expected: Outcome | None = None
    match export.ended, find_closing_line(export), table.result:
        case "finished", None, Result(scores, ranks):
            expected = Outcome(scores, ranks)
        case "adjudicated", Adjudicate(seats), _:
            expected = Outcome(None, ranks_from_order(seats, table.seats))
        case ("annulled", Annul(), _) | ("expired", None, _):
            pass
        case _:
            raise RulesViolated(
                "The match is recorded as {ended}, but its log doesn’t end that way.", ended=str(export.ended)
            )
    if export.result != expected:
        raise RulesViolated("The result doesn’t follow from the log.")


def find_gave_up(export: Export) -> tuple[Seat, ...]:
    """Return the seats that gave up for good: nobody took them over."""
    gone: set[Seat] = set()
    for entry in export.entries:
        match read(entry.line, house_lines.VOCABULARY) if entry.seat == HOUSE and entry.line else None:
            case Forfeit(seat):
                gone.add(seat)
            case Sit(seat, "person"):
                gone.discard(seat)
    return tuple(sorted(gone))


def find_closing_line(export: Export) -> Action | None:
    """Return the line with which the house ended the match, if it did."""
    if not export.entries or (last := export.entries[-1]).seat != HOUSE:
        return None
    action = read(str(last.line), house_lines.VOCABULARY)
    return action if isinstance(action, Adjudicate | Annul) else None


def ranks_from_order(best_first: tuple[int, ...], seats: int) -> tuple[int, ...]:
    """Return the ranks by seat; `adjudicate B A C` puts B first."""
    if sorted(best_first) != list(range(seats)):
        raise RulesViolated("The organiser’s decision doesn’t give every seat a place.")
    return tuple(1 + best_first.index(seat) for seat in range(seats))
