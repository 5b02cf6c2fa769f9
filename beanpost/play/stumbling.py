"""What the house stumbles over is put off and noted; it never keeps the house from the rest."""

from __future__ import annotations

import logging
import traceback
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from datetime import datetime
from itertools import islice
from types import TracebackType
from typing import Any, ParamSpec, TypeAlias

from django.db.models import QuerySet

P = ParamSpec("P")
Found: TypeAlias = "QuerySet[Any, tuple[int, ...]] | Sequence[tuple[int, ...]]"

BATCH = 100  # dealt with at a time …
MOST_TRIED = 1000  # … though the house may stumble over all before them

log = logging.getLogger(__name__)


class PutOff(AbstractContextManager[None, bool]):
    """Who stumbles in here goes on behind it."""

    def __init__(self, what: str) -> None:
        self.what = what

    def __exit__(self, kind: object, trouble: BaseException | None, trace: TracebackType | None) -> bool:
        if not isinstance(trouble, Exception):
            return False
        log.error("%s was put off: %s\n%s", self.what, type(trouble).__name__, where(trouble))
        return True


def where(trouble: BaseException) -> str:
    """The lines of code it came through, without its words and values: these may hold somebody's cards."""
    return "".join(traceback.format_tb(trouble.__traceback__)[-3:])


def done(what: str, deed: Callable[P, int], *args: P.args, **kwargs: P.kwargs) -> int:
    """How much was done, or whether it was: nothing, if the house stumbled over it."""
    with PutOff(what):
        return deed(*args, **kwargs)
    return 0


def each(found: Found, deal_with: Callable[..., bool], now: datetime) -> int:
    """How many were dealt with. Each is named by the number of its match, and what else is needed to find it. What the
    house stumbles over, time and again perhaps, takes nobody's turn.
    """
    names = list(found[:MOST_TRIED])
    tried = (done(f"{deal_with.__name__} at match {name[0]}", deal_with, *name, now) for name in names)
    return sum(islice(filter(None, tried), BATCH))
