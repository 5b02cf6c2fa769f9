"""Friends at a table, for tests: a running match, always dealt the same way."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any

from django.apps import apps
from django.core.management.color import no_style
from django.db import connection, transaction
from django.db.models import Model

from beanpost.play.models import Match, Vault
from beanpost.play.seats import lifecycle
from beanpost.players import accounts, confirming
from beanpost.players.models import Player
from games.contract.dice import commitment

NOON = datetime(2026, 11, 16, 12, tzinfo=UTC)
NAMES = ("Ann", "Bob", "Cleo", "Dora", "Emil", "Fay", "Gus")

ROOMS = ("players", "play", "post")  # the tables that seating friends writes to
CALLED: dict[str, str] = {}  # other names for the players, for tests that need hostile ones
USUAL: dict[type[Model], list[Model]] = {}  # the rows of the match that most tests start with


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
    planned = lifecycle.plan(
        keeper,
        game=game,
        variant=variant,
        seats=seats,
        pace=pace,
        open_to_all=False,
        bots=bots,
        addresses=[guest.address for guest in guests],
    )
    match = lifecycle.open_match(planned, keeper, now=now)
    if match.phase == Match.Phase.GATHERING:
        lifecycle.add_word(match.places.get(player=keeper), "runner")
    return match


def welcome_player(address: str, name: str, *, now: datetime = NOON) -> Player:
    """A player who has answered a letter before."""
    player = accounts.welcome(address, name=name, now=now)
    confirming.confirm(player, now=now)
    return player


def welcome(name: str, now: datetime = NOON) -> Player:
    return accounts.welcome(f"{name.lower()}@example.org", name=CALLED.get(name, name), now=now)


def seat_friends(*kind: str, **wishes: Any) -> Match:
    """A running match. The usual one is restored from memory if there are no players yet."""
    can_be_laid = USUAL and not CALLED and connection.in_atomic_block  # else the wake-up stays pending
    if can_be_laid and not kind and not wishes and not Player.objects.exists():
        return lay_the_usual()
    return seat(*kind, **wishes)


def remember_the_usual() -> None:
    """Record the rows once, before any test has changed anything: creating them takes some sixty queries."""
    with transaction.atomic():
        seat()
        USUAL.update(all_rows())
        transaction.set_rollback(True)


def all_rows() -> dict[type[Model], list[Model]]:
    models = [model for model in apps.get_models(include_auto_created=True) if model._meta.app_label in ROOMS]
    return {model: rows for model in models if (rows := list(model._base_manager.order_by("pk")))}


def lay_the_usual() -> Match:
    for model, rows in USUAL.items():
        model._base_manager.bulk_create(rows)
    number_on()
    return Match.objects.get()


def number_on() -> None:
    """Advance PostgreSQL's sequences, which do not notice rows inserted with their own ids."""
    with connection.cursor() as cursor:
        for statement in connection.ops.sequence_reset_sql(no_style(), list(USUAL)):
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
    Match.objects.filter(pk=match.pk).update(commitment=commitment(secret))
    for place in match.places.exclude(player=match.keeper).select_related("player"):
        assert place.player is not None
        lifecycle.get_ready(place, name=place.player.name, word=words[place.seat], now=now)
    match.places.update(excuses=excuses)
    match.refresh_from_db()
    return match
