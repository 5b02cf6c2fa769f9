"""Export a match as versioned JSON, to keep or to verify (docs/export.md)."""

from __future__ import annotations

from typing import Any

from django.views.decorators.debug import sensitive_variables

import games
from beanpost.play.log import outcome, storage
from beanpost.play.models import Event, Match, Place, Vault, build_card
from games.contract.asks import is_sealed
from games.contract.seats import HOUSE, Seat
from games.verification import witness

FORMAT = "beanpost/1"
REWOUND = "…"  # in place of a line that was rewound: it is sealed until the end


@sensitive_variables("vault", "table")
def export_match(match: Match, reader: Seat | None) -> dict[str, Any]:
    """Return all that a reader may know of a match that has begun; everything, once it has ended."""
    vault = Vault.objects.get(match=match)
    table = storage.restore_table(match, vault)
    ended = match.phase == Match.Phase.ENDED
    content = {
        "format": FORMAT,
        "card": export_card(match, list(match.places.all())),
        "entries": export_entries(match, vault, table.state, reader, everything=ended),
        "head": {"seq": match.length, "digest": match.head},
        "result": games.plain(outcome.find_outcome(match, table)),
        "ended": match.ending or None,
    }
    return content | {"secret": bytes(vault.secret).hex()} if ended else content


@sensitive_variables("vault")
def reveal_secret(match: Match) -> str | None:
    """Return the secret of a match that has ended."""
    if match.phase != Match.Phase.ENDED:
        return None
    return bytes(Vault.objects.get(match=match).secret).hex()


def export_card(match: Match, places: list[Place]) -> dict[str, Any]:
    laid = build_card(match, places)
    shown: dict[str, Any] = games.plain(laid)
    shown |= {"house_words": [place.word_of_house for place in places], "digest": match.card_digest or laid.digest}
    return shown | {"erased": True} if match.card_digest else shown


@sensitive_variables("vault", "state")
def export_entries(
    match: Match, vault: Vault, state: Any, reader: Seat | None, *, everything: bool
) -> list[dict[str, Any]]:
    rules = games.get(match.game, match.edition)
    log = list(match.events.all())
    redacted = {
        event.seq: None if rules.may_verify(step, state, reader) else rules.secrecy.redact(step, state, reader)
        for event, step in storage.replay_standing_moves(match, log)
    }
    return [
        export_entry(
            event,
            witness.compute_nonce(bytes(vault.secret), event.seq),
            None if everything or event.seat == HOUSE else redacted.get(event.seq, REWOUND),
        )
        for event in log
    ]


def export_entry(event: Event, nonce: str, redacted: str | None) -> dict[str, Any]:
    """Return a line with its seal: as the reader may see it, or (`redacted` is None) in full and with its nonce."""
    said_at = witness.format_instant(event.said_at)
    sealed = {
        "seq": event.seq,
        "seat": event.seat,
        "origin": event.origin,
        "said_at": said_at,
        "seal": witness.compute_seal(nonce, event.seq, event.seat, event.line, event.origin, said_at),
        "digest": event.digest,
    }
    if redacted is None:
        return sealed | {"line": event.line, "nonce": nonce}
    if event.seat >= 0 and is_sealed(redacted):  # that the clock chose is revealed with the choice
        del sealed["origin"]
    return sealed | {"heard": redacted}
