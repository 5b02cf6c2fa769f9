"""An organiser's actions on seasons, divisions and rounds, and the list of all actions by kind of row.

The admin shows the preview, asks for a reason, runs the action and writes to the people it concerns. It decides
nothing.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.db.models import Model
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from beanpost.leagues.actions import previews
from beanpost.leagues.actions.action import Action, ActionCall, Fields
from beanpost.leagues.actions.correction_actions import OF_DIVISIONS, OF_ROUNDS, OF_SEASONS, OF_TABLES
from beanpost.leagues.actions.entry_actions import TO_PEOPLE
from beanpost.leagues.actions.letter_actions import TO_DIVISIONS, TO_SEASONS, TO_TABLES
from beanpost.leagues.actions.table_actions import AT_TABLES
from beanpost.leagues.actions.whole_season_actions import CLOCKS, FOR_ALL_DIVISIONS
from beanpost.leagues.locks import check_not_over, check_phase
from beanpost.leagues.mail import announcements, letters, round_deadlines
from beanpost.leagues.mail.letters import Told
from beanpost.leagues.models import Division, Entry, Event, Fixture, Round, Season
from beanpost.leagues.records import season_records
from beanpost.leagues.seasons import (
    entries,
    import_entries,
    introductions,
    jobs,
    next_season,
    phases,
    placing,
    rounds,
    substitutes,
    whole_season,
)
from beanpost.play.models import Match
from beanpost.players.models import Player


def everybody(season: Season) -> list[Player]:
    playing = season.entries.filter(state__in=(Entry.State.ENTERED, Entry.State.SUBSTITUTE, Entry.State.WAITING))
    return [entry.player for entry in playing.select_related("player")]


def awaited(round_: Round) -> list[Player]:
    """Return the players at tables that would begin."""
    tables = rounds.could_begin().filter(round=round_).values("match")
    return list(Player.objects.filter(places__match__in=tables))


def in_division(division: Division) -> list[Player]:
    return [entry.player for entry in division.entries.filter(state="entered").select_related("player")]


# ── seasons ──


def fresh_people(season: Season, call: ActionCall) -> list[import_entries.Person]:
    """Return the people of a list who are not in the season yet. Refuse lists with lines that can't be read."""
    known = introductions.addresses_in(season)
    people = import_entries.read(call.answers["people"], known, previews.picked(call.answers))
    if trouble := [str(person) for person in people if person.trouble]:
        raise ValidationError([_("No one has been added yet. Please correct or remove these lines."), *trouble])
    fresh = [person for person in people if person.is_new]
    if not fresh:
        raise ValidationError(_("Everyone on this list is already in the season."))
    return fresh


def steps_to_add(season: Season, call: ActionCall) -> list[Any]:
    fresh = fresh_people(season, call)
    check_not_over(season)
    people = [[person.address, person.name, person.division] for person in fresh]
    return people if len(people) > jobs.LARGE else []


def steps_to_invite(season: Season, call: ActionCall) -> list[Any]:
    check_phase(season, P.PLANNED, P.ENTERING)
    waiting = list(entries.to_invite(season).values_list("pk", flat=True))
    if len(waiting) <= jobs.LARGE:
        return []
    entries.set_invitation_words(season, call.answers.get("words", ""))
    return waiting


def steps_to_draw(division: Division, call: ActionCall) -> list[Any]:
    return whole_season.steps_to_draw([division], by=call.by, reason=call.reason)


def add_people(season: Season, call: ActionCall) -> Told:
    fresh = fresh_people(season, call)
    homes = placing.divisions_named(season, [person.division for person in fresh])
    for person in fresh:
        entry = entries.add_entry(season, person.address, name=person.name, now=call.now)
        if person.division:
            phases.put(entry, homes[person.division.casefold()])
    count = len(fresh)
    return lambda: ngettext("One person was added.", "%(count)d people were added.", count) % {"count": count}


def place(season: Season, call: ActionCall) -> Told:
    chosen = {int(name[5:]): int(home) for name, home in call.answers.items() if name.startswith("entry") and home}
    for entry in placing.movable(season):
        if chosen.get(entry.pk, entry.division_id) != entry.division_id:
            rounds.check_may_take_out(entry, call.by)
    count = placing.place(season, chosen)
    if not count:
        raise ValidationError(_("No one has moved."))
    return lambda: ngettext("One person has moved.", "%(count)d people have moved.", count) % {"count": count}


def open_entries(season: Season, call: ActionCall) -> Told:
    phases.open_entries(season)
    return lambda: _("%(season)s is open for entries.") % {"season": season.name}


def invite(season: Season, call: ActionCall) -> Told:
    """Invite everybody on the list. This opens entries, if they were not open yet."""
    entries.set_invitation_words(season, call.answers.get("words", ""))
    count = entries.invite_all(season, now=call.now)
    if not count:
        raise ValidationError(previews.nobody_to_invite())
    if season.phase == Season.Phase.PLANNED:
        phases.open_entries(season)
    return lambda: ngettext("One invitation was sent.", "%(count)d invitations were sent.", count) % {"count": count}


def remind(season: Season, call: ActionCall) -> Told:
    count = entries.remind_all(season, now=call.now)
    if not count:
        raise ValidationError(previews.nobody_to_remind())
    return lambda: ngettext("One person was reminded.", "%(count)d people were reminded.", count) % {"count": count}


def close_entries(season: Season, call: ActionCall) -> Told:
    phases.close_entries(season)
    return lambda: _("Entries for %(season)s are closed.") % {"season": season.name}


def close_season(season: Season, call: ActionCall) -> Told:
    phases.close_season(season)
    ended = season_records.endings(season)
    return lambda: " ".join(
        [_("%(season)s is over.") % {"season": season.name}, *(previews.come_first(*ending) for ending in ended)]
    )


def plan_next_season(season: Season, call: ActionCall) -> Told:
    fresh = next_season.next_season(season, call.answers["name"], also=call.answers.get("also", ()))
    return lambda: _("%(season)s has been created.") % {"season": fresh.name}


def weekly(season: Season, call: ActionCall) -> Told:
    if letters.is_written(season, call.now):
        raise ValidationError(_("This week’s letter has already been sent."))
    count = letters.send_weekly(season, now=call.now, words=call.answers.get("words", ""))
    return lambda: (
        ngettext("The weekly letter goes to one person.", "The weekly letter goes to %(count)d people.", count)
        % {"count": count}
    )


def write_again(season: Season, call: ActionCall) -> Told:
    count = announcements.write_again(season, now=call.now)
    return lambda: (
        ngettext("One letter was sent again.", "%(count)d letters were sent again.", count) % {"count": count}
    )


# ── divisions and rounds ──


def draw(division: Division, call: ActionCall) -> Told:
    drawn = rounds.draw(division, by=call.by, reason=call.reason, now=call.now)
    if drawn.is_redraw:
        return lambda: _("%(division)s was redrawn.") % {"division": division.name}
    return lambda: _("%(division)s was drawn.") % {"division": division.name}


def publish(round_: Round, call: ActionCall) -> Told:
    due_on = round_deadlines.default_deadline(round_.division.season.round_days, call.now)
    count = rounds.publish(round_, now=call.now, due_on=due_on)
    told = {"round": round_, "game": round_.title, "count": count}
    return lambda: (
        ngettext(
            "%(round)s, %(game)s, has started with one table.",
            "%(round)s, %(game)s, has started with %(count)d tables.",
            count,
        )
        % told
    )


def start_label(round_: Round) -> str:
    return _("Start round %(number)d") % {"number": round_.number}


def draw_label(division: Division) -> str:
    return _("Redraw") if division.rounds.filter(phase=Round.Phase.DRAWN).exists() else _("Draw")


def begin(round_: Round, call: ActionCall) -> Told:
    count = rounds.begin_tables(round_, now=call.now)
    if not count:
        raise ValidationError(_("No table was started: none is waiting, or a seat is empty or was given up."))
    return lambda: ngettext("One table has started.", "%(count)d tables have started.", count) % {"count": count}


def close_round(round_: Round, call: ActionCall) -> Told:
    rounds.close_round(round_, now=call.now)
    return lambda: _("%(round)s is closed.") % {"round": round_}


def can_place(season: Season) -> bool:
    return season.phase != Season.Phase.ENDED and season.divisions.count() > 1 and placing.movable(season).exists()


def in_phase(*allowed: str) -> Callable[[Any], bool]:
    return lambda row: row.phase in allowed


def paste_field(season: Season) -> Fields:
    label = gettext_lazy("Email addresses, one per line, or CSV with names")
    file = forms.FileField(label=gettext_lazy("or upload a file"), required=False)
    people = forms.CharField(label=label, widget=forms.Textarea, max_length=import_entries.LONGEST)
    return {"people": people, "file": file, **column_fields()}


def column_fields() -> Fields:
    """Return a choice of column for each role; left empty, the list's heading decides."""
    labels = {
        "address": gettext_lazy("Column with the addresses"),
        "name": gettext_lazy("Column with the names"),
        "last": gettext_lazy("Column with the family names"),
        "division": gettext_lazy("Column with the divisions"),
    }
    numbers = range(1, import_entries.MOST_COLUMNS + 1)
    choices = [("", gettext_lazy("as the heading says")), *((str(n), str(n)) for n in numbers)]
    return {
        f"column_{role}": forms.ChoiceField(label=label, choices=choices, required=False)
        for role, label in labels.items()
    }


def words_field(season: Season) -> Fields:
    label = gettext_lazy("Your own words (if you like)")
    return {"words": forms.CharField(label=label, required=False, widget=forms.Textarea, max_length=1000)}


def invitation_field(season: Season) -> Fields:
    fields = words_field(season)
    fields["words"].initial = season.invitation_words
    return fields


def place_fields(season: Season) -> Fields:
    """Return a choice of division for everybody who can still move."""
    homes = [("", "—"), *((str(division.pk), division.name) for division in season.divisions.all())]
    return {
        f"entry{entry.pk}": forms.ChoiceField(
            label=entry.called, choices=homes, required=False, initial=str(entry.division_id or "")
        )
        for entry in placing.movable(season)
    }


class StoodBy(forms.ModelMultipleChoiceField):  # type: ignore[type-arg]
    def label_from_instance(self, entry: Entry) -> str:
        return f"{entry.player.name} ({entry.get_state_display()})"


def next_fields(season: Season) -> Fields:
    """Return fields for the next season's name, and for the waiting people and substitutes to ask too."""
    name: Fields = {"name": forms.CharField(label=gettext_lazy("Season name"), max_length=60)}
    if not (stood_by := substitutes.standing_by(season)):
        return name
    ticks, label = forms.CheckboxSelectMultiple, gettext_lazy("Also add to its list")
    return name | {"also": StoodBy(stood_by, label=label, required=False, initial=stood_by, widget=ticks)}


_l = gettext_lazy
P, R = Season.Phase, Round.Phase
# fmt: off
ACTIONS: dict[type[Model], tuple[Action, ...]] = {
    Season: (
        Action("import", _l("Add people"), add_people, previews.people,
             in_phase(P.PLANNED, P.ENTERING, P.CLOSED, P.RUNNING), fields=paste_field,
             steps=steps_to_add, group="people"),
        Action("open", _l("Open entries"), open_entries, previews.opening, in_phase(P.PLANNED), everybody,
             group="people"),
        Action("invite", _l("Invite everyone"), invite, previews.inviting, in_phase(P.PLANNED, P.ENTERING),
             fields=invitation_field, steps=steps_to_invite, group="people"),
        Action("remind", _l("Remind people who haven’t answered"), remind, previews.reminding, in_phase(P.ENTERING),
             group="people"),
        Action("place", _l("Place people in divisions"), place, previews.placing_people, can_place,
             fields=place_fields, group="people"),
        Action("close-entries", _l("Close entries"), close_entries, previews.closing_entries,
             in_phase(P.PLANNED, P.ENTERING), everybody, group="final", is_final=True, is_quiet=True),
        *FOR_ALL_DIVISIONS,
        *TO_SEASONS,
        Action("weekly", _l("Send the weekly letter"), weekly, previews.week, in_phase(P.RUNNING),
             fields=words_field, group="letters"),
        Action("write-again", _l("Resend lost letters"), write_again, previews.lost_news, announcements.is_lost,
             group="letters"),
        Action("close", _l("Close the season"), close_season, previews.closing, in_phase(P.RUNNING), everybody,
             group="final", is_final=True),
        Action("next", _l("Plan the next season"), plan_next_season, previews.after, in_phase(P.ENDED),
             fields=next_fields, group="people"),
        *OF_SEASONS,
    ),
    Division: (
        Action("draw", _l("Draw"), draw, previews.draw,
             lambda division: division.season.phase in (P.CLOSED, P.RUNNING), named=draw_label,
             steps=steps_to_draw),
        *CLOCKS,
        *TO_DIVISIONS,
        *OF_DIVISIONS,
    ),
    Round: (
        Action("publish", _l("Start"), publish, previews.publishing,
             lambda r: r.phase == R.DRAWN and r.division.season.phase != P.ENDED, named=start_label),
        Action("begin", _l("Start without waiting"), begin, previews.waiting, in_phase(R.PUBLISHED), awaited),
        Action("close", _l("Close the round"), close_round, previews.results, in_phase(R.PUBLISHED),
             lambda r: in_division(r.division)),
        *OF_ROUNDS,
    ),
    Fixture: (*AT_TABLES, *TO_TABLES, *OF_TABLES),
    Entry: TO_PEOPLE,
}
# fmt: on


def open_to(row: Model) -> list[Action]:
    """Return the verbs that make sense for a row now."""
    return [verb for verb in ACTIONS[type(row)] if verb.is_open(row)]


def season_of(row: Any) -> Season:
    match row:
        case Season():
            return row
        case Division() | Entry():
            return row.season
        case Round():
            return row.division.season
        case Fixture():
            return row.round.division.season
    raise TypeError(row)


def kind_of(row: Any, action: Action) -> str:
    """Return the kind under which an action stands in the season's history."""
    match row, action.group:
        case Fixture(), _:
            return Event.Kind.TABLES
        case Entry(), _:
            return Event.Kind.PEOPLE
        case Season(), ("people" | "tables" | "letters") as group:
            return Event.Kind(group)
    return Event.Kind.ROUNDS


def page_of(row: Any) -> dict[str, Any]:
    """Return where people can see more about an action: a table's match, and the season."""
    match row:
        case Fixture(match=Match() as match):
            return {"code": match.code, "season": season_of(row).pk}
    return {"season": season_of(row).pk}
