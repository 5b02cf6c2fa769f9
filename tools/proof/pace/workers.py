"""Tasks of the processes that play matches and games. Modules that need Django are imported once it is set up."""

from __future__ import annotations

import django

from tools.proof.pace.goals import Figures, Kind


def set_up() -> None:
    """Create a database in memory, which lasts as long as its process."""
    django.setup()
    from django.db import connection  # noqa: PLC0415

    connection.creation.create_test_db(verbosity=0, serialize=False)


def play_match(kind: Kind, model: str, seed: int) -> Figures:
    from tools.proof.pace import matches  # noqa: PLC0415

    return matches.play(kind, model, seed)


def measure_strength(kind: Kind, pairs: int) -> tuple[float, float] | None:
    """Return the difference in wins and its lower bound; None where the game has no standing orders."""
    from tools.proof.pace import strength as plans  # noqa: PLC0415

    return plans.measure_lower_bound(kind, pairs) if plans.has_orders(kind) else None
