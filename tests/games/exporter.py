"""Play a match line by line and export it as docs/export.md describes, for tests of code that reads exports."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import games
from games.contract import house_lines
from games.contract.asks import Step
from games.contract.dice import compute_commitment
from games.contract.notation import read
from games.engine.bots import choose_next_action
from games.engine.table import Table, resolve_rewind
from games.verification import witness

SECRET = bytes(range(32))
WORDS = ("haricot", "Bohne", "fagiolo", "bean", "judía", "фасоль", "豆")
NAMES = ("Ann", "Ben", "Cid", "Dora", "Eva", "Finn", "Gus")
OPENED = datetime(2026, 12, 1, 18, tzinfo=UTC)


class Match:
    """A growing log, with the tables and steps along the way."""

    def __init__(self, slug: str = "haricots", seats: int = 3, variant: str | None = None) -> None:
        self.tables: list[Table[Any, Any]] = [games.open(slug, seats=seats, variant=variant)]
        self.dealer = games.Seeded(SECRET, WORDS[:seats])
        self.log: list[tuple[int, str, str]] = []
        self.steps: list[Step[Any] | None] = []

    @property
    def table(self) -> Table[Any, Any]:
        return self.tables[-1]

    def says(self, seat: int, line: str, origin: str = "player") -> None:
        before, after = self.table, self.table.says(seat, line)
        self.steps.append(Step(before.state, seat, before.read(seat, line), after.state))
        self.log.append((seat, line, origin))
        self.tables.append(after)

    def house(self, line: str) -> None:
        seq = len(self.log) + 1
        self.tables.append(self.tables[resolve_rewind(seq, read(line, house_lines.VOCABULARY))])
        self.steps.append(None)
        self.log.append((games.HOUSE, line, "organiser"))

    def play(self, lines: int = 10_000) -> Match:
        """Let bots play all seats for this many lines, or to the end."""
        for _ in range(lines):
            if not self.table.asks:
                break
            if self.table.ask(games.DEALER):
                nth = sum(seat == games.DEALER for seat, _, _ in self.log)
                self.says(games.DEALER, self.dealer.answer(self.table, nth), "dealer")
            else:
                seat, action = choose_next_action(self.table, [self.table.rules.bot] * self.table.seats)
                self.says(seat, str(action))
        return self

    @property
    def card(self) -> witness.Card:
        rules, seats = self.table.rules, self.table.seats
        return witness.Card(
            match="m-1",
            game=rules.slug,
            edition=rules.edition,
            variant=self.table.variant,
            seats=NAMES[:seats],
            commitment=compute_commitment(SECRET),
            words=WORDS[:seats],
        )

    def export(self, ended: str | None = None, reader: int | None = None) -> dict[str, Any]:
        card = self.card
        names = ("match", "game", "edition", "variant", "commitment")
        entries = self.entries(ended, reader)
        head = {"seq": len(entries), "digest": entries[-1]["digest"] if entries else card.digest}
        return {
            "format": "beanpost/1",
            "card": {name: getattr(card, name) for name in names}
            | {"seats": list(card.seats), "words": list(card.words)}
            | {"house_words": [False] * len(card.words), "digest": card.digest},
            "entries": entries,
            "head": head,
            "ended": ended,
            "result": self.result(ended),
        } | ({"secret": SECRET.hex()} if ended else {})

    def entries(self, ended: str | None, reader: int | None) -> list[dict[str, Any]]:
        digest, rows = self.card.digest, []
        for seq, (seat, line, origin) in enumerate(self.log, start=1):
            said_at = witness.format_instant(OPENED + timedelta(hours=seq))
            nonce = witness.compute_nonce(SECRET, seq)
            seal = witness.compute_seal(nonce, seq, seat, line, origin, said_at)
            digest = witness.chain_digest(digest, seal)
            redacted = None if ended else self.redact_line(seq, reader)
            words = {"line": line, "nonce": nonce} if redacted is None else {"heard": redacted}
            origins = {"origin": origin} if redacted is None or seat == games.DEALER else {}
            rows.append(
                {"seq": seq, "seat": seat, "said_at": said_at, "seal": seal, "digest": digest} | origins | words
            )
        return rows

    def redact_line(self, seq: int, reader: int | None) -> str | None:
        """Return a line as the reader may see it, or None if they may read it in full."""
        rules, step, now = self.table.rules, self.steps[seq - 1], self.table.state
        return None if step is None or rules.may_verify(step, now, reader) else rules.secrecy.redact(step, now, reader)

    def result(self, ended: str | None) -> dict[str, Any] | None:
        if ended == "finished" and self.table.result:
            return {"scores": list(self.table.result.scores), "ranks": list(self.table.result.ranks)}
        if ended == "adjudicated":
            letters = self.log[-1][1].split()[1:]
            return {"scores": None, "ranks": [1 + letters.index(letter) for letter in "ABCDEFG"[: self.table.seats]]}
        return None
