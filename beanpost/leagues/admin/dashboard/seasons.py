"""The next step of leagues, seasons and divisions."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import datetime, timedelta
from typing import Any

from django.db.models import Exists, OuterRef, Q
from django.template.defaultfilters import date as in_words
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from beanpost.leagues.actions.whole_season_actions import choose_close_label, choose_start_label
from beanpost.leagues.admin.dashboard.items import MAX_ITEMS, Item, action_url, limit_to_own
from beanpost.leagues.bulk import whole_season
from beanpost.leagues.mail import round_deadlines
from beanpost.leagues.models import Division, League, Round, Season
from beanpost.leagues.people import entries as season_entries
from beanpost.leagues.seasons import keepers, next_rounds
from beanpost.play.display.wording import join_names

NEARLY_OVER = timedelta(days=7)


def rounds_to_start(user: Any) -> Iterator[Item]:
    """Yield seasons with drawn rounds that can start: all divisions start with one press."""
    ready = whole_season.ready_to_start(limit_to_own(Round.objects.all(), user))
    found = list(ready.select_related("division__season__league")[:MAX_ITEMS])
    for round_ in [each for each in found if each.lacks_somebody]:
        if next_rounds.find_last_players(round_.division) is not None:
            continue  # listed by knock_outs_cut_short: the season can be closed
        if count := next_rounds.count_missing(round_.division):
            yield report_missing_players(round_.division, count)
        else:
            what = _("%(round)s is drawn, but includes a player who has left.") % {"round": round_}
            yield Item(what, _("Draw"), action_url(round_.division, "draw"), round_.division.season)
    for season, rows in group_by_season([each for each in found if not each.lacks_somebody]):
        sentence = ngettext("%(rounds)s is drawn and can start.", "%(rounds)s are drawn and can start.", len(rows))
        yield Item(
            sentence % {"rounds": join_names(rows)}, choose_start_label(season), action_url(season, "start"), season
        )


def rounds_to_close(user: Any) -> Iterator[Item]:
    ready = whole_season.ready_to_close(limit_to_own(Round.objects.all(), user))
    for season, rows in group_by_season(ready.select_related("division__season__league")[:MAX_ITEMS]):
        sentence = ngettext(
            "%(rounds)s is finished: all results are in.", "%(rounds)s are finished: all results are in.", len(rows)
        )
        yield Item(
            sentence % {"rounds": join_names(rows)},
            choose_close_label(season),
            action_url(season, "close-round"),
            season,
        )


def group_by_season(rounds: Iterable[Round]) -> list[tuple[Season, list[str]]]:
    """Group rounds by their season."""
    seasons: dict[Season, list[str]] = {}
    for round_ in rounds:
        seasons.setdefault(round_.division.season, []).append(str(round_))
    return list(seasons.items())


def divisions_to_draw(user: Any) -> Iterator[Item]:
    """Yield seasons with divisions to draw: all are drawn with one press."""
    ready: dict[Season, list[str]] = {}
    for division in whole_season.ready_to_draw(limit_to_own(Division.objects.all(), user)).select_related(
        "season__league"
    )[:MAX_ITEMS]:
        if count := next_rounds.count_missing(division):
            yield report_missing_players(division, count)
        elif next_rounds.find_last_players(division) is None:
            ready.setdefault(division.season, []).append(division.name)
    for season, names in ready.items():
        sentence = ngettext(
            "%(season)s, %(divisions)s is ready to draw.", "%(season)s, %(divisions)s are ready to draw.", len(names)
        )
        yield Item(sentence % {"season": season, "divisions": join_names(names)}, _("Draw"), action_url(season, "draw"))


def report_missing_players(division: Division, count: int) -> Item:
    """Say that a division has too few players, and lead to its entries or to the import of more people."""
    season, what = division.season, next_rounds.describe_missing(division, count)
    if season_entries.find_possible_players(season).exists():
        entries = reverse("admin:leagues_entry_changelist") + f"?season__id__exact={season.pk}"
        return Item(what, _("Add a player to the draw"), entries, season)
    return Item(what, _("Add people"), action_url(season, "import"), season)


def seasons_to_close(user: Any) -> Iterator[Item]:
    unfinished = Round.objects.filter(division__season=OuterRef("pk")).exclude(phase=Round.Phase.CLOSED)
    seasons = limit_to_own(Season.objects.filter(phase=Season.Phase.RUNNING), user).filter(~Exists(unfinished))
    going_on = next_rounds.find_unfinished_divisions(Division.objects.filter(season=OuterRef("pk")))
    for season in seasons.filter(~Exists(going_on)).select_related("league")[:MAX_ITEMS]:
        yield Item(
            _("%(season)s has been played to the end.") % {"season": season},
            _("Close the season"),
            action_url(season, "close"),
        )


def knock_outs_cut_short(user: Any) -> Iterator[Item]:
    """Yield knock-outs with too few players left for a final. Their drawn rounds are not played."""
    being_played = Round.objects.filter(division__season=OuterRef("pk"), phase=Round.Phase.PUBLISHED)
    running = Season.objects.filter(phase=Season.Phase.RUNNING, format=Season.Format.KNOCK_OUT)
    for season in limit_to_own(running, user).filter(~Exists(being_played)).select_related("league")[:MAX_ITEMS]:
        if sentences := next_rounds.describe_early_ends(season):
            yield Item(" ".join(sentences), _("Close the season"), action_url(season, "close"), season)


def leagues_without_keeper(user: Any) -> Iterator[Item]:
    """Yield leagues whose keeper hasn't accepted yet. Rounds can start: an organiser decides meanwhile."""
    waiting = League.objects.filter(Q(keeper=None) | ~Q(typed_keeper="")).select_related("keeper")
    for league in limit_to_own(waiting, user)[:MAX_ITEMS]:
        yield from list_keeper_items(league)


def list_keeper_items(league: League) -> list[Item]:
    """Return what to do about a keeper who hasn't accepted yet."""
    if league.keeper_id and not league.typed_keeper:
        return []
    url = reverse("admin:leagues_league_keeper", args=[league.pk])
    return [Item(said, act, url, league) for said, act in keepers.describe_keeper(league) if act]


def seasons_to_follow(user: Any) -> Iterator[Item]:
    """Yield leagues whose last season is over, to plan the next one."""
    played = Season.objects.filter(cancelled_at=None)
    later = played.filter(league=OuterRef("league"), pk__gt=OuterRef("pk"))
    over = limit_to_own(played.filter(phase=Season.Phase.ENDED), user).filter(~Exists(later))
    for season in over.select_related("league")[:MAX_ITEMS]:
        yield Item(_("This season is over."), _("Plan the next season"), action_url(season, "next"), season)


def leagues_without_season(user: Any) -> Iterator[Item]:
    planned = Season.objects.filter(league=OuterRef("pk"), cancelled_at=None)
    for league in limit_to_own(League.objects.filter(~Exists(planned)), user)[:MAX_ITEMS]:
        url = reverse("admin:leagues_season_add") + f"?league={league.pk}"
        yield Item(_("%(league)s has no season yet.") % {"league": league}, _("Plan a season"), url)


def seasons_without_people(user: Any) -> Iterator[Item]:
    planned = Season.objects.filter(phase__in=(Season.Phase.PLANNED, Season.Phase.ENTERING), entries=None)
    for season in limit_to_own(planned, user).select_related("league")[:MAX_ITEMS]:
        yield Item(_("No one is on the list yet."), _("Add people"), action_url(season, "import"), season)


def overdue_seasons(user: Any, now: datetime) -> Iterator[Item]:
    """Yield seasons that should have begun or ended by now, and those that end in a few days."""
    today, soon = round_deadlines.find_day(now), round_deadlines.find_day(now + NEARLY_OVER)
    going_on = limit_to_own(Season.objects.exclude(phase=Season.Phase.ENDED), user).select_related("league")
    for season in going_on.filter(ends_on__lte=soon, phase=Season.Phase.RUNNING)[:MAX_ITEMS]:
        is_over = season.ends_on is not None and season.ends_on < today
        sentence = _("%(season)s was to end on %(day)s.") if is_over else _("%(season)s ends on %(day)s.")
        yield Item(sentence % {"season": season, "day": in_words(season.ends_on)}, _("View"), cockpit_url(season))
    not_begun = going_on.filter(starts_on__lt=today).exclude(phase=Season.Phase.RUNNING)
    for season in not_begun[:MAX_ITEMS]:
        what = _("%(season)s was to start on %(day)s.") % {"season": season, "day": in_words(season.starts_on)}
        yield Item(what, _("View"), cockpit_url(season))


def cockpit_url(season: Season) -> str:
    return reverse("admin:leagues_season_cockpit", args=[season.pk])
