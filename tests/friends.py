"""Friends at a table, for tests: a running match, always dealt the same way."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta

from beanpost.play.models import Match, Place, Vault
from beanpost.play.seats import joining, opening
from beanpost.players import accounts, confirming
from beanpost.players.models import Player
from games.contract.dice import compute_commitment
from tests.restored import CALLED, restored

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
    """A match that waits for everyone but Ann, who opened it."""
    players = [welcome(name, now) for name in NAMES[: seats - bots]]
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
        joining.set_word(match.places.get(player=keeper), "runner")
    return match


def welcome_player(address: str, name: str, *, now: datetime = NOON) -> Player:
    """A player who has answered a letter before."""
    player = accounts.get_or_create_player(address, name=name, now=now)
    confirming.confirm(player, now=now)
    return player


def welcome(name: str, now: datetime = NOON) -> Player:
    return accounts.get_or_create_player(f"{name.lower()}@example.org", name=CALLED.get(name, name), now=now)


@restored
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
    """A running match, dealt from a known secret, without grace periods."""
    match = gather(game, variant, seats=seats, pace=pace, now=now)
    Vault.objects.filter(match=match).update(secret=secret)
    Match.objects.filter(pk=match.pk).update(commitment=compute_commitment(secret))
    for place in match.places.exclude(player=match.keeper).select_related("player"):
        assert place.player is not None
        joining.accept_invitation(place, name=place.player.name, word=words[place.seat], now=now)
    match.places.update(excuses=excuses)
    match.refresh_from_db()
    return match


def let_have_played_before(match: Match) -> Match:
    """Give a match's players an earlier one of the same game, so that they are offered plans from their first turn."""
    earlier, places = Match.objects.get(pk=match.pk), list(match.places.all())
    earlier.pk, earlier.code, earlier.phase = None, f"before-{match.pk}", Match.Phase.ENDED
    earlier.started_at = earlier.ended_at = NOON - timedelta(days=9)
    earlier.save()
    for place in places:
        Place.objects.create(match=earlier, seat=place.seat, player=place.player, name=place.name, invited_at=NOON)
    match.loaded = None
    return match
