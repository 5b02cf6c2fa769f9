"""An organiser's actions at a table. `tables`, `results` and `corrections` in `seasons` carry them out."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from beanpost.leagues.actions.action import LETTER_WITH_REASON, Action, ActionCall
from beanpost.leagues.actions.correction_actions import (
    describe_replay,
    describe_result,
    list_public_places,
    preview_places,
    rank_fields,
    read_places,
)
from beanpost.leagues.actions.recipients import find_players_at_table
from beanpost.leagues.actions.table_fields import (
    extend_fields,
    find_substitutes,
    is_running,
    line_field,
    list_blocking_waits,
    load_chairs,
    seat_field,
    substitute_fields,
)
from beanpost.leagues.mail.letters import LazySentence
from beanpost.leagues.models import Chair, Fixture, Season
from beanpost.leagues.seasons import clocks, corrections, results, substitutes, tables
from beanpost.play.display import scene, story
from beanpost.play.display.wording import format_time, join_names
from beanpost.play.models import Match, Place, Proposal
from beanpost.play.seats import rewind, votes


def is_clock_running(fixture: Fixture) -> bool:
    return is_running(fixture) and fixture.match is not None and fixture.match.paused_at is None


def is_paused(fixture: Fixture) -> bool:
    return is_running(fixture) and not is_clock_running(fixture)


def has_match(fixture: Fixture) -> bool:
    return fixture.match_id is not None


def is_undecided(fixture: Fixture) -> bool:
    return has_match(fixture) and fixture.ending == Fixture.Ending.OPEN


def still_counts(fixture: Fixture) -> bool:
    is_over = fixture.round.division.season.phase == Season.Phase.ENDED
    return has_match(fixture) and fixture.ending != Fixture.Ending.ANNULLED and not is_over


# ── previews ──


def describe_table(fixture: Fixture, answers: Mapping[str, Any]) -> list[str]:
    """Describe the table: whom it waits for and until when, and where bots play; or its result."""
    match, names = fixture.match, {chair.seat: chair.sitter_name for chair in load_chairs(fixture)}
    if fixture.ending != Fixture.Ending.OPEN:
        return [describe_result(fixture)]
    if match is not None and match.phase == Match.Phase.GATHERING:
        return [describe_gathering_table(fixture, match)]
    if match is None or match.phase != Match.Phase.RUNNING:
        return [_("This match isn’t in progress.")]
    places, waits = {place.seat: place for place in match.places.all()}, list_blocking_waits(match)
    sentences = [
        _("The table is waiting for %(name)s, until %(until)s.")
        % {"name": names[wait.seat], "until": format_time(wait.due_at, wait.since)}
        for wait in waits
        if wait.due_at
    ]
    sentences += [scene.explain_bot(place) for place in places.values() if place.stand_in]
    sentences += [
        sentence for proposal in votes.find_undecided(match) if (sentence := describe_proposal(proposal, places))
    ]
    return sentences + describe_pause(match, [names[wait.seat] for wait in waits if wait.due_at is None])


def describe_gathering_table(fixture: Fixture, match: Match) -> str:
    """Say whom a table waits for before it is dealt."""
    if match.places.count() < match.seats:
        return _("This table has an empty seat.")
    sentence = _("The cards are dealt once everyone is ready, or after 24 hours. Not ready yet: %(names)s.")
    return sentence % {"names": join_names(fixture.unready_names)}


def describe_pause(match: Match, names: list[str]) -> list[str]:
    if match.paused_at is None:
        return []
    then = _("When play resumes, the table will be waiting for %(names)s.") % {"names": join_names(names)}
    return [_("The match is paused and the clock is stopped."), *([then] if names else [])]


def describe_proposal(proposal: Proposal, places: Mapping[int, Place]) -> str:
    """Say what an organiser has asked people, and who has answered."""
    if proposal.about == Proposal.About.REWIND:
        if agreed := [place.name for place in votes.find_yes_voters(proposal)]:
            return _("Everyone is being asked whether to undo. Agreed so far: %(names)s.") % {
                "names": join_names(agreed)
            }
        return _("Everyone is being asked whether to undo. No one has agreed yet.")
    if proposal.about == Proposal.About.GIVE and proposal.passed_at:
        values = {"incoming": proposal.player, "name": places[proposal.seat], "at": format_time(proposal.passed_at)}
        return _("%(incoming)s was asked to substitute for %(name)s, %(at)s, and hasn’t accepted yet.") % values
    return ""


def preview_with(*more: Any) -> Any:
    """Return a preview: the state of play, and what the action does to it."""
    return lambda fixture, answers: [*describe_table(fixture, answers), *map(str, more)]


def preview_substitute(fixture: Fixture, answers: Mapping[str, Any]) -> list[str]:
    if not find_substitutes(fixture).exists():
        return [_("This season has no substitutes. Add someone, or make one of the entries a substitute.")]
    if not is_running(fixture):
        return [_("The substitute will be invited instead.")]
    asked = _("The substitute is asked by letter. Until they accept, a bot plays.")
    return [
        *describe_table(fixture, answers),
        asked,
        _("Once a substitute has accepted, the original player can’t come back."),
    ]


def preview_forfeit(fixture: Fixture, answers: Mapping[str, Any]) -> list[str]:
    if is_running(fixture):
        played_on = [_("A bot takes over those cards.")]
    elif fixture.match and fixture.match.phase == Match.Phase.GATHERING:
        played_on = [_("A bot plays the seat from the first turn, so the table can start without them.")]
    else:
        played_on = []
    nothing = _("A player who forfeits comes last and gets no points for this table. The others move up.")
    return [*describe_table(fixture, answers), *played_on, nothing]


def preview_end(fixture: Fixture, answers: Mapping[str, Any]) -> list[str]:
    if not is_running(fixture):
        return describe_table(fixture, answers)
    return [*describe_table(fixture, answers), _("The match ends now, and its secret is revealed to everyone.")]


def preview_adjudicate(fixture: Fixture, answers: Mapping[str, Any]) -> list[str]:
    sentences = [*preview_end(fixture, answers), *preview_places(fixture)]
    if is_running(fixture):
        sentences.append(_("The match’s log can’t show ties: it lists tied players one after the other."))
    return sentences


def preview_annul(fixture: Fixture, answers: Mapping[str, Any]) -> list[str]:
    rated = fixture.ending == Fixture.Ending.PLAYED
    then = {
        Season.Annulled.NOTHING: _("The table counts for nothing."),
        Season.Annulled.BYE: _("Everyone at the table gets the points of an average seat, as if they sat out."),
        Season.Annulled.REPLAY: _("The table counts for nothing until it’s played again: reopen the round first."),
    }[Season.Annulled(fixture.round.division.season.annulled)]
    replayed = corrections.is_replayed(fixture)
    recalculated = [_("Ratings will be recalculated without it within the hour.")]
    return [
        *preview_end(fixture, answers),
        describe_replay() if replayed else then,
        *(recalculated if rated else []),
    ]


def preview_rewind(fixture: Fixture, answers: Mapping[str, Any]) -> list[str]:
    chosen, match = str(answers.get("line") or ""), fixture.match
    if match is None or not is_running(fixture):
        return describe_table(fixture, answers)
    offered = {str(move.seq) for move in story.find_undoable_lines(match)}
    if not offered:
        return [_("There’s nothing to undo yet.")]
    if chosen not in offered:
        return [_("Choose a move and preview it: you’ll see what would be undone and who has to agree.")]
    line = rewind.find_line_before(match, int(chosen))
    undone = [f"{move.seq}. {move.text}" for move in story.find_undone_lines(match, line)]
    if rewind.needs_no_vote(match, line):
        return [
            *undone,
            _("No one learned anything from these moves, so they’re undone at once."),
            str(LETTER_WITH_REASON),
        ]
    return [*undone, _("Cards have been seen, so these moves are undone only if everyone at the table agrees.")]


# ── actions: what they tell goes to everybody at the table, so with the names that players want shown ──


def extend(fixture: Fixture, call: ActionCall) -> LazySentence:
    chair: Chair = call.answers["chair"]
    until = tables.extend(chair, call.answers["days"], now=call.now)
    return lambda: (
        _("%(name)s now has until %(until)s.")
        % {"name": chair.public_sitter_name, "until": format_time(until, call.now)}
    )


def remind(fixture: Fixture, call: ActionCall) -> LazySentence:
    chair: Chair = call.answers["chair"]
    tables.remind(chair, now=call.now)
    return lambda: _("%(name)s was reminded.") % {"name": chair.public_sitter_name}


def pause(fixture: Fixture, call: ActionCall) -> LazySentence:
    tables.pause(fixture, reason=call.reason, now=call.now)
    return lambda: _("%(fixture)s is paused. The clock is stopped.") % {"fixture": fixture}


def resume(fixture: Fixture, call: ActionCall) -> LazySentence:
    clocks.resume_table(fixture, by=call.by, reason=call.reason, now=call.now)
    return lambda: _("%(fixture)s has resumed. The clock is running.") % {"fixture": fixture}


def give_to_bot(fixture: Fixture, call: ActionCall) -> LazySentence:
    chair: Chair = call.answers["chair"]
    tables.give_to_bot(chair, now=call.now)
    return lambda: _("A bot is playing for %(name)s.") % {"name": chair.public_sitter_name}


def substitute(fixture: Fixture, call: ActionCall) -> LazySentence:
    chair, incoming = call.answers["chair"], call.answers["incoming"]
    shown = incoming.called if incoming.is_hidden else incoming.player.public_name
    names = {"incoming": shown, "name": chair.public_entry_name}
    if substitutes.substitute(chair, incoming, now=call.now):
        return lambda: _("%(incoming)s is substituting for %(name)s.") % names
    return lambda: _("%(incoming)s was asked to substitute for %(name)s.") % names


def forfeit(fixture: Fixture, call: ActionCall) -> LazySentence:
    chair: Chair = call.answers["chair"]
    results.forfeit(chair, reason=call.reason, now=call.now)
    return lambda: _("%(name)s gets no points for %(fixture)s.") % {"name": chair.public_entry_name, "fixture": fixture}


def undo(fixture: Fixture, call: ActionCall) -> LazySentence:
    seq = int(call.answers["line"])
    values = {"line": seq, "fixture": fixture}
    if tables.rewind(fixture, seq, reason=call.reason, now=call.now):
        return lambda: _("Line %(line)d of %(fixture)s and everything after it were undone.") % values
    return lambda: (
        _("Everyone at %(fixture)s is being asked whether to undo line %(line)d and everything after it.") % values
    )


def adjudicate(fixture: Fixture, call: ActionCall) -> LazySentence:
    results.adjudicate(fixture, read_places(call.answers), reason=call.reason, now=call.now)
    return lambda: (
        _("The organiser decided the result of %(fixture)s: %(places)s")
        % {"fixture": fixture, "places": list_public_places(fixture)}
    )


def annul(fixture: Fixture, call: ActionCall) -> LazySentence:
    if corrections.annul(fixture, reason=call.reason, now=call.now):
        return lambda: _("%(fixture)s was annulled and will be played again, as a new match.") % {"fixture": fixture}
    return lambda: _("%(fixture)s no longer counts.") % {"fixture": fixture}


_l = gettext_lazy
# fmt: off
TABLE_ACTIONS = (
    Action(name="remind", label=_l("Remind"), act=remind,
           preview=preview_with(_l("They get a letter, once a day at most. The log records it.")),
           is_open=is_clock_running, fields=seat_field),
    Action(name="extend", label=_l("Give more time"), act=extend,
           preview=preview_with(_l("The extra days are added to the deadline. Deadlines never fall at night.")),
           is_open=is_clock_running, concerns=find_players_at_table, fields=extend_fields, needs_reason=True),
    Action(name="pause", label=_l("Pause"), act=pause,
           preview=preview_with(_l("The clock stops for everyone, but players can still move."), LETTER_WITH_REASON),
           is_open=is_clock_running, concerns=find_players_at_table, needs_reason=True, sends_own_letters=True),
    Action(name="resume", label=_l("Resume"), act=resume,
           preview=preview_with(_l("Everyone gets back the time they had left."), LETTER_WITH_REASON),
           is_open=is_paused, concerns=find_players_at_table, needs_reason=True, sends_own_letters=True),
    Action(name="bot", label=_l("Let a bot play"), act=give_to_bot,
           preview=preview_with(_l("A bot plays until the player takes the seat back.")), is_open=is_running,
           concerns=find_players_at_table, fields=seat_field, needs_reason=True),
    Action(name="substitute", label=_l("Substitute"), act=substitute, preview=preview_substitute,
           is_open=is_undecided, concerns=find_players_at_table, fields=substitute_fields, needs_reason=True),
    Action(name="rewind", label=_l("Undo"), act=undo, preview=preview_rewind, is_open=is_running,
           concerns=find_players_at_table, fields=line_field, needs_reason=True, sends_own_letters=True),
    Action(name="adjudicate", label=_l("Set the result"), act=adjudicate, preview=preview_adjudicate,
           is_open=is_undecided, concerns=find_players_at_table, fields=rank_fields, needs_reason=True, is_final=True),
    Action(name="forfeit", label=_l("Forfeit a seat"), act=forfeit, preview=preview_forfeit, is_open=still_counts,
           concerns=find_players_at_table, fields=seat_field, needs_reason=True, is_final=True),
    Action(name="annul", label=_l("Annul"), act=annul, preview=preview_annul, is_open=still_counts,
           concerns=find_players_at_table, needs_reason=True, is_final=True),
)
# fmt: on
