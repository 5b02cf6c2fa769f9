"""An organiser's actions on rounds: draw, start, begin and close them, in one division or in all at once."""

from __future__ import annotations

from datetime import date

from django import forms
from django.core.exceptions import ValidationError
from django.db.models import Q
from django.template.defaultfilters import date as in_words
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

import games
from beanpost.leagues.actions.action import Action, ActionCall, Answers, Fields, Heading, find_season, in_phase
from beanpost.leagues.actions.recipients import find_followers, find_players_in_round
from beanpost.leagues.locks import lock_season
from beanpost.leagues.mail import round_deadlines
from beanpost.leagues.mail.letters import LazySentence
from beanpost.leagues.models import Chair, Division, Entry, Fixture, Round, Season
from beanpost.leagues.records import knock_out_progress
from beanpost.leagues.seasons import facts, next_rounds, plans, rounds, substitutes
from beanpost.play import clock
from beanpost.play.display.wording import add_colon, join_names
from beanpost.play.models import Match
from beanpost.players.models import Player

State = Entry.State
P, R = Season.Phase, Round.Phase

# ── the rows of each verb: all that are ready in a season, or the one that was chosen ──


def list_divisions_to_draw(where: Season | Division) -> list[Division]:
    return list(plans.plan_draws(where).divisions) if isinstance(where, Season) else [where]


def list_rounds_to_start(where: Season | Round) -> list[Round]:
    return plans.find_rounds_to_start(where) if isinstance(where, Season) else [where]


def list_rounds_to_begin(where: Season | Round) -> list[Round]:
    if isinstance(where, Round):
        return [where]
    return list(plans.find_rounds_being_played(where).select_related("division__season"))


def list_rounds_to_close(where: Season | Round) -> list[Round]:
    return plans.find_rounds_to_close(where) if isinstance(where, Season) else [where]


# ── recipients ──


def find_players_at_waiting_tables(where: Season | Round) -> list[Player]:
    """Return the players at tables that would begin."""
    tables = rounds.find_tables_to_begin().filter(round__in=list_rounds_to_begin(where)).values("match")
    return list(Player.objects.filter(places__match__in=tables).distinct())


def find_players_in_closing_rounds(season: Season) -> list[Player]:
    """Return everybody at a table of a round that would be closed, and players knocked out earlier who follow it."""
    closing = plans.find_rounds_to_close(season)
    seated = Chair.objects.filter(fixture__round__in=closing).values("sitter")
    return list(Player.objects.filter(Q(pk__in=seated) | Q(pk__in=find_followers(closing))))


# ── draw ──


def preview_draw(where: Season | Division, answers: Answers) -> list[str]:
    if isinstance(where, Division):
        return describe_draw(where)
    plan = plans.plan_draws(where)
    sentences = [
        sentence for division in plan.divisions for sentence in (Heading(str(division)), *describe_draw(division))
    ]
    sentences += [sentence for _division, sentence in plan.refused]
    if not plan.divisions:
        return [*sentences, _("There’s nothing to draw now.")]
    if plan.redrawn:
        sentences.append(_("This is a redraw. Please give a reason; everyone will see it."))
    return [*sentences, _("Next you’ll see who plays with whom. Players see it once you start the round.")]


def describe_draw(division: Division) -> list[str]:
    """Say who would be drawn for which games, or why nobody can be."""
    if (left := next_rounds.find_last_players(division)) is not None:
        return [next_rounds.describe_early_end(division, left), _("There’s nothing left to draw.")]
    if lacking := next_rounds.count_missing(division):
        return [next_rounds.describe_missing(division, lacking), *suggest_ways_out(division)]
    alive = (
        knock_out_progress.find_entries_left(division) if division.season.format == Season.Format.KNOCK_OUT else None
    )
    count = division.entries.filter(state=State.ENTERED).count() if alive is None else len(alive)
    pending = division.rounds.filter(phase=Round.Phase.DRAWN).count()
    sentences = [_("%(count)d people are playing in %(name)s.") % {"count": count, "name": division}]
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


def draw(where: Season | Division, call: ActionCall) -> LazySentence:
    lock_season(find_season(where))
    drawn = [
        rounds.draw_locked(division, by=call.by, reason=call.reason, now=call.now)
        for division in list_divisions_to_draw(where)
    ]
    if not drawn:
        raise ValidationError(_("There’s nothing to draw now."))
    names = [str(row.division) for row in drawn]
    if isinstance(where, Division):
        is_redraw = drawn[0].is_redraw
        return lambda: (
            (_("%(division)s was redrawn.") if is_redraw else _("%(division)s was drawn.")) % {"division": where.name}
        )
    return lambda: (
        ngettext("%(names)s was drawn.", "%(names)s were drawn.", len(names)) % {"names": join_names(names)}
        + " "
        + _("Look at the tables, then start the round.")
    )


def choose_draw_label(division: Division) -> str:
    return _("Redraw") if facts.list_rounds(division, R.DRAWN) else _("Draw")


# ── start ──


def preview_start(where: Season | Round, answers: Answers) -> list[str]:
    ready = list_rounds_to_start(where)
    if not ready:
        return [_("No round is ready to start.")]
    sentences = [sentence for round_ in ready for sentence in describe_round(where, round_, describe_tables(round_))]
    return [*sentences, describe_invitations()]


def describe_round(where: Season | Round, round_: Round, sentences: list[str]) -> list[str]:
    """Put a heading above what is said about a round, unless the page is about this round alone."""
    return sentences if isinstance(where, Round) else [Heading(str(round_)), *sentences]


def describe_invitations() -> str:
    return _(
        "We’ll write to everyone about their table. Its cards are dealt once all its players are ready, or after 24 "
        "hours."
    )


def describe_tables(round_: Round) -> list[str]:
    seated = [
        _("Table %(table)d: %(names)s.")
        % {"table": fixture.table, "names": ", ".join(chair.sitter_name for chair in fixture.chairs.all())}
        for fixture in round_.fixtures.prefetch_related("chairs__sitter")
    ]
    byes = [bye.entry.player.name for bye in round_.byes.select_related("entry__player")]
    return [round_.title, *seated, *([_("Sitting out: %(names)s.") % {"names": ", ".join(byes)}] if byes else [])]


def start(where: Season | Round, call: ActionCall) -> LazySentence:
    lock_season(find_season(where))
    ready = list_rounds_to_start(where)
    if not ready:
        raise ValidationError(_("No round is ready to start."))
    usual = round_deadlines.choose_default_deadline(find_season(where).round_days, call.now)
    due_on = call.answers.get("due_on", usual)
    count = sum(rounds.publish(round_, now=call.now, due_on=due_on, by=call.by) for round_ in ready)
    return lambda: (
        ngettext(
            "One table is open and its players are invited.",
            "%(count)d tables are open and their players are invited.",
            count,
        )
        % {"count": count}
    )


def choose_start_label(where: Season | Round) -> str:
    """Name the round that would start, if all divisions are at the same one."""
    which = {round_.number for round_ in list_rounds_to_start(where)}
    return _("Start round %(number)d") % {"number": which.pop()} if len(which) == 1 else _("Start the next rounds")


def deadline_field(season: Season) -> Fields:
    """Ask for the last day of the rounds: as set before, or as long from now as the season's settings say."""
    played = plans.find_rounds_being_played(season).exclude(due_on=None).order_by("due_on").last()
    usual = round_deadlines.choose_default_deadline(season.round_days, clock.now())
    day = forms.DateField(
        label=gettext_lazy("Last day of the round (if you like)"),
        required=False,
        initial=played.due_on if played else usual,
        widget=forms.DateInput({"type": "date"}, format="%Y-%m-%d"),
    )
    return {"due_on": day}


# ── begin ──


def preview_begin(where: Season | Round, answers: Answers) -> list[str]:
    sentences: list[str] = []
    for round_ in list_rounds_to_begin(where):
        matches = Match.objects.filter(fixture__round=round_, phase=Match.Phase.GATHERING)
        rows = matches.select_related("fixture").prefetch_related("places")
        if tables := [describe_gathering_table(match) for match in rows]:
            sentences += describe_round(where, round_, tables)
    if not sentences:
        return [_("No tables are waiting.")]
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


def begin(where: Season | Round, call: ActionCall) -> LazySentence:
    count = sum(rounds.begin_tables(round_, now=call.now) for round_ in list_rounds_to_begin(where))
    if not count:
        raise ValidationError(_("No table was started: none is waiting, or a seat is empty or was given up."))
    return lambda: ngettext("One table has started.", "%(count)d tables have started.", count) % {"count": count}


# ── close ──


def preview_close(where: Season | Round, answers: Answers) -> list[str]:
    """Show the result of every table of the rounds, then the rounds that stay open."""
    sentences = [
        sentence
        for round_ in list_rounds_to_close(where)
        for sentence in describe_round(where, round_, [*describe_results(round_), *describe_survivors(round_)])
    ]
    if isinstance(where, Season):
        still = plans.find_rounds_being_played(where).filter(fixtures__ending=Fixture.Ending.OPEN)
        sentences += [describe_open_tables(round_) for round_ in still.distinct().select_related("division")]
    return sentences or [_("No round is ready to be closed: some tables have no result yet.")]


def describe_results(round_: Round) -> list[str]:
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


def rank_or_last(chair: Chair) -> int:
    return chair.rank or 99


def describe_survivors(round_: Round) -> list[str]:
    """Say who goes through in a knock-out, once all tables have a result."""
    is_knock_out = round_.division.season.format == Season.Format.KNOCK_OUT
    if not is_knock_out or round_.is_final or not facts.is_decided(round_):
        return []
    names = dict(round_.division.entries.values_list("pk", "player__name"))
    through = [names[who] for who in knock_out_progress.find_entries_through(round_)]
    return [_("Going through: %(names)s.") % {"names": join_names(through)}]


def describe_open_tables(round_: Round) -> str:
    tables = round_.fixtures.filter(ending=Fixture.Ending.OPEN).values_list("table", flat=True)
    sentence = _("%(round)s stays open: no result yet at table %(tables)s.")
    return sentence % {"round": round_, "tables": ", ".join(map(str, tables))}


def close(where: Season | Round, call: ActionCall) -> LazySentence:
    lock_season(find_season(where))
    closing = list_rounds_to_close(where)
    if not closing:
        raise ValidationError(_("No round is ready to be closed: some tables have no result yet."))
    for round_ in closing:
        rounds.close_round(round_, now=call.now)
    names = [str(round_) for round_ in closing]
    return lambda: (
        ngettext("%(rounds)s is closed.", "%(rounds)s are closed.", len(names)) % {"rounds": join_names(names)}
    )


def choose_close_label(season: Season) -> str:
    which = {round_.number for round_ in plans.find_rounds_to_close(season)}
    return _("Close round %(number)d") % {"number": which.pop()} if len(which) == 1 else _("Close finished rounds")


# ── deadlines ──


def find_players_in_open_rounds(season: Season) -> list[Player]:
    tables = round_deadlines.find_open_tables(Round.objects.filter(division__season=season)).values("pk")
    return list(Player.objects.filter(chairs__fixture__in=tables).distinct())


def preview_deadlines(season: Season, answers: Answers) -> list[str]:
    sentences = []
    for round_ in plans.find_rounds_being_played(season).select_related("division"):
        count = round_.fixtures.filter(ending=Fixture.Ending.OPEN).count()
        open_ = ngettext("one table has no result yet", "%(count)d tables have no result yet", count) % {"count": count}
        day = in_words(round_.due_on) if round_.due_on else _("no deadline")
        sentences.append(f"{add_colon(str(round_))} {day}; {open_}.")
    return [*sentences, _("Three days before, we remind players whose table has no result yet.")]


def set_deadlines(season: Season, call: ActionCall) -> LazySentence:
    """Set the day by which all rounds being played should be over."""
    lock_season(season)
    due_on = call.answers.get("due_on")
    playing = list(plans.find_rounds_being_played(season).select_related("division__season"))
    if not playing:
        raise ValidationError(_("No round is being played."))
    for round_ in playing:
        rounds.set_deadline(round_, due_on, now=call.now)
    return lambda: describe_deadline(season.name, due_on)


def describe_deadline(name: str, due_on: date | None) -> str:
    if due_on is None:
        return _("%(name)s: the round has no deadline any more.") % {"name": name}
    return _("%(name)s: the round ends on %(day)s.") % {"name": name, "day": in_words(due_on)}


# ── which actions make sense now ──


def is_going_on(division: Division) -> bool:
    return division.season.phase in plans.GOING_ON


def can_draw(season: Season) -> bool:
    return bool(plans.plan_draws(season).divisions)


def is_drawn(round_: Round) -> bool:
    return round_.phase == R.DRAWN and round_.division.season.phase != P.ENDED


def can_start(season: Season) -> bool:
    return bool(plans.find_rounds_to_start(season))


def is_gathering(season: Season) -> bool:
    matches = [table.match for table in facts.list_undecided(season)]
    return season.phase == P.RUNNING and any(match and match.phase == Match.Phase.GATHERING for match in matches)


def can_close(season: Season) -> bool:
    return season.phase in plans.GOING_ON and bool(plans.find_rounds_to_close(season))


def has_open_rounds(season: Season) -> bool:
    return season.phase == P.RUNNING and bool(facts.list_rounds(season, R.PUBLISHED))


_l = gettext_lazy
# fmt: off
WHOLE_SEASON_ACTIONS = (
    Action(name="draw", label=_l("Draw"), act=draw, preview=preview_draw, is_open=can_draw, group="rounds"),
    Action(name="start", label=_l("Start the next rounds"), act=start, preview=preview_start, is_open=can_start,
           make_label=choose_start_label, fields=deadline_field, group="rounds", needs_keeper=True),
    Action(name="deadline", label=_l("Set the rounds’ deadline"), act=set_deadlines, preview=preview_deadlines,
           is_open=has_open_rounds, concerns=find_players_in_open_rounds, fields=deadline_field, group="rounds"),
    Action(name="begin", label=_l("Start without waiting"), act=begin, preview=preview_begin, is_open=is_gathering,
           concerns=find_players_at_waiting_tables, group="rounds", is_quiet=True),
    Action(name="close-round", label=_l("Close finished rounds"), act=close, preview=preview_close, is_open=can_close,
           concerns=find_players_in_closing_rounds, make_label=choose_close_label, group="rounds"),
)
DIVISION_ACTIONS = (
    Action(name="draw", label=_l("Draw"), act=draw, preview=preview_draw, is_open=is_going_on,
           make_label=choose_draw_label),
)
ROUND_ACTIONS = (
    Action(name="publish", label=_l("Start"), act=start, preview=preview_start, is_open=is_drawn,
           make_label=choose_start_label, needs_keeper=True),
    Action(name="begin", label=_l("Start without waiting"), act=begin, preview=preview_begin,
           is_open=in_phase(R.PUBLISHED), concerns=find_players_at_waiting_tables, is_quiet=True),
    Action(name="close", label=_l("Close the round"), act=close, preview=preview_close, is_open=in_phase(R.PUBLISHED),
           concerns=find_players_in_round),
)
# fmt: on
