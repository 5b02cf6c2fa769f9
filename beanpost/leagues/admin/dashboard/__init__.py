"""An organiser's agenda: things that need attention, each with the action or page that helps."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import datetime
from itertools import islice
from typing import Any

from beanpost.leagues.admin import navigation
from beanpost.leagues.admin.dashboard import letters, people, seasons, tables
from beanpost.leagues.admin.dashboard.items import (
    MAX_ITEMS,
    Item,
    SeasonScope,
    explain_own_tables,
    limit_to_own,
)
from beanpost.leagues.mail import announcements, invitations
from beanpost.leagues.models import Entry, Season
from beanpost.leagues.seasons import facts, plans
from beanpost.play import clock

MAX_SEASONS = 50  # the first page reads the rows of no more


def dashboard(request: Any, context: dict[str, Any]) -> dict[str, Any]:
    """Add the agenda to the admin's first page. Unfold calls this."""
    apps = navigation.sort_apps(context["app_list"])
    return {**context, "app_list": apps, "agenda": list(find_items(request.user, clock.now()))}


def find_items(user: Any, now: datetime) -> Iterator[Item]:
    """Return what needs attention in all the organiser's leagues, the most urgent first."""
    return explain_own_tables(list_items(user, now), user)


def list_items(user: Any, now: datetime) -> Iterator[Item]:
    playing = list_seasons_being_played(user)
    yield from letters.paused_outbox(user)
    yield from people.account_without_player(user)
    yield from islice(tables.late_seats(playing), MAX_ITEMS)
    yield from islice(tables.overdue_tables(playing, now), MAX_ITEMS)
    yield from seasons.overdue_seasons(user, now)
    yield from letters.many_new_addresses(user, now)
    yield from letters.invitations_that_wait(user, now)
    yield from letters.failed_letters(user)
    yield from letters.lost_invitations(user)
    yield from letters.lost_news(user, now)
    yield from people.unreachable_players(user, now)
    yield from people.unsubscribed_players(user)
    yield from seats_to_fill(playing, now)
    yield from islice(tables.tables_not_filled(playing, now), MAX_ITEMS)
    yield from seasons.next_steps(playing, user)
    yield from seasons.leagues_without_keeper(user)
    yield from seasons.seasons_to_follow(user)
    yield from seasons.leagues_without_season(user)
    yield from seasons.seasons_without_people(user)
    yield from people.people_to_invite(user)
    yield from people.silent_entries(user, now)
    yield from letters.weekly_letters(user, now)


def list_seasons_being_played(user: Any) -> list[Season]:
    """Return the seasons between the close of entries and their end, with their rows: the last ones, if many."""
    going_on = limit_to_own(Season.objects.filter(phase__in=plans.GOING_ON), user)
    found = list(going_on.select_related("league").order_by("-pk")[:MAX_SEASONS])
    facts.prefetch_tables(*found)
    return found


def seats_to_fill(seasons: Sequence[Season], now: datetime) -> Iterator[Item]:
    """Yield seats that need a player."""
    yield from islice(tables.empty_seats(seasons), MAX_ITEMS)
    yield from islice(tables.seats_left(seasons), MAX_ITEMS)
    yield from islice(tables.seats_offered(seasons, now), MAX_ITEMS)


def find_problems(season: Season, user: Any, now: datetime) -> list[Item]:
    """Return what needs attention in one season, for its cockpit. The next step is shown apart.

    The season comes with its rows. Most seasons have nobody who can't be reached: they cost no query here.
    """
    organiser, people_there = SeasonScope(user, season), [entry.player for entry in season.entries.all()]
    found = [*seasons.list_keeper_items(season.league), *tables.overdue_tables([season], now)]
    found += [*seasons.compare_dates(season, now), *islice(tables.late_seats([season]), MAX_ITEMS)]
    invited = (entry for entry in season.entries.all() if entry.state == Entry.State.INVITED)
    if any(season.phase in invitations.OPEN_PHASES or entry.on_acceptance for entry in invited):
        found += letters.lost_invitations(organiser)
    if announcements.has_lost_letters(season):
        found += letters.lost_news(organiser, now)
    if any(player.unreached_at for player in people_there):
        found += people.unreachable_players(organiser, now)
    if any(player.unwanted_at for player in people_there):
        found += people.unsubscribed_players(organiser)
    return list(explain_own_tables([*found, *seats_to_fill([season], now)], user))
