"""An organiser's agenda: things that need attention, each with the action or page that helps."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from typing import Any

from beanpost.leagues.admin import navigation
from beanpost.leagues.admin.dashboard import letters, people, seasons, tables
from beanpost.leagues.admin.dashboard.items import Item, SeasonScope
from beanpost.leagues.models import Season
from beanpost.play import clock


def dashboard(request: Any, context: dict[str, Any]) -> dict[str, Any]:
    """Add the agenda to the admin's first page. Unfold calls this."""
    apps = navigation.sort_apps(context["app_list"])
    return {**context, "app_list": apps, "agenda": list(find_items(request.user, clock.now()))}


def find_items(user: Any, now: datetime) -> Iterator[Item]:
    yield from letters.paused_outbox(user)
    yield from people.account_without_player(user)
    yield from tables.late_seats(user, now)
    yield from tables.overdue_tables(user, now)
    yield from seasons.overdue_seasons(user, now)
    yield from letters.many_new_addresses(user, now)
    yield from letters.invitations_that_wait(user, now)
    yield from letters.failed_letters(user)
    yield from people_and_seats(user, now)
    yield from tables.tables_not_filled(user, now)
    yield from seasons.next_steps(user)
    yield from seasons.leagues_without_keeper(user)
    yield from seasons.seasons_to_follow(user)
    yield from seasons.leagues_without_season(user)
    yield from seasons.seasons_without_people(user)
    yield from people.people_to_invite(user)
    yield from people.silent_entries(user, now)
    yield from letters.weekly_letters(user, now)


def people_and_seats(user: Any, now: datetime) -> Iterator[Item]:
    """Yield people whose letters don't arrive, and seats that need a player."""
    yield from letters.lost_invitations(user)
    yield from letters.lost_news(user, now)
    yield from people.unreachable_players(user, now)
    yield from people.unsubscribed_players(user)
    yield from tables.empty_seats(user)
    yield from tables.seats_left(user)
    yield from tables.seats_offered(user, now)


def find_problems(season: Season, user: Any, now: datetime) -> list[Item]:
    """Return what needs attention in one season, for its cockpit. The next step is shown apart."""
    organiser = SeasonScope(user, season)
    overdue = [*tables.overdue_tables(organiser, now), *seasons.compare_dates(season, now)]
    keeper = seasons.list_keeper_items(season.league)
    return [*keeper, *overdue, *tables.late_seats(organiser, now), *people_and_seats(organiser, now)]
