"""An organiser's actions on all divisions of a season at once, each with a preview table by table."""

from __future__ import annotations

from datetime import date
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.db.models import Q
from django.template.defaultfilters import date as in_words
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from beanpost.leagues.actions import round_actions
from beanpost.leagues.actions.action import Action, ActionCall, Answers, Fields, Heading
from beanpost.leagues.actions.clock_actions import is_running
from beanpost.leagues.actions.recipients import find_followers
from beanpost.leagues.bulk import jobs, whole_season
from beanpost.leagues.mail import round_deadlines
from beanpost.leagues.mail.letters import LazySentence
from beanpost.leagues.models import Chair, Fixture, Round, Season
from beanpost.leagues.records import knock_out_progress
from beanpost.leagues.seasons import facts, rounds
from beanpost.play import clock
from beanpost.play.display.wording import add_colon, join_names
from beanpost.play.models import Match
from beanpost.players.models import Player

# ── recipients ──


def find_players_at_waiting_tables(season: Season) -> list[Player]:
    tables = rounds.find_tables_to_begin().filter(round__division__season=season).values("match")
    return list(Player.objects.filter(places__match__in=tables).distinct())


def find_players_in_closing_rounds(season: Season) -> list[Player]:
    """Return everybody at a table of a round that would be closed. Also followers who were knocked out."""
    closing = whole_season.find_rounds_to_close(season)
    seated = Chair.objects.filter(fixture__round__in=closing).values("sitter")
    return list(Player.objects.filter(Q(pk__in=seated) | Q(pk__in=find_followers(closing))))


# ── previews ──


def preview_draw(season: Season, answers: Answers) -> list[str]:
    ready = whole_season.plan_draws(season)
    sentences: list[str] = []
    for division in ready.divisions:
        sentences += [Heading(division.name), *round_actions.preview_draw(division, answers)]
    sentences += [sentence for _division, sentence in ready.refused]
    if not ready.divisions:
        return [*sentences, _("There’s nothing to draw now.")]
    if ready.redrawn:
        sentences.append(_("This is a redraw. Please give a reason; everyone will see it."))
    return [*sentences, _("Next you’ll see who plays with whom. Players see it once you start the round.")]


def preview_start(season: Season, answers: Answers) -> list[str]:
    ready = whole_season.find_rounds_to_start(season)
    sentences = [sentence for round_ in ready for sentence in describe_seating(round_)]
    if not ready:
        return [_("No round is ready to start.")]
    return [*sentences, round_actions.describe_invitations()]


def describe_seating(round_: Round) -> list[str]:
    title, *tables = round_actions.describe_tables(round_, {})
    return [Heading(_("%(round)s: %(game)s") % {"round": round_, "game": title}), *tables]


def preview_begin(season: Season, answers: Answers) -> list[str]:
    published = Round.objects.filter(division__season=season, phase=Round.Phase.PUBLISHED)
    gathering = published.filter(fixtures__match__phase=Match.Phase.GATHERING).distinct()
    sentences: list[str] = []
    for round_ in gathering.select_related("division"):
        sentences += [Heading(str(round_)), *round_actions.preview_begin(round_, {})]
    return sentences or [_("No tables are waiting.")]


def preview_close(season: Season, answers: Answers) -> list[str]:
    sentences: list[str] = []
    for round_ in whole_season.find_rounds_to_close(season):
        sentences += [Heading(str(round_)), *round_actions.preview_close(round_, {}), *describe_survivors(round_)]
    still = Round.objects.filter(division__season=season, phase=Round.Phase.PUBLISHED)
    for round_ in still.filter(fixtures__ending=Fixture.Ending.OPEN).distinct().select_related("division"):
        sentences.append(describe_open_tables(round_))
    return sentences or [_("No round is ready to be closed: some tables have no result yet.")]


def describe_survivors(round_: Round) -> list[str]:
    """Say who goes through in a knock-out."""
    if round_.division.season.format != Season.Format.KNOCK_OUT or round_.is_final:
        return []
    names = dict(round_.division.entries.values_list("pk", "player__name"))
    through = [names[who] for who in knock_out_progress.find_entries_through(round_)]
    return [_("Going through: %(names)s.") % {"names": join_names(through)}]


def describe_open_tables(round_: Round) -> str:
    tables = round_.fixtures.filter(ending=Fixture.Ending.OPEN).values_list("table", flat=True)
    sentence = _("%(round)s stays open: no result yet at table %(tables)s.")
    return sentence % {"round": round_, "tables": ", ".join(map(str, tables))}


# ── actions ──


def draw(season: Season, call: ActionCall) -> LazySentence:
    drawn = whole_season.draw_all(season, by=call.by, reason=call.reason, now=call.now)
    names = [draw.division.name for draw in drawn]
    return lambda: (
        ngettext("%(names)s was drawn.", "%(names)s were drawn.", len(names)) % {"names": join_names(names)}
        + " "
        + _("Look at the tables, then start the round.")
    )


def list_draw_steps(season: Season, call: ActionCall) -> list[Any]:
    ready = whole_season.plan_draws(season).divisions
    return whole_season.list_draw_steps(ready, by=call.by, reason=call.reason)


def start(season: Season, call: ActionCall) -> LazySentence:
    count = whole_season.start_all(season, now=call.now, due_on=call.answers.get("due_on"), by=call.by)
    return lambda: jobs.describe_started_tables(count)


def list_start_steps(season: Season, call: ActionCall) -> list[Any]:
    ready = whole_season.find_rounds_to_start(season)
    return whole_season.list_start_steps(ready, due_on=call.answers.get("due_on"), now=call.now)


def set_deadlines(season: Season, call: ActionCall) -> LazySentence:
    due_on = call.answers.get("due_on")
    if not whole_season.set_deadlines(season, due_on, now=call.now):
        raise ValidationError(_("No round is being played."))
    return lambda: describe_deadline(season.name, due_on)


def describe_deadline(name: str, due_on: date | None) -> str:
    if due_on is None:
        return _("%(name)s: the round has no deadline any more.") % {"name": name}
    return _("%(name)s: the round ends on %(day)s.") % {"name": name, "day": in_words(due_on)}


def begin(season: Season, call: ActionCall) -> LazySentence:
    count = whole_season.begin_all(season, now=call.now)
    if not count:
        raise ValidationError(_("No table was started: none is waiting, or a seat is empty or was given up."))
    return lambda: jobs.describe_begun_tables(count)


def list_begin_steps(season: Season, call: ActionCall) -> list[Any]:
    if call.answers.get("announce"):
        return []  # tasks don't announce what they do
    return whole_season.list_begin_steps(whole_season.rounds_being_played(season))


def close(season: Season, call: ActionCall) -> LazySentence:
    closed = whole_season.close_all(season, now=call.now)
    return lambda: (
        ngettext("%(rounds)s is closed.", "%(rounds)s are closed.", len(closed))
        % {"rounds": join_names([str(round_) for round_ in closed])}
    )


# ── labels and phases ──


def collect_numbers(found: list[Round]) -> set[int]:
    return {round_.number for round_ in found}


def choose_start_label(season: Season) -> str:
    """Name the round that would start, if all divisions are at the same one."""
    which = collect_numbers(whole_season.find_rounds_to_start(season))
    return _("Start round %(number)d") % {"number": which.pop()} if len(which) == 1 else _("Start the next rounds")


def choose_close_label(season: Season) -> str:
    which = collect_numbers(whole_season.find_rounds_to_close(season))
    return _("Close round %(number)d") % {"number": which.pop()} if len(which) == 1 else _("Close finished rounds")


def deadline_field(season: Season) -> Fields:
    """Ask for the last day of the rounds: as set before, or as long from now as the season's settings say."""
    played = whole_season.rounds_being_played(season).exclude(due_on=None).order_by("due_on").last()
    usual = round_deadlines.choose_default_deadline(season.round_days, clock.now())
    day = forms.DateField(
        label=gettext_lazy("Last day of the round (if you like)"),
        required=False,
        initial=played.due_on if played else usual,
        widget=forms.DateInput({"type": "date"}, format="%Y-%m-%d"),
    )
    return {"due_on": day}


def has_open_rounds(season: Season) -> bool:
    return season.phase == Season.Phase.RUNNING and bool(facts.list_rounds(season, Round.Phase.PUBLISHED))


def find_players_in_open_rounds(season: Season) -> list[Player]:
    tables = round_deadlines.find_open_tables(Round.objects.filter(division__season=season)).values("pk")
    return list(Player.objects.filter(chairs__fixture__in=tables).distinct())


def preview_deadlines(season: Season, answers: Answers) -> list[str]:
    sentences = []
    for round_ in whole_season.rounds_being_played(season).select_related("division"):
        count = round_.fixtures.filter(ending=Fixture.Ending.OPEN).count()
        open_ = ngettext("one table has no result yet", "%(count)d tables have no result yet", count) % {"count": count}
        day = in_words(round_.due_on) if round_.due_on else _("no deadline")
        sentences.append(f"{add_colon(str(round_))} {day}; {open_}.")
    return [*sentences, _("Three days before, we remind players whose table has no result yet.")]


def can_start(season: Season) -> bool:
    return bool(whole_season.find_rounds_to_start(season))


def can_close(season: Season) -> bool:
    return season.phase in whole_season.GOING_ON and bool(whole_season.find_rounds_to_close(season))


def is_gathering(season: Season) -> bool:
    matches = [table.match for table in facts.list_undecided(season)]
    return is_running(season) and any(match and match.phase == Match.Phase.GATHERING for match in matches)


def can_draw(season: Season) -> bool:
    return bool(whole_season.plan_draws(season).divisions)


_l = gettext_lazy
# fmt: off
WHOLE_SEASON_ACTIONS = (
    Action("draw", _l("Draw"), draw, preview_draw, can_draw, steps=list_draw_steps, group="rounds"),
    Action("start", _l("Start the next rounds"), start, preview_start, can_start,
           make_label=choose_start_label, fields=deadline_field, steps=list_start_steps, group="rounds",
           needs_keeper=True),
    Action("deadline", _l("Set the rounds’ deadline"), set_deadlines, preview_deadlines, has_open_rounds,
           find_players_in_open_rounds, deadline_field, group="rounds"),
    Action("begin", _l("Start without waiting"), begin, preview_begin, is_gathering, find_players_at_waiting_tables,
           steps=list_begin_steps, group="rounds", is_quiet=True),
    Action("close-round", _l("Close finished rounds"), close, preview_close,
           can_close, find_players_in_closing_rounds,
           make_label=choose_close_label, group="rounds"),
)
# fmt: on
