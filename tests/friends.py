"""Friends at a table, for tests: a running match, always dealt the same way."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any

from django.apps import apps
from django.conf import settings
from django.core.management.color import no_style
from django.db import connection
from django.db.models import Model
from django.utils.translation import get_language

from beanpost.play.models import Match, Place, Pulse, Vault
from beanpost.play.seats import joining, opening
from beanpost.players import accounts, confirming
from beanpost.players.models import Player
from games.contract.dice import compute_commitment
from tests.chance import seeded

NOON = datetime(2026, 11, 16, 12, tzinfo=UTC)
NAMES = ("Ann", "Bob", "Cleo", "Dora", "Emil", "Fay", "Gus")

ROOMS = ("players", "play", "post")  # the tables that seating friends writes to
CALLED: dict[str, str] = {}  # other names for the players, for tests that need hostile ones
Rows = dict[type[Model], list[Model]]
REMEMBERED: dict[tuple[object, ...], Rows] = {}  # the rows of each kind of match that a test has started with


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


def seat_friends(*kind: str, **wishes: Any) -> Match:
    """A running match. The first one of each kind is recorded, and later tests restore it if there are no players yet:
    creating it takes some sixty queries.
    """
    if "now" in wishes:  # it differs from test to test
        return seat(*kind, **wishes)
    return remembered((kind, *sorted(wishes.items())), lambda: seat(*kind, **wishes))


def remembered(wish: tuple[object, ...], start: Callable[[], Match]) -> Match:
    """Start a match, or restore its rows if an earlier test has started it for the same wish."""
    # Outside a transaction the wake-up would stay pending; other names are not part of the wish.
    if CALLED or not connection.in_atomic_block or any_rows():
        return start()
    deciding = (settings.DEMO, settings.SECRET_KEY, get_language())  # the rows depend on them
    if (*deciding, *wish) in REMEMBERED:
        return restore(REMEMBERED[*deciding, *wish])
    with seeded(repr(wish)):  # not by the name of the test that happens to be the first
        match = start()
    REMEMBERED[*deciding, *wish] = all_rows()
    return match


def any_rows() -> bool:
    return Player.objects.exists() or Pulse.objects.exists()


def all_models() -> list[type[Model]]:
    return [model for model in apps.get_models(include_auto_created=True) if model._meta.app_label in ROOMS]


def all_rows() -> Rows:
    return {model: rows for model in all_models() if (rows := list(model._base_manager.order_by("pk")))}


def restore(remembered: Rows) -> Match:
    for model, rows in remembered.items():
        model._base_manager.bulk_create(rows)
    number_on(remembered)
    return Match.objects.get()


def number_on(models: Iterable[type[Model]]) -> None:
    """Advance PostgreSQL's sequences, which do not notice rows inserted with their own ids."""
    with connection.cursor() as cursor:
        for statement in connection.ops.sequence_reset_sql(no_style(), list(models)):
            cursor.execute(statement)


def seat(
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
