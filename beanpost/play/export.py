"""A match as versioned JSON, for whoever wants to keep it or check it (docs/export.md)."""

from __future__ import annotations

from typing import Any

from django.views.decorators.debug import sensitive_variables

import games
from beanpost.play import endings, history
from beanpost.play.models import Event, Match, Place, Vault, card
from games import witness
from games.chairs import HOUSE, Seat
from games.rules import is_sealed

FORMAT = "beanpost/1"
TAKEN_BACK = "…"  # a line that a rewind took back is sealed until the end


@sensitive_variables("vault", "table")
def export(match: Match, reader: Seat | None) -> dict[str, Any]:
    """All that a reader may have of a match that has begun; everything, once it has ended."""
    vault = Vault.objects.get(match=match)
    table = history.table(match, vault)
    ended = match.phase == Match.Phase.ENDED
    content = {
        "format": FORMAT,
        "card": card_of(match, list(match.places.all())),
        "entries": entries(match, vault, table.state, reader, everything=ended),
        "head": {"seq": match.length, "digest": match.head},
        "result": games.plain(endings.outcome(match, table)),
        "ended": match.ending or None,
    }
    return content | {"secret": bytes(vault.secret).hex()} if ended else content


@sensitive_variables("vault")
def revealed(match: Match) -> str | None:
    """The secret of a match, once it has ended."""
    if match.phase != Match.Phase.ENDED:
        return None
    return bytes(Vault.objects.get(match=match).secret).hex()


def card_of(match: Match, places: list[Place]) -> dict[str, Any]:
    laid = card(match, places)
    shown: dict[str, Any] = games.plain(laid)
    shown |= {"house_words": [place.word_of_house for place in places], "digest": match.card_digest or laid.digest}
    return shown | {"erased": True} if match.card_digest else shown


@sensitive_variables("vault", "state")
def entries(match: Match, vault: Vault, state: Any, reader: Seat | None, *, everything: bool) -> list[dict[str, Any]]:
    rules = games.get(match.game, match.edition)
    log = list(match.events.all())
    heard = {
        event.seq: None if rules.opens(step, state, reader) else rules.hears(step, state, reader)
        for event, step in history.standing(match, log)
    }
    return [
        entry(
            event,
            witness.nonce(bytes(vault.secret), event.seq),
            None if everything or event.seat == HOUSE else heard.get(event.seq, TAKEN_BACK),
        )
        for event in log
    ]


def entry(event: Event, nonce: str, heard: str | None) -> dict[str, Any]:
    """A line with its seal, and as it is heard, or else with its nonce where the reader may read it in full."""
    said_at = witness.instant(event.said_at)
    sealed = {
        "seq": event.seq,
        "seat": event.seat,
        "origin": event.origin,
        "said_at": said_at,
        "seal": witness.seal(nonce, event.seq, event.seat, event.line, event.origin, said_at),
        "digest": event.digest,
    }
    if heard is None:
        return sealed | {"line": event.line, "nonce": nonce}
    if event.seat >= 0 and is_sealed(heard):  # that the clock chose for somebody is told when the choice is
        del sealed["origin"]
    return sealed | {"heard": heard}
