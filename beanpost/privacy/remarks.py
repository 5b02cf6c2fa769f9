"""Replace a person's names in organisers' remarks once their data is erased.

That covers pages, letters that are not yet composed and the admin's history.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from functools import reduce
from operator import or_
from typing import Any

from django.contrib.admin.models import LogEntry
from django.contrib.contenttypes.models import ContentType
from django.db.models import CharField, Model, Q, QuerySet
from django.db.models.functions import Cast

from beanpost.leagues.models import Division, Draw, Entry, Event, Fixture, League, News, Round, Season
from beanpost.leagues.scope import LOOKUPS
from beanpost.play.models import Match, Note, Proposal
from beanpost.players.models import Player
from beanpost.post.models import Letter
from beanpost.privacy import match_data
from games.contract.seats import HOUSE

DONE_TO = (League, Season, Division, Entry, Round, Fixture)  # rows of which the admin keeps a log
REMEMBERED: tuple[Any, ...] = (League, Season, Division, Entry, Fixture)  # rows with a history


def forget(player: Player, pseudonym: str) -> None:
    """Replace names in all remarks of the player's leagues.

    Call this before their seats are renamed: it needs the old names.
    """
    leagues = list(player.entries.values_list("season__league", flat=True))
    name = as_words(match_data.names(player))
    seasons = list(Season.objects.filter(league__in=leagues).values_list("pk", flat=True))
    said = Q(kind="announcement", values__league__in=leagues) | Q(kind="weekly", values__season__in=seasons)
    for letter in Letter.objects.filter(said).only("values"):
        typed = [part for part in ("headline", "reason", "words") if part in letter.values]
        told = letter.values | {part: name.sub(pseudonym, letter.values[part]) for part in typed}
        if told != letter.values:
            Letter.objects.filter(pk=letter.pk).update(values=told)
    rename(player, pseudonym, remarks(player, leagues))


def forget_stranger(player: Player, pseudonym: str) -> None:
    """Replace names only in the log of the player's own rows.

    A stranger may have the same name as somebody who plays, or as any word.
    """
    own = log(player.entries.all(), Player.objects.filter(pk=player.pk))
    rename(player, pseudonym, [*own, *past_of(player)])


def forget_typed(player: Player, pseudonym: str) -> None:
    """Replace names as organisers typed them in the log of the player's entries."""
    typed = player.entries.values_list("typed_name", "typed_address")
    if names := {part for pair in typed for part in pair if part}:
        replace(names, pseudonym, log(player.entries.all()))
        replace(names, pseudonym, past_of(player))


def rename(player: Player, pseudonym: str, said_in: Iterable[tuple[QuerySet[Any], str]]) -> None:
    replace(match_data.names(player), pseudonym, said_in)
    forget_typed(player, pseudonym)


def replace(names: Collection[str], pseudonym: str, said_in: Iterable[tuple[QuerySet[Any], str]]) -> None:
    name = as_words(names)
    for rows, part in said_in:
        longest = rows.model._meta.get_field(part).max_length
        named = reduce(or_, (Q(**{f"{part}__contains": one}) for one in names))
        for number, said in rows.filter(named).values_list("pk", part):
            rows.model.objects.filter(pk=number).update(**{part: name.sub(pseudonym, said)[:longest]})


def as_words(names: Collection[str]) -> re.Pattern[str]:
    longest_first = sorted(names, key=len, reverse=True)  # "Ann Lee" before "Ann"
    return re.compile(rf"(?<!\w)({'|'.join(map(re.escape, longest_first))})(?!\w)")


def remarks(player: Player, leagues: Sequence[int]) -> Iterator[tuple[QuerySet[Any], str]]:
    """Yield every queryset and column that may hold an organiser's remark."""
    at_tables = Q(**{f"match__{LOOKUPS[Match]}__in": leagues})
    yield Note.objects.filter(at_tables, seat=HOUSE), "text"
    yield Proposal.objects.filter(at_tables), "reason"
    yield of_leagues(Draw.objects.all(), Draw, leagues), "reason"
    yield of_leagues(Fixture.objects.all(), Fixture, leagues), "reason"
    yield of_leagues(Season.objects.all(), Season, leagues), "invitation_words"
    for part in ("about", "told", "reason"):
        yield of_leagues(Event.objects.all(), Event, leagues), part
    yield of_leagues(News.objects.all(), News, leagues), "headline"
    yield of_leagues(News.objects.all(), News, leagues), "words"
    past = {kind: of_leagues(kind.history.all(), kind, leagues) for kind in REMEMBERED}
    yield past[Fixture], "reason"
    yield past[Season], "invitation_words"
    for rows in past.values():
        yield rows, "history_change_reason"
    rows_of_leagues = (of_leagues(kind.objects.all(), kind, leagues) for kind in DONE_TO)
    yield from log(*rows_of_leagues, Player.objects.filter(pk=player.pk))


def past_of(player: Player) -> Iterator[tuple[QuerySet[Any], str]]:
    """Yield what the seasons' history says about a player's entries."""
    for part in ("about", "told", "reason"):
        yield Event.objects.filter(entry__player=player), part


def log(*kinds: QuerySet[Any]) -> Iterator[tuple[QuerySet[Any], str]]:
    for rows in kinds:
        yield logged(rows), "change_message"
        yield logged(rows), "object_repr"


def of_leagues(rows: QuerySet[Any], kind: type[Model], leagues: Sequence[int]) -> QuerySet[Any]:
    return rows.filter(**{f"{LOOKUPS[kind]}__in": leagues})


def logged(rows: QuerySet[Any]) -> QuerySet[LogEntry]:
    """Return the admin's log of these rows."""
    numbers = rows.annotate(in_words=Cast("pk", CharField())).values("in_words")
    return LogEntry.objects.filter(content_type=ContentType.objects.get_for_model(rows.model), object_id__in=numbers)
