"""What an organiser can do, as one table: for each verb what it asks, what it would do, whom it concerns, and the deed.

The admin shows the preview, asks for a reason, does the deed and writes to whom it concerns. It decides nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.db.models import Model
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from beanpost.leagues import drawing, entry_lists, letters, records, results, seasons, seats
from beanpost.leagues.models import Chair, Division, Entry, Fixture, League, Round, Season
from beanpost.play.models import Match
from beanpost.players.models import Player

Fields = dict[str, forms.Field]


@dataclass(frozen=True)
class Deed:
    """One use of a verb: who, why, when, and what they answered."""

    by: Any
    reason: str
    now: datetime
    answers: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Verb:
    name: str
    label: Any  # translated when shown
    act: Callable[[Any, Deed], str]  # returns what was done, as a sentence for everybody it concerns
    preview: Callable[[Any, Mapping[str, Any]], list[str]]  # what it would do, in sentences
    is_open: Callable[[Any], bool]  # whether it makes sense now, from the row alone
    concerns: Callable[[Any], Iterable[Player]] = lambda row: ()
    fields: Callable[[Any], Fields] = lambda row: {}
    needs_reason: bool = False


def everybody(season: Season) -> list[Player]:
    playing = season.entries.filter(state__in=(Entry.State.ENTERED, Entry.State.SUBSTITUTE, Entry.State.WAITING))
    return [entry.player for entry in playing.select_related("player")]


def in_division(division: Division) -> list[Player]:
    return [entry.player for entry in division.entries.filter(state="entered").select_related("player")]


def at_table(fixture: Fixture) -> list[Player]:
    return [chair.sitter for chair in fixture.chairs.select_related("sitter")]


# ── seasons ──


def preview_entries(season: Season, answers: Mapping[str, Any]) -> list[str]:
    known = frozenset(season.entries.values_list("player__address", flat=True))
    return [str(person) for person in entry_lists.read(answers.get("people") or "", known)]


def import_entries(season: Season, deed: Deed) -> str:
    known = frozenset(season.entries.values_list("player__address", flat=True))
    people = entry_lists.read(deed.answers["people"], known)
    if trouble := [str(person) for person in people if person.trouble]:
        raise ValidationError(trouble)
    for person in people:
        seasons.add_entry(season, person.address, name=person.name, now=deed.now)
    return _("%(count)d people were added.") % {"count": len(people)}


def open_entries(season: Season, deed: Deed) -> str:
    seasons.open_entries(season)
    return _("%(season)s is open for entries.") % {"season": season.name}


def invite(season: Season, deed: Deed) -> str:
    return _("%(count)d invitations were written.") % {"count": seasons.invite_all(season, now=deed.now)}


def remind(season: Season, deed: Deed) -> str:
    return _("%(count)d people were reminded.") % {"count": seasons.remind_all(season, now=deed.now)}


def close_entries(season: Season, deed: Deed) -> str:
    seasons.close_entries(season)
    return _("Entries for %(season)s are closed.") % {"season": season.name}


def close_season(season: Season, deed: Deed) -> str:
    seasons.close_season(season)
    return _("%(season)s is over.") % {"season": season.name}


def next_season(season: Season, deed: Deed) -> str:
    fresh = seasons.next_season(season, deed.answers["name"])
    return _("%(season)s is being planned.") % {"season": fresh.name}


def weekly(season: Season, deed: Deed) -> str:
    return _("The weekly letter goes to %(count)d people.") % {"count": letters.send_weekly(season, now=deed.now)}


def preview_closing(season: Season, answers: Mapping[str, Any]) -> list[str]:
    counts = {state: season.entries.filter(state=state).count() for state in Entry.State.values}
    return [
        _("%(entered)d people play, %(waiting)d wait, %(invited)d have not answered.") % counts,
        _("The house draws the seed of all draws now; it is shown on the league's page."),
    ]


def preview_final(season: Season, answers: Mapping[str, Any]) -> list[str]:
    return [
        _("%(division)s: %(name)s comes first.") % {"division": division.name, "name": lines[0].entry.player.name}
        for division in season.divisions.all()
        if (lines := records.standing(division))
    ]


def unanswered(season: Season, answers: Mapping[str, Any]) -> list[str]:
    names = season.entries.filter(state=Entry.State.INVITED).values_list("player__name", flat=True)
    return [_("Not answered yet: %(names)s.") % {"names": ", ".join(names) or "—"}]


def nothing_more(row: Any, answers: Mapping[str, Any]) -> list[str]:
    return []


# ── divisions and rounds ──


def draw(division: Division, deed: Deed) -> str:
    drawn = seasons.draw(division, by=deed.by, reason=deed.reason, now=deed.now)
    if drawn.nth > 1 and drawn.reason:
        return _("%(division)s was drawn again.") % {"division": division.name}
    return _("%(division)s was drawn.") % {"division": division.name}


def preview_draw(division: Division, answers: Mapping[str, Any]) -> list[str]:
    pending = division.rounds.filter(phase=Round.Phase.DRAWN).count()
    sentences = [_("%(count)d people play in %(name)s.") % {"count": len(in_division(division)), "name": division.name}]
    if pending:
        sentences.append(
            _("%(count)d drawn rounds would be replaced; the old draw stays readable.") % {"count": pending}
        )
    slugs = drawing.games_of(division.season)
    return [*sentences, _("The games: %(games)s.") % {"games": ", ".join(slugs)}]


def publish(round_: Round, deed: Deed) -> str:
    count = seasons.publish(round_, now=deed.now)
    return _("%(round)s has begun at %(count)d tables.") % {"round": round_, "count": count}


def preview_tables(round_: Round, answers: Mapping[str, Any]) -> list[str]:
    tables = [
        _("Table %(table)d: %(names)s.")
        % {"table": fixture.table, "names": ", ".join(chair.sitter.name for chair in fixture.chairs.all())}
        for fixture in round_.fixtures.prefetch_related("chairs__sitter")
    ]
    byes = [bye.entry.player.name for bye in round_.byes.select_related("entry__player")]
    return [round_.title, *tables, *([_("Sitting out: %(names)s.") % {"names": ", ".join(byes)}] if byes else [])]


def begin(round_: Round, deed: Deed) -> str:
    count = seasons.begin_tables(round_, now=deed.now)
    return _("%(count)d tables begin without waiting longer.") % {"count": count}


def preview_waiting(round_: Round, answers: Mapping[str, Any]) -> list[str]:
    matches = Match.objects.filter(fixture__round=round_, phase=Match.Phase.GATHERING)
    return [
        _("Table %(table)d waits for %(names)s.")
        % {
            "table": match.fixture.table,
            "names": ", ".join(place.name for place in match.places.all() if place.confirmed_at is None) or "—",
        }
        for match in matches.select_related("fixture").prefetch_related("places")
    ]


def close_round(round_: Round, deed: Deed) -> str:
    seasons.close_round(round_, now=deed.now)
    return _("%(round)s is closed.") % {"round": round_}


# ── tables and people ──


def seat_fields(fixture: Fixture) -> Fields:
    return {"chair": forms.ModelChoiceField(fixture.chairs.select_related("entry__player"), label=_("Whose seat"))}


def substitute_fields(fixture: Fixture) -> Fields:
    ready = fixture.round.division.season.entries.filter(state__in=(Entry.State.SUBSTITUTE, Entry.State.WAITING))
    field = forms.ModelChoiceField(ready.select_related("player"), label=_("Who sits in"))
    return seat_fields(fixture) | {"incoming": field}


def substitute(fixture: Fixture, deed: Deed) -> str:
    chair, incoming = deed.answers["chair"], deed.answers["incoming"]
    seats.substitute(chair, incoming, now=deed.now)
    return _("%(incoming)s sits in for %(name)s.") % {"incoming": incoming, "name": chair.entry}


def forfeit(fixture: Fixture, deed: Deed) -> str:
    chair: Chair = deed.answers["chair"]
    results.forfeit(chair, reason=deed.reason, now=deed.now)
    return _("%(name)s gets nothing for %(fixture)s.") % {"name": chair.entry, "fixture": fixture}


def annul(fixture: Fixture, deed: Deed) -> str:
    results.annul(fixture, reason=deed.reason, now=deed.now)
    return _("%(fixture)s does not count.") % {"fixture": fixture}


def rank_fields(fixture: Fixture) -> Fields:
    count = fixture.chairs.count()
    chairs = fixture.chairs.select_related("entry__player")
    return {
        f"place{n}": forms.ModelChoiceField(chairs, label=_("Place %(number)d") % {"number": n})
        for n in range(1, count + 1)
    }


def adjudicate(fixture: Fixture, deed: Deed) -> str:
    places = sorted((name for name in deed.answers if name.startswith("place")), key=lambda name: int(name[5:]))
    order = [deed.answers[name].entry_id for name in places]
    results.adjudicate(fixture, order, reason=deed.reason, now=deed.now)
    return _("%(fixture)s was decided by the organiser.") % {"fixture": fixture}


def withdraw(entry: Entry, deed: Deed) -> str:
    seats.withdraw(entry)
    return _("%(name)s has left %(season)s.") % {"name": entry.player.name, "season": entry.season.name}


def preview_leaving(entry: Entry, answers: Mapping[str, Any]) -> list[str]:
    return [
        _("%(chair)s is being played and needs a substitute.") % {"chair": chair.fixture}
        for chair in seats.open_chairs(entry)
    ] + [_("Rounds that are drawn and not published must be drawn again.")]


def state_verb(name: str, label: Any, state: str) -> Verb:
    """Put somebody on another list by hand."""

    def act(entry: Entry, deed: Deed) -> str:
        entry.state, entry.answered_at = state, deed.now
        entry.save(update_fields=["state", "answered_at"])
        return f"{entry.player.name}: {entry.get_state_display()}."

    return Verb(name, label, act, nothing_more, lambda entry: entry.state != state, lambda entry: [entry.player])


def in_phase(*phases: str) -> Callable[[Any], bool]:
    return lambda row: row.phase in phases


def paste_field(season: Season) -> Fields:
    label = gettext_lazy("Addresses, one on each line, or CSV with names")
    return {"people": forms.CharField(label=label, widget=forms.Textarea, max_length=60_000)}


def name_field(season: Season) -> Fields:
    return {"name": forms.CharField(label=gettext_lazy("Its name"), max_length=60)}


def undecided(fixture: Fixture) -> bool:
    return fixture.match_id is not None and fixture.ending == Fixture.Ending.OPEN


_l = gettext_lazy
P, R, S = Season.Phase, Round.Phase, Entry.State
# fmt: off
VERBS: dict[type[Model], tuple[Verb, ...]] = {
    Season: (
        Verb("import", _l("Add people"), import_entries, preview_entries, in_phase(P.PLANNED, P.ENTERING, P.RUNNING),
             fields=paste_field),
        Verb("open", _l("Open entries"), open_entries, nothing_more, in_phase(P.PLANNED), everybody),
        Verb("invite", _l("Invite everybody"), invite, unanswered, in_phase(P.PLANNED, P.ENTERING)),
        Verb("remind", _l("Remind who has not answered"), remind, unanswered, in_phase(P.ENTERING)),
        Verb("close-entries", _l("Close entries"), close_entries, preview_closing, in_phase(P.PLANNED, P.ENTERING),
             everybody),
        Verb("weekly", _l("Send the weekly letter"), weekly, preview_final, in_phase(P.RUNNING)),
        Verb("close", _l("Close the season"), close_season, preview_final, in_phase(P.RUNNING), everybody),
        Verb("next", _l("Plan the next season"), next_season, preview_final, in_phase(P.ENDED), fields=name_field),
    ),
    Division: (
        Verb("draw", _l("Draw"), draw, preview_draw,
             lambda division: division.season.phase in (P.CLOSED, P.RUNNING), in_division),
    ),
    Round: (
        Verb("publish", _l("Publish"), publish, preview_tables, in_phase(R.DRAWN), lambda r: in_division(r.division)),
        Verb("begin", _l("Begin without waiting"), begin, preview_waiting, in_phase(R.PUBLISHED)),
        Verb("close", _l("Close the round"), close_round, preview_tables, in_phase(R.PUBLISHED),
             lambda r: in_division(r.division)),
    ),
    Fixture: (
        Verb("substitute", _l("Substitute"), substitute, nothing_more, undecided, at_table, substitute_fields, True),
        Verb("adjudicate", _l("Decide the result"), adjudicate, nothing_more, undecided, at_table, rank_fields, True),
        Verb("forfeit", _l("Forfeit a seat"), forfeit, nothing_more, lambda f: f.match_id is not None, at_table,
             seat_fields, True),
        Verb("annul", _l("Annul"), annul, nothing_more, lambda f: f.match_id is not None, at_table, needs_reason=True),
    ),
    Entry: (
        state_verb("enter", _l("Let play"), S.ENTERED),
        state_verb("substitute", _l("Make a substitute"), S.SUBSTITUTE),
        Verb("withdraw", _l("Withdraw"), withdraw, preview_leaving, lambda entry: entry.state == S.ENTERED,
             lambda entry: [entry.player], needs_reason=True),
    ),
}
# fmt: on


def open_to(row: Model) -> list[Verb]:
    """What can be done with a row now."""
    return [verb for verb in VERBS[type(row)] if verb.is_open(row)]


def league_of(row: Any) -> League:
    match row:
        case Season():
            return row.league
        case Division() | Entry():
            return row.season.league
        case Round():
            return row.division.season.league
        case Fixture():
            return row.round.division.season.league
    raise TypeError(row)
