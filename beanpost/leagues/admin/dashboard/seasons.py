"""The next step of leagues, seasons and divisions."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import datetime, timedelta
from typing import Any

from django.db.models import Exists, OuterRef, Q
from django.template.defaultfilters import date as in_words
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from beanpost.leagues.actions.clock_actions import is_running
from beanpost.leagues.actions.next_step import NextStep, find_refusal
from beanpost.leagues.actions.round_actions import choose_close_label, choose_start_label
from beanpost.leagues.admin.dashboard.items import MAX_ITEMS, Item, action_url, limit_to_own
from beanpost.leagues.mail import round_deadlines
from beanpost.leagues.models import Division, League, Round, Season
from beanpost.leagues.people import entries as season_entries
from beanpost.leagues.seasons import facts, keepers, next_rounds, plans
from beanpost.play.display.wording import join_names

NEARLY_OVER = timedelta(days=7)
NOT_BEGUN = (Season.Phase.PLANNED, Season.Phase.ENTERING, Season.Phase.CLOSED)


def next_steps(seasons: Sequence[Season], user: Any) -> Iterator[Item]:
    """Yield what can be drawn, started and closed."""
    for season in seasons:
        yield from rounds_to_start(season, user)
    for find in (rounds_to_close, divisions_to_draw, seasons_to_close, knock_outs_cut_short):
        for season in seasons:
            yield from find(season)


def rounds_to_start(season: Season, user: Any) -> Iterator[Item]:
    """Yield the drawn rounds of a season: all divisions start with one press."""
    drawn = plans.find_next_drawn_rounds(season)
    for round_ in filter(facts.lacks_somebody, drawn):
        if next_rounds.find_last_players(round_.division) is not None:
            continue  # told by knock_outs_cut_short: the season can be closed
        if count := next_rounds.count_missing(round_.division):
            yield report_missing_players(round_.division, count)
        else:
            yield report_broken_round(round_, user)
    if ready := [str(round_) for round_ in drawn if not facts.lacks_somebody(round_)]:
        sentence = ngettext("%(rounds)s is drawn and can start.", "%(rounds)s are drawn and can start.", len(ready))
        what = sentence % {"rounds": join_names(ready)}
        yield Item(what, choose_start_label(season), action_url(season, "start"), season)


def report_broken_round(round_: Round, user: Any) -> Item:
    """Say that a round must be redrawn, and why this organiser can't."""
    what, season = (
        _("%(round)s is drawn, but includes a player who has left.") % {"round": round_},
        round_.division.season,
    )
    if refusal := find_refusal(season, NextStep("", "draw"), user):
        return Item(f"{what} {refusal}", _("View"), cockpit_url(season), season)
    return Item(what, _("Draw"), action_url(round_.division, "draw"), season)


def rounds_to_close(season: Season) -> Iterator[Item]:
    if ready := [str(round_) for round_ in plans.find_rounds_to_close(season)]:
        sentence = ngettext(
            "%(rounds)s is finished: all results are in.", "%(rounds)s are finished: all results are in.", len(ready)
        )
        what = sentence % {"rounds": join_names(ready)}
        yield Item(what, choose_close_label(season), action_url(season, "close-round"), season)


def divisions_to_draw(season: Season) -> Iterator[Item]:
    """Yield the divisions of a season to draw: all are drawn with one press."""
    idle = [division for division in season.divisions.all() if plans.is_between_rounds(division)]
    lacking = {division: next_rounds.count_missing(division) for division in idle}
    for division in idle:
        if lacking[division]:
            yield report_missing_players(division, lacking[division])
    able = [each for each in idle if not lacking[each] and next_rounds.find_last_players(each) is None]
    if able:
        sentence = ngettext(
            "%(season)s, %(divisions)s is ready to draw.", "%(season)s, %(divisions)s are ready to draw.", len(able)
        )
        names = join_names(able)
        yield Item(sentence % {"season": season, "divisions": names}, _("Draw"), action_url(season, "draw"))


def report_missing_players(division: Division, count: int) -> Item:
    """Say that a division has too few players, and lead to its entries or to the import of more people."""
    season, what = division.season, next_rounds.describe_missing(division, count)
    if season_entries.find_possible_players(season).exists():
        entries = reverse("admin:leagues_entry_changelist") + f"?season__id__exact={season.pk}"
        return Item(what, _("Add a player to the draw"), entries, season)
    return Item(what, _("Add people"), action_url(season, "import"), season)


def seasons_to_close(season: Season) -> Iterator[Item]:
    is_over = all(round_.phase == Round.Phase.CLOSED for round_ in facts.list_rounds(season))
    if is_over and is_running(season) and not any(map(facts.has_rounds_left, season.divisions.all())):
        what = _("%(season)s has been played to the end.") % {"season": season}
        yield Item(what, _("Close the season"), action_url(season, "close"))


def knock_outs_cut_short(season: Season) -> Iterator[Item]:
    """Yield a knock-out with too few players left for a final. Its drawn rounds are not played."""
    is_idle = is_running(season) and not facts.list_rounds(season, Round.Phase.PUBLISHED)
    if is_idle and season.format == Season.Format.KNOCK_OUT and (sentences := next_rounds.describe_early_ends(season)):
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
    soon, today = round_deadlines.find_day(now + NEARLY_OVER), round_deadlines.find_day(now)
    noted = Q(ends_on__lte=soon) | Q(starts_on__lt=today)
    going_on = limit_to_own(Season.objects.filter(noted).exclude(phase=Season.Phase.ENDED), user)
    for season in going_on.select_related("league")[: 2 * MAX_ITEMS]:
        yield from compare_dates(season, now)


def compare_dates(season: Season, now: datetime) -> Iterator[Item]:
    """Say that a season should have begun or ended by now, or ends in a few days."""
    today, soon = round_deadlines.find_day(now), round_deadlines.find_day(now + NEARLY_OVER)
    if is_running(season) and season.ends_on and season.ends_on <= soon:
        sentence = (
            _("%(season)s was to end on %(day)s.") if season.ends_on < today else _("%(season)s ends on %(day)s.")
        )
        yield Item(sentence % {"season": season, "day": in_words(season.ends_on)}, _("View"), cockpit_url(season))
    if season.phase in NOT_BEGUN and season.starts_on and season.starts_on < today:
        what = _("%(season)s was to start on %(day)s.") % {"season": season, "day": in_words(season.starts_on)}
        yield Item(what, _("View"), cockpit_url(season))


def cockpit_url(season: Season) -> str:
    return reverse("admin:leagues_season_cockpit", args=[season.pk])
