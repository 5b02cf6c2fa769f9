"""Lines are sealed before they are chained, as docs/fairness.md specifies."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta, timezone
from typing import Any

import pytest

from games.contract.dice import encode_canonical
from games.verification import witness
from tests.games.vectors import vectors

VECTORS = vectors()
SECRET = bytes.fromhex(VECTORS["secret"])
ENTRY = VECTORS["entry"]
FIELDS: dict[str, Any] = VECTORS["card"]
CARD = witness.Card(**FIELDS | {"seats": tuple(FIELDS["seats"]), "words": tuple(FIELDS["words"])})


def test_the_digest_of_the_card_matches_the_vectors():
    assert CARD.digest == VECTORS["card_digest"]
    fields = [CARD.match, CARD.game, CARD.edition, CARD.variant, CARD.seats, CARD.commitment, CARD.words]
    assert encode_canonical(fields).decode() == VECTORS["canonical"]


def test_the_seal_and_digest_of_the_first_line_match_the_vectors():
    fields = [ENTRY[name] for name in ("seq", "seat", "line", "origin", "said_at")]
    assert encode_canonical(fields).decode() == ENTRY["canonical"]
    assert witness.compute_nonce(SECRET, ENTRY["seq"]) == ENTRY["nonce"]
    assert witness.compute_seal(ENTRY["nonce"], *fields) == ENTRY["seal"]
    assert witness.chain_digest(CARD.digest, ENTRY["seal"]) == ENTRY["digest"]


@pytest.mark.parametrize(
    ("field", "value"),
    [("match", "m-2"), ("game", "fagioli"), ("edition", 2), ("variant", "basic"), ("seats", ("Ben", "Ann", "Cid")),
     ("commitment", "0" * 64), ("words", ("haricot", "Bohne", "pea"))],
)  # fmt: skip
def test_everything_on_the_card_is_in_its_digest(field, value):
    assert replace(CARD, **{field: value}).digest != CARD.digest


def test_everything_about_a_line_is_in_its_seal():
    fields: dict[str, Any] = {
        "seq": 1,
        "seat": 0,
        "line": "pass",
        "origin": "player",
        "said_at": "2026-12-01T18:00:07Z",
    }
    others = {"seq": 2, "seat": 1, "line": "fold", "origin": "clock", "said_at": "2026-12-01T18:00:08Z"}
    seals = {witness.compute_seal("ab" * 32, **fields)} | {
        witness.compute_seal("ab" * 32, **(fields | {name: value})) for name, value in others.items()
    }
    assert len(seals) == 6


def test_a_seal_cannot_be_guessed_without_its_nonce():
    """The same line at two places has two seals, because every line has its own nonce."""
    fields = (0, "pass", "player", "2026-12-01T18:00:07Z")
    seals = {witness.compute_seal(witness.compute_nonce(SECRET, seq), 1, *fields) for seq in (1, 2)}
    assert len(seals) == 2


def test_a_digest_depends_on_all_lines_before():
    assert witness.chain_digest("a" * 64, "b" * 64) != witness.chain_digest("b" * 64, "b" * 64)


def test_a_moment_is_sealed_in_utc_and_whole_seconds():
    paris = timezone(timedelta(hours=1))
    assert witness.format_instant(datetime(2026, 12, 1, 19, 0, 7, 900_000, tzinfo=paris)) == "2026-12-01T18:00:07Z"
    assert witness.format_instant(datetime(2026, 12, 1, 18, 0, 7, tzinfo=UTC)) == "2026-12-01T18:00:07Z"
