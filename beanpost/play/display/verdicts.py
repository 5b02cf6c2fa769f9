"""Whether a match was dealt fairly, as anybody can check on its exported file."""

from __future__ import annotations

from django.core.cache import cache

import games
from beanpost.play.display.wording import say
from beanpost.play.log import export
from beanpost.play.models import Match
from games.verification.verify import Verdict, verify


def try_to_verify(match: Match) -> tuple[Verdict | None, str]:
    """Return what the match proves, or what is wrong with it."""
    try:
        return verify_match(match), ""
    except games.RulesError as refusal:
        return None, say(refusal.phrase, ())


def verify_match(match: Match) -> Verdict:
    """Return what the match proves, cached once it has ended: replaying a long match takes a quarter of a second.

    The log of an ended match never changes. Erasing a player changes the card, and with it `card_digest`. A fault is
    not cached: once it is repaired, the page says so.
    """
    if match.phase != Match.Phase.ENDED:
        return verify(export.export_match(match, None))
    key = f"verdict/{match.pk}/{match.head}/{match.ending}/{match.card_digest}"
    found: Verdict | None = cache.get(key)
    if found is None:
        found = verify(export.export_match(match, None))
        cache.set(key, found, timeout=None)
    return found


def find_witness(found: Verdict, digest: str) -> str:
    try:
        return say(found.find_digest(digest), ())
    except games.RulesError as refusal:
        return say(refusal.phrase, ())
