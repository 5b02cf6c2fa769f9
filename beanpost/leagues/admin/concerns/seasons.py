"""A season's next step, and what stands in its way. Seasons come with their rows, read by `facts`."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime, timedelta

from django.template.defaultfilters import date as in_words
from django.urls import reverse
from django.utils.translation import gettext as _

from beanpost.leagues.actions import registry
from beanpost.leagues.actions.clock_actions import is_running
from beanpost.leagues.actions.next_step import NextStep, find_next_step
from beanpost.leagues.admin.concerns.concern import Concern, Way, lead_to, lead_to_people
from beanpost.leagues.mail import round_deadlines
from beanpost.leagues.models import Division, Season
from beanpost.leagues.people import entries as season_entries
from beanpost.leagues.seasons import conflicts, keepers, next_rounds, plans
from beanpost.leagues.seasons.conflicts import Interests

NEARLY_OVER = timedelta(days=7)
NOT_BEGUN = (Season.Phase.PLANNED, Season.Phase.ENTERING, Season.Phase.CLOSED)


def next_step(season: Season, own: Interests, *, can_keep: bool) -> Concern:
    """Return what comes next: the action that moves the season on, unless this organiser would be refused.

    `can_keep` says whether the organiser could decide in matches themselves: a league needs somebody who does.
    """
    step = find_next_step(season)
    if refusal := find_refusal(season, step, own):
        return Concern(f"{step.sentence} {refusal}", about=season, is_step=True)
    action = next((each for each in registry.ACTIONS[Season] if each.name == step.action), None)
    if action is None:
        return Concern(step.sentence, about=season, is_step=True)
    if action.needs_keeper and not season.league.keeper_id and not can_keep:
        what = " ".join([step.sentence, *(said for said, _act in keepers.describe_keeper(season.league))])
        back = reverse("admin:leagues_season_do", args=[season.pk, action.name])
        url = reverse("admin:leagues_league_keeper", args=[season.league_id]) + f"?next={back}"
        return Concern(what, (Way(_("Choose who decides"), url),), about=season, is_step=True)
    return Concern(step.sentence, (lead_to(season, action.name, action.label_for(season)),), None, season, is_step=True)


def find_refusal(season: Season, step: NextStep, own: Interests) -> str:
    """Return why this organiser may not take a step, as far as that is known before they press the button."""
    if step.action == "draw":
        refusals = (conflicts.refuse_redraw(division, own) for division in plans.plan_draws(season).redrawn)
        return next(filter(None, refusals), "")
    return conflicts.refuse_clocks(season, own) if step.action == "resume" else ""


def missing_players(season: Season) -> Iterator[Concern]:
    """Yield the divisions with too few players for their next round, with where to find more."""
    for division in season.divisions.all() if season.phase in plans.GOING_ON else ():
        if not plans.is_between_rounds(division) and not plans.is_broken(division):
            continue
        count = next_rounds.count_missing(division)
        if count and next_rounds.find_last_players(division) is None:
            yield report_missing_players(division, count)


def report_missing_players(division: Division, count: int) -> Concern:
    """Say that a division has too few players, and lead to its entries or to the import of more people."""
    season, what = division.season, next_rounds.describe_missing(division, count)
    if any(map(season_entries.can_become_player, season.entries.all())):
        return Concern(what, (lead_to_people(season, _("Add a player to the draw")),), about=season)
    return Concern(what, (lead_to(season, "import", _("Add people")),), about=season)


def unanswered_keeper(season: Season) -> Iterator[Concern]:
    """Yield what to do about a keeper who hasn't accepted yet. Rounds can start: an organiser decides meanwhile."""
    if season.league.keeper_id and not season.league.typed_keeper:
        return
    url = reverse("admin:leagues_league_keeper", args=[season.league_id])
    for said, act in keepers.describe_keeper(season.league):
        if act:
            yield Concern(said, (Way(act, url),), about=season)


def dates(season: Season, now: datetime) -> Iterator[Concern]:
    """Say that a season should have begun or ended by now, or ends in a few days."""
    today, soon = round_deadlines.find_day(now), round_deadlines.find_day(now + NEARLY_OVER)
    settings = (Way(_("Change the dates"), reverse("admin:leagues_season_change", args=[season.pk])),)
    if is_running(season) and season.ends_on and season.ends_on <= soon:
        sentence = (
            _("%(season)s was to end on %(day)s.") if season.ends_on < today else _("%(season)s ends on %(day)s.")
        )
        values = {"season": season, "day": in_words(season.ends_on)}
        yield Concern(sentence % values, settings, about=season)
    if season.phase in NOT_BEGUN and season.starts_on and season.starts_on < today:
        what = _("%(season)s was to start on %(day)s.") % {"season": season, "day": in_words(season.starts_on)}
        yield Concern(what, settings, about=season)
