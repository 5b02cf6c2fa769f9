"""People who don't answer, or whom letters don't reach. Seasons come with their rows, read by `facts`."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from datetime import datetime

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from beanpost.leagues.actions.next_step import OVERDUE_AFTER
from beanpost.leagues.admin.concerns.concern import Concern, Way, lead_to, lead_to_substitutes
from beanpost.leagues.models import Entry, Season
from beanpost.leagues.people import entries as season_entries
from beanpost.leagues.seasons import conflicts, facts
from beanpost.leagues.seasons.conflicts import Interests
from beanpost.play.models import Match

Seasons = Iterable[Season]
THERE = (Entry.State.ENTERED, Entry.State.WAITING, Entry.State.SUBSTITUTE)


def list_there(season: Season) -> list[Entry]:
    """Return the people in a season whom its organisers know."""
    return [entry for entry in season.entries.all() if entry.state in THERE and not entry.is_hidden]


def unreachable_people(seasons: Seasons, without: Collection[tuple[int, int]], own: Interests) -> Iterator[Concern]:
    """Yield people whose letters bounce. Their clock stops for a while, then they count as absent.

    `without` holds the seasons and players that are listed for a letter that can be sent again.
    """
    for season in seasons:
        unsubscribed = list_players_left_to_bots(season)
        for entry in list_there(season):
            player = entry.player
            is_listed = (season.pk, player.pk) in without or (player.unwanted_at and player.pk in unsubscribed)
            if player.unreached_at and not is_listed:
                what = _("Letters to %(name)s are bouncing. Ask them for another address; they enter it themselves.")
                yield Concern(
                    what % {"name": entry.called}, list_ways_out(entry, season, own), player.unreached_at, season
                )


def unsubscribed_people(seasons: Seasons, own: Interests) -> Iterator[Concern]:
    """Yield people who want no more letters and whose seat a bot plays: another player may want that seat."""
    for season in seasons:
        left_to_bots = list_players_left_to_bots(season)
        for entry in list_there(season):
            if entry.player.unwanted_at and entry.player_id in left_to_bots:
                what = _("%(name)s has unsubscribed, so a bot is playing for them.") % {"name": entry.called}
                yield Concern(what, list_ways_out(entry, season, own), entry.player.unwanted_at, season)


def list_players_left_to_bots(season: Season) -> set[int | None]:
    matches = [match for _table, match in facts.list_tables(season, Match.Phase.RUNNING)]
    return {place.player_id for match in matches for place in match.places.all() if place.stand_in}


def list_ways_out(entry: Entry, season: Season, own: Interests) -> tuple[Way, ...]:
    """Return links to put a substitute into the person's seat, or to withdraw them."""
    tables = [table for table in facts.list_undecided(season) if table.match_id]
    theirs = [table for table in tables if any(chair.entry_id == entry.pk for chair in table.chairs.all())]
    seats = [lead_to_substitutes(table, season) for table in theirs]
    may_withdraw = not conflicts.refuse_taking_out(entry, own)
    return (*seats, *((lead_to(entry, "withdraw", _("Withdraw")),) if may_withdraw else ()))


def silent_people(seasons: Seasons, now: datetime) -> Iterator[Concern]:
    """Yield seasons with people who were invited some time ago and can still get their one reminder."""
    for season in (each for each in seasons if each.phase == Season.Phase.ENTERING):
        silent = [entry.invited_at for entry in season.entries.all() if season_entries.can_be_reminded(entry)]
        late = [asked for asked in silent if asked and asked < now - OVERDUE_AFTER]
        if late:
            what = ngettext("One person hasn’t answered.", "%(count)d people haven’t answered.", len(late))
            ways = (lead_to(season, "remind", _("Remind them")),)
            yield Concern(what % {"count": len(late)}, ways, min(late), season)


def unanswered_invitations(seasons: Seasons, lost: Collection[int]) -> Iterator[Concern]:
    """Yield each person who was invited and has not answered, unless their letter (`lost`) did not arrive."""
    for season in (each for each in seasons if each.phase in (Season.Phase.PLANNED, Season.Phase.ENTERING)):
        asked = [entry for entry in season.entries.all() if entry.state == Entry.State.INVITED and entry.invited_at]
        for entry in sorted(asked, key=lambda entry: (entry.invited_at, entry.pk)):
            if entry.pk in lost:
                continue
            withdraw = lead_to(entry, "withdraw", _("Withdraw"))
            if season_entries.can_be_reminded(entry) and season.phase == Season.Phase.ENTERING:
                what = _("%(name)s hasn’t answered the invitation yet.")
                ways = (lead_to(season, "remind", _("Remind them")), withdraw)
            else:
                what = _("%(name)s hasn’t answered the invitation and its reminder. We won’t write again.")
                ways = (withdraw,)
            since = entry.reminded_at or entry.invited_at
            yield Concern(what % {"name": entry.called}, ways, since, season)
