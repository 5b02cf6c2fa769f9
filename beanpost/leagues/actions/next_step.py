"""The one thing to do next in a season: a sentence about where it stands, and the action that moves it on."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from beanpost.leagues.mail import round_deadlines
from beanpost.leagues.models import Entry, Season
from beanpost.leagues.people import entries as season_entries
from beanpost.leagues.seasons import clocks, facts, next_rounds, plans
from beanpost.play import clock
from beanpost.play.models import Match

OVERDUE_AFTER = timedelta(days=2)  # how long people may take to answer before an organiser should look
Phase = Season.Phase


@dataclass(frozen=True)
class NextStep:
    """`action` names an action of the season; empty if there is nothing to do but wait for people."""

    sentence: str
    action: str = ""


def find_next_step(season: Season) -> NextStep:
    match season.phase:
        case Phase.PLANNED | Phase.ENTERING:
            return find_step_while_entering(season)
        case Phase.ENDED:
            return find_step_after_end(season)
    return find_step_while_playing(season)


def find_step_while_entering(season: Season) -> NextStep:
    facts.prefetch_rows(season)
    people = season.entries.all()
    if not people:
        return NextStep(_("No one is on the list yet."), "import")
    if count := len([entry for entry in people if entry.state == Entry.State.INVITED and not entry.invited_at]):
        sentence = ngettext("One person hasn’t been invited yet.", "%(count)d people haven’t been invited yet.", count)
        return NextStep(sentence % {"count": count}, "invite")
    entered = len([entry for entry in people if entry.state == Entry.State.ENTERED])
    silent = [entry.invited_at for entry in people if season_entries.can_be_reminded(entry)]
    lacking = next_rounds.find_fewest_to_begin(season) - entered
    if lacking > 0:
        return find_step_with_too_few(season, lacking, silent)
    sentence = ngettext("One player is in.", "%(count)d players are in.", entered) % {"count": entered}
    if silent:
        waiting = ngettext("One person hasn’t answered.", "%(count)d people haven’t answered.", len(silent))
        sentence = f"{sentence} {waiting % {'count': len(silent)}}"
    return NextStep(sentence, "close-entries")


def find_step_with_too_few(season: Season, lacking: int, silent: list[datetime | None]) -> NextStep:
    """Wait for answers for a while before proposing to remind people; without open invitations, ask for more people."""
    sentence = ngettext("You need one more person for a table.", "You need %(count)d more people for a table.", lacking)
    sentence %= {"count": lacking}
    if not silent or season.phase != Phase.ENTERING:
        return NextStep(sentence, "import")
    waiting = ngettext("One person hasn’t answered.", "%(count)d people haven’t answered.", len(silent))
    sentence = f"{sentence} {waiting % {'count': len(silent)}}"
    is_old = any(is_before(invited_at, clock.now() - OVERDUE_AFTER) for invited_at in silent)
    return NextStep(sentence, "remind" if is_old else "")


def find_step_while_playing(season: Season) -> NextStep:
    facts.prefetch_tables(season)
    undecided = len(facts.list_undecided(season))
    if step := find_step_with_drawn_rounds(season):
        return step
    to_draw = plans.plan_draws(season)
    if to_draw.divisions:
        return NextStep(_("The next round can be drawn."), "draw")
    if not undecided and plans.find_rounds_to_close(season):
        return NextStep(_("All results are in."), "close-round")
    if undecided:
        return wait_for_tables(season, undecided)
    if sentences := next_rounds.describe_early_ends(season) if season.format == Season.Format.KNOCK_OUT else []:
        return NextStep(" ".join(sentences), "close" if season.phase == Phase.RUNNING else "")
    if to_draw.refused:
        return NextStep(" ".join(sentence for _division, sentence in to_draw.refused), "import")
    if season.phase == Phase.RUNNING:
        return NextStep(_("Everything has been played."), "close")
    return NextStep("")


def find_step_with_drawn_rounds(season: Season) -> NextStep | None:
    """Redraw rounds that include a player who has left, then start all divisions together."""
    drawn = plans.find_next_drawn_rounds(season)
    broken = [round_ for round_ in drawn if facts.lacks_somebody(round_)]
    if broken and plans.plan_draws(season).redrawn:
        return NextStep(_("A drawn round includes a player who has left, so it has to be redrawn."), "draw")
    if len(broken) < len(drawn):
        return NextStep(_("The tables are drawn. Players see them once you start the round."), "start")
    return None


def wait_for_tables(season: Season, undecided: int) -> NextStep:
    """Wait for the tables. After a while, offer to start those whose players have not answered."""
    if clocks.is_paused(season):
        return NextStep(_("Everything is paused."), "resume")
    tables = facts.list_undecided(season)
    if gathering := [table for table in tables if table.match and table.match.phase == Match.Phase.GATHERING]:
        sentence = ngettext(
            "One table will be dealt once its players are ready, or after 24 hours.",
            "%(count)d tables will be dealt once their players are ready, or after 24 hours.",
            len(gathering),
        )
        is_old = any(is_before(table.round.published_at, clock.now() - OVERDUE_AFTER) for table in gathering)
        can_begin = is_old and bool(facts.list_tables_to_begin(season))
        return NextStep(sentence % {"count": len(gathering)}, "begin" if can_begin else "")
    today = round_deadlines.find_day(clock.now())
    if late := len([table for table in tables if table.round.due_on and table.round.due_on < today]):
        sentence = ngettext(
            "The round’s deadline has passed, and one table has no result. Decide it, or set a new deadline.",
            "The round’s deadline has passed, and %(count)d tables have no result. Decide them, or set a new deadline.",
            late,
        )
        return NextStep(sentence % {"count": late}, "deadline")
    sentence = ngettext("One table is still playing.", "%(count)d tables are still playing.", undecided)
    return NextStep(sentence % {"count": undecided})


def is_before(moment: datetime | None, limit: datetime) -> bool:
    return moment is not None and moment < limit


def find_step_after_end(season: Season) -> NextStep:
    if season.cancelled_at:
        return NextStep(_("This season was cancelled."))
    if has_successor(season):
        return NextStep(_("This season is over."))
    return NextStep(_("This season is over."), "next")


def has_successor(season: Season) -> bool:
    return any(each.pk > season.pk and each.cancelled_at is None for each in season.league.seasons.all())
