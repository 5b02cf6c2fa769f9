"""News of a league that anybody may read: results, rounds that have started, standings after a round.

Feeds and webhooks tell the same news, in the league's language.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import datetime
from operator import attrgetter

from django.utils import translation
from django.utils.translation import gettext as _

from beanpost.leagues.models import Fixture, League, Round
from beanpost.leagues.records import season_records
from beanpost.leagues.records.namesakes import load_public_names
from beanpost.site.links import link

MAX_ITEMS = 40
MAX_STANDINGS_ROWS = 10  # rows of the standings
NOT_IN_XML = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f]")


@dataclass(frozen=True)
class NewsItem:
    kind: str  # result, round, standings
    key: str  # the same for the same news
    at: datetime
    title: str
    text: str
    url: str


def list_news(league: League, *, since: datetime | None = None) -> list[NewsItem]:
    """Return a league's latest news, the newest first."""
    with translation.override(league.language):
        found = [*list_results(league, since), *list_rounds_started(league, since), *list_standings(league, since)]
    return sorted(found, key=attrgetter("at"), reverse=True)[:MAX_ITEMS]


def list_results(league: League, since: datetime | None) -> list[NewsItem]:
    decided = Fixture.objects.filter(round__division__season__league=league, match__isnull=False).exclude(ending="")
    if since:
        decided = decided.filter(decided_at__gte=since)
    rows = decided.exclude(decided_at=None).select_related("round__division__season__league", "match")
    return [build_result(row) for row in rows.prefetch_related("chairs__sitter").order_by("-decided_at")[:MAX_ITEMS]]


def build_result(fixture: Fixture) -> NewsItem:
    assert fixture.match is not None
    assert fixture.decided_at is not None
    order = sorted(fixture.chairs.all(), key=lambda chair: (chair.rank or 99, chair.seat))
    names = ", ".join(
        f"{chair.rank}. {chair.public_sitter_name}" if chair.rank else chair.public_sitter_name for chair in order
    )
    if fixture.ending != Fixture.Ending.PLAYED:
        names = f"{names} ({fixture.get_ending_display()})"
    key = f"result/{fixture.pk}/{fixture.decided_at:%y%m%d%H%M%S}"
    return NewsItem("result", key, fixture.decided_at, str(fixture), names, link("match", fixture.match.code))


def list_rounds_started(league: League, since: datetime | None) -> list[NewsItem]:
    started = Round.objects.filter(division__season__league=league, published_at__isnull=False)
    started = started.exclude(phase=Round.Phase.DRAWN)
    if since:
        started = started.filter(published_at__gte=since)
    rows = started.select_related("division__season__league").prefetch_related("fixtures__chairs__sitter")
    return [build_round_started(row) for row in rows.order_by("-published_at")[:MAX_ITEMS]]


def build_round_started(round_: Round) -> NewsItem:
    assert round_.published_at is not None
    tables = [" – ".join(chair.public_sitter_name for chair in table.chairs.all()) for table in round_.fixtures.all()]
    title = _("%(round)s has started") % {"round": round_}
    key = f"round/{round_.pk}/{round_.published_at:%y%m%d%H%M%S}"
    return NewsItem("round", key, round_.published_at, title, "\n".join(tables), season_url(round_))


def list_standings(league: League, since: datetime | None) -> list[NewsItem]:
    closed = Round.objects.filter(division__season__league=league, phase=Round.Phase.CLOSED, closed_at__isnull=False)
    if since:
        closed = closed.filter(closed_at__gte=since)
    return [
        build_standings(row) for row in closed.select_related("division__season__league").order_by("-closed_at")[:5]
    ]


def build_standings(round_: Round) -> NewsItem:
    assert round_.closed_at is not None
    names = load_public_names(round_.division.season.league)
    lines = season_records.compute_standings(round_.division, until=round_.number, names=names)[:MAX_STANDINGS_ROWS]
    rows = [f"{line.row.rank}. {line.name}: {line.points}" for line in lines]
    title = _("Standings after %(round)s") % {"round": round_}
    key = f"standings/{round_.pk}/{round_.closed_at:%y%m%d%H%M%S}"
    return NewsItem("standings", key, round_.closed_at, title, "\n".join(rows), season_url(round_))


def season_url(round_: Round) -> str:
    season = round_.division.season
    return link("season", season.league.slug, season.pk)


def strip_control_characters(text: str) -> str:
    """Return a text without characters that XML does not know; Django refuses to write a feed with them.

    >>> strip_control_characters("Text from a word processor\x0bhas such line breaks")
    'Text from a word processor has such line breaks'
    """
    return NOT_IN_XML.sub(" ", text)
