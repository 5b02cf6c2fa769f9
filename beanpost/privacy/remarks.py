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

LOGGED_MODELS = (League, Season, Division, Entry, Round, Fixture)  # the admin keeps a log of their rows
MODELS_WITH_HISTORY: tuple[Any, ...] = (League, Season, Division, Entry, Fixture)


def replace_player(player: Player, pseudonym: str) -> None:
    """Replace a player's names in all remarks of their leagues.

    Call this before their seats are renamed: it needs the old names.
    """
    leagues = list(player.entries.values_list("season__league", flat=True))
    name = compile_names(match_data.find_names(player))
    seasons = list(Season.objects.filter(league__in=leagues).values_list("pk", flat=True))
    about_leagues = Q(kind="announcement", values__league__in=leagues) | Q(kind="weekly", values__season__in=seasons)
    for letter in Letter.objects.filter(about_leagues).only("values"):
        parts = [part for part in ("headline", "reason", "words") if part in letter.values]
        values = letter.values | {part: name.sub(pseudonym, letter.values[part]) for part in parts}
        if values != letter.values:
            Letter.objects.filter(pk=letter.pk).update(values=values)
    replace_names(player, pseudonym, iter_remarks(player, leagues))


def replace_stranger(player: Player, pseudonym: str) -> None:
    """Replace a stranger's names, only in the log of their own rows.

    Their name may also be a player's, or a common word.
    """
    own = iter_log(player.entries.all(), Player.objects.filter(pk=player.pk))
    replace_names(player, pseudonym, [*own, *iter_history(player)])


def replace_typed_names(player: Player, pseudonym: str) -> None:
    """Replace names as organisers typed them in the log of the player's entries."""
    typed = player.entries.values_list("typed_name", "typed_address")
    if names := {part for pair in typed for part in pair if part}:
        replace_in_columns(names, pseudonym, iter_log(player.entries.all()))
        replace_in_columns(names, pseudonym, iter_history(player))


def replace_names(player: Player, pseudonym: str, columns: Iterable[tuple[QuerySet[Any], str]]) -> None:
    """Replace all names of a player in these columns."""
    replace_in_columns(match_data.find_names(player), pseudonym, columns)
    replace_typed_names(player, pseudonym)


def replace_in_columns(names: Collection[str], pseudonym: str, columns: Iterable[tuple[QuerySet[Any], str]]) -> None:
    """Replace names in columns of querysets; cut texts that get too long."""
    pattern = compile_names(names)
    for rows, column in columns:
        longest = rows.model._meta.get_field(column).max_length
        has_name = reduce(or_, (Q(**{f"{column}__contains": one}) for one in names))
        for number, text in rows.filter(has_name).values_list("pk", column):
            rows.model.objects.filter(pk=number).update(**{column: pattern.sub(pseudonym, text)[:longest]})


def compile_names(names: Collection[str]) -> re.Pattern[str]:
    """Return a pattern that finds these names as whole words."""
    longest_first = sorted(names, key=len, reverse=True)  # "Ann Lee" before "Ann"
    return re.compile(rf"(?<!\w)({'|'.join(map(re.escape, longest_first))})(?!\w)")


def iter_remarks(player: Player, leagues: Sequence[int]) -> Iterator[tuple[QuerySet[Any], str]]:
    """Yield every queryset and column that may hold an organiser's remark."""
    at_tables = Q(**{f"match__{LOOKUPS[Match]}__in": leagues})
    yield Note.objects.filter(at_tables, seat=HOUSE), "text"
    yield Proposal.objects.filter(at_tables), "reason"
    yield filter_by_leagues(Draw.objects.all(), Draw, leagues), "reason"
    yield filter_by_leagues(Fixture.objects.all(), Fixture, leagues), "reason"
    yield filter_by_leagues(Season.objects.all(), Season, leagues), "invitation_words"
    for part in ("about", "told", "reason"):
        yield filter_by_leagues(Event.objects.all(), Event, leagues), part
    yield filter_by_leagues(News.objects.all(), News, leagues), "headline"
    yield filter_by_leagues(News.objects.all(), News, leagues), "words"
    past = {kind: filter_by_leagues(kind.history.all(), kind, leagues) for kind in MODELS_WITH_HISTORY}
    yield past[Fixture], "reason"
    yield past[Season], "invitation_words"
    for rows in past.values():
        yield rows, "history_change_reason"
    rows_of_leagues = (filter_by_leagues(kind.objects.all(), kind, leagues) for kind in LOGGED_MODELS)
    yield from iter_log(*rows_of_leagues, Player.objects.filter(pk=player.pk))


def iter_history(player: Player) -> Iterator[tuple[QuerySet[Any], str]]:
    """Yield the columns of the seasons' history about a player's entries."""
    for part in ("about", "told", "reason"):
        yield Event.objects.filter(entry__player=player), part


def iter_log(*kinds: QuerySet[Any]) -> Iterator[tuple[QuerySet[Any], str]]:
    """Yield the columns of the admin's log of these rows."""
    for rows in kinds:
        yield find_log_entries(rows), "change_message"
        yield find_log_entries(rows), "object_repr"


def filter_by_leagues(rows: QuerySet[Any], kind: type[Model], leagues: Sequence[int]) -> QuerySet[Any]:
    """Return the rows that belong to these leagues."""
    return rows.filter(**{f"{LOOKUPS[kind]}__in": leagues})


def find_log_entries(rows: QuerySet[Any]) -> QuerySet[LogEntry]:
    """Return the admin's log of these rows."""
    keys = rows.annotate(in_words=Cast("pk", CharField())).values("in_words")
    return LogEntry.objects.filter(content_type=ContentType.objects.get_for_model(rows.model), object_id__in=keys)
