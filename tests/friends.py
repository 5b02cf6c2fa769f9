"""Friends at a table, for tests: a match that is being played, always dealt the same way."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime

from beanpost.play import opening
from beanpost.play.models import Match, Vault
from beanpost.players import book
from games.chance import commitment

NOON = datetime(2026, 11, 16, 12, tzinfo=UTC)
NAMES = ("Ann", "Bob", "Cleo", "Dora", "Emil", "Fay", "Gus")


def gather(
    game: str = "haricots",
    variant: str = "sprint",
    *,
    seats: int = 3,
    bots: int = 0,
    pace: str = "daily",
    now: datetime = NOON,
) -> Match:
    """A match that waits for everybody but Ann, who opened it."""
    players = [book.welcome(f"{name.lower()}@example.org", name=name, now=now) for name in NAMES[: seats - bots]]
    keeper, *guests = players
    planned = opening.plan(
        keeper,
        game=game,
        variant=variant,
        seats=seats,
        pace=pace,
        open_to_all=False,
        bots=bots,
        addresses=[guest.address for guest in guests],
    )
    match = opening.open_match(planned, keeper, now=now)
    if match.phase == Match.Phase.GATHERING:
        opening.add_word(match.places.get(player=keeper), "runner")
    return match


def seat_friends(
    game: str = "haricots",
    variant: str = "sprint",
    *,
    seats: int = 3,
    secret: bytes = b"the same deal in every test".ljust(32),
    words: Sequence[str] = ("runner", "broad", "lentil", "mung", "pinto", "navy", "soy"),
    pace: str = "daily",
    excuses: int = 0,
    now: datetime = NOON,
) -> Match:
    """A match that has begun, dealt from a secret we know, at which nobody is excused for being late."""
    match = gather(game, variant, seats=seats, pace=pace, now=now)
    Vault.objects.filter(match=match).update(secret=secret)
    Match.objects.filter(pk=match.pk).update(commitment=commitment(secret))
    for place in match.places.exclude(player=match.keeper).select_related("player"):
        assert place.player is not None
        opening.get_ready(place, name=place.player.name, word=words[place.seat], now=now)
    match.places.update(excuses=excuses)
    match.refresh_from_db()
    return match
