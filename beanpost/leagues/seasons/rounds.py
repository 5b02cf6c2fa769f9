"""An organiser's actions on a round: draw, publish, close."""

from __future__ import annotations

from collections.abc import Collection
from datetime import date, datetime
from typing import Any

from django.core.exceptions import ValidationError
from django.db import transaction
from django.db.models import Count, Exists, F, OuterRef, QuerySet
from django.utils.translation import gettext as _

from beanpost.leagues import organiser_accounts
from beanpost.leagues.locks import check_not_over, lock_row
from beanpost.leagues.mail import round_deadlines
from beanpost.leagues.models import Bye, Chair, Division, Draw, Entry, Fixture, League, Round, Season
from beanpost.leagues.seasons import conflicts, facts, keepers, next_rounds, substitutes
from beanpost.leagues.seasons.phases import Phase, change_phase
from beanpost.leagues.seasons.tables import DOUBLE_PRESS_WITHIN
from beanpost.play.models import Match
from beanpost.play.seats import league_tables
from beanpost.players.models import Player


@transaction.atomic
def draw(division: Division, *, by: Any, reason: str = "", now: datetime) -> Draw:
    """Draw all rounds at once if the format doesn't depend on results, otherwise the next one.

    Rounds that were drawn and not published are replaced. That is a redraw: it needs a reason, and both draws stay on
    record. Organisers can't redraw a division they play in, or they could draw until the table suits them.
    """
    lock_row(division.season, division)
    return draw_locked(division, by=by, reason=reason, now=now)


def draw_locked(division: Division, *, by: Any, reason: str = "", now: datetime) -> Draw:
    """Draw a division of a season that is locked, as `draw` does."""
    season = division.season
    check_can_draw(division, by=by, reason=reason)
    pending = facts.list_rounds(division, Round.Phase.DRAWN)
    if pending and division.draws.filter(reason=reason, drawn_at__gt=now - DOUBLE_PRESS_WITHIN).exists():
        raise ValidationError(_("%(division)s was drawn a moment ago.") % {"division": division})
    if pending:
        division.rounds.filter(phase=Round.Phase.DRAWN).delete()
    nth = division.draws.count() + 1
    seed = f"{season.seed}/{division.level}/{nth}"
    first, drawn = next_rounds.draw_next_rounds(division, seed)
    kept = [{"tables": seating.tables, "byes": seating.byes} for _, seating in drawn]
    row = Draw(division=division, nth=nth, seed=seed, first=first, rounds=kept, reason=reason, drawn_at=now)
    row.drawn_by = by
    row.save()
    create_rounds(division, first, drawn)
    return row


def check_can_draw(division: Division, *, by: Any, reason: str) -> None:
    """Refuse to draw before entries are closed, and to redraw without a reason or in the organiser's own division."""
    if division.season.phase not in {Phase.CLOSED, Phase.RUNNING}:
        raise ValidationError(_("Close entries first."))
    if facts.list_rounds(division, Round.Phase.DRAWN):
        if not reason.strip():
            raise ValidationError(_("This is a redraw. Please give a reason; everyone will see it."))
        if by is not None:
            check_may_redraw(division, by)


def check_may_redraw(division: Division, by: Any) -> None:
    if refusal := conflicts.refuse_redraw(division, conflicts.Interests(by)):
        raise ValidationError(refusal)


def check_may_take_out(entry: Entry, by: Any) -> None:
    """Refuse to take a player out of a draw of the organiser's own division: it would have to be drawn again."""
    if by is None or not entry.chairs.filter(fixture__round__phase=Round.Phase.DRAWN).exists():
        return  # nearly always: the rows of the whole season need not be read
    if refusal := conflicts.refuse_taking_out(entry, conflicts.Interests(by)):
        raise ValidationError(refusal)


def may_take_out(entry: Entry, by: Any) -> bool:
    try:
        check_may_take_out(entry, by)
    except ValidationError:
        return False
    return True


def may_rank(entry: Entry, by: Any) -> bool:
    """Whether an organiser may change rungs. Players of the season may not: rungs decide opponents and winners.

    Until entries are closed they may: nobody knows yet who plays, and there may be no second organiser.
    """
    season = entry.season
    if not season.seed:
        return True
    own = season.entries.filter(player__in=organiser_accounts.find_players(by)).exclude(state=Entry.State.LEFT)
    return organiser_accounts.is_known(by) and not own.exists()


def create_rounds(division: Division, first: int, drawn: next_rounds.Drawn) -> None:
    """Create drawn, unpublished rounds with their tables, in a few queries however many they are."""
    variants = division.season.league.games
    created = Round.objects.bulk_create(
        Round(division=division, number=number, game=game, variant=variants[game])
        for number, (game, _seating) in enumerate(drawn, first)
    )
    seatings = [(round_, seating) for round_, (_game, seating) in zip(created, drawn, strict=True)]
    seated = [
        (Fixture(round=round_, table=table), sitters)
        for round_, seating in seatings
        for table, sitters in enumerate(seating.tables, 1)
    ]
    Fixture.objects.bulk_create(fixture for fixture, _sitters in seated)
    players = {entry.pk: entry.player_id for entry in division.entries.all()}
    Chair.objects.bulk_create(
        Chair(fixture=fixture, entry_id=who, seat=seat, sitter_id=players[who])
        for fixture, sitters in seated
        for seat, who in enumerate(sitters)
    )
    Bye.objects.bulk_create(Bye(round=round_, entry_id=who) for round_, seating in seatings for who in seating.byes)


@transaction.atomic
def publish(round_: Round, *, now: datetime, due_on: date | None = None, by: Any = None) -> int:
    """Open a match for every table and invite everybody. Return the number of tables."""
    lock_row(round_.division.season, round_)
    check_can_start(round_, due_on=due_on, now=now)
    keeper = keepers.find_keeper(round_.division.season.league, by)
    if keeper is None:
        raise ValidationError(_("Confirm your own address first: you decide in these matches."))
    fixtures = list(round_.fixtures.prefetch_related("chairs__sitter"))
    for fixture in fixtures:
        fixture.match = open_table(fixture, keeper, now)
        fixture.save(update_fields=["match"])
    round_.phase, round_.published_at, round_.due_on = Round.Phase.PUBLISHED, now, due_on
    round_.save(update_fields=["phase", "published_at", "due_on"])
    season = round_.division.season
    if season.phase == Phase.CLOSED:
        change_phase(season, Phase.RUNNING, after=(Phase.CLOSED,))
    return len(fixtures)


def check_can_start(round_: Round, *, due_on: date | None, now: datetime) -> None:
    if round_.phase != Round.Phase.DRAWN:
        raise ValidationError(_("This round has already started."))
    check_not_over(round_.division.season)
    if round_.division.rounds.filter(phase=Round.Phase.DRAWN, number__lt=round_.number).exists():
        raise ValidationError(_("Start the earlier rounds first."))
    gone = Chair.objects.filter(next_rounds.no_longer_plays_here(), fixture__round=round_)
    if who := ", ".join(chair.entry.called for chair in gone.select_related("entry__player")):
        raise ValidationError(_("No longer in the draw: %(names)s. Redraw this round.") % {"names": who})
    check_deadline(due_on, now)


def check_deadline(due_on: date | None, now: datetime) -> None:
    if due_on and due_on < round_deadlines.find_day(now):
        raise ValidationError(_("A deadline can’t be in the past."))


@transaction.atomic
def set_deadline(round_: Round, due_on: date | None, *, now: datetime) -> None:
    """Change the day by which a round should be over. Its players are warned of the new day, too."""
    lock_row(round_.division.season, round_)
    if round_.phase != Round.Phase.PUBLISHED:
        raise ValidationError(_("This round isn’t being played."))
    check_deadline(due_on, now)
    round_.due_on, round_.warned_on = due_on, None
    round_.save(update_fields=["due_on", "warned_on"])


def open_table(fixture: Fixture, keeper: Player, now: datetime, *, empty: Collection[int] = ()) -> Match:
    """Open a match for a table and invite everybody but the people of the seats that stay empty."""
    round_ = fixture.round
    league: League = round_.division.season.league
    players: list[Player] = [chair.sitter for chair in fixture.chairs.all()]
    match = league_tables.open_league_table(
        keeper, players, game=round_.game, variant=round_.variant, pace=league.pace, empty=empty, now=now
    )
    match.away_days = league.away_days
    match.save(update_fields=["away_days"])
    return match


@transaction.atomic
def begin_tables(round_: Round, *, now: datetime, among: Collection[int] | None = None) -> int:
    """Begin tables without waiting for missing answers: all of a round, or some matches. Return how many began."""
    lock_row(round_.division.season, round_)
    gathering = Match.objects.filter(fixture__round=round_, phase=Match.Phase.GATHERING)
    if among is not None:
        gathering = gathering.filter(pk__in=among)
    waiting = list(gathering.values_list("pk", flat=True))
    for match in find_tables_to_begin().filter(round=round_, match__in=waiting).values_list("match", flat=True):
        league_tables.begin_anyway(match, now=now)
    return Match.objects.filter(pk__in=waiting).exclude(phase=Match.Phase.GATHERING).count()


def find_tables_to_begin() -> QuerySet[Fixture]:
    """Return tables that wait only for answers: no seat is empty or left, and everybody has accepted the season."""
    left = Chair.objects.filter(substitutes.has_left(), fixture=OuterRef("pk"))
    unasked = Chair.objects.filter(substitutes.has_not_accepted(), fixture=OuterRef("pk"))
    gathering = Fixture.objects.filter(~Exists(left), ~Exists(unasked), match__phase=Match.Phase.GATHERING)
    return gathering.annotate(taken=Count("match__places")).filter(taken=F("match__seats"))


@transaction.atomic
def close_round(round_: Round, *, now: datetime) -> None:
    """Close a round whose tables all have a result. On a ladder, people change rungs."""
    lock_row(round_.division.season, round_)
    if round_.phase != Round.Phase.PUBLISHED:
        raise ValidationError(_("You can only close a round that’s being played."))
    undecided = round_.fixtures.filter(ending=Fixture.Ending.OPEN)
    if tables := ", ".join(str(fixture.table) for fixture in undecided):
        raise ValidationError(_("No result yet at table %(tables)s.") % {"tables": tables})
    round_.phase, round_.closed_at = Round.Phase.CLOSED, now
    round_.rungs = {str(pk): rung for pk, rung in round_.division.entries.values_list("pk", "rung")}
    round_.save(update_fields=["phase", "closed_at", "rungs"])
    if round_.division.season.format == Season.Format.LADDER:
        next_rounds.move_on_ladder(round_)
