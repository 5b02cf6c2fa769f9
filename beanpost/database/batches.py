"""Run work row by row: log an error and continue with the next row."""

from __future__ import annotations

import logging
import traceback
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from datetime import datetime
from itertools import islice
from types import TracebackType
from typing import Any, ParamSpec, TypeAlias

from celery.exceptions import SoftTimeLimitExceeded
from django.db.models import QuerySet

P = ParamSpec("P")
Found: TypeAlias = "QuerySet[Any, tuple[int, ...]] | Sequence[tuple[int, ...]]"

BATCH = 100  # rows done at a time …
MAX_TRIED = 1000  # … even if many rows before them fail

log = logging.getLogger(__name__)


class LogAndContinue(AbstractContextManager[None, bool]):
    """Log an exception raised in the block, and continue after it."""

    def __init__(self, what: str) -> None:
        self.what = what

    def __exit__(self, kind: object, error: BaseException | None, trace: TracebackType | None) -> bool:
        if not isinstance(error, Exception) or isinstance(error, SoftTimeLimitExceeded):  # this one ends the task
            return False
        log.error("%s was put off: %s\n%s", self.what, type(error).__name__, where(error))
        return True


def where(error: BaseException) -> str:
    """Return the last lines of the traceback, without the error's message: it may contain a player's cards."""
    return "".join(traceback.format_tb(error.__traceback__)[-3:])


def run_safely(what: str, function: Callable[P, int], *args: P.args, **kwargs: P.kwargs) -> int:
    """Call a function and return its result; log an error and return 0 instead."""
    with LogAndContinue(what):
        return function(*args, **kwargs)
    return 0


def run_each(found: Found, deal_with: Callable[..., bool], now: datetime) -> int:
    """Handle rows one by one and return how many were done. A row is a tuple of arguments, the match's key first.

    Rows that fail do not count towards the batch: otherwise rows that always fail would block all others.
    """
    names = list(found[:MAX_TRIED])
    tried = (run_safely(f"{deal_with.__name__} at match {name[0]}", deal_with, *name, now) for name in names)
    return sum(islice(filter(None, tried), BATCH))
