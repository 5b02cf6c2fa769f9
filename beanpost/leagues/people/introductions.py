"""Hide people from organisers, who see only what they typed until the person accepts an invitation of the league.

Otherwise an organiser could look people up by typing addresses. `Entry.typed_…` holds what was typed; this module reads
and writes a season's rows with it.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from django.db.models import Case, CharField, F, QuerySet, When

from beanpost.leagues.models import Entry, League, Season
from beanpost.players.models import Player


def find_introduced(league: League, players: Iterable[Player]) -> set[int]:
    """Return the keys of those players whom the league's organisers know."""
    known = Entry.objects.filter(season__league=league, player__in=players, known=True)
    return set(known.values_list("player_id", flat=True))


def introduce(entry: Entry) -> None:
    """Show an accepted person to the league's organisers, in all of its seasons."""
    Entry.objects.filter(season__league=entry.season.league_id, player=entry.player_id).update(known=True)
    entry.known = True


def annotate_shown_names(entries: QuerySet[Entry]) -> QuerySet[Any]:
    """Annotate entries with the name and address that organisers see, to search by."""
    text = CharField()
    typed = Case(When(typed_name="", then=F("typed_address")), default=F("typed_name"), output_field=text)
    hidden, address = Entry.hidden(), F("typed_address")
    return entries.annotate(
        name_read=Case(When(hidden, then=typed), default=F("player__name"), output_field=text),
        address_read=Case(When(hidden, then=address), default=F("player__address"), output_field=text),
    )


def list_addresses(season: Season) -> frozenset[str]:
    """Return the addresses on a season's list, as its organisers know them."""
    return frozenset(annotate_shown_names(season.entries.all()).values_list("address_read", flat=True))


def list_names(entries: QuerySet[Entry]) -> list[str]:
    return list(annotate_shown_names(entries).values_list("name_read", flat=True))
