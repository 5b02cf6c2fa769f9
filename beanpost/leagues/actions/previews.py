"""Previews: sentences that say what an action would do to a season, division, round or entry."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

import games
from beanpost.leagues.mail import announcements, invitations, letters
from beanpost.leagues.models import Division, Entry, Fixture, Round, Season
from beanpost.leagues.records import knock_out_progress, season_records
from beanpost.leagues.records.season_records import Line
from beanpost.leagues.seasons import entries as season_entries
from beanpost.leagues.seasons import (
    import_entries,
    introductions,
    next_rounds,
    next_season,
    phases,
    placing,
    substitutes,
)
from beanpost.play import clock
from beanpost.play.display.wording import listed, with_colon
from beanpost.play.models import Match
from beanpost.players.models import Player

Answers = Mapping[str, Any]
State = Entry.State


class Heading(str):
    """A heading inside a preview."""

    is_heading = True


def names_of(entries: Any) -> str:
    return listed(introductions.names(entries))


# ── seasons ──


def people(season: Season, answers: Answers) -> list[str]:
    known = introductions.addresses_in(season)
    text = str(answers.get("people") or "")
    people = import_entries.read(text, known, picked(answers))
    fresh = placing.new_divisions(season, [person.division for person in people if person.is_new])
    made = [_("New divisions: %(names)s.") % {"names": listed(fresh)}] if fresh else []
    if not people:
        return listing(season)
    return [*describe_columns(text), *(str(person) for person in people), *made]


def picked(answers: Answers) -> dict[str, int]:
    """Return the columns that the organiser picked, by role."""
    chosen = {role: str(answers.get(f"column_{role}") or "") for role in import_entries.ROLES}
    return {role: int(column) - 1 for role, column in chosen.items() if column.isdecimal() and column != "0"}


def describe_columns(text: str) -> list[str]:
    """Show the first rows of a list, column by column."""
    columns = import_entries.first_rows(text)
    told = [
        _("Column %(number)d: %(cells)s") % {"number": number, "cells": " · ".join(cell or "—" for cell in cells)}
        for number, cells in columns
    ]
    return [Heading(_("The first rows, by column")), *told, Heading(_("People"))] if told else []


def placing_people(season: Season, answers: Answers) -> list[str]:
    count = placing.movable(season).count()
    told = ngettext("You can move one person.", "You can move %(count)d people.", count) % {"count": count}
    return [told, _("People who have been in a round stay in its division.")]


def listing(season: Season) -> list[str]:
    if phases.is_open(season):
        return [_("They’ll be added to the list. They won’t hear about it until you invite them."), only_typed()]
    if season.format == Season.Format.KNOCK_OUT and next_rounds.has_begun(season):
        told = _("They’ll be added to the list. You can ask them to be substitutes there.")
        return [next_rounds.told_begun(), told, only_typed()]
    return [_("They’ll be added to the list. You can ask them to play or to be substitutes there."), only_typed()]


def only_typed() -> str:
    return _("Until they accept, you see only what you typed.")


def opening(season: Season, answers: Answers) -> list[str]:
    if season.league.sign_up:
        return [_("Anyone can enter on the league’s page until you close entries.")]
    return [_("Only people you’ve invited can enter, until you close entries.")]


def inviting(season: Season, answers: Answers) -> list[str]:
    to_invite = season_entries.to_invite(season)
    if not to_invite:
        return [nobody_to_invite()]
    told = [_("We’ll write to %(names)s.") % {"names": names_of(to_invite)}]
    told += quoted(str(answers.get("words") or season.invitation_words))
    return told + opening(season, answers) if season.phase == Season.Phase.PLANNED else told


def quoted(words: str) -> list[str]:
    """Show an organiser's own words as a letter quotes them."""
    lines = [line for line in words.splitlines() if line.strip()]
    return [_("The organiser writes:"), *lines] if lines else []


def nobody_to_invite() -> str:
    return _("Everyone on the list has been invited.")


def reminding(season: Season, answers: Answers) -> list[str]:
    to_remind = season_entries.to_remind(season)
    if not to_remind:
        return [nobody_to_remind()]
    return [_("We’ll send one last reminder to %(names)s.") % {"names": names_of(to_remind)}]


def nobody_to_remind() -> str:
    return _("Everyone has answered or has already been reminded.")


def closing_entries(season: Season, answers: Answers) -> list[str]:
    counts = Counter(season.entries.values_list("state", flat=True))
    playing = ngettext("One player is in.", "%(count)d players are in.", counts[State.ENTERED])
    waiting = ngettext(
        "One person is on the waiting list.", "%(count)d people are on the waiting list.", counts[State.WAITING]
    )
    silent = ngettext("One person hasn’t answered.", "%(count)d people haven’t answered.", counts[State.INVITED])
    missing = next_rounds.fewest_to_begin(season) - counts[State.ENTERED]
    lacking = ngettext("You need one more person for a table.", "You need %(count)d more people for a table.", missing)
    return [
        playing % {"count": counts[State.ENTERED]},
        *([waiting % {"count": counts[State.WAITING]}] if counts[State.WAITING] else []),
        *([silent % {"count": counts[State.INVITED]}] if counts[State.INVITED] else []),
        *([lacking % {"count": missing}] if missing > 0 else []),
        _("We’ll pick the seed for all draws now and show it on the league’s page."),
    ]


def closing(season: Season, answers: Answers) -> list[str]:
    """Name rounds and tables that stay unplayed, then the winners."""
    left = Round.objects.filter(division__season=season, phase=Round.Phase.DRAWN).count()
    never = ngettext(
        "One round has been drawn but won’t be played.", "%(count)d rounds have been drawn but won’t be played.", left
    )
    firsts = [come_first(division, names) for division, names in season_records.endings(season)]
    return [*missing_rounds(season), *([never % {"count": left}] if left else []), *firsts]


def missing_rounds(season: Season) -> list[str]:
    told = []
    for division in season.divisions.all():
        played = division.rounds.exclude(phase=Round.Phase.DRAWN).count()
        if season.format != Season.Format.KNOCK_OUT and played < season.rounds:
            sentence = _("%(division)s: only %(played)d of %(all)d rounds were played.")
            told.append(sentence % {"division": division, "played": played, "all": season.rounds})
    waiting = Fixture.objects.filter(round__division__season=season, round__phase=Round.Phase.PUBLISHED)
    waiting = waiting.filter(ending=Fixture.Ending.OPEN).select_related("round__division")
    return told + [_("%(fixture)s has no result yet.") % {"fixture": fixture} for fixture in waiting[:20]]


def after(season: Season, answers: Answers) -> list[str]:
    """Say who would play in which division, and which waiting people and substitutes are asked too."""
    homes = [
        f"{with_colon(division)} {listed(names)}." for division, names in next_season.divisions_after(season) if names
    ]
    ticked = answers.get("also")  # None: the form was not submitted yet, so everybody is ticked
    also = [entry for entry in substitutes.standing_by(season) if ticked is None or str(entry.pk) in ticked]
    waited = [entry.player.name for entry in also if entry.state == State.WAITING]
    sat_in = [entry.player.name for entry in also if entry.state == State.SUBSTITUTE]
    homes += [_("From the waiting list: %(names)s.") % {"names": listed(waited)}] if waited else []
    homes += [_("Substitutes: %(names)s.") % {"names": listed(sat_in)}] if sat_in else []
    return [*homes, _("They’ll be added to the list. They won’t hear about it until you invite them.")]


def come_first(division: Division, names: list[str]) -> str:
    if not names:
        return next_rounds.describe_early_end(division, names)
    if len(names) > 1:
        return _("%(division)s: %(names)s share first place.") % {"division": division, "names": listed(names)}
    return _("%(division)s: %(name)s wins.") % {"division": division, "name": names[0]}


def week(season: Season, answers: Answers) -> list[str]:
    """Return the weekly letter as it would be written now, or that it has been sent this week."""
    if letters.is_written(season, clock.now()):
        return [_("This week’s letter has already been sent.")]
    told = letters.week_of(season, clock.now())
    standings = [
        row for division, lines in told["divisions"] for row in (with_colon(division.name), *map(in_the_week, lines))
    ]
    closest = [_("A close game: %(game)s with %(names)s.") % close_game(fixture) for fixture in told["best"]]
    late = [_("Tables are waiting for %(names)s.") % {"names": ", ".join(told["late"])}] if told["late"] else []
    return quoted(str(answers.get("words") or "")) + standings + closest + late


def in_the_week(line: Line) -> str:
    return f"{line.row.rank}. {with_colon(line.name)} {line.points}" + (f" ({line.since})" if line.since else "")


def lost_news(season: Season, answers: Answers) -> list[str]:
    lost = announcements.lost(Season.objects.filter(pk=season.pk), clock.now())
    if not lost:
        return [_("As far as we know, every letter from the last two weeks has arrived.")]
    return [*map(str, lost), _("We’ll send each of them the same news again."), *unreached(season)]


def unreached(season: Season) -> list[str]:
    """Name people whom a new letter may not reach either, and say what else can be done."""
    again = announcements.lost_letters(Season.objects.filter(pk=season.pk), clock.now()).order_by().values("recipient")
    names = list(Player.objects.filter(pk__in=again, unreached_at__isnull=False).values_list("name", flat=True))
    if not names:
        return []
    return [
        _("Letters to %(names)s are bouncing.") % {"names": listed(names)},
        _(
            "If you can’t reach a player, withdraw them or put a substitute in their seats, unless they give us a new "
            "address."
        ),
    ]


def close_game(fixture: Fixture) -> dict[str, str]:
    return {"game": fixture.round.title, "names": listed([chair.sitter_name for chair in fixture.chairs.all()])}


# ── divisions and rounds ──


def draw(division: Division, answers: Answers) -> list[str]:
    if (left := next_rounds.too_few(division)) is not None:
        return [next_rounds.describe_early_end(division, left), _("There’s nothing left to draw.")]
    if lacking := next_rounds.missing(division):
        return [next_rounds.told_missing(division, lacking), *ways_out(division)]
    alive = knock_out_progress.left_in(division) if division.season.format == Season.Format.KNOCK_OUT else None
    count = division.entries.filter(state=State.ENTERED).count() if alive is None else len(alive)
    pending = division.rounds.filter(phase=Round.Phase.DRAWN).count()
    sentences = [_("%(count)d people are playing in %(name)s.") % {"count": count, "name": division.name}]
    if pending:
        replaced = ngettext(
            "One drawn round will be replaced; the old draw stays on record.",
            "%(count)d drawn rounds will be replaced; the old draw stays on record.",
            pending,
        )
        sentences.append(replaced % {"count": pending})
    titles = [games.get(slug).title for slug in next_rounds.games_of(division.season)]
    return [*sentences, _("Games: %(games)s.") % {"games": ", ".join(titles)}]


def ways_out(division: Division) -> list[str]:
    """Say what can be done when too few people play."""
    playing = division.entries.filter(state=State.ENTERED).count()
    told = [_("Add a player from the season’s list to the draw, or add new people.")]
    if any(game.seats.start <= playing for game in games.GAMES.values()):
        told.append(_("You could also choose games for fewer players."))
    if division.season.phase == Season.Phase.RUNNING:
        told.append(_("You could also close the season now."))
    return told


def publishing(round_: Round, answers: Answers) -> list[str]:
    return [*tables(round_, answers), told_invited()]


def told_invited() -> str:
    return _("We’ll invite everyone to their table by letter. Each table starts once all its players have accepted.")


def tables(round_: Round, answers: Answers) -> list[str]:
    seated = [
        _("Table %(table)d: %(names)s.")
        % {"table": fixture.table, "names": ", ".join(chair.sitter_name for chair in fixture.chairs.all())}
        for fixture in round_.fixtures.prefetch_related("chairs__sitter")
    ]
    byes = [bye.entry.player.name for bye in round_.byes.select_related("entry__player")]
    return [round_.title, *seated, *([_("Sitting out: %(names)s.") % {"names": ", ".join(byes)}] if byes else [])]


def results(round_: Round, answers: Answers) -> list[str]:
    """Return the result of every table of a round, the winner first."""
    fixtures = round_.fixtures.prefetch_related("chairs__sitter")
    return [
        _("Table %(table)d, %(ending)s: %(names)s.")
        % {
            "table": fixture.table,
            "ending": fixture.get_ending_display(),
            "names": ", ".join(chair.sitter_name for chair in sorted(fixture.chairs.all(), key=place)),
        }
        for fixture in fixtures
    ]


def place(chair: Any) -> int:
    return chair.rank or 99


def waiting(round_: Round, answers: Answers) -> list[str]:
    matches = Match.objects.filter(fixture__round=round_, phase=Match.Phase.GATHERING)
    if not matches:
        return [_("No tables are waiting.")]
    told = [who_is_awaited(match) for match in matches.select_related("fixture").prefetch_related("places")]
    return [*told, _("Players who haven’t accepted yet get the usual time when their turn comes.")]


def who_is_awaited(match: Match) -> str:
    """Say whom a gathering table waits for. A table with an empty or left seat can't begin without waiting."""
    table, places = {"table": match.fixture.table}, match.places.all()
    if len(places) < match.seats:
        return _("Table %(table)d has an empty seat and can’t start.") % table
    if left := [
        chair.sitter_name for chair in match.fixture.chairs.filter(substitutes.is_left()).select_related("sitter")
    ]:
        told = _("Table %(table)d can’t start: these players have left and have no substitute yet: %(names)s.")
        return told % (table | {"names": listed(left)})
    if unasked := [chair.entry.called for chair in match.fixture.chairs.filter(substitutes.is_unasked())]:
        told = _("Table %(table)d doesn’t start with this, because they haven’t accepted the season: %(names)s.")
        return told % (table | {"names": listed(unasked)})
    names = ", ".join(place.name for place in places if place.confirmed_at is None)
    return _("Table %(table)d is waiting for %(names)s.") % (table | {"names": names})


# ── people ──


def asking_again(entry: Entry, answers: Answers) -> list[str]:
    asked = invitations.with_post(Entry.objects.filter(pk=entry.pk)).get()
    last = {"address": entry.shown_address, "what": invitations.what_became_of(asked)}
    return [
        _("The last letter to %(address)s: %(what)s.") % last,
        _("We’ll send a new one. If the address is wrong, withdraw this entry and add the right address."),
    ]


def entering(entry: Entry, answers: Answers) -> list[str]:
    now = _("%(name)s: %(state)s.") % {"name": entry.called, "state": entry.get_state_display()}
    if not next_rounds.takes(entry):
        return [now, next_rounds.told_begun()]
    if not entry.has_accepted:
        return [now, *asking(entry), _("They play from the next draw once they say yes.")]
    if substitutes.has_tables(entry):
        return [now, _("They’ll stay in, including at tables already drawn.")]
    if next_rounds.is_out(entry):
        return [now, _("They’ll be in the season but won’t be drawn for any more tables.")]
    return [now, _("They’ll play from the next draw on.")]


def asking(entry: Entry) -> list[str]:
    """Say what happens to somebody who has not accepted an invitation yet."""
    if entry.state == State.DECLINED:
        return [only_they_can(entry)]
    if entry.invited_at and entry.reminded_at:
        return [_("We asked them twice and won’t write again. The link in those letters still works.")]
    return [_("No one plays without accepting. We’ll ask them by letter.")]


def only_they_can(entry: Entry) -> str:
    told = _("%(name)s declined. Only they can change that, with the link in their invitation.")
    return told % {"name": entry.called}


def standing_by(entry: Entry, answers: Answers) -> list[str]:
    now = _("%(name)s: %(state)s.") % {"name": entry.called, "state": entry.get_state_display()}
    if not entry.has_accepted:
        return [now, *asking(entry), _("They are a substitute once they say yes.")]
    return [now, _("They’ll step in when you ask them to."), *leaving(entry, answers)]


def withdrawing(entry: Entry, answers: Answers) -> list[str]:
    return [_("They won’t be in any more draws."), *leaving(entry, answers)]


def leaving(entry: Entry, answers: Answers) -> list[str]:
    played = [
        _("%(chair)s is in progress and will need a substitute.") % {"chair": chair.fixture}
        for chair in substitutes.open_chairs(entry)
    ]
    drawn = entry.chairs.filter(fixture__round__phase=Round.Phase.DRAWN).exists()
    return played + ([_("Rounds that are drawn but not started will have to be redrawn.")] if drawn else [])
