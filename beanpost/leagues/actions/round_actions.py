"""An organiser's actions on one division: draw it, and start and close its rounds."""

from __future__ import annotations

from typing import Any

from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

import games
from beanpost.leagues.actions.action import Action, ActionCall, Answers, in_phase
from beanpost.leagues.actions.recipients import find_players_in_round
from beanpost.leagues.bulk import jobs, whole_season
from beanpost.leagues.mail import round_deadlines
from beanpost.leagues.mail.letters import LazySentence
from beanpost.leagues.models import Division, Entry, Round, Season
from beanpost.leagues.records import knock_out_progress
from beanpost.leagues.seasons import facts, next_rounds, rounds, substitutes
from beanpost.play.display.wording import join_names
from beanpost.play.models import Match
from beanpost.players.models import Player

State = Entry.State
P, R = Season.Phase, Round.Phase


# ── recipients ──


def find_players_at_waiting_tables(round_: Round) -> list[Player]:
    """Return the players at tables that would begin."""
    tables = rounds.find_tables_to_begin().filter(round=round_).values("match")
    return list(Player.objects.filter(places__match__in=tables))


# ── previews ──


def preview_draw(division: Division, answers: Answers) -> list[str]:
    if (left := next_rounds.find_last_players(division)) is not None:
        return [next_rounds.describe_early_end(division, left), _("There’s nothing left to draw.")]
    if lacking := next_rounds.count_missing(division):
        return [next_rounds.describe_missing(division, lacking), *suggest_ways_out(division)]
    alive = (
        knock_out_progress.find_entries_left(division) if division.season.format == Season.Format.KNOCK_OUT else None
    )
    count = division.entries.filter(state=State.ENTERED).count() if alive is None else len(alive)
    pending = division.rounds.filter(phase=Round.Phase.DRAWN).count()
    sentences = [_("%(count)d people are playing in %(name)s.") % {"count": count, "name": division.name}]
    if times := next_rounds.count_times_sitting_out(division, count):
        out = ngettext(
            "Someone sits out, because the tables don’t have room for everyone: each person once at most.",
            "Someone sits out, because the tables don’t have room for everyone: each person %(count)d times at most.",
            times,
        )
        sentences.append(out % {"count": times})
    if pending:
        replaced = ngettext(
            "One drawn round will be replaced; the old draw stays on record.",
            "%(count)d drawn rounds will be replaced; the old draw stays on record.",
            pending,
        )
        sentences.append(replaced % {"count": pending})
    titles = dict.fromkeys(games.get(slug).title for slug in next_rounds.list_games(division.season))
    return [*sentences, _("Games: %(games)s.") % {"games": ", ".join(titles)}]


def suggest_ways_out(division: Division) -> list[str]:
    """Say what can be done when too few people play."""
    playing = division.entries.filter(state=State.ENTERED).count()
    sentences = [_("Add a player from the season’s list to the draw, or add new people.")]
    if any(game.seats.start <= playing for game in games.GAMES.values()):
        sentences.append(_("You could also choose games for fewer players."))
    if division.season.phase == Season.Phase.RUNNING:
        sentences.append(_("You could also close the season now."))
    return sentences


def preview_publish(round_: Round, answers: Answers) -> list[str]:
    return [*describe_tables(round_, answers), describe_invitations()]


def describe_invitations() -> str:
    return _(
        "We’ll write to everyone about their table. Its cards are dealt once all its players are ready, or after 24 "
        "hours."
    )


def describe_tables(round_: Round, answers: Answers) -> list[str]:
    seated = [
        _("Table %(table)d: %(names)s.")
        % {"table": fixture.table, "names": ", ".join(chair.sitter_name for chair in fixture.chairs.all())}
        for fixture in round_.fixtures.prefetch_related("chairs__sitter")
    ]
    byes = [bye.entry.player.name for bye in round_.byes.select_related("entry__player")]
    return [round_.title, *seated, *([_("Sitting out: %(names)s.") % {"names": ", ".join(byes)}] if byes else [])]


def preview_close(round_: Round, answers: Answers) -> list[str]:
    """Return the result of every table of a round, the winner first."""
    fixtures = round_.fixtures.prefetch_related("chairs__sitter")
    return [
        _("Table %(table)d, %(ending)s: %(names)s.")
        % {
            "table": fixture.table,
            "ending": fixture.get_ending_display(),
            "names": ", ".join(chair.sitter_name for chair in sorted(fixture.chairs.all(), key=rank_or_last)),
        }
        for fixture in fixtures
    ]


def rank_or_last(chair: Any) -> int:
    return chair.rank or 99


def preview_begin(round_: Round, answers: Answers) -> list[str]:
    matches = Match.objects.filter(fixture__round=round_, phase=Match.Phase.GATHERING)
    if not matches:
        return [_("No tables are waiting.")]
    sentences = [
        describe_gathering_table(match) for match in matches.select_related("fixture").prefetch_related("places")
    ]
    return [*sentences, _("Players who haven’t accepted yet get the usual time when their turn comes.")]


def describe_gathering_table(match: Match) -> str:
    """Say whom a gathering table waits for. A table with an empty or left seat can't begin without waiting."""
    table = {"table": match.fixture.table}
    if len(match.places.all()) < match.seats:
        return _("Table %(table)d has an empty seat and can’t start.") % table
    if left := [
        chair.sitter_name for chair in match.fixture.chairs.filter(substitutes.has_left()).select_related("sitter")
    ]:
        sentence = _("Table %(table)d can’t start: these players have left and have no substitute yet: %(names)s.")
        return sentence % (table | {"names": join_names(left)})
    if unasked := [chair.entry.called for chair in match.fixture.chairs.filter(substitutes.has_not_accepted())]:
        sentence = _("Table %(table)d doesn’t start with this, because they haven’t accepted the season: %(names)s.")
        return sentence % (table | {"names": join_names(unasked)})
    return _("Table %(table)d is waiting for %(names)s.") % (table | {"names": ", ".join(match.fixture.unready_names)})


# ── actions ──


def draw(division: Division, call: ActionCall) -> LazySentence:
    drawn = rounds.draw(division, by=call.by, reason=call.reason, now=call.now)
    if drawn.is_redraw:
        return lambda: _("%(division)s was redrawn.") % {"division": division.name}
    return lambda: _("%(division)s was drawn.") % {"division": division.name}


def list_draw_steps(division: Division, call: ActionCall) -> list[Any]:
    return whole_season.list_draw_steps([division], by=call.by, reason=call.reason)


def choose_draw_label(division: Division) -> str:
    return _("Redraw") if facts.list_rounds(division, Round.Phase.DRAWN) else _("Draw")


def publish(round_: Round, call: ActionCall) -> LazySentence:
    due_on = round_deadlines.choose_default_deadline(round_.division.season.round_days, call.now)
    count = rounds.publish(round_, now=call.now, due_on=due_on, by=call.by)
    values = {"round": round_, "game": round_.title, "count": count}
    return lambda: (
        ngettext(
            "%(round)s, %(game)s, has started with one table.",
            "%(round)s, %(game)s, has started with %(count)d tables.",
            count,
        )
        % values
    )


def list_publish_steps(round_: Round, call: ActionCall) -> list[Any]:
    due_on = round_deadlines.choose_default_deadline(round_.division.season.round_days, call.now)
    return whole_season.list_start_steps([round_], due_on=due_on, now=call.now)


def choose_start_label(round_: Round) -> str:
    return _("Start round %(number)d") % {"number": round_.number}


def begin(round_: Round, call: ActionCall) -> LazySentence:
    count = rounds.begin_tables(round_, now=call.now)
    if not count:
        raise ValidationError(_("No table was started: none is waiting, or a seat is empty or was given up."))
    return lambda: jobs.describe_begun_tables(count)


def list_begin_steps(round_: Round, call: ActionCall) -> list[Any]:
    if call.answers.get("announce"):
        return []  # tasks don't announce what they do
    return whole_season.list_begin_steps(Round.objects.filter(pk=round_.pk, phase=R.PUBLISHED))


def close_round(round_: Round, call: ActionCall) -> LazySentence:
    rounds.close_round(round_, now=call.now)
    return lambda: _("%(round)s is closed.") % {"round": round_}


_l = gettext_lazy
# fmt: off
DIVISION_ACTIONS = (
    Action("draw", _l("Draw"), draw, preview_draw,
           lambda division: division.season.phase in (P.CLOSED, P.RUNNING), make_label=choose_draw_label,
           steps=list_draw_steps),
)
ROUND_ACTIONS = (
    Action("publish", _l("Start"), publish, preview_publish,
           lambda r: r.phase == R.DRAWN and r.division.season.phase != P.ENDED, make_label=choose_start_label,
           steps=list_publish_steps, needs_keeper=True),
    Action("begin", _l("Start without waiting"), begin, preview_begin, in_phase(R.PUBLISHED),
           find_players_at_waiting_tables, steps=list_begin_steps, is_quiet=True),
    Action("close", _l("Close the round"), close_round, preview_close, in_phase(R.PUBLISHED),
           find_players_in_round),
)
# fmt: on
