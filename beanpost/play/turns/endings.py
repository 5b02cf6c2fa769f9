"""End a match other than by its rules: adjudicate (decide the ranks) or annul (it does not count).

Either is the last line of the log, and reveals the secret as every end does.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _

from beanpost.play import moves
from beanpost.play.models import Match
from beanpost.play.turns import house_lines
from games.contract.house_lines import Adjudicate, Annul
from games.contract.seats import Seat


def adjudicate(match: Match, best_first: Sequence[Seat], origin: str, now: datetime) -> None:
    """End a match with this ranking, the winner first. The caller holds the match's lock."""
    check_running(match)
    if sorted(best_first) != list(range(match.seats)):
        raise ValidationError(_("Name everyone at the table exactly once."))
    house_lines.add_house_line(match, Adjudicate(tuple(best_first)), origin, now)
    moves.finish(match, now, ending="adjudicated")


def annul(match: Match, origin: str, now: datetime) -> None:
    """End a match that is not to count. The caller holds the match's lock."""
    check_running(match)
    house_lines.add_house_line(match, Annul(), origin, now)
    moves.finish(match, now, ending="annulled")


def check_running(match: Match) -> None:
    if match.phase != Match.Phase.RUNNING:
        raise ValidationError(_("This match isn’t in progress."))
