"""An organiser's actions on the clocks of a season or division: remind, extend, pause and resume all its tables."""

from __future__ import annotations

from collections.abc import Collection

from django import forms
from django.core.exceptions import ValidationError
from django.db.models import QuerySet
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from beanpost.leagues.actions.action import (
    LETTER_WITH_REASON,
    Action,
    ActionCall,
    Answers,
    Fields,
    find_season,
)
from beanpost.leagues.actions.table_fields import MAX_EXTRA_DAYS
from beanpost.leagues.mail.letters import LazySentence
from beanpost.leagues.models import Fixture, Season
from beanpost.leagues.seasons import clocks, tables
from beanpost.leagues.seasons.clocks import Where
from beanpost.play import clock
from beanpost.play.display.wording import join_names
from beanpost.players.models import Player
from games.contract.seats import seat_label


def find_players_at_tables(where: Where) -> list[Player]:
    fixtures = clocks.tables_being_played(where)
    return list(Player.objects.filter(chairs__fixture__in=fixtures.values("pk")).distinct())


# ── previews ──


def preview_pause(where: Where, answers: Answers) -> list[str]:
    count = clocks.running_tables(where).count()
    sentence = ngettext("The clock stops at one table.", "The clocks stop at %(count)d tables.", count) % {
        "count": count
    }
    return [
        sentence,
        _("Players can still move. Tables that start later are paused too, until you resume."),
        _("A pause ends by itself after thirty days."),
        str(LETTER_WITH_REASON),
    ]


def preview_resume(where: Where, answers: Answers) -> list[str]:
    count = clocks.paused_tables(where).count()
    sentence = ngettext("The clock runs again at one table.", "The clocks run again at %(count)d tables.", count)
    return [sentence % {"count": count}, _("Everyone gets back the time they had left."), str(LETTER_WITH_REASON)]


def describe_waiting_tables(where: Where, skipped: Collection[tuple[int, str]] = ()) -> list[str]:
    """List the tables that wait, and for whom. `skipped` seats are pairs of a match's key and a seat's letter."""
    waiting = clocks.running_tables(where).filter(match__waits__due_at__isnull=False)
    sentences = [
        _("%(fixture)s is waiting for %(names)s.") % {"fixture": fixture, "names": join_names(names)}
        for fixture in prefetch_waits(waiting.distinct())
        if (names := list_awaited_names(fixture, skipped))
    ]
    return (
        [*sentences, _("Tables at which you play are left out: another organiser looks after those.")]
        if sentences
        else []
    )


def prefetch_waits(fixtures: QuerySet[Fixture]) -> QuerySet[Fixture]:
    return fixtures.prefetch_related("chairs__sitter", "match__waits", "match__places")


def list_awaited_names(fixture: Fixture, skipped: Collection[tuple[int, str]] = ()) -> list[str]:
    """Return the names of the people a running table waits for."""
    if fixture.match is None:
        return []
    bots = {place.seat for place in fixture.match.places.all() if place.is_bot}
    seats = {wait.seat for wait in fixture.match.waits.all() if wait.is_blocking and wait.due_at} - bots
    seats = {seat for seat in seats if (fixture.match.pk, seat_label(seat)) not in skipped}
    return [chair.sitter_name for chair in fixture.chairs.all() if chair.seat in seats]


def preview_extend(where: Where, answers: Answers) -> list[str]:
    sentence = _("The extra days are added to each deadline. Deadlines never fall at night.")
    return [*describe_waiting_tables(where), sentence]


def preview_remind(where: Where, answers: Answers) -> list[str]:
    waiting = describe_waiting_tables(where, find_reminded_seats(where))
    if not waiting:
        return [say_nobody_to_remind()]
    return [*waiting, _("They get a letter, once a day at most. The log records it.")]


def find_reminded_seats(where: Where) -> set[tuple[int, str]]:
    """Return the seats reminded in the last day, as pairs of a match's key and a seat's letter."""
    matches = clocks.running_tables(where).values("match")
    reminders = tables.find_recent_reminders(clock.now()).filter(match__in=matches)
    return {(match, line.split()[1]) for match, line in reminders.values_list("match", "line")}


def say_nobody_to_remind() -> str:
    return _("No table is waiting for anyone who could be reminded today.")


# ── actions ──


def pause(where: Where, call: ActionCall) -> LazySentence:
    clocks.pause(where, by=call.by, reason=call.reason, now=call.now)
    return lambda: _("%(name)s is paused.") % {"name": where.name}


def resume(where: Where, call: ActionCall) -> LazySentence:
    clocks.resume(where, by=call.by, reason=call.reason, now=call.now)
    return lambda: _("%(name)s goes on.") % {"name": where.name}


def extend(where: Where, call: ActionCall) -> LazySentence:
    days = call.answers["days"]
    count = clocks.extend_all(where, days, by=call.by, now=call.now)
    if not count:
        raise ValidationError(_("No table is waiting for anyone."))
    return lambda: (
        ngettext(
            "%(name)s: players whose turn it is have one more day.",
            "%(name)s: players whose turn it is have %(days)d more days.",
            days,
        )
        % {"name": where.name, "days": days}
    )


def remind(where: Where, call: ActionCall) -> LazySentence:
    count = clocks.remind_all(where, by=call.by, now=call.now)
    if not count:
        raise ValidationError(say_nobody_to_remind())
    return lambda: ngettext("One player was reminded.", "%(count)d players were reminded.", count) % {"count": count}


def days_field(where: Where) -> Fields:
    return {"days": forms.IntegerField(label=_("Extra days"), min_value=1, max_value=MAX_EXTRA_DAYS, initial=2)}


def is_running(where: Where) -> bool:
    return find_season(where).phase == Season.Phase.RUNNING


def can_pause(where: Where) -> bool:
    """Whether some division is not paused, so that its clocks can stop."""
    return is_running(where) and not clocks.is_paused(where)


def are_clocks_running(where: Where) -> bool:
    """Whether tables are being played, so that somebody can be reminded or get more time."""
    return can_pause(where) and clocks.has_running_tables(where)


def can_resume(where: Where) -> bool:
    return is_running(where) and any(division.paused_at for division in clocks.list_divisions(where))


_l = gettext_lazy
# fmt: off
CLOCK_ACTIONS = (
    Action(name="remind-tables", label=_l("Remind everyone who is holding up a table"), act=remind,
           preview=preview_remind, is_open=are_clocks_running, group="tables"),
    Action(name="extend", label=_l("Extend all deadlines"), act=extend, preview=preview_extend,
           is_open=are_clocks_running, concerns=find_players_at_tables, fields=days_field, needs_reason=True,
           group="tables"),
    Action(name="pause", label=_l("Pause everything"), act=pause, preview=preview_pause, is_open=can_pause,
           concerns=find_players_at_tables, needs_reason=True, sends_own_letters=True, group="tables"),
    Action(name="resume", label=_l("Resume everything"), act=resume, preview=preview_resume, is_open=can_resume,
           concerns=find_players_at_tables, needs_reason=True, sends_own_letters=True, group="tables"),
)
# fmt: on
