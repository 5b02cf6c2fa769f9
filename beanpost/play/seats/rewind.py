"""Rewind a match to an earlier line.

Without a vote, lines can be rewound only back to the last one that revealed something: a dealer's line, a draw, a card
that was shown. Beyond that all players must consent, and are told what has been seen. Rewound lines stay in the log,
sealed until the end. The dealer's count is not rewound, so that nobody knows a roll in advance.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _
from django.views.decorators.debug import sensitive_variables

import games
from beanpost.play import load, moves
from beanpost.play.log import storage
from beanpost.play.models import Match, Order
from games.contract.asks import Step, is_sealed
from games.contract.game import Game
from games.contract.house_lines import Rewind
from games.contract.phrases import Phrase
from games.contract.seats import HOUSE, Seat
from games.engine.table import replay

DONE = "done"  # code of the errors that a repeated press meets
LAPSE_REASON = Phrase("some moves were undone")


def find_line_before(match: Match, seq: int) -> int:
    """Return the line to rewind to in order to undo a line of the story."""
    standing = [event.seq for event, _step in storage.replay_standing_moves(match, list(match.events.all()))]
    if seq not in standing:
        text = _("Line %(seq)d has already been undone. Choose another one.") % {"seq": seq}
        raise ValidationError(text, code=DONE)
    return max((other for other in standing if other < seq), default=0)


@sensitive_variables("step")
def needs_no_vote(match: Match, line: int) -> bool:
    """Return whether no line after this one has revealed anything to anybody."""
    rules, readers = games.get(match.game, match.edition), [None, *range(match.seats)]
    standing = storage.replay_standing_moves(match, list(match.events.all()))
    later = [(event, step) for event, step in standing if event.seq > line]
    return all(event.seat >= 0 and reveals_nothing(rules, step, readers) for event, step in later)


@sensitive_variables("step")
def reveals_nothing(rules: Game[Any, Any], step: Step[Any], readers: Sequence[Seat | None]) -> bool:
    """Return whether a line revealed nothing: it began no new phase, and is sealed for the others or quiet."""
    if type(step.before) is not type(step.after):
        return False
    others = [reader for reader in readers if reader != step.seat]
    return isinstance(step.action, rules.secrecy.quiet) or all(
        is_sealed(rules.secrecy.redact(step, step.after, reader)) for reader in others
    )


@sensitive_variables("table")
def rewind(match: Match, line: int, origin: str, now: datetime) -> None:
    """Rewind the match. Every question is asked anew, so older links answer none. The caller holds the match's lock."""
    if match.phase != Match.Phase.RUNNING:
        raise ValidationError(_("This match isn’t in progress."))
    lines = match.events.filter(seq__lte=line).order_by("seq").values_list("seat", "line")
    table = replay(storage.open_table(match), lines)
    match.waits.all().delete()
    lapse_orders(match, now)
    house_line = storage.NewLine(HOUSE, str(Rewind(line)), origin)
    moves.follow_up(load.load_locked(match), table, [house_line], now=now)


def was_rewound(match: Match, *, since: int) -> bool:
    """Return whether the match was rewound after a line."""
    return match.events.filter(seat=HOUSE, seq__gt=since, line__startswith="rewind ").exists()


def lapse_orders(match: Match, now: datetime) -> None:
    """Let all standing orders lapse: otherwise they might play the rewound lines again at once."""
    standing = Order.objects.filter(match=match, lapsed_at=None)
    standing.update(lapsed_at=now, reason=LAPSE_REASON.text, values=LAPSE_REASON.values)
