"""An organiser's corrections: results, things closed too early, and seasons that are cancelled or abandoned."""

from __future__ import annotations

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from beanpost.leagues.actions.action import Action, ActionCall, Answers, Fields
from beanpost.leagues.actions.recipients import find_players_at_table, find_players_in_round, find_players_in_season
from beanpost.leagues.mail.letters import LazySentence
from beanpost.leagues.models import Chair, Division, Fixture, Round, Season
from beanpost.leagues.seasons import corrections, endings, results
from beanpost.play.display.wording import join_names

# ── tables ──


def rank_fields(fixture: Fixture) -> Fields:
    """Return a field for each player's place; equal numbers are ties."""
    chairs = list(fixture.chairs.select_related("sitter"))
    return {
        f"chair{chair.pk}": forms.IntegerField(
            label=_("Place of %(name)s") % {"name": chair.sitter_name},
            min_value=1,
            max_value=len(chairs),
            initial=chair.rank,
        )
        for chair in chairs
    }


def preview_correct(fixture: Fixture, answers: Answers) -> list[str]:
    return [
        describe_result(fixture),
        *preview_places(fixture),
        _("The standings change at once. A result that you set doesn’t count for ratings."),
    ]


def preview_places(fixture: Fixture) -> list[str]:
    """Say how to enter ties, and who comes last in any case."""
    gone = fixture.chairs.filter(seat__in=results.find_resigned_seats(fixture)).select_related("sitter")
    names = [chair.sitter_name for chair in gone]
    last = ngettext(
        "%(names)s resigned or forfeited and comes last, wherever you put them.",
        "%(names)s resigned or forfeited and come last, wherever you put them.",
        len(names),
    )
    return [_("Give players the same place if they tie."), *([last % {"names": join_names(names)}] if names else [])]


def describe_result(fixture: Fixture) -> str:
    places = ", ".join(
        f"{chair.rank}. {chair.sitter_name}" if chair.rank else chair.sitter_name
        for chair in sort_chairs_by_rank(fixture)
    )
    return _("Current result (%(ending)s): %(places)s.") % {"ending": fixture.get_ending_display(), "places": places}


def sort_chairs_by_rank(fixture: Fixture) -> list[Chair]:
    return sorted(fixture.chairs.select_related("sitter"), key=lambda chair: (chair.rank or 99, chair.seat))


def list_public_places(fixture: Fixture) -> str:
    return ", ".join(f"{chair.rank}. {chair.public_sitter_name}" for chair in sort_chairs_by_rank(fixture))


def read_places(answers: Answers) -> dict[int, int]:
    """Return the place that the organiser gave each chair."""
    return {int(name[5:]): place for name, place in answers.items() if name.startswith("chair")}


def correct(fixture: Fixture, call: ActionCall) -> LazySentence:
    before = list_public_places(fixture)
    corrections.correct(fixture, read_places(call.answers), reason=call.reason, now=call.now)
    return lambda: (
        _("The organiser corrected the result of %(fixture)s: %(places)s (before: %(before)s)")
        % {"fixture": fixture, "places": list_public_places(fixture), "before": before}
    )


def preview_count_again(fixture: Fixture, answers: Answers) -> list[str]:
    return [describe_result(fixture), _("The result as played counts again, also for ratings.")]


def count_again(fixture: Fixture, call: ActionCall) -> LazySentence:
    corrections.count_again(fixture, reason=call.reason, now=call.now)
    return lambda: _("%(fixture)s counts again.") % {"fixture": fixture}


def preview_play_again(fixture: Fixture, answers: Answers) -> list[str]:
    return [
        describe_result(fixture),
        describe_replay(),
        _("Ratings will be recalculated without it within the hour."),
    ]


def describe_replay() -> str:
    return _("The table is played again as a new match. The earlier match stays as it is and doesn’t count.")


def play_again(fixture: Fixture, call: ActionCall) -> LazySentence:
    corrections.play_again(fixture, reason=call.reason, now=call.now)
    return lambda: _("%(fixture)s will be played again, as a new match.") % {"fixture": fixture}


# ── reopen ──


def preview_reopen_round(round_: Round, answers: Answers) -> list[str]:
    sentences = [_("Results of this round can be corrected, and tables played again.")]
    if not round_.division.season.draws_ahead:
        sentences.append(_("A later round that is drawn but not started has to be drawn again."))
    if round_.division.season.format == Season.Format.LADDER:
        sentences.append(_("The ladder goes back to what it was before this round was closed."))
    return sentences


def reopen_round(round_: Round, call: ActionCall) -> LazySentence:
    corrections.reopen_round(round_, by=call.by)
    return lambda: _("%(round)s is open again.") % {"round": round_}


def preview_reopen_entries(season: Season, answers: Answers) -> list[str]:
    return [_("People can enter again until you close entries. The seed of the draws stays the same.")]


def reopen_entries(season: Season, call: ActionCall) -> LazySentence:
    corrections.reopen_entries(season)
    return lambda: _("%(season)s is open for entries.") % {"season": season.name}


def preview_reopen_season(season: Season, answers: Answers) -> list[str]:
    return [_("The season goes on: you can reopen its last rounds, correct results, and close it again.")]


def reopen_season(season: Season, call: ActionCall) -> LazySentence:
    corrections.reopen_season(season)
    return lambda: _("%(season)s goes on.") % {"season": season.name}


# ── end a season early ──


def preview_cancel(season: Season, answers: Answers) -> list[str]:
    return [
        _("The season ends without being played. Links to enter it stop working."),
        _("It disappears from the first page and from the league’s page."),
    ]


def cancel(season: Season, call: ActionCall) -> LazySentence:
    endings.cancel_season(season, now=call.now)
    return lambda: _("%(season)s is cancelled.") % {"season": season.name}


def preview_delete(season: Season, answers: Answers) -> list[str]:
    count = season.entries.count()
    sentence = ngettext("One person is on its list.", "%(count)d people are on its list.", count) % {"count": count}
    return [sentence, _("No one has been told about this season yet. It will be deleted for good.")]


def delete(season: Season, call: ActionCall) -> LazySentence:
    name = season.name
    endings.delete_season(season)
    return lambda: _("%(season)s was deleted.") % {"season": name}


def preview_abandon(season: Season, answers: Answers) -> list[str]:
    sentences = [
        _("%(fixture)s is annulled: %(names)s.")
        % {"fixture": fixture, "names": ", ".join(chair.sitter_name for chair in fixture.chairs.all())}
        for fixture in endings.find_undecided_tables(season).prefetch_related("chairs__sitter")
    ]
    return [
        *sentences,
        _("To decide a table’s result instead, do that first, on its own page."),
        _("Matches in progress end now, and their secrets are revealed to everyone."),
        _("Then we close every round and the season."),
        describe_annulled_points(season) if sentences else _("The standings stay as they are."),
    ]


def describe_annulled_points(season: Season) -> str:
    """Say what annulled tables count for if they aren't played again."""
    if season.annulled == Season.Annulled.BYE:
        return _("Everyone at an annulled table gets the points of an average seat, as if they sat out.")
    return _("Annulled tables count for nothing.")


def abandon(season: Season, call: ActionCall) -> LazySentence:
    endings.abandon_season(season, by=call.by, reason=call.reason, now=call.now)
    return lambda: _("%(season)s was abandoned.") % {"season": season.name}


def preview_remove(division: Division, answers: Answers) -> list[str]:
    return [_("This division is empty and will be removed.")]


def remove(division: Division, call: ActionCall) -> LazySentence:
    name = str(division)
    endings.remove_division(division)
    return lambda: _("%(division)s was removed.") % {"division": name}


def is_running(season: Season) -> bool:
    return season.phase == Season.Phase.RUNNING


_l = gettext_lazy
# fmt: off
TABLE_CORRECTIONS = (
    Action(name="correct", label=_l("Correct the result"), act=correct, preview=preview_correct,
           is_open=corrections.can_correct, concerns=find_players_at_table, fields=rank_fields, needs_reason=True),
    Action(name="count-again", label=_l("Undo the annulment"), act=count_again, preview=preview_count_again,
           is_open=corrections.can_count_again, concerns=find_players_at_table, needs_reason=True),
    Action(name="replay", label=_l("Play again"), act=play_again, preview=preview_play_again,
           is_open=corrections.can_play_again, concerns=find_players_at_table, needs_reason=True),
)
ROUND_CORRECTIONS = (
    Action(name="reopen", label=_l("Reopen the round"), act=reopen_round, preview=preview_reopen_round,
           is_open=corrections.can_reopen_round, concerns=find_players_in_round, needs_reason=True),
)
DIVISION_CORRECTIONS = (
    Action(name="remove", label=_l("Remove this division"), act=remove, preview=preview_remove,
           is_open=endings.can_remove, is_final=True),
)
SEASON_CORRECTIONS = (
    Action(name="reopen-entries", label=_l("Reopen entries"), act=reopen_entries, preview=preview_reopen_entries,
           is_open=corrections.can_reopen_entries, concerns=find_players_in_season, needs_reason=True, group="people"),
    Action(name="reopen", label=_l("Reopen the season"), act=reopen_season, preview=preview_reopen_season,
           is_open=corrections.can_reopen_season, concerns=find_players_in_season, needs_reason=True, group="rounds"),
    Action(name="cancel", label=_l("Cancel the season"), act=cancel, preview=preview_cancel,
           is_open=endings.can_cancel, concerns=find_players_in_season, needs_reason=True, group="final",
           is_final=True),
    Action(name="delete", label=_l("Delete the season"), act=delete, preview=preview_delete,
           is_open=endings.can_delete, group="final", is_final=True),
    Action(name="abandon", label=_l("Abandon the season"), act=abandon, preview=preview_abandon, is_open=is_running,
           concerns=find_players_in_season, needs_reason=True, group="final", is_final=True),
)
# fmt: on
