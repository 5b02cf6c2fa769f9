"""The office's first page: the organiser's seasons, each with its phase, its concerns and its next step."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import date, datetime, timedelta
from typing import Any

from django.contrib.staticfiles import finders
from django.templatetags.static import static
from django.utils.translation import gettext as _

import games
from beanpost.leagues.actions.next_step import has_successor
from beanpost.leagues.admin import navigation
from beanpost.leagues.admin.cockpit import SeasonStep, build_steps, cockpit_url
from beanpost.leagues.admin.cockpit.divisions import TableCounts, count_tables
from beanpost.leagues.admin.concerns import list_concerns, list_of_site, site
from beanpost.leagues.admin.concerns.concern import Concern
from beanpost.leagues.mail import round_deadlines
from beanpost.leagues.models import Entry, Fixture, League, Round, Season
from beanpost.leagues.scope import limit_to_own
from beanpost.leagues.seasons import facts
from beanpost.leagues.seasons.conflicts import Interests
from beanpost.play import clock
from beanpost.play.display.wording import join_names

MAX_LEAGUES = 200
MAX_SEASONS = 50
MAX_CONCERNS = 3  # of a season; the others are on its follow-up page
MAX_NEWS = 6  # of a kind
NEWS_LAST = timedelta(days=1)
State = Entry.State


@dataclass(frozen=True)
class Card:
    """A season on the first page."""

    season: Season
    url: str
    kind: str  # its games and its format
    picture: str  # of the game that is being played
    path: list[SeasonStep]
    counts: TableCounts
    due_on: date | None  # of the rounds being played
    days_left: int | None  # to the season's end, if it has one
    step: Concern
    concerns: list[Concern]
    more: int  # concerns that are not shown


@dataclass(frozen=True)
class NewsItem:
    what: str
    at: datetime
    season: Season


@dataclass(frozen=True)
class News:
    """What happened in the last day."""

    results: list[NewsItem] = field(default_factory=list)
    answers: list[NewsItem] = field(default_factory=list)
    bounces: list[NewsItem] = field(default_factory=list)


def build_page(request: Any, context: dict[str, Any]) -> dict[str, Any]:
    """Add the organiser's seasons to the admin's first page, and all tables for superusers. Unfold calls this."""
    user, now = request.user, clock.now()
    leagues = load_leagues(user)
    seasons = list_seasons(leagues)
    own = Interests(user, seasons)
    cards = build_cards(seasons, list_concerns(seasons, own, now), now)
    return {
        **context,
        "app_list": navigation.sort_apps(context["app_list"]) if user.is_superuser else [],
        "site_concerns": [*list_of_site(seasons, own, now), *(list_idle_leagues(leagues) if cards else ())],
        "busy": [card for card in cards if card.concerns],
        "calm": [card for card in cards if not card.concerns],
        "news": find_news(seasons, now),
        "leagues": join_names([league.name for league in leagues]) if leagues else "",
        "only_league": leagues[0] if len(leagues) == 1 else None,
        "today": round_deadlines.find_day(now),
    }


def load_leagues(user: Any) -> list[League]:
    """Return the organiser's leagues with all their seasons."""
    leagues = limit_to_own(League.objects.all(), user).select_related("keeper").prefetch_related("seasons")
    return list(leagues.order_by("-pk")[:MAX_LEAGUES])


def list_seasons(leagues: list[League]) -> list[Season]:
    """Return the latest seasons, without those that are over and have a successor."""
    seasons = [season for league in leagues for season in league.seasons.all()]
    shown = [each for each in seasons if each.phase != Season.Phase.ENDED or is_last(each)]
    return sorted(shown, key=lambda season: season.pk, reverse=True)[:MAX_SEASONS]


def is_last(season: Season) -> bool:
    return season.cancelled_at is None and not has_successor(season)


def list_idle_leagues(leagues: list[League]) -> list[Concern]:
    idle = [each for each in leagues if all(season.cancelled_at for season in each.seasons.all())]
    return [site.league_without_season(league) for league in idle]


# ── cards ──


def build_cards(seasons: list[Season], found: list[Concern], now: datetime) -> list[Card]:
    concerns: dict[Any, list[Concern]] = defaultdict(list)
    for concern in found:
        concerns[concern.about].append(concern)
    return [build_card(season, *concerns[season], now=now) for season in seasons]


def build_card(season: Season, step: Concern, *concerns: Concern, now: datetime) -> Card:
    playing = facts.list_rounds(season, Round.Phase.PUBLISHED)
    ends_on = season.ends_on if season.phase != Season.Phase.ENDED else None
    return Card(
        season,
        cockpit_url(season),
        describe_kind(season),
        find_picture(playing[0].game if playing else next(iter(season.league.games))),
        build_steps(season),
        sum(count_tables(season).values(), TableCounts()),
        max((round_.due_on for round_ in playing if round_.due_on), default=None),
        (ends_on - round_deadlines.find_day(now)).days if ends_on else None,
        step,
        list(concerns[:MAX_CONCERNS]),
        len(concerns[MAX_CONCERNS:]),
    )


def describe_kind(season: Season) -> str:
    """Name the league, its games and the format: "Bean League · Bohnanza · Swiss"."""
    titles = [game.title for slug, game in games.GAMES.items() if slug in season.league.games]
    format_ = str(season.get_format_display()).partition(":")[0].strip()
    return " · ".join([season.league.name, join_names(titles), format_])


def find_picture(slug: str) -> str:
    """Return the link preview of a game, which shows its drawing; "" if the game has none."""
    path = f"beanpost/cards/{slug}.png"
    return static(path) if finders.find(path) else ""


# ── what is new ──


def find_news(seasons: list[Season], now: datetime) -> News:
    since = now - NEWS_LAST
    return News(
        take_latest(find_results(seasons, since)),
        take_latest(find_answers(seasons, since)),
        take_latest(
            NewsItem(entry.called, entry.player.unreached_at, season)
            for season in seasons
            for entry in season.entries.all()
            if not entry.is_hidden and entry.player.unreached_at and entry.player.unreached_at > since
        ),
    )


def take_latest(items: Iterable[NewsItem]) -> list[NewsItem]:
    return sorted(items, key=lambda item: item.at, reverse=True)[:MAX_NEWS]


def find_results(seasons: list[Season], since: datetime) -> list[NewsItem]:
    found = [
        (table.decided_at, table, season)
        for season in seasons
        for round_ in facts.list_rounds(season)
        for table in round_.fixtures.all()
        if table.ending == Fixture.Ending.PLAYED and table.decided_at and table.decided_at > since
    ]
    found = sorted(found, key=lambda each: each[0], reverse=True)[:MAX_NEWS]
    return [NewsItem(describe_result(table), decided_at, season) for decided_at, table, season in found]


def describe_result(table: Fixture) -> str:
    chairs = sorted(table.chairs.all(), key=lambda chair: (chair.rank or 99, chair.seat))
    first = [chair.sitter_name for chair in chairs if chair.rank == 1]
    rest = [chair.sitter_name for chair in chairs if chair.rank != 1]
    if len(first) > 1:
        return _("%(names)s share first place: %(table)s.") % {"names": join_names(first), "table": table}
    values = {"name": join_names(first), "table": table, "others": join_names(rest)}
    return _("%(name)s won before %(others)s: %(table)s.") % values


def find_answers(seasons: list[Season], since: datetime) -> list[NewsItem]:
    sentences = {
        State.ENTERED: _("%(name)s is in."),
        State.WAITING: _("%(name)s is on the waiting list."),
        State.SUBSTITUTE: _("%(name)s is ready to substitute."),
        State.DECLINED: _("%(name)s can’t play."),
    }
    return [
        NewsItem(sentences[State(entry.state)] % {"name": entry.called}, entry.answered_at, season)
        for season in seasons
        for entry in season.entries.all()
        if entry.answered_at and entry.answered_at > since and entry.state in sentences
    ]
