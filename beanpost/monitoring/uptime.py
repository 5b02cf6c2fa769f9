"""Whether this web process has just started, so that the workers beside it may not have begun yet."""

import time

STARTING = 120  # seconds; the clock asks for the first sweep after half a minute
NEVER = float("-inf")

started_at = NEVER  # commands, workers and tests serve no pages, so they never start


def note_start() -> None:
    """Remember that this process starts to serve pages now."""
    global started_at
    started_at = time.monotonic()


def is_starting() -> bool:
    return time.monotonic() - started_at < STARTING
