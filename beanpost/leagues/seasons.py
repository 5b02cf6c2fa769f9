"""The organiser's verbs: what can be done to a season, from planning it to closing it.

Each does one thing in one transaction and refuses with a sentence (ValidationError). It holds the row it is about and
looks at it anew: another organiser may have pressed the same button a moment ago. None touches a running match: that is
done by lines of the house (`seats.py`).
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from django.core.exceptions import ValidationError
from django.db import transaction
from django.db.models import Model, QuerySet
from django.utils.translation import gettext as _

from beanpost.leagues import drawing, invitations, letters
from beanpost.leagues.models import Bye, Chair, Division, Draw, Entry, Fixture, League, Round, Season
from beanpost.leagues.pairing import Seating
from beanpost.play import opening
from beanpost.play.models import Match
from beanpost.players import book
from beanpost.players.models import Player

Phase = Season.Phase


def hold(row: Model) -> None:
    """The row as it is now, ours until the transaction ends."""
    type(row)._default_manager.select_for_update(no_key=True).get(pk=row.pk)
    row.refresh_from_db()


# ── entries ──


@transaction.atomic
def open_entries(season: Season) -> None:
    move_on(season, Phase.ENTERING, after=(Phase.PLANNED,))


@transaction.atomic
def add_entry(season: Season, address: str, *, name: str = "", now: datetime) -> Entry:
    """Somebody the organiser wants in; they are asked by letter, or not at all yet."""
    player = book.welcome(address, name=name, language=season.league.language, now=now)
    rung = season.entries.count()
    entry, is_new = Entry.objects.get_or_create(season=season, player=player, defaults={"rung": rung})
    if not is_new:
        raise ValidationError(_("%(name)s is in this season already.") % {"name": player.name})
    return entry


@transaction.atomic
def sign_up(season: Season, address: str, *, name: str, now: datetime) -> None:
    """Somebody wants to play: they are in once the link sent to their address has been pressed."""
    player = book.welcome(address, name=name, language=season.league.language, now=now)
    rung = season.entries.count()
    entry, _is_new = Entry.objects.get_or_create(season=season, player=player, defaults={"rung": rung})
    if entry.state == Entry.State.INVITED:
        Entry.objects.filter(pk=entry.pk, invited_at=None).update(invited_at=now)
        invitations.write(entry, now=now, nth=f"{now:%y%m%d%H}")


def to_invite(season: Season) -> QuerySet[Entry]:
    return season.entries.filter(state=Entry.State.INVITED, invited_at=None)


def to_remind(season: Season) -> QuerySet[Entry]:
    return season.entries.filter(state=Entry.State.INVITED, invited_at__isnull=False, reminded_at=None)


def could_play(season: Season) -> QuerySet[Entry]:
    """Who is on the list and neither plays nor has said no."""
    return season.entries.filter(state__in=(Entry.State.INVITED, Entry.State.WAITING, Entry.State.SUBSTITUTE))


@transaction.atomic
def invite_all(season: Season, *, now: datetime) -> int:
    """Write to everybody who has not been asked yet. Returns how many that were."""
    asked = list(to_invite(season).select_related("player"))
    for entry in asked:
        entry.invited_at = now
        entry.save(update_fields=["invited_at"])
        invitations.write(entry, now=now)
    return len(asked)


@transaction.atomic
def remind_all(season: Season, *, now: datetime) -> int:
    """Ask once more whoever has not answered; each is reminded once."""
    return sum(remind(entry, now=now) for entry in to_remind(season).select_related("player"))


@transaction.atomic
def remind(entry: Entry, *, now: datetime) -> bool:
    """Ask somebody once more. False: they were reminded meanwhile."""
    if not Entry.objects.filter(pk=entry.pk, reminded_at=None).update(reminded_at=now):
        return False
    invitations.write(entry, now=now, nth="again")
    return True


@transaction.atomic
def enter(entry: Entry, *, now: datetime, as_substitute: bool = False) -> Entry:
    """Somebody says yes. Where the season is full or closed they wait; a substitute never takes a place."""
    hold(entry.season)  # whose places are counted
    entry.refresh_from_db(fields=["state"])
    if entry.state not in {Entry.State.INVITED, Entry.State.DECLINED}:
        return entry
    state = Entry.State.ENTERED if has_room(entry.season) else Entry.State.WAITING
    entry.state = Entry.State.SUBSTITUTE if as_substitute else state
    entry.answered_at = now
    entry.save(update_fields=["state", "answered_at"])
    return entry


def is_open(season: Season) -> bool:
    return season.phase in {Phase.PLANNED, Phase.ENTERING}


def has_room(season: Season) -> bool:
    if not is_open(season):
        return False
    return season.most_entries is None or season.entries.filter(state=Entry.State.ENTERED).count() < season.most_entries


@transaction.atomic
def decline(entry: Entry, *, now: datetime) -> None:
    """Somebody says no; whoever waits first gets the place. Once entries are closed, the organiser must let them go."""
    hold(entry.season)
    entry.refresh_from_db(fields=["state"])
    if entry.state != Entry.State.INVITED and not may_decline(entry):
        return
    entry.state, entry.answered_at = Entry.State.DECLINED, now
    entry.save(update_fields=["state", "answered_at"])
    fill_up(entry.season, now=now)


def may_decline(entry: Entry) -> bool:
    """Whether somebody who has said yes can still say no by themselves."""
    has_place = entry.state in {Entry.State.ENTERED, Entry.State.SUBSTITUTE}
    return entry.state == Entry.State.WAITING or (has_place and is_open(entry.season))


@transaction.atomic
def fill_up(season: Season, *, now: datetime) -> None:
    """Where there is a place, whoever waits longest gets it, and a letter that says so."""
    hold(season)
    while has_room(season):
        first = season.entries.filter(state=Entry.State.WAITING).order_by("answered_at", "pk").first()
        if first is None:
            return
        first.state = Entry.State.ENTERED
        first.save(update_fields=["state"])
        about, key = {"season": season.pk}, f"entry/{first.pk}/place"
        letters.announce(season.league, [first.player], lambda: place_for(season), "", about=about, key=key, now=now)


def place_for(season: Season) -> str:
    return _("There is a place for you in %(season)s: you play.") % {"season": season.name}


@transaction.atomic
def close_entries(season: Season) -> None:
    """Nobody else gets in; the house draws the seed, and everybody without a division is put into one."""
    move_on(season, Phase.CLOSED, after=(Phase.PLANNED, Phase.ENTERING))
    if season.entries.filter(state=Entry.State.ENTERED).count() < 2:
        raise ValidationError(_("At least two people must have entered."))
    season.seed = opening.lot()
    season.save(update_fields=["seed"])
    sort_into_divisions(season)


def sort_into_divisions(season: Season) -> None:
    """Fill the divisions evenly from the top, in the order of rungs; what an organiser chose stays."""
    divisions = list(season.divisions.all()) or [Division.objects.create(season=season, name=_("Main division"))]
    homeless = list(season.entries.filter(state=Entry.State.ENTERED, division=None).order_by("rung", "pk"))
    held = {division.pk: division.entries.filter(state=Entry.State.ENTERED).count() for division in divisions}
    total = sum(held.values()) + len(homeless)
    for n, division in enumerate(divisions):
        room = total * (n + 1) // len(divisions) - total * n // len(divisions) - held[division.pk]
        for entry in homeless[: max(0, room)]:
            put(entry, division)
        homeless = homeless[max(0, room) :]
    for entry in homeless:
        put(entry, divisions[-1])


def put(entry: Entry, division: Division) -> None:
    entry.division = division
    entry.save(update_fields=["division"])


def move_on(season: Season, to: str, *, after: Sequence[str]) -> None:
    hold(season)
    if season.phase not in after:
        raise ValidationError(
            _("%(season)s is %(phase)s: that cannot be done now.")
            % {"season": season, "phase": season.get_phase_display()}
        )
    season.phase = to
    season.save(update_fields=["phase"])


# ── rounds ──


@transaction.atomic
def draw(division: Division, *, by: Any, reason: str = "", now: datetime) -> Draw:
    """Draw what comes next: all rounds at once where results do not matter, else the next one.

    Rounds that were drawn and not published are replaced. That is a redraw: it is kept, and needs a reason.
    """
    hold(division)
    season = division.season
    if season.phase not in {Phase.CLOSED, Phase.RUNNING}:
        raise ValidationError(_("Please close the entries first."))
    pending = division.rounds.filter(phase=Round.Phase.DRAWN)
    if pending.exists() and not reason.strip():
        raise ValidationError(_("This would be a redraw: please say why, for everybody to read."))
    pending.delete()
    nth = division.draws.count() + 1
    seed = f"{season.seed}/{division.level}/{nth}"
    first, drawn = drawing.next_rounds(division, seed)
    kept = [{"tables": seating.tables, "byes": seating.byes} for _, seating in drawn]
    row = Draw(division=division, nth=nth, seed=seed, first=first, rounds=kept, reason=reason, drawn_at=now)
    row.drawn_by = by
    row.save()
    for number, (game, seating) in enumerate(drawn, first):
        lay_out(division, number, game, season.league.games[game], seating)
    return row


def lay_out(division: Division, number: int, game: str, variant: str, seating: Seating) -> Round:
    """A round as drawn, not published yet."""
    round_ = Round.objects.create(division=division, number=number, game=game, variant=variant)
    players = dict(Entry.objects.filter(division=division).values_list("pk", "player_id"))
    for table, sitters in enumerate(seating.tables, 1):
        fixture = Fixture.objects.create(round=round_, table=table)
        Chair.objects.bulk_create(
            Chair(fixture=fixture, entry_id=who, seat=seat, sitter_id=players[who]) for seat, who in enumerate(sitters)
        )
    Bye.objects.bulk_create(Bye(round=round_, entry_id=who) for who in seating.byes)
    return round_


@transaction.atomic
def publish(round_: Round, *, now: datetime) -> int:
    """Open a match for every table and write to everybody. Returns how many tables that were."""
    hold(round_)
    if round_.phase != Round.Phase.DRAWN:
        raise ValidationError(_("This round is published already."))
    if round_.division.season.phase == Phase.ENDED:
        raise ValidationError(_("This season is over."))
    if round_.division.rounds.filter(phase=Round.Phase.DRAWN, number__lt=round_.number).exists():
        raise ValidationError(_("Please publish the earlier rounds first."))
    gone = Chair.objects.filter(fixture__round=round_, entry__state=Entry.State.LEFT)
    if who := ", ".join(chair.entry.player.name for chair in gone.select_related("entry__player")):
        raise ValidationError(_("%(names)s left the season: please redraw this round.") % {"names": who})
    fixtures = list(round_.fixtures.prefetch_related("chairs__sitter"))
    for fixture in fixtures:
        fixture.match = open_table(fixture, now)
        fixture.save(update_fields=["match"])
    round_.phase, round_.published_at = Round.Phase.PUBLISHED, now
    round_.save(update_fields=["phase", "published_at"])
    season = round_.division.season
    if season.phase == Phase.CLOSED:
        move_on(season, Phase.RUNNING, after=(Phase.CLOSED,))
    return len(fixtures)


def open_table(fixture: Fixture, now: datetime) -> Match:
    round_ = fixture.round
    league: League = round_.division.season.league
    players: list[Player] = [chair.sitter for chair in fixture.chairs.all()]
    match = opening.open_for(
        league.keeper, players, game=round_.game, variant=round_.variant, pace=league.pace, now=now
    )
    match.away_days = league.away_days
    match.save(update_fields=["away_days"])
    return match


@transaction.atomic
def begin_tables(round_: Round, *, now: datetime) -> int:
    """Wait no longer for those who have not answered. Returns how many tables began."""
    begun = 0
    for fixture in round_.fixtures.filter(match__phase=Match.Phase.GATHERING).select_related("match"):
        assert fixture.match is not None
        if fixture.match.places.count() == fixture.match.seats:
            begun += opening.begin_anyway(fixture.match.pk, now=now).phase == Match.Phase.RUNNING
    return begun


@transaction.atomic
def close_round(round_: Round, *, now: datetime) -> None:
    """Every table has a result; on a ladder people change rungs."""
    hold(round_)
    if round_.phase != Round.Phase.PUBLISHED:
        raise ValidationError(_("Only a round that is being played can be closed."))
    undecided = round_.fixtures.filter(ending=Fixture.Ending.OPEN)
    if tables := ", ".join(str(fixture.table) for fixture in undecided):
        raise ValidationError(_("There is no result yet at table %(tables)s.") % {"tables": tables})
    round_.phase, round_.closed_at = Round.Phase.CLOSED, now
    round_.save(update_fields=["phase", "closed_at"])
    if round_.division.season.format == Season.Format.LADDER:
        drawing.move_on_ladder(round_)


@transaction.atomic
def close_season(season: Season) -> None:
    move_on(season, Phase.ENDED, after=(Phase.RUNNING,))
    if Round.objects.filter(division__season=season, phase=Round.Phase.PUBLISHED).exists():
        raise ValidationError(_("Please close every round first."))
