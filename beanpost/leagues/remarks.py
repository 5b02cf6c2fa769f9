"""What organisers have said of somebody. Once their data is erased it names them no more: on no page, in no letter that
is still to be written, and not in the office's history.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import reduce
from operator import or_
from typing import Any

from django.contrib.admin.models import LogEntry
from django.contrib.contenttypes.models import ContentType
from django.db.models import CharField, Model, Q, QuerySet
from django.db.models.functions import Cast

from beanpost.leagues.models import Division, Draw, Entry, Fixture, League, Round, Season
from beanpost.leagues.scope import WAYS
from beanpost.play import forgetting
from beanpost.play.models import Match, Note, Proposal
from beanpost.players.models import Player
from beanpost.post.models import Letter
from games.chairs import HOUSE

DONE_TO = (League, Season, Division, Entry, Round, Fixture)  # of what an organiser has done to them, a log is kept
REMEMBERED: tuple[Any, ...] = (League, Season, Division, Entry, Fixture)  # … and how each was before


def forget(player: Player, pseudonym: str) -> None:
    """Before their seats are renamed, which know what they were called."""
    names = sorted(forgetting.names(player), key=len, reverse=True)  # "Ann Lee" before "Ann"
    name = re.compile(rf"(?<!\w)({'|'.join(map(re.escape, names))})(?!\w)")
    leagues = list(player.entries.values_list("season__league", flat=True))
    for letter in Letter.objects.filter(kind="announcement", values__league__in=leagues).only("values"):
        told = letter.values | {part: name.sub(pseudonym, letter.values[part]) for part in ("headline", "reason")}
        if told != letter.values:
            Letter.objects.filter(pk=letter.pk).update(values=told)
    for rows, part in remarks(player, leagues):
        longest = rows.model._meta.get_field(part).max_length
        named = reduce(or_, (Q(**{f"{part}__contains": one}) for one in names))
        for number, said in rows.filter(named).values_list("pk", part):
            rows.model.objects.filter(pk=number).update(**{part: name.sub(pseudonym, said)[:longest]})


def remarks(player: Player, leagues: Sequence[int]) -> Iterator[tuple[QuerySet[Any], str]]:
    """Where it is kept what organisers have done, to whom, and why."""
    at_tables = Q(**{f"match__{WAYS[Match]}__in": leagues})
    yield Note.objects.filter(at_tables, seat=HOUSE), "text"
    yield Proposal.objects.filter(at_tables), "reason"
    yield of_leagues(Draw.objects.all(), Draw, leagues), "reason"
    yield of_leagues(Fixture.objects.all(), Fixture, leagues), "reason"
    past = {kind: of_leagues(kind.history.all(), kind, leagues) for kind in REMEMBERED}
    yield past[Fixture], "reason"
    for rows in past.values():
        yield rows, "history_change_reason"
    logs = [logged(of_leagues(kind.objects.all(), kind, leagues)) for kind in DONE_TO]
    for log in [*logs, logged(Player.objects.filter(pk=player.pk))]:
        yield log, "change_message"
        yield log, "object_repr"


def of_leagues(rows: QuerySet[Any], kind: type[Model], leagues: Sequence[int]) -> QuerySet[Any]:
    return rows.filter(**{f"{WAYS[kind]}__in": leagues})


def logged(rows: QuerySet[Any]) -> QuerySet[LogEntry]:
    """What the office's log says of these rows."""
    numbers = rows.annotate(in_words=Cast("pk", CharField())).values("in_words")
    return LogEntry.objects.filter(content_type=ContentType.objects.get_for_model(rows.model), object_id__in=numbers)
