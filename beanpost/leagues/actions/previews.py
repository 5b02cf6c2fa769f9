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
from beanpost.leagues.seasons import import_entries, introductions, next_rounds, next_season, phases, substitutes
from beanpost.play import clock
from beanpost.play.display.wording import listed, with_colon
from beanpost.play.models import Match
from beanpost.players.models import Player

Answers = Mapping[str, Any]
State = Entry.State


def names_of(entries: Any) -> str:
    return listed(introductions.names(entries))


# ── seasons ──


def people(season: Season, answers: Answers) -> list[str]:
    known = introductions.addresses_in(season)
    return [str(person) for person in import_entries.read(answers.get("people") or "", known)] or listing(season)


def listing(season: Season) -> list[str]:
    if phases.is_open(season):
        return [_("They are put on the list, and hear of it when you invite them."), only_typed()]
    if season.format == Season.Format.KNOCK_OUT and next_rounds.has_begun(season):
        told = _("They are put on the list. From there you can ask them to be substitutes.")
        return [next_rounds.told_begun(), told, only_typed()]
    return [_("They are put on the list. From there you ask them to play, or to be substitutes."), only_typed()]


def only_typed() -> str:
    return _("Until they accept, you see only what you typed.")


def opening(season: Season, answers: Answers) -> list[str]:
    if season.league.sign_up:
        return [_("Anybody can enter on the league’s page until you close the entries.")]
    return [_("Whoever is invited can enter until you close the entries; the league’s page takes nobody else.")]


def inviting(season: Season, answers: Answers) -> list[str]:
    to_invite = season_entries.to_invite(season)
    if not to_invite:
        return [nobody_to_invite()]
    return [_("A letter goes to %(names)s.") % {"names": names_of(to_invite)}]


def nobody_to_invite() -> str:
    return _("Nobody on the list is left to be invited.")


def reminding(season: Season, answers: Answers) -> list[str]:
    to_remind = season_entries.to_remind(season)
    if not to_remind:
        return [nobody_to_remind()]
    return [_("A second and last letter goes to %(names)s.") % {"names": names_of(to_remind)}]


def nobody_to_remind() -> str:
    return _("Everybody who was invited has answered, or was reminded already.")


def closing_entries(season: Season, answers: Answers) -> list[str]:
    counts = Counter(season.entries.values_list("state", flat=True))
    playing = ngettext("One person plays.", "%(count)d people play.", counts[State.ENTERED])
    waiting = ngettext("One person waits for a place.", "%(count)d people wait for a place.", counts[State.WAITING])
    silent = ngettext("One person has not answered.", "%(count)d people have not answered.", counts[State.INVITED])
    missing = next_rounds.fewest_to_begin(season) - counts[State.ENTERED]
    lacking = ngettext("One person is missing for a table.", "%(count)d people are missing for a table.", missing)
    return [
        playing % {"count": counts[State.ENTERED]},
        *([waiting % {"count": counts[State.WAITING]}] if counts[State.WAITING] else []),
        *([silent % {"count": counts[State.INVITED]}] if counts[State.INVITED] else []),
        *([lacking % {"count": missing}] if missing > 0 else []),
        _("The house draws the seed of all draws now; it is shown on the league’s page."),
    ]


def closing(season: Season, answers: Answers) -> list[str]:
    """Name the winners, and rounds that will never be played."""
    left = Round.objects.filter(division__season=season, phase=Round.Phase.DRAWN).count()
    never = ngettext(
        "One round is drawn and will not be played.", "%(count)d rounds are drawn and will not be played.", left
    )
    firsts = [come_first(division, names) for division, names in season_records.endings(season)]
    return [*firsts, *([never % {"count": left}] if left else [])]


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
    homes += [_("Stood by as substitutes: %(names)s.") % {"names": listed(sat_in)}] if sat_in else []
    return [*homes, _("They are put on the list, and hear of it when you invite them.")]


def come_first(division: Division, names: list[str]) -> str:
    if not names:
        return next_rounds.describe_early_end(division, names)
    if len(names) > 1:
        return _("%(division)s: %(names)s share the first place.") % {"division": division, "names": listed(names)}
    return _("%(division)s: %(name)s comes first.") % {"division": division, "name": names[0]}


def week(season: Season, answers: Answers) -> list[str]:
    """Return the weekly letter as it would be written now, or that it has been sent this week."""
    if letters.is_written(season, clock.now()):
        return [_("This week’s letter has been sent.")]
    told = letters.week_of(season, clock.now())
    standings = [
        row for division, lines in told["divisions"] for row in (with_colon(division.name), *map(in_the_week, lines))
    ]
    closest = [_("A close game: %(game)s with %(names)s.") % close_game(fixture) for fixture in told["best"]]
    late = [_("Tables are waiting for %(names)s.") % {"names": ", ".join(told["late"])}] if told["late"] else []
    return standings + closest + late


def in_the_week(line: Line) -> str:
    return f"{line.row.rank}. {with_colon(line.entry)} {line.points}" + (f" ({line.since})" if line.since else "")


def lost_news(season: Season, answers: Answers) -> list[str]:
    lost = announcements.lost(Season.objects.filter(pk=season.pk), clock.now())
    if not lost:
        return [_("As far as we know, every letter of the last two weeks has arrived.")]
    return [*map(str, lost), _("Each of them is written to once more, with the same news."), *unreached(season)]


def unreached(season: Season) -> list[str]:
    """Name people whom a new letter may not reach either, and say what else can be done."""
    again = announcements.lost_letters(Season.objects.filter(pk=season.pk), clock.now()).order_by().values("recipient")
    names = list(Player.objects.filter(pk__in=again, unreached_at__isnull=False).values_list("name", flat=True))
    if not names:
        return []
    return [
        _("Letters to %(names)s come back.") % {"names": listed(names)},
        _("Who cannot be reached can be withdrawn, or replaced at their tables, unless they give another address."),
    ]


def close_game(fixture: Fixture) -> dict[str, str]:
    return {"game": fixture.round.title, "names": listed([chair.sitter_name for chair in fixture.chairs.all()])}


# ── divisions and rounds ──


def draw(division: Division, answers: Answers) -> list[str]:
    if (left := next_rounds.too_few(division)) is not None:
        return [next_rounds.describe_early_end(division, left), _("There is nothing more to draw.")]
    if lacking := next_rounds.missing(division):
        return [next_rounds.told_missing(division, lacking), *ways_out(division)]
    alive = knock_out_progress.left_in(division) if division.season.format == Season.Format.KNOCK_OUT else None
    count = division.entries.filter(state=State.ENTERED).count() if alive is None else len(alive)
    pending = division.rounds.filter(phase=Round.Phase.DRAWN).count()
    sentences = [_("%(count)d people play in %(name)s.") % {"count": count, "name": division.name}]
    if pending:
        replaced = ngettext(
            "One drawn round would be replaced; the old draw stays readable.",
            "%(count)d drawn rounds would be replaced; the old draw stays readable.",
            pending,
        )
        sentences.append(replaced % {"count": pending})
    titles = [games.get(slug).title for slug in next_rounds.games_of(division.season)]
    return [*sentences, _("The games: %(games)s.") % {"games": ", ".join(titles)}]


def ways_out(division: Division) -> list[str]:
    """Say what can be done when too few people play."""
    playing = division.entries.filter(state=State.ENTERED).count()
    told = [_("Let somebody play who is on the list of the season, or add people to it.")]
    if any(game.seats.start <= playing for game in games.GAMES.values()):
        told.append(_("The league can also choose games for fewer people."))
    if division.season.phase == Season.Phase.RUNNING:
        told.append(_("The season can also be closed as it stands."))
    return told


def publishing(round_: Round, answers: Answers) -> list[str]:
    return [*tables(round_, answers), _("Everybody is invited to their table by letter; it begins when all have come.")]


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
        return [_("No table is waiting any more.")]
    told = [who_is_awaited(match) for match in matches.select_related("fixture").prefetch_related("places")]
    return [*told, _("Whoever is not there when their turn comes has as much time as everybody.")]


def who_is_awaited(match: Match) -> str:
    """Say whom a gathering table waits for. A table with an empty or left seat can't begin without waiting."""
    table, places = {"table": match.fixture.table}, match.places.all()
    if len(places) < match.seats:
        return _("Table %(table)d has an empty seat, and cannot begin.") % table
    if left := [
        chair.sitter_name for chair in match.fixture.chairs.filter(substitutes.is_left()).select_related("sitter")
    ]:
        told = _("Table %(table)d is not begun by this, as nobody sits in yet for who has left: %(names)s.")
        return told % (table | {"names": listed(left)})
    if unasked := [chair.entry.called for chair in match.fixture.chairs.filter(substitutes.is_unasked())]:
        told = _("Table %(table)d doesn’t start with this, because they haven’t accepted the season: %(names)s.")
        return told % (table | {"names": listed(unasked)})
    names = ", ".join(place.name for place in places if place.confirmed_at is None)
    return _("Table %(table)d waits for %(names)s.") % (table | {"names": names})


# ── people ──


def asking_again(entry: Entry, answers: Answers) -> list[str]:
    asked = invitations.with_post(Entry.objects.filter(pk=entry.pk)).get()
    last = {"address": entry.shown_address, "what": invitations.what_became_of(asked)}
    return [
        _("The last letter to %(address)s: %(what)s.") % last,
        _("A fresh one is written. If the address is wrong, withdraw them and add the right one."),
    ]


def entering(entry: Entry, answers: Answers) -> list[str]:
    now = _("%(name)s: %(state)s.") % {"name": entry.called, "state": entry.get_state_display()}
    if not next_rounds.takes(entry):
        return [now, next_rounds.told_begun()]
    if not entry.has_accepted:
        return [now, *asking(entry), _("They play from the next draw once they say yes.")]
    if substitutes.has_tables(entry):
        return [now, _("They play on, also at the tables that are drawn with them.")]
    if next_rounds.is_out(entry):
        return [now, _("They are in the season, but in no draw to come.")]
    return [now, _("They play from the next draw on.")]


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
    return [now, _("They sit in for others when you ask them to."), *leaving(entry, answers)]


def withdrawing(entry: Entry, answers: Answers) -> list[str]:
    return [_("They are in no draw from now on."), *leaving(entry, answers)]


def leaving(entry: Entry, answers: Answers) -> list[str]:
    played = [
        _("%(chair)s is being played and needs a substitute.") % {"chair": chair.fixture}
        for chair in substitutes.open_chairs(entry)
    ]
    drawn = entry.chairs.filter(fixture__round__phase=Round.Phase.DRAWN).exists()
    return played + ([_("Rounds that are drawn and not published must be drawn again.")] if drawn else [])
