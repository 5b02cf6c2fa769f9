"""What needs an organiser: one list of concerns, which the first page, the cockpit, the follow-up page and the green
button filter. So no page offers what another knows to be impossible.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import datetime
from typing import Any

from beanpost.leagues import organiser_accounts
from beanpost.leagues.admin.concerns import letters, people, seasons, site, tables
from beanpost.leagues.admin.concerns.concern import Concern, leave_out_own_tables
from beanpost.leagues.mail import announcements
from beanpost.leagues.models import Season
from beanpost.leagues.seasons import facts
from beanpost.leagues.seasons.conflicts import Interests
from beanpost.post.outbox import unconfirmed


def list_concerns(found: Sequence[Season], own: Interests, now: datetime) -> list[Concern]:
    """Return the next step of each season, then all concerns, the most urgent first.

    It takes as many queries for many seasons as for one. They come with their leagues.
    """
    facts.prefetch_tables(*found)
    listed = list(leave_out_own_tables(list_of_seasons(found, own, now), own))
    proposed = {(way.action, step.about) for step in listed if step.is_step for way in step.ways if way.action}
    return [each for each in listed if each.is_step or not is_proposed(each, proposed)]


def is_proposed(concern: Concern, proposed: set[tuple[str, Any]]) -> bool:
    """Whether the next step of the season is the best way out: then it says what this concern would."""
    best = concern.ways[0].action if concern.ways else ""
    return (best, concern.about) in proposed


def list_of_seasons(found: Sequence[Season], own: Interests, now: datetime) -> Iterator[Concern]:
    lost, news = letters.find_lost_invitations(found), announcements.list_lost(found, now)
    has_keepers = all(season.league.keeper_id for season in found)
    can_keep = has_keepers or organiser_accounts.find_confirmed_player(own.user) is not None
    resendable = {(entry.season_id, entry.player_id) for entry in lost}
    resendable |= {(each.season.pk, letter.recipient_id) for each in news for letter in each.letters}
    going_on = [season for season in found if season.phase != Season.Phase.ENDED]
    for season in found:
        yield seasons.next_step(season, own, can_keep=can_keep)
    yield from tables.late_seats(going_on, now)
    yield from tables.overdue_tables(going_on, now)
    for season in going_on:
        yield from seasons.dates(season, now)
    yield from letters.failed_match_letters(found, own)
    yield from letters.lost_invitations(lost)
    yield from letters.lost_news(news)
    yield from people.unreachable_people(going_on, resendable, own)
    yield from people.unsubscribed_people(going_on, own)
    yield from tables.empty_seats(going_on)
    yield from tables.seats_left(going_on)
    yield from tables.seats_offered(going_on, now)
    yield from tables.tables_not_filled(going_on, now)
    for season in going_on:
        yield from seasons.missing_players(season)
        yield from seasons.unanswered_keeper(season)
    yield from people.silent_people(going_on, now)
    yield from letters.weekly_letters(going_on, now)


def list_silent_people(season: Season, own: Interests) -> list[Concern]:
    """Return the people of a season who haven't answered yet. They are a concern only after a while."""
    lost = {entry.pk for entry in letters.find_lost_invitations([season])}
    found = [*tables.unanswered_seats([season]), *people.unanswered_invitations([season], lost)]
    return list(leave_out_own_tables(found, own))


def list_of_site(found: Sequence[Season], own: Interests, now: datetime) -> Iterator[Concern]:
    """Yield the concerns of an organiser beside those of the seasons that are shown."""
    if not own.is_known and (found or own.user.is_superuser):
        yield site.account_without_player()
    until = unconfirmed.find_free_time(now, requested=False)
    yield from site.invitations_that_wait(found, until, now)
    if own.user.is_superuser:
        yield from site.paused_outbox()
        yield from site.many_new_addresses(until, now)
        yield from site.other_failed_letters(found)
        yield from site.other_unreachable_players(found)
