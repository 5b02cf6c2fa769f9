"""The season after one that has ended: its divisions and the people asked again."""

from __future__ import annotations

from collections.abc import Iterable

from django.core.exceptions import ValidationError
from django.db import transaction
from django.utils.translation import gettext as _

from beanpost.leagues.locks import lock_season
from beanpost.leagues.models import Division, Entry, Season
from beanpost.leagues.records import season_records
from beanpost.leagues.standings.promotion import build_next_divisions
from beanpost.players.models import Player


@transaction.atomic
def plan_next_season(season: Season, name: str, *, also: Iterable[Entry] = ()) -> Season:
    """Plan the next season with the same people, some one division up or down, to be invited again.

    Waiting people and substitutes can be asked too. Like newcomers, they get a division when entries close.
    """
    lock_season(season)  # a second press in the same moment finds the name taken
    if season.phase != Season.Phase.ENDED:
        raise ValidationError(_("This season isn’t over yet."))
    after = plan_divisions(season)
    fresh = copy_settings(season, name)
    fresh.clean()
    fresh.save()
    for division, players in after:
        home = Division.objects.create(season=fresh, name=division.name, level=division.level)
        for player in players:
            Entry.objects.create(season=fresh, player=player, division=home, rung=fresh.entries.count(), known=True)
    for entry in also:
        Entry.objects.create(season=fresh, player=entry.player, rung=fresh.entries.count(), known=True)
    return fresh


def copy_settings(season: Season, name: str) -> Season:
    """Return a new season with the same settings, not saved yet. Dates and everything that happened stay behind."""
    own = {"id", "name", "phase", "cancelled_at", "seed", "starts_on", "ends_on"}
    kept = [field.name for field in Season._meta.concrete_fields if field.name not in own]
    return Season(name=name, **{field: getattr(season, field) for field in kept})


def plan_divisions(season: Season) -> list[tuple[Division, list[Player]]]:
    """Return the next season's divisions, without people who have left or whose data was erased."""
    divisions = list(season.divisions.select_related("season"))
    entries = {entry.pk: entry for entry in season.entries.select_related("player")}
    stay = set(season_records.find_staying(divisions).values_list("pk", flat=True))
    rankings = list(season_records.rank_divisions(divisions).values())
    orders = [[row.tally.entrant for row in ranking.rows if row.tally.entrant in stay] for ranking in rankings]
    idle = [n for n, ranking in enumerate(rankings) if not ranking.has_results]
    after = build_next_divisions(orders, moving=season.moving, idle=idle)
    if season.format == Season.Format.LADDER:  # rungs stay as they are
        held = {pk: (n, entries[pk].rung) for n, order in enumerate(orders) for pk in order}
        after = [sorted(order, key=held.__getitem__) for order in after]
    return [(division, [entries[pk].player for pk in order]) for division, order in zip(divisions, after, strict=True)]
