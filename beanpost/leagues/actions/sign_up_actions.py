"""An organiser's actions before a season begins: add, invite, remind and place people, open and close entries."""

from __future__ import annotations

from collections import Counter
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from beanpost.leagues.actions import column_picks
from beanpost.leagues.actions.action import Action, ActionCall, Answers, Fields, Heading, in_phase
from beanpost.leagues.actions.letter_actions import quote_words, words_field
from beanpost.leagues.actions.recipients import find_players_in_season
from beanpost.leagues.mail.letters import LazySentence
from beanpost.leagues.models import Entry, League, Season
from beanpost.leagues.people import entries, import_entries, introductions, list_columns, placing
from beanpost.leagues.seasons import facts, next_rounds, phases, rounds
from beanpost.play.display.wording import join_names

State = Entry.State
P = Season.Phase
MAX_PEOPLE_SHOWN = 10  # people of a list who would be added


def list_names(entries: Any) -> str:
    return join_names(introductions.list_names(entries))


# ── previews ──


def preview_add(season: Season, answers: Answers) -> list[str]:
    known = introductions.list_addresses(season)
    text = str(answers.get("people") or "")
    people = import_entries.read_list(text, known, read_picked_columns(answers)) if text.strip() else []
    fresh = placing.list_new_divisions(season, [person.division for person in people if person.is_new])
    made = [_("New divisions: %(names)s.") % {"names": join_names(fresh)}] if fresh else []
    if not people:
        return describe_adding(season)
    return [*describe_columns(text), *describe_people(people), *made]


def read_picked_columns(answers: Answers) -> dict[str, int]:
    """Return the columns that the organiser picked, by role."""
    chosen = {role: str(answers.get(f"column_{role}") or "") for role in list_columns.ROLES}
    numbers = {str(number + 1): number for number in range(list_columns.MAX_COLUMNS)}
    return {role: numbers[column] for role, column in chosen.items() if column in numbers}


def describe_columns(text: str) -> list[str]:
    """Show the first rows of a list, column by column."""
    table = list_columns.PastedTable.parse(text)
    if table is None:
        return []
    sentences = [
        _("Column %(number)d: %(cells)s")
        % {"number": n + 1, "cells": " · ".join(cell or "—" for cell in table.first_cells(n))}
        for n in range(table.width)
    ]
    return [Heading(_("The first rows, by column")), *sentences, Heading(_("People"))]


def describe_people(people: list[import_entries.Person]) -> list[str]:
    """Describe the first people who would be added, and everybody on the list who would not."""
    later = set([person for person in people if person.is_new][MAX_PEOPLE_SHOWN:])
    more = ngettext("and one more person", "and %(count)d more people", len(later)) % {"count": len(later)}
    return [*(str(person) for person in people if person not in later), *([more] if later else [])]


def preview_place(season: Season, answers: Answers) -> list[str]:
    count = placing.find_movable_entries(season).count()
    sentence = ngettext("You can move one person.", "You can move %(count)d people.", count) % {"count": count}
    return [sentence, _("People who have been in a round stay in its division.")]


def describe_adding(season: Season) -> list[str]:
    if phases.is_open(season):
        return [
            _("They’ll be added to the list. They won’t hear about it until you invite them."),
            describe_visibility(),
        ]
    if season.format == Season.Format.KNOCK_OUT and next_rounds.has_begun(season):
        sentence = _("They’ll be added to the list. You can ask them to be substitutes there.")
        return [next_rounds.say_knock_out_begun(), sentence, describe_visibility()]
    return [
        _("They’ll be added to the list. You can ask them to play or to be substitutes there."),
        describe_visibility(),
    ]


def describe_visibility() -> str:
    return _("Until they accept, you see only what you typed.")


def preview_open(season: Season, answers: Answers) -> list[str]:
    if season.league.sign_up and season.league.visibility == League.Visibility.MEMBERS:
        return [_("Anyone with the league’s code can enter on its page until you close entries.")]
    if season.league.sign_up:
        return [_("Anyone can enter on the league’s page until you close entries.")]
    return [_("Only people you’ve invited can enter, until you close entries.")]


def preview_invite(season: Season, answers: Answers) -> list[str]:
    to_invite = entries.find_people_to_invite(season)
    if not to_invite:
        return [say_nobody_to_invite()]
    sentences = [_("We’ll write to %(names)s.") % {"names": list_names(to_invite)}]
    sentences += quote_words(str(answers.get("words") or season.invitation_words))
    return sentences + preview_open(season, answers) if season.phase == Season.Phase.PLANNED else sentences


def say_nobody_to_invite() -> str:
    return _("Everyone on the list has been invited.")


def preview_remind(season: Season, answers: Answers) -> list[str]:
    to_remind = entries.find_people_to_remind(season)
    if not to_remind:
        return [say_nobody_to_remind()]
    return [_("We’ll send one last reminder to %(names)s.") % {"names": list_names(to_remind)}]


def say_nobody_to_remind() -> str:
    return _("Everyone has answered or has already been reminded.")


def preview_close_entries(season: Season, answers: Answers) -> list[str]:
    counts = Counter(season.entries.values_list("state", flat=True))
    playing = ngettext("One player is in.", "%(count)d players are in.", counts[State.ENTERED])
    waiting = ngettext(
        "One person is on the waiting list.", "%(count)d people are on the waiting list.", counts[State.WAITING]
    )
    silent = ngettext("One person hasn’t answered.", "%(count)d people haven’t answered.", counts[State.INVITED])
    missing = next_rounds.find_fewest_to_begin(season) - counts[State.ENTERED]
    lacking = ngettext("You need one more person for a table.", "You need %(count)d more people for a table.", missing)
    return [
        playing % {"count": counts[State.ENTERED]},
        *([waiting % {"count": counts[State.WAITING]}] if counts[State.WAITING] else []),
        *([silent % {"count": counts[State.INVITED]}] if counts[State.INVITED] else []),
        *([lacking % {"count": missing}] if missing > 0 else []),
        _("We’ll pick the seed for all draws now and show it on the league’s page."),
    ]


# ── actions ──


def read_new_people(season: Season, call: ActionCall) -> list[entries.NewPerson]:
    """Return the people of a list who are not in the season yet. Refuse lists with lines that can't be read."""
    known = introductions.list_addresses(season)
    people = import_entries.read_list(call.answers["people"], known, read_picked_columns(call.answers))
    if trouble := [str(person) for person in people if person.trouble]:
        raise ValidationError([_("No one has been added yet. Please correct or remove these lines."), *trouble])
    fresh = [entries.NewPerson(person.address, person.name, person.division) for person in people if person.is_new]
    if not fresh:
        raise ValidationError(say_everyone_is_in())
    return fresh


def say_everyone_is_in() -> str:
    return _("Everyone on this list is already in the season.")


def add_people(season: Season, call: ActionCall) -> LazySentence:
    fresh = read_new_people(season, call)
    count = len(entries.add_people(season, fresh, now=call.now))
    if not count:
        raise ValidationError(say_everyone_is_in())
    return lambda: ngettext("One person was added.", "%(count)d people were added.", count) % {"count": count}


def open_entries(season: Season, call: ActionCall) -> LazySentence:
    phases.open_entries(season)
    return lambda: _("%(season)s is open for entries.") % {"season": season.name}


def invite(season: Season, call: ActionCall) -> LazySentence:
    """Invite everybody on the list. This opens entries, if they were not open yet."""
    entries.set_invitation_words(season, call.answers.get("words", ""))
    count = entries.invite_all(season, now=call.now)
    if not count:
        raise ValidationError(say_nobody_to_invite())
    if season.phase == Season.Phase.PLANNED:
        phases.open_entries(season)
    return lambda: ngettext("One invitation was sent.", "%(count)d invitations were sent.", count) % {"count": count}


def remind(season: Season, call: ActionCall) -> LazySentence:
    count = entries.remind_all(season, now=call.now)
    if not count:
        raise ValidationError(say_nobody_to_remind())
    return lambda: ngettext("One person was reminded.", "%(count)d people were reminded.", count) % {"count": count}


def place_people(season: Season, call: ActionCall) -> LazySentence:
    chosen = {int(name[5:]): int(home) for name, home in call.answers.items() if name.startswith("entry") and home}
    for entry in placing.find_movable_entries(season):
        if chosen.get(entry.pk, entry.division_id) != entry.division_id:
            rounds.check_may_take_out(entry, call.by)
    count = placing.move_entries(season, chosen)
    if not count:
        raise ValidationError(_("No one has moved."))
    return lambda: ngettext("One person has moved.", "%(count)d people have moved.", count) % {"count": count}


def close_entries(season: Season, call: ActionCall) -> LazySentence:
    phases.close_entries(season)
    return lambda: _("Entries for %(season)s are closed.") % {"season": season.name}


def can_invite(season: Season) -> bool:
    return season.phase in {P.PLANNED, P.ENTERING} and entries.find_people_to_invite(season).exists()


def can_remind(season: Season) -> bool:
    return season.phase == P.ENTERING and entries.find_people_to_remind(season).exists()


def can_place(season: Season) -> bool:
    return season.phase != Season.Phase.ENDED and len(season.divisions.all()) > 1 and facts.has_movable_people(season)


# ── fields ──


def paste_field(season: Season) -> Fields:
    label = gettext_lazy("Email addresses, one per line, or CSV with names")
    file = forms.FileField(label=gettext_lazy("or upload a file"), required=False)
    people = forms.CharField(label=label, widget=forms.Textarea, max_length=list_columns.MAX_LENGTH)
    return {"people": people, "file": file}


def invitation_field(season: Season) -> Fields:
    fields = words_field(season)
    fields["words"].initial = season.invitation_words
    return fields


def place_fields(season: Season) -> Fields:
    """Return a choice of division for everybody who can still move."""
    homes = [("", "—"), *((str(division.pk), str(division)) for division in season.divisions.all())]
    return {
        f"entry{entry.pk}": forms.ChoiceField(
            label=entry.called, choices=homes, required=False, initial=str(entry.division_id or "")
        )
        for entry in placing.find_movable_entries(season)
    }


_l = gettext_lazy
# fmt: off
SIGN_UP_ACTIONS = (
    Action(name="import", label=_l("Add people"), act=add_people, preview=preview_add,
           is_open=in_phase(P.PLANNED, P.ENTERING, P.CLOSED, P.RUNNING), fields=paste_field,
           dependent_fields=column_picks.build_fields, group="people"),
    Action(name="open", label=_l("Open entries"), act=open_entries, preview=preview_open, is_open=in_phase(P.PLANNED),
           concerns=find_players_in_season, group="people"),
    Action(name="invite", label=_l("Invite everyone"), act=invite, preview=preview_invite, is_open=can_invite,
           fields=invitation_field, group="people"),
    Action(name="remind", label=_l("Remind people who haven’t answered"), act=remind, preview=preview_remind,
           is_open=can_remind, group="people"),
    Action(name="place", label=_l("Place people in divisions"), act=place_people, preview=preview_place,
           is_open=can_place, fields=place_fields, group="people"),
    Action(name="close-entries", label=_l("Close entries"), act=close_entries, preview=preview_close_entries,
           is_open=in_phase(P.PLANNED, P.ENTERING), concerns=find_players_in_season, group="final", is_final=True,
           is_quiet=True),
)
# fmt: on
