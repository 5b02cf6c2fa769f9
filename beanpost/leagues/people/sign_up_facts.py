"""What people should know before they enter a season, above all how long it takes."""

from __future__ import annotations

from typing import Any

from django.template.defaultfilters import date as in_words
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

import games
from beanpost.leagues.models import Season
from beanpost.leagues.people import entries as season_entries
from beanpost.play.display import durations


def describe_season(season: Season | None) -> dict[str, Any]:
    """Return what people should know before they enter a season."""
    if season is None:
        return {}
    titles = [rules.title for slug, rules in games.GAMES.items() if slug in season.league.games]
    return {"titles": titles, "places": season_entries.count_places_left(season), "lasts": describe_duration(season)}


def describe_duration(season: Season) -> str:
    """Say how long a season takes, by its dates or by the days for each round."""
    if season.starts_on and season.ends_on:
        dates = {"first": in_words(season.starts_on), "last": in_words(season.ends_on)}
        return _("from %(first)s to %(last)s") % dates
    if season.round_days and season.format != Season.Format.KNOCK_OUT:
        days = season.round_days * season.rounds
        return ngettext("about one day", "about %(count)d days", days) % {"count": days}
    if season.round_days:
        return ngettext("one day a round", "%(count)d days a round", season.round_days) % {"count": season.round_days}
    return describe_measured_duration(season) or _("until all rounds are played, at the pace above")


def describe_measured_duration(season: Season) -> str:
    """Say how long a season takes, by the days that matches of its games were measured to take; "" for new games."""
    league = season.league
    found = [durations.find_duration(game, variant, season.size) for game, variant in league.games.items()]
    known = [durations.round_days(days, league.pace) for _seats, days in filter(None, found)]
    if not known:
        return ""
    quick, slow = min(quick for quick, _slow in known), max(slow for _quick, slow in known)
    if slow == quick:
        days = ngettext("about one day", "about %(count)d days", quick) % {"count": quick}
    else:
        days = _("%(quick)d to %(slow)d days") % {"quick": quick, "slow": slow}
    if season.format == Season.Format.KNOCK_OUT:
        return _("%(days)s a round") % {"days": days}
    rounds = {"count": season.rounds, "days": days}
    return ngettext("one round of %(days)s", "%(count)d rounds of %(days)s each", season.rounds) % rounds
