"""Database triggers that forbid changing or deleting rows of the log.

Only rows of a guest's practice match may be deleted: `practice` marks them, and cannot be changed either.
"""

from __future__ import annotations

from django.db.backends.base.base import BaseDatabaseWrapper

EVENTS = "play_event"
REFUSAL = "The log of a match is never changed."

SQLITE = {
    "event_unchanged": f"CREATE TRIGGER event_unchanged BEFORE UPDATE ON {EVENTS} "
    f"BEGIN SELECT RAISE(ABORT, '{REFUSAL}'); END",
    "event_kept": f"CREATE TRIGGER event_kept BEFORE DELETE ON {EVENTS} WHEN NOT OLD.practice "
    f"BEGIN SELECT RAISE(ABORT, '{REFUSAL}'); END",
}
POSTGRESQL = [
    f"CREATE OR REPLACE FUNCTION keep_the_log() RETURNS trigger LANGUAGE plpgsql AS "
    f"$$ BEGIN IF TG_OP = 'DELETE' THEN IF OLD.practice THEN RETURN OLD; END IF; END IF; "
    f"RAISE EXCEPTION '{REFUSAL}'; END $$",
    f"CREATE TRIGGER event_kept BEFORE UPDATE OR DELETE ON {EVENTS} FOR EACH ROW EXECUTE FUNCTION keep_the_log()",
    f"CREATE TRIGGER event_not_emptied BEFORE TRUNCATE ON {EVENTS} FOR EACH STATEMENT EXECUTE FUNCTION keep_the_log()",
]


def set_up(connection: BaseDatabaseWrapper) -> None:
    statements = POSTGRESQL if connection.vendor == "postgresql" else list(SQLITE.values())
    with connection.cursor() as cursor:
        for statement in statements:
            cursor.execute(statement)


def lift(connection: BaseDatabaseWrapper) -> None:
    """Drop the triggers: for migrations, and for a test suite that flushes its tables. The service never calls it."""
    if connection.vendor == "postgresql":
        statements = [f"DROP TRIGGER IF EXISTS {name} ON {EVENTS}" for name in ("event_kept", "event_not_emptied")]
    else:
        statements = [f"DROP TRIGGER IF EXISTS {name}" for name in SQLITE]
    with connection.cursor() as cursor:
        for statement in statements:
            cursor.execute(statement)
