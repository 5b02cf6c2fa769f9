"""An organiser's actions at the end of a season: close it and plan the next."""

from __future__ import annotations

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from beanpost.leagues.actions.action import Action, ActionCall, Answers, Fields, in_phase
from beanpost.leagues.actions.recipients import find_players_in_season
from beanpost.leagues.mail.letters import LazySentence
from beanpost.leagues.models import Division, Entry, Fixture, Round, Season
from beanpost.leagues.records import season_records
from beanpost.leagues.seasons import next_rounds, next_season, phases, substitutes
from beanpost.play.display.wording import add_colon, join_names

State = Entry.State
P = Season.Phase


# ── previews ──


def preview_close(season: Season, answers: Answers) -> list[str]:
    """Name rounds and tables that stay unplayed, then the winners."""
    left = Round.objects.filter(division__season=season, phase=Round.Phase.DRAWN).count()
    never = ngettext(
        "One round has been drawn but won’t be played.", "%(count)d rounds have been drawn but won’t be played.", left
    )
    firsts = [describe_winners(division, names) for division, names in season_records.find_winners(season)]
    return [*describe_missing_rounds(season), *([never % {"count": left}] if left else []), *firsts]


def describe_missing_rounds(season: Season) -> list[str]:
    sentences = []
    for division in season.divisions.select_related("season__league"):
        played = division.rounds.exclude(phase=Round.Phase.DRAWN).count()
        if season.format == Season.Format.KNOCK_OUT:
            if next_rounds.find_last_players(division) is None and not next_rounds.has_played_final(division):
                sentences.append(_("%(division)s: the final hasn’t been played.") % {"division": division})
        elif played < season.rounds:
            sentence = _("%(division)s: only %(played)d of %(all)d rounds were played.")
            sentences.append(sentence % {"division": division, "played": played, "all": season.rounds})
    waiting = Fixture.objects.filter(round__division__season=season, round__phase=Round.Phase.PUBLISHED)
    waiting = waiting.filter(ending=Fixture.Ending.OPEN).select_related("round__division")
    return sentences + [_("%(fixture)s has no result yet.") % {"fixture": fixture} for fixture in waiting[:20]]


def describe_winners(division: Division, names: list[str]) -> str:
    if not names:
        return next_rounds.describe_early_end(division, names)
    if len(names) > 1:
        return _("%(division)s: %(names)s share first place.") % {"division": division, "names": join_names(names)}
    return _("%(division)s: %(name)s wins.") % {"division": division, "name": names[0]}


def preview_next_season(season: Season, answers: Answers) -> list[str]:
    """Say who would play in which division, and which waiting people and substitutes are asked too."""
    homes = [
        f"{add_colon(division)} {join_names(names)}." for division, names in next_season.plan_divisions(season) if names
    ]
    ticked = answers.get("also")  # None: the form was not submitted yet, so everybody is ticked
    also = [entry for entry in substitutes.find_substitutes(season) if ticked is None or str(entry.pk) in ticked]
    waited = [entry.player.name for entry in also if entry.state == State.WAITING]
    sat_in = [entry.player.name for entry in also if entry.state == State.SUBSTITUTE]
    homes += [_("From the waiting list: %(names)s.") % {"names": join_names(waited)}] if waited else []
    homes += [_("Substitutes: %(names)s.") % {"names": join_names(sat_in)}] if sat_in else []
    return [*homes, _("They’ll be added to the list. They won’t hear about it until you invite them.")]


# ── actions ──


def close_season(season: Season, call: ActionCall) -> LazySentence:
    phases.close_season(season)
    ended = season_records.find_winners(season)
    return lambda: " ".join(
        [_("%(season)s is over.") % {"season": season.name}, *(describe_winners(*ending) for ending in ended)]
    )


def plan_next_season(season: Season, call: ActionCall) -> LazySentence:
    fresh = next_season.plan_next_season(season, call.answers["name"], also=call.answers.get("also", ()))
    return lambda: _("%(season)s has been created.") % {"season": fresh.name}


# ── fields ──


class EntriesField(forms.ModelMultipleChoiceField):  # type: ignore[type-arg]
    def label_from_instance(self, entry: Entry) -> str:
        return f"{entry.player.name} ({entry.get_state_display()})"


def next_fields(season: Season) -> Fields:
    """Return fields for the next season's name, and for the waiting people and substitutes to ask too."""
    name: Fields = {"name": forms.CharField(label=gettext_lazy("Season name"), max_length=60)}
    if not (stood_by := substitutes.find_substitutes(season)):
        return name
    ticks, label = forms.CheckboxSelectMultiple, gettext_lazy("Also add to its list")
    return name | {"also": EntriesField(stood_by, label=label, required=False, initial=stood_by, widget=ticks)}


_l = gettext_lazy
# fmt: off
SEASON_END_ACTIONS = (
    Action(name="close", label=_l("Close the season"), act=close_season, preview=preview_close,
           is_open=in_phase(P.RUNNING), concerns=find_players_in_season, group="final", is_final=True),
    Action(name="next", label=_l("Plan the next season"), act=plan_next_season, preview=preview_next_season,
           is_open=in_phase(P.ENDED), fields=next_fields, group="people"),
)
# fmt: on
