"""Conflicts of interest: nobody decides about a table or a division at which they play."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from django.db.models import prefetch_related_objects
from django.utils.translation import gettext as _

from beanpost.leagues import organiser_accounts
from beanpost.leagues.models import Division, Entry, Round, Season
from beanpost.leagues.scope import find_known_matches
from beanpost.leagues.seasons import facts
from beanpost.play.models import Match


@dataclass(frozen=True)
class Interests:
    """Who an organiser is as a player, and in which matches of some seasons they play. Read when it is needed."""

    user: Any
    seasons: Collection[Season] = ()

    @cached_property
    def is_known(self) -> bool:
        """Whether we know who they are. Until they have told us, every match counts as theirs."""
        return organiser_accounts.is_known(self.user)

    @cached_property
    def players(self) -> frozenset[int]:
        """The players they may be."""
        players = organiser_accounts.find_players(self.user).values_list("pk", flat=True) if self.is_known else ()
        return frozenset(players)

    @cached_property
    def matches(self) -> frozenset[int]:
        """The matches in which they, or a substitute for them, play or have played."""
        own = find_known_matches(self.user) if self.is_known else Match.objects.all()
        of_seasons = own.filter(fixture__round__division__season__in=[season.pk for season in self.seasons])
        return frozenset(of_seasons.values_list("pk", flat=True))


def refuse_redraw(division: Division, own: Interests) -> str:
    """Return why an organiser may not redraw a division; "" if they may.

    They may where a drawn player has deleted their data: there may be no other organiser. A player who was withdrawn
    is no reason: the organiser may have withdrawn them in order to redraw.
    """
    facts.prefetch_rows(division.season)
    prefetch_related_objects([division], "rounds__fixtures__chairs")
    people = {entry.pk: entry for entry in division.season.entries.all()}
    playing = facts.list_playing(division)
    gone = list_drawn(division) - {entry.pk for entry in playing}
    if any(people[who].player.is_forgotten for who in gone):
        return ""
    if not own.is_known:
        return _("Tell us first whether you play here yourself.")
    if any(entry.player_id in own.players for entry in playing):
        return _("You play in this division: another organiser must draw it again.")
    return ""


def refuse_taking_out(entry: Entry, own: Interests) -> str:
    """Return why an organiser may not take a player out of a draw: their own division would have to be drawn again."""
    facts.prefetch_rows(entry.season)
    division = next((each for each in entry.season.divisions.all() if each.pk == entry.division_id), None)
    if division is None or entry.pk not in list_drawn(division) or entry.player_id in own.players:
        return ""
    if not own.is_known:
        return _("Tell us first whether you play here yourself.")
    if any(each.player_id in own.players for each in facts.list_playing(division)):
        return _("You play in this division, which has been drawn: another organiser must do this.")
    return ""


def list_drawn(division: Division) -> set[int]:
    """Return the entries that are drawn for a round that has not started."""
    tables = [table for round_ in facts.list_rounds(division, Round.Phase.DRAWN) for table in round_.fixtures.all()]
    return {chair.entry_id for table in tables for chair in table.chairs.all()}


def refuse_clocks(where: Season | Division, own: Interests) -> str:
    """Return why an organiser may not stop or start the clocks of all tables: they play at every one of them."""
    if not own.is_known:
        return _("Tell us first whether you play here yourself.")
    matches = [table.match for table in facts.list_undecided(where)]
    running = [match.pk for match in matches if match and match.phase == Match.Phase.RUNNING]
    if running and own.matches.issuperset(running):
        return _("You’re playing at every table here, so another organiser has to decide.")
    return ""
