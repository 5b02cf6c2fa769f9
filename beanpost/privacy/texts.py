"""Texts that people write about others: when a person is erased, a pseudonym replaces their names there.

`tests/site/test_texts.py` lists all other columns of text, with what becomes of them, and fails for an unknown one.
"""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Iterable, Iterator
from functools import reduce
from operator import or_
from typing import Any

from django.conf import settings
from django.contrib.admin.models import LogEntry
from django.contrib.contenttypes.models import ContentType
from django.db.models import CharField, Q, QuerySet
from django.db.models.functions import Cast

from beanpost.i18n.reply_language import load_reply_language
from beanpost.leagues import organiser_accounts
from beanpost.leagues.models import Division, Draw, Fixture, League, LeagueEvent, News, Season
from beanpost.leagues.scope import LOOKUPS
from beanpost.play.models import Match, Note, Proposal
from beanpost.players.models import Player
from beanpost.players.names import shorten_name
from beanpost.post.models import Letter

REWRITTEN: dict[Any, tuple[str, ...]] = {
    League: ("about", "run_by"),
    Season: ("invitation_words",),
    Division: ("name",),
    Draw: ("reason",),
    Fixture: ("reason",),
    LeagueEvent: ("about", "told", "reason", "changes"),
    News: ("headline", "words"),
    Proposal: ("reason",),
    Note: ("text",),
    Letter: ("values",),
    LogEntry: ("change_message", "object_repr"),
}
Found = tuple[QuerySet[Any], tuple[str, ...]]
CODES = {"answers", "asked", "back", "code", "language", "lines", "ticket", "until", "why"}  # only programs write these
SHORTEST = 3  # letters of a first name that is replaced alone


def forget_names(player: Player, names: Collection[str], addresses: Collection[str], pseudonym: str) -> None:
    """Replace a player's names in all texts of their leagues and matches."""
    leagues = list(find_leagues(player, addresses).values_list("pk", flat=True))
    sat = Q(places__player=player) | Q(departures__player=player) | Q(**{f"{LOOKUPS[Match]}__in": leagues})
    matches = list(Match.objects.filter(sat).distinct().values_list("pk", flat=True))
    spoken = {*find_own_names(player, names, leagues, matches), *addresses}
    for kind in REWRITTEN:
        rewrite(iter_rows(kind, leagues, matches), spoken, pseudonym)
    forget_stranger(player, spoken, addresses, pseudonym)


def forget_stranger(player: Player, names: Collection[str], addresses: Collection[str], pseudonym: str) -> None:
    """Replace names in what is about this person alone: a stranger's may be a player's too, or a common word."""
    logged = find_log_entries(organiser_accounts.find_accounts(player))
    events = LeagueEvent.objects.filter(entry__player=player)
    own: list[Found] = [(events, REWRITTEN[LeagueEvent]), (logged, REWRITTEN[LogEntry])]
    rewrite(own, {*names, *addresses}, pseudonym)
    forget_addresses(addresses, pseudonym)


def forget_addresses(addresses: Collection[str], pseudonym: str) -> None:
    """Replace addresses wherever they stand: nobody else has them."""
    for kind, columns in REWRITTEN.items():
        spelled = {*addresses, *(json.dumps(address)[1:-1] for address in addresses)}  # SQLite stores JSON as ASCII
        holding = (Q(**{f"{column}__icontains": address}) for column in columns for address in spelled)
        rows = kind._base_manager.filter(reduce(or_, holding, Q(pk__in=[])))
        rewrite([(rows, columns)], addresses, pseudonym)


def find_leagues(player: Player, addresses: Collection[str]) -> QuerySet[League]:
    """Return the leagues that may speak of a player: as somebody who entered, keeps, organises or answers for them."""
    own = Q(pk__in=player.entries.values("season__league")) | Q(keeper=player) | Q(asked_keeper=player)
    office = Q(organisers__organiser_account__player=player) | Q(contact__in=addresses)
    return League.objects.filter(own | office).distinct()


def find_own_names(
    player: Player, names: Iterable[str], leagues: Collection[int], matches: Collection[int]
) -> set[str]:
    """Return names and first names that mean this player alone: in these leagues and matches nobody else has them."""
    first = {words[0] for name in names if len(words := name.split()) > 1 and len(words[0]) >= SHORTEST}
    others = Player.objects.filter(Q(entries__season__league__in=leagues) | Q(places__match__in=matches))
    called = others.exclude(pk=player.pk).values_list("name", "nickname")
    taken = {
        way.casefold()
        for both in called
        for name in both
        if name
        for way in (name, name.split()[0], shorten_name(name))
    }
    return {name for name in {*names, *first} if name.casefold() not in taken}


def iter_rows(kind: Any, leagues: Collection[int], matches: Collection[int]) -> Iterator[Found]:
    """Yield the rows of a kind that belong to these leagues or matches."""
    if kind is LogEntry:
        return  # Django's log is about accounts alone
    theirs = Q(match__in=matches) if kind in (Note, Proposal, Letter) else Q(**{f"{LOOKUPS[kind]}__in": leagues})
    if kind is Letter:
        seasons = list(Season.objects.filter(league__in=leagues).values_list("pk", flat=True))
        theirs |= Q(values__league__in=leagues) | Q(values__season__in=seasons)
    yield kind._base_manager.filter(theirs), REWRITTEN[kind]


def find_log_entries(rows: QuerySet[Any]) -> QuerySet[LogEntry]:
    """Return the admin's log of these rows."""
    keys = rows.annotate(in_words=Cast("pk", CharField())).values("in_words")
    return LogEntry.objects.filter(content_type=ContentType.objects.get_for_model(rows.model), object_id__in=keys)


# ── replacing ──


def rewrite(found: Iterable[Found], names: Collection[str], pseudonym: str) -> None:
    """Replace names in columns of rows. SQLite folds the case of ASCII only, so Python reads the texts."""
    pattern = compile_names(names)
    for rows, columns in found:
        kind: Any = rows.model
        longest = {column: getattr(kind._meta.get_field(column), "max_length", None) for column in columns}
        for pk, *values in list(rows.order_by().values_list("pk", *columns)):
            read = dict(zip(columns, values, strict=True))
            changed = {column: replace(value, pattern, pseudonym) for column, value in read.items()}
            if changed != read:
                cut = {name: text[: longest[name]] if isinstance(text, str) else text for name, text in changed.items()}
                kind._base_manager.filter(pk=pk).update(**cut)


def replace(value: Any, pattern: re.Pattern[str], pseudonym: str) -> Any:
    """Replace names in a text, or in every text of a JSON value."""
    match value:
        case str():
            return pattern.sub(pseudonym, value)
        case list():
            return [replace(each, pattern, pseudonym) for each in value]
        case dict():
            return {key: each if key in CODES else replace(each, pattern, pseudonym) for key, each in value.items()}
    return value


def compile_names(names: Collection[str]) -> re.Pattern[str]:
    """Return a pattern that finds these names as whole words, in any case, and addresses that are no part of another.

    A name that is also a common word, such as Will, is found as typed or with its capital only. A single letter
    names nobody.
    """
    languages = [load_reply_language(code) for code, _ in settings.LANGUAGES]
    longest_first = sorted({name.strip() for name in names}, key=len, reverse=True)  # "Ann Lee" before "Ann"
    parts = []
    for name in (name for name in longest_first if len(name) > 1 or not name.isascii()):
        spelled = r"\s+".join(map(re.escape, name.split()))  # a line may break within a name
        if "@" in name:
            parts.append(rf"(?<!\w[.+-])(?i:{spelled})(?![.-]\w)")
        elif any(name.casefold() in language.common for language in languages):
            parts += map(re.escape, (name, name.capitalize(), name.upper()))
        else:
            parts.append(f"(?i:{spelled})")
    return re.compile(rf"(?<!\w)(?:{'|'.join(parts) or '(?!)'})(?!\w)")
